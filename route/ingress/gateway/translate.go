package gateway

// Translate: HTTPRoutes into entries.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// What the API allows. It also keeps the number of entries, a product of two of
// these, linear in the size of the manifest.
const (
	maxHostnames = 16
	maxHostname  = 253 // bytes of one
	maxRules     = 16
	maxMatches   = 64  // of a rule
	maxTotal     = 128 // matches of all rules
	maxRefs      = 16
	maxFilters   = 16
)

// Translate returns an entry for each match and each hostname of the routes,
// those of one listener. It takes routes by creation time and the text
// "namespace/name", as the API has it, so their order does not matter, and keeps
// nothing of them.
// A nil route is skipped; c may be nil. Entries of one rule share their lists,
// which are only to be read.
//
// What a rule asks for and does not get is in the problems: a match that is
// wrong is left out, and where a filter or all backends are wrong the rule's
// requests are answered with 500, by a backend that is Invalid.
//
// The table of these entries is to be made with route.Options
// {AnyDepthWildcard: true, TryNextHost: true}: the API ranks hostnames so.
func Translate(routes []*HTTPRoute, c *ingress.Cluster) ingress.Translation {
	t := translator{c: c}
	seen := make(map[ingress.Source]bool, len(routes))
	for _, r := range inPrecedence(routes) {
		t.namespace = r.namespace()
		t.at = ingress.Source{Kind: routeKind, Namespace: t.namespace, Name: r.Name, Rule: -1, Path: -1}
		if seen[t.at] {
			t.report(ingress.Error, CodeDuplicate, "", "there is another HTTPRoute of this namespace and name: this one is not served")
			continue
		}
		seen[t.at] = true
		t.route(r)
	}
	return t.out
}

func (r *HTTPRoute) namespace() string { return cmp.Or(r.Namespace, "default") }

