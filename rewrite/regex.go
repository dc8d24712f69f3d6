package rewrite

// Regular expressions: what Compile demands of one, and how it is run within its
// budget.

import (
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/quoted"
	"github.com/readdress/readdress/internal/regexlimit"
)

// A pattern is a regular expression that package regexp has to run, within
// bounds, with the template that its matches are replaced by.
type pattern struct {
	re       *regexp.Regexp
	template template
	all      bool   // ReplacePathRegex: replace every match, not the whole path
	lead     string // constant text that the rules behind it put before its result
	allow    int    // budget / instructions: searches × (bytes of path + 1)
}

// regexp prepares RewritePath and ReplacePathRegex.
func (p *preparer) regexp(s *step) {
	limits := p.opts.Regexp
	limits.setDefaults()
	tree, cost := p.regex(limits, syntax.Perl)
	groups := math.MaxInt // so that the template is judged as far as it can be
	if tree != nil {
		groups = tree.MaxCap()
	}
	t, ok := p.template(groups, s.op == OpReplacePathRegex)
	if tree == nil || !ok || recognise(s, tree, t) {
		return
	}
	re, err := regexp.Compile(s.action.args[0])
	if err != nil {
		p.failf("regex", "%s: %w", quote(s.action.args[0]), err)
		return
	}
	s.re = &pattern{re: re, template: t, all: s.op == OpReplacePathRegex, allow: limits.Budget / cost}
}

// regex checks the regular expression, parameter 0, and returns it with its
// number of instructions; nil if there is a fault.
func (p *preparer) regex(limits RegexpLimits, flags syntax.Flags) (tree *syntax.Regexp, cost int) {
	expr, ok := p.arg(0)
	if !ok {
		return nil, 0
	}
	if len(expr) > limits.PatternBytes {
		p.failf("regex", "%d bytes long: at most %d (Options.Regexp.PatternBytes)", len(expr), limits.PatternBytes)
		return nil, 0
	}
	tree, err := syntax.Parse(expr, flags)
	if err == nil {
		var prog *syntax.Prog
		if prog, err = syntax.Compile(tree.Simplify()); err == nil && len(prog.Inst) > limits.Instructions {
			p.failf("regex", "%s compiles to %d instructions: at most %d, because each costs time for every byte of a path; "+
				"write a simpler expression or smaller repeats (Options.Regexp.Instructions)", quote(expr), len(prog.Inst), limits.Instructions)
			return nil, 0
		} else if err == nil {
			return tree, len(prog.Inst)
		}
	}
	var syntaxErr *syntax.Error
	if errors.As(err, &syntaxErr) && len(syntaxErr.Expr) > mostQuoted {
		err = &syntax.Error{Code: syntaxErr.Code, Expr: quoted.Beginning(syntaxErr.Expr, mostQuoted) + "..."}
	}
	p.failf("regex", "%s: %w: write a regular expression of Go's package regexp", quote(expr), err)
	return nil, 0
}

// template checks the template, parameter 1, and returns it.
func (p *preparer) template(groups int, partial bool) (t template, ok bool) {
	text, ok := p.arg(1)
	if !ok {
		return t, false
	}
	t, err := parseTemplate(text, groups, partial)
	if err != nil {
		p.failf("template", "%s %w", quote(text), err)
		return t, false
	}
	return t, true
}

func (l *RegexpLimits) setDefaults() {
	*l = RegexpLimits(regexlimit.Limits(*l).OrDefaults())
}

// rewrite runs the pattern on an escaped path, within the budget. ok is false,
// and out is path, if it does not match. query is what the template's query
// part became. Every check comes before the memory for the result is taken
// from s.
func (p *pattern) rewrite(path string, most int, s *Scratch) (out, query string, ok bool, err error) {
	if len(path) >= p.allow {
		return path, "", false, ErrBudget
	}
	var normal []byte // the normal form of path, if that is not path
	if strings.IndexByte(path, '%') >= 0 {
		normal = escape.AppendNormal(s.temp(len(path)), path, false)
	}
	if p.all {
		var matches [][]int
		searches := p.allow / (len(path) + 1)
		if normal != nil {
			matches = p.re.FindAllSubmatchIndex(normal, searches+1)
		} else {
			matches = p.re.FindAllStringSubmatchIndex(path, searches+1)
		}
		if len(matches) > searches {
			return path, "", false, ErrBudget
		}
		if matches == nil {
			return path, "", false, nil
		}
		for _, m := range matches {
			sourceIndex(path, normal, m)
		}
		out, err = p.replace(path, matches, most, s)
		return out, "", err == nil, err
	}
	var m []int
	if normal != nil {
		m = p.re.FindSubmatchIndex(normal)
	} else {
		m = p.re.FindStringSubmatchIndex(path)
	}
	if m == nil {
		return path, "", false, nil
	}
	sourceIndex(path, normal, m)
	if out, err = p.expand(path, m, most, s); err != nil {
		return path, "", false, err
	}
	if p.template.hasQuery {
		if query, err = p.expandQuery(path, m, most, s); err != nil {
			return path, "", false, err
		}
	}
	return out, query, true, nil
}

