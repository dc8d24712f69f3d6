package picking

import "testing"

func BenchmarkPick(b *testing.B) {
	for _, p := range Hand() {
		Bench(b, p)
	}
}

func TestHand(t *testing.T) {
	for _, p := range Hand() {
		t.Run(p.Name, func(t *testing.T) { Check(t, p) })
	}
}
