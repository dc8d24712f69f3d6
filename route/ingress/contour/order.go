package contour

// Order: Contour tries the regular expressions of a host before its prefixes.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// A compatRewriter orders the expressions of all Ingresses.
type compatRewriter struct{ ingress.Rewriter }

func (r compatRewriter) Rewrite(in []*ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	t := r.Rewriter.Rewrite(in, c)
	regexFirst(&t)
	return t
}

// regexFirst makes every Regex of t, but those of default backends, a RegexFirst,
// and puts the longest first.
func regexFirst(t *ingress.Translation) {
	var places []int
	shared := make(map[string]map[route.Pattern]bool) // what hosts have but for Exact paths
	for i := range t.Entries {
		e := &t.Entries[i]
		if e.Source.Path < 0 && e.Source.Kind != proxyKind || e.Pattern.Type == route.Exact {
			continue
		}
		host := strings.ToLower(e.Pattern.Host)
		if shared[host] == nil {
			shared[host] = make(map[route.Pattern]bool)
		}
		shared[host][route.Pattern{Path: e.Pattern.Path, Type: e.Pattern.Type}] = true
		if e.Pattern.Type == route.Regex {
			places = append(places, i)
		}
	}
	type expression struct {
		entry ingress.Entry
		text  string // as Contour has it
	}
	list := make([]expression, len(places))
	told := make(map[ingress.Source]bool)
	for i, place := range places {
		e := t.Entries[place]
		at := e.Source
		at.Part = ""
		if len(shared[strings.ToLower(e.Pattern.Host)]) > 1 && !told[at] {
			told[at] = true
			key := "path"
			if at.Kind == proxyKind {
				key = index("spec.routes", at.Rule) + ".conditions"
			}
			t.Problems = append(t.Problems, ingress.Problem{
				Severity: ingress.Warning, Code: CodeRegexFirst, Source: at, Origin: rewrite.Origin{Key: key},
				Detail: "Contour tries it before prefixes and shorter expressions: Strict tries it after prefixes, in the order in which it is written",
			})
		}
		e.Pattern.Type = route.RegexFirst
		list[i] = expression{e, pcre.Start(e.Pattern.Path)}
	}
	slices.SortStableFunc(list, func(a, b expression) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(b.text, a.text))
	})
	for i, place := range places {
		t.Entries[place] = list[i].entry
	}
}
