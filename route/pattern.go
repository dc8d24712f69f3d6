package route

// Pattern: which hosts and paths a route is for, and how a configured one is
// brought into the form in which requests are compared with it.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/internal/quoted"
	"github.com/readdress/readdress/rewrite"
)

// A Pattern is a set of hosts and a set of paths. The zero Pattern matches
// every request. It is plain data: compare it with ==.
type Pattern struct {
	// Host is the name of a host, "*." and a name, which stands for every host
	// with one label before that name, or empty, which stands for every host.
	// It is mapped by IDNA when the table is made; its port is ignored, as is
	// that of a request. An IPv6 address is in brackets, and meets every spelling
	// of it.
	Host string
	// Path is URL text, compared as rewrite.TrimPathPrefix compares: an escaped
	// unreserved octet equals its letter, the case of hexadecimal digits does
	// not matter, that of letters does, and %2F is no slash. It begins with "/",
	// or is empty, which means "/" and, of a regular expression, every path. What
	// TrimPathPrefix refuses, such as a dot-segment, NewTable refuses.
	//
	// A regular expression is matched from the beginning of the path, so it needs
	// no "^". It sees escaped unreserved octets as letters, and one that it has
	// itself, which nothing would match, NewTable refuses. It sees other escapes as
	// they stand, and one that it has itself, such as %2F, matches either case; in
	// a class write both, [0-9A-Fa-f].
	Path string
	// Type says how Path is compared.
	Type PathType
}

// String returns the pattern in one line, such as "*.example.com/api Prefix".
func (p Pattern) String() string { return p.Host + p.Path + " " + p.Type.String() }

// A PathType says how Pattern.Path is compared with the path of a request. The
// zero PathType is Prefix.
type PathType int8

const (
	// Prefix matches by segment: /foo matches /foo, /foo/ and /foo/bar, and not
	// /foobar. A final slash of the pattern is ignored, and "/" matches every
	// path. It matches whatever TrimPathPrefix would change.
	Prefix PathType = iota
	// Exact matches the whole path; /foo and /foo/ are two.
	Exact
	// TextPrefix matches what begins with the text: /foo matches /foobar.
	TextPrefix
	// Regex matches a regular expression of package regexp at the start of the
	// path in normal form, in which escaped unreserved octets are letters:
	// ^(?:Path), without an end anchor, letter case included. It is tried after
	// every other type of the host. One that plainly matches every path, such as
	// "", "/" or "/.*", takes no time and no budget.
	Regex
	// RegexFirst matches as Regex and is tried before every Prefix and TextPrefix
	// of the host, however long: /api/v[0-9]+ is then reached beside "/", as in
	// nginx, Kong and Traefik. Every request of the host for which no Exact is
	// found pays for it, and one on whose path it could cost more than the budget
	// finds nothing.
	RegexFirst
)

var pathTypeNames = [...]string{"Prefix", "Exact", "TextPrefix", "Regex", "RegexFirst"}

// String returns the Go name of the type, or PathType(n) for an unknown one.
func (t PathType) String() string {
	if !t.valid() {
		return fmt.Sprintf("PathType(%d)", int8(t))
	}
	return pathTypeNames[t]
}

func (t PathType) valid() bool { return 0 <= t && int(t) < len(pathTypeNames) }

// isRegex reports whether paths of the type are regular expressions.
func (t PathType) isRegex() bool { return t == Regex || t == RegexFirst }

// canonicalHost returns what the name of a request's host is compared with. A
// wildcard is the text from the dot on, which no name begins with.
func canonicalHost(host string) (string, error) {
	if host == "" {
		return "", nil
	}
	if host == "*" {
		return "", errors.New(`"*" is not a host: write nothing for every host`)
	}
	one, wildcard := host, strings.HasPrefix(host, "*.")
	if wildcard {
		one = "x" + host[1:] // the shortest host that it stands for
	}
	parsed, err := hostname.Parse(one)
	if at := strings.IndexByte(one, '*'); err != nil && at >= 0 {
		return "", fmt.Errorf(`%s: byte %d: a wildcard is "*." and a name: write that, one full name, or nothing for every host`, quote(host), at)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", quote(host), err)
	}
	name, _ := hostname.Split(parsed)
	switch {
	case wildcard && len(name) == len("x"):
		return "", fmt.Errorf("%s: a name is missing behind the dot: write one, or nothing for every host", quote(host))
	case wildcard:
		return name[1:], nil
	}
	return name, nil
}

// canonicalPath returns what paths are compared with, of a path that is not a
// regular expression. Prefix has no final slash, so "/" is empty.
func canonicalPath(path string, t PathType) (string, error) {
	if path == "" {
		path = "/"
	}
	if !isPlain(path) {
		if path[0] != '/' {
			return "", noSlash(path)
		}
		if err := checkPath(path); err != nil {
			return "", err
		}
		path = string(escape.AppendNormal(nil, string(escape.AppendPath(nil, path)), true))
	}
	if t == Prefix {
		path = strings.TrimSuffix(path, "/")
	}
	return path, nil
}

// isPlain reports whether path is at first sight canonical and sound.
func isPlain(path string) bool {
	if len(path) > 1024 || path[0] != '/' {
		return false
	}
	last := byte(0)
	for i := range len(path) {
		c := path[i]
		if escape.Class[c]&escape.Path == 0 || last == '/' && (c == '/' || c == '.') {
			return false
		}
		last = c
	}
	return true
}

// checkPath judges path as a parameter of TrimPathPrefix, by which the two
// accept the same.
func checkPath(path string) error {
	_, err := rewrite.Compile([]rewrite.Rule{{Action: rewrite.TrimPathPrefix(path)}}, nil)
	if faults, ok := errors.AsType[rewrite.RuleErrors](err); ok {
		return faults[0].Err
	}
	return err
}

func noSlash(path string) error {
	if anchored, ok := strings.CutPrefix(path, "^"); ok {
		return fmt.Errorf("%s does not begin with a slash: write %s, which is matched from the beginning anyway", quote(path), quote(anchored))
	}
	return fmt.Errorf("%s does not begin with a slash: write %s", quote(path), quote("/"+path))
}

// noSlashExpr is noSlash for a regular expression. One that begins with a flag
// or a group says something else with a slash in front of that.
func noSlashExpr(expr string) error {
	if strings.HasPrefix(expr, "(") {
		return fmt.Errorf("%s does not begin with a slash: write one in front of flags and groups, as in /(?i)api and /(a|b)", quote(expr))
	}
	return noSlash(expr)
}

// mostQuoted is how many bytes of a configured text an error repeats.
const mostQuoted = 128

func quote(s string) string { return quoted.Text(s, mostQuoted) }
