package bfe

// Write: entries as the data of mod_rewrite.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// WriteOptions say how Write writes. A nil *WriteOptions and the zero
// WriteOptions are the defaults.
type WriteOptions struct {
	// Version is written as it is; empty: "1".
	Version string
	// Sections names, for each hook, the list of rules in the data, which BFE
	// calls a product. nil: AfterLocation is "default", the only hook at which
	// BFE rewrites. Rules of other hooks are left out. BFE judges the conditions
	// of a section on the URL as the sections of earlier hooks left it.
	Sections map[rewrite.Hook]string
	// SeedPrefix writes a Prefix as req_path_prefix_in, for a BFE without
	// req_path_element_prefix_in. It matches /foobar too where the path is /foo,
	// and what is trimmed from the one is trimmed from the other: a warning.
	SeedPrefix bool
}

// defaultSections are those of the controller.
var defaultSections = map[rewrite.Hook]string{rewrite.AfterLocation: "default"}

// Write returns the rules of entries as rewrite.data, the file that BFE's
// module mod_rewrite loads: one rule an entry, in the order in which a table
// prefers them, each the last for its requests. An entry without rules has one
// without actions, so that no other gets its requests. The data say nothing of
// backends, redirects and headers.
//
// The problems name by their Source each entry that BFE has no words for. One
// whose condition cannot be said is left out; one whose actions cannot be said
// has none. The data are valid whatever the problems. Write changes and keeps
// nothing of what it is given, and takes n log n time.
func Write(entries []ingress.Entry, opts *WriteOptions) ([]byte, []ingress.Problem) {
	w := writer{}
	if opts != nil {
		w.opts = *opts
	}
	if w.opts.Sections == nil {
		w.opts.Sections = defaultSections
	}
	sections := make([]section, 0, len(w.opts.Sections))
	for _, hook := range rewrite.Hooks() {
		name := w.opts.Sections[hook]
		if name == "" {
			continue
		}
		if slices.ContainsFunc(sections, func(s section) bool { return s.name == name }) {
			w.problems = append(w.problems, ingress.Problem{
				Code: CodeHook, Detail: fmt.Sprintf("section %s is for two hooks: rules of %v are left out; write another name", quote(name), hook),
			})
			continue
		}
		sections = append(sections, section{hook: hook, name: name})
	}
	for _, e := range w.inPrecedence(entries) {
		if e.Redirect != nil {
			w.report(e, ingress.Warning, CodeNotRewrite, rewrite.Origin{}, "its redirect is left out: it belongs in the data of mod_redirect")
		}
		cond, err := writeCondition(e, w.opts.SeedPrefix)
		switch {
		case err != nil && e.Redirect != nil:
			continue // what is redirected is not rewritten
		case err != nil:
			w.report(e, ingress.Error, CodeCond, rewrite.Origin{}, "%v; the entry is left out", err)
			continue
		}
		w.unsaid(e, sections)
		misplaced := w.misplaced(e)
		for i := range sections {
			s := &sections[i]
			var actions []action
			if !misplaced {
				actions = w.actions(e, s.hook)
			}
			s.rules = append(s.rules, rule{cond, actions})
		}
	}
	return appendData(nil, cmp.Or(w.opts.Version, "1"), sections), w.problems
}

type writer struct {
	opts     WriteOptions
	problems []ingress.Problem
}

func (w *writer) report(e *ingress.Entry, s ingress.Severity, code ingress.Code, o rewrite.Origin, format string, args ...any) {
	w.problems = append(w.problems, ingress.Problem{
		Severity: s, Code: code, Source: e.Source, Origin: o, Detail: fmt.Sprintf(format, args...),
	})
}

// unsaid reports what of an entry the sections do not say.
func (w *writer) unsaid(e *ingress.Entry, sections []section) {
	for _, hook := range rewrite.Hooks() {
		rules := rulesAt(e, hook)
		if len(rules) > 0 && !slices.ContainsFunc(sections, func(s section) bool { return s.hook == hook }) {
			w.report(e, ingress.Warning, CodeHook, rules[0].Origin, "rules of hook %v are left out: no section is for it", hook)
		}
	}
}

