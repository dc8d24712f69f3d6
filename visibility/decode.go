package visibility

// Which texts are a Config.

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// ParseConfig reads a Config from JSON, which YAML is to be converted to. The
// top key tells which of three things it is:
//
//   - spec: an IstioOperator, with the configuration of the mesh in
//     spec.meshConfig;
//   - a field of serviceEntryVisibility, or what can only have been meant as one,
//     or none at all: serviceEntryVisibility itself;
//   - otherwise the configuration of a mesh, of which serviceEntryVisibility and
//     defaultServiceExportTo are read.
//
// A nil Config and no error means that visibility is not configured, because
// the text is null or the field is null or not there: use [Off], with what
// [ParseDefaultExportTo] reads of the same text.
//
// Names of fields are in camelCase or snake_case; matchLabels and
// matchExpressions have no snake_case, which Istio drops. Outside
// serviceEntryVisibility unknown fields are ignored, unless they are misspellings
// of those that are read, or stand in an object outside the one in which they
// would be, or in spec.values.meshConfig. Inside everything must be understood: a
// field that is misspelt, written twice or unknown, an unknown matcher, a level
// that is unknown or a number are errors, because Istio would drop some of them
// and then show what was to be hidden. A Kubernetes object other than an
// IstioOperator is an error. The error is [Errors], with every fault. Selectors
// are not judged here but by [Compile]. The cost is linear.
func ParseConfig(data []byte) (*Config, error) {
	d := decoder{}
	c := d.config(data)
	if err := d.errs.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// ParseDefaultExportTo reads defaultServiceExportTo from the texts that
// [ParseConfig] reads, also where they do not configure visibility: it is what
// [Off] takes. nil and no error means that there is none, empty and not nil that
// it says nobody. The errors are those of ParseConfig.
func ParseDefaultExportTo(data []byte) ([]string, error) {
	d := decoder{}
	d.config(data)
	if err := d.errs.err(); err != nil {
		return nil, err
	}
	return d.exportTo, nil
}

// ParseConfigLenient reads a Config as istiod does, for showing what a running
// mesh does. Each of these is a warning:
//
//   - unknown fields and matchers are dropped;
//   - of a field or label that is written twice the last counts, and of a field
//     in both spellings the one in camelCase;
//   - a null in a list, or as the value of a label, is an empty item;
//   - a level may be a number, and one that is no level's is Public.
//
// Texts of other types, levels that are no words of Istio's and numbers that are
// not whole are still errors, and make istiod refuse the whole configuration.
// istiod also refuses it for fields that are not read here. What
// spec.values.meshConfig says about visibility is an error here, though Istio
// takes it.
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
	exportTo []string // defaultServiceExportTo
}

// Names outside the message.
const (
	fieldMesh       = "meshConfig"
	fieldVisibility = "serviceEntryVisibility"
	fieldExportTo   = "defaultServiceExportTo"
)

// Names by which an object is told to be the message: its own fields, and those
// inside it, which one level too high are a mistake in it.
var messageNames = bothCases("defaultVisibility", "applyToSidecars", "policies",
	"policy", "visibility", "matchingRules", "namespaceSelector")

// meshNames are the names that are read in the configuration of a mesh.
var meshNames = bothCases(fieldVisibility, fieldExportTo)

func bothCases(names ...string) []string {
	var list []string
	for _, name := range names {
		list = append(list, name, protoName(name))
	}
	return list
}

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
	if kind, ok := d.find("", top, "kind"); ok && !isNull(kind) && string(kind) != `"IstioOperator"` {
		d.errs.addf("kind", "the object has no configuration of a mesh: write that of an IstioOperator, or the text in data.mesh of the ConfigMap")
		return nil
	}
	if spec, ok := d.find("", top, "spec"); ok {
		return d.operator(top, d.members("spec", spec))
	}
	if isMessage(top) {
		return d.message("", raw)
	}
	d.misplaced("", top, "spec", fieldMesh)
	return d.mesh("", top)
}

// operator reads an IstioOperator.
func (d *decoder) operator(top, spec []member) *Config {
	const path = "spec." + fieldMesh
	d.misplaced("", top, "spec", fieldMesh)
	d.misplaced("", top, path, fieldVisibility, fieldExportTo)
	d.misplaced("spec", spec, path, fieldVisibility, fieldExportTo)
	d.misspelt("spec", spec, bothCases(fieldMesh))
	d.helm(spec)
	mesh, _ := d.find("spec", spec, fieldMesh)
	return d.mesh(path, d.members(path, mesh))
}

// helm refuses what stands among the values of Helm, from where Istio takes the
// configuration of a mesh too.
func (d *decoder) helm(spec []member) {
	const path = "spec.values"
	mesh := d.inside(path, d.inside("spec", spec, "values"), fieldMesh)
	d.misspelt(join(path, fieldMesh), mesh, meshNames)
	for _, m := range mesh {
		if slices.Contains(meshNames, m.name) && !isNull(m.value) {
			d.errs.addf(join(path, fieldMesh+"."+m.name), "the field is not read here: write it in spec.%s", fieldMesh)
		}
	}
}

