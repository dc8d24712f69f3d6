package visibility

// Which texts are a Config.

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// ParseConfig reads a Config from JSON, which YAML is to be converted to. The
// top key tells which of three things it is:
//
//   - spec: an IstioOperator, with the configuration of the mesh in
//     spec.meshConfig;
//   - serviceEntryVisibility or defaultServiceExportTo: the configuration of a
//     mesh, of which these two are read;
//   - otherwise serviceEntryVisibility itself.
//
// A nil Config and no error means that visibility is not configured, because
// the text is null or the field is null or not there: use [Off].
//
// Names of fields are in camelCase or snake_case. Outside serviceEntryVisibility
// unknown fields are ignored. Inside everything must be understood: a field
// that is misspelt, written twice or unknown, an unknown matcher, a level that
// is unknown or a number are errors, because Istio would drop some of them and
// then show what was to be hidden. The error is [Errors], with every fault.
// Selectors are not judged here but by [Compile]. The cost is linear.
func ParseConfig(data []byte) (*Config, error) {
	d := decoder{}
	c := d.config(data)
	if err := d.errs.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// ParseConfigLenient reads a Config as istiod does: unknown fields and matchers
// are dropped and levels may be numbers, and each of these is a warning. It is
// for showing what a running mesh does; what is still an error makes istiod
// refuse the whole configuration.
func ParseConfigLenient(data []byte) (*Config, []Warning, error) {
	d := decoder{lenient: true}
	c := d.config(data)
	if err := d.errs.err(); err != nil {
		return nil, nil, err
	}
	return c, d.warnings, nil
}

// A decoder reads one Config and collects what is wrong with it.
type decoder struct {
	lenient  bool
	errs     Errors
	warnings []Warning
}

// Names outside the message.
const (
	fieldVisibility = "serviceEntryVisibility"
	fieldExportTo   = "defaultServiceExportTo"
)

func (d *decoder) config(data []byte) *Config {
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		at := ""
		if syntax, ok := err.(*json.SyntaxError); ok {
			at = "byte " + strconv.FormatInt(syntax.Offset, 10) + ": "
		}
		d.errs.addf("", "the text is no JSON: %s%w", at, err)
		return nil
	}
	if isNull(raw) {
		return nil
	}
	top := d.members("", raw)
	if len(d.errs) > 0 {
		return nil
	}
	if spec, ok := d.find("", top, "spec"); ok {
		mesh, _ := d.find("spec", d.members("spec", spec), "meshConfig")
		return d.mesh("spec.meshConfig", d.members("spec.meshConfig", mesh))
	}
	for _, m := range top {
		switch m.name {
		case fieldVisibility, snake(fieldVisibility), fieldExportTo, snake(fieldExportTo):
			return d.mesh("", top)
		}
	}
	return d.message("", raw)
}

// mesh reads the configuration of a mesh.
func (d *decoder) mesh(path string, fields []member) *Config {
	raw, ok := d.find(path, fields, fieldVisibility)
	if !ok {
		d.misspelt(path, fields)
		return nil
	}
	if isNull(raw) {
		return nil
	}
	c := d.message(join(path, fieldVisibility), raw)
	if list, ok := d.find(path, fields, fieldExportTo); ok && !isNull(list) {
		c.DefaultExportTo = d.strings(join(path, fieldExportTo), list)
	}
	return c
}

// misspelt refuses a field that can only have been meant as the one this
// package is for, which would leave the mesh without a configuration.
func (d *decoder) misspelt(path string, fields []member) {
	for _, m := range fields {
		if _, near := nearest(m.name, []string{fieldVisibility, snake(fieldVisibility)}); near {
			d.unknown(path, m.name, []string{fieldVisibility})
		}
	}
}

