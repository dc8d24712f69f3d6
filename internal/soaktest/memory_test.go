package soaktest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/split"
	"github.com/readdress/readdress/visibility"
)

// TestMemoryIsFlat sends requests that are all different through everything that
// runs once per request. Nothing may be kept of them.
func TestMemoryIsFlat(t *testing.T) {
	const slack = 1 << 20
	applies := times(200_000, 100_000_000)
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/app")},
		{Action: rewrite.RewritePath("^/([0-9]+)/(.*)$", "/x/$2/$1")},
		{Action: rewrite.DeleteQuery("token")},
		{Action: rewrite.AddQuery("k", "v")},
		{Action: rewrite.ReplaceHostSuffix(".example.com", ".internal")},
	}, nil)
	var routes []route.Route[int]
	for i := range 100 {
		routes = append(routes, route.Route[int]{Pattern: route.Pattern{Host: "*.example.com", Path: fmt.Sprintf("/app/%d", i)}, Value: i})
	}
	routes = append(routes, route.Route[int]{Pattern: route.Pattern{Host: "*.example.com", Path: "/app/[0-9]+/a", Type: route.Regex}, Value: -1})
	table, err := route.NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	picker, err := split.New([]split.Backend{{Name: "a", Weight: 3}, {Name: "b", Weight: 2}, {Name: "c", Weight: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	index, err := visibility.NewIndex(visibility.Off(), nil, []visibility.Entry{
		{Ref: visibility.Ref{Kind: visibility.ServiceEntry, Namespace: "n", Name: "e"}, Hosts: []string{"*.example.com"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}

	var s rewrite.Scratch
	var buffer []byte
	rng := rand.New(rand.NewPCG(42, 43))
	handle := func(n int) {
		buffer = strconv.AppendInt(append(buffer[:0], "h"...), int64(n), 10)
		id := string(buffer[1:])
		host := string(buffer) + ".example.com"
		u := rewrite.URL{Scheme: "http", Host: host, Path: "/app/" + id + "/a%2F" + id, RawQuery: "token=" + id + "&q" + id + "=1"}
		if err := new(rewrite.Input).Clean(&u, &s); err != nil {
			t.Fatal(err)
		}
		if _, ok := table.Match(&u, nil); !ok {
			t.Fatalf("no route for %v", u)
		}
		if _, err := program.Apply(rewrite.AfterLocation, &u, &s); err != nil {
			t.Fatal(err)
		}
		if _, err := picker.Pick(); err != nil {
			t.Fatal(err)
		}
		if _, err := picker.PickHash(rng.Uint64()); err != nil {
			t.Fatal(err)
		}
		if _, ok := index.LookupHost(host, "n"); !ok {
			t.Fatalf("no entry for %s", host)
		}
		index.LookupHost(id, id)
		if n%2 == 0 {
			s.Reuse()
		}
	}

	for n := range 10_000 { // what is allocated once is allocated now
		handle(n)
	}
	before := heap()
	most := before
	for n := range applies {
		handle(n)
		if n%(applies/10) == 0 {
			most = max(most, heap())
		}
	}
	if most > before+slack {
		t.Errorf("the heap grew from %d to %d bytes in %d requests", before, most, applies)
	}
	t.Logf("%d requests: the heap was %d bytes, and at most %d", applies, before, most)
}

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