// misplaced reports rules where none of their hook can be, which Build refuses,
// and whether there are any.
func (w *writer) misplaced(e *ingress.Entry) (found bool) {
	check := func(field string, rules []rewrite.Rule, forward bool, want string) {
		for i, r := range rules {
			if !r.Hook.Valid() || (r.Hook == rewrite.Forward) != forward {
				found = true
				w.report(e, ingress.Error, CodeHook, r.Origin, "%s[%d] is a rule of hook %v: %s%s", field, i, r.Hook, want, noActions)
			}
		}
	}
	check("Rules", e.Rules, false, "write it in the Rules of the backends")
	for i := range e.Backends {
		if rules := e.Backends[i].Rules; len(rules) > 0 {
			check(fmt.Sprintf("Backends[%d].Rules", i), rules, true, "write it in the Rules of the entry")
		}
	}
	return found
}

// noActions ends the problems with an entry's actions.
const noActions = "; its rule has no actions"

// rulesAt returns the rules of an entry at a hook in the order in which they
// run; of Forward those of its first backend that has any.
func rulesAt(e *ingress.Entry, hook rewrite.Hook) []rewrite.Rule {
	list := e.Rules
	if hook == rewrite.Forward {
		list = nil
		for i := range e.Backends {
			if list = e.Backends[i].Rules; len(list) > 0 {
				break
			}
		}
	}
	var out []rewrite.Rule
	for _, r := range list {
		if r.Hook == hook {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b rewrite.Rule) int { return cmp.Compare(a.Order, b.Order) })
	return out
}

// actions returns the actions of an entry at a hook; none if one of them cannot
// be said.
func (w *writer) actions(e *ingress.Entry, hook rewrite.Hook) []action {
	rules := rulesAt(e, hook)
	if len(rules) == 0 {
		return nil
	}
	if hook == rewrite.Forward && !w.canForward(e, rules) {
		return nil
	}
	if _, err := rewrite.Compile(rules, &rewrite.Options{AllowAnyHost: true}); err != nil {
		w.report(e, ingress.Error, CodeAction, rules[0].Origin, "its rules do not compile: %v"+noActions, err)
		return nil
	}
	k := knownOf(e.Pattern)
	var out []action
	faulty := false
	escaped := "" // a name that a pair has been given, and that is sent with escapes
	for _, r := range rules {
		list, code, fault := writeAction(r.Action, k)
		if fault != "" {
			faulty = true
			w.report(e, ingress.Error, code, r.Origin, "%v: %s"+noActions, r.Action, fault)
		}
		switch r.Action.Op() {
		case rewrite.OpHostFromPathPrefix:
			w.report(e, ingress.Warning, CodeAnyHost, r.Origin, "BFE takes any host from the path: refuse there what is not yours")
		case rewrite.OpTrimPathPrefix, rewrite.OpStripPathSegments:
			if w.opts.SeedPrefix && e.Pattern.Type == route.Prefix && fault == "" {
				w.report(e, ingress.Warning, CodeTrim, r.Origin, "%v: BFE trims from the middle of a segment too, and req_path_prefix_in does not rule that out", r.Action)
			}
		case rewrite.OpAddQuery:
			escaped = cmp.Or(odd(r.Action.Args()[0]), escaped)
		case rewrite.OpRenameQuery:
			if odd(r.Action.Args()[0]) != "" {
				w.report(e, ingress.Warning, CodeParam, r.Origin, "%v: BFE looks for the decoded name and then for the one as it is sent, so it never renames this one", r.Action)
			}
			escaped = cmp.Or(odd(r.Action.Args()[1]), escaped)
		case rewrite.OpKeepQuery, rewrite.OpDropQuery:
			if escaped != "" {
				w.report(e, ingress.Warning, CodeParam, r.Origin, "%v: BFE does not find the pair %s, which has got its name before, and keeps it: write this action first", r.Action, quote(escaped))
				escaped = ""
			}
		}
		out = append(out, list...)
		k = k.after(r.Action)
	}
	if faulty {
		return nil
	}
	return out
}

