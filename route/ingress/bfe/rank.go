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
type rank [11]int

func (r rank) compare(o rank) int { return slices.Compare(r[:], o[:]) }

// rankOf returns the rank of an entry whose host was the n-th to be seen.
func rankOf(e *ingress.Entry, n int) rank {
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
		kind, -suffix, n, paths, -length, text,
		-min(len(when.Scheme), 1), -min(len(when.Methods), 1), -len(when.Headers), -len(when.Cookies), -len(when.Query),
	}
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
