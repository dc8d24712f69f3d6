package rewrite

// Templates: what the match of a regular expression is replaced by.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// A template is what a regular expression's match is replaced by: literal
// text and captures, in turn.
type template struct {
	path     []part
	query    []part
	hasQuery bool // there is a "?"
	dropOwn  bool // it ends in "?": the request's own query goes
}

// A part is literal text, already escaped, or the capture of a group.
type part struct {
	text  string
	group int // 0: text
}

// parseTemplate reads the template of a pattern with the given number of
// groups. partial says that its path is put into another one, so that its first
// and last segment need not be whole. Offsets in errors are bytes of s.
func parseTemplate(s string, groups int, partial bool) (template, error) {
	path, query, hasQuery := strings.Cut(s, "?")
	t := template{hasQuery: hasQuery}
	if hasQuery && partial {
		return t, &textError{"a question mark", len(path), "%3F for one in the path, of which every match is replaced, and use RewritePath for a query"}
	}
	parts, text, err := parseParts(path, 0, groups, escape.AppendPath)
	if err != nil {
		return t, err
	}
	t.path = parts
	if partial {
		err = checkBytes(text, 0)
	} else if text != "" {
		err = checkPath(text)
	}
	if err != nil || !hasQuery {
		return t, err
	}
	whole := len(query)
	query = strings.TrimSuffix(query, "?")
	t.dropOwn = query == "" || len(query) < whole
	if t.query, text, err = parseParts(query, len(path)+1, groups, appendQueryLiteral); err != nil {
		return t, err
	}
	return t, checkBytes(text, len(path)+1)
}

// parseParts splits s, at offset base of a template, into literal text, which
// write escapes, and captures. text is s with an "x" for every byte of a
// capture: what the literal text is judged by, at its own offsets.
func parseParts(s string, base, groups int, write func([]byte, string) []byte) (parts []part, text string, err error) {
	var literal, judged []byte
	flush := func() {
		if len(literal) > 0 {
			parts = append(parts, part{text: string(write(nil, string(literal)))})
			literal = literal[:0]
		}
	}
	for i := 0; i < len(s); {
		if s[i] != '$' {
			literal = append(literal, s[i])
			judged = append(judged, s[i])
			i++
			continue
		}
		group, width, fault := parseDollar(s[i:], groups)
		if fault != nil {
			fault.offset = base + i
			return nil, "", fault
		}
		if group > 0 {
			flush()
			parts = append(parts, part{group: group})
		} else {
			literal = append(literal, '$')
		}
		for range width {
			judged = append(judged, 'x')
		}
		i += width
	}
	flush()
	return parts, string(judged), nil
}

// parseDollar reads what follows a dollar sign at s[0]: a group, or 0 for "$$".
// fault is nil, or what is wrong there.
func parseDollar(s string, groups int) (group, width int, fault *textError) {
	digits := ""
	switch {
	case len(s) > 1 && s[1] == '$':
		return 0, 2, nil
	case len(s) > 1 && '0' <= s[1] && s[1] <= '9':
		digits, width = s[1:2], 2
	case len(s) > 1 && s[1] == '{':
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, 0, &textError{what: "${ without }", write: "${1}"}
		}
		digits, width = s[2:end], end+1
	default:
		return 0, 0, &textError{what: "a lone $", write: "$$ for a dollar sign, or $1 to $9 for a capture; names are not supported"}
	}
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil || digits[0] == '+' || digits[0] == '-':
		return 0, 0, &textError{what: "capture " + quote(digits) + ", which is no number,", write: "${1} for the first group; names are not supported"}
	case n == 0:
		return 0, 0, &textError{what: "$0, which is not supported,", write: "$1, and put the whole regular expression in parentheses"}
	case n > groups:
		return 0, 0, &textError{what: fmt.Sprintf("capture %d of a regular expression with %d groups", n, groups), write: "the number of a group"}
	}
	return n, width, nil
}

// appendQueryLiteral escapes what may not stand in a query; "&" and "=" stay.
func appendQueryLiteral(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7F {
			dst = escape.Append(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
