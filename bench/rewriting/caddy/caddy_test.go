package caddy

import (
	"testing"

	"github.com/readdress/readdress/bench/rewriting"
)

func TestCaddy(t *testing.T) { rewriting.Check(t, Peer()) }

func BenchmarkRewriting(b *testing.B) { rewriting.Bench(b, Peer()) }