// isMessage reports whether the fields are those of the message, rather than of
// the configuration of a mesh.
func isMessage(fields []member) bool {
	message := len(fields) == 0
	for _, m := range fields {
		if slices.Contains(meshNames, m.name) {
			return false
		}
		_, near := nearest(m.name, messageNames)
		message = message || near
	}
	return message
}

// mesh reads the configuration of a mesh.
func (d *decoder) mesh(path string, fields []member) *Config {
	d.misplaced(path, fields, join(path, fieldVisibility), "defaultVisibility", "applyToSidecars", "policies")
	d.misspelt(path, fields, meshNames)
	if list, ok := d.find(path, fields, fieldExportTo); ok && !isNull(list) {
		d.exportTo = d.namespaces(join(path, fieldExportTo), list)
	}
	raw, ok := d.find(path, fields, fieldVisibility)
	if !ok || isNull(raw) {
		return nil
	}
	c := d.message(join(path, fieldVisibility), raw)
	c.DefaultExportTo = d.exportTo
	return c
}

// misspelt refuses fields that can only have been meant as one of names, of an
// object of which other fields are ignored.
func (d *decoder) misspelt(path string, fields []member, names []string) {
	for _, m := range fields {
		if name, near := nearest(m.name, names); near && name != m.name {
			d.unknown(path, m.name, []string{name})
		}
	}
}

// misplaced refuses fields of such an object that are read in the object at the
// path to: they are likely not indented as they were meant to be.
func (d *decoder) misplaced(path string, fields []member, to string, names ...string) {
	for i := range fields {
		for _, name := range names {
			if fields[i].is(name) {
				d.unknown(path, fields[i].name, []string{join(to, name)})
			}
		}
	}
}

// namespaces reads an exportTo.
func (d *decoder) namespaces(path string, raw json.RawMessage) []string {
	errs := len(d.errs)
	list := d.strings(path, raw)
	if d.lenient || len(d.errs) > errs {
		return list
	}
	for i, name := range list {
		checkExportTo(name, fmt.Sprintf("%s[%d]", path, i), &d.errs)
	}
	return list
}

// message reads serviceEntryVisibility itself.
func (d *decoder) message(path string, raw json.RawMessage) *Config {
	c := new(Config)
	d.object(path, raw, fields{
		{"defaultVisibility", func(at string, raw json.RawMessage) { c.DefaultVisibility = d.level(at, raw) }},
		{"applyToSidecars", func(at string, raw json.RawMessage) { c.ApplyToSidecars = d.bool(at, raw) }},
		{"policies", func(at string, raw json.RawMessage) { c.Policies = readList(d, at, raw, d.policy) }},
	})
	return c
}

func (d *decoder) policy(path string, raw json.RawMessage) (p Policy) {
	d.object(path, raw, fields{
		{"visibility", func(at string, raw json.RawMessage) { p.Visibility = d.level(at, raw) }},
		{"matchingRules", func(at string, raw json.RawMessage) { p.MatchingRules = readList(d, at, raw, d.rule) }},
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
		{"matchExpressions", func(at string, raw json.RawMessage) { s.MatchExpressions = readList(d, at, raw, d.requirement) }},
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
	list := d.members(path, raw)
	last := make(map[string]int, len(list)) // member of each name
	for i, m := range list {
		last[m.name] = i
	}
	labels := make(map[string]string, len(last))
	seen := make(map[string]bool, len(last))
	for i, m := range list {
		at := fmt.Sprintf("%s[%s]", path, quote(m.name))
		if seen[m.name] {
			d.twice(at, "label")
		}
		seen[m.name] = true
		if i != last[m.name] {
			continue
		}
		if isNull(m.value) {
			if !d.lenient {
				d.mismatch(at, "text in quotes", m.value)
				continue
			}
			d.warn(NullValue, at, "the value is null, which istiod takes for an empty one: write text in quotes")
		}
		labels[m.name] = d.string(at, m.value)
	}
	return labels
}

// level reads the text form of a Level. Istio takes numbers too, whole ones in
// any notation, and means Public by those that it does not know.
func (d *decoder) level(path string, raw json.RawMessage) Level {
	if n, ok := wholeNumber(raw); ok {
		known := 0 <= n && n < len(levelNames)
		switch {
		case d.lenient && known:
			d.warn(LevelIsNumber, path, fmt.Sprintf("the level is a number: write %s instead of %d", Level(n), n))
			return Level(n)
		case d.lenient:
			d.warn(UnknownLevel, path, fmt.Sprintf("there is no level %d, which istiod takes for PUBLIC: write %s", n, oneOf(levelNames[1:])))
			return Public
		case known:
			d.errs.addf(path, "a level is a word: write %s instead of %d", Level(n), n)
		default:
			d.errs.addf(path, "there is no level %d: write %s", n, oneOf(levelNames[1:]))
		}
		return Unspecified
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		d.mismatch(path, oneOf(levelNames[1:]), raw)
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

// wholeNumber reads a number that protobuf takes for one of an enum.
func wholeNumber(raw json.RawMessage) (int, bool) {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || f < math.MinInt32 || f > math.MaxInt32 {
		return 0, false
	}
	return int(f), true
}

func (d *decoder) warn(code WarningCode, path, detail string) {
	d.warnings = append(d.warnings, Warning{code, path, detail})
}
