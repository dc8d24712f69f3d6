package parsing

import (
	"testing"

	"github.com/readdress/readdress/bench/internal/measure"
	"github.com/readdress/readdress/rewrite"
)

func TestAnnotations(t *testing.T) {
	for _, a := range Annotations() {
		items, err := Decode(a.Values)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := Parse(a.Values)
		if err != nil {
			t.Fatal(err)
		}
		if len(rules) < items {
			t.Errorf("%s: Parse finds %d rules in %d items", a.Name, len(rules), items)
		}
		if _, err := Compile(a.Values); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
}

// All dialects say the same.
func TestDialects(t *testing.T) {
	for _, d := range Dialects() {
		t.Run(d.Name, func(t *testing.T) {
			got := d.New(t, d.Manifests(2))(2)
			for i := range got.Problems {
				t.Log(got.Problems[i].Error())
			}
			if len(got.Entries) < 2 {
				t.Fatalf("%d entries for 2 objects", len(got.Entries))
			}
			for i, host := range []string{"h0.example.com", "h1.example.com"} {
				e := &got.Entries[i*len(got.Entries)/2]
				if e.Pattern.Host != host {
					t.Errorf("host %q, want %q", e.Pattern.Host, host)
				}
				program, err := rewrite.Compile(e.Rules, nil)
				if err != nil {
					t.Fatal(err)
				}
				u := rewrite.URL{Host: host, Path: "/app/x"}
				if _, err := program.Apply(rewrite.AfterLocation, &u, nil); err != nil || u.Path != "/x" {
					t.Errorf("/app/x becomes %s, error %v", u.Path, err)
				}
			}
		})
	}
}

func run(b *testing.B, kind, name, by string, do func() error) {
	measure.Run(b, measure.Name(kind, name, "by", by), func(tb testing.TB) measure.Loop {
		return func(n int) {
			for range n {
				if err := do(); err != nil {
					tb.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkAnnotations(b *testing.B) {
	for _, a := range Annotations() {
		run(b, "annotations", a.Name, "encoding-json", func() error { _, err := Decode(a.Values); return err })
		run(b, "annotations", a.Name, "readdress", func() error { _, err := Parse(a.Values); return err })
		run(b, "annotations", a.Name, "readdress-compile", func() error { _, err := Compile(a.Values); return err })
	}
}

// BenchmarkDialects is for one object, of up to a thousand that are translated
// together.
func BenchmarkDialects(b *testing.B) {
	for _, d := range Dialects() {
		manifests := d.Manifests(Objects)
		run(b, "dialect", d.Name, "encoding-json", func() error { return d.Decode(manifests[0]) })
		translate := d.New(b, manifests)
		measure.Run(b, measure.Name("dialect", d.Name, "by", "readdress"), func(testing.TB) measure.Loop {
			return func(n int) {
				for n > 0 {
					some := min(n, Objects)
					translate(some)
					n -= some
				}
			}
		})
	}
}
