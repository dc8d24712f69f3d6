package gateway

// Write: entries into HTTPRoutes.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// WriteOptions say where the HTTPRoutes belong. Nil is the zero WriteOptions.
type WriteOptions struct {
	// Parents are the Gateways that the routes attach to. Without one they
	// attach to nothing.
	Parents []ParentRef
	// Sections are the names of the listeners for "http" and for "https". They
	// are what the entries of a host are attached to if one of them has a
	// condition on the scheme; without both such entries are left out.
	Sections map[string]string
}

// Write returns HTTPRoutes that say what entries say: one for each namespace and
// host, or more where the API allows no more rules in one. Entries are in order
// of precedence, as a Result has them, and only read. Encode the routes with
// encoding/json; Translate reads them back into equal entries, except for what
// the problems name: whatever the Gateway API has no word for.
//
// An entry that would serve other requests, or send another URL, is left out and
// is an Error (CodeUnsayable); a smaller difference is a Warning
// (CodeApproximate), and so is what belongs into another object (CodeElsewhere).
// Prefixes that are cut or replaced, by whatever action or regular expression,
// become ReplacePrefixMatch.
func Write(entries []ingress.Entry, opts *WriteOptions) ([]*HTTPRoute, []ingress.Problem) {
	w := writer{names: make(map[string]int), passed: make(map[int]bool), expressions: make(map[route.Pattern]int)}
	if opts != nil {
		w.opts = *opts
	}
	groups := make(map[groupKey]*group)
	hosts := make(map[string][]*group)
	var order []*group
	for i := range entries {
		e := &entries[i]
		w.at, w.namespace = e.Source, cmp.Or(e.Source.Namespace, "default")
		host, ok := w.host(e.Pattern.Host)
		if !ok {
			continue
		}
		w.expression(host, e, i)
		if !w.inNamespace() {
			continue
		}
		key := groupKey{w.namespace, host}
		g := groups[key]
		if g == nil {
			g = &group{groupKey: key, first: e.Source, written: make(map[string][]item)}
			groups[key] = g
			hosts[host] = append(hosts[host], g)
			order = append(order, g)
		}
		before := len(w.problems)
		rules, ok := w.rules(e)
		if !ok { // what it would have lost besides does not matter
			said := w.problems[before:]
			w.problems = w.problems[:before+len(slices.DeleteFunc(said, func(p ingress.Problem) bool { return p.Severity != ingress.Error }))]
			continue
		}
		g.items = append(g.items, item{e, i, rules})
	}
	for _, g := range order {
		w.fallThrough(g, hosts)
		w.group(g)
		if same := hosts[g.host]; g == same[len(same)-1] {
			w.ranks(same)
		}
	}
	return w.routes, w.problems
}

type groupKey struct{ namespace, host string }

// A group is the entries of one namespace and host.
type group struct {
	groupKey
	first   ingress.Source
	items   []item
	written map[string][]item // by scheme; "": for both
}

// An item is an entry and the rules that say it.
type item struct {
	entry *ingress.Entry
	index int
	rules []Rule
}

// A writer collects what Write returns.
type writer struct {
	opts      WriteOptions
	routes    []*HTTPRoute
	problems  []ingress.Problem
	names     map[string]int // how often each name of a namespace was wanted
	passed    map[int]bool   // entries whose rank was warned of
	at        ingress.Source // of the entry at hand
	namespace string

	expressions map[route.Pattern]int // for each regular expression of a host, the first entry that has it
}

func (w *writer) report(s ingress.Severity, code ingress.Code, origin rewrite.Origin, format string, args ...any) {
	w.problems = append(w.problems, ingress.Problem{Severity: s, Code: code, Source: w.at, Origin: origin, Detail: fmt.Sprintf(format, args...)})
}

// unsayable reports why the entry at hand is left out.
func (w *writer) unsayable(origin rewrite.Origin, format string, args ...any) {
	w.report(ingress.Error, CodeUnsayable, origin, format+": the entry is left out", args...)
}

func (w *writer) approximate(format string, args ...any) {
	w.report(ingress.Warning, CodeApproximate, rewrite.Origin{}, format, args...)
}

func (w *writer) elsewhere(format string, args ...any) {
	w.report(ingress.Warning, CodeElsewhere, rewrite.Origin{}, format, args...)
}

// host returns the hostname that stands for the host of a pattern.
func (w *writer) host(host string) (string, bool) {
	if host == "" {
		return "", true
	}
	name, _ := hostname.Split(host)
	name, err := parseHostname(name)
	if err != nil {
		w.unsayable(rewrite.Origin{}, "host %.64q: %v", host, err)
		return "", false
	}
	return name, true
}

// group makes the routes of a group: one for all listeners, or one for each
// scheme if an entry asks for one.
func (w *writer) group(g *group) {
	w.at = g.first
	if strings.HasPrefix(g.host, "*.") && len(g.items) > 0 {
		w.approximate("hostname %s stands for names of any depth: a table takes it for one label unless AnyDepthWildcard is set", g.host)
	}
	schemes := slices.ContainsFunc(g.items, func(i item) bool { return i.entry.When.Scheme != "" })
	if !schemes {
		w.write(g, "", g.items)
		return
	}
	for _, scheme := range []string{"http", "https"} {
		w.write(g, scheme, w.ofScheme(g, scheme))
	}
}

