package bfe

// The order in which a table prefers entries.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A rank compares entries as a table does: less is preferred.
type rank [12]int

func (r rank) compare(o rank) int { return slices.Compare(r[:], o[:]) }

// expressions numbers the regular expressions of each host, which a table tries
// in the order in which they are first seen.
type expressions map[route.Pattern]int

// number returns the number of e's; 0 if its path is no expression.
func (x expressions) number(e *ingress.Entry) int {
	p := e.Pattern
	if p.Type != route.Regex && p.Type != route.RegexFirst {
		return 0
	}
	p.Host = canonicalHost(p.Host)
	if _, ok := x[p]; !ok {
		x[p] = len(x)
	}
	return x[p]
}

// rank returns the rank of an entry whose host was the n-th to be seen. Entries
// are to be ranked in their order first.
func (x expressions) rank(e *ingress.Entry, n int) rank {
	kind, suffix := 0, 0
	switch {
	case e.Pattern.Host == "":
		kind = 2
	case strings.HasPrefix(e.Pattern.Host, "*."):
		kind, suffix = 1, len(canonicalHost(e.Pattern.Host))
	}
	path := canonical(e.Pattern.Path)
	paths, length := 2, len(path)
	switch e.Pattern.Type {
	case route.Exact:
		paths, length = 0, 0
	case route.Prefix:
		length = max(len(strings.TrimSuffix(path, "/")), len("/"))
	case route.RegexFirst:
		paths, length = 1, 0
	case route.Regex:
		paths, length = 3, 0
	}
	text := 0
	if e.Pattern.Type == route.TextPrefix {
		text = 1
	}
	when := &e.When
	return rank{
		kind, -suffix, n, paths, -length, text, x.number(e),
		-min(len(when.Scheme), 1), -min(len(when.Methods), 1), -distinct(when.Headers, true), -distinct(when.Cookies, false), -distinct(when.Query, false),
	}
}

// distinct returns the number of conditions, of which equal ones are one. fold
// says that letter case does not count in their names.
func distinct(list []route.Condition, fold bool) int {
	if len(list) < 2 {
		return len(list)
	}
	seen := make(map[route.Condition]bool, len(list))
	for _, c := range list {
		if fold {
			c.Name = strings.ToLower(c.Name)
		}
		seen[c] = true
	}
	return len(seen)
}

// canonicalHost returns a host pattern as a table compares it.
func canonicalHost(host string) string {
	suffix, anyLabel := strings.CutPrefix(host, "*.")
	text, err := hostname.Parse(suffix)
	if err != nil {
		return strings.ToLower(host)
	}
	name, _ := hostname.Split(text)
	if anyLabel {
		return "*." + name
	}
	return name
}
