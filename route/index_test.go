package route

// What cannot be seen from outside: that the arrays of an index have no
// pointers, and that a hash alone finds nothing.

import (
	"fmt"
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
	hash := x.seed
	for _, c := range []byte("/a07") {
		hash = hashByte(hash, c)
	}
	other := uint32(0)
	for other == 0 || x.cells[other-1].size == 0 || x.cells[other-1].tag == uint32(hashEnd(hash, Prefix)>>32) {
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

// Each host has a hash table of its own, and only what matches every path is
// behind it: no search leaves it.
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
	if len(x.large) != 3 || len(x.parents) != len(x.cells) {
		t.Fatalf("%d hosts, %d cells and %d parents", len(x.large), len(x.cells), len(x.parents))
	}
	end := uint32(0)
	for i, l := range x.large {
		roots := []uint32{2, 2, 0}[i]
		if l.first != end || l.root != min(roots, 1)*(l.roots+roots) {
			t.Errorf("host %d: cells from %d on, want %d, with the root %d, want %d", i, l.first, end, l.root, min(roots, 1)*(l.roots+roots))
		}
		end = l.roots + roots
		if first, last := l.start(0), l.start(1<<32-1); first != l.first || last != l.roots-1 || l.next(last) != first {
			t.Errorf("host %d: searches begin in cells %d to %d, want %d to %d", i, first, last, l.first, l.roots-1)
		}
	}
	if int(end) != len(x.cells) {
		t.Errorf("%d cells belong to hosts, of %d", end, len(x.cells))
	}
}
