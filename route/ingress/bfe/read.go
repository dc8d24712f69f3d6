package bfe

// Read: the data of mod_rewrite as entries.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// ReadOptions say how Read reads. A nil *ReadOptions and the zero ReadOptions
// are the defaults.
type ReadOptions struct {
	// Sections names the list of rules of each hook, as in WriteOptions. nil:
	// "default" is AfterLocation. Forward cannot be read, because its rules belong
	// to backends, of which the data say nothing.
	Sections map[rewrite.Hook]string
	// Rewrite and Table are what the entries will be compiled with.
	Rewrite *rewrite.Options
	Table   *route.Options
}

// dataFile is the key of the origins, whose offsets are into the data.
const dataFile = "rewrite.data"

// Read returns the rules in rewrite.data, the file that BFE's module
// mod_rewrite loads, as entries without backends: one for each rule and, if its
// condition has alternatives, for each of them, in the order of the data. Each
// compiles, and a table takes it; one with TryNextHost goes on, as BFE does, to
// the rules for wider hosts. Cmd may be in any letter case, and the commands on
// queries may have the names RAW_QUERY_….
//
// A rule with a fault is left out, and the problems say why and where: the Key
// of their Origin is "rewrite.data", its Offset the byte in data. If the data
// are not of the form that BFE loads, there is no entry. Rules that BFE prefers
// because they come first, and a table does not, are warned of, as are those
// that BFE runs beside a rule of another section, and a table does not find.
//
// Origins of rules are the places of their actions, and a Source names the
// section, the rule and the alternative. Read takes time linear in data.
func Read(data []byte, opts *ReadOptions) ([]ingress.Entry, []ingress.Problem) {
	r := &reader{expressions: make(expressions)}
	if opts != nil {
		r.opts = *opts
	}
	if r.opts.Sections == nil {
		r.opts.Sections = defaultSections
	}
	root, fault := parseJSON(data)
	if fault != nil {
		r.fail(CodeSyntax, fault.offset, "%s", fault.detail)
		return nil, r.problems
	}
	r.file(&root)
	return r.accepted(), r.problems
}

type reader struct {
	opts     ReadOptions
	at       ingress.Source // of what is being read
	entries  []ingress.Entry
	offsets  []int          // of the condition of each entry
	hooks    []rewrite.Hook // of the section of each entry
	problems []ingress.Problem

	expressions expressions
}

func (r *reader) report(s ingress.Severity, code ingress.Code, offset int, format string, args ...any) {
	r.problems = append(r.problems, ingress.Problem{
		Severity: s, Code: code, Source: r.at,
		Origin: rewrite.Origin{Key: dataFile, Index: max(r.at.Rule, 0), Offset: offset},
		Detail: fmt.Sprintf(format, args...),
	})
}

func (r *reader) fail(code ingress.Code, offset int, format string, args ...any) {
	r.report(ingress.Error, code, offset, format, args...)
}

// members returns the members of an object by the names given, in any letter
// case as BFE reads them, and whether it is an object without a fault in them.
// Missing ones are nil.
func (r *reader) members(n *node, names ...string) ([]*node, bool) {
	out := make([]*node, len(names))
	if n.kind != '{' {
		r.fail(CodeSyntax, n.at, "%s: write an object with %s", n.is(), strings.Join(names, ", "))
		return out, false
	}
	good := true
	for i := range n.fields {
		f := &n.fields[i]
		k := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, f.name) })
		switch {
		case k < 0:
			r.report(ingress.Warning, CodeSyntax, f.at, "unknown field %s, which BFE ignores: write one of %s", quote(f.name), strings.Join(names, ", "))
		case out[k] != nil:
			r.fail(CodeSyntax, f.at, "%s is there twice, in different letter case: remove one", names[k])
			good = false
		default:
			out[k] = &f.value
		}
	}
	return out, good
}

