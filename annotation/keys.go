package annotation

// The grammar as tables: the keys, the form of their "params", and the fields of
// an item.

import "github.com/readdress/readdress/rewrite"

// A form is how "params" is written.
type form uint8

const (
	formAny         form = iota // anything, for a key that is not known
	formText                    // a string
	formTrue                    // true, or "true"
	formCount                   // a whole number from 1, or its digits as a string
	formPairs                   // an object from string to string
	formNames                   // a list of strings
	formNameOrNames             // a string, or a list of strings
)

// A keyword is the last part of an annotation's key, behind the prefix.
type keyword struct {
	name    string
	op      rewrite.Op
	form    form
	example string // of params
}

// keywords is the table of the grammar. Its order is the one in which
// Options.TableOrder runs actions that nothing else puts in order.
var keywords = [...]keyword{
	{"host", rewrite.OpSetHost, formText, `"www.example.com"`},
	{"host-from-path-prefix", rewrite.OpHostFromPathPrefix, formTrue, `true`},
	{"path", rewrite.OpSetPath, formText, `"/foo/bar"`},
	{"path-prefix-add", rewrite.OpAddPathPrefix, formText, `"/bar"`},
	{"path-prefix-trim", rewrite.OpTrimPathPrefix, formText, `"/foo"`},
	{"path-prefix-strip", rewrite.OpStripPathSegments, formCount, `1`},
	{"query-add", rewrite.OpAddQuery, formPairs, `{"name": "alice"}`},
	{"query-delete", rewrite.OpDeleteQuery, formNames, `["name"]`},
	{"query-rename", rewrite.OpRenameQuery, formPairs, `{"name": "user"}`},
	{"query-delete-all-except", rewrite.OpKeepQuery, formNameOrNames, `["name"]`},
}

// unknownKeyword stands for the keyword of a key that is not known.
var unknownKeyword = keyword{form: formAny, example: "..."}

// slips are names that people write and that are too far from what they mean
// for nearest. path-add and path-prefix-delete are in the design document of
// ingress-bfe.
var slips = map[string]string{
	"path-add":           "path-prefix-add",
	"path-trim":          "path-prefix-trim",
	"path-strip":         "path-prefix-strip",
	"path-del":           "path-prefix-trim",
	"path-delete":        "path-prefix-trim",
	"path-remove":        "path-prefix-trim",
	"path-prefix-remove": "path-prefix-trim",
	"path-prefix-delete": "path-prefix-trim",
	"query-remove":       "query-delete",
	"query-keep":         "query-delete-all-except",
	"query-except":       "query-delete-all-except",
	"query-del":          "query-delete",
}

// exclusive are the names that exclude each other, whatever the hooks.
var exclusive = [...][2]string{
	{"host", "host-from-path-prefix"},
	{"path", "path-prefix-add"},
	{"path", "path-prefix-trim"},
	{"path", "path-prefix-strip"},
}

// keywordNamed returns the row of keywords with a name, or -1.
func keywordNamed(name string) int {
	for i := range keywords {
		if keywords[i].name == name {
			return i
		}
	}
	return -1
}

// excludes reports whether two names exclude each other.
func excludes(a, b string) bool {
	for _, pair := range exclusive {
		if pair == [2]string{a, b} || pair == [2]string{b, a} {
			return true
		}
	}
	return false
}

// The fields of an item.
const (
	fieldParams = 1 << iota
	fieldWhen
	fieldOrder
)

var fields = [...]string{"params", "when", "order"}
