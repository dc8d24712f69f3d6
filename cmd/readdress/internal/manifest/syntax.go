package manifest

// Syntax: the documents of a file, or why it has none, where, and what to do.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A SyntaxError says why a file cannot be read, and where.
type SyntaxError struct {
	Position Position
	Detail   string
}

func (e *SyntaxError) Error() string { return e.Position.String() + ": " + e.Detail }

// documents returns the values of all documents. The error is a *SyntaxError.
func (f *File) documents() ([]*yaml.Node, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	list, err := decode(bytes.NewReader(f.Data))
	if err != nil {
		return nil, cmp.Or(f.jsonError(), f.syntaxError(err))
	}
	return list, nil
}

func decode(r io.Reader) ([]*yaml.Node, error) {
	var list []*yaml.Node
	for dec := yaml.NewDecoder(r); ; {
		var document yaml.Node
		err := dec.Decode(&document)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, document.Content[0])
	}
}

// bom is a byte-order mark.
var bom = []byte("\ufeff")

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

// A remedy is what to do about a problem of package yaml.
type remedy struct {
	problem string // how it begins
	advice  string
	at      *regexp.Regexp // finds, as its group, the byte that is meant on the line
}

const (
	notYAML   = "this is not YAML: "
	unclosed  = "found unexpected end of stream"
	backslash = `write \\ for a backslash, or put the text in single quotes`
)

var remedies = []remedy{
	{"did not find expected key", "indent this line like the keys beside it, and write nothing behind a closing quote", nil},
	{"did not find expected '-' indicator", "indent this line like the items beside it, and begin it with -", nil},
	{"did not find expected ',' or ']'", "write ] behind the last item, and put texts with brackets in quotes", nil},
	{"did not find expected ',' or '}'", "write } behind the last value, and put texts with braces or brackets in quotes", nil},
	{"did not find expected node content", "write a value, or render the template that this is", nil},
	{"block sequence entries are not allowed", "begin the list on the next line, or put the text in quotes", nil},
	{"mapping values are not allowed", "put a text with a colon in quotes, or correct the indentation", nil},
	{"could not find expected ':'", "write a colon behind the key, or indent this line more than the key of the text that it goes on with", nil},
	{unclosed, "write the closing quote", nil},
	{"found unexpected document indicator", "write the closing quote before the next document begins", nil},
	{"did not find expected <document start>", "indent this line like the first one, or write --- before a new document", nil},
	{"did not find expected comment or line break", "put a text that begins with | or > in quotes, or begin it on the next line", regexp.MustCompile(`[\s\[{,]([|>])`)},
	{"found undefined tag handle", "put a text that begins with ! in quotes", regexp.MustCompile(`(?:^|[\s\[{,])(!)`)},
	{"did not find expected hexdecimal number", backslash, nil},
	{"found invalid Unicode character escape code", backslash, nil},
	{"found unknown escape character", backslash, regexp.MustCompile(`(?:[^\\]|^)(?:\\\\)*(\\[^\\0abtnvfre "'/N_LPxuU\s])`)},
	{"did not find expected alphabetic or numeric character", "put a text that begins with * or & in quotes", regexp.MustCompile(`(?:^|[\s\[{,])([*&])`)},
	{"unknown anchor", "put a text that begins with * in quotes, or name an anchor that is written before", regexp.MustCompile(`(?:^|[\s\[{,])(\*)`)},
	{"found character that cannot start any token", "put a text that begins with @, % or a backquote in quotes", regexp.MustCompile("(?:^|[\\s\\[{,])([@%`])")},
}

var (
	yamlLine = regexp.MustCompile(`^line (\d+): `)
	// fromZero are problems whose lines package yaml counts from 0.
	fromZero = regexp.MustCompile(`^(?:did not find expected (?:<|node|'-'|key$|',')|found (?:undefined tag handle|duplicate %|incompatible))`)
	// elsewhere are problems of which it says at most where the mapping, the
	// sequence or the text around them begins.
	elsewhere = regexp.MustCompile(`^(?:did not find expected (?:'-'|key$)|unknown anchor |found a tab )`)
)

