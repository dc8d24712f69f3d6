package contour

// Translate: HTTPProxies into entries, along their includes.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// Translate is Options.Translate with the zero Options.
func Translate(proxies []*HTTPProxy, c *ingress.Cluster) ingress.Translation {
	return (*Options)(nil).Translate(proxies, c)
}

// Translate returns the entries of all roots, with what they include, in the
// order of the roots by creation time, namespace and name. Of two roots of one
// fqdn the first serves. It keeps nothing of the proxies; a nil one is skipped,
// and c may be nil. Routes that cannot be done as they are written are in the
// problems and are answered with 500, by a backend that is Invalid; those whose
// conditions are wrong are left out.
//
// It takes time linear in the objects, each as often as it is included, up to a
// limit: each root has its own share, so one that multiplies takes no other's
// routes. A problem of an object is told once, however often that is included.
func (o *Options) Translate(proxies []*HTTPProxy, c *ingress.Cluster) ingress.Translation {
	t := &translator{
		c: c, objects: make(map[key]*HTTPProxy, len(proxies)), hosts: make(map[string]ingress.Source),
		included: make(map[key]bool), sources: make(map[ingress.Source]int), handled: make(map[string]bool),
		reported: make(map[place]bool), sizes: make(map[key]int, len(proxies)), free: make(map[key]bool),
	}
	if o != nil {
		t.compat = o.Mode == Compat
		for _, name := range o.Handled {
			t.handled[name] = true
		}
	}
	list := t.inPrecedence(proxies)
	t.left = t.measure(list)
	for _, p := range list {
		if p.VirtualHost != nil {
			t.root(p)
		}
	}
	for _, p := range list {
		if p.VirtualHost == nil && !t.included[p.key()] {
			t.at = p.source()
			t.add(ingress.Warning, CodeOrphan, "spec.virtualhost", "no root includes it, so it is not served: write a virtualhost or include it")
		}
	}
	return t.judged()
}

type key struct{ namespace, name string }

func (p *HTTPProxy) key() key { return key{cmp.Or(p.Namespace, "default"), p.Name} }

func (p *HTTPProxy) source() ingress.Source {
	return ingress.Source{Kind: proxyKind, Namespace: p.key().namespace, Name: p.Name, Rule: -1, Path: -1}
}

// index returns the key of an item, such as spec.routes[0].
func index(key string, i int) string { return key + "[" + strconv.Itoa(i) + "]" }

// A translator collects what Translate returns.
type translator struct {
	report
	c        *ingress.Cluster
	compat   bool
	handled  map[string]bool
	objects  map[key]*HTTPProxy
	hosts    map[string]ingress.Source // the root of each fqdn
	included map[key]bool
	sources  map[ingress.Source]int // how often each is an entry's
	reported map[place]bool
	sizes    map[key]int
	free     map[key]bool // objects that their own namespace has included
	left     int          // parts that roots may yet include beyond their own shares
	entries  []ingress.Entry
}

// inPrecedence returns the objects, each once, in order, and notes them.
func (t *translator) inPrecedence(proxies []*HTTPProxy) []*HTTPProxy {
	list := slices.DeleteFunc(slices.Clone(proxies), func(p *HTTPProxy) bool { return p == nil })
	slices.SortStableFunc(list, func(a, b *HTTPProxy) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.key().namespace, b.key().namespace), cmp.Compare(a.Name, b.Name))
	})
	return slices.DeleteFunc(list, func(p *HTTPProxy) bool {
		if t.objects[p.key()] != nil {
			t.at = p.source()
			t.add(ingress.Error, CodeDuplicate, "", "there is another HTTPProxy of this namespace and name: this one is not served")
			return true
		}
		t.objects[p.key()] = p
		return false
	})
}

