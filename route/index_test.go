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
	hash := l.seed
	for _, c := range []byte("/a07") {
		hash = hashByte(hash, c)
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
		{"/a07", match{at: 9, size: 2, end: 2}, false},
	} {
		m := tt.from
		x.improve(&m, l, tt.path, hash, uint32(len("/a07")), Prefix)
		if found := m != tt.from; found != tt.want {
			t.Errorf("%s behind %+v: found %v", tt.path, tt.from, found)
		}
	}
	m := match{}
	x.improve(&m, l, "/a07", hash, uint32(len("/a07")), Exact)
	if m != (match{}) {
		t.Error("a Prefix is found as an Exact")
	}
}