// syntaxError gives an error of package yaml, which has a line at most, the
// column of the first byte on it that can be meant, and says what to do.
func (f *File) syntaxError(err error) error {
	problem, line := parts(err)
	if len(f.Data) <= maxAgain {
		line = f.lookAgain(problem, line)
		before, _ := f.line(line)
		if why, begin := f.problem(before); why == unclosed && problem != unclosed {
			return &SyntaxError{f.firstText(begin), notYAML + "behind the text in quotes that begins here, " + problem + ": write its closing quote"}
		}
	}
	at := f.firstText(line)
	tab := bytes.HasPrefix(f.Data[f.lines[at.Line-1]+at.Col-1:], []byte{'\t'})
	if tab && (strings.Contains(problem, "cannot start any token") || strings.Contains(problem, "tab character")) {
		return &SyntaxError{at, notYAML + "there is a tab: YAML is indented by spaces"}
	}
	detail := notYAML + problem
	for _, r := range remedies {
		if !strings.HasPrefix(problem, r.problem) {
			continue
		}
		detail += ": " + r.advice
		if r.at == nil {
			break
		}
		if start, end := f.line(line); start < end {
			if m := r.at.FindSubmatchIndex(f.Data[start:end]); m != nil {
				at = f.At(start + m[2])
			}
		}
	}
	return &SyntaxError{at, detail}
}

// asJSON is how files begin that are JSON.
var asJSON = regexp.MustCompile(`^(?:\x{feff})?[\s\[]*\{\s*"`)

// jsonError returns what is wrong with a file that is JSON by its beginning, nil if
// it is none: package yaml says no more than which object or list has the problem.
func (f *File) jsonError() error {
	if !asJSON.Match(f.Data) {
		return nil
	}
	text := bytes.TrimPrefix(f.Data, bom)
	err := json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage))
	if errors.Is(err, io.ErrUnexpectedEOF) {
		end := len(bytes.TrimRightFunc(f.Data, unicode.IsSpace))
		return &SyntaxError{f.At(end - 1), "this is not JSON: the file ends here, before all brackets and braces are closed"}
	}
	if fault, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &SyntaxError{f.At(len(f.Data) - len(text) + int(fault.Offset) - 1), "this is not JSON: " + err.Error()}
	}
	return nil
}

// parts returns what an error of package yaml says, and the line, 1 if it has none.
func parts(err error) (problem string, line int) {
	problem, line = strings.TrimPrefix(err.Error(), "yaml: "), 1
	if m := yamlLine.FindStringSubmatch(problem); m != nil {
		problem = problem[len(m[0]):]
		line, _ = strconv.Atoi(m[1]) // digits
		if fromZero.MatchString(problem) {
			line++
		}
	}
	return problem, line
}

// maxAgain is how large a file is read again to find a problem.
const maxAgain = 256 << 10

// problem returns what package yaml says of the file up to a byte, and the line.
func (f *File) problem(end int) (problem string, line int) {
	text := bytes.TrimPrefix(f.Data[:end], bom)
	// What begins in the first line, package yaml takes to have no line.
	_, err := decode(io.MultiReader(strings.NewReader("\n"), bytes.NewReader(text)))
	if err == nil {
		return "", 0
	}
	problem, line = parts(err)
	return problem, line - 1
}

// lookAgain returns the line of a problem, as package yaml counts them: if that
// does not say it, the first up to which the file has the problem, as what comes
// behind it changes nothing.
func (f *File) lookAgain(problem string, line int) int {
	if elsewhere.MatchString(problem) {
		i := sort.Search(len(f.nodes), func(i int) bool {
			_, end := f.line(i + 1)
			why, _ := f.problem(end)
			return why == problem
		})
		if i < len(f.nodes) {
			return i + 1
		}
	}
	if why, again := f.problem(len(f.Data)); why == problem {
		line = again
	}
	line = min(line, len(f.nodes))
	text := len(bytes.TrimRightFunc(f.Data, unicode.IsSpace))
	for line > 1 && f.nodes[line-1].offset >= text { // the end of the file comes too early
		line--
	}
	return line
}

// line returns where a line of package yaml begins and ends, with its line break.
func (f *File) line(line int) (start, end int) {
	i := max(0, min(line, len(f.nodes))-1)
	end = len(f.Data)
	if i+1 < len(f.nodes) {
		end = f.nodes[i+1].offset
	}
	return f.nodes[i].offset, end
}

// firstText returns the position of the first byte of a line of package yaml that
// is no space.
func (f *File) firstText(line int) Position {
	start, _ := f.line(line)
	n := len(f.Data[start:]) - len(bytes.TrimLeft(f.Data[start:], " "))
	return f.At(min(start+n, max(start, len(f.Data)-1)))
}