// judged returns the translation without the entries whose pattern or conditions
// do not build. Those of which anything else does not are answered with 500.
func (t *translator) judged() ingress.Translation {
	for again := true; again; {
		closed, out := t.unbuilt()
		t.entries = slices.DeleteFunc(t.entries, func(e ingress.Entry) bool { return out[e.Source] })
		for i := range t.entries {
			if e := &t.entries[i]; closed[e.Source] {
				*e = ingress.Entry{Source: e.Source, Pattern: e.Pattern, When: e.When, Backends: answers500()}
			}
		}
		again = len(closed) > 0 // their patterns have not been judged yet
	}
	out := ingress.Translation{Entries: t.entries, Problems: t.problems}
	if t.compat {
		regexFirst(&out)
	}
	return out
}

// unbuilt returns and reports the entries that do not build: closed, if it is
// what they do with requests, and out, if it is which requests they are for.
func (t *translator) unbuilt() (closed, out map[ingress.Source]bool) {
	closed, out = make(map[ingress.Source]bool), make(map[ingress.Source]bool)
	_, problems := ingress.Build(t.entries, t.c, func(*ingress.Entry, *ingress.Compiled) (struct{}, error) { return struct{}{}, nil })
	for _, p := range problems {
		if p.Code != ingress.CodeBadEntry {
			continue
		}
		so := "requests are answered with 500"
		if _, ok := errors.AsType[*route.RouteError](p.Err); ok {
			so = "it is not served"
			out[p.Source] = true
		} else {
			closed[p.Source] = true
		}
		at := p.Source
		at.Part = ""
		if t.first(place{at, p.Severity, p.Code, so + p.Origin.Key}) {
			p.Detail += ": " + so
			t.problems = append(t.problems, p)
		}
	}
	return closed, out
}

// answers500 returns the backends of an entry that cannot be done as it is
// written.
func answers500() []ingress.Backend { return []ingress.Backend{{Weight: 1, Invalid: true}} }

func (t *translator) root(p *HTTPProxy) {
	t.at = p.source()
	vh := p.VirtualHost
	host, err := parseFQDN(vh.FQDN)
	if err != nil {
		t.add(ingress.Error, CodeHost, "spec.virtualhost.fqdn", "%.64q: %v", vh.FQDN, err)
		return
	}
	if other, ok := t.hosts[host]; ok {
		t.add(ingress.Error, CodeDuplicate, "spec.virtualhost.fqdn", "there is another root of %s: this one is not served; let one include the other", host)
		t.problems[len(t.problems)-1].Related = []ingress.Source{other}
		return
	}
	t.hosts[host] = t.at
	if vh.TLS != nil && vh.TLS.Passthrough {
		t.add(ingress.Warning, CodeUnsupported, "spec.virtualhost.tls.passthrough", "the backend answers TLS, so nothing here sees its paths: no route is made")
		return
	}
	w := &walk{t: t, host: host, root: t.at, redirects: vh.TLS != nil && vh.TLS.SecretName != "", left: ownShare, report: report{at: t.at}}
	open := w.unread(vh.Unread, "spec.virtualhost")
	if vh.TLS != nil {
		if !w.redirects {
			w.add(ingress.Warning, CodeUnsupported, "spec.virtualhost.tls", "there is no secretName, so http is not redirected to https: write one")
		}
		open = w.unread(vh.TLS.Unread, "spec.virtualhost.tls") && open
	}
	w.guarded = !open
	w.proxy(p, conditions{}, 0)
	t.problems = append(t.problems, w.problems...)
}

// parseFQDN returns the canonical text of a name, or "*." and a name.
func parseFQDN(s string) (string, error) {
	name, wild := strings.CutPrefix(s, "*.")
	host, err := hostname.ParseName(name)
	switch {
	case err != nil:
		return "", err
	case hostname.IsIP(host) && wild:
		return "", errors.New("an IP address has no names below it")
	case wild:
		return "*." + host, nil
	}
	return host, nil
}

// A walk is one root's way through its includes.
type walk struct {
	report
	t         *translator
	root      ingress.Source
	host      string
	redirects bool // http to https
	guarded   bool // a policy keeps requests out that is not done here
	namespace string
	stack     []key
	left      int  // of the root's own share
	cut       bool // there was no share left
}

