// The cases of testdata/inverse.json.

package rewrite_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// An inverseFile has the ways back that are derived from rules, and the ways
// back by explicit mappings.
type inverseFile struct {
	Derived []derivedCases `json:"derived"`
	Mapped  []mappedCases  `json:"mapped"`
}

// A wayBack is a header's value of an upstream, and the client's form of it.
type wayBack struct {
	Name    string `json:"name"`
	Header  string `json:"header"`
	In      string `json:"in"`
	Want    string `json:"want"`
	Refused bool   `json:"refused"`
	// Nginx is what nginx makes of In with the same mappings, if that differs.
	Nginx string `json:"nginx"`
	Why   string `json:"why"`
}

type derivedCases struct {
	// Rules are at the zero hook, and URL is what the client asked for.
	Rules        []rewrite.Rule `json:"rules"`
	AllowAnyHost bool           `json:"allowAnyHost"`
	URL          string         `json:"url"`
	// Connection is the scheme of the upstream; empty: what the rules make of
	// the client's.
	Connection string    `json:"connection"`
	Aliases    []string  `json:"aliases"`
	Cases      []wayBack `json:"cases"`
}

type mappedCases struct {
	Mappings []rewrite.Mapping `json:"mappings"`
	Cases    []wayBack         `json:"cases"`
}

func readInverse(t *testing.T) inverseFile {
	t.Helper()
	var f inverseFile
	data, err := os.ReadFile("testdata/inverse.json")
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// inverseMethods are the methods of an Inverse by the header that they are for.
var inverseMethods = map[string]func(rewrite.Inverse, string) (string, bool){
	"Location":   rewrite.Inverse.Location,
	"Refresh":    rewrite.Inverse.Refresh,
	"Set-Cookie": rewrite.Inverse.SetCookie,
	"Link":       rewrite.Inverse.Link,
}

func (w wayBack) check(t *testing.T, v rewrite.Inverse) {
	t.Helper()
	method := inverseMethods[w.Header]
	if method == nil {
		t.Fatalf("unknown header %q", w.Header)
	}
	got, changed := method(v, w.In)
	if got != w.Want || changed != (w.Refused || w.Want != w.In) {
		t.Errorf("%s of %q is %q, %t; want %q", w.Header, w.In, got, changed, w.Want)
	}
	if err := checkInverse(w.Header, w.In, got, changed); err != nil {
		t.Error(err)
	}
}

// inverse makes the inverse of what the rules make of the URL.
func (v derivedCases) inverse(t *testing.T) rewrite.Inverse {
	t.Helper()
	p, err := rewrite.Compile(v.Rules, &rewrite.Options{AllowAnyHost: v.AllowAnyHost})
	if err != nil {
		t.Fatal(err)
	}
	client, err := rewrite.Parse(v.URL)
	if err == nil {
		err = new(rewrite.Input).Clean(&client, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	upstream := client
	result, err := p.Apply(rewrite.AfterLocation, &upstream, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Connection != "" {
		upstream.Scheme = v.Connection
	}
	return rewrite.NewInverse(client, upstream, result, v.Aliases...)
}

func TestInverseVectors(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range readInverse(t).Derived {
		v := group.inverse(t)
		for _, c := range group.Cases {
			t.Run(c.Name, func(t *testing.T) { c.check(t, v) })
			if seen[c.Name] {
				t.Errorf("two cases are called %q", c.Name)
			}
			seen[c.Name] = true
		}
	}
}

func TestMappingVectors(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range readInverse(t).Mapped {
		m, err := rewrite.CompileMappings(group.Mappings, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range group.Cases {
			t.Run(c.Name, func(t *testing.T) { c.check(t, rewrite.Inverse{}.With(m)) })
			if seen[c.Name] {
				t.Errorf("two cases are called %q", c.Name)
			}
			seen[c.Name] = true
		}
	}
}
