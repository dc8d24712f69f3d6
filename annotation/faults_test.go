// Every kind of fault: its code and the byte that it is found at.

package annotation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

// A caret in these values stands before the byte at which there is a fault,
// and is taken out before they are parsed. The rule is that of Error.Offset:
// the first byte that no correct value could have there.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		key, value string
		codes      string // of the faults, in the order of their offsets
		detail     string // of the first
	}{
		// The value.
		{"host", "^", "empty", `write a list, such as [{"params": "www.example.com"}]`},
		{"host", " \n^", "empty", "write a list"},
		{"host", "^null", "type", "write one, such as"},
		{"host", `^{"params": "a.com"}`, "type", "write one, such as"},
		{"host", "^a.com", "type", "write one, such as"},
		{"host", "[^]", "empty", "or remove the annotation"},
		{"host", "^\ufeff[]", "text", "byte-order mark"},
		{"host", "[^", "syntax", "ends too soon"},
		{"host", "[{^", "syntax", "ends too soon"},
		{"host", `[{"params^`, "syntax", `ends within the string that begins at 2: close it with "`},
		{"host", `[{"params": "a.com"^`, "syntax", "ends too soon"},
		{"host", `[{"params": "a.com"}^`, "syntax", "ends too soon"},
		{"host", `[{"params": "a.com"}] ^x`, "syntax", "behind the end"},
		{"host", `[{"params": "a.com"}]^]`, "syntax", "one \"]\" too many"},
		{"host", `[{"params": "a.com"}]` + "^\x00", "syntax", "behind the end"},
		{"host", `[{"params": "a.com"},^]`, "syntax", "remove the comma before it"},
		{"host", `[{"params": "a.com",^}]`, "syntax", "remove the comma before it"},
		{"host", `[{"params": "a.com"}^{"params": "b.com"}]`, "syntax", "no comma before this"},
		{"host", `[{"params": "a.com"^]`, "syntax", "no \"}\" before this"},
		{"host", `[{"params" ^"a.com"}]`, "syntax", `":"`},
		{"host", `[{^params: "a.com"}]`, "syntax", `write a name in double quotes, "params"`},
		{"host", `[{"params": ^'a.com'}]`, "syntax", "single quote"},
		{"host", `[{"params": ^foo.com}]`, "syntax", `write it in double quotes, "foo.com"`},
		{"host", `[{"params": ^10.0.0.1}]`, "syntax", `write it in double quotes, "10.0.0.1"`},
		{"host", `[{"params": ^10.0.0.1:80}]`, "syntax", `"10.0.0.1:80"`},
		{"host", `[{"params": ^2001:db8::1}]`, "syntax", `"2001:db8::1"`},
		{"host", `[{"params": ^http://a.com:80/é?x=y z , "order": 1}]`, "syntax", `"http://a.com:80/é?x=y z"`},
		{"host", `[{"params": ^a` + "\xff" + `b}]`, "syntax", `"a\xffb"`},
		{"host", `[{"params":^}]`, "syntax", `unexpected "}": write a string, such as "www.example.com"`},
		{"host", `[{"params": "a.com", "order":^}]`, "syntax", `unexpected "}": write a whole number`},
		{"host", `[{"params:"^a.com"}]`, "syntax", `no quote before the colon: write "params"`},
		{"query-add", `[{"params": "{\"a:\"^b\"}"}]`, "syntax", `no quote before the colon: write \"a\"`},
		{"host", `[{^'params': "a.com"}]`, "syntax", `single quote: write " around names`},
		{"host", `[^tru]`, "syntax", `write an object, such as {"params": "www.example.com"}`},
		{"host", `[^params: a.com]`, "syntax", "write an object"},
		{"host", `[^/* x */ {"params": "a.com"}]`, "syntax", "a comment, which JSON does not have: remove it"},
		{"host", `[{"params": "a.com" ^// x` + "\n" + `}]`, "syntax", "a comment"},
		{"host", `[{^# x` + "\n" + `"params": "a.com"}]`, "syntax", "a comment"},
		{"host", `[{"params": ^/* x */ "a.com"}]`, "syntax", "a comment"},
		{"host", `[{"params": "a.com"}] ^# x`, "syntax", "a comment"},
		{"host", "[^\v]", "syntax", `"\v"`},
		{"host", `[{"params": "a.com"}, ^"x", ^null, ^[1], ^7]`, "type type type type", "a string: write an object, such as"},

		// Strings.
		{"path", `[{"params": "/a^` + "\n" + `b"}]`, "syntax", "control byte"},
		{"path", `[{"params": "/a^` + "\x00" + `b"}]`, "syntax", "control byte"},
		{"path", `[{"params": "/a^` + "\x7f" + `b"}]`, "text", "control character"},
		{"path", `[{"params": "/a^` + "\u0085" + `b"}]`, "text", "control character"},
		{"path", `[{"params": "/a^` + "\u2028" + `b"}]`, "text", "control character"},
		{"path", `[{"params": "/a^` + "\u2029" + `b"}]`, "text", "control character"},
		{"path", `[{"params": "/a^\nb"}]`, "text", "control character"},
		{"path", `[{"params": "/a^\b"}]`, "text", `'\b'`},
		{"path", `[{"params": "/a^\f"}]`, "text", `'\f'`},
		{"path", `[{"params": "/a^\r"}]`, "text", `'\r'`},
		{"path", `[{"params": "/a^\t"}]`, "text", `'\t'`},
		{"path", `[{"params": "/a\^`, "syntax", `ends within an escape: complete it, and close the string with "`},
		{"path", `[{"params": "/a^\u0000b"}]`, "text", "control character"},
		{"path", `[{"params": "/a^\u0085b"}]`, "text", "control character"},
		{"path", `[{"params": "/a^\u2028b"}]`, "text", "control character"},
		{"path", `[{"params": "/^\ud800"}]`, "text", "surrogate"},
		{"path", `[{"params": "/^\udc00\ud800"}]`, "text", "surrogate"},
		{"path", `[{"params": "/^\ud800\u0041"}]`, "text", "surrogate"},
		{"path", `[{"params": "/^` + "\xff" + `"}]`, "text", "is not UTF-8"},
		{"path", `[{"params": "/^` + "\xed\xa0\x80" + `"}]`, "text", "is not UTF-8"},
		{"path", `[{"params": "/\^x"}]`, "syntax", "escape"},
		{"path", `[{"params": "/\u00^g0"}]`, "syntax", "escape"},
		{"path", `[{"params": "/\u00^`, "syntax", "ends within an escape"},
		{"path", `[{"^\u0007params": "/a"^}]`, "text missing", "control character"},

		// Fields.
		{"host", `[{^}]`, "missing", `write one, such as "params": "www.example.com"`},
		{"host", `[{"when": "Forward"^}]`, "missing", "params"},
		{"host", `[{"params": "a.com", "^Order": 1}]`, "unknown-field", "letter case matters: write order"},
		{"host", `[{"params": "a.com", "o^der": 1}]`, "unknown-field", "write order"},
		{"host", `[{"params": "a.com", "order^s": 1}]`, "unknown-field", "write order"},
		{"host", `[{"params": "a.com", "^x": ^tru}]`, "unknown-field syntax", "write params, when or order"},
		{"host", `["x^`, "syntax", "ends within the string that begins at 1"},
		{"host", `[{"params": "a.com", "^": 1}]`, "unknown-field", "write params, when or order"},
		{"host", `[{"params": "a.com", "^callback": 1}]`, "unknown-field", "write params, when or order"},
		{"host", `[{"params": "a.com", "^paramsx": 1}]`, "unknown-field", "params is there already, so remove it"},
		{"host", `[{"params^x": 1^}]`, "unknown-field missing", "write params"},
		{"host", `[{"params": "a.com", "^params": "b.com"}]`, "duplicate-field", "twice"},
		{"host", `[{"params": "a.com", "order": 1, "^order": 1}]`, "duplicate-field", "twice"},
		{"host", `[{"params": "a.com", "^x\u006e": 1}]`, "unknown-field", `"xn"`},

		// When.
		{"host", `[{"params": "a.com", "when": ^null}]`, "type", "the name of a hook"},
		{"host", `[{"params": "a.com", "when": "^"}]`, "empty", "remove the field for AfterLocation"},
		{"host", `[{"params": "a.com", "when": "^afterlocation"}]`, "unknown-hook", "letter case matters: write AfterLocation"},
		{"host", `[{"params": "a.com", "when": "Before^Forward"}]`, "unknown-hook", ""},
		{"host", `[{"params": "a.com", "when": "AfterLocatio^"}]`, "unknown-hook", "write AfterLocation"},
		{"host", `[{"params": "a.com", "when": "\u0041fter^_location"}]`, "unknown-hook", "write AfterLocation"},
		{"host", `[{"params": "a.com"}, {"params": "b.com"^}]`, "duplicate-hook", "second item for AfterLocation"},
		{"host", `[{"params": "a.com"}, {"when": "^AfterLocation", "params": "b.com"}]`, "duplicate-hook", "second item for AfterLocation"},
		{"host", `[{"params": ^5}, {"params": "b.com"^}]`, "type duplicate-hook", ""},
		{"host", `[{"params": "a.com", "when": ^1}, {"params": "b.com"}]`, "type", ""},

		// Order.
		{"host", `[{"params": "a.com", "order": ^"2"}]`, "type", `write 2, not "2"`},
		{"host", `[{"params": "a.com", "order": ^"first"}]`, "type", "write a whole number from -2147483648 to 2147483647"},
		{"host", `[{"params": "a.com", "order": ^null}]`, "type", "a whole number"},
		{"host", `[{"params": "a.com", "order": 1^.5}]`, "number", "a whole number"},
		{"host", `[{"params": "a.com", "order": 1^.0}]`, "number", "a whole number"},
		{"host", `[{"params": "a.com", "order": 1^e2}]`, "number", "a whole number"},
		{"host", `[{"params": "a.com", "order": 214748364^8}]`, "number", "a whole number"},
		{"host", `[{"params": "a.com", "order": -214748364^9}]`, "number", "a whole number"},
		{"host", `[{"params": "a.com", "order": 999999999^99999999999}]`, "number", "a whole number"},
		{"host", `[{"params": "a.com", "order": 0^1}]`, "syntax", "leading zero: write 1"},
		{"host", `[{"params": "a.com", "order": -0^07}]`, "syntax", "leading zero: write -7"},
		{"host", `[{"params": "a.com", "order": 0^1.5}]`, "syntax", "a whole number"},
		{"host", `[{"params": "a.com", "order": -0^0e1}]`, "syntax", "a whole number"},
		{"host", `[{"params": "a.com", "order": 0^99999999999}]`, "syntax", "a whole number"},
		{"host", `[{"params": "a.com", "order": ^+1}]`, "syntax", "a whole number"},
		{"host", `[{"params": "a.com", "order": ^first}]`, "syntax", `"first": write a whole number`},
		{"host", `[{"params": "a.com", "order": ^"007"}]`, "type", `write 7, not "007"`},
		{"host", `[{"params": "a.com", "order": ^"-007"}]`, "type", `write -7, not "-007"`},
		{"host", `[{"params": "a.com", "order": -^}]`, "syntax", "a whole number"},
		{"host", `[{"params": "a.com", "order": 1^.}]`, "syntax", "a whole number"},
		{"host", `[{"params": "a.com", "order": 1^e+}]`, "syntax", "a whole number"},

		// Params: strings.
		{"host", `[{"params": ^null}]`, "type", "null: write a string, such as"},
		{"host", `[{"params": ^5}]`, "type", "a number: write a string"},
		{"host", `[{"params": ^["a.com"]}]`, "type", "a list: write a string"},
		{"host", `[{"params": ^{"a": "b"}}]`, "type", "an object: write a string"},
		{"host", `[{"params": "^"}]`, "empty", `empty string: write a string, such as "www.example.com"`},
		{"host", `[{"params": "a.com^/x"}]`, "param", ""},
		{"host", `[{"params": "\u0061.com^/x"}]`, "param", ""},
		{"host", `[{"params": "^*.a.com"}]`, "param", ""},
		{"path", `[{"params": "^a"}]`, "param", `write "/a"`},
		{"path", `[{"params": "/a^?b"}]`, "param", "%3F"},
		{"path", `[{"params": "/a\/\u0062^#c"}]`, "param", "%23"},
		{"path", `[{"params": "/a/^%zz"}]`, "param", "%25"},
		{"path", `[{"params": "/a/^/b"}]`, "param", "write one slash"},
		{"path-prefix-add", `[{"params": "/a/^../b"}]`, "param", "dot-segment"},
		{"path-prefix-trim", `[{"params": "^%2e"}]`, "param", "dot-segment"},

		// Params: the others.
		{"host-from-path-prefix", `[{"params": ^false}]`, "type", "false: write true, or remove the annotation"},
		{"host-from-path-prefix", `[{"params": "^false"}]`, "type", "write true"},
		{"host-from-path-prefix", `[{"params": "t^"}]`, "type", "write true"},
		{"host-from-path-prefix", `[{"params": "^True"}]`, "type", "write true"},
		{"host-from-path-prefix", `[{"params": "^"}]`, "empty", "write true"},
		{"host-from-path-prefix", `[{"params": t^}]`, "syntax", "write true"},
		{"host-from-path-prefix", `[{"params": ^True}]`, "syntax", `"True": write true`},
		{"host-from-path-prefix", `[{"params": ^yes}]`, "syntax", `"yes": write true`},
		{"host-from-path-prefix", `[{"params": "^\u0000"}]`, "text", "control character"},
		{"host-from-path-prefix", `[{"params": ^1}]`, "type", "write true"},
		{"host-from-path-prefix", `[{"params": ^true}]`, "param", "ask the operator of the gateway to allow it"},
		{"path-prefix-strip", `[{"params": ^0}]`, "number", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": ^-1}]`, "number", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": 1^.0}]`, "number", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": 1^.}]`, "syntax", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": ^01}]`, "syntax", "leading zero: write 1"},
		{"path-prefix-strip", `[{"params": ^00}]`, "syntax", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": ^-01}]`, "syntax", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": ^0x1}]`, "syntax", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": ^two}]`, "syntax", `"two": write a whole number from 1`},
		{"path-prefix-strip", `[{"params": "^0"}]`, "number", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": "^02"}]`, "number", "leading zero: write 2"},
		{"path-prefix-strip", `[{"params": "^+2"}]`, "number", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": "2^ "}]`, "number", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": "214748364^8"}]`, "number", "a whole number from 1"},
		{"path-prefix-strip", `[{"params": "^"}]`, "empty", "write a whole number from 1"},
		{"path-prefix-strip", `[{"params": ^true}]`, "type", "a whole number from 1"},
		{"query-add", `[{"params": {^}}]`, "empty", `write a pair, such as {"name": "alice"}`},
		{"query-add", `[{"params": {"^": "x"}}]`, "empty", "write the name of a query parameter"},
		{"query-add", `[{"params": {"^\u0000": "x"}}]`, "text", "control character"},
		{"query-add", `[{"params": {"a": ^1}}]`, "type", "a number: write a string"},
		{"query-add", `[{"params": {"a": ^null}}]`, "type", "null: write a string"},
		{"query-add", `[{"params": {"a": "1", "a^": "2"}}]`, "duplicate-field", "twice"},
		{"query-add", `[{"params": {"a": "1", "\u0061^": "2"}}]`, "duplicate-field", "twice"},
		{"query-add", `[{"params": ^["a"]}]`, "type", `write an object, such as {"name": "alice"}`},
		{"query-add", `[{"params": "^a=1"}]`, "type", "write an object"},
		{"query-add", `[{"params": "^"}]`, "empty", "write an object"},
		{"query-add", `[{"params": " ^"}]`, "type", "write an object"},
		{"query-add", `[{"params": "{^}"}]`, "empty", `write a pair, such as {\"name\": \"alice\"}`},
		{"query-add", `[{"params": "{\"name\": ^alice}"}]`, "syntax", `write it in double quotes, \"alice\"`},
		{"query-add", `[{"params": "{^name: 1}"}]`, "syntax", `write a name in double quotes, \"name\"`},
		{"query-add", `[{"params": "{\"a\": ^'b'}"}]`, "syntax", `write \" around strings`},
		{"query-add", `[{"params": "{\"a\": \"b^"}]`, "syntax", `close it with \"`},
		{"query-add", `[{"params": ^name=alice}]`, "syntax", `"name=alice": write an object`},
		{"query-add", `[{"params": "{\"a\": ^1}"}]`, "type", "write a string"},
		{"query-add", `[{"params": "{\"a\": \"1\"^"}]`, "syntax", "ends too soon"},
		{"query-add", `[{"params": "{\"a\": \"1\"}^}"}]`, "syntax", "too many"},
		{"query-add", `[{"params": "{\"a\": \"^\\n\"}"}]`, "text", "control character"},
		{"query-add", `[{"params": "{\"a\"\u0020^\"1\"}"}]`, "syntax", ""},
		{"query-rename", `[{"params": {"a": "^"}}]`, "empty", "write the new name"},
		{"query-delete", `[{"params": [^]}]`, "empty", `write a name, such as ["name"]`},
		{"query-delete", `[{"params": ["a", "^"]}]`, "empty", "write the name of a query parameter, or remove it"},
		{"query-delete", `[{"params": ^name}]`, "syntax", `"name": write a list of strings`},
		{"query-delete-all-except", `[{"params": ^name}]`, "syntax", `write it in double quotes, "name"`},
		{"query-delete", `[{"params": [^1, ^null, ^["a"]]}]`, "type type type", "a number: write a name"},
		{"query-delete", `[{"params": "^name"}]`, "type", `write a list of strings, such as ["name"]`},
		{"query-delete", `[{"params": ["a"^}]`, "syntax", `no "]" before this`},
		{"query-delete-all-except", `[{"params": ^7}]`, "type", ""},
		{"query-delete-all-except", `[{"params": "[^a]"}]`, "syntax", `write it in double quotes, \"a\"`},

		// What precedes a fault of syntax has its own.
		{"path", `[{"params": "^bar", "order": 1,^}]`, "param syntax", "no slash"},
		{"host", `[{"params": "^http://a.com", "order": 1 ^"when": "Forward"}]`, "param syntax", "no scheme"},
		{"host", `[{"params": "a^ b"^`, "param syntax", ""},
		{"host", `[{"order": ^"1" ^"params": "a"}]`, "type syntax", `write 1, not "1"`},
		{"host", `[{"order": 1^.5 ^"params": "a"}]`, "number syntax", "a whole number"},
		{"host", `[{"when": "^Xx" ^"params": "a"}]`, "unknown-hook syntax", ""},
		{"host", `[{"params": ^5^`, "type syntax", "a number: write a string"},
		{"host", `[{"params": ^null ^x}]`, "type syntax", "null: write a string"},
		{"host", `[^"params"^:"a.com"]`, "type syntax", "a string: write an object"},
		{"query-delete", `[{"params": [^1 ^2]}]`, "type syntax", "a number"},
		{"query-add", `[{"params": {"a": ^1 ^"b": "2"}}]`, "type syntax", "a number"},
		{"query-add", `[{"params": "{\"a\": ^1 ^\"b\": \"2\"}"}]`, "type syntax", "a number"},
		// But a string that was not meant to end there has none.
		{"path", `[{"params": "a"^b"}]`, "syntax", `unexpected "b"`},
		{"path", `[{"params": ""^/a""}]`, "syntax", `unexpected "/"`},
		{"host", `[{"when": "{ " ^name": 1}]`, "syntax", "the string ended at"},
		{"host", `[{"oder" ^1}]`, "syntax", `":" behind the name`},

		// Limits.
		{"host", `[{"params": "a.com", "^x": [[[[[[]]]]]]}]`, "unknown-field", ""},
		{"host", `[{"params": "a.com", "^x": [[[[[[^[]]]]]]]}]`, "unknown-field limit", ""},
		{"host", `[^[[[[[[[^[[`, "type limit", ""},
		{"host", `[{"params": "a.com", "^x": {"a":{"a":{"a":{"a":{"a":{"a":^{}}}}}}}}]`, "unknown-field limit", ""},
		{"query-delete", `[{"params": "[^[[[[[^[]]]]]]]"}]`, "type limit", ""},
	} {
		t.Run(c.key+" "+c.value, func(t *testing.T) {
			var offsets []int
			for i, part := range strings.SplitAfter(c.value, "^") {
				if strings.HasSuffix(part, "^") {
					before := 0
					if i > 0 {
						before = offsets[i-1]
					}
					offsets = append(offsets, before+len(part)-1)
				}
			}
			value := strings.ReplaceAll(c.value, "^", "")
			key := annotation.DefaultPrefix + c.key
			plan, err := annotation.Parse(map[string]string{key: value}, nil)
			assert.Nil(t, plan)
			var codes []string
			var at []int
			for _, e := range list(t, err) {
				codes = append(codes, string(e.Code))
				at = append(at, e.Offset)
				assert.Equal(t, key, e.Key)
			}
			assert.Equal(t, c.codes, strings.Join(codes, " "), err)
			assert.Equal(t, offsets, at, err)
			assert.Contains(t, list(t, err)[0].Detail, c.detail)
		})
	}
}

