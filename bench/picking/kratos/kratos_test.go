package kratos

import (
	"testing"

	"github.com/readdress/readdress/bench/picking"
)

func TestPick(t *testing.T) { picking.Check(t, Peer) }

func BenchmarkPick(b *testing.B) { picking.Bench(b, Peer) }
