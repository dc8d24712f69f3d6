package contour

// Limits: how much of what includes multiply is done, and how often it is told.

import "github.com/readdress/readdress/route/ingress"

// One object can be included by many and those by more, so these are what keeps
// the work linear in the objects. They count parts: routes, includes and the
// items of their lists, and long texts by their length.
const (
	maxDepth  = 32
	ownShare  = 1000    // that a root may include whatever others do
	allShares = 100_000 // that all roots may include beyond that; 4 times what there is, if that is more
	longText  = 256     // bytes that count as a part
)

// measure notes the sizes of the objects, and returns what roots may include
// beyond their own shares.
func (t *translator) measure(list []*HTTPProxy) int {
	total := 0
	for _, p := range list {
		n := p.size()
		t.sizes[p.key()] = n
		total += n
	}
	return max(allShares, 4*total)
}

// pay takes the size of an object from the share of the root, and then from that
// of all. If there is not enough it says so, and the root includes no more. An
// object costs nothing the first time that its own namespace includes it.
func (w *walk) pay(object key) bool {
	if object.namespace == w.root.Namespace && !w.t.free[object] {
		w.t.free[object] = true
		return true
	}
	size := w.t.sizes[object]
	own := min(size, w.left)
	if size-own > w.t.left {
		w.at, w.cut = w.root, true
		w.add(ingress.Error, CodeLimit, "spec.includes", "the includes of this root come to more routes than are made: those beyond are not served; include every object once")
		return false
	}
	w.left -= own
	w.t.left -= size - own
	return true
}

// A place is what a problem is about.
type place struct {
	at       ingress.Source
	severity ingress.Severity
	code     ingress.Code
	key      string
}

// first reports whether nothing was said of a place before.
func (t *translator) first(p place) bool {
	if t.reported[p] {
		return false
	}
	t.reported[p] = true
	return true
}

// add reports a problem, unless the same was said where the object was included
// before.
func (w *walk) add(s ingress.Severity, code ingress.Code, key, format string, args ...any) {
	w.addAt(0, s, code, key, format, args...)
}

func (w *walk) addAt(offset int, s ingress.Severity, code ingress.Code, key, format string, args ...any) {
	if w.t.first(place{w.at, s, code, key}) {
		w.report.add(s, code, key, format, args...)
		w.problems[len(w.problems)-1].Origin.Offset = offset
	}
}

// size returns the number of parts of p.
func (p *HTTPProxy) size() int {
	n := 1 + len(p.Unread)
	for i := range p.Includes {
		n += 1 + len(p.Includes[i].Unread) + sizeOf(p.Includes[i].Conditions)
	}
	for i := range p.Routes {
		n += p.Routes[i].size()
	}
	return n
}

func (r *Route) size() int {
	n := 1 + len(r.Unread) + sizeOf(r.Conditions) + cookieSize(r.CookieRewritePolicies) +
		r.RequestHeadersPolicy.size() + r.ResponseHeadersPolicy.size()
	for i := range r.Services {
		s := &r.Services[i]
		n += 1 + len(s.Unread) + long(s.Name) + cookieSize(s.CookieRewritePolicies) +
			s.RequestHeadersPolicy.size() + s.ResponseHeadersPolicy.size()
	}
	if r.PathRewritePolicy != nil {
		for _, p := range r.PathRewritePolicy.ReplacePrefix {
			n += 1 + long(p.Prefix, p.Replacement)
		}
	}
	if p := r.RequestRedirectPolicy; p != nil {
		n += long(p.Scheme, p.Hostname, p.Path, p.Prefix)
	}
	return n
}

// long returns how many parts long texts count as.
func long(texts ...string) (n int) {
	for _, s := range texts {
		n += len(s) / longText
	}
	return n
}

func cookieSize(list []CookieRewritePolicy) int {
	n := len(list)
	for i := range list {
		n += len(list[i].Unread)
		for _, r := range []*Rewrite{list[i].PathRewrite, list[i].DomainRewrite} {
			if r != nil {
				n += long(r.Value)
			}
		}
	}
	return n
}

func sizeOf(list []Condition) int {
	n := len(list)
	for i := range list {
		c := &list[i]
		n += long(c.Prefix, c.Exact, c.Regex)
		for _, v := range []*ValueCondition{c.Header, c.QueryParameter} {
			if v != nil {
				n += long(v.Exact, v.Contains, v.Prefix, v.Suffix, v.Regex)
			}
		}
	}
	return n
}

func (p *HeadersPolicy) size() int {
	if p == nil {
		return 0
	}
	n := len(p.Set) + len(p.Remove)
	for i := range p.Set {
		n += long(p.Set[i].Name, p.Set[i].Value)
	}
	return n
}
