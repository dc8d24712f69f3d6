package nginx

// Canary: a second backend for some of the requests of an ordinary Ingress.

import (
	"math/bits"
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A canary says which requests are its own.
type canary struct {
	header, value, pattern string
	cookie                 string
	weight, total          int
}

// A canaryPath is a path of a canary that belongs to a location.
type canaryPath struct {
	*canary
	backend ingress.Backend
}

// canary reads the canary annotations, of which the others depend on the first.
func (r *reader) canary() {
	o := r.o
	if !r.bool("canary", false) {
		for _, name := range o.names {
			if strings.HasPrefix(name, "canary-") && r.text(name) != "" {
				then := "so this is an ordinary Ingress"
				if o.dropped = !r.compat; o.dropped {
					then = "so nothing of this Ingress is served"
				}
				r.report(o.in.Source(), ingress.Error, CodeCanaryOff, name, 0, `it is configured but not enabled, %s: write canary: "true"`, then)
				return
			}
		}
		return
	}
	const then = "it chooses no requests"
	c := &canary{
		header:  r.checked("canary-by-header", basicText, then),
		value:   r.checked("canary-by-header-value", basicText, then),
		pattern: r.checked("canary-by-header-pattern", regexText, then),
		cookie:  r.checked("canary-by-cookie", basicText, then),
	}
	o.canary = c
	at := o.in.Source()
	if c.header == "" && (c.value != "" || c.pattern != "") {
		r.report(at, ingress.Warning, CodeNoEffect, "canary-by-header", 0, "without it neither canary-by-header-value nor canary-by-header-pattern does anything")
	}
	if c.value != "" && c.pattern != "" {
		r.report(at, ingress.Warning, CodeNoEffect, "canary-by-header-pattern", 0, "canary-by-header-value wins")
	}
	c.header = r.named("canary-by-header", c.header, then, func(list []route.Condition) route.Conditions { return route.Conditions{Headers: list} })
	c.cookie = r.named("canary-by-cookie", c.cookie, then, func(list []route.Condition) route.Conditions { return route.Conditions{Cookies: list} })
	if c.header != "" && c.value == "" && c.pattern != "" {
		const name = "canary-by-header-pattern"
		if _, f := parseRegex(c.pattern); f != nil {
			r.report(at, ingress.Error, CodeRegex, name, f.offset+o.lead(name), "%s; the canary gets no requests", f.text)
			o.dropped = true
		} else if err := r.conditionFault(route.Conditions{Headers: []route.Condition{c.matches()}}); err != nil {
			r.report(at, ingress.Error, CodeRegex, name, 0, "%v; the canary gets no requests", err)
			o.dropped = true
		}
	}
	r.weights(c)
	for _, name := range o.names {
		if !strings.HasPrefix(name, "canary") && r.text(name) != "" {
			r.report(at, ingress.Warning, CodeCanaryIgnored, name, 0, "a canary takes it from the ordinary Ingress of the same path: write it there")
		}
	}
}

// named returns value, or "" if it is no name for conditions, which is reported
// with what is the case then.
func (r *reader) named(name, value, then string, when func([]route.Condition) route.Conditions) string {
	if value == "" {
		return ""
	}
	if err := r.conditionFault(when([]route.Condition{{Name: value, Test: route.Present}})); err != nil {
		r.bad(name, "%v: %s", err, then)
		return ""
	}
	return value
}

// conditionFault returns why a table does not take conditions, nil if it does.
func (t *translation) conditionFault(when route.Conditions) error {
	return t.routeFault(route.Route[struct{}]{When: when})
}

// matches returns the condition of canary-by-header-pattern.
func (c *canary) matches() route.Condition {
	return route.Condition{Name: c.header, Test: route.Matches, Value: `(?s:.*?)(?:` + c.pattern + `)(?s:.*)`}
}

// weights reads canary-weight and canary-weight-total.
func (r *reader) weights(c *canary) {
	at := r.o.in.Source()
	c.total = 100
	if n, ok := r.number("canary-weight-total", "it is 100"); ok {
		switch {
		case n <= 0:
			r.report(at, ingress.Warning, CodeCanaryTotal, "canary-weight-total", 0, "%d is no total, so it is 100", n)
		case n <= 100 && r.compat:
			if n < 100 {
				r.report(at, ingress.Warning, CodeCanaryTotal, "canary-weight-total", 0, "%d is read as 100, as all that is less; in Strict it is %d", n, n)
			}
		default:
			c.total = n
		}
	}
	n, _ := r.number("canary-weight", "it is 0")
	if c.weight = min(max(n, 0), c.total); c.weight != n {
		r.report(at, ingress.Warning, CodeCanaryWeight, "canary-weight", 0, "%d is not from 0 to %d, so it is %d", n, c.total, c.weight)
	}
	if c.total > ingress.MaxWeight {
		r.report(at, ingress.Warning, CodeCanaryTotal, "canary-weight-total", 0, "%d is more than %d, so both are scaled down", c.total, ingress.MaxWeight)
		high, low := bits.Mul64(uint64(c.weight), ingress.MaxWeight)
		weight, _ := bits.Div64(high, low, uint64(c.total)) // not more than ingress.MaxWeight, for weight is not more than total
		c.weight = int(weight)
		c.total = ingress.MaxWeight
	}
}

// A pathKey is by which a canary finds its location.
type pathKey struct {
	host, path string
	exact      bool
	byDefault  bool // it is a default backend's
}

func keyOf(p *ingress.PathRule) pathKey {
	return pathKey{hostKey(p.Host), p.Path, p.Type == "Exact", p.Default}
}

// attach gives each canary's paths to the locations with the same host, path
// and pathType, and its default backend to those of a default backend.
func (t *translation) attach() {
	found := make(map[pathKey][]*location)
	for _, o := range t.objects {
		for _, l := range o.places {
			key := keyOf(l.p)
			if list := found[key]; !l.fallback && (len(list) == 0 || list[0].p == l.p) {
				found[key] = append(list, l)
			}
		}
	}
	for _, o := range t.objects {
		if o.canary == nil || o.dropped {
			continue
		}
		for i := range o.paths {
			p := &o.paths[i]
			t.attachPath(o, p, found[keyOf(p)])
		}
	}
}

func (t *translation) attachPath(o *object, p *ingress.PathRule, list []*location) {
	if len(list) == 0 {
		t.report(p.Source, ingress.Error, CodeCanaryAlone, "canary", 0, "no ordinary Ingress has this host, path and pathType, so the canary gets no requests")
		return
	}
	base := list[0]
	switch {
	case base.canary != nil:
		t.report(p.Source, ingress.Warning, CodeCanarySecond, "canary", 0, "the path has a canary already, and this one gets no requests")
		return
	case base.p.Backend.Service == p.Backend.Service:
		t.report(p.Source, ingress.Warning, CodeNoEffect, "canary", 0, "the canary has the backend of the ordinary Ingress")
		return
	}
	for _, l := range list {
		l.canary = &canaryPath{o.canary, p.Backend}
	}
}

// entries returns base, which forwards to one backend, with the requests of the
// canary taken out: entries with conditions, of which a table tries those on
// headers before those on cookies, and weights for the rest.
func (c *canaryPath) entries(base ingress.Entry, backend ingress.Backend) []ingress.Entry {
	var list []ingress.Entry
	stable := base.Backends[0]
	add := func(part string, b ingress.Backend, when route.Conditions) {
		e := base
		e.Backends = []ingress.Backend{b}
		e.When = when
		e.Source.Part = join(base.Source.Part, part)
		list = append(list, e)
	}
	header := func(test route.Test, value string) route.Conditions {
		return route.Conditions{Headers: []route.Condition{{Name: c.header, Test: test, Value: value}}}
	}
	switch {
	case c.header == "":
	case c.value != "":
		add("canary-header", backend, header(route.Equals, c.value))
	case c.pattern != "":
		add("canary-header", backend, route.Conditions{Headers: []route.Condition{c.matches()}})
	default:
		add("canary-header-always", backend, header(route.Equals, "always"))
		add("canary-header-never", stable, header(route.Equals, "never"))
	}
	if c.cookie != "" {
		cookie := func(value string) route.Conditions {
			return route.Conditions{Cookies: []route.Condition{{Name: c.cookie, Value: value}}}
		}
		add("canary-cookie-always", backend, cookie("always"))
		add("canary-cookie-never", stable, cookie("never"))
	}
	stable.Weight, backend.Weight = uint32(c.total-c.weight), uint32(c.weight)
	base.Backends = []ingress.Backend{stable, backend}
	return append(list, base)
}

// join puts a part of a Source behind another.
func join(part, more string) string {
	switch {
	case part == "":
		return more
	case more == "":
		return part
	}
	return part + "," + more
}
