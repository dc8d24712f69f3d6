package route_test

// The slow and obvious table: every route is tried on every request, with the
// rules of precedence written out.

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// units reads an escaped path octet by octet: a byte, the letter of an escaped
// unreserved octet, or an escape in upper case.
func units(path string) (list []string) {
	for path != "" {
		u, n := path[:1], 1
		if u == "%" && len(path) >= 3 {
			if octet, err := strconv.ParseUint(path[1:3], 16, 8); err == nil {
				u, n = strings.ToUpper(path[:3]), 3
				if strings.IndexByte(unreserved, byte(octet)) >= 0 {
					u = string(rune(octet))
				}
			}
		}
		list = append(list, u)
		path = path[n:]
	}
	return list
}

// normalForm is path with escaped unreserved octets as letters.
func normalForm(path string) string {
	out := ""
	for i := 0; i < len(path); i++ {
		if u := units(path[i:])[0]; path[i] == '%' && len(u) == 1 && u != "%" {
			out += u
			i += 2
		} else {
			out += path[i : i+1]
		}
	}
	return out
}

// refRegex reports whether paths of a type are regular expressions.
func refRegex(t route.PathType) bool { return t == route.Regex || t == route.RegexFirst }

// refPath is the path of a pattern that is no regular expression, as units.
func refPath(p route.Pattern) []string {
	path := p.Path
	if path == "" {
		path = "/"
	}
	if p.Type == route.Prefix && path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return units(path)
}

func refPathMatches(p route.Pattern, path string) bool {
	if refRegex(p.Type) {
		return regexp.MustCompile("^(?:" + refExpression(p.Path) + ")").MatchString(normalForm(path))
	}
	have, want := units(path), refPath(p)
	switch p.Type {
	case route.Exact:
		return slices.Equal(have, want)
	case route.TextPrefix:
		return len(have) >= len(want) && slices.Equal(have[:len(want)], want)
	}
	if slices.Equal(want, []string{"/"}) {
		return true
	}
	return len(have) >= len(want) && slices.Equal(have[:len(want)], want) &&
		(len(have) == len(want) || have[len(want)] == "/")
}

// refExpression is a regular expression without classes, in which the case of
// the digits of an escape does not matter.
func refExpression(expr string) string {
	return regexp.MustCompile("%[0-9A-Fa-f]{2}").ReplaceAllStringFunc(expr, func(s string) string { return "(?i:" + s + ")" })
}

// refHost is a host in lower case, without port and one final dot, and an IPv6
// address in one spelling.
func refHost(host string) string {
	if strings.HasPrefix(host, "[") {
		addr, _, _ := strings.Cut(host[1:], "]")
		return netip.MustParseAddr(addr).String()
	}
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	return strings.TrimSuffix(name, ".")
}

// refHostRank says how good a pattern's host is for one of a request; 0: it
// does not match.
func refHostRank(pattern, host string, anyDepth bool) int {
	pattern, host = refHost(pattern), refHost(host)
	switch {
	case pattern == "":
		return 1
	case slices.ContainsFunc([]byte(host), func(c byte) bool { return c >= 0x80 }):
		return 0
	case pattern == host:
		return 10_000
	}
	suffix, wildcard := strings.CutPrefix(pattern, "*")
	label, ok := strings.CutSuffix(host, suffix)
	if !wildcard || !ok || label == "" || !anyDepth && strings.Contains(label, ".") {
		return 0
	}
	return 1 + len(suffix)
}

// refHolds reports whether a condition of any kind holds of the values that it is about.
func refHolds(c route.Condition, values []string) bool {
	if len(values) == 0 {
		return c.Test == route.Absent
	}
	switch c.Test {
	case route.Equals:
		return values[0] == c.Value
	case route.BeginsWith:
		return strings.HasPrefix(values[0], c.Value)
	case route.Matches:
		re := regexp.MustCompile(c.Value)
		re.Longest()
		return re.FindString(values[0]) == values[0] && re.MatchString(values[0])
	}
	return c.Test == route.Present
}

// refDecode decodes what it can.
func refDecode(s string) string {
	out := ""
	for i := 0; i < len(s); i++ {
		if i+3 <= len(s) {
			if d, err := url.QueryUnescape(s[i : i+3]); err == nil && s[i] == '%' {
				out += d
				i += 2
				continue
			}
		}
		out += strings.ReplaceAll(s[i:i+1], "+", " ")
	}
	return out
}

func refQuery(query, name string) (values []string) {
	for _, pair := range strings.Split(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		decoded, err := url.QueryUnescape(key)
		if err != nil {
			decoded = key
		}
		if pair != "" && decoded == name {
			values = append(values, refDecode(value))
		}
	}
	return values
}

func refCookie(r route.Request, name string) (values []string) {
	cookies, _ := r.Header("Cookie")
	for _, pair := range strings.Split(cookies, ";") {
		if key, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok && key == name {
			values = append(values, value)
		}
	}
	return values
}

