package contour

// Conditions, and how those of includes and of a route are joined.

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// What a route may ask for. Includes multiply it.
const (
	maxConditions = 64
	maxPath       = 2048
)

// A kind is how a path is compared.
type kind int8

const (
	kindPrefix kind = iota // as text
	kindExact
	kindRegex // on the whole path
)

func (k kind) String() string { return [...]string{"prefix", "exact", "regex"}[k] }

// conditions is what all includes on the way, and a route, ask for. The zero
// conditions are every path.
type conditions struct {
	path string // "" is "/"
	kind kind
	when route.Conditions
}

// full returns the path with that of all includes.
func (c *conditions) full() string {
	if c.path == "" {
		return "/"
	}
	return c.path
}

// A fault is what is wrong with a field of a condition, and where in its text.
type fault struct {
	field, detail string
	offset        int
}

func faultf(field, format string, args ...any) *fault {
	return &fault{field: field, detail: fmt.Sprintf(format, args...)}
}

// conditions joins a list of conditions to those inherited. ok is false if one
// of them is wrong, the first of which is reported.
func (w *walk) conditions(list []Condition, key string, inherited conditions) (out conditions, ok bool) {
	out = inherited
	out.when.Headers, out.when.Query = slices.Clip(out.when.Headers), slices.Clip(out.when.Query)
	if err := out.join(list, key); err != nil {
		w.addAt(err.offset, ingress.Error, CodeCondition, err.field, "%s", err.detail)
		return out, false
	}
	return out, true
}

func (c *conditions) join(list []Condition, key string) *fault {
	if n := len(list); n > maxConditions {
		return faultf(key, "there are %d conditions: at most %d can be", n, maxConditions)
	}
	onPath := false
	for i := range list {
		if err := c.add(&list[i], &onPath); err != nil {
			err.field = index(key, i) + err.field
			return err
		}
	}
	if n := len(c.when.Headers) + len(c.when.Query); n > maxConditions {
		return faultf(key, "there are %d conditions with those of the includes: at most %d can be", n, maxConditions)
	}
	if name, bad := contradiction(c.when.Headers, strings.EqualFold); bad {
		return faultf(key, "no value of header field %.64s meets all conditions, with those of the includes: leave out one of them", name)
	}
	if name, bad := contradiction(c.when.Query, func(a, b string) bool { return a == b }); bad {
		return faultf(key, "no value of parameter %.64s meets all conditions, with those of the includes: leave out one of them", name)
	}
	return nil
}

// contradiction returns a name of which conditions ask for two values, or for one
// and none.
func contradiction(list []route.Condition, same func(a, b string) bool) (name string, found bool) {
	for i, a := range list {
		for _, b := range list[:i] {
			if !same(a.Name, b.Name) {
				continue
			}
			twice := a.Test == route.Equals && b.Test == route.Equals && a.Value != b.Value
			if twice || (a.Test == route.Absent) != (b.Test == route.Absent) {
				return a.Name, true
			}
		}
	}
	return "", false
}

// add joins one condition. onPath says that there was one on the path.
func (c *conditions) add(from *Condition, onPath *bool) *fault {
	if len(from.Unread) > 0 {
		return notKnown("", from.Unread)
	}
	for k, value := range []string{from.Prefix, from.Exact, from.Regex} {
		if value == "" {
			continue
		}
		if *onPath {
			return faultf("", "there is a second condition on the path: write one")
		}
		*onPath = true
		if err := c.joinPath(kind(k), value); err != nil {
			err.field = "." + kind(k).String()
			return err
		}
	}
	if from.Header != nil {
		condition, err := from.Header.condition(true)
		if err != nil {
			err.field = ".header" + err.field
			return err
		}
		c.when.Headers = append(c.when.Headers, condition)
	}
	if from.QueryParameter != nil {
		condition, err := from.QueryParameter.condition(false)
		if err != nil {
			err.field = ".queryParameter" + err.field
			return err
		}
		c.when.Query = append(c.when.Query, condition)
	}
	return nil
}

func notKnown(field string, unread []string) *fault {
	return faultf(field+"."+unread[0], "the condition is not known, and without it more requests would match: it is left out")
}

func (c *conditions) joinPath(k kind, value string) *fault {
	if n := len(c.path) + len(value); n > maxPath {
		return faultf("", "the path has %d bytes with those of the includes: at most %d can be", n, maxPath)
	}
	if k != kindRegex && value[0] != '/' {
		return faultf("", "%.64q does not begin with a slash", value)
	}
	c.kind = k
	if k != kindRegex {
		c.path = join(c.path, value)
		return nil
	}
	if detail, offset, bad := pcre.Fault(value); bad {
		return &fault{detail: detail, offset: offset}
	}
	if before := strings.TrimSuffix(c.path, "/"); before != "" {
		value = regexp.QuoteMeta(before) + "(?:" + strings.TrimPrefix(value, "^") + ")"
	} else if text := literalPrefix(value); text != "" && text[0] != '/' {
		return faultf("", "%.64q does not begin with a slash, as every path does: write one before it", value)
	}
	c.path = value
	return nil
}

// literalPrefix returns the text that all that an expression matches from its
// beginning begins with, as far as that is plain.
func literalPrefix(expression string) string {
	re, err := regexp.Compile(strings.TrimPrefix(expression, "^"))
	if err != nil {
		return ""
	}
	text, _ := re.LiteralPrefix()
	return text
}

