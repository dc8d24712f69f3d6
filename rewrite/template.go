package rewrite

import (
	"errors"
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
// groups. Offsets in errors are bytes of s.
func parseTemplate(s string, groups int) (template, error) {
	var t template
	literal, litAt := []byte(nil), 0 // the literal text being read, and where it began
	flush := func(end int) error {
		if len(literal) == 0 {
			return nil
		}
		text := string(literal)
		literal = literal[:0]
		if t.hasQuery {
			t.query = append(t.query, part{text: string(appendQueryLiteral(nil, text))})
			return nil
		}
		if i := strings.Index(text, "//"); i >= 0 {
			return fmt.Errorf("has an empty segment at offset %d: write one slash", litAt+i)
		}
		whole := text
		if len(t.path) > 0 { // the text before the first slash continues a capture
			i := strings.IndexByte(whole, '/')
			whole = whole[max(i, 0):]
			if i < 0 {
				whole = ""
			}
		}
		if end < len(s) && s[end] == '$' { // the text after the last slash is continued
			whole = whole[:max(strings.LastIndexByte(whole, '/'), 0)]
		}
		if whole != "" {
			if err := checkDots(whole, litAt+strings.Index(text, whole)); err != nil {
				return err
			}
		}
		t.path = append(t.path, part{text: string(escape.AppendPath(nil, text))})
		return nil
	}
	for i := 0; i < len(s); i++ {
		if len(literal) == 0 {
			litAt = i
		}
		switch c := s[i]; {
		case c == '$':
			n, width, err := parseDollar(s[i:], groups)
			if err != nil {
				return t, fmt.Errorf("%w, at offset %d", err, i)
			}
			if n == 0 {
				literal = append(literal, '$')
			} else {
				if err := flush(i); err != nil {
					return t, err
				}
				if t.hasQuery {
					t.query = append(t.query, part{group: n})
				} else {
					t.path = append(t.path, part{group: n})
				}
			}
			i += width - 1
		case c == '?' && !t.hasQuery:
			if err := flush(i); err != nil {
				return t, err
			}
			t.hasQuery = true
			t.dropOwn = i == len(s)-1
		case c == '?' && i == len(s)-1:
			t.dropOwn = true
		case c == '%':
			if _, ok := escape.Octet(s, i); !ok {
				return t, fmt.Errorf("has a %% without two hexadecimal digits at offset %d: write %%25 for a percent sign", i)
			}
			literal = append(literal, c)
		case c == '#':
			return t, fmt.Errorf("has a # at offset %d: write %%23", i)
		case c < ' ' || c == 0x7F:
			return t, fmt.Errorf("has a control byte at offset %d: remove it, or write %%%02X", i, c)
		default:
			literal = append(literal, c)
		}
	}
	return t, flush(len(s))
}

// parseDollar reads what follows a dollar sign at s[0]: a group, or 0 for "$$".
func parseDollar(s string, groups int) (group, width int, err error) {
	digits := ""
	switch {
	case len(s) == 1:
		return 0, 0, errors.New("a lone $: write $$ for a dollar sign")
	case s[1] == '$':
		return 0, 2, nil
	case '0' <= s[1] && s[1] <= '9':
		digits, width = s[1:2], 2
	case s[1] == '{':
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, 0, errors.New("${ without }: write ${1}")
		}
		digits, width = s[2:end], end+1
	default:
		return 0, 0, errors.New("a lone $: write $$ for a dollar sign, or $1 to $9 for a capture")
	}
	n, convErr := strconv.Atoi(digits)
	switch {
	case convErr != nil || digits[0] == '+' || digits[0] == '-':
		return 0, 0, fmt.Errorf("capture %s is not a number: write ${1} for the first group; names are not supported", quote(digits))
	case n == 0:
		return 0, 0, errors.New("$0 is not supported: put the whole regular expression in parentheses and write $1")
	case n > groups:
		return 0, 0, fmt.Errorf("capture %d, but the regular expression has %d groups", n, groups)
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
