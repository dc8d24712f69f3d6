package nginx

// Back: what backends answer, for the client.

import (
	"errors"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A side is one of the two texts of a mapping, and where it was written.
type side struct {
	name   string // of the annotation
	offset int    // in its value
	text   string
}

// mappings reads proxy-redirect-from, proxy-redirect-to, proxy-cookie-path and
// proxy-cookie-domain.
func (r *reader) mappings() {
	const then = "no Location is changed"
	from := side{"proxy-redirect-from", 0, r.text("proxy-redirect-from")}
	to := side{"proxy-redirect-to", 0, r.text("proxy-redirect-to")}
	switch {
	case r.refused(from.name, urlText, then), r.refused(to.name, urlText, then):
	case from.text == "" && to.text == "", from.text == "off", from.text == "default":
		// No mapping: what the rules' own inverse does.
	case from.text == "" || to.text == "":
		r.bad(from.name, "proxy-redirect-from and proxy-redirect-to are written together, or it is off or default: "+then)
	default:
		r.mapping(rewrite.MapLocation, from, to)
	}
	r.cookie("proxy-cookie-path", urlText, rewrite.MapCookiePath)
	r.cookie("proxy-cookie-domain", basicText, rewrite.MapCookieDomain)
}

// cookie reads a mapping of two words.
func (r *reader) cookie(name string, set charset, kind rewrite.MappingKind) {
	const then = "no cookie is changed"
	value := r.text(name)
	if value == "" || value == "off" || r.refused(name, set, then) {
		return
	}
	fields := strings.Fields(value)
	if len(fields) != 2 {
		r.bad(name, "%.64q is not two words, what there is and what becomes of it: "+then, value)
		return
	}
	r.mapping(kind, side{name, 0, fields[0]}, side{name, strings.LastIndex(value, fields[1]), fields[1]})
}

// mapping adds a mapping, or reports why it cannot be.
func (r *reader) mapping(kind rewrite.MappingKind, from, to side) {
	report := func(s side, code ingress.Code, offset int, text string) {
		r.report(r.o.in.Source(), ingress.Error, code, s.name, s.offset+max(offset, 0)+r.o.lead(s.name), "%s: nothing is changed", text)
	}
	pattern, isRegex := strings.CutPrefix(from.text, "~")
	pattern = strings.TrimPrefix(pattern, "*")
	if isRegex {
		if _, f := parseRegex(pattern); f != nil {
			report(from, CodeRegex, len(from.text)-len(pattern)+f.offset, f.text)
			return
		}
	}
	if i := strings.IndexByte(to.text, '$'); i >= 0 {
		if _, f := parseParts(to.text, 0); f != nil || !isRegex {
			if f != nil {
				i = f.offset
			}
			report(to, CodeVariable, i, "only captures of a regular expression can be said here")
			return
		}
	}
	m := rewrite.Mapping{Kind: kind, From: from.text, To: to.text}
	_, err := rewrite.CompileMappings([]rewrite.Mapping{m}, r.options())
	if faults, ok := errors.AsType[rewrite.MappingErrors](err); ok {
		for _, f := range faults {
			s := from
			if f.Param == "to" {
				s = to
			}
			report(s, CodeValue, f.Offset, f.Err.Error())
		}
		return
	}
	r.o.back = append(r.o.back, m)
}
