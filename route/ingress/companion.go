package ingress

// Companions: entries for one scheme that stand beside an entry for both, such
// as the redirect to https.

import (
	"reflect"

	"github.com/readdress/readdress/route"
)

// dropCompanions leaves out entries for one scheme whose object has lost the
// pattern to an earlier object. A table would prefer them, because a condition
// on the scheme is the more special one, and a newer Ingress would redirect what
// an older one serves. patterns are those of the entries as a table compares
// them.
func dropCompanions(entries []Entry, patterns []route.Pattern) (kept []Entry, problems []Problem) {
	first := make(map[route.Pattern]Source, len(entries))
	kept = entries[:0]
	for i := range entries {
		e := &entries[i]
		winner, taken := first[patterns[i]]
		switch when := e.When; {
		case reflect.ValueOf(when).IsZero():
			if !taken {
				first[patterns[i]] = e.Source
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
