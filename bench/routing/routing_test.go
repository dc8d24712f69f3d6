package routing

import "testing"

var peers = []Peer{Floor, Readdress, ServeMux}

func BenchmarkLookup(b *testing.B) {
	for _, p := range peers {
		Bench(b, p)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, p := range peers {
		BenchBuild(b, p)
	}
}

func TestPeers(t *testing.T) {
	for _, p := range peers {
		t.Run(p.Name, func(t *testing.T) { Check(t, p) })
	}
}
