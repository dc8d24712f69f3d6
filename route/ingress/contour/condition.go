package contour

// Conditions, and how those of includes and of a route are joined.

import (
	"errors"
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

// conditions joins a list of conditions to those inherited. ok is false if one
// of them is wrong, which is reported.
func (w *walk) conditions(list []Condition, key string, inherited conditions) (out conditions, ok bool) {
	out, ok = inherited, true
	out.when.Headers, out.when.Query = slices.Clip(out.when.Headers), slices.Clip(out.when.Query)
	fault := func(key, format string, args ...any) {
		w.add(ingress.Error, CodeCondition, key, format, args...)
		ok = false
	}
	paths := 0
	for i := range list {
		c, key := &list[i], index(key, i)
		for _, field := range c.Unread {
			fault(key+"."+field, "the condition is not known, and without it more requests would match: it is left out")
		}
		for k, value := range []string{c.Prefix, c.Exact, c.Regex} {
			if value == "" {
				continue
			}
			if paths++; paths > 1 {
				fault(key, "there is a second condition on the path: write one")
				break
			}
			w.joinPath(&out, kind(k), value, key, fault)
		}
		if c.Header != nil {
			if condition, err := c.Header.condition(true); err != nil {
				fault(key+".header", "%v", err)
			} else {
				out.when.Headers = append(out.when.Headers, condition)
			}
		}
		if c.QueryParameter != nil {
			if condition, err := c.QueryParameter.condition(false); err != nil {
				fault(key+".queryParameter", "%v", err)
			} else {
				out.when.Query = append(out.when.Query, condition)
			}
		}
	}
	if n := len(out.when.Headers) + len(out.when.Query); n > maxConditions {
		fault(key, "there are %d conditions with those of the includes: at most %d can be", n, maxConditions)
	}
	if len(out.path) > maxPath {
		fault(key, "the path has %d bytes with those of the includes: at most %d can be", len(out.path), maxPath)
	}
	return out, ok
}

func (w *walk) joinPath(out *conditions, k kind, value, key string, fault func(key, format string, args ...any)) {
	key += "." + k.String()
	if k != kindRegex && value[0] != '/' {
		fault(key, "%.64q does not begin with a slash", value)
		return
	}
	out.kind = k
	if k != kindRegex {
		out.path = join(out.path, value)
		return
	}
	if detail, offset, bad := pcre.Fault(value); bad {
		fault(key, "%s", detail)
		w.problems[len(w.problems)-1].Origin.Offset = offset
		return
	}
	if before := strings.TrimSuffix(out.path, "/"); before != "" {
		value = regexp.QuoteMeta(before) + "(?:" + strings.TrimPrefix(value, "^") + ")"
	}
	out.path = value
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

// condition returns the condition of a table. What RE2 cannot say is an error:
// that a value is not something.
func (v *ValueCondition) condition(header bool) (route.Condition, error) {
	c := route.Condition{Name: v.Name, Test: route.Matches}
	tests := 0
	set := func(is bool, make func()) {
		if is {
			tests++
			make()
		}
	}
	fold := ""
	if v.IgnoreCase {
		fold = "(?i)"
	}
	quoted := func(before, text, after string) func() {
		return func() { c.Value = fold + before + regexp.QuoteMeta(text) + after }
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
	case v.Name == "":
		return c, errors.New("the name is absent")
	case v.NotExact != "" || v.NotContains != "":
		return c, errors.New("a value cannot be required not to be something: write a route for what it is, which comes before this one")
	case tests != 1:
		return c, fmt.Errorf("there are %d tests: write one", tests)
	case v.TreatMissingAsEmpty && v.Regex != "":
		return c, errors.New("a value that is missing is not compared: leave out treatMissingAsEmpty")
	case header && (v.Prefix != "" || v.Suffix != ""):
		return c, errors.New("a header field has no prefix and no suffix: write regex")
	case v.Regex != "":
		if detail, _, bad := pcre.Fault(v.Regex); bad {
			return c, errors.New(detail)
		}
	}
	return c, nil
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

// A spelling is how the routes of one object write a prefix.
type spelling struct {
	routes        int
	bare, slashed bool // with and without a final slash
}

// both reports whether Contour finds no spelling to add. It looks at the number
// of routes, whatever else their conditions are.
func (s spelling) both(compat bool) bool {
	return s.bare && s.slashed || compat && s.routes > 1
}

// spellings returns those of each prefix of p's routes, by its text without a
// final slash.
func spellings(p *HTTPProxy, inherited conditions) map[string]spelling {
	found := make(map[string]spelling)
	for i := range p.Routes {
		path, isPrefix := inherited.path, true
		for _, c := range p.Routes[i].Conditions {
			path = join(path, c.Prefix)
			isPrefix = isPrefix && c.Exact == "" && c.Regex == ""
		}
		if isPrefix {
			trimmed := strings.TrimRight(path, "/")
			s := found[trimmed]
			s.routes++
			s.bare, s.slashed = s.bare || trimmed == path, s.slashed || trimmed != path
			found[trimmed] = s
		}
	}
	return found
}

// origin returns the Origin of a field.
func origin(key string) rewrite.Origin { return rewrite.Origin{Key: key} }
