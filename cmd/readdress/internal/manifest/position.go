package manifest

// Positions: the line and column of a node, of a place in a manifest and of a
// byte in a value.

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
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

// maxValues is how many values a file can have, about: package yaml needs 250
// bytes for each, however short it is.
const maxValues = 1 << 20

// check reports the first byte that no YAML has, and a file with too many values.
func (f *File) check() error {
	values := 0
	for i := 0; i < len(f.Data); {
		r, size := utf8.DecodeRune(f.Data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return &SyntaxError{f.At(i), fmt.Sprintf("byte 0x%02x is not UTF-8: save the file as UTF-8", f.Data[i])}
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f:
			return &SyntaxError{f.At(i), fmt.Sprintf("there is a control character, %U: remove it, or write it as an escape in double quotes", r)}
		}
		switch f.Data[i] {
		case ',', ':', '[', '{':
			values++
		case '-', '?':
			if i+1 == len(f.Data) || isBlank(f.Data[i+1]) {
				values++
			}
		}
		if values > maxValues {
			return &SyntaxError{f.At(i), fmt.Sprintf("there are more than %d values before: split the file", maxValues)}
		}
		i += size
	}
	return nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+)(?:, column (\d+))?: )?(?:while .*?: )?`)

// syntaxError gives an error of package yaml, which has a line at most, the
// column of the first byte on it that can be meant.
func (f *File) syntaxError(err error) error {
	detail := strings.TrimPrefix(err.Error(), "yaml: ")
	at := Position{File: f.Name, Line: 1, Col: 1}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil && m[1] != "" {
		line, _ := strconv.Atoi(m[1]) // digits
		detail = err.Error()[len(m[0]):]
		at = f.firstText(line)
		if (strings.Contains(detail, "cannot start any token") || strings.Contains(detail, "tab character")) && f.Data[f.lines[at.Line-1]+at.Col-1] == '\t' {
			detail = "there is a tab: YAML is indented by spaces"
		}
	}
	var typed *yaml.TypeError
	if errors.As(err, &typed) {
		detail = strings.Join(typed.Errors, "; ")
	}
	return &SyntaxError{at, "this is not YAML: " + detail}
}

// firstText returns the position of the first byte of a line of package yaml that
// is no space.
func (f *File) firstText(line int) Position {
	start := f.nodes[max(0, min(line, len(f.nodes))-1)].offset
	n := len(f.Data[start:]) - len(bytes.TrimLeft(f.Data[start:], " "))
	return f.At(min(start+n, max(start, len(f.Data)-1)))
}

// Position returns where the object begins.
func (o *Object) Position() Position { return o.File.nodePosition(o.Node) }

// Locate returns the position of a rule, a path, or a byte in an annotation or
// field of an object of s: of as much of that as there is.
func (s *Set) Locate(source ingress.Source, origin rewrite.Origin) Position {
	o := s.Find(source.Kind, source.Namespace, source.Name)
	if o == nil {
		return Position{}
	}
	best := o.place(source)
	if origin.Key != "" {
		if n := o.annotations[origin.Key]; n != nil {
			return o.File.Value(n, origin.Offset)
		}
		if p, ok := s.onService(o, source, origin); ok {
			return p
		}
		rule := source
		rule.Path = -1
		bases := []*yaml.Node{best, o.place(rule), Field(o.Node, "spec"), o.Node}
		if n, whole := follow(bases, origin.Key); n != nil {
			if whole {
				return o.File.Value(n, origin.Offset)
			}
			best = n
		}
	}
	return o.File.nodePosition(best)
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

// onService finds an annotation of the Service that a path of an Ingress names.
func (s *Set) onService(o *Object, source ingress.Source, origin rewrite.Origin) (Position, bool) {
	name := text(Field(Field(Field(o.place(source), "backend"), "service"), "name"))
	if name == "" {
		return Position{}, false
	}
	service := s.Find("Service", source.Namespace, name)
	if service == nil {
		return Position{}, false
	}
	n := service.annotations[origin.Key]
	if n == nil {
		return Position{}, false
	}
	return service.File.Value(n, origin.Offset), true
}

// follow follows a path of fields, such as filters[0].urlRewrite.path, from
// whichever base leads furthest. whole is false if it ends before the path does.
func follow(bases []*yaml.Node, path string) (best *yaml.Node, whole bool) {
	steps := strings.Split(strings.ReplaceAll(path, "[", ".["), ".")
	longest := 0
	for _, base := range bases {
		n, used := base, 0
		for _, step := range steps {
			next := Field(n, step)
			if digits, ok := strings.CutPrefix(step, "["); ok {
				i, err := strconv.Atoi(strings.TrimSuffix(digits, "]"))
				if err != nil {
					i = -1
				}
				next = Item(n, i)
			}
			if next == nil {
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
