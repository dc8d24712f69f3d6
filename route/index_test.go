package route

// What cannot be seen from outside: that the arrays of an index have no
// pointers, and that a hash alone finds nothing.

import (
	"fmt"
	"math/bits"
	"reflect"
	"testing"
)

func TestIndexHasNoPointers(t *testing.T) {
	// What grows with different conditions and expressions, not with routes.
	few := map[string]bool{"when": true, "exprs": true}
	arrays := 0
	for _, f := range reflect.VisibleFields(reflect.TypeFor[index]()) {
		array := f.Type
		if array == reflect.TypeFor[hashed]() {
			array = reflect.TypeFor[hashed]().Field(0).Type
		}
		if array.Kind() != reflect.Slice || few[f.Name] {
			continue
		}
		arrays++
		if hasPointer(array.Elem()) {
			t.Errorf("index.%s: %v has a pointer, which the garbage collector would follow", f.Name, array.Elem())
		}
	}
	if arrays < 8 {
		t.Errorf("only %d arrays were looked at", arrays)
	}
}

func hasPointer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if hasPointer(f.Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return hasPointer(t.Elem())
	}
	return t.Kind() < reflect.Bool || t.Kind() > reflect.Complex128
}

// Two texts with one hash are two: neither another path nor the path behind
// another match is taken for the record.
func TestEqualHashes(t *testing.T) {
	var routes []Route[int]
	for i := range 100 {
		routes = append(routes, Route[int]{Pattern: Pattern{Path: fmt.Sprintf("/a%02d", i)}})
	}
	table, err := NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &table.index
	l := &x.large[0]
	hash := pathHash{sum: x.seed}
	for i, c := range []byte("/a07") {
		hash.add(c, uint32(i))
	}
	other := uint32(0) // a cell, plus 1, with which it shares no path
	for other == 0 || x.cells[other-1].size == 0 || x.text[x.cells[other-1].path:][:4] == "/a07" {
		other++
	}
	for _, tt := range []struct {
		path string
		from match
		want bool
	}{
		{"/a07", match{}, true},
		{"/%6107", match{}, true},
		{"/b07", match{}, false},
		{"/a07x", match{}, false},
		{"/a07", match{at: other, size: 2, end: 2}, false},
	} {
		m := tt.from
		var list candidates
		list.add(hash, len(tt.path), uint32(len("/a07")), Prefix)
		x.improve(&m, l, tt.path, &list)
		if found := m != tt.from; found != tt.want {
			t.Errorf("%s behind %+v: found %v", tt.path, tt.from, found)
		}
	}
	m := match{}
	var list candidates
	list.add(hash, len("/a07"), uint32(len("/a07")), Exact)
	x.improve(&m, l, "/a07", &list)
	if m != (match{}) {
		t.Error("a Prefix is found as an Exact")
	}
}

// Each host has a hash table of its own, and behind it what matches every path:
// no search leaves it.
func TestCellsOfHosts(t *testing.T) {
	var routes []Route[int]
	for i := range 300 {
		routes = append(routes, Route[int]{Pattern: Pattern{Host: []string{"a", "b", "c"}[i%3], Path: fmt.Sprintf("/%d", i/3)}})
	}
	for _, h := range []string{"a", "b"} {
		routes = append(routes, Route[int]{Pattern: Pattern{Host: h}}, Route[int]{Pattern: Pattern{Host: h, Path: "/", Type: TextPrefix}})
	}
	table, err := NewTable(routes, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &table.index
	if len(x.large) != 3 || len(x.cells) != 8*len(x.tags) || len(x.parents) != len(x.cells) {
		t.Fatalf("%d hosts, %d groups, %d cells and %d parents", len(x.large), len(x.tags), len(x.cells), len(x.parents))
	}
	group := uint32(0)
	for i, l := range x.large {
		roots := []uint32{2, 2, 0}[i]
		root := uint32(0)
		if roots > 0 {
			root = 8*l.last + roots
		}
		if l.first != group || l.root != root {
			t.Errorf("host %d: groups from %d on, want %d, with the root %d, want %d", i, l.first, group, l.root, root)
		}
		if first, last := l.start(0), l.start(1<<32-1); first != l.first || last != l.last-1 || l.next(last) != first {
			t.Errorf("host %d: searches begin in groups %d to %d, want %d to %d", i, first, last, l.first, l.last-1)
		}
		empty := 0
		for g := l.first; g < l.last; g++ {
			empty += bits.OnesCount64(bytesOf(x.tags[g], 0))
		}
		if want := 8*int(l.last-l.first) - 100; empty != want || empty == 0 {
			t.Errorf("host %d: %d cells are empty, want %d", i, empty, want)
		}
		group = l.last + 1
	}
	if int(group) != len(x.tags) {
		t.Errorf("%d groups belong to hosts, of %d", group, len(x.tags))
	}
}

func TestBytesOf(t *testing.T) {
	for c := range 256 {
		for other := range 256 {
			word := uint64(c)*0x0000_0100_0001_0000 | uint64(other)*0x0101_0001_0100_0101
			want := uint64(0x0000_8000_0080_0000)
			if c == other {
				want = 0x8080_8080_8080_8080
			}
			if got := bytesOf(word, byte(c)); got != want {
				t.Fatalf("%#02x in %#016x: %#016x, want %#016x", c, word, got, want)
			}
		}
	}
}
