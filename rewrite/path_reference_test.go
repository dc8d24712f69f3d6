// What path actions do to a path, in the most obvious way: what programs are
// compared with.

package rewrite_test

import (
	"regexp"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// finished is what becomes of the path that the rules of a hook made of in.
func finished(in, path string) (string, error) {
	if !strings.HasPrefix(in, "//") && strings.HasPrefix(path, "//") {
		path = "/" + strings.TrimLeft(path, "/")
	}
	if hasBrokenEscape(path) {
		return in, rewrite.ErrPath
	}
	for _, dots := range []string{".", ".."} {
		if countSegments(path, dots) > countSegments(in, dots) {
			return in, rewrite.ErrDotSegment
		}
	}
	return path, nil
}

func hasBrokenEscape(path string) bool {
	_, escapes, found := strings.Cut(path, "%")
	for found {
		if len(escapes) < 2 || strings.Trim(escapes[:2], "0123456789ABCDEFabcdef") != "" {
			return true
		}
		_, escapes, found = strings.Cut(escapes, "%")
	}
	return false
}

func countSegments(path, segment string) (n int) {
	if !strings.Contains(path, "/.") {
		return 0
	}
	for s := range strings.SplitSeq(path, "/") {
		if s == segment {
			n++
		}
	}
	return n
}

// A pathStep is an action and, in the most obvious way, what it does to a path.
type pathStep struct {
	action rewrite.Action
	run    func(path string) string
}

func addStep(prefix string) pathStep {
	return pathStep{rewrite.AddPathPrefix(prefix), func(path string) string { return prefix + path }}
}

func trimStep(prefix string) pathStep {
	return pathStep{rewrite.TrimPathPrefix(prefix), func(path string) string {
		normal, at := normalForm(path)
		if normal == prefix || strings.HasPrefix(normal, prefix+"/") {
			return supplied(path[at[len(prefix)]:])
		}
		return path
	}}
}

func stripStep(n int) pathStep {
	return pathStep{rewrite.StripPathSegments(n), func(path string) string {
		segments := strings.Split(path, "/")[1:]
		if len(segments) < n || len(segments) == n && segments[n-1] == "" {
			return path
		}
		return "/" + strings.Join(segments[n:], "/")
	}}
}

func rewritePathStep(regex, template string) pathStep {
	re := regexp.MustCompile(regex)
	return pathStep{rewrite.RewritePath(regex, template), func(path string) string {
		normal, at := normalForm(path)
		m := re.FindStringSubmatchIndex(normal)
		if m == nil {
			return path
		}
		return supplied(expanded(template, path, at, m))
	}}
}

func replaceRegexStep(regex, template string) pathStep {
	re := regexp.MustCompile(regex)
	return pathStep{rewrite.ReplacePathRegex(regex, template), func(path string) string {
		normal, at := normalForm(path)
		var b strings.Builder
		last := 0
		matches := re.FindAllStringSubmatchIndex(normal, -1)
		if matches == nil {
			return path
		}
		for _, m := range matches {
			b.WriteString(path[at[last]:at[m[0]]])
			b.WriteString(expanded(template, path, at, m))
			last = m[1]
		}
		return supplied(b.String() + path[at[last]:])
	}}
}

// expanded returns template with the captures of the match m, which are taken
// from path: at has the offset there of each offset in the normal form.
func expanded(template, path string, at, m []int) string {
	text, groups, _ := strings.Cut(template, "$")
	for group := range strings.SplitSeq(groups, "$") { // digit, or digit in braces, and text
		if group == "" {
			break
		}
		group = strings.TrimPrefix(group, "{")
		i := 2 * int(group[0]-'0')
		if m[i] >= 0 {
			text += path[at[m[i]]:at[m[i+1]]]
		}
		text += strings.TrimPrefix(group[1:], "}")
	}
	return text
}

// supplied returns path with the leading slash that it may lack.
func supplied(path string) string {
	if !strings.HasPrefix(path, "/") {
		return "/" + path
	}
	return path
}

// normalForm returns path with its escaped letters as letters, and the offset
// in path of every offset in that.
func normalForm(path string) (normal string, at []int) {
	var b strings.Builder
	b.Grow(len(path))
	at = make([]int, 0, len(path)+1)
	for i := 0; i < len(path); i++ {
		at = append(at, i)
		switch {
		case strings.HasPrefix(path[i:], "%61"):
			b.WriteByte('a')
			i += 2
		case strings.HasPrefix(path[i:], "%62"):
			b.WriteByte('b')
			i += 2
		default:
			b.WriteByte(path[i])
		}
	}
	return b.String(), append(at, len(path))
}
