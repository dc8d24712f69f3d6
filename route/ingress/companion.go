package ingress

// Companions: entries for one scheme that stand beside an entry for both, such
// as the redirect to https.

import (
	"slices"

	"github.com/readdress/readdress/route"
)

// dropCompanions leaves out entries for one scheme whose object has lost the
// pattern and the other conditions to an earlier object. A table would prefer
// them, because a condition on the scheme is the more special one, and a newer
// Ingress would redirect what an older one serves. A table takes all entries.
func dropCompanions(entries []Entry, c *Cluster) (kept []Entry, problems []Problem) {
	if !slices.ContainsFunc(entries, func(e Entry) bool { return e.When.Scheme != "" }) {
		return entries, nil
	}
	routes := make([]route.Route[struct{}], len(entries))
	alike := make([]int, len(entries)) // the first entry that differs in the scheme at most
	for i := range entries {
		routes[i] = route.Route[struct{}]{Pattern: entries[i].Pattern, When: entries[i].When}
		routes[i].When.Scheme = ""
		alike[i] = i
	}
	table, _ := route.NewTable(routes, c.table())
	for _, conflict := range table.Conflicts() {
		alike[conflict.Loser] = conflict.Winner
	}
	winners := make(map[int]Source, len(entries)) // of those for both schemes
	kept = entries[:0]
	for i := range entries {
		e := &entries[i]
		winner, taken := winners[alike[i]]
		switch {
		case e.When.Scheme == "" && !taken:
			winners[alike[i]] = e.Source
		case e.When.Scheme != "" && taken && winner.Object() != e.Source.Object():
			problems = append(problems, Problem{
				Severity: Warning, Code: CodeShadowed, Source: e.Source, Related: []Source{winner},
				Detail: "an earlier object has the same host, path and conditions: it gets all requests, of either scheme",
			})
			continue
		}
		kept = append(kept, *e)
	}
	return kept, problems
}
