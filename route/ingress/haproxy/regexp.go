package haproxy

// A regular expression with its replacement, as both controllers write them.

import (
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
	"github.com/readdress/readdress/route/ingress/internal/judge"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// A replacement makes a format of what a regular expression matches.
type replacement struct {
	written  string
	regex    string // written, in which group 1 is the whole match if the format has \0
	template string // of rewrite.RewritePath
	pieces   []piece
	origin   rewrite.Origin
}

func (p *replacement) action() rewrite.Action { return rewrite.RewritePath(p.regex, p.template) }

// A fault is why something cannot be translated.
type fault struct {
	code   ingress.Code
	a      given.Annotation
	offset int
	detail string
}

// replacement reads a regular expression at offset of a, and a format at to of
// b. A fault that is not nil is why one of them cannot be translated; what is
// odd is reported at the place at.
func (r *reading) replacement(at ingress.Source, a given.Annotation, offset int, regex string, b given.Annotation, to int, format string) (replacement, *fault) {
	var p replacement
	pieces, bad, err := parseFormat(format, true)
	if err != nil {
		return p, &fault{formatCode(err), b, to + bad, err.Error()}
	}
	tree, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		detail, at, _ := pcre.Fault(regex)
		return p, &fault{CodeRegexp, a, offset + at, detail}
	}
	pieces, missing := within(pieces, tree.MaxCap())
	written, shift := regex, 0
	if slices.ContainsFunc(pieces, func(p piece) bool { return p.group == 0 }) {
		regex, shift = "("+regex+")", 1
	}
	p = replacement{written: written, regex: regex, template: template(pieces, shift), pieces: pieces, origin: a.Origin(offset)}
	switch err := judge.Action(p.action(), r.c); {
	case err == nil:
	case err.Param == "regex":
		return p, &fault{CodeRegexp, a, offset + max(0, err.Offset), err.Err.Error()}
	default:
		return p, &fault{CodeValue, b, to, err.Err.Error()}
	}
	if missing > 0 {
		r.warn(CodeNoGroup, at, b.Origin(to+strings.Index(format, `\`+strconv.Itoa(missing))), `\%d is the empty text: the expression has %s`, missing, groups(tree.MaxCap()))
	}
	if i := strings.IndexByte(format, '?'); i >= 0 {
		r.warn(CodeQuery, at, b.Origin(to+i), "HAProxy would send two question marks; here the text behind it goes before the request's query")
	}
	return p, nil
}

func groups(n int) string {
	switch n {
	case 0:
		return "no group"
	case 1:
		return "1 group"
	}
	return strconv.Itoa(n) + " groups"
}

// bySegment reports whether every path of the route p is prefix or below it.
func bySegment(p *ingress.PathRule, prefix string) bool {
	path := routed(p)
	return strings.HasPrefix(path, prefix+"/") || path == prefix && !isText(p)
}

// byText reports whether every path of the route p begins with prefix.
func byText(p *ingress.PathRule, prefix string) bool { return strings.HasPrefix(routed(p), prefix) }

// isText reports whether p is a text prefix.
func isText(p *ingress.PathRule) bool { return p.Type != "Prefix" && p.Type != "Exact" }

// routed returns the text that every path of p begins with.
func routed(p *ingress.PathRule) string {
	if p.Type == "Prefix" {
		return strings.TrimRight(p.Path, "/")
	}
	return p.Path
}
