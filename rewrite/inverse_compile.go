package rewrite

// What is wrong with explicit mappings.

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
)

// A MappingError is one fault of one mapping.
type MappingError struct {
	Index  int         // of the mapping in the slice given to CompileMappings
	Kind   MappingKind // of the mapping
	Param  string      // "kind", "from" or "to"
	Offset int         // byte of the parameter at which it goes wrong; -1: the whole of it
	Err    error       // what is wrong and what to write instead
}

// Error returns one line that names the mapping, its kind and the parameter.
func (e *MappingError) Error() string {
	return "mapping " + strconv.Itoa(e.Index) + ": " + e.Kind.String() + ": " + e.Param + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *MappingError) Unwrap() error { return e.Err }

// MappingErrors is every fault of a list of mappings, in its order.
// CompileMappings returns it as its error.
type MappingErrors []*MappingError

// Error returns one line per fault.
func (l MappingErrors) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = "rewrite: " + e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes errors.Is and errors.As look at every fault.
func (l MappingErrors) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// CompileMappings judges a list of mappings and compiles it. Of opts it uses
// the limits of regular expressions; nil is the safe defaults. The error is
// MappingErrors with every fault; there are no Mappings then. The list is not
// kept. An empty one gives Mappings that map nothing.
func CompileMappings(list []Mapping, opts *Options) (*Mappings, error) {
	c := mappingCompiler{}
	if opts != nil {
		c.opts = *opts
	}
	out := new(Mappings)
	for i, m := range list {
		c.at, c.kind = i, m.Kind
		if m.Kind < 0 || int(m.Kind) >= len(out.kinds) {
			c.fail("kind", errors.New("unknown: use MapLocation, MapCookiePath or MapCookieDomain"))
			continue
		}
		out.kinds[m.Kind] = append(out.kinds[m.Kind], c.mapping(m))
	}
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	return out, nil
}

// A mappingCompiler collects what is wrong with mappings.
type mappingCompiler struct {
	opts Options
	errs MappingErrors

	at   int
	kind MappingKind
}

func (c *mappingCompiler) fail(param string, err error) {
	e := &MappingError{Index: c.at, Kind: c.kind, Param: param, Offset: -1, Err: err}
	if at, ok := errors.AsType[*textError](err); ok {
		e.Offset = at.offset
	}
	c.errs = append(c.errs, e)
}

// mapping compiles m. What it returns is of use only if nothing failed.
func (c *mappingCompiler) mapping(m Mapping) mapping {
	readable := true
	for _, p := range []struct{ name, text string }{{"from", m.From}, {"to", m.To}} {
		if err := c.readable(p.name, p.text); err != nil {
			c.fail(p.name, err)
			readable = false
		}
	}
	if !readable {
		return mapping{}
	}
	if expr, ok := strings.CutPrefix(m.From, "~"); ok {
		return c.regexp(expr, m.To)
	}
	var out mapping
	for _, p := range []struct {
		name, text string
		site       *site
	}{{"from", m.From, &out.from}, {"to", m.To, &out.to}} {
		var err error
		if i := strings.IndexByte(p.text, '$'); i >= 0 {
			err = &textError{"a $, which is no variable here,", i, "the text itself, or %24 for a dollar sign"}
		} else if *p.site, err = c.site(p.text); err == nil {
			continue
		}
		c.fail(p.name, fmt.Errorf("%s %w", quote(p.text), err))
	}
	return out
}

// readable returns what is wrong with a parameter of any kind.
func (c *mappingCompiler) readable(param, s string) error {
	if len(s) > maxParam {
		return fmt.Errorf("%d bytes long: at most %d", len(s), maxParam)
	}
	if i := notUTF8(s); i >= 0 {
		return &textError{fmt.Sprintf("byte %#02x, which is not UTF-8,", s[i]), i, fmt.Sprintf("%%%02X in a path", s[i])}
	}
	for i := range len(s) {
		switch b := s[i]; {
		case b < ' ' || b == 0x7F:
			return &textError{"a control byte", i, fmt.Sprintf("%%%02X in a path, or remove it", b)}
		case b == ';' && c.kind != MapLocation:
			return &textError{"a semicolon, which ends the attribute,", i, "the value of the attribute alone"}
		case b == ',' && c.kind == MapCookiePath && param == "to":
			return &textError{"a comma, at which some clients take the next cookie to begin,", i, "%2C"}
		}
	}
	return nil
}

