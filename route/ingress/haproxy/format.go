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

// within returns pieces with the empty text for the groups behind last, of which
// missing is the first (0: none), and one slash where such a group stood between
// two of a path.
func within(pieces []piece, last int) (list []piece, missing int) {
	query := false
	for _, p := range pieces {
		switch n := len(list); {
		case p.group > last:
			if missing == 0 {
				missing = p.group
			}
		case p.group < 0 && n > 0 && list[n-1].group < 0:
			text := p.text
			if !query && strings.HasSuffix(list[n-1].text, "/") {
				text = strings.TrimPrefix(text, "/")
			}
			list[n-1].text += text
		default:
			list = append(list, p)
		}
		query = query || strings.Contains(p.text, "?")
	}
	return list, missing
}

// template returns pieces as package rewrite writes them. Groups are numbered
// from shift on.
func template(pieces []piece, shift int) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.group < 0 {
			b.WriteString(strings.ReplaceAll(p.text, "$", "$$"))
		} else {
			b.WriteString("${" + strconv.Itoa(p.group+shift) + "}")
		}
	}
	return b.String()
}
