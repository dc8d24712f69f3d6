package ingress

// Companions: entries for one scheme that stand beside an entry for both, such
// as the redirect to https.

import (
	"reflect"
	"strings"

	"github.com/readdress/readdress/route"
)

// dropCompanions leaves out entries for one scheme whose object has lost the
// pattern to an earlier object. A table would prefer them, because a condition
// on the scheme is the more special one, and a newer Ingress would redirect what
// an older one serves.
func dropCompanions(entries []Entry) (kept []Entry, problems []Problem) {
	first := make(map[route.Pattern]Source, len(entries))
	kept = entries[:0]
	for i := range entries {
		e := &entries[i]
		at := canonical(e.Pattern)
		winner, taken := first[at]
		switch when := e.When; {
		case reflect.ValueOf(when).IsZero():
			if !taken {
				first[at] = e.Source
			}
		case taken && winner.Object() != e.Source.Object():
			if when.Scheme = ""; reflect.ValueOf(when).IsZero() {
				problems = append(problems, Problem{
					Severity: Warning, Code: CodeShadowed, Source: e.Source, Related: []Source{winner},
					Detail: "an earlier object has the same host and path and gets all requests, of either scheme",
				})
				continue
			}
		}
		kept = append(kept, *e)
	}
	return kept, problems
}

// canonical returns p in a form in which most equal patterns are equal.
func canonical(p route.Pattern) route.Pattern {
	p.Host = strings.ToLower(strings.TrimSuffix(p.Host, "."))
	if p.Type == route.Prefix {
		p.Path = strings.TrimSuffix(p.Path, "/")
	}
	return p
}
