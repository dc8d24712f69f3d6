package gateway

// Actions: what an entry does with its requests, in the API's words.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// An outcome is what rules make of a URL. Of what they leave alone there is
// nothing: "" and, of the path, that which was there.
type outcome struct {
	scheme, host, port string
	portSet            bool
	path               path
}

// outcome runs rules on what is known of the requests of an entry. ok is false
// if the API has no word for one of them, which is reported.
func (w *writer) outcome(rules []rewrite.Rule, e *ingress.Entry, base path, hook rewrite.Hook) (o outcome, ok bool) {
	o.path = base
	sorted := slices.Clone(rules)
	slices.SortStableFunc(sorted, func(a, b rewrite.Rule) int { return cmp.Compare(a.Order, b.Order) })
	if faults, bad := errors.AsType[rewrite.RuleErrors](compiles(sorted)); bad {
		w.unsayable(faults[0].Origin, "%v: %v", faults[0].Op, faults[0].Err)
		return o, false
	}
	early := false // the port is one that is left out where it is that of the scheme
	for _, r := range sorted {
		if r.Hook != hook {
			w.unsayable(r.Origin, "nothing can be done at %v", r.Hook)
			return o, false
		}
		args := r.Action.Args()
		switch r.Action.Op() {
		case rewrite.OpSetScheme:
			if o.scheme == "" && early {
				w.approximate("port %s is set before the scheme, so a table leaves it out where it is that of the URL's own", o.port)
			}
			o.scheme = args[0]
		case rewrite.OpSetHost:
			o.host, o.port = hostname.Split(args[0])
			o.portSet, early = true, false
		case rewrite.OpSetHostname:
			o.host = args[0]
		case rewrite.OpSetPort:
			o.port, o.portSet = args[0], true
			early = o.scheme == "" && (o.port == "80" || o.port == "443")
		case rewrite.OpReplaceHostSuffix:
			host := cmp.Or(o.host, e.Pattern.Host)
			rest, found := strings.CutSuffix(host, strings.TrimPrefix(args[0], "."))
			if host == "" || strings.HasPrefix(host, "*") || !found || rest != "" && !strings.HasSuffix(rest, ".") {
				w.unsayable(r.Origin, "%.200s: a host can only be replaced as a whole", r.Action)
				return o, false
			}
			o.host = rest + strings.TrimPrefix(args[1], ".")
		default:
			if !o.path.do(r.Action) {
				w.unsayable(r.Origin, "%.200s: there is no word for it: a path, or the prefix of the match, can be replaced", r.Action)
				return o, false
			}
		}
	}
	if !o.path.finish() {
		w.unsayable(rewrite.Origin{}, "there is no word for what the rules make of the path %.64q", base.text)
		return o, false
	}
	if n := len(o.path.text); n > maxPath {
		w.unsayable(rewrite.Origin{}, "the path becomes one of %d characters: at most %d can be", n, maxPath)
		return o, false
	}
	if more := strings.TrimPrefix(o.path.note, base.note); more != "" {
		w.approximate("%s", strings.TrimPrefix(more, "; "))
	}
	return o, true
}

// compiles returns what is wrong with rules, whatever the options of the cluster.
func compiles(rules []rewrite.Rule) error {
	limits := rewrite.RegexpLimits{PatternBytes: math.MaxInt, Instructions: math.MaxInt, Budget: math.MaxInt}
	_, err := rewrite.Compile(rules, &rewrite.Options{AllowAnyHost: true, Regexp: limits})
	return err
}

// modifier returns what makes o's path of the base.
func (o *outcome) modifier(base path) PathModifier {
	if o.path.unknown || o.path.text == base.text && o.path.open == base.open {
		return PathModifier{}
	}
	if o.path.open {
		return PathModifier{replacePrefixMatch, cmp.Or(o.path.text, "/")}
	}
	return PathModifier{replaceFullPath, o.path.text}
}

// rewrite returns the URLRewrite for rules, or nil if they change nothing.
func (w *writer) rewrite(rules []rewrite.Rule, e *ingress.Entry, base path, hook rewrite.Hook) (u *URLRewrite, ok bool) {
	o, ok := w.outcome(rules, e, base, hook)
	if !ok {
		return nil, false
	}
	switch {
	case o.port != "", o.portSet && o.host == "":
		w.unsayable(rewrite.Origin{}, "the host has a port: only its name can be set")
		return nil, false
	case o.host != "" && !o.portSet:
		w.approximate("the host loses its port: only the whole of it can be set")
	}
	if o.scheme != "" {
		w.elsewhere("the scheme of a URL that is forwarded is the backend's")
	}
	u = &URLRewrite{Path: o.modifier(base)}
	if u.Hostname, ok = w.hostname(o.host); !ok {
		return nil, false
	}
	if *u == (URLRewrite{}) {
		return nil, true
	}
	return u, true
}