// A fault hides no other, but for what follows a fault of syntax in a value.
func TestFaultsTogether(t *testing.T) {
	_, err := annotation.Parse(prefixed(map[string]string{
		"host":            `[{"params": "a b", "oder": 1}, {"when": "forward", "params": "c d"}, {"order": "1" "params": ""}, {"params": ""}]`,
		"path":            `[{"params": "/a"}]`,
		"path-prefix-add": `[{"params": "/b//c"}]`,
		"query-add":       `[{"params": {"k": "v"}}]`,
		"query-delete":    `[{"params": ["k"]}]`,
		"hots":            `nothing to read here`,
	}), nil)
	var got []string
	for _, e := range list(t, err) {
		got = append(got, fmt.Sprint(strings.TrimPrefix(e.Key, annotation.DefaultPrefix), " ", e.Index, " ", e.Code))
	}
	assert.Equal(t, []string{
		"host 0 param", "host 0 unknown-field", "host 1 unknown-hook", "host 1 param", "host 2 type", "host 2 syntax",
		"hots -1 unknown-key", "hots -1 type",
		"path-prefix-add -1 conflict", "path-prefix-add 0 param",
		"query-delete 0 order-tie",
	}, got)
}

// Wherever a value ends too soon, the fault before is reported too.
func TestFaultsBeforeTheEnd(t *testing.T) {
	const whole = `[{"params":"bar","order":1,"when":"Forward"}]`
	for n := len(`[{"params":"bar"`); n < len(whole); n++ {
		_, err := annotation.Parse(prefixed(map[string]string{"path": whole[:n]}), nil)
		e := list(t, err)
		require.Len(t, e, 2, whole[:n])
		assert.Equal(t, annotation.CodeParam, e[0].Code)
		assert.Equal(t, 12, e[0].Offset)
		assert.Equal(t, annotation.CodeSyntax, e[1].Code)
		assert.Equal(t, n, e[1].Offset)
	}
}

