package nginx_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// A place is a location of the controller: updateServerLocations and buildLocation
// said slowly, for one host.
type place struct {
	path, target, service string
	exact, useRegex       bool
}

func (p *place) rewrites() bool { return p.target != "" && p.target != p.path }

// controllerPlaces returns the locations of Ingresses with one path each, and
// whether all of them are regular expressions.
func controllerPlaces(list []*ingress.Ingress) (places []place, regex bool) {
	exact := make(map[string]bool)
	made := func(in *ingress.Ingress, path, service string, exact bool) place {
		return place{path, in.Annotations[prefix+"rewrite-target"], service, exact, in.Annotations[prefix+"use-regex"] == "true"}
	}
	whole := []place{made(list[0], "/", "", false)} // the default location
	for _, in := range list {
		p := in.Rules[0].Paths[0]
		l := made(in, p.Path, in.Name, p.Type == "Exact")
		exact[l.path] = exact[l.path] || l.exact
		if i := slices.IndexFunc(whole, func(p place) bool { return p.path == l.path }); i < 0 || whole[i].exact != l.exact {
			whole = append(whole, l)
		} else if whole[i].service == "" {
			whole[i] = l // the oldest has it
		}
	}
	slices.SortStableFunc(whole, func(a, b place) int {
		if len(a.path) != len(b.path) {
			return len(b.path) - len(a.path)
		}
		return strings.Compare(b.path, a.path)
	})
	for _, l := range whole {
		if l.path != "/" && !l.exact && !l.rewrites() && !l.useRegex {
			second := l
			l.path = strings.TrimSuffix(l.path, "/") + "/"
			if second.exact = true; !exact[second.path] {
				places = append(places, l, second)
				continue
			}
		}
		places = append(places, l)
	}
	for i := range places {
		regex = regex || places[i].rewrites() || places[i].useRegex
	}
	return places, regex
}

// compiled is regexp.MustCompile, once for each expression.
func compiled(expr string) *regexp.Regexp {
	if expressions[expr] == nil {
		expressions[expr] = regexp.MustCompile(expr)
	}
	return expressions[expr]
}

var expressions = make(map[string]*regexp.Regexp)

// controller returns where a request goes and as what.
func controller(places []place, regex bool, path string) string {
	for _, l := range places {
		if !regex || !compiled("(?i)^"+l.path).MatchString(path) {
			continue
		}
		if l.service == "" {
			return "404"
		}
		if l.rewrites() {
			re := compiled("(?i)" + l.path)
			return l.service + " " + string(re.ExpandString(nil, braced(l.target), path, re.FindStringSubmatchIndex(path)))
		}
		return l.service + " " + path
	}
	for _, matches := range []func(l *place) string{ // regex is false
		func(l *place) string { return when(l.exact && path == l.path, l.service+" "+path) },
		func(l *place) string {
			return when(strings.HasSuffix(l.path, "/") && path+"/" == l.path, "301 "+l.path)
		},
		func(l *place) string { return when(!l.exact && strings.HasPrefix(path, l.path), l.service+" "+path) },
	} {
		for i := range places {
			if got := matches(&places[i]); !regex && got != "" && places[i].service != "" {
				return got
			}
		}
	}
	return "404"
}

// twice reports whether two of the places are one to nginx.
func twice(places []place) bool {
	seen := make(map[string]bool)
	for _, l := range places {
		key := fmt.Sprint(l.path, l.exact)
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

func when(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}

// TestCompatIsTheController runs random hosts against the slow reference.
func TestCompatIsTheController(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	paths := []string{"/", "/a", "/b", "/a/b", "/a/", "/A", "/ab"}
	exprs := []string{"/ab?", "/a.b", "/a(/|$)(.*)", "/a/(.*)", "/(a|b)", "/a.*", "/[ab]/b", "/(.*)", "/a/?(.*)", "/b(.*)", "/(a)/(b)", "/a/(b+)$"}
	targets := []string{"", "", "/x", "/$1", "/x/$2", "/a", "/$2$1"}
	inputs := texts("/aBb", 5)
	rw := nginx.New(&nginx.Options{Mode: nginx.Compat, SkipValidation: true})
	for range 600 {
		var list []*ingress.Ingress
		plain := r.IntN(3) == 0
		for i := range 1 + r.IntN(4) {
			in := made(nil, paths[r.IntN(len(paths))])
			p := &in.Rules[0].Paths[0]
			p.Type = []string{"Exact", "Prefix", "ImplementationSpecific", ""}[r.IntN(4)]
			if !plain && r.IntN(2) == 0 {
				p.Path, p.Type = exprs[r.IntN(len(exprs))], "ImplementationSpecific"
				in.Annotations[prefix+"use-regex"] = "true"
			}
			if target := targets[r.IntN(len(targets))]; !plain && target != "" {
				in.Annotations[prefix+"rewrite-target"] = target
			}
			in.Name = fmt.Sprint("i", i)
			list = append(list, in)
		}
		places, regex := controllerPlaces(list)
		if twice(places) {
			continue // nginx does not start
		}
		table, _ := ingress.Build(rw.Rewrite(list, nil).Entries, nil, func(e *ingress.Entry, c *ingress.Compiled) (built, error) {
			return built{e, c}, nil
		})
		for _, input := range inputs {
			if strings.Contains(input, "//") {
				continue // nginx merges them before
			}
			want := controller(places, regex, input)
			u := rewrite.URL{Scheme: "http", Host: "h", Path: input}
			got := "404"
			if b, ok := table.Match(&u, nil); ok {
				got = b.answer(t, u)
			}
			if status, path, _ := strings.Cut(got, " "); !same(path, strings.TrimPrefix(want, status+" ")) && got != want {
				t.Fatalf("%s: %s; want %s\n%s", input, got, want, show(list))
			}
		}
	}
}

// built is an entry with what was compiled of it.
type built struct {
	e *ingress.Entry
	c *ingress.Compiled
}

// answer returns the Service and what it is asked for, or the status and the
// Location, without the host if that is h.
func (b built) answer(t *testing.T, u rewrite.URL) string {
	status, location, err := b.c.Redirect.Answer(ingress.RedirectRequest{URL: u})
	require.NoError(t, err)
	if status != 0 {
		return fmt.Sprint(status, " ", strings.TrimPrefix(location, "http://h"))
	}
	_, err = b.c.Program.Apply(rewrite.AfterLocation, &u, nil)
	require.NoError(t, err)
	return b.e.Source.Name + " " + string(u.AppendTarget(nil))
}

func show(list []*ingress.Ingress) string {
	s := ""
	for _, in := range list {
		s += fmt.Sprintln(in.Name, in.Rules[0].Paths[0].Path, in.Rules[0].Paths[0].Type, in.Annotations)
	}
	return s
}
