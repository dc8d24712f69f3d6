package haproxy

// HAProxy's log-format strings, as far as they are text, and the templates of
// package rewrite that they become.

import (
	"errors"
	"strconv"
	"strings"

	"github.com/readdress/readdress/route/ingress"
)

// A piece of a format is text or, where group is not negative, the group of
// that number; 0 is the whole match.
type piece struct {
	text  string
	group int
}

var errExpression = errors.New("a log-format expression can only be evaluated by HAProxy: write the text itself, or %% for a percent sign")

// formatCode returns the code of a problem with a format.
func formatCode(err error) ingress.Code {
	if errors.Is(err, errExpression) {
		return CodeExpression
	}
	return CodeValue
}

// parseFormat returns the pieces of a format. With groups set, \0 to \9 are
// groups. On an error offset is where it goes wrong.
func parseFormat(s string, groups bool) (pieces []piece, offset int, err error) {
	var text []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%' && i+1 < len(s) && s[i+1] == '%':
			text = append(text, '%')
			i++
		case c == '%':
			return nil, i, errExpression
		case c == '\\' && groups && i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '9':
			if len(text) > 0 {
				pieces = append(pieces, piece{string(text), -1})
				text = nil
			}
			pieces = append(pieces, piece{"", int(s[i+1] - '0')})
			i++
		case c == '\\' && groups:
			return nil, i, errors.New(`a backslash begins a group: write \0 to \9`)
		case c == '\\':
			return nil, i, errors.New("there is a backslash, but no regular expression of which it could name a group: leave it out")
		default:
			text = append(text, c)
		}
	}
	if len(text) > 0 {
		pieces = append(pieces, piece{string(text), -1})
	}
	return pieces, 0, nil
}

// literal returns the text of a format without groups.
func literal(s string) (text string, offset int, err error) {
	pieces, offset, err := parseFormat(s, false)
	if err != nil || len(pieces) == 0 {
		return "", offset, err
	}
	return pieces[0].text, 0, nil
}

// template returns pieces as package rewrite writes them. Groups are numbered
// from shift on; those behind last are the empty text, and missing is the first
// of them.
func template(pieces []piece, shift, last int) (text string, missing int) {
	var b strings.Builder
	for _, p := range pieces {
		switch {
		case p.group < 0:
			b.WriteString(strings.ReplaceAll(p.text, "$", "$$"))
		case p.group <= last:
			b.WriteString("${" + strconv.Itoa(p.group+shift) + "}")
		case missing == 0:
			missing = p.group
		}
	}
	return b.String(), missing
}