// proxy adds the entries of p and of what it includes: its own come first, and are
// made last, because their prefixes depend on those that are included.
func (w *walk) proxy(p *HTTPProxy, inherited conditions, depth int) {
	w.stack = append(w.stack, p.key())
	here := func() { w.at, w.namespace = p.source(), p.key().namespace }
	here()
	w.unread(p.Unread, "spec")
	first := len(w.t.entries)
	for i := range p.Includes {
		here()
		if w.include(&p.Includes[i], index("spec.includes", i), inherited, depth); w.cut {
			break
		}
	}
	here()
	included := w.t.entries[first:]
	spelled := spellings(p, inherited, included)
	for i := range p.Routes {
		w.at.Rule, w.at.Path = i, 0
		w.route(&p.Routes[i], index("spec.routes", i), inherited, spelled)
	}
	if made := w.t.entries[first:]; len(included) > 0 {
		own := slices.Clone(made[len(included):])
		copy(made[len(own):], included)
		copy(made, own)
	}
	w.stack = w.stack[:len(w.stack)-1]
}

func (w *walk) include(i *Include, at string, inherited conditions, depth int) {
	target := key{cmp.Or(i.Namespace, w.namespace), i.Name}
	child := w.t.objects[target]
	so := "it is not included"
	refuse := func(format string, args ...any) {
		w.add(ingress.Error, CodeInclude, at, "HTTPProxy %.64s/%.64s %s: %s", target.namespace, target.name, fmt.Sprintf(format, args...), so)
	}
	switch {
	case child == nil:
		so += w.close(i.Conditions, at, inherited)
		refuse("is not there")
		return
	case child.VirtualHost != nil:
		so += w.close(i.Conditions, at, inherited)
		refuse("is a root")
		return
	case slices.Contains(w.stack, target):
		refuse("leads back to itself")
		return
	case depth == maxDepth:
		so += w.close(i.Conditions, at, inherited)
		refuse("is below %d others", maxDepth)
		return
	}
	w.t.included[target] = true
	for _, field := range i.Unread {
		w.add(ingress.Warning, CodeUnknown, at+"."+field, "the field is not known, and is not read")
	}
	if !w.pay(target) {
		return
	}
	merged, ok := w.conditions(i.Conditions, at+".conditions", inherited)
	if !ok {
		return
	}
	if merged.kind != kindPrefix {
		refuse("has a condition %s, and an include can have a prefix", merged.kind)
		return
	}
	w.proxy(child, merged, depth+1)
}

// close answers with 500 what an include is for that cannot be followed, as a
// shorter prefix is not meant for it, and returns what to say of it. An include
// that asks for nothing of its own is for what the other routes leave, which is
// 404.
func (w *walk) close(list []Condition, at string, inherited conditions) string {
	c, ok := w.conditions(list, at+".conditions", inherited)
	tests := func(c *conditions) int { return len(c.when.Headers) + len(c.when.Query) }
	if !ok || c.kind != kindPrefix || c.full() == inherited.full() && tests(&c) == tests(&inherited) {
		return ""
	}
	w.emit(ingress.Entry{Pattern: c.pattern(), When: c.when, Backends: answers500()}, true)
	return ", and requests that meet its conditions are answered with 500"
}

// emit adds an entry, and the redirect to https that comes before it.
func (w *walk) emit(e ingress.Entry, permitInsecure bool) {
	e.Source = w.at
	e.Source.Part = strings.TrimSuffix(w.host+e.Pattern.Path, "/")
	if n := w.t.sources[e.Source]; n > 0 {
		w.t.sources[e.Source]++
		e.Source.Part += "#" + strconv.Itoa(n+1)
	}
	w.t.sources[e.Source]++
	e.Pattern.Host = w.host
	if w.redirects && !permitInsecure {
		w.t.entries = append(w.t.entries, toHTTPS(e, "spec.virtualhost.tls", "https"))
	}
	w.t.entries = append(w.t.entries, e)
}
