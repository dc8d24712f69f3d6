package proxying

import "testing"

func TestProxies(t *testing.T) {
	for _, p := range append(Peers(), None) {
		t.Run(p.Name, func(t *testing.T) { Check(t, p) })
	}
}

func BenchmarkProxy(b *testing.B) {
	for _, p := range append([]Peer{None}, Peers()...) {
		Bench(b, p)
	}
}

func BenchmarkAdded(b *testing.B) {
	for _, p := range Peers() {
		BenchAdded(b, p)
	}
}