// sourceIndex maps the offsets of a match in the normal form to the path.
// Offsets of one match are not sorted, so each walks from the start of the
// match or of the path.
func sourceIndex(path string, normal []byte, m []int) {
	if normal == nil || len(normal) == len(path) {
		return
	}
	from, normalFrom := escape.Source(path, 0, 0, m[0]), m[0]
	for i, n := range m {
		if n >= 0 {
			m[i] = escape.Source(path, from, normalFrom, n)
		}
	}
}

// size returns the number of bytes of the template's path for one match.
func (t *template) size(m []int) int64 {
	n := int64(0)
	for _, p := range t.path {
		if p.group > 0 {
			n += int64(m[2*p.group+1] - m[2*p.group])
		} else {
			n += int64(len(p.text))
		}
	}
	return n
}

// write writes the template's path for one match.
func (t *template) write(w *writer, path string, m []int) {
	for _, p := range t.path {
		if p.group == 0 {
			w.write(p.text)
		} else if m[2*p.group] >= 0 {
			w.write(path[m[2*p.group]:m[2*p.group+1]])
		}
	}
}

// first returns the first byte of the template's path, 0 if it is empty.
func (t *template) first(path string, m []int) byte {
	for _, p := range t.path {
		if p.group == 0 {
			return p.text[0]
		} else if m[2*p.group] < m[2*p.group+1] {
			return path[m[2*p.group]]
		}
	}
	return 0
}

// expand returns lead and the template's path for the match m.
func (p *pattern) expand(path string, m []int, most int, s *Scratch) (string, error) {
	var w writer
	if !p.begin(&w, p.template.size(m), p.template.first(path, m) != '/', most, s) {
		return "", ErrTooLong
	}
	p.template.write(&w, path, m)
	return w.end(), nil
}

// replace returns lead and path with every match replaced.
func (p *pattern) replace(path string, matches [][]int, most int, s *Scratch) (string, error) {
	n, first, last := int64(len(path)), byte(0), 0
	for _, m := range matches {
		n += p.template.size(m) - int64(m[1]-m[0])
		if first == 0 && m[0] > last {
			first = path[last]
		}
		if first == 0 {
			first = p.template.first(path, m)
		}
		last = m[1]
	}
	if first == 0 && last < len(path) {
		first = path[last]
	}
	var w writer
	if !p.begin(&w, n, first != '/', most, s) {
		return "", ErrTooLong
	}
	last = 0
	for _, m := range matches {
		w.write(path[last:m[0]])
		p.template.write(&w, path, m)
		last = m[1]
	}
	w.write(path[last:])
	return w.end(), nil
}

// begin starts a result whose template text has n bytes: lead, and the slash
// that is supplied where the text has none. It reports false if the
// whole would be too long.
func (p *pattern) begin(w *writer, n int64, slash bool, most int, s *Scratch) bool {
	n += int64(len(p.lead))
	if slash {
		n++
	}
	if n > int64(most) {
		return false
	}
	w.begin(s, int(n))
	w.write(p.lead)
	if slash {
		w.write("/")
	}
	return true
}

// expandQuery returns the template's query part for the match m: captures are
// decoded once and escaped for a query.
func (p *pattern) expandQuery(path string, m []int, most int, s *Scratch) (string, error) {
	n := 0
	for _, part := range p.template.query {
		if part.group == 0 {
			n += len(part.text)
		} else if m[2*part.group] >= 0 {
			n += 3 * (m[2*part.group+1] - m[2*part.group])
		}
	}
	if n == 0 {
		return "", nil
	}
	// An escape cut in two by a capture is data: its bytes are escaped.
	buf := s.temp(min(n, most+1)) // the normal form has been used
	for _, part := range p.template.query {
		if part.group == 0 {
			buf = append(buf, part.text...)
		} else if from := m[2*part.group]; from >= 0 {
			capture := path[from:m[2*part.group+1]]
			for i := 0; i < len(capture) && len(buf) <= most; {
				c, width := octetAt(capture, i)
				if escape.IsUnreserved(c) {
					buf = append(buf, c)
				} else {
					buf = escape.Append(buf, c)
				}
				i += width
			}
		}
		if len(buf) > most {
			return "", ErrTooLong
		}
	}
	return s.String(buf), nil
}