// message reads serviceEntryVisibility itself.
func (d *decoder) message(path string, raw json.RawMessage) *Config {
	c := new(Config)
	d.object(path, raw, fields{
		{"defaultVisibility", func(at string, raw json.RawMessage) { c.DefaultVisibility = d.level(at, raw) }},
		{"applyToSidecars", func(at string, raw json.RawMessage) { c.ApplyToSidecars = d.bool(at, raw) }},
		{"policies", func(at string, raw json.RawMessage) {
			d.array(at, raw, func(at string, raw json.RawMessage) {
				c.Policies = append(c.Policies, d.policy(at, raw))
			})
		}},
	})
	return c
}

func (d *decoder) policy(path string, raw json.RawMessage) (p Policy) {
	d.object(path, raw, fields{
		{"visibility", func(at string, raw json.RawMessage) { p.Visibility = d.level(at, raw) }},
		{"matchingRules", func(at string, raw json.RawMessage) {
			d.array(at, raw, func(at string, raw json.RawMessage) {
				p.MatchingRules = append(p.MatchingRules, d.rule(at, raw))
			})
		}},
	})
	return p
}

func (d *decoder) rule(path string, raw json.RawMessage) (r MatchRule) {
	d.object(path, raw, fields{
		{"namespaceSelector", func(at string, raw json.RawMessage) { r.NamespaceSelector = d.selector(at, raw) }},
	})
	return r
}

func (d *decoder) selector(path string, raw json.RawMessage) *LabelSelector {
	s := new(LabelSelector)
	d.object(path, raw, fields{
		{"matchLabels", func(at string, raw json.RawMessage) { s.MatchLabels = d.labels(at, raw) }},
		{"matchExpressions", func(at string, raw json.RawMessage) {
			d.array(at, raw, func(at string, raw json.RawMessage) {
				s.MatchExpressions = append(s.MatchExpressions, d.requirement(at, raw))
			})
		}},
	})
	return s
}

func (d *decoder) requirement(path string, raw json.RawMessage) (r Requirement) {
	d.object(path, raw, fields{
		{"key", func(at string, raw json.RawMessage) { r.Key = d.string(at, raw) }},
		{"operator", func(at string, raw json.RawMessage) { r.Operator = Operator(d.string(at, raw)) }},
		{"values", func(at string, raw json.RawMessage) { r.Values = d.strings(at, raw) }},
	})
	return r
}

func (d *decoder) labels(path string, raw json.RawMessage) map[string]string {
	labels := make(map[string]string)
	for _, m := range d.members(path, raw) {
		at := fmt.Sprintf("%s[%s]", path, quote(m.name))
		if _, twice := labels[m.name]; twice {
			d.errs.addf(at, "the label is written twice: remove one")
		}
		if isNull(m.value) {
			d.mismatch(at, "text in quotes", m.value)
			continue
		}
		labels[m.name] = d.string(at, m.value)
	}
	return labels
}

// level reads the text form of a Level. Istio takes its number too.
func (d *decoder) level(path string, raw json.RawMessage) (l Level) {
	if n, err := strconv.ParseInt(string(raw), 10, 32); err == nil {
		if n < 0 || n >= int64(len(levelNames)) {
			d.errs.addf(path, "there is no level %d: write %s", n, oneOf(levelNames[1:]))
			return Unspecified
		}
		if !d.lenient {
			d.errs.addf(path, "a level is a word: write %s instead of %d", Level(n), n)
			return Unspecified
		}
		d.warn(LevelIsNumber, path, fmt.Sprintf("the level is a number: write %s instead of %d", Level(n), n))
		return Level(n)
	}
	errs := len(d.errs)
	text := d.string(path, raw)
	if len(d.errs) > errs {
		return Unspecified
	}
	for i, name := range levelNames {
		if name == text {
			return Level(i)
		}
	}
	d.errs.add(path, unknownName(text, levelNames[1:]))
	return Unspecified
}

func (d *decoder) warn(code WarningCode, path, detail string) {
	d.warnings = append(d.warnings, Warning{code, path, detail})
}
