package ingress

// Build: entries compiled, and a table of what the caller makes of them.

import (
	"errors"
	"strconv"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// Compiled is what of an Entry has to be compiled. It is immutable and safe for
// concurrent use.
type Compiled struct {
	Program  *rewrite.Program   // of Rules; nil if there are none
	Forward  []*rewrite.Program // as many as Backends: of the rules of each, or nil
	Redirect *Redirector        // nil if there is none
	Back     *rewrite.Mappings  // of Entry.Back; nil if there are none
}

// MaxWeight is the greatest weight of a backend, as in package split and in the
// Gateway API.
const MaxWeight = 1_000_000

// Build compiles each entry, calls mk for the value that the caller wants to
// find, and makes the table. mk may keep what it is given. An entry that does
// not compile, or for which mk returns an error, is left out and listed, as are
// entries behind an equal one, which a table never finds. The table is never
// nil; c may be.
func Build[T any](entries []Entry, c *Cluster, mk func(e *Entry, compiled *Compiled) (T, error)) (*route.Table[T], []Problem) {
	var problems []Problem
	routes := make([]route.Route[T], 0, len(entries))
	index := make([]int, 0, len(entries)) // of the entry behind each route
	for i := range entries {
		e := &entries[i]
		compiled, err := compile(e, c)
		if err != nil {
			problems = append(problems, badEntry(e, err))
			continue
		}
		if len(e.ExtraDirectives) > 0 {
			problems = append(problems, Problem{
				Severity: Warning, Code: CodeRawDirectives, Source: e.Source,
				Detail: "extra_directives are carried but not read: say it with response_headers, max_body_size or rules",
			})
		}
		value, err := mk(e, compiled)
		if err != nil {
			problems = append(problems, Problem{Code: CodeCaller, Source: e.Source, Detail: err.Error(), Err: err})
			continue
		}
		routes = append(routes, route.Route[T]{Pattern: e.Pattern, When: e.When, Value: value})
		index = append(index, i)
	}
	table, err := route.NewTable(routes, c.table())
	if faults, ok := errors.AsType[route.RouteErrors](err); ok {
		for _, f := range faults {
			problems = append(problems, badRoute(&entries[index[f.Index]], f))
		}
	}
	for _, conflict := range table.Conflicts() {
		winner, loser := &entries[index[conflict.Winner]], &entries[index[conflict.Loser]]
		p := Problem{
			Severity: Warning, Code: CodeShadowed, Source: loser.Source, Related: []Source{winner.Source},
			Detail: "an earlier entry has the same host, path and conditions and gets all requests",
		}
		if conflict.Witness != (rewrite.URL{}) {
			p.Detail += ", such as " + conflict.Witness.String()
		}
		problems = append(problems, p)
	}
	return table, problems
}

// check returns the entries that Build accepts, with distinct Sources, and why
// the others are not. It uses the memory of entries.
func check(entries []Entry, c *Cluster) ([]Entry, []Problem) {
	var problems []Problem
	seen := make(map[Source]int, len(entries))
	kept := entries[:0]
	for i := range entries {
		e := &entries[i]
		if _, err := compile(e, c); err != nil {
			problems = append(problems, badEntry(e, err))
			continue
		}
		if n := seen[e.Source]; n > 0 {
			problems = append(problems, Problem{
				Severity: Warning, Code: CodeRewriter, Source: e.Source, Detail: "the rewriter made two entries of one Source: set Part",
			})
			from := e.Source
			for ; seen[e.Source] > 0; n++ {
				e.Source.Part = from.Part + "#" + strconv.Itoa(n+1)
			}
			seen[from] = n
		}
		seen[e.Source]++
		kept = append(kept, *e)
	}
	routes := make([]route.Route[struct{}], len(kept))
	for i := range kept {
		routes[i] = route.Route[struct{}]{Pattern: kept[i].Pattern, When: kept[i].When}
	}
	_, err := route.NewTable(routes, c.table())
	bad := make(map[int]bool)
	if faults, ok := errors.AsType[route.RouteErrors](err); ok {
		for _, f := range faults {
			problems = append(problems, badRoute(&kept[f.Index], f))
			bad[f.Index] = true
		}
	}
	n := 0
	for i := range kept {
		if !bad[i] {
			kept[n] = kept[i]
			n++
		}
	}
	kept, shadowed := dropCompanions(kept[:n], c) // last, for what is not served shadows nothing
	return kept, append(problems, shadowed...)
}

func badRoute(e *Entry, fault *route.RouteError) Problem {
	p := Problem{Code: CodeBadEntry, Source: e.Source, Detail: fault.Field + ": " + fault.Err.Error(), Err: fault}
	switch fault.Field {
	case "Pattern.Host":
		p.Origin.Key = "host"
	case "Pattern.Path":
		p.Origin.Key = "path"
	}
	return p
}

func badEntry(e *Entry, err error) Problem {
	p := Problem{Code: CodeBadEntry, Source: e.Source, Detail: err.Error(), Err: err}
	if rule, ok := errors.AsType[*rewrite.RuleError](err); ok {
		p.Origin = rule.Origin
	}
	return p
}

func (c *Cluster) rewrite() *rewrite.Options {
	if c == nil {
		return nil
	}
	return c.Rewrite
}

func (c *Cluster) table() *route.Options {
	if c == nil {
		return nil
	}
	return c.Table
}
