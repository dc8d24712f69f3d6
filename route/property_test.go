package route_test

// What ties tables to package rewrite: one comparison of prefixes, one reading
// of queries.

import (
	"fmt"
	"testing"

	"github.com/readdress/readdress/internal/texts"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// For every p but "" and "/", Prefix p matches where TrimPathPrefix(p) changes
// the path, and NewTable refuses p where Compile does, or where it has no slash.
func TestPrefixIsTrimPathPrefix(t *testing.T) {
	symbols := []string{"/", "a", "A", "%61", "%2F", "%2f", ".", "é", "?", "%"}
	var paths []rewrite.URL
	for _, path := range texts.UpTo("", []string{"/", "a", "A", "%61", "%2F", "%2f", "."}, 4) {
		u := rewrite.URL{Path: "/" + path}
		if (&rewrite.Input{}).Clean(&u, nil) == nil {
			paths = append(paths, u)
		}
	}
	var filler []route.Route[int] // so that paths are found by hash
	for i := range 100 {
		filler = append(filler, route.Route[int]{Pattern: route.Pattern{Path: fmt.Sprintf("/filler%d", i)}})
	}
	compiled, matched := 0, 0
	for _, rest := range texts.UpTo("", symbols, 3) {
		p := "/" + rest
		program, compileErr := rewrite.Compile([]rewrite.Rule{{Action: rewrite.TrimPathPrefix(p)}}, nil)
		table, err := route.NewTable([]route.Route[int]{{Pattern: route.Pattern{Path: p}}}, nil)
		if (err == nil) != (compileErr == nil) {
			t.Fatalf("%q: NewTable says %v, Compile %v", p, err, compileErr)
		}
		for _, pathType := range []route.PathType{route.Exact, route.TextPrefix} {
			if _, err := route.NewTable([]route.Route[int]{{Pattern: route.Pattern{Path: p, Type: pathType}}}, nil); (err == nil) != (compileErr == nil) {
				t.Fatalf("%q %v: NewTable says %v, Compile %v", p, pathType, err, compileErr)
			}
		}
		if err != nil || p == "/" {
			continue
		}
		compiled++
		large, err := route.NewTable(append(filler, route.Route[int]{Pattern: route.Pattern{Path: p}, Value: 1}), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range paths {
			_, matches := table.Lookup("", u.Path)
			trimmed := u
			result, err := program.Apply(rewrite.AfterLocation, &trimmed, nil)
			if err != nil {
				t.Fatal(p, u, err)
			}
			if changes := result.Changed()&rewrite.PathChanged != 0; changes != matches {
				t.Fatalf("%q matches %q: %v, TrimPathPrefix makes %q", p, u.Path, matches, trimmed.Path)
			}
			if v, ok := large.Lookup("", u.Path); ok != matches || ok && v != 1 {
				t.Fatalf("%q matches %q: %v, and %v in a large table", p, u.Path, matches, ok)
			}
			if matches {
				matched++
			}
		}
	}
	if compiled < 200 || matched < 2000 {
		t.Errorf("only %d prefixes and %d matches", compiled, matched)
	}
}

// A condition finds a pair where DeleteQuery of its name does.
func TestQueryIsDeleteQuery(t *testing.T) {
	for _, name := range []string{"a", "aa", " ", "a ", "+", "%", "%z", "é", "="} {
		program := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.DeleteQuery(name)}}, nil)
		table, err := route.NewTable([]route.Route[bool]{
			{When: route.Conditions{Query: []route.Condition{{Name: name, Test: route.Present}}}, Value: true},
			{When: route.Conditions{Query: []route.Condition{{Name: name, Test: route.Absent}}}, Value: false},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, query := range texts.UpTo("", []string{"a", "%61", "+", "%20", "%2B", "%", "z", "=", "&", "%C3%A9"}, 4) {
			u := rewrite.URL{Path: "/", RawQuery: query}
			present, ok := table.Match(&u, nil)
			result, err := program.Apply(rewrite.AfterLocation, &u, nil)
			if err != nil || !ok {
				t.Fatal(query, ok, err)
			}
			if deletes := result.Changed()&rewrite.QueryChanged != 0; deletes != present {
				t.Fatalf("%q: %q is present: %v, DeleteQuery makes %q", query, name, present, u.RawQuery)
			}
		}
	}
}