// hostname returns the API's text for the name of a host, which may be empty.
func (w *writer) hostname(host string) (name string, ok bool) {
	if host == "" {
		return "", true
	}
	name, err := preciseHostname(host)
	if err != nil {
		w.unsayable(rewrite.Origin{}, "host %.64q: %v", host, err)
	}
	return name, err == nil
}

func (w *writer) forward(e *ingress.Entry, base path, rule *Rule) bool {
	u, ok := w.rewrite(e.Rules, e, base, rewrite.AfterLocation)
	if !ok {
		return false
	}
	if u != nil {
		rule.Filters = append(rule.Filters, Filter{Type: filterRewrite, URLRewrite: u})
	}
	switch {
	case len(e.Backends) == 0:
		return true
	case closed(e.Backends):
		if ref := named(&e.Backends[0]); ref.unnameable(e.Backends[0].Service.Namespace) == nil {
			w.approximate("all backends are invalid, so the rule is written without any: it answers 500, and a path that is closed because its guard cannot be said stays closed")
		}
		return true
	case len(e.Backends) > maxRefs:
		w.unsayable(rewrite.Origin{}, "there are %d backends: at most %d can be", len(e.Backends), maxRefs)
		return false
	}
	for i := range e.Backends {
		ref, ok := w.backend(&e.Backends[i], e, base, u != nil)
		if !ok {
			return false
		}
		rule.BackendRefs = append(rule.BackendRefs, ref)
	}
	if len(rule.BackendRefs) == 1 && *rule.BackendRefs[0].Weight == defaultWeight {
		rule.BackendRefs[0].Weight = nil
	}
	return true
}

// named returns the reference to a backend, without its namespace.
func named(b *ingress.Backend) BackendRef {
	weight := int64(b.Weight)
	ref := BackendRef{Name: b.Service.Name, Port: b.Service.Port, Weight: &weight}
	if ref.Port == 0 {
		_, port := hostname.Split(b.Upstream)
		ref.Port, _ = strconv.Atoi(port)
	}
	return ref
}

// unnameable reports why no backendRef names a backend.
func (r *BackendRef) unnameable(namespace string) error {
	switch {
	case r.Name == "":
		return errors.New("it is no Service, and so its share cannot be written: write one, or a rule of its own")
	case !hostname.IsLabel(r.Name):
		return errors.New("that is no name of a Service")
	case r.Port < 1 || r.Port > 65535:
		return fmt.Errorf("%d is no number of a port", r.Port)
	case namespace != "" && !hostname.IsLabel(namespace):
		return fmt.Errorf("%.64q is no name of a namespace", namespace)
	}
	return nil
}

// closed reports whether all requests are answered with 500. Named, the backends
// would be judged anew, and a path that a dialect has closed would be open.
func closed(list []ingress.Backend) bool {
	return !slices.ContainsFunc(list, func(b ingress.Backend) bool { return !b.Invalid })
}

func (w *writer) backend(b *ingress.Backend, e *ingress.Entry, base path, rewritten bool) (ref BackendRef, ok bool) {
	ref = named(b)
	if err := ref.unnameable(b.Service.Namespace); err != nil {
		w.unsayable(rewrite.Origin{}, "backend %.64q of Service %.64q: %v", b.Upstream, b.Service.Name, err)
		return ref, false
	}
	if ns := b.Service.Namespace; ns != "" && ns != w.namespace {
		ref.Namespace = ns
		w.elsewhere("Service %.64s is in namespace %.64s: write a ReferenceGrant there for HTTPRoutes of namespace %s", ref.Name, ns, w.namespace)
	}
	if b.Scheme == "https" || b.CASecret != "" || b.SNI != "" {
		w.elsewhere("TLS to Service %.64s is said by a BackendTLSPolicy: write one", ref.Name)
	}
	if b.Weight > ingress.MaxWeight {
		w.unsayable(rewrite.Origin{}, "weight %d of Service %.64s: at most %d can be", b.Weight, ref.Name, ingress.MaxWeight)
		return ref, false
	}
	if b.Invalid {
		w.approximate("Service %.64s does not resolve here, and the implementation judges anew whether it does", ref.Name)
	}
	u, ok := w.rewrite(b.Rules, e, base, rewrite.Forward)
	if u != nil {
		ref.Filters = []Filter{{Type: filterRewrite, URLRewrite: u}}
		if rewritten {
			w.unsayable(rewrite.Origin{}, "the URL is rewritten for all backends and again for Service %.64s", ref.Name)
			return ref, false
		}
	}
	ref.Filters = w.headers(ref.Filters, b.RequestHeaders, filterRequestHeaders)
	ref.Filters = w.headers(ref.Filters, b.ResponseHeaders, filterResponseHeaders)
	return ref, ok
}