// canForward reports whether a condition can stand for the rules at Forward:
// BFE judges it once the URL is rewritten, and knows no backend.
func (w *writer) canForward(e *ingress.Entry, rules []rewrite.Rule) bool {
	for i := range e.Backends {
		if !slices.EqualFunc(e.Backends[i].Rules, e.Backends[0].Rules, sameRule) {
			w.report(e, ingress.Error, CodeHook, rules[0].Origin, "its backends have different rules at Forward, and a section does not know backends: write the same for all")
			return false
		}
	}
	p, err := rewrite.Compile(e.Rules, &rewrite.Options{AllowAnyHost: true})
	if err != nil || p.Touches(rewrite.AfterLocation)&(rewrite.HostChanged|rewrite.PathChanged) != 0 {
		w.report(e, ingress.Error, CodeHook, rules[0].Origin, "its rules at AfterLocation change the host or the path, by which the section for Forward would find it: move these rules to AfterLocation")
		return false
	}
	return true
}

func sameRule(a, b rewrite.Rule) bool {
	return a.Hook == b.Hook && a.Order == b.Order && a.Action.Equal(b.Action)
}

// writeAction returns the commands for an action, or why there are none.
func writeAction(a rewrite.Action, k known) (list []action, code ingress.Code, fault string) {
	args, op := a.Args(), a.Op()
	switch op {
	case rewrite.OpDropQuery:
		return []action{{"QUERY_DEL_ALL_EXCEPT", nil}}, "", ""
	case rewrite.OpStripPathSegments:
		prefix, ok := k.segments(count(args[0]))
		if !ok {
			return nil, CodeTrim, "BFE strips no segments, and the path of the entry does not name so many"
		}
		args, op = []string{prefix}, rewrite.OpTrimPathPrefix
	case rewrite.OpTrimPathPrefix, rewrite.OpTrimPathText:
		if len(args) > 1 {
			return nil, CodeAction, "BFE trims one prefix: write an entry for each"
		}
		if op == rewrite.OpTrimPathText {
			op = rewrite.OpTrimPathPrefix
			break
		}
		args[0] = strings.TrimSuffix(canonical(args[0]), "/")
		if args[0] == "" { // nothing changes; BFE's trim would take a slash of "//x"
			return []action{{"PATH_PREFIX_ADD", []string{"/"}}}, "", ""
		}
		if !k.trimsSegments(args[0]) {
			return nil, CodeTrim, "BFE trims it from the middle of a segment too, and the path of the entry does not rule that out: give the entry this path"
		}
	}
	c := commandOf(op)
	if c == nil {
		return nil, CodeAction, "BFE has no such action"
	}
	params := make([]string, len(args))
	for i, arg := range args {
		params[i], fault = c.param.write(arg)
		if fault == "" && params[i] == "" {
			fault = "BFE takes no empty parameter"
		}
		if fault != "" {
			return nil, CodeParam, fault
		}
	}
	return []action{{c.name, params}}, "", ""
}

// inPrecedence returns the entries that a table takes, in the order in which it
// prefers them, those of one host together.
func (w *writer) inPrecedence(entries []ingress.Entry) []*ingress.Entry {
	routes := make([]route.Route[struct{}], len(entries))
	for i := range entries {
		routes[i] = route.Route[struct{}]{Pattern: entries[i].Pattern, When: entries[i].When}
	}
	_, err := route.NewTable(routes, nil)
	bad := make(map[int]bool)
	if faults, ok := errors.AsType[route.RouteErrors](err); ok {
		for _, f := range faults {
			bad[f.Index] = true
			w.report(&entries[f.Index], ingress.Error, CodeCond, rewrite.Origin{}, "%s: %v; the entry is left out", f.Field, f.Err)
		}
	}
	type ranked struct {
		entry *ingress.Entry
		rank  rank
	}
	hosts, x := make(map[string]int), make(expressions)
	list := make([]ranked, 0, len(entries))
	for i := range entries {
		if !bad[i] {
			host := canonicalHost(entries[i].Pattern.Host)
			if _, ok := hosts[host]; !ok {
				hosts[host] = len(hosts)
			}
			list = append(list, ranked{&entries[i], x.rank(&entries[i], hosts[host])})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return a.rank.compare(b.rank) })
	out := make([]*ingress.Entry, len(list))
	for i := range list {
		out[i] = list[i].entry
	}
	return out
}