// ofScheme returns the items that requests of a scheme can meet. A condition on
// the scheme comes first in a table, so an item without one is not met where
// another has the same pattern and nothing but the scheme for a condition.
func (w *writer) ofScheme(g *group, scheme string) []item {
	always, sometimes := make(map[route.Pattern]bool), make(map[route.Pattern]bool)
	for _, i := range g.items {
		if i.entry.When.Scheme == scheme {
			bare := len(i.entry.When.Methods)+len(i.entry.When.Headers)+len(i.entry.When.Query) == 0
			p := i.paths()
			always[p] = always[p] || bare
			sometimes[p] = sometimes[p] || !bare
		}
	}
	var items []item
	for _, i := range g.items {
		e, p := i.entry, i.paths()
		if e.When.Scheme != "" && e.When.Scheme != scheme || e.When.Scheme == "" && always[p] {
			continue
		}
		if e.When.Scheme == "" && sometimes[p] && len(e.When.Methods)+len(e.When.Headers)+len(e.When.Query) > 0 {
			w.at = e.Source
			w.approximate("the entries of scheme %s with the same path come before it, and in the listener the one with more conditions does", scheme)
		}
		items = append(items, i)
	}
	return items
}

// paths returns the pattern, without its host, as a table compares it.
func (i *item) paths() route.Pattern {
	p := i.entry.Pattern
	p.Host = ""
	switch p.Type {
	case route.Prefix:
		p.Path = prefixText(p.Path)
	case route.Exact, route.TextPrefix:
		p.Path = canonical(cmp.Or(p.Path, "/"))
	}
	return p
}

func (w *writer) write(g *group, scheme string, items []item) {
	g.written[scheme] = items
	var rules []Rule
	for _, i := range items {
		rules = append(rules, i.rules...)
	}
	parents := w.opts.Parents
	if scheme != "" {
		parents = slices.Clone(parents)
		for i := range parents {
			parents[i].SectionName = w.opts.Sections[scheme]
		}
	}
	base := w.name(g, scheme)
	digits := max(4, len(strconv.Itoa(len(rules)/maxRules+1)))
	for part := 1; len(rules) > 0; part++ {
		n := min(len(rules), maxRules)
		r := &HTTPRoute{Namespace: g.namespace, Name: base, Parents: parents, Rules: rules[:n:n]}
		if part > 1 { // names decide between routes of one age, and so have to sort
			r.Name = w.unique(g.namespace, fmt.Sprintf("%s-part-%0*d", base, digits, part))
		}
		if g.host != "" {
			r.Hostnames = []string{g.host}
		}
		w.routes = append(w.routes, r)
		rules = rules[n:]
	}
}

// name returns a name that no other route of the namespace has.
func (w *writer) name(g *group, scheme string) string {
	host := strings.ReplaceAll(cmp.Or(g.host, "all-hosts"), "*", "any")
	name := []byte(strings.ToLower(g.first.Name + "-" + host))
	for i, c := range name {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			name[i] = '-'
		}
	}
	label := strings.Trim(string(name[:min(len(name), maxName)]), "-")
	if scheme != "" {
		label += "-" + scheme
	}
	return w.unique(g.namespace, label)
}

// unique returns a label, with a number behind it if it is taken.
func (w *writer) unique(namespace, label string) string {
	for {
		wanted := namespace + "/" + label
		w.names[wanted]++
		n := w.names[wanted]
		if n == 1 {
			return label
		}
		label = fmt.Sprintf("%s-%d", label, n)
	}
}

// maxName leaves room for what is put behind a name, of the 253 bytes it may have.
const maxName = 200

// fallThrough reports a group whose requests can meet the routes of a wider host
// too: a table tries no second host unless TryNextHost is set.
func (w *writer) fallThrough(g *group, hosts map[string][]*group) {
	if g.host == "" || len(g.items) == 0 {
		return
	}
	for _, same := range hosts[g.host] {
		if slices.ContainsFunc(same.items, item.takesAll) {
			return
		}
	}
	w.at = g.first
	wider := strings.TrimPrefix(g.host, "*.")
	for {
		_, rest, ok := strings.Cut(wider, ".")
		if !ok {
			break
		}
		if wider = rest; len(hosts["*."+wider]) > 0 {
			w.approximate("what no route of %s takes goes to those of *.%s: write a route for / of %s", g.host, wider, g.host)
			return
		}
	}
	if len(hosts[""]) > 0 {
		w.approximate("what no route of %s takes goes to those of every host: write a route for / of %s", g.host, g.host)
	}
}

// takesAll reports whether every request of the host meets the entry.
func (i item) takesAll() bool {
	return len(i.rules[0].Matches) == 0 && i.entry.When.Scheme == ""
}

// inNamespace reports whether routes can be in the namespace of the entry at hand.
func (w *writer) inNamespace() bool {
	if !hostname.IsLabel(w.namespace) {
		w.unsayable(rewrite.Origin{}, "%.64q is no name of a namespace", w.namespace)
		return false
	}
	return true
}