// is reports whether the member name of an object is there and of a kind.
func (r *reader) is(n *node, kinds string, parent *node, name, want string) bool {
	switch {
	case n == nil:
		r.fail(CodeSyntax, parent.at, "%s is missing: write %s", name, want)
	case !strings.Contains(kinds, string(n.kind)):
		r.fail(CodeSyntax, n.at, "%s is %s: write %s", name, n.is(), want)
	default:
		return true
	}
	return false
}

func (r *reader) file(root *node) {
	m, good := r.members(root, "Version", "Config")
	if root.kind != '{' {
		return
	}
	good = r.is(m[0], `"`, root, "Version", `a string, such as "1"`) && good
	good = r.is(m[1], "{", root, "Config", `an object of lists of rules, such as {"default": []}`) && good
	if !good {
		return
	}
	hooks := r.sections()
	for i := range m[1].fields {
		f := &m[1].fields[i]
		hook, ok := hooks[f.name]
		r.at = ingress.Source{Kind: "mod_rewrite", Name: f.name, Rule: -1, Path: -1}
		switch {
		case f.value.kind != '[':
			r.fail(CodeSyntax, f.value.at, "section %s is %s: write a list of rules", quote(f.name), f.value.is())
		case !ok:
			r.report(ingress.Warning, CodeHook, f.at, "section %s is left out: it is for no hook; name it in ReadOptions.Sections, which has %s",
				quote(f.name), strings.Join(slices.Sorted(maps.Values(r.opts.Sections)), ", "))
		case hook == rewrite.Forward:
			r.report(ingress.Warning, CodeHook, f.at, "section %s is left out: rules at Forward belong to backends, of which the data say nothing; write them in the section of AfterLocation", quote(f.name))
		default:
			r.section(&f.value, hook)
		}
	}
	r.at = ingress.Source{}
}

// sections returns the hook of each section that is named for one.
func (r *reader) sections() map[string]rewrite.Hook {
	hooks := make(map[string]rewrite.Hook)
	for _, hook := range rewrite.Hooks() {
		name := r.opts.Sections[hook]
		first, taken := hooks[name]
		switch {
		case name == "":
		case taken:
			r.problems = append(r.problems, ingress.Problem{
				Code: CodeHook, Detail: fmt.Sprintf("section %s is for two hooks: it is read for %v, and nothing for %v; write another name", quote(name), first, hook),
			})
		default:
			hooks[name] = hook
		}
	}
	return hooks
}

func (r *reader) section(list *node, hook rewrite.Hook) {
	first := len(r.entries)
	for i := range list.elems {
		r.at.Rule, r.at.Path = i, 0
		r.rule(&list.elems[i], hook, i == len(list.elems)-1)
	}
	r.order(first)
}

func (r *reader) rule(n *node, hook rewrite.Hook, isLast bool) {
	m, good := r.members(n, "Cond", "Actions", "Last")
	if n.kind != '{' {
		return
	}
	cond, actions, last := m[0], m[1], m[2]
	good = r.is(cond, `"`, n, "Cond", `a condition, such as "default_t()"`) && good
	good = r.is(last, "tf", n, "Last", "true") && good
	good = r.is(actions, "[", n, "Actions", "a list of actions, which may be empty") && good
	if !good {
		return
	}
	list, good := r.calls(actions)
	alternatives, ok := r.alternatives(cond)
	if !good || !ok {
		return
	}
	if last.kind == 'f' && !isLast {
		r.report(ingress.Warning, CodeLast, last.at, "rules behind it run too in BFE: it is read as the last one for its requests")
	}
	r.make(alternatives, list, hook, cond.at)
}

// alternatives reads a condition.
func (r *reader) alternatives(cond *node) ([]alternative, bool) {
	x, fault := parseCond(cond.text)
	places := cursor{node: cond}
	code := CodeSyntax
	var list []alternative
	if fault == nil {
		code = CodeCond
		b := brancher{
			deep:   r.opts.Table != nil && r.opts.Table.AnyDepthWildcard,
			budget: budgetOf(cond.text),
			warn: func(at int, code ingress.Code, detail string) {
				r.report(ingress.Warning, code, places.offset(at), "%s", detail)
			},
		}
		list, fault = b.branch(x, false)
	}
	switch {
	case fault != nil:
		r.fail(code, cond.offset(fault.at), "%s; the rule is left out", fault.detail)
		return nil, false
	case len(list) == 0:
		r.report(ingress.Warning, CodeNever, cond.at, "no request meets the condition: the rule is left out")
		return nil, false
	}
	return list, true
}

