package ingress

// Build: entries compiled, and a table of what the caller makes of them.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/internal/token"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// Compiled is what of an Entry has to be compiled. It is immutable and safe for
// concurrent use.
type Compiled struct {
	Program  *rewrite.Program   // of Rules; nil if there are none
	Forward  []*rewrite.Program // of the rules of each backend; nil where there are none
	Redirect *Redirector        // nil if there is none
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
	routes := make([]route.Route[int], len(kept))
	for i := range kept {
		routes[i] = route.Route[int]{Pattern: kept[i].Pattern, When: kept[i].When, Value: i}
	}
	table, err := route.NewTable(routes, c.table())
	bad := make(map[int]bool)
	if faults, ok := errors.AsType[route.RouteErrors](err); ok {
		for _, f := range faults {
			problems = append(problems, badRoute(&kept[f.Index], f))
			bad[f.Index] = true
		}
	}
	patterns := make([]route.Pattern, len(kept)) // as the table compares them
	for p, i := range table.All() {
		patterns[i] = p
	}
	for _, conflict := range table.Conflicts() {
		patterns[conflict.Loser] = patterns[conflict.Winner]
	}
	n := 0
	for i := range kept {
		if !bad[i] {
			kept[n], patterns[n] = kept[i], patterns[i]
			n++
		}
	}
	kept, shadowed := dropCompanions(kept[:n], patterns) // last, for what is not served shadows nothing
	return kept, append(problems, shadowed...)
}

func badRoute(e *Entry, fault *route.RouteError) Problem {
	return Problem{Code: CodeBadEntry, Source: e.Source, Detail: fault.Field + ": " + fault.Err.Error(), Err: fault}
}

func badEntry(e *Entry, err error) Problem {
	p := Problem{Code: CodeBadEntry, Source: e.Source, Detail: err.Error(), Err: err}
	if rule, ok := errors.AsType[*rewrite.RuleError](err); ok {
		p.Origin = rule.Origin
	}
	return p
}

// compile compiles e, or says all that is wrong with it but for its Pattern and
// its conditions, which NewTable judges.
func compile(e *Entry, c *Cluster) (*Compiled, error) {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	opts := c.rewrite()
	compiled := &Compiled{}
	program := func(field string, rules []rewrite.Rule, hooks ...rewrite.Hook) *rewrite.Program {
		if len(rules) == 0 {
			return nil
		}
		for i, r := range rules {
			if !slices.Contains(hooks, r.Hook) {
				fault("%s[%d] is a rule of hook %v: only %v can be there", field, i, r.Hook, hooks)
			}
		}
		p, err := rewrite.Compile(rules, opts)
		if err != nil {
			fault("%s: %w", field, err)
		}
		return p
	}
	headers := func(field string, request, response []HeaderOp) {
		for i, h := range request {
			if err := h.check(); err != nil {
				fault("%sRequestHeaders[%d]: %w", field, i, err)
			}
		}
		for i, h := range response {
			if err := h.check(); err != nil {
				fault("%sResponseHeaders[%d]: %w", field, i, err)
			}
		}
	}
	compiled.Program = program("Rules", e.Rules, rewrite.BeforeLocation, rewrite.AfterLocation)
	if len(e.Backends) > 0 {
		compiled.Forward = make([]*rewrite.Program, len(e.Backends))
	}
	for i := range e.Backends {
		b, field := &e.Backends[i], fmt.Sprintf("Backends[%d]", i)
		compiled.Forward[i] = program(field+".Rules", b.Rules, rewrite.Forward)
		switch _, port := hostname.Split(b.Upstream); {
		case b.Upstream == "" && !b.Invalid:
			fault("%s has no Upstream: write host:port, or Invalid", field)
		case b.Upstream != "" && (port == "" || !hostname.Check(b.Upstream)):
			fault("%s.Upstream is %.64q: write host:port", field, b.Upstream)
		}
		if name, port := hostname.Split(b.SNI); b.SNI != "" && (port != "" || !hostname.Check(name)) {
			fault("%s.SNI is %.64q: write the name of a host", field, b.SNI)
		}
		if strings.ContainsFunc(b.CASecret, func(r rune) bool { return !isNameRune(r) }) {
			fault("%s.CASecret is %.64q: write the name of a Secret", field, b.CASecret)
		}
		if b.Scheme != "" && b.Scheme != "http" && b.Scheme != "https" {
			fault("%s.Scheme is %.64q: write http or https", field, b.Scheme)
		}
		headers(field+".", b.RequestHeaders, b.ResponseHeaders)
		if b.Weight > MaxWeight {
			fault("%s.Weight is %d: at most %d can be", field, b.Weight, MaxWeight)
		}
	}
	if e.Redirect != nil {
		redirect, err := CompileRedirect(e.Redirect, opts)
		if err != nil {
			fault("Redirect: %w", err)
		}
		compiled.Redirect = redirect
	}
	if _, err := rewrite.CompileMappings(e.Back, opts); err != nil {
		fault("Back: %w", err)
	}
	headers("", e.RequestHeaders, e.ResponseHeaders)
	if e.MaxBodySize < -1 {
		fault("MaxBodySize is %d: write a number of bytes, 0 for no limit of its own or -1 for unlimited", e.MaxBodySize)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return compiled, nil
}

// isNameRune reports whether names of objects may have r, with the namespace in
// front.
func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._/", r)
}

// check reports what is wrong with a header operation: RFC 9110, sections 5.1
// and 5.5, and that it is text.
func (h HeaderOp) check() error {
	if h.Op < SetHeader || h.Op > RemoveHeader {
		return fmt.Errorf("%v is no operation: write set, add or remove", h.Op)
	}
	if !token.Is(h.Name) {
		return fmt.Errorf("%.64q is no name of a header field", h.Name)
	}
	for i := range len(h.Value) {
		if c := h.Value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return fmt.Errorf("the value of %s has a control byte at offset %d", h.Name, i)
		}
	}
	if !utf8.ValidString(h.Value) {
		return fmt.Errorf("the value of %s is not UTF-8", h.Name)
	}
	return nil
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