func (w *writer) redirect(e *ingress.Entry, base path, rule *Rule) bool {
	from := e.Redirect
	to := &RequestRedirect{}
	ok := false
	switch {
	case from.FromQuery != "":
		w.unsayable(rewrite.Origin{}, "there is no redirect to what the query says")
	case from.Pattern != "":
		w.unsayable(rewrite.Origin{}, "there is no redirect by a regular expression")
	case from.Location != "":
		ok = w.location(from.Location, to)
	default:
		ok = w.redirectRules(e, base, to)
	}
	if !ok {
		return false
	}
	switch from.Status {
	case 301, 303, 307, 308:
		to.StatusCode = from.Status
	case 0, 302:
	default:
		w.approximate("the status is 302 and not %d: it can be 301, 302, 303, 307 or 308", from.Status)
	}
	if from.StatusOther != 0 && from.StatusOther != from.Status {
		w.approximate("other methods than GET and HEAD get the same status, and not %d", from.StatusOther)
	}
	rule.Filters = append(rule.Filters, Filter{Type: filterRedirect, RequestRedirect: to})
	return true
}

func (w *writer) redirectRules(e *ingress.Entry, base path, to *RequestRedirect) bool {
	rules, kept := e.Redirect.Rules, 0
	for _, r := range rules {
		if r.Action.Op() != rewrite.OpDropQuery {
			kept++
		}
	}
	if kept < len(rules) {
		w.approximate("whether a redirect keeps the query is for the implementation to say, and most do")
		rules = slices.DeleteFunc(slices.Clone(rules), func(r rewrite.Rule) bool { return r.Action.Op() == rewrite.OpDropQuery })
	}
	o, ok := w.outcome(rules, e, base, rewrite.AfterLocation)
	if !ok {
		return false
	}
	to.Scheme, to.Path = o.scheme, o.modifier(base)
	to.Port, _ = strconv.Atoi(o.port)
	switch {
	case o.portSet && o.port == "" && o.scheme == "":
		w.approximate("the port of the listener is kept unless it is that of the scheme")
	case !o.portSet && o.scheme != "":
		w.approximate("the port becomes that of %s, and is not kept", o.scheme)
	case !o.portSet && !e.Redirect.ListenerPort:
		w.approximate("the port is that of the listener, and not the one that was asked for")
	}
	to.Hostname, ok = w.hostname(o.host)
	return ok
}

// location says a Location that does not depend on the request.
func (w *writer) location(location string, to *RequestRedirect) (ok bool) {
	target := location
	u, err := rewrite.Parse(location)
	if err == nil {
		host, port := hostname.Split(u.Host)
		to.Scheme, target = u.Scheme, string(u.AppendTarget(nil))
		to.Port, _ = strconv.Atoi(port)
		if to.Hostname, ok = w.hostname(host); !ok {
			return false
		}
	}
	if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") || strings.ContainsAny(target, "?#") {
		w.unsayable(rewrite.Origin{}, "a redirect to %.64q: scheme, host, port and path can be said, and no query and no fragment", location)
		return false
	}
	if faults, bad := errors.AsType[rewrite.RuleErrors](compiles([]rewrite.Rule{{Action: rewrite.SetPath(target)}})); bad {
		w.unsayable(rewrite.Origin{}, "a redirect to %.64q: %v", location, faults[0].Err)
		return false
	}
	to.Path = PathModifier{replaceFullPath, string(escape.AppendPath(nil, target))}
	if n := len(to.Path.Value); n > maxPath {
		w.unsayable(rewrite.Origin{}, "a redirect to %.64q: its path has %d characters: at most %d can be", location, n, maxPath)
		return false
	}
	if err != nil {
		w.approximate("the port is that of the listener, and not the one that was asked for")
	}
	w.approximate("whether a redirect keeps the query is for the implementation to say, and most do")
	return true
}