// make adds an entry for each alternative.
func (r *reader) make(list []alternative, calls []call, hook rewrite.Hook, at int) {
	trims := slices.ContainsFunc(calls, func(c call) bool { return c.op == rewrite.OpTrimPathPrefix })
	var rules []rewrite.Rule
	for i := range list {
		if i == 0 || trims {
			rules = r.rules(calls, hook, knownOf(list[i].pattern))
			if _, err := rewrite.Compile(rules, r.opts.Rewrite); err != nil {
				r.uncompiled(err)
				return
			}
		}
		e := ingress.Entry{Source: r.at, Pattern: list[i].pattern, When: list[i].when, Rules: rules}
		e.Source.Path = i
		if e.Pattern.Path == "" {
			e.Pattern.Path = "/"
		}
		r.entries = append(r.entries, e)
		r.offsets = append(r.offsets, at)
		r.hooks = append(r.hooks, hook)
	}
}

// rules makes the rules of calls, on paths of which k is known.
func (r *reader) rules(calls []call, hook rewrite.Hook, k known) []rewrite.Rule {
	var rules []rewrite.Rule
	for i := range calls {
		c := &calls[i]
		a := c.action(c.args)
		if c.op == rewrite.OpTrimPathPrefix {
			if p := canonical(c.args[0]); strings.HasSuffix(p, "/") || !k.trimsSegments(p) {
				a = rewrite.TrimPathText(c.args[0])
			}
		}
		rules = append(rules, rewrite.Rule{Hook: hook, Action: a, Origin: rewrite.Origin{Key: dataFile, Index: r.at.Rule, Offset: c.at}})
		k = k.after(a)
	}
	return rules
}

func (r *reader) uncompiled(err error) {
	faults, _ := errors.AsType[rewrite.RuleErrors](err)
	for _, f := range faults {
		r.fail(CodeAction, f.Origin.Offset, "%v: %v; the rule is left out", f.Op, f.Err)
	}
}

// accepted returns the entries that a table takes, rules of hooks on the same
// requests together, and reports the others.
func (r *reader) accepted() []ingress.Entry {
	routes := make([]route.Route[struct{}], len(r.entries))
	for i := range r.entries {
		routes[i] = route.Route[struct{}]{Pattern: r.entries[i].Pattern, When: r.entries[i].When}
	}
	_, err := route.NewTable(routes, r.opts.Table)
	bad := make(map[int]bool)
	if faults, ok := errors.AsType[route.RouteErrors](err); ok {
		for _, f := range faults {
			bad[f.Index] = true
			r.at = r.entries[f.Index].Source
			r.fail(CodeCond, r.offsets[f.Index], "%s: %v; what the rule says for it is left out", f.Field, f.Err)
		}
	}
	keys := make([]requests, len(r.entries))
	for i := range r.entries {
		if e := &r.entries[i]; !bad[i] {
			keys[i] = requests{e.Pattern.String(), fmt.Sprintf("%q", e.When)}
		}
	}
	r.lost(keys)
	var out []ingress.Entry
	first := make(map[requests]int)     // the first entry for them
	merged := make(map[requests]string) // the last section whose rules it has
	for i := range r.entries {
		if bad[i] {
			continue
		}
		e := &r.entries[i]
		key := keys[i]
		j, ok := first[key]
		switch {
		case !ok:
			first[key], merged[key] = len(out), e.Source.Name
		case merged[key] != e.Source.Name:
			out[j].Rules = append(slices.Clip(out[j].Rules), e.Rules...)
			merged[key] = e.Source.Name
			continue
		}
		out = append(out, *e)
	}
	return out
}
