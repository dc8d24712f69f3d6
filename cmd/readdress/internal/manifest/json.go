package manifest

// YAML nodes: their fields, and the JSON that Kubernetes makes of them.

import (
	"encoding/json"
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// A pair is a key of a mapping and its value.
type pair struct{ key, value *yaml.Node }

// pairs returns the keys and values of a mapping; those that a merge key brings
// come last.
func pairs(n *yaml.Node) []pair {
	m := merger{budget: maxMerges}
	m.add(n, 0)
	return m.list
}

// maxMerges is how many mappings a merge key can bring, those of their own merge
// keys among them: aliases of aliases could be any number.
const maxMerges = 1000

// A merger collects pairs.
type merger struct {
	list   []pair
	budget int // how many more mappings are looked at; below 0: there were too many
}

func (m *merger) add(n *yaml.Node, depth int) {
	n = resolve(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	if m.budget--; m.budget < 0 || depth > maxNesting {
		m.budget = -1
		return
	}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := resolve(n.Content[i]), n.Content[i+1]
		if key.ShortTag() != "!!merge" {
			m.list = append(m.list, pair{key, value})
			continue
		}
		if v := resolve(value); v.Kind == yaml.SequenceNode {
			merged = append(merged, v.Content...)
		} else {
			merged = append(merged, v)
		}
	}
	for _, other := range merged {
		m.add(other, depth+1)
	}
}

// Field returns the value of a key of a mapping, nil if there is none.
func Field(n *yaml.Node, key string) *yaml.Node { return field(n, key).value }

// field is Field with the key.
func field(n *yaml.Node, key string) pair {
	n = resolve(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return pair{}
	}
	merges := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := resolve(n.Content[i])
		if name.ShortTag() == "!!merge" {
			merges = true
		} else if name.Value == key {
			return pair{n.Content[i], n.Content[i+1]}
		}
	}
	if !merges {
		return pair{}
	}
	for _, p := range pairs(n) {
		if p.key.Value == key {
			return p
		}
	}
	return pair{}
}

// Item returns an item of a sequence, nil if there is none.
func Item(n *yaml.Node, i int) *yaml.Node {
	n = resolve(n)
	if n == nil || n.Kind != yaml.SequenceNode || i < 0 || i >= len(n.Content) {
		return nil
	}
	return n.Content[i]
}

// text returns the value of a scalar, "" of anything else.
func text(n *yaml.Node) string {
	n = resolve(n)
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return scalarText(n)
}

// scalarText returns the value of a scalar that is text: !!binary is decoded, as
// Kubernetes does.
func scalarText(n *yaml.Node) string {
	if n.ShortTag() == "!!binary" {
		var s string
		if n.Decode(&s) == nil {
			return s
		}
	}
	return n.Value
}

// isString reports whether Kubernetes takes n for a string. It reads YAML 1.1,
// in which some words are booleans that package yaml takes for strings.
func isString(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	switch n.ShortTag() {
	case "!!timestamp":
		return true
	case "!!binary":
		var s string
		return n.Decode(&s) == nil
	case "!!str":
	default:
		return false
	}
	if n.Style != 0 {
		return true
	}
	switch n.Value {
	case "y", "Y", "n", "N", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF":
		return false
	}
	return true
}

func stringMap(n *yaml.Node) map[string]string {
	nodes := nodeMap(n)
	if len(nodes) == 0 {
		return nil
	}
	m := make(map[string]string, len(nodes))
	for key, p := range nodes {
		m[key] = text(p.value)
	}
	return m
}

// nodeMap returns the pairs of a mapping by their keys.
func nodeMap(n *yaml.Node) map[string]pair {
	list := pairs(n)
	m := make(map[string]pair, len(list))
	for _, p := range list {
		if _, ok := m[p.key.Value]; !ok {
			m[p.key.Value] = p
		}
	}
	return m
}

// A nodeError is why a node has no JSON.
type nodeError struct {
	node   *yaml.Node
	detail string
}

// toJSON returns a YAML value as JSON, in which manifests are defined. It makes
// at most limit bytes, so that aliases of aliases cannot fill the memory.
func toJSON(n *yaml.Node, limit int) ([]byte, *nodeError) {
	e := encoder{limit: limit}
	if err := e.value(n, 0); err != nil {
		return nil, err
	}
	return e.out, nil
}

// jsonLimit is how large the JSON of a file with data can become.
func jsonLimit(data []byte) int { return 64*len(data) + 1<<16 }

type encoder struct {
	out   []byte
	limit int
}

// maxDepth is how deep values may be in each other.
const maxDepth = 200

func (e *encoder) value(n *yaml.Node, depth int) *nodeError {
	at := n
	n = resolve(n)
	switch {
	case depth > maxDepth:
		return &nodeError{at, "values are nested too deep, or an alias is in itself"}
	case len(e.out) > e.limit:
		return &nodeError{at, "aliases make this object too large: write the values out"}
	}
	switch n.Kind {
	case yaml.MappingNode:
		return e.mapping(n, depth)
	case yaml.SequenceNode:
		e.out = append(e.out, '[')
		for i, item := range n.Content {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			if err := e.value(item, depth+1); err != nil {
				return err
			}
		}
		e.out = append(e.out, ']')
	default:
		return e.scalar(n)
	}
	return nil
}

func (e *encoder) mapping(n *yaml.Node, depth int) *nodeError {
	e.out = append(e.out, '{')
	seen := make(map[string]bool)
	own := 0 // how many of the pairs are of n itself
	for i := 0; i+1 < len(n.Content); i += 2 {
		if resolve(n.Content[i]).ShortTag() != "!!merge" {
			own++
		}
	}
	m := merger{budget: maxMerges}
	if m.add(n, 0); m.budget < 0 {
		return &nodeError{n, "there are too many merge keys in each other: write the values out"}
	}
	for i, p := range m.list {
		if p.key.Kind != yaml.ScalarNode {
			return &nodeError{p.key, "a key is no text: write a name, or render the template that this is"}
		}
		if seen[p.key.Value] {
			if i < own {
				return &nodeError{p.key, strconv.Quote(p.key.Value) + " is there twice: remove one"}
			}
			continue
		}
		seen[p.key.Value] = true
		if len(seen) > 1 {
			e.out = append(e.out, ',')
		}
		e.string(p.key.Value)
		e.out = append(e.out, ':')
		if err := e.value(p.value, depth+1); err != nil {
			return err
		}
	}
	e.out = append(e.out, '}')
	return nil
}

func (e *encoder) scalar(n *yaml.Node) *nodeError {
	switch n.ShortTag() {
	case "!!null":
		e.out = append(e.out, "null"...)
	case "!!bool":
		var b bool
		if n.Decode(&b) != nil {
			return &nodeError{n, strconv.Quote(n.Value) + " is neither true nor false"}
		}
		e.out = strconv.AppendBool(e.out, b)
	case "!!int":
		var i int64
		if n.Decode(&i) != nil {
			return &nodeError{n, "the number does not fit in 64 bits"}
		}
		e.out = strconv.AppendInt(e.out, i, 10)
	case "!!float":
		var f float64
		if n.Decode(&f) != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return &nodeError{n, "this is no number that JSON has"}
		}
		e.out = strconv.AppendFloat(e.out, f, 'g', -1, 64)
	default:
		e.string(scalarText(n))
	}
	return nil
}

func (e *encoder) string(s string) {
	text, _ := json.Marshal(s) // a string always has JSON
	e.out = append(e.out, text...)
}
