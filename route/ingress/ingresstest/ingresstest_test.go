package ingresstest_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/ingresstest"
)

var options = &ingresstest.Options{Annotations: map[string]string{"sample/x": "y"}}

func claims(in *ingress.Ingress, c *ingress.Cluster) bool {
	return c.Claims(in, []string{"sample"}, []string{"sample/"})
}

func translate(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	var t ingress.Translation
	rules, problems := c.Paths(in)
	t.Problems = problems
	for _, r := range rules {
		e := ingress.Entry{Source: r.Source, Pattern: route.Pattern{Host: r.Host, Path: r.Path}, Backends: []ingress.Backend{r.Backend}}
		if r.Type == "Exact" {
			e.Pattern.Type = route.Exact
		}
		t.Entries = append(t.Entries, e)
	}
	return t
}

func TestGoodRewriter(t *testing.T) {
	ingresstest.Run(t, ingress.Each("sample", claims, translate), options)
}

// changed is a rewriter that is good but for what change does to a translation.
func changed(change func(in *ingress.Ingress, t *ingress.Translation)) ingress.Rewriter {
	return ingress.Each("sample", claims, func(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
		t := translate(in, c)
		change(in, &t)
		return t
	})
}

type renamed struct {
	ingress.Rewriter
	n *int
}

func (r renamed) Name() string {
	*r.n++
	return fmt.Sprintf("sample-%d", *r.n)
}

// TestBadRewriters breaks each sentence of the contract and wants the check of
// that name to fail, with words that explain it.
func TestBadRewriters(t *testing.T) {
	var calls atomic.Int64
	match := func(f func(*ingress.Ingress, *ingress.Cluster) bool) ingress.Rewriter {
		return ingress.Each("sample", f, translate)
	}
	for _, test := range []struct {
		name string
		rw   ingress.Rewriter
		want []string
	}{
		{"nil", nil, []string{"it is nil"}},
		{"upper case", ingress.Each("Sample", claims, translate), []string{"the name is in lower case", `Name is "Sample"`}},
		{"changing name", renamed{match(claims), new(int)}, []string{"the name is in lower case and stays"}},
		{"no class", match(func(in *ingress.Ingress, c *ingress.Cluster) bool { return ingress.HasAnnotation(in, "sample/") }),
			[]string{"it claims its class", "ingressClassName", "it refuses another known class", "stray annotations"}},
		{"class as it stands", match(func(in *ingress.Ingress, c *ingress.Cluster) bool { return in.ClassName == "sample" }),
			[]string{"letter case", "kubernetes.io/ingress.class", "Cluster.Classes"}},
		{"everything", match(func(*ingress.Ingress, *ingress.Cluster) bool { return true }), []string{"the classless", "it refuses another known class"}},
		{"panic", match(func(in *ingress.Ingress, c *ingress.Cluster) bool { return claims(in, c) && in.Rules[0].Host != "" }), []string{"panics"}},
		{"random", changed(func(in *ingress.Ingress, t *ingress.Translation) {
			if n := calls.Add(1); len(t.Entries) > 0 {
				t.Entries[0].MaxBodySize = n
			}
		}), []string{"the same input gives the same output"}},
		{"changes manifests", changed(func(in *ingress.Ingress, t *ingress.Translation) { in.Annotations = nil }), []string{"stays as it is"}},
		{"drops the first path", changed(func(_ *ingress.Ingress, t *ingress.Translation) { t.Entries = t.Entries[min(1, len(t.Entries)):] }),
			[]string{"every path becomes an entry", "rules[0].paths[0] has no entry"}},
		{"no path types", changed(func(_ *ingress.Ingress, t *ingress.Translation) {
			for i := range t.Entries {
				t.Entries[i].Pattern.Type = route.Prefix
			}
		}), []string{"Exact is exact", "/exact/below"}},
		{"drops the hostless, as the seed's does", changed(func(_ *ingress.Ingress, t *ingress.Translation) {
			kept := t.Entries[:0]
			for _, e := range t.Entries {
				if e.Pattern.Host != "" {
					kept = append(kept, e)
				}
			}
			t.Entries = kept
		}), []string{"rules without a host are not lost", "the default backend is not lost"}},
		{"defaults first", ordered{changed(func(*ingress.Ingress, *ingress.Translation) {})}, []string{"default backends are last", "the older Ingress comes first"}},
		{"forwards what does not resolve", changed(func(_ *ingress.Ingress, t *ingress.Translation) {
			for i := range t.Entries {
				t.Entries[i].Backends[0].Invalid = false
				t.Entries[i].Backends[0].Upstream = "localhost:80"
			}
		}), []string{"are invalid and listed", "it is Invalid"}},
		{"silent", changed(func(_ *ingress.Ingress, t *ingress.Translation) { t.Problems = nil }), []string{"is not listed", "is in no problem"}},
		{"one Source", changed(func(in *ingress.Ingress, t *ingress.Translation) {
			for i := range t.Entries {
				t.Entries[i].Source = in.Source()
			}
		}), []string{"two entries have the Source"}},
		{"entry that does not compile", changed(func(_ *ingress.Ingress, t *ingress.Translation) {
			for i := range t.Entries {
				t.Entries[i].MaxBodySize = -5
			}
		}), []string{"does not compile", "MaxBodySize"}},
		{"directives", changed(func(_ *ingress.Ingress, t *ingress.Translation) {
			for i := range t.Entries {
				//lint:ignore SA1019 what is deprecated is what is looked for
				t.Entries[i].ExtraDirectives = []string{"encode gzip"}
			}
		}), []string{"there are no extra directives"}},
		{"all or nothing", allOrNothing{match(claims)}, []string{"a faulty Ingress spoils no other"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := ingresstest.Test(test.rw, options)
			if err == nil {
				t.Fatal("the suite passes it")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in\n%v", want, err)
				}
			}
		})
	}
}

// ordered returns entries in the reverse order.
type ordered struct{ ingress.Rewriter }

func (o ordered) Rewrite(list []*ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	t := o.Rewriter.Rewrite(list, c)
	for i, j := 0, len(t.Entries)-1; i < j; i, j = i+1, j-1 {
		t.Entries[i], t.Entries[j] = t.Entries[j], t.Entries[i]
	}
	return t
}

// allOrNothing returns nothing if anything is wrong.
type allOrNothing struct{ ingress.Rewriter }

func (a allOrNothing) Rewrite(list []*ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	t := a.Rewriter.Rewrite(list, c)
	for _, p := range t.Problems {
		if p.Severity == ingress.Error {
			t.Entries = nil
		}
	}
	return t
}

func ExampleTest() {
	err := ingresstest.Test(ingress.Each("sample", claims, translate), options)
	fmt.Println(err)

	claimsAll := func(*ingress.Ingress, *ingress.Cluster) bool { return true }
	err = ingresstest.Test(ingress.Each("sample", claimsAll, translate), options)
	first, _, _ := strings.Cut(err.Error(), "\n")
	fmt.Println(first)
	// Output:
	// <nil>
	// it refuses another known class: an Ingress of class "another-known-controller", which Cluster.Known has, is claimed: it belongs to another controller
}
