package livetest

// How a server and the library are compared, and what a difference has to be.

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/golden"
	"github.com/readdress/readdress/rewrite"
)

// A rule is what a server is configured with and the same for the library. Its
// name is the Host of the requests for it.
type rule struct {
	name    string
	config  string // of the server, for readers
	actions []rewrite.Action
	program *rewrite.Program
}

func compile(t *testing.T, rules []rule) {
	t.Helper()
	for i := range rules {
		var list []rewrite.Rule
		for _, a := range rules[i].actions {
			list = append(list, rewrite.Rule{Action: a})
		}
		var err error
		if rules[i].program, err = rewrite.Compile(list, nil); err != nil {
			t.Fatalf("%s: %v", rules[i].name, err)
		}
	}
}

// ours is what the library makes of a request: a URL, or the status that the
// caller answers.
func ours(p *rewrite.Program, in *rewrite.Input, host, target string) string {
	u, err := rewrite.ParseTarget("http", host, target)
	if err == nil {
		err = in.Clean(&u, nil)
	}
	if err == nil {
		_, err = p.Apply(rewrite.AfterLocation, &u, nil)
	}
	if err != nil {
		return "400"
	}
	return u.String()
}

// A difference is a row of testdata/differences.json: a kind of requests that a
// server and the library answer differently, with one of them.
type difference struct {
	Server string `json:"server"`
	Name   string `json:"name"`
	Rule   string `json:"rule"` // its name
	Config string `json:"config"`
	Target string `json:"target"`
	Theirs string `json:"theirs"`
	Ours   string `json:"ours"`
	Why    string `json:"why"`
}

func readDifferences(t *testing.T) []difference {
	t.Helper()
	raw, err := os.ReadFile("testdata/differences.json")
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	var list []difference
	if err := d.Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list
}

func writeDifferences(t *testing.T, list []difference) {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	separator := "[\n"
	for _, row := range list {
		b.WriteString(separator)
		if err := e.Encode(row); err != nil {
			t.Fatal(err)
		}
		separator = ","
	}
	b.WriteString("]\n")
	text := strings.ReplaceAll(b.String(), "\n,", ",\n")
	if err := os.WriteFile("testdata/differences.json", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A kind is a kind of difference: what the targets are like that it is about,
// and, if it can be said, what the answers are like.
type kind struct {
	name  string
	about func(rule *rule, target, theirs, ours string) bool
}

// A differ holds a comparison against the rows of one server.
type differ struct {
	t      *testing.T
	server string
	kinds  []kind
	counts map[string]int
	same   int
}

func newDiffer(t *testing.T, server string, kinds []kind) *differ {
	return &differ{t: t, server: server, kinds: kinds, counts: make(map[string]int)}
}

// add compares two answers. The first kind that is about a difference counts.
func (d *differ) add(r *rule, target, theirs, ours string) {
	d.t.Helper()
	if theirs == ours {
		d.same++
		return
	}
	for _, k := range d.kinds {
		if k.about(r, target, theirs, ours) {
			if d.counts[k.name]++; d.counts[k.name] == 1 {
				d.t.Logf("%s: %s: %q: %q, not %q", k.name, r.name, target, theirs, ours)
			}
			return
		}
	}
	d.t.Errorf("%s: %q\ntheirs %q\nours   %q", r.name, target, theirs, ours)
}

// run compares the answers to generated requests for random rules, which ask
// gets, and then the rows.
func (d *differ) run(rules []rule, rng *rand.Rand, starts, pieces, queries []string, ask func(i int, target string) (theirs, ours string)) {
	d.t.Helper()
	for range requests(d.t) {
		i := rng.IntN(len(rules))
		target := randomTarget(rng, starts, pieces, queries)
		theirs, ours := ask(i, target)
		d.add(&rules[i], target, theirs, ours)
	}
	d.finish(rules, ask)
}

// finish holds each row to what both sides do with its target, which must be
// an example of its kind, and wants a row for each kind.
func (d *differ) finish(rules []rule, ask func(i int, target string) (theirs, ours string)) {
	d.t.Helper()
	d.t.Logf("%s: %d answers are the same; differences: %v", d.server, d.same, d.counts)
	list := readDifferences(d.t)
	seen := make(map[string]bool)
	for n := range list {
		row := &list[n]
		if row.Server != d.server {
			continue
		}
		i := slices.IndexFunc(rules, func(r rule) bool { return r.name == row.Rule })
		k := slices.IndexFunc(d.kinds, func(k kind) bool { return k.name == row.Name })
		if i < 0 || k < 0 || seen[row.Name] || row.Why == "" {
			d.t.Errorf("%s, %s: no such rule or kind, twice, or no reason", row.Server, row.Name)
			continue
		}
		seen[row.Name] = true
		theirs, ours := ask(i, row.Target)
		if golden.Updating() {
			row.Config, row.Theirs, row.Ours = rules[i].config, theirs, ours
		}
		if row.Config != rules[i].config || theirs != row.Theirs || ours != row.Ours {
			d.t.Errorf("%s: %q: the row has %q and %q, and it is %q and %q", row.Name, row.Target, row.Theirs, row.Ours, theirs, ours)
		}
		if theirs == ours || !d.kinds[k].about(&rules[i], row.Target, theirs, ours) {
			d.t.Errorf("%s: %q, %q is no example", row.Name, theirs, ours)
		}
	}
	for _, k := range d.kinds {
		if !seen[k.name] {
			d.t.Errorf("%s: no row %q in testdata/differences.json", d.server, k.name)
		}
	}
	if golden.Updating() {
		writeDifferences(d.t, list)
	}
}

// randomTarget joins pieces of paths and, at times, of queries.
func randomTarget(rng *rand.Rand, starts, pieces, queries []string) string {
	var b strings.Builder
	b.WriteString(starts[rng.IntN(len(starts))])
	for range rng.IntN(6) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	if len(queries) > 0 && rng.IntN(3) == 0 {
		b.WriteString("?")
		for range rng.IntN(4) {
			b.WriteString(queries[rng.IntN(len(queries))])
		}
	}
	if target := b.String(); strings.HasPrefix(target, "/") {
		return target
	}
	return "/" + b.String()
}
