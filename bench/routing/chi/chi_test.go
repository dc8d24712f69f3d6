package chi

import (
	"testing"

	"github.com/readdress/readdress/bench/routing"
)

func TestRouter(t *testing.T) { routing.Check(t, Peer) }

func BenchmarkLookup(b *testing.B) { routing.Bench(b, Peer) }

func BenchmarkBuild(b *testing.B) { routing.BenchBuild(b, Peer) }
