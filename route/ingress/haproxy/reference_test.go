// path-rewrite in every form that has a shorter action, against the obvious
// way: search, then make the whole path of the format.

package haproxy_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

// reference returns what HAProxy makes of path, with what package rewrite
// promises of every path: it begins with one slash.
func reference(lines, path string) string {
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		if len(fields) == 1 {
			fields = []string{"(.*)", fields[0]}
		}
		m := regexp.MustCompile(fields[0]).FindStringSubmatch(path)
		if m == nil {
			continue
		}
		path = regexp.MustCompile(`\\[0-9]`).ReplaceAllStringFunc(fields[1], func(group string) string {
			if n := int(group[1] - '0'); n < len(m) {
				return m[n]
			}
			return ""
		})
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
	}
	return "/" + strings.TrimLeft(path, "/")
}

// classOf returns the class of the controller whose annotations these are.
func classOf(annotations map[string]string) string {
	for key := range annotations {
		if strings.HasPrefix(key, "haproxy-ingress") {
			return "haproxy-ingress"
		}
	}
	return "haproxy"
}

// entryOf returns the entry of the only path of an Ingress.
func entryOf(t testing.TB, mode haproxy.Mode, annotations map[string]string, path, pathType string) *ingress.Entry {
	t.Helper()
	in := &ingress.Ingress{Name: "web", ClassName: classOf(annotations), Annotations: annotations, Rules: []ingress.Rule{{Host: "h", Paths: []ingress.Path{
		{Path: path, Type: pathType, Backend: &ingress.BackendRef{Service: "web", Port: 80}},
	}}}}
	got := haproxy.New(&haproxy.Options{Mode: mode}).Rewrite([]*ingress.Ingress{in}, nil)
	for i := range got.Entries {
		if got.Entries[i].Source.Part == "" {
			return &got.Entries[i]
		}
	}
	t.Fatalf("no entry: %v", got.Problems)
	return nil
}

// matches returns those of paths that e's pattern matches.
func matches(t testing.TB, e *ingress.Entry, paths []string) []string {
	t.Helper()
	table, err := route.NewTable([]route.Route[bool]{{Pattern: e.Pattern, Value: true}}, nil)
	require.NoError(t, err)
	var out []string
	for _, path := range paths {
		if _, ok := table.Lookup("h", path); ok {
			out = append(out, path)
		}
	}
	return out
}

func apply(t testing.TB, e *ingress.Entry, path string) string {
	t.Helper()
	program, err := rewrite.Compile(e.Rules, nil)
	require.NoError(t, err)
	u := rewrite.URL{Scheme: "http", Host: "h", Path: path}
	_, err = program.Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	return u.Path
}

var (
	smallLines = []string{
		"/p/(.*) /\\1", "/p(.*) /\\1", "/p(.*) \\1", "/p/?(.*) /\\1", "/p(/|$)(.*) /\\2", "/p(/.*)? \\1", "/p(/.*)?$ \\1",
		"^/p/(.*) /\\1", "^/p(/|$)(.*)$ /\\2", "^/p/?(.*) /\\1", "/p/(.*) /n/\\1", "/p(.*) /n\\1", "/p(.*) /n/\\1", "/p(/.*)? /n\\1",
		"/p(/|$)(.*) /n/\\2", "/p/p/(.*) /\\1", "/p/x(.*) /\\1", "/n", "/", "\\1", "/n\\1", "/n/\\1", "/p/(.*) \\0", "/p/(.*) /\\2", "/p /n", "/pp?(.*) /\\1",
		"/p/(.*) /\\1\n/x/(.*) /\\1", "/x/(.*) /\\1\n/p/(.*) /\\1", "/n\\1\n/n/p/(.*) /\\1", "/(.*) /n/\\1", "/p|/x /n", "(/p|/x)(.*) \\2",
	}
	smallRoutes = []string{"/", "/p", "/p/", "/p/x", "/x", "/p/p"}
	smallPaths  = func() []string {
		var list []string
		for _, a := range []string{"", "/", "/p", "/px", "/pp", "/x", "/n", "//p"} {
			for _, b := range []string{"", "/", "/p", "/p/x", "/x", "/p/p/x", "//x", "/p/"} {
				if a+b != "" && !strings.HasPrefix(a+b, "//") {
					list = append(list, a+b)
				}
			}
		}
		return list
	}()
)

