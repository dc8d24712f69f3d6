package haproxy

// Which patterns a table takes, and the backends of those that are closed.

import (
	"errors"
	"regexp"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// closed returns the backends of a path that answers 500.
func closed(p *ingress.PathRule) []ingress.Backend {
	return []ingress.Backend{{Service: p.Backend.Service, Weight: 1, Invalid: true}}
}

// routable reports whether a table takes the pattern of p. If it does not, that
// is reported as a Dispatcher would, but once for all entries that p would have.
func (r *reading) routable(pattern *route.Pattern, p *ingress.PathRule) bool {
	path := strings.TrimSuffix(pattern.Path, "/")
	if pattern.Type != route.Regex && (path == "" || isPlain(path)) && isPlainHost(pattern.Host) {
		return true
	}
	var opts *route.Options
	if r.c != nil {
		opts = r.c.Table
	}
	_, err := route.NewTable([]route.Route[struct{}]{{Pattern: *pattern}}, opts)
	faults, bad := errors.AsType[route.RouteErrors](err)
	if !bad || len(faults) == 0 {
		return true
	}
	code, key := ingress.CodeBadEntry, "path"
	switch {
	case faults[0].Field != "Pattern.Path":
		key = "host"
	case pattern.Type == route.Regex:
		code = CodeRegexp
	}
	r.report(ingress.Error, code, p.Source, rewrite.Origin{Key: key}, "%s: %v; this path is not served", faults[0].Field, faults[0].Err)
	return false
}

// maxBelow is the most bytes of a path below which all is closed.
const maxBelow = 64

// below sets the pattern of a closed path of which a table takes none: that of
// all paths that begin as it does, as far as that is not too long. Where p is a
// regular expression, it is tried after all others, as p would be. It returns
// false if the host cannot be either.
func (r *reading) below(pattern *route.Pattern, p *ingress.PathRule) bool {
	text, rank := p.Path, route.RegexFirst
	if pattern.Type == route.Regex {
		text, rank = pcre.Beginning(p.Path), route.Regex
	}
	text = string(escape.AppendNormal(nil, string(escape.AppendPath(nil, "/"+strings.TrimPrefix(text, "/"))), true))
	*pattern = route.Pattern{Host: p.Host, Path: regexp.QuoteMeta(text[:min(len(text), maxBelow)]), Type: rank}
	_, err := route.NewTable([]route.Route[struct{}]{{Pattern: *pattern}}, nil)
	return err == nil
}

// isPlainHost reports whether host is at first sight empty or a name of letters,
// digits and single hyphens, and no number in the end, which every table takes.
func isPlainHost(host string) bool {
	if len(host) > 63 {
		return false
	}
	first, last := byte('a'), byte('.') // of the last label, and of host
	for i := range len(host) {
		c := host[i]
		if last == '.' {
			first = c
		}
		inside := last != '.' && last != '-'
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' || !inside) && (c != '.' || !inside) {
			return false
		}
		last = c
	}
	return host == "" || 'a' <= first && last != '-' && last != '.'
}
