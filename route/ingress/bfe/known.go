package bfe

// What is sure about the path of a request before its rules and between them.
// BFE trims a prefix as text, so only this says whether it trims by segment.

import (
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// A known says how the path begins, in canonical form: with path, behind which
// it ends or goes on with a slash. If exact is set it ends there. The zero known
// is sure of nothing.
type known struct {
	path  string
	exact bool
}

// knownOf returns what is sure about the paths that a pattern matches.
func knownOf(p route.Pattern) known {
	path := canonical(p.Path)
	switch p.Type {
	case route.Exact:
		return known{path, true}
	case route.Prefix:
		return known{path: strings.TrimSuffix(path, "/")}
	case route.TextPrefix:
		return known{path: path[:strings.LastIndexByte(path, '/')]}
	}
	return known{}
}

// canonical returns URL text for a path in the form in which prefixes are
// compared.
func canonical(path string) string {
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	return string(escape.AppendNormal(nil, string(escape.AppendPath(nil, path)), true))
}

// trimsSegments reports whether p, canonical and without a final slash, is
// followed by the end or by a slash in every path that begins with its bytes.
func (k known) trimsSegments(p string) bool {
	switch {
	case strings.HasPrefix(k.path, p):
		return len(k.path) == len(p) || k.path[len(p)] == '/'
	case strings.HasPrefix(p, k.path):
		return k.exact || p[len(k.path)] != '/'
	}
	return true
}

// segments returns the first n segments; false if the path may have fewer.
func (k known) segments(n int) (prefix string, ok bool) {
	at := 0
	for ; n > 0; n-- {
		if at >= len(k.path)-1 {
			return "", false
		}
		if i := strings.IndexByte(k.path[at+1:], '/'); i >= 0 {
			at += 1 + i
		} else {
			at = len(k.path)
		}
	}
	return k.path[:at], true
}

// after returns what is sure once a has run.
func (k known) after(a rewrite.Action) known {
	args := a.Args()
	switch a.Op() {
	case rewrite.OpSetPath:
		return known{canonical(args[0]), true}
	case rewrite.OpAddPathPrefix:
		return known{strings.TrimRight(canonical(args[0]), "/") + k.path, k.exact}
	case rewrite.OpTrimPathPrefix:
		prefix := strings.TrimSuffix(canonical(args[0]), "/")
		if len(args) > 1 {
			return known{}
		}
		if rest, ok := strings.CutPrefix(k.path, prefix); ok && (rest == "" || rest[0] == '/') {
			return k.rest(rest)
		}
		if k.trimsSegments(prefix) {
			return k
		}
	case rewrite.OpStripPathSegments:
		if prefix, ok := k.segments(count(args[0])); ok {
			return k.rest(k.path[len(prefix):])
		}
	case rewrite.OpHostFromPathPrefix:
		if prefix, ok := k.segments(1); ok && len(prefix) < len(k.path) {
			return k.rest(k.path[len(prefix):])
		}
	case rewrite.OpTrimPathText, rewrite.OpReplacePathPrefix, rewrite.OpReplacePathText, rewrite.OpRewritePath, rewrite.OpReplacePathRegex:
	default:
		return k
	}
	return known{}
}

func (k known) rest(path string) known {
	if path == "" && k.exact {
		path = "/"
	}
	return known{path, k.exact}
}

// count returns the number of segments that StripPathSegments has.
func count(arg string) int {
	n, _ := strconv.Atoi(arg)
	return n
}
