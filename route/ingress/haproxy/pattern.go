package haproxy

// Which patterns a table takes, and the backends of those that are closed.

import (
	"errors"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
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
	code := ingress.CodeBadEntry
	if pattern.Type == route.Regex && faults[0].Field == "Pattern.Path" {
		code = CodeRegexp
	}
	r.report(ingress.Error, code, p.Source, rewrite.Origin{}, "%s: %v; this path is not served", faults[0].Field, faults[0].Err)
	return false
}

// isPlainHost reports whether host is at first sight empty or a name of letters,
// digits and single hyphens, which every table takes.
func isPlainHost(host string) bool {
	if len(host) > 63 {
		return false
	}
	last := byte('.')
	for i := range len(host) {
		c := host[i]
		inside := last != '.' && last != '-'
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' || !inside) && (c != '.' || !inside) {
			return false
		}
		last = c
	}
	return host == "" || 'a' <= last && last <= 'z'
}
