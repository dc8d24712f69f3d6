package nginx

// Target: what nginx puts in the place of a URL, in rewrite-target, in
// redirects and in snippets.

import (
	"fmt"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A fault is why a text cannot be said.
type fault struct {
	code   ingress.Code
	offset int
	text   string
}

// A target is a URL or a path with captures.
type target struct {
	text     string // as written
	absolute bool   // it has a scheme, so it is a redirect
	scheme   string // "" for that of the request
	host     string // "" for that of the request
	noPort   bool   // that of the request, without its port
	path     []part // of the path, or what stands before the request's path
	query    []part
	hasQuery bool // there is a query part, perhaps empty
	dropArgs bool // it ends in "?"
	whole    bool // $request_uri: the path and the query of the request follow
	verbatim bool // an absolute URL without captures or variables
}

// A part is text or, if group is not 0, the capture of a group.
type part struct {
	text  string
	group int
}

// targetVariables says which there can be.
const targetVariables = "$scheme, $host, $http_host, $server_name, $request_uri and $uri$is_args$args can be said"

// maxTarget is the most bytes of a target.
const maxTarget = 4096

// parseTarget reads a target.
func parseTarget(text string) (*target, *fault) {
	if len(text) > maxTarget {
		return nil, &fault{CodeValue, maxTarget, fmt.Sprintf("it has %d bytes: at most %d can be", len(text), maxTarget)}
	}
	t := &target{text: text, verbatim: true}
	rest, at := text, 0
	skip := func(n int) { rest, at = rest[n:], at+n }
	switch {
	case strings.HasPrefix(rest, "http://"):
		t.scheme, t.absolute = "http", true
		skip(len("http://"))
	case strings.HasPrefix(rest, "https://"):
		t.scheme, t.absolute = "https", true
		skip(len("https://"))
	case strings.HasPrefix(rest, "$scheme://"):
		t.absolute, t.verbatim = true, false
		skip(len("$scheme://"))
	}
	if t.absolute {
		if n := leadingVariable(rest, "$host", "$http_host", "$server_name"); n > 0 {
			t.verbatim, t.noPort = false, rest[:n] != "$http_host"
			skip(n)
			if !strings.HasPrefix(rest, "/") && !strings.HasPrefix(rest, "?") && !strings.HasPrefix(rest, "$") && rest != "" {
				return nil, &fault{CodeVariable, at, "only a path can follow the host's variable"}
			}
		} else {
			n := strings.IndexAny(rest, "/?#$")
			if n < 0 {
				n = len(rest)
			}
			if t.host = rest[:n]; t.host == "" && n < len(rest) && rest[n] == '$' {
				return nil, &fault{CodeVariable, at, "the host is that of the request or text: write $host, or a host"}
			} else if t.host == "" {
				return nil, &fault{CodeValue, at, "there is no host: write https://host/path"}
			}
			skip(n)
		}
	}
	path, query, hasQuery := strings.Cut(rest, "?")
	if n := wholeVariable(path); n >= 0 {
		if n > 0 && strings.ContainsRune(path[:n], '$') || hasQuery && query != "" {
			return nil, &fault{CodeVariable, at + n, "only text before the path can stand beside the path and the query of the request"}
		}
		t.whole, t.verbatim, t.dropArgs = true, false, hasQuery
		if path[:n] != "" {
			t.path = []part{{text: path[:n]}}
		}
		return t, nil
	}
	var f *fault
	if t.path, f = parseParts(path, at); f != nil {
		return nil, f
	}
	if hasQuery {
		t.hasQuery, t.dropArgs = query != "", strings.HasSuffix(query, "?") || query == ""
		if t.query, f = parseParts(strings.TrimSuffix(query, "?"), at+len(path)+1); f != nil {
			return nil, f
		}
	}
	t.verbatim = t.verbatim && t.absolute && !t.captures()
	return t, nil
}

// leadingVariable returns the length of the one of names that s begins with, as
// a variable, 0 if none.
func leadingVariable(s string, names ...string) int {
	for _, name := range names {
		if strings.HasPrefix(s, name) && (len(s) == len(name) || !isWord(s[len(name)])) {
			return len(name)
		}
	}
	return 0
}

// wholeVariable returns where in path the path and the query of the request
// stand, -1 if nowhere. They must be the end.
func wholeVariable(path string) int {
	for _, suffix := range []string{"$request_uri", "$uri$is_args$args", "$uri$is_args$query_string"} {
		if before, ok := strings.CutSuffix(path, suffix); ok {
			return len(before)
		}
	}
	return -1
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// parseParts splits text, at offset base of a value, at its captures.
func parseParts(text string, base int) ([]part, *fault) {
	var parts []part
	from := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		if i+1 < len(text) && '1' <= text[i+1] && text[i+1] <= '9' {
			if from < i {
				parts = append(parts, part{text: text[from:i]})
			}
			parts = append(parts, part{group: int(text[i+1] - '0')})
			i++
			from = i + 1
			continue
		}
		n := i + 1
		for n < len(text) && (isWord(text[n]) || text[n] == '{' || text[n] == '}') {
			n++
		}
		return nil, &fault{CodeVariable, base + i, fmt.Sprintf("%.64q is neither a capture from $1 to $9 nor a variable that can be said here: %s", text[i:n], targetVariables)}
	}
	if from < len(text) {
		parts = append(parts, part{text: text[from:]})
	}
	return parts, nil
}

// captures reports whether the target has any.
func (t *target) captures() bool { return hasGroups(t.path) || hasGroups(t.query) }

func hasGroups(parts []part) bool {
	for _, p := range parts {
		if p.group > 0 {
			return true
		}
	}
	return false
}

// groups calls f for the number of each capture.
func (t *target) groups(f func(group int)) {
	for _, parts := range [][]part{t.path, t.query} {
		for _, p := range parts {
			if p.group > 0 {
				f(p.group)
			}
		}
	}
}

// most returns the greatest number of a capture.
func (t *target) most() int {
	most := 0
	t.groups(func(group int) { most = max(most, group) })
	return most
}

// without returns t with the empty text for the groups that are more than n,
// and one slash where such a group of the path stood between two.
func (t *target) without(n int) *target {
	out := *t
	keep := func(parts []part, slash string) []part {
		var list []part
		var text []byte
		flush := func() {
			if len(text) > 0 {
				list, text = append(list, part{text: string(text)}), nil
			}
		}
		for _, p := range parts {
			switch {
			case p.group > n:
			case p.group > 0:
				flush()
				list = append(list, p)
			case slash != "" && strings.HasSuffix(string(text[max(0, len(text)-1):]), slash):
				text = append(text, strings.TrimPrefix(p.text, slash)...)
			default:
				text = append(text, p.text...)
			}
		}
		flush()
		return list
	}
	out.path, out.query = keep(t.path, "/"), keep(t.query, "")
	return &out
}

// template returns t's path and query for rewrite.RewritePath. drop drops the
// request's query.
func (t *target) template(drop bool) string {
	var b strings.Builder
	write := func(parts []part) {
		for _, p := range parts {
			if p.group > 0 {
				fmt.Fprintf(&b, "$%d", p.group)
			} else {
				b.WriteString(strings.ReplaceAll(p.text, "$", "$$"))
			}
		}
	}
	write(t.path)
	if t.hasQuery {
		b.WriteByte('?')
		write(t.query)
	}
	if drop {
		b.WriteByte('?')
	}
	return b.String()
}

// authority returns the actions that set scheme and host.
func (t *target) authority() []rewrite.Action {
	var actions []rewrite.Action
	if t.scheme != "" {
		actions = append(actions, rewrite.SetScheme(t.scheme))
	}
	if t.host != "" {
		actions = append(actions, rewrite.SetHost(t.host))
	}
	if t.noPort {
		actions = append(actions, rewrite.SetPort(""))
	}
	return actions
}

// anyPath is a regular expression that every path matches.
const anyPath = "^/"

// actions returns what makes the target of a request's URL, whose path regex
// matches; "" for every path. keepArgs: the request's query stays, as rewrite
// has it and return does not.
func (t *target) actions(regex string, keepArgs bool) []rewrite.Action {
	actions := t.authority()
	drop := t.dropArgs || !keepArgs
	switch {
	case t.whole:
		if len(t.path) > 0 {
			actions = append(actions, rewrite.AddPathPrefix(t.path[0].text))
		}
		return actions
	case t.hasQuery || t.captures():
		if regex == "" {
			regex = anyPath
		}
		return append(actions, rewrite.RewritePath(regex, t.template(drop)))
	}
	path := "/"
	if len(t.path) > 0 {
		path = t.path[0].text
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	actions = append(actions, rewrite.SetPath(path))
	if drop {
		actions = append(actions, rewrite.DropQuery())
	}
	return actions
}

// redirect returns the redirect to t. To a path it is one without the port, as
// the controller has it but for app-root.
func (t *target) redirect(status int, regex string, keepArgs bool, name string) *ingress.Redirect {
	if t.verbatim && !keepArgs {
		return &ingress.Redirect{Status: status, Location: t.text}
	}
	actions := t.actions(regex, keepArgs)
	if !t.absolute && name != "app-root" {
		actions = append(actions, rewrite.SetPort(""))
	}
	return &ingress.Redirect{Status: status, Rules: rules(actions, rewrite.AfterLocation, name)}
}