// join joins two paths, with one slash wherever there are more.
func join(a, b string) string {
	var out strings.Builder
	last := byte(0)
	for _, s := range []string{a, b} {
		for i := range len(s) {
			if s[i] != '/' || last != '/' {
				out.WriteByte(s[i])
			}
			last = s[i]
		}
	}
	return out.String()
}

// condition returns the condition of a table. What RE2 cannot say is a fault:
// that a value is not something.
func (v *ValueCondition) condition(header bool) (route.Condition, *fault) {
	c := route.Condition{Name: v.Name, Test: route.Matches}
	tests := 0
	set := func(is bool, make func()) {
		if is {
			tests++
			make()
		}
	}
	quoted := func(before, text, after string) func() {
		return func() { c.Value = v.flags(before+after, header) + before + regexp.QuoteMeta(text) + after }
	}
	set(v.Present, func() { c.Test = route.Present })
	set(v.NotPresent, func() { c.Test = route.Absent })
	set(v.Exact != "", func() {
		if quoted("", v.Exact, "")(); !v.IgnoreCase {
			c.Test, c.Value = route.Equals, v.Exact
		}
	})
	set(v.Contains != "", quoted(".*", v.Contains, ".*"))
	set(v.Prefix != "", quoted("", v.Prefix, ".*"))
	set(v.Suffix != "", quoted(".*", v.Suffix, ""))
	set(v.Regex != "", func() { c.Value = v.Regex })
	switch {
	case len(v.Unread) > 0:
		return c, notKnown("", v.Unread)
	case v.Name == "":
		return c, faultf("", "the name is absent")
	case v.NotExact != "" || v.NotContains != "":
		return c, faultf("", "a value cannot be required not to be something: write a route for what it is, which comes before this one")
	case tests != 1:
		return c, faultf("", "there are %d tests: write one", tests)
	case v.TreatMissingAsEmpty && v.Regex != "":
		return c, faultf("", "a value that is missing is not compared: leave out treatMissingAsEmpty")
	case header && (v.Prefix != "" || v.Suffix != ""):
		return c, faultf("", "a header field has no prefix and no suffix: write regex")
	case v.Regex != "":
		if detail, offset, bad := pcre.Fault(v.Regex); bad {
			return c, &fault{".regex", detail, offset}
		}
	}
	return c, nil
}

// flags returns the flags of an expression that is not the operator's. A
// parameter may have a line feed, which ".*" matches with one.
func (v *ValueCondition) flags(around string, header bool) string {
	flags := ""
	if v.IgnoreCase {
		flags = "i"
	}
	if around != "" && !header {
		flags += "s"
	}
	if flags == "" {
		return ""
	}
	return "(?" + flags + ")"
}

// pattern returns what a table compares a path with, if no rewrite says
// otherwise.
func (c *conditions) pattern() route.Pattern {
	p := route.Pattern{Path: c.full()}
	switch {
	case c.kind == kindExact:
		p.Type = route.Exact
	case c.kind == kindRegex:
		p.Type, p.Path = route.Regex, pcre.Whole(p.Path)
	case p.Path != "/":
		p.Type = route.TextPrefix
	}
	return p
}

// A spelling is how the routes of one object, and of what it includes, write a
// prefix.
type spelling struct {
	routes        int
	bare, slashed bool // with and without a final slash
}

// both reports whether Contour finds no spelling to add. It looks at the number
// of routes, whatever else their conditions are.
func (s spelling) both(compat bool) bool {
	return s.bare && s.slashed || compat && s.routes > 1
}

// spellings returns those of each prefix of p's routes, there and among what p
// includes, by its text without a final slash. Routes with two conditions on the
// path are none.
func spellings(p *HTTPProxy, inherited conditions, included []ingress.Entry) map[string]spelling {
	found := make(map[string]spelling)
	for i := range p.Routes {
		if path, ok := prefixOf(p.Routes[i].Conditions, inherited.path); ok {
			trimmed := strings.TrimRight(path, "/")
			s := found[trimmed]
			s.routes++
			s.bare, s.slashed = s.bare || trimmed == path, s.slashed || trimmed != path
			found[trimmed] = s
		}
	}
	if len(found) == 0 {
		return found
	}
	for i := range included {
		e := &included[i]
		if e.Pattern.Type != route.Prefix && e.Pattern.Type != route.TextPrefix {
			continue
		}
		trimmed := strings.TrimRight(e.Pattern.Path, "/")
		if s, ok := found[trimmed]; ok {
			// A Prefix is what rewrite makes of one with a final slash.
			slashed := trimmed != e.Pattern.Path || e.Pattern.Type == route.Prefix
			s.routes++
			s.bare, s.slashed = s.bare || !slashed, s.slashed || slashed
			found[trimmed] = s
		}
	}
	return found
}

// prefixOf returns the prefix that a list of conditions asks for behind inherited.
func prefixOf(list []Condition, inherited string) (path string, ok bool) {
	own := ""
	for _, c := range list {
		if c.Exact != "" || c.Regex != "" || c.Prefix != "" && own != "" {
			return "", false
		}
		own = cmp.Or(own, c.Prefix)
	}
	if len(inherited)+len(own) > maxPath {
		return "", false
	}
	return join(inherited, own), true
}

// origin returns the Origin of a field.
func origin(key string) rewrite.Origin { return rewrite.Origin{Key: key} }