// site reads From or To without a regular expression.
func (c *mappingCompiler) site(s string) (site, error) {
	switch c.kind {
	case MapCookieDomain:
		name, err := hostname.ParseName(strings.TrimPrefix(s, "."))
		if err != nil {
			return site{}, hostFault(err, len(s)-len(strings.TrimPrefix(s, ".")))
		}
		return site{host: name}, nil
	case MapCookiePath:
		path, err := mappedPath(s, 0)
		return site{path: path}, err
	}
	if s == "default" || s == "off" {
		return site{}, errors.New(`is a word of nginx: leave the mapping out; for "default" the inverse is derived`)
	}
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || strings.HasPrefix(s, "/") {
		path, err := mappedPath(s, 0)
		return site{path: path}, err
	}
	if !isHTTP(scheme) {
		return site{}, &textError{"the scheme " + quote(scheme), 0, "http or https"}
	}
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	at := len(scheme) + len("://")
	name, err := hostname.Parse(host)
	if err != nil {
		return site{}, hostFault(err, at)
	}
	out := site{scheme: strings.ToLower(scheme), host: name}
	if path != "" {
		out.path, err = mappedPath(path, at+len(host))
	}
	return out, err
}

// hostFault returns err with its offset in the parameter, where the host begins
// at base.
func hostFault(err error, base int) error {
	if h, ok := errors.AsType[*hostname.Error](err); ok {
		return &textError{"no host (" + h.Reason + ")", base + h.Offset, "a name such as example.com"}
	}
	return err
}

// mappedPath returns the path s, which begins at base of the parameter, escaped.
func mappedPath(s string, base int) (string, error) {
	if s != "" && s[0] != '/' && s[0] != '?' && s[0] != '#' {
		return "", &textError{"no slash", base, `a path that begins with "/", or "http://host/path"`}
	}
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		return "", &textError{"a query or a fragment", base + i, "what precedes it; query and fragment of a value stay"}
	}
	err := checkPath(s)
	if at, ok := errors.AsType[*textError](err); ok {
		err = &textError{at.what, base + at.offset, at.write}
	}
	if err != nil {
		return "", err
	}
	return string(escape.AppendPath(nil, s)), nil
}

// regexp compiles a mapping with a regular expression, whose From is "~" and
// expr.
func (c *mappingCompiler) regexp(expr, to string) mapping {
	expr, fold := strings.CutPrefix(expr, "*")
	flags := syntax.Perl
	if fold || c.kind == MapCookieDomain { // names have no letter case
		flags |= syntax.FoldCase
	}
	// One judge for all regular expressions: the one of RewritePath.
	p := preparer{opts: c.opts, rule: &Rule{Action: RewritePath(expr, "/")}}
	limits := c.opts.Regexp
	limits.setDefaults()
	tree, cost := p.regex(limits, flags)
	if tree == nil {
		for _, e := range p.errs {
			c.fail("from", e.Err)
		}
		return mapping{}
	}
	parts, _, err := parseParts(to, 0, tree.MaxCap(), func(dst []byte, s string) []byte { return append(dst, s...) })
	if err != nil {
		c.fail("to", fmt.Errorf("%s %w", quote(to), err))
		return mapping{}
	}
	if err := c.usable(parts); err != nil {
		c.fail("to", fmt.Errorf("%s %w", quote(to), err))
		return mapping{}
	}
	if flags&syntax.FoldCase != 0 {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		c.fail("from", fmt.Errorf("%s: %w", quote(expr), err))
		return mapping{}
	}
	return mapping{re: re, parts: slices.Clip(parts), allow: limits.Budget / cost}
}

// usable returns why nothing that parts become could be used; such a result
// counts as no match, so that the mapping would do nothing. A Domain without a
// capture is checked, and mapped, as one without a regular expression.
func (c *mappingCompiler) usable(parts []part) error {
	if len(parts) == 0 {
		return errors.New("is empty: write what the value becomes")
	}
	text := parts[0].text
	switch {
	case parts[0].group != 0:
	case c.kind == MapLocation && !begins(text):
		return &textError{"a space or a backslash in front", 0, "a URL or a path"}
	case c.kind == MapCookiePath && text[0] != '/':
		return &textError{"no slash", 0, `a path that begins with "/"`}
	case c.kind == MapCookieDomain && len(parts) == 1:
		to, err := c.site(text)
		parts[0].text = to.host
		return err
	}
	return nil
}