func inPrecedence(routes []*HTTPRoute) []*HTTPRoute {
	list := slices.DeleteFunc(slices.Clone(routes), func(r *HTTPRoute) bool { return r == nil })
	slices.SortStableFunc(list, func(a, b *HTTPRoute) int {
		return cmp.Or(a.Created.Compare(b.Created), compareNamespaces(a.namespace(), b.namespace()), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// compareNamespaces compares namespaces as the first parts of "namespace/name", in
// which shop-eu/a is before shop/a.
func compareNamespaces(a, b string) int { return cmp.Compare(a+"/", b+"/") }

// A translator collects what Translate returns.
type translator struct {
	c         *ingress.Cluster
	out       ingress.Translation
	namespace string         // of the route at hand
	at        ingress.Source // the route, and the rule, at hand
}

func (t *translator) report(s ingress.Severity, code ingress.Code, key, format string, args ...any) {
	t.out.Problems = append(t.out.Problems, ingress.Problem{
		Severity: s, Code: code, Source: t.at, Origin: rewrite.Origin{Key: key}, Detail: fmt.Sprintf(format, args...),
	})
}

// bounded returns at most max items of list and reports the others.
func bounded[T any](t *translator, list []T, most int, key string) []T {
	if len(list) > most {
		t.report(ingress.Error, CodeLimit, key, "%d items: at most %d can be, and those beyond are not served; write a second HTTPRoute", len(list), most)
		list = list[:most]
	}
	return list
}

// index returns the key of an item, such as spec.rules[0].
func index(key string, i int) string { return key + "[" + strconv.Itoa(i) + "]" }

func (t *translator) route(r *HTTPRoute) {
	for _, name := range r.Unread {
		if name == "useDefaultGateways" {
			t.report(ingress.Note, CodeIgnored, "spec."+name, "which routes a listener has is the caller's to say")
			continue
		}
		t.report(ingress.Warning, CodeUnknownField, "spec."+name, "the field is not known, and is not read")
	}
	hosts := t.hosts(bounded(t, r.Hostnames, maxHostnames, "spec.hostnames"))
	if len(hosts) == 0 {
		return
	}
	if len(r.Rules) == 0 {
		t.rule(&Rule{}, "spec.rules", hosts)
		return
	}
	total := 0
	for i := range bounded(t, r.Rules, maxRules, "spec.rules") {
		t.at.Rule = i
		n := max(len(r.Rules[i].Matches), 1)
		if total += n; total > maxTotal {
			t.report(ingress.Error, CodeLimit, index("spec.rules", i)+".matches", "%d matches with those of the rules before it: at most %d can be, and this rule is not served; write a second HTTPRoute", total, maxTotal)
			total -= n
			continue
		}
		t.rule(&r.Rules[i], index("spec.rules", i), hosts)
	}
	t.at.Rule = -1
}

// hosts returns the hostnames that are names, each once, or [""] if none are
// asked for.
func (t *translator) hosts(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	var hosts []string
	for i, name := range names {
		host, err := parseHostname(name)
		if err != nil {
			t.report(ingress.Error, CodeHostname, index("spec.hostnames", i), "%.64q: %v", name, err)
			continue
		}
		if !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// parseHostname returns the canonical text of a name, or "*." and a name.
func parseHostname(s string) (string, error) {
	name, wild := strings.CutPrefix(s, "*.")
	host, err := hostname.ParseName(name)
	switch {
	case err != nil:
		return "", err
	case hostname.IsIP(host):
		return "", errors.New("an IP address is no hostname: write a name")
	case strings.Contains(host, "_"):
		return "", errors.New("a hostname of the API has no underscore: write another name")
	case wild && len(host) > maxHostname-len("*."):
		return "", fmt.Errorf("the name has %d bytes with its wildcard: at most %d are allowed", len("*.")+len(host), maxHostname)
	case wild:
		return "*." + host, nil
	}
	return host, nil
}

func (t *translator) rule(r *Rule, key string, hosts []string) {
	for _, name := range r.Unread {
		switch name {
		case "timeouts", "retry", "sessionPersistence":
			t.report(ingress.Note, CodeIgnored, key+"."+name, "it changes neither URLs nor routes, and is not read")
		default:
			t.report(ingress.Warning, CodeUnknownField, key+"."+name, "the field is not known, and is not read")
		}
	}
	matches := t.matches(r, key)
	if len(matches) == 0 {
		return
	}
	proto, ok := t.entry(r, key)
	if !ok {
		proto = ingress.Entry{Backends: []ingress.Backend{{Weight: 1, Invalid: true}}}
	}
	t.out.Entries = slices.Grow(t.out.Entries, len(matches)*len(hosts))
	for _, m := range matches {
		for _, host := range hosts {
			e := proto
			e.Source = t.at
			e.Source.Path, e.Source.Part = m.index, host
			e.Pattern = route.Pattern{Host: host, Path: m.path, Type: m.kind}
			e.When = m.when
			t.out.Entries = append(t.out.Entries, e)
		}
	}
}

// entry returns what the entries of a rule have in common. ok is false if its
// requests have to be answered with 500.
func (t *translator) entry(r *Rule, key string) (e ingress.Entry, ok bool) {
	f, ok := t.filters(bounded(t, r.Filters, maxFilters, key+".filters"), key+".filters", r, rewrite.AfterLocation)
	if len(r.Filters) > maxFilters {
		ok = false
	}
	if f.redirect != nil && len(r.BackendRefs) > 0 {
		t.report(ingress.Error, CodeFilter, key+".backendRefs", "a RequestRedirect excludes backendRefs: requests are answered with 500; leave out one of them")
		ok = false
	}
	if !ok {
		return e, false
	}
	e = ingress.Entry{Redirect: f.redirect, Rules: f.rules, RequestHeaders: f.request, ResponseHeaders: f.response}
	if f.redirect == nil {
		t.backends(&e, r, key+".backendRefs")
	}
	return e, true
}
