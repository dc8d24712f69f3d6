package manifest

// Positions: the line and column of a node, of a place in a manifest and of a
// byte in a value.

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A Position is a byte of a file. The zero Position is none.
type Position struct {
	File string
	Line int // from 1; 0: the file as a whole
	Col  int // from 1, in bytes
	// Plus is a number of bytes into the value that begins at Line and Col, where
	// the lines of the value are not those of the file. 0: none.
	Plus int
}

// String returns file:line:col, with +n behind it where Plus is n.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Plus > 0:
		return fmt.Sprintf("%s:%d:%d+%d", p.File, p.Line, p.Col, p.Plus)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Compare orders by file, line and column.
func (p Position) Compare(q Position) int {
	if c := strings.Compare(p.File, q.File); c != 0 {
		return c
	}
	for _, d := range []int{p.Line - q.Line, p.Col - q.Col, p.Plus - q.Plus} {
		if d != 0 {
			return d
		}
	}
	return 0
}

// A lineMark is where a line begins: its byte, and how many characters are before.
type lineMark struct{ offset, runes int }

// runeStep is how many characters are between those whose offset is kept: with
// them, the column of a node is found without a look at all of its line.
const runeStep = 64

// NewFile returns a file with its text, which it keeps.
func NewFile(name string, data []byte) *File {
	f := &File{Name: name, Data: data, lines: []int{0}, nodes: []lineMark{{}}}
	for i, n := 0, 0; i < len(data); n++ {
		if n%runeStep == 0 {
			f.runes = append(f.runes, i)
		}
		size := lineBreak(data[i:])
		if size == 0 {
			_, size = utf8.DecodeRune(data[i:])
			i += size
			continue
		}
		first := data[i]
		if i += size; first == '\r' && size == 2 {
			if n++; n%runeStep == 0 {
				f.runes = append(f.runes, i-1)
			}
		}
		f.nodes = append(f.nodes, lineMark{i, n + 1})
		if first == '\r' || first == '\n' {
			f.lines = append(f.lines, i)
		}
	}
	return f
}

// lineBreak returns the length of the line break at the beginning of b, 0 if
// there is none.
func lineBreak(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("\r\n")):
		return 2
	case len(b) > 0 && (b[0] == '\n' || b[0] == '\r'):
		return 1
	case bytes.HasPrefix(b, []byte("\u0085")):
		return 2
	case bytes.HasPrefix(b, []byte("\u2028")), bytes.HasPrefix(b, []byte("\u2029")):
		return 3
	}
	return 0
}

// At returns the position of a byte of the file.
func (f *File) At(offset int) Position {
	offset = max(0, min(offset, len(f.Data)))
	line := sort.SearchInts(f.lines, offset+1)
	return Position{File: f.Name, Line: line, Col: offset - f.lines[line-1] + 1}
}

// offset returns the byte at which a node begins. Package yaml counts columns in
// characters, a byte-order mark as none, and lines as YAML 1.1 does.
func (f *File) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(f.nodes) {
		return 0
	}
	line := f.nodes[n.Line-1]
	target := line.runes + max(0, n.Column-1)
	if line.offset == 0 && bytes.HasPrefix(f.Data, []byte("\ufeff")) {
		target++
	}
	if len(f.runes) == 0 {
		return 0
	}
	step := min(target/runeStep, len(f.runes)-1)
	at := f.runes[step]
	for range target - step*runeStep {
		if at >= len(f.Data) {
			break
		}
		_, size := utf8.DecodeRune(f.Data[at:])
		at += size
	}
	return at
}

func (f *File) nodePosition(n *yaml.Node) Position { return f.At(f.offset(n)) }

// Position returns where the object begins.
func (o *Object) Position() Position { return o.File.nodePosition(o.Node) }

// Locate returns the position of a rule, a path, or a byte in an annotation or
// field of an object of s: of as much of that as there is.
func (s *Set) Locate(source ingress.Source, origin rewrite.Origin) Position {
	switch f, n, whole := s.find(source, origin); {
	case f == nil:
		return Position{}
	case whole:
		return f.Value(n.value, origin.Offset)
	default:
		return f.nodePosition(n.value)
	}
}

// LocateKey is Locate for the key of the annotation or field instead of its value.
func (s *Set) LocateKey(source ingress.Source, origin rewrite.Origin) Position {
	f, n, whole := s.find(source, origin)
	if !whole || n.key == nil {
		return s.Locate(source, origin)
	}
	return f.nodePosition(n.key)
}

// find returns what Locate looks for and the file that it is in, nil if there is
// nothing. whole is false if it is only a part of what origin names.
func (s *Set) find(source ingress.Source, origin rewrite.Origin) (f *File, best pair, whole bool) {
	o := s.Find(source.Kind, source.Namespace, source.Name)
	if o == nil {
		return nil, pair{}, false
	}
	best.value = o.place(source)
	if origin.Key == "" {
		return o.File, best, false
	}
	if n, ok := o.annotations[origin.Key]; ok {
		return o.File, n, true
	}
	if service := s.service(o, source); service != nil {
		if n, ok := service.annotations[origin.Key]; ok {
			return service.File, n, true
		}
	}
	rule := source
	rule.Path = -1
	bases := []*yaml.Node{best.value, o.place(rule), Field(o.Node, "spec"), o.Node}
	if n, whole := follow(bases, origin.Key); n.value != nil {
		return o.File, n, whole
	}
	return o.File, best, false
}

// place returns the node that a Source names.
func (o *Object) place(source ingress.Source) *yaml.Node {
	best := o.Node
	rule := Item(Field(Field(o.Node, "spec"), "rules"), source.Rule)
	if rule == nil {
		rule = Item(Field(Field(o.Node, "spec"), "routes"), source.Rule)
	}
	if rule == nil {
		return best
	}
	for _, list := range []*yaml.Node{Field(Field(rule, "http"), "paths"), Field(rule, "matches")} {
		if path := Item(list, source.Path); path != nil {
			return path
		}
	}
	return rule
}

// service returns the Service that a path of an Ingress names, nil if there is
// none.
func (s *Set) service(o *Object, source ingress.Source) *Object {
	name := text(Field(Field(Field(o.place(source), "backend"), "service"), "name"))
	if name == "" {
		return nil
	}
	return s.Find("Service", source.Namespace, name)
}

// follow follows a path of fields, such as filters[0].urlRewrite.path, from
// whichever base leads furthest. whole is false if it ends before the path does.
func follow(bases []*yaml.Node, path string) (best pair, whole bool) {
	steps := strings.Split(strings.ReplaceAll(path, "[", ".["), ".")
	longest := 0
	for _, base := range bases {
		n, used := pair{value: base}, 0
		for _, step := range steps {
			next := field(n.value, step)
			if digits, ok := strings.CutPrefix(step, "["); ok {
				i, err := strconv.Atoi(strings.TrimSuffix(digits, "]"))
				if err != nil {
					i = -1
				}
				next = pair{value: Item(n.value, i)}
			}
			if next.value == nil {
				break
			}
			n = next
			used++
		}
		if used > longest {
			best, longest, whole = n, used, used == len(steps)
		}
	}
	return best, whole
}