// What is not read to its end takes no part in ties and duplicates.
func TestNoTieOfHalves(t *testing.T) {
	for name, add := range map[string]string{
		"an item":                `[{"params": {"a": "1"} "order": 1}]`,
		"an object in an item":   `[{"params": {"a": "1" "b": "2"}}]`,
		"an object in a string":  `[{"params": "{\"a\": \"1\" \"b\": \"2\"}"}]`,
		"the second of its hook": `[{"params": {"b": "1"}}, {"params": {"a": "1"},}]`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := annotation.Parse(prefixed(map[string]string{"query-add": add, "query-delete": `[{"params": ["a"]}]`}), nil)
			e := list(t, err)
			require.Len(t, e, 1, err)
			assert.Equal(t, annotation.CodeSyntax, e[0].Code)
		})
	}
}

func TestUnknownKeys(t *testing.T) {
	for name, want := range map[string]string{
		"path-add":             "path-prefix-add", // these three are in the design document
		"query-del-all-except": "query-delete-all-except",
		"path-prefix-delete":   "path-prefix-trim",
		"path-trim":            "path-prefix-trim",
		"path-strip":           "path-prefix-strip",
		"query-del":            "query-delete",
		"query-remove":         "query-delete",
		"query-except":         "query-delete-all-except",
		"hots":                 "host",
		"Host":                 "host",
		"PATH-PREFIX-ADD":      "path-prefix-add",
		"host-from-path":       "host-from-path-prefix",
		"hostname":             "host",
		"query-set":            "query-add",
		"path-regex":           "path",
		"path-prefix":          "path-prefix-add",
		"path-del":             "path-prefix-trim",
		"target":               "",
		"":                     "",
		"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz": "",
	} {
		t.Run(name, func(t *testing.T) {
			key := annotation.DefaultPrefix + name
			_, err := annotation.Parse(map[string]string{key: `[{"params": 1}]`}, nil)
			e := list(t, err)
			require.Len(t, e, 1)
			assert.Equal(t, annotation.CodeUnknownKey, e[0].Code)
			assert.Equal(t, -1, e[0].Offset)
			if want == "" {
				assert.NotContains(t, e[0].Detail, "write "+annotation.DefaultPrefix)
				return
			}
			assert.True(t, strings.HasSuffix(e[0].Detail, "write "+annotation.DefaultPrefix+want), e[0].Detail)
			assert.Equal(t, strings.EqualFold(name, want), strings.Contains(e[0].Detail, "letter case"))
		})
	}
	_, err := annotation.Parse(map[string]string{"BFE.ingress.kubernetes.io/rewrite-url.path": ""}, nil)
	assert.Contains(t, list(t, err)[0].Detail, "write bfe.ingress.kubernetes.io/rewrite-url.path")
}

// Faults of Options.Rewrite are reported whatever the annotations.
func TestOptionsFault(t *testing.T) {
	opts := &annotation.Options{Rewrite: &rewrite.Options{AllowedHosts: []string{"a.com", "a b"}}}
	for _, m := range []map[string]string{nil, typical[3]} {
		_, err := annotation.Parse(m, opts)
		e := list(t, err)
		require.Len(t, e, 1)
		assert.Equal(t, annotation.CodeOptions, e[0].Code)
		assert.Empty(t, e[0].Key)
		assert.Contains(t, err.Error(), "AllowedHosts[1]")
		assert.Equal(t, "metadata.annotations", e[0].FieldPath())
	}
}
