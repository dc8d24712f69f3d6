package livetest

// What nginx does with a path, as far as the comparison needs it: it decodes,
// merges slashes and resolves dot-segments, matches and replaces the result, and
// escapes that.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// unescape decodes each %HH.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if octet, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(octet))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// nginxEscape escapes what nginx does not write into a path as it is, and
// more.
func nginxEscape(s, more string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#%<>?\\^`{|}"+more, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// nginxPath decodes and cleans a path; false: nginx answers 400.
func nginxPath(path string) (string, bool) {
	for i := range len(path) {
		if path[i] == '%' {
			if i+2 >= len(path) {
				return "", false
			}
			if octet, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err != nil || octet == 0 {
				return "", false
			}
		}
	}
	var out []string
	segments := strings.Split(unescape(path), "/")[1:]
	for i, segment := range segments {
		last := i == len(segments)-1
		switch {
		case segment == "" && !last:
			continue // merged
		case segment == ".":
			segment = ""
		case segment == "..":
			if len(out) == 0 {
				return "", false
			}
			out = out[:len(out)-1]
			segment = ""
		}
		if segment != "" || last {
			out = append(out, segment)
		}
	}
	return "/" + strings.Join(out, "/"), true
}

var group = regexp.MustCompile(`\$[1-9]`)

// nginxModel is what nginx makes of a request for a rule.
func nginxModel(i int, target string) string {
	name, expression, template := nginxRules[i][0], nginxRules[i][1], nginxRules[i][2]
	raw := target
	target, _, _ = strings.Cut(target, "#")
	rawPath, args, _ := strings.Cut(target, "?")
	path, ok := nginxPath(rawPath)
	if !ok {
		return "400"
	}
	// In PCRE, $ also stands before a line end that is the last byte.
	re := regexp.MustCompile(strings.ReplaceAll(strings.ReplaceAll(expression, "|$)", "|\\n?\\z)"), ")$", ")\\n?\\z"))
	m := re.FindStringSubmatchIndex(path)
	if m == nil {
		return "http://" + name + raw
	}
	expand := func(template string, escape func(string) string) string {
		return group.ReplaceAllStringFunc(template, func(reference string) string {
			n := int(reference[1] - '0')
			if m[2*n] < 0 {
				return ""
			}
			return escape(path[m[2*n]:m[2*n+1]])
		})
	}
	template, query, hasQuery := strings.Cut(template, "?")
	out := nginxEscape(expand(template, func(s string) string { return s }), "")
	if hasQuery {
		quoted := strings.ContainsAny(rawPath, "%+")
		query = expand(query, func(s string) string {
			if quoted {
				return nginxEscape(s, "&+;")
			}
			return s
		})
		switch {
		case template == "/$1":
			args = ""
		case args != "":
			args = query + "&" + args
		default:
			args = query
		}
	}
	if args != "" {
		out += "?" + args
	}
	return "http://" + name + out
}
