// What routes compile to: testdata/tables.golden shows the order of precedence
// and how paths are found, case by case. To renew it:
// go test ./route -run TestGoldenTables -update

package route_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/golden"
	"github.com/readdress/readdress/route"
)

var goldenCases = []struct {
	name   string // unique; says what the dump shows
	routes []route.Route[int]
}{
	{"hosts are in order of declaration, in the form that is compared", routesAt("", "Example.COM.:80/api", "*.bücher.example/", "example.com/")},
	{"exact, then expressions that are first, then long, then a prefix before a text prefix, then expressions as declared", func() []route.Route[int] {
		list := routesAt("/z.*", "/a", "/a/b/", "/a/b", "/a", "/b", "/", "/a.*", "/z.*", "/b.*", "/a.*")
		for i, t := range []route.PathType{route.Regex, route.Prefix, route.Prefix, route.TextPrefix, route.Exact, route.Exact, route.Prefix, route.Regex, route.RegexFirst, route.RegexFirst, route.RegexFirst} {
			list[i].Pattern.Type = t
		}
		return list
	}()},
	{"paths are canonical", routesAt("/%61%2fb/c d/é/")},
	{"routes of one pattern, by their conditions", tenConditional()},
	{"a later route with equal pattern and conditions is left out", routesAt("a/x", "A./x/", "a/%78")},
	{"no routes: nothing", nil},
}

// routesAt returns a Prefix route for each host and path.
func routesAt(patterns ...string) (list []route.Route[int]) {
	for _, p := range patterns {
		host, path, _ := strings.Cut(p, "/")
		list = append(list, route.Route[int]{Pattern: route.Pattern{Host: host, Path: "/" + path}})
	}
	return list
}

func TestGoldenTables(t *testing.T) {
	path := filepath.Join("testdata", "tables.golden")
	file, err := os.ReadFile(path)
	if err != nil && !golden.Updating() {
		t.Error(err)
	}
	want := map[string]string{}
	for _, section := range strings.Split(string(file), "\n# ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		want[name] = text
	}
	got := "What routes compile to, as Table.String returns it. Written by TestGoldenTables.\n"
	for _, c := range goldenCases {
		table, err := route.NewTable(c.routes, nil)
		if err != nil {
			t.Fatal(c.name, err)
		}
		got += "\n# " + c.name + "\n" + table.String()
		t.Run(c.name, func(t *testing.T) {
			if text := table.String(); text != want[c.name] && !golden.Updating() {
				t.Errorf("got\n%s\nwant\n%s", text, want[c.name])
			}
		})
	}
	golden.File(t, path, got)
}
