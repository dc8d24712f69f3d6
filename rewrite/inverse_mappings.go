package rewrite

// Explicit mappings, compiled and run.

import (
	"regexp"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
)

// Mappings are explicit mappings, compiled: what an Inverse asks before it
// derives anything. They are immutable and safe for concurrent use; nil and
// zero Mappings map nothing.
//
// A value costs one comparison for each mapping of its kind, up to the first
// that matches. Text adds no allocation to that of the changed value, a regular
// expression that matches adds two. A value that is too long for the budget of a
// regular expression (RegexpLimits) does not match it.
type Mappings struct {
	kinds [len(mappingKindNames)][]mapping
}

// A mapping is one Mapping of text, or, if re is not nil, with a regular
// expression.
type mapping struct {
	from, to site

	re    *regexp.Regexp
	parts []part
	allow int // bytes of a value, and one
}

// A site is a URL, a path or the name of a host. With scheme and host empty it
// is a path.
type site struct {
	scheme string
	host   string
	path   string
}

// prefix returns the path of s without its final slash.
func (s *site) prefix() string { return strings.TrimSuffix(s.path, "/") }

// locate returns the pieces of what the first mapping that matches makes of a
// URL.
func (m *Mappings) locate(value string) (to pieces, ok bool) {
	list := m.kinds[MapLocation]
	if len(list) == 0 {
		return to, false
	}
	ref, isRef := splitReference(value)
	for i := range list {
		c := &list[i]
		if c.re != nil {
			if to[3], ok = c.expand(value); ok && begins(to[3]) {
				return to, true
			}
			continue
		}
		if !isRef || ref.absolute != (c.from.host != "") {
			continue
		}
		if ref.absolute && (!equalFoldASCII(ref.scheme, c.from.scheme) || !sameAuthority(ref.authority, ref.scheme, c.from.host, c.from.scheme)) {
			continue
		}
		path, ok := c.move(ref.path)
		if !ok {
			continue
		}
		to = pieces{c.to.scheme, "", c.to.host, path[0], path[1], ref.tail}
		if c.to.host != "" {
			to[1] = "://"
		}
		return to, true
	}
	return pieces{}, false
}

// begins reports whether clients read a URL as it stands: a space in front they
// would leave out, and a backslash they would take for a slash, so that what
// follows could be a host.
func begins(s string) bool { return s != "" && s[0] != ' ' && s[0] != '\\' }

// move returns what the mapping makes of a path. Where From ends in a slash,
// the slash is part of what must match, and where nothing follows it, To stands
// as it was written. Otherwise there is one slash at the joint.
func (c *mapping) move(path string) (to pair, ok bool) {
	if path == "" {
		path = "/"
	}
	n, ok := cutSegments(path, c.from.prefix())
	if !ok || climbs(path[n:]) {
		return to, false
	}
	rest, left := path[n:], path[n:]
	if strings.HasSuffix(c.from.path, "/") {
		if left, ok = strings.CutPrefix(rest, "/"); !ok {
			return to, false
		}
	}
	if left == "" {
		return pair{c.to.path}, true
	}
	return pair{c.to.prefix(), rest}, true
}

// cookiePath returns what the first mapping that matches makes of a Path.
func (m *Mappings) cookiePath(path string) (to pair, ok bool) {
	list := m.kinds[MapCookiePath]
	for i := range list {
		c := &list[i]
		if c.re == nil {
			if to, ok = c.move(path); ok {
				return to, true
			}
		} else if to[0], ok = c.expand(path); ok && strings.HasPrefix(to[0], "/") {
			return to, true
		}
	}
	return pair{}, false
}

// cookieDomain returns what the first mapping that matches makes of a Domain.
func (m *Mappings) cookieDomain(domain string) (to string, ok bool) {
	list := m.kinds[MapCookieDomain]
	for i := range list {
		c := &list[i]
		if c.re == nil {
			if sameName(strings.TrimPrefix(domain, "."), c.from.host) {
				return c.to.host, true
			}
		} else if to, ok = c.expand(domain); ok {
			name := strings.TrimPrefix(to, ".")
			if _, port := hostname.Split(name); port == "" && hostname.Check(name) {
				return to, true
			}
		}
	}
	return "", false
}

// expand returns what the regular expression makes of a value.
func (c *mapping) expand(value string) (string, bool) {
	if len(value) >= c.allow {
		return "", false
	}
	m := c.re.FindStringSubmatchIndex(value)
	if m == nil {
		return "", false
	}
	n := 0
	for _, p := range c.parts {
		n += len(p.of(value, m))
	}
	var w writer
	w.begin(nil, n)
	for _, p := range c.parts {
		w.write(p.of(value, m))
	}
	return w.end(), true
}

// of returns the text of p for one match in value.
func (p *part) of(value string, m []int) string {
	switch {
	case p.group == 0:
		return p.text
	case m[2*p.group] < 0:
		return ""
	}
	return value[m[2*p.group]:m[2*p.group+1]]
}