func TestPathRewriteAgainstReference(t *testing.T) {
	for _, lines := range smallLines {
		for _, at := range smallRoutes {
			for _, pathType := range []string{"Exact", "Prefix", "ImplementationSpecific"} {
				e := entryOf(t, haproxy.Compat, map[string]string{"haproxy.org/path-rewrite": lines}, at, pathType)
				for _, path := range matches(t, e, smallPaths) {
					if got, want := apply(t, e, path), reference(lines, path); got != want {
						t.Errorf("%q on %s %s: %s → %s; want %s (%v)", lines, at, pathType, path, got, want, e.Rules)
					}
				}
			}
		}
	}
}

// Strict differs in two ways: a line of /p/(.*) on /p replaces by segment, and
// one whose text is not on the path of the route is not for it.
func TestPathRewriteStrict(t *testing.T) {
	for _, c := range []struct{ lines, at, pathType, path, strict, compat string }{
		{`/p/(.*) /\1`, "/p", "Prefix", "/p", "/", "/p"},
		{`/p/(.*) /\1`, "/p", "Prefix", "/p/", "/", "/"},
		{`/p/(.*) /n/\1`, "/p", "Prefix", "/p", "/n", "/p"},
		{`/p/(.*) /n/\1`, "/p", "Prefix", "/p/x", "/n/x", "/n/x"},
		{`/p/(.*) /\1`, "/p", "ImplementationSpecific", "/p", "/", "/p"},
		{`/p/(.*) /\1`, "/p", "ImplementationSpecific", "/px/p/y", "/px/p/y", "/y"},
		{`/p/(.*) /\1`, "/p", "Exact", "/p", "/p", "/p"},
		{`/p/(.*) /\1`, "/p/x", "Prefix", "/p/x", "/x", "/x"},
		{`/p/(.*) /\1`, "/x", "Prefix", "/x/p/y", "/x/p/y", "/y"},
		{`/p/(.*) /\1`, "/x", "ImplementationSpecific", "/x/p/y", "/x/p/y", "/y"},
		{`.*/p/(.*) /\1`, "/x", "Prefix", "/x/p/y", "/y", "/y"},
		{`/p/(.*) /\1`, "/", "Prefix", "/x/p/y", "/y", "/y"},
		{"/x/(.*) /n\n/p/(.*) /\\1", "/p", "Prefix", "/p/y", "/y", "/y"},
		{"/p/(.*) /\\1\n/x/(.*) /\\1", "/p", "Prefix", "/p/x/y", "/y", "/y"},
	} {
		t.Run(c.lines+" on "+c.at+" "+c.pathType+" "+c.path, func(t *testing.T) {
			annotations := map[string]string{"haproxy.org/path-rewrite": c.lines}
			require.Equal(t, c.compat, reference(c.lines, c.path), "the case is wrong about HAProxy")
			require.Equal(t, c.compat, apply(t, entryOf(t, haproxy.Compat, annotations, c.at, c.pathType), c.path))
			require.Equal(t, c.strict, apply(t, entryOf(t, haproxy.Strict, annotations, c.at, c.pathType), c.path))
		})
	}
}

// communityReference returns what haproxy-ingress makes of path: the expression
// that it writes, applied.
func communityReference(at, target, path string) string {
	expression := "^" + regexp.QuoteMeta(at)
	if target == "/" && !strings.HasSuffix(at, "/") {
		expression += "/?"
	}
	if strings.HasSuffix(at, "/") && !strings.HasSuffix(target, "/") {
		target += "/"
	}
	m := regexp.MustCompile(expression + "(.*)$").FindStringSubmatch(path)
	if m == nil {
		return path
	}
	return "/" + strings.TrimLeft(target+m[1], "/")
}

func TestRewriteTargetAgainstReference(t *testing.T) {
	for _, at := range []string{"/", "/p", "/p/", "/p/x"} {
		for _, target := range []string{"/", "/n", "/n/m", "/p"} {
			for _, pathType := range []string{"Exact", "Prefix", "ImplementationSpecific"} {
				e := entryOf(t, haproxy.Strict, map[string]string{"haproxy-ingress.github.io/rewrite-target": target}, at, pathType)
				for _, path := range matches(t, e, smallPaths) {
					want := communityReference(at, target, path)
					if pathType == "Prefix" && path+"/" == at {
						want = strings.TrimSuffix(communityReference(at, target, at), "/") // by segment
						if want == "" {
							want = "/"
						}
					}
					if got := apply(t, e, path); got != want {
						t.Errorf("%s on %s %s: %s → %s; want %s (%v)", target, at, pathType, path, got, want, e.Rules)
					}
				}
			}
		}
	}
}
