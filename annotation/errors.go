package annotation

// What Parse returns as its error, and how messages quote what was written.

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/errlist"
	"github.com/readdress/readdress/internal/quoted"
	"github.com/readdress/readdress/rewrite"
)

// A Code is the kind of an Error. The set is small, and a code keeps its
// meaning over releases.
type Code string

const (
	CodeSyntax         Code = "syntax"          // not JSON from here on
	CodeText           Code = "text"            // not Unicode text, or a control character
	CodeType           Code = "type"            // JSON of the wrong type
	CodeEmpty          Code = "empty"           // nothing where something is needed
	CodeMissing        Code = "missing"         // an item without params
	CodeNumber         Code = "number"          // not a whole number in range
	CodeUnknownKey     Code = "unknown-key"     // a key under the prefix that is none of the ten
	CodeUnknownField   Code = "unknown-field"   // a field that is not params, when or order
	CodeUnknownHook    Code = "unknown-hook"    // a "when" that is no hook
	CodeDuplicateField Code = "duplicate-field" // a field or a name twice in one object
	CodeDuplicateHook  Code = "duplicate-hook"  // a hook twice in one annotation
	CodeParam          Code = "param"           // no host, path or action, says rewrite.Compile
	CodeConflict       Code = "conflict"        // two annotations that exclude each other
	CodeOrderTie       Code = "order-tie"       // two actions that nothing puts in order
	CodeLimit          Code = "limit"           // too large, too deep or too many
	CodeOptions        Code = "options"         // Options.Rewrite is wrong, whatever the annotations
)

// An Error is one fault of one annotation. Parse makes all its errors anew, so
// they belong to the caller.
type Error struct {
	// Key is the whole key of the annotation. "": all annotations together, or
	// Options.
	Key string
	// Index is that of the list item, -1 if the fault is in none.
	Index int
	// Offset is where the value goes wrong: the first byte that no correct
	// value could have there, or the length of the value if it ends too soon.
	// Inside a JSON string it is the byte of the annotation's value, where an
	// escape such as \u00e9 is six. What is wrong as a whole, such as an
	// escaped control character or a dot-segment, is pointed at by its first
	// byte. -1: the whole value.
	Offset int
	Code   Code
	// Detail says what is wrong and what to write instead. It quotes at most
	// 64 bytes of a value, with control characters escaped.
	Detail string
	// Related are the other places that take part in a conflict, a tie or a
	// duplicate. An Index or Offset of -1 is as above.
	Related []rewrite.Origin
	// Err is the error of package rewrite behind a CodeParam or CodeOptions.
	Err error
}

// Error returns one line: key[index]@offset, the detail, and the other places.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Key == "" {
		b.WriteString("annotations")
	} else {
		writePlace(&b, rewrite.Origin{Key: e.Key, Index: e.Index, Offset: e.Offset})
	}
	b.WriteString(": " + e.Detail)
	for i, o := range e.Related {
		b.WriteString([]string{" (see ", ", "}[min(i, 1)])
		writePlace(&b, o)
	}
	if len(e.Related) > 0 {
		b.WriteByte(')')
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// FieldPath returns the path of the annotation in a Kubernetes object, as
// field errors of the API server have it: metadata.annotations[key], or
// metadata.annotations if the fault is not that of one annotation.
func (e *Error) FieldPath() string {
	if e.Key == "" {
		return "metadata.annotations"
	}
	return "metadata.annotations[" + keyText(e.Key) + "]"
}

// writePlace writes key[index]@offset and leaves out what is negative.
func writePlace(b *strings.Builder, o rewrite.Origin) {
	b.WriteString(keyText(o.Key))
	if o.Index >= 0 {
		b.WriteString("[" + strconv.Itoa(o.Index) + "]")
	}
	if o.Offset >= 0 {
		b.WriteString("@" + strconv.Itoa(o.Offset))
	}
}

// An ErrorList is every fault of a map of annotations, sorted by key, offset
// and code. It is the error that Parse returns, and the same map and options
// give the same list every time.
type ErrorList []*Error

// Error returns one line per fault.
func (l ErrorList) Error() string { return errlist.Lines("annotation: ", l) }

// Unwrap returns the faults, for errors.Is and errors.As.
func (l ErrorList) Unwrap() []error { return errlist.Unwrap(l) }

func (l ErrorList) sort() {
	slices.SortStableFunc(l, func(a, b *Error) int {
		return cmp.Or(
			cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Offset, b.Offset),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Detail, b.Detail),
		)
	})
}

// quote quotes a value for a message and cuts long ones.
func quote(s string) string { return quoted.Text(s, maxQuoted) }

// maxQuoted is how many bytes of a value a message quotes.
const maxQuoted = 64

// quotedText matches what is quoted in a message, cut or not.
var quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:\.\.\.)?`)

// cutQuoted returns a message with at most maxQuoted bytes of what it quotes,
// which the quoted texts share: what the short ones leave is for the others.
func cutQuoted(message string) string {
	var texts []string
	for _, q := range quotedText.FindAllString(message, -1) {
		text, err := strconv.Unquote(strings.TrimSuffix(q, "..."))
		if err != nil {
			text = strings.Trim(q, `".`)
		}
		texts = append(texts, text)
	}
	share := maxQuoted
	for ; ; share-- {
		sum := 0
		for _, text := range texts {
			sum += min(len(text), share)
		}
		if sum <= maxQuoted {
			break
		}
	}
	i := -1
	return quotedText.ReplaceAllStringFunc(message, func(q string) string {
		if i++; len(texts[i]) <= share {
			return q
		}
		return quoted.Text(texts[i], share)
	})
}

// keyText returns a key for a message: as it is if it could be one in
// Kubernetes, which allows 253 bytes, a slash and 63 bytes; else quoted.
func keyText(key string) string {
	if key == "" || len(key) > 253+1+63 {
		return quote(key)
	}
	for i := range len(key) {
		if c := key[i]; c <= ' ' || c >= 0x7F || c == '"' {
			return quote(key)
		}
	}
	return key
}
