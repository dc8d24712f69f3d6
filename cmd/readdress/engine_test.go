// Over every example: what Explain says is what Run does, and what is converted
// without a word of warning means the same.

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/readdress/readdress/cmd/readdress/internal/convert"
	"github.com/readdress/readdress/cmd/readdress/internal/diff"
	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/route/ingress"
)

// eachExample calls f with the configuration of every manifest in testdata, in
// both modes.
func eachExample(t *testing.T, f func(t *testing.T, c *engine.Config, opts *engine.Options)) {
	t.Helper()
	var files []string
	for _, pattern := range []string{"testdata/codes/*.yaml", "testdata/manifests/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	loaded := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for mode, compat := range map[string]bool{"strict": false, "compat": true} {
			opts := &engine.Options{Compat: compat}
			c, err := load(data, opts)
			if err != nil || len(c.Sites) == 0 {
				continue
			}
			loaded++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml")+"/"+mode, func(t *testing.T) { f(t, c, opts) })
		}
	}
	if loaded < 200 {
		t.Errorf("only %d configurations have routes", loaded)
	}
}

func load(data []byte, opts *engine.Options) (*engine.Config, error) {
	set := manifest.NewSet()
	if err := set.Read("f", data); err != nil {
		return nil, err
	}
	return engine.Load(set, opts)
}

func TestExplainIsRun(t *testing.T) {
	eachExample(t, func(t *testing.T, c *engine.Config, _ *engine.Options) {
		g := diff.NewGenerator(c, c, 1)
		for range 30 {
			r := g.Next()
			r.Key = "k"
			a, err := c.Run(&r)
			if err != nil {
				t.Fatal(err)
			}
			x, err := c.Explain(&r)
			if err != nil {
				t.Fatal(err)
			}
			compareExplanation(t, &r, &a, x)
		}
	})
}

// compareExplanation holds an explanation against the answer: the end of it, and
// that its steps lead there one after the other.
func compareExplanation(t *testing.T, r *engine.Request, a *engine.Answer, x *engine.Explanation) {
	t.Helper()
	fault := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s %s %v: "+format, append([]any{r.Method, r.URL, r.Headers}, args...)...)
	}
	if x.Status != a.Status || x.Location != a.Location {
		fault("explained as %d %q, answered with %d %q", x.Status, x.Location, a.Status, a.Location)
	}
	if (x.Route == nil) != (a.Site == nil) || a.Site != nil && x.Route.Source != a.Site.Entry.Source.String() {
		fault("explained as of %v, answered by %v", x.Route, a.Site)
	}
	chosen := ""
	for _, l := range x.Lookups {
		chosen = ""
		for _, candidate := range l.Candidates {
			if candidate.Code == "chosen" {
				chosen = candidate.Source
			}
		}
	}
	if a.Site != nil && chosen != a.Site.Entry.Source.String() {
		fault("the lookups chose %q, the table %v", chosen, a.Site.Entry.Source)
	}
	at := x.URL
	if x.Cleaned != "" {
		at = x.Cleaned
	}
	for _, s := range x.Steps {
		if s.Before != at {
			fault("the step %v begins with %s, and the one before ended with %s", s.Action, s.Before, at)
		}
		at = s.After
	}
	for i, b := range x.Backends {
		end := at
		for _, s := range b.Steps {
			if s.Before != end {
				fault("the step %v begins with %s, and the one before ended with %s", s.Action, s.Before, end)
			}
			end = s.After
		}
		if _, rest, _ := strings.Cut(end, "://"); b.Status == 0 && rest != strings.SplitN(a.Targets[i].URL(), "://", 2)[1] {
			fault("the steps end with %s, and %s is sent", end, a.Targets[i].URL())
		}
	}
}

func TestConvertedIsEqual(t *testing.T) {
	for form, least := range map[string]int{"httproute": 40, "annotations": 40} {
		t.Run(form, func(t *testing.T) {
			converted := 0
			eachExample(t, func(t *testing.T, c *engine.Config, opts *engine.Options) {
				var entries []ingress.Entry
				for _, s := range c.Sites {
					entries = append(entries, *s.Entry)
				}
				out, problems, err := convert.Write(form, entries, &convert.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if len(problems) > 0 {
					return
				}
				d, err := load(out, &engine.Options{})
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				converted++
				compared := diff.New(c, d)
				g := diff.NewGenerator(c, d, 1)
				for range 100 {
					r := g.Next()
					if err := compared.Compare(&r); err != nil {
						t.Fatal(err)
					}
				}
				for _, way := range compared.Groups() {
					t.Errorf("%s differs for %v %s %v\n%s", way.What, way.Request.Method, way.Request.URL, way.Request.Headers, out)
				}
			})
			if converted < least {
				t.Errorf("only %d of the examples could be converted", converted)
			}
		})
	}
}

// FuzzExplain does TestExplainIsRun with any URL and header.
func FuzzExplain(f *testing.F) {
	data, err := os.ReadFile("testdata/manifests/shop.yaml")
	if err != nil {
		f.Fatal(err)
	}
	c, err := load(data, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("https://shop.example/api/a%2Fb?x=1;y", "alice")   // a route with several backends
	f.Add("shop.example/%61pi//../x#y", "")                  // what Clean refuses
	f.Add("http://user@shop.example:80/é?%zz=\x00", "\x1b[") // no host, and bytes that no URL has
	f.Fuzz(func(t *testing.T, url, key string) {
		r := &engine.Request{URL: url, Key: key}
		a, err := c.Run(r)
		x, fault := c.Explain(r)
		if (err == nil) != (fault == nil) {
			t.Fatalf("Run says %v, Explain %v", err, fault)
		}
		if err == nil {
			compareExplanation(t, r, &a, x)
		}
	})
}
