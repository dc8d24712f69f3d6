package caddy

import (
	"testing"

	"github.com/readdress/readdress/bench/proxying"
)

func TestProxy(t *testing.T) { proxying.Check(t, Peer) }

func BenchmarkProxy(b *testing.B) { proxying.Bench(b, Peer) }

func BenchmarkAdded(b *testing.B) { proxying.BenchAdded(b, Peer) }
