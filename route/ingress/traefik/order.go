package traefik

// The order of routers: Traefik tries longer rules first, be they expressions or
// paths, while a table tries the expressions of a host before its paths.

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// ordered puts the entries of a Rewriter in Traefik's order.
type ordered struct{ ingress.Rewriter }

func (o ordered) Rewrite(list []*ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	t := o.Rewriter.Rewrite(list, c)
	if !slices.ContainsFunc(t.Entries, func(e ingress.Entry) bool { return e.Pattern.Type == route.RegexFirst }) {
		return t
	}
	rule := ruleLengths(list)
	hosts := make(map[string]*expressions)
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Pattern.Type == route.RegexFirst {
			host := strings.ToLower(e.Pattern.Host)
			if hosts[host] == nil {
				hosts[host] = &expressions{shortest: make(map[string]int)}
			}
			hosts[host].add(literalPrefix(e.Pattern.Path), rule(e))
		}
	}
	for i := range t.Entries {
		e := &t.Entries[i]
		x := hosts[strings.ToLower(e.Pattern.Host)]
		if x == nil || e.Source.Path < 0 || e.Pattern.Type == route.Exact {
			continue
		}
		if e.Pattern.Type != route.RegexFirst {
			if !x.precede(e.Pattern.Path) {
				continue
			}
			if !asExpression(e, c) {
				t.Problems = append(t.Problems, ingress.Problem{
					Severity: ingress.Warning, Code: CodePriority, Source: e.Source, Origin: rewrite.Origin{Key: "path"},
					Detail: "a shorter expression of this host is tried before it, and in Traefik after it: write an expression that does not match these paths",
				})
				continue
			}
		}
		x.entries = append(x.entries, i)
	}
	for _, x := range hosts {
		x.sort(t.Entries, rule)
	}
	return t
}

// ruleLengths returns how long the rules of entries are, which decides in Traefik:
// as long as the paths that the Ingresses have, quoted, each with as much around it.
func ruleLengths(list []*ingress.Ingress) func(e *ingress.Entry) int {
	objects := make(map[ingress.Source]*ingress.Ingress, len(list))
	for _, in := range list {
		if in != nil {
			objects[in.Source()] = in
		}
	}
	return func(e *ingress.Entry) int {
		in, s := objects[e.Source.Object()], e.Source
		if in == nil || s.Rule < 0 || s.Rule >= len(in.Rules) || s.Path < 0 || s.Path >= len(in.Rules[s.Rule].Paths) {
			return len(e.Pattern.Path)
		}
		return len(strconv.Quote(in.Rules[s.Rule].Paths[s.Path].Path)) - len(`""`)
	}
}

// expressions are those of one host, and what comes before them.
type expressions struct {
	shortest map[string]int // the length of the shortest one, by the text that its matches begin with
	texts    []int          // the lengths of these texts, each once
	least    int            // the length of the shortest of all
	entries  []int          // the indexes of those, and of what precedes one
}

func (x *expressions) add(text string, length int) {
	if n, ok := x.shortest[text]; !ok || length < n {
		x.shortest[text] = length
	}
	if !slices.Contains(x.texts, len(text)) {
		x.texts = append(x.texts, len(text))
	}
	if x.least == 0 || length < x.least {
		x.least = length
	}
}

// precede reports whether path is longer than an expression that may match what
// path does. An escape may be a letter, so a path with one may meet any of them.
func (x *expressions) precede(path string) bool {
	if strings.Contains(path, "%") {
		return len(path) > x.least
	}
	return slices.ContainsFunc(x.texts, func(n int) bool {
		if n > len(path) {
			return false
		}
		length, ok := x.shortest[path[:n]]
		return ok && len(path) > length
	})
}

// sort puts the longer rules first, in the places that the entries have.
func (x *expressions) sort(entries []ingress.Entry, rule func(*ingress.Entry) int) {
	list := make([]ingress.Entry, len(x.entries))
	for i, at := range x.entries {
		list[i] = entries[at]
	}
	slices.SortStableFunc(list, func(a, b ingress.Entry) int { return cmp.Compare(rule(&b), rule(&a)) })
	for i, at := range x.entries {
		entries[at] = list[i]
	}
}

// asExpression turns the pattern of e, a prefix, into an expression that matches
// the same. It returns false if there is none that a table takes.
func asExpression(e *ingress.Entry, c *ingress.Cluster) bool {
	const plain = "-./_~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if strings.Trim(e.Pattern.Path, plain) != "" {
		return false
	}
	pattern := route.Pattern{Host: e.Pattern.Host, Path: regexp.QuoteMeta(e.Pattern.Path), Type: route.RegexFirst}
	if e.Pattern.Type == route.Prefix {
		pattern.Path = regexp.QuoteMeta(strings.TrimSuffix(e.Pattern.Path, "/")) + "(?:/|$)"
	}
	if judge.Pattern(pattern, c) != nil {
		return false
	}
	e.Pattern = pattern
	return true
}

// literalPrefix returns the text that every match of a table's expression begins
// with, as far as that is plain to see.
func literalPrefix(expression string) string {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	if tree.Op == syntax.OpConcat {
		tree = tree.Sub[0]
	}
	if tree.Op != syntax.OpLiteral || tree.Flags&syntax.FoldCase != 0 {
		return ""
	}
	text, _, _ := strings.Cut(string(tree.Rune), "%")
	return text
}