func refHeader(r route.Request, name string) []string {
	if value, ok := r.Header(http.CanonicalHeaderKey(name)); ok {
		return []string{value}
	}
	return nil
}

// refURLHolds judges the conditions on the URL alone.
func refURLHolds(w route.Conditions, u rewrite.URL) bool {
	if w.Scheme != "" && w.Scheme != u.Scheme {
		return false
	}
	return !slices.ContainsFunc(w.Query, func(c route.Condition) bool { return !refHolds(c, refQuery(u.RawQuery, c.Name)) })
}

func refConditionsHold(w route.Conditions, u rewrite.URL, r route.Request) bool {
	if r == nil && len(w.Methods)+len(w.Headers)+len(w.Cookies) > 0 {
		return false
	}
	if len(w.Methods) > 0 && !slices.Contains(w.Methods, r.Method()) {
		return false
	}
	for _, c := range w.Headers {
		if !refHolds(c, refHeader(r, c.Name)) {
			return false
		}
	}
	for _, c := range w.Cookies {
		if !refHolds(c, refCookie(r, c.Name)) {
			return false
		}
	}
	return refURLHolds(w, u)
}

// refCount is the number of different conditions.
func refCount(list []route.Condition) int {
	seen := map[route.Condition]bool{}
	for _, c := range list {
		seen[c] = true
	}
	return len(seen)
}

// refBetter reports whether a comes before b, of two routes whose hosts are
// equally good and that both match. a and b are their indexes.
func refBetter(routes []route.Route[int], a, b int) bool {
	p, q := routes[a].Pattern, routes[b].Pattern
	class := func(t route.PathType) int {
		return map[route.PathType]int{route.Exact: 4, route.RegexFirst: 3, route.Prefix: 2, route.TextPrefix: 2, route.Regex: 1}[t]
	}
	if class(p.Type) != class(q.Type) {
		return class(p.Type) > class(q.Type)
	}
	if class(p.Type) == 2 {
		if m, n := len(refPath(p)), len(refPath(q)); m != n {
			return m > n
		}
		if p.Type != q.Type {
			return p.Type == route.Prefix
		}
	}
	if refRegex(p.Type) && p.Path != q.Path { // by declaration, each with the others that are equal
		first := func(path string) int {
			return slices.IndexFunc(routes, func(r route.Route[int]) bool {
				return r.Pattern.Type == p.Type && r.Pattern.Path == path && refHost(r.Pattern.Host) == refHost(p.Host)
			})
		}
		return first(p.Path) < first(q.Path)
	}
	v, w := routes[a].When, routes[b].When
	for _, n := range [][2]int{
		{min(len(v.Scheme), 1), min(len(w.Scheme), 1)},
		{min(len(v.Methods), 1), min(len(w.Methods), 1)},
		{refCount(v.Headers), refCount(w.Headers)},
		{refCount(v.Cookies), refCount(w.Cookies)},
		{refCount(v.Query), refCount(w.Query)},
	} {
		if n[0] != n[1] {
			return n[0] > n[1]
		}
	}
	return a < b
}

// refMatch returns the index of the best route, -1 if there is none. holds
// judges conditions.
func refMatch(routes []route.Route[int], opts route.Options, u rewrite.URL, holds func(route.Conditions) bool) int {
	if !strings.HasPrefix(u.Path, "/") {
		return -1
	}
	var ranks []int
	for _, r := range routes {
		if rank := refHostRank(r.Pattern.Host, u.Host, opts.AnyDepthWildcard); rank > 0 {
			ranks = append(ranks, rank)
		}
	}
	slices.Sort(ranks)
	for _, rank := range slices.Backward(slices.Compact(ranks)) {
		best := -1
		for i, r := range routes {
			if refHostRank(r.Pattern.Host, u.Host, opts.AnyDepthWildcard) == rank &&
				refPathMatches(r.Pattern, u.Path) && holds(r.When) && (best < 0 || refBetter(routes, i, best)) {
				best = i
			}
		}
		if best >= 0 || !opts.TryNextHost {
			return best
		}
	}
	return -1
}

// refKey is equal for routes with equal patterns and conditions.
func refKey(r route.Route[int]) string {
	path := []string{r.Pattern.Path}
	if !refRegex(r.Pattern.Type) {
		path = refPath(r.Pattern)
	}
	sorted := func(list []route.Condition, fold bool) (out []string) {
		for _, c := range list {
			if fold {
				c.Name = strings.ToLower(c.Name)
			}
			out = append(out, fmt.Sprintf("%q %d %q", c.Name, c.Test, c.Value))
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	methods := slices.Clone(r.When.Methods)
	slices.Sort(methods)
	return fmt.Sprintf("%q %q %d %q %q %q %q %q", refHost(r.Pattern.Host), path, r.Pattern.Type, r.When.Scheme, slices.Compact(methods),
		sorted(r.When.Headers, true), sorted(r.When.Cookies, false), sorted(r.When.Query, false))
}
