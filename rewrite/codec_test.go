// The text and JSON forms of actions and rules: what they look like, that
// reading undoes writing, and where the errors of what is no such form point.

package rewrite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest/rewritegen"
)

// forms has every op, and the text that is hard to quote.
var forms = []struct {
	action     rewrite.Action
	json, text string
}{
	{rewrite.SetHost("x.com:80"), `{"setHost":"x.com:80"}`, `SetHost("x.com:80")`},
	{rewrite.SetHostname("bücher.example"), `{"setHostname":"bücher.example"}`, `SetHostname("bücher.example")`},
	{rewrite.SetPort("8080"), `{"setPort":"8080"}`, `SetPort("8080")`},
	{rewrite.SetPort(""), `{"setPort":""}`, `SetPort("")`},
	{rewrite.HostFromPathPrefix(), `{"hostFromPathPrefix":true}`, `HostFromPathPrefix()`},
	{rewrite.ReplaceHostSuffix("x.com", "y.org"), `{"replaceHostSuffix":["x.com","y.org"]}`, `ReplaceHostSuffix("x.com", "y.org")`},
	{rewrite.SetPath(`/a\b"<&>`), `{"setPath":"/a\\b\"<&>"}`, `SetPath("/a\\b\"<&>")`},
	{rewrite.AddPathPrefix("/a\n\x00"), `{"addPathPrefix":"/a\n\u0000"}`, `AddPathPrefix("/a\n\x00")`},
	{rewrite.TrimPathPrefix("/api"), `{"trimPathPrefix":"/api"}`, `TrimPathPrefix("/api")`},
	{rewrite.TrimPathPrefix("/a", "/b"), `{"trimPathPrefix":["/a","/b"]}`, `TrimPathPrefix("/a", "/b")`},
	{rewrite.StripPathSegments(2), `{"stripPathSegments":2}`, `StripPathSegments(2)`},
	{rewrite.StripPathSegments(math.MinInt32), `{"stripPathSegments":-2147483648}`, `StripPathSegments(-2147483648)`},
	{rewrite.ReplacePathPrefix("/a", ""), `{"replacePathPrefix":["/a",""]}`, `ReplacePathPrefix("/a", "")`},
	{rewrite.TrimPathText("/a", "/b", "/c"), `{"trimPathText":["/a","/b","/c"]}`, `TrimPathText("/a", "/b", "/c")`},
	{rewrite.ReplacePathText("/a", "/"), `{"replacePathText":["/a","/"]}`, `ReplacePathText("/a", "/")`},
	{rewrite.RewritePath(`^/\d+(.*)`, "$1"), `{"rewritePath":["^/\\d+(.*)","$1"]}`, `RewritePath("^/\\d+(.*)", "$1")`},
	{rewrite.ReplacePathRegex("`", "'"), "{\"replacePathRegex\":[\"`\",\"'\"]}", "ReplacePathRegex(\"`\", \"'\")"},
	{rewrite.AddQuery("a", "1"), `{"addQuery":["a","1"]}`, `AddQuery("a", "1")`},
	{rewrite.SetQuery("", "\ufffd\U0001f600"), `{"setQuery":["","` + "\ufffd\U0001f600" + `"]}`, `SetQuery("", "` + "\ufffd\U0001f600" + `")`},
	{rewrite.DeleteQuery("a", "b"), `{"deleteQuery":["a","b"]}`, `DeleteQuery("a", "b")`},
	{rewrite.RenameQuery("a", "b"), `{"renameQuery":["a","b"]}`, `RenameQuery("a", "b")`},
	{rewrite.KeepQuery("a"), `{"keepQuery":"a"}`, `KeepQuery("a")`},
	{rewrite.DropQuery(), `{"dropQuery":true}`, `DropQuery()`},
	{rewrite.SetScheme("https"), `{"setScheme":"https"}`, `SetScheme("https")`},
}

func TestForms(t *testing.T) {
	missing := map[rewrite.Op]bool{}
	for op := rewrite.OpSetHost; op <= rewrite.OpSetScheme; op++ {
		missing[op] = true
	}
	for _, f := range forms {
		delete(missing, f.action.Op())
		t.Run(f.text, func(t *testing.T) {
			require.Equal(t, f.text, f.action.String())
			text, err := f.action.MarshalText()
			require.NoError(t, err)
			require.Equal(t, f.text, string(text))
			data, err := f.action.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, f.json, string(data))
			require.NoError(t, readBack(f.action))
		})
	}
	require.Empty(t, missing)
}

// readBack reports which form of a is not read as a.
func readBack(a rewrite.Action) error {
	var fromText, fromJSON rewrite.Action
	text, err := a.MarshalText()
	if err == nil {
		err = fromText.UnmarshalText(text)
	}
	if err != nil || !fromText.Equal(a) {
		return fmt.Errorf("%v became %s, and that %v, %v", a, text, fromText, err)
	}
	data, err := json.Marshal(a)
	if err == nil {
		err = json.Unmarshal(data, &fromJSON)
	}
	if err != nil || !fromJSON.Equal(a) {
		return fmt.Errorf("%v became %s, and that %v, %v", a, data, fromJSON, err)
	}
	return nil
}

// Whatever the parameters are, reading undoes writing.
func TestFormsOfAnyAction(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = 2000
	properties := gopter.NewProperties(parameters)
	properties.Property("an action", prop.ForAll(func(a rewrite.Action) (bool, error) {
		err := readBack(a)
		return err == nil, err
	}, rewritegen.Action()))
	properties.Property("an action with any text", prop.ForAll(func(op, n int, a, b string) (bool, error) {
		err := readBack(rewrite.StripPathSegments(n))
		for _, args := range [][]string{{a, b}, {a}} {
			if action, unknown := makeAction(rewrite.Op(op), args...); unknown == nil {
				err = errors.Join(err, readBack(action))
			}
		}
		return err == nil, err
	}, gen.IntRange(int(rewrite.OpSetHost), int(rewrite.OpSetScheme)), gen.Int(), gen.AnyString(), gen.AnyString()))
	properties.Property("rules", prop.ForAll(func(rules []rewrite.Rule) (bool, error) {
		data, err := json.Marshal(rules)
		read := []rewrite.Rule{}
		if err == nil {
			err = json.Unmarshal(data, &read)
		}
		return err == nil && reflect.DeepEqual(read, rules), err
	}, rewritegen.Rules(5)))
	properties.TestingRun(t)
}

func TestRuleJSON(t *testing.T) {
	for _, tt := range []struct {
		rule rewrite.Rule
		json string
	}{
		{rewrite.Rule{Action: rewrite.DropQuery()}, `{"action":{"dropQuery":true}}`},
		{rewrite.Rule{Hook: rewrite.BeforeLocation, Action: rewrite.DropQuery()}, `{"hook":"BeforeLocation","action":{"dropQuery":true}}`},
		{rewrite.Rule{Hook: rewrite.Forward, Order: math.MaxInt32, Action: rewrite.DropQuery()}, `{"hook":"Forward","order":2147483647,"action":{"dropQuery":true}}`},
		{rewrite.Rule{Order: -1, Action: rewrite.DropQuery()}, `{"order":-1,"action":{"dropQuery":true}}`},
	} {
		data, err := json.Marshal(tt.rule)
		require.NoError(t, err)
		require.Equal(t, tt.json, string(data))

		// What the form leaves out is set too, but the origin is kept.
		origin := rewrite.Origin{Key: "file.json", Index: 3, Offset: 14}
		read := rewrite.Rule{Hook: rewrite.Forward, Order: 7, Action: rewrite.SetPath("/"), Origin: origin}
		require.NoError(t, read.UnmarshalJSON(data))
		tt.rule.Origin = origin
		require.Equal(t, tt.rule, read)
	}
	for _, order := range []int{math.MinInt, math.MaxInt} {
		data, err := json.Marshal(rewrite.Rule{Order: order, Action: rewrite.DropQuery()})
		require.NoError(t, err)
		var read rewrite.Rule
		require.NoError(t, json.Unmarshal(data, &read))
		require.Equal(t, order, read.Order)
	}
}

// Other spellings of the same.
func TestReadOtherForms(t *testing.T) {
	var a rewrite.Action
	for in, want := range map[string]rewrite.Action{
		`{"setPath":["/a"]}`:          rewrite.SetPath("/a"),
		`{"trimPathPrefix":["/a"]}`:   rewrite.TrimPathPrefix("/a"),
		`{"stripPathSegments":[2]}`:   rewrite.StripPathSegments(2),
		`{"deleteQuery": "a" }`:       rewrite.DeleteQuery("a"),
		"\t{ \"dropQuery\"\n:true}\r": rewrite.DropQuery(),
		`{"set\u0050ath":"\u002Fa"}`:  rewrite.SetPath("/a"),
		`{"setPath":"\ud83d\ude00"}`:  rewrite.SetPath("\U0001f600"),
		`{"setPath":"\\ud83d"}`:       rewrite.SetPath(`\ud83d`),
	} {
		require.NoError(t, a.UnmarshalJSON([]byte(in)), in)
		require.True(t, a.Equal(want), "%v from %s", a, in)
	}
	for in, want := range map[string]rewrite.Action{
		" SetPath ( \"/a\"\t)\r\n":          rewrite.SetPath("/a"),
		"RewritePath(`^/\\d`, `/`)":         rewrite.RewritePath(`^/\d`, "/"),
		`TrimPathPrefix("/\x61","\u002fb")`: rewrite.TrimPathPrefix("/a", "/b"),
		`StripPathSegments( -1 )`:           rewrite.StripPathSegments(-1),
	} {
		require.NoError(t, a.UnmarshalText([]byte(in)), in)
		require.True(t, a.Equal(want), "%v from %s", a, in)
	}
}

// The ^ in front of a fault is not part of the text.
func cutMark(t *testing.T, marked string) (text string, offset int) {
	t.Helper()
	require.Equal(t, 1, strings.Count(marked, "^"), marked)
	offset = strings.Index(marked, "^")
	return strings.Replace(marked, "^", "", 1), offset
}

// requireFault fails unless err points at offset and says what is wrong.
func requireFault(t *testing.T, err error, offset int, says string) {
	t.Helper()
	require.ErrorContains(t, err, fmt.Sprintf("rewrite: at offset %d: ", offset))
	require.ErrorContains(t, err, says)
	require.Equal(t, 1, strings.Count(err.Error(), "rewrite:"), err)
}

func TestFaultsOfRuleJSON(t *testing.T) {
	for name, tt := range map[string]struct{ marked, says string }{
		"empty":                    {`^`, "unexpected end"},
		"white space":              {` ^`, "unexpected end"},
		"null":                     {`^null`, "write an object"},
		"a string":                 {`^"dropQuery"`, "write an object"},
		"an array":                 {`^[{"action":{"dropQuery":true}}]`, "write an object"},
		"empty object":             {`{^}`, "no field action"},
		"no action":                {`{"hook":"Forward","order":1^}`, "no field action"},
		"field in the wrong case":  {`{^"Action":{"dropQuery":true}}`, "hook, order and action"},
		"origin":                   {`{"action":{"dropQuery":true}, ^"origin":{"key":"k"}}`, `"origin"`},
		"duplicate order":          {`{"order":1,^"order":1,"action":{"dropQuery":true}}`, "duplicate"},
		"duplicate action":         {`{"action":{"dropQuery":true}, ^"action":{"dropQuery":true}}`, "duplicate"},
		"duplicate by an escape":   {`{"order":1,^"\u006frder":1,"action":{"dropQuery":true}}`, "duplicate"},
		"hook in the wrong case":   {`{"hook":^"forward","action":{"dropQuery":true}}`, "BeforeLocation, AfterLocation or Forward"},
		"hook as a number":         {`{"hook":^1,"action":{"dropQuery":true}}`, "write a string"},
		"hook null":                {`{"hook":^null,"action":{"dropQuery":true}}`, "write a string"},
		"order with a fraction":    {`{"order":^1.5,"action":{"dropQuery":true}}`, "whole number"},
		"order with an exponent":   {`{"order": ^1e2,"action":{"dropQuery":true}}`, "whole number"},
		"order out of range":       {`{"order":^9223372036854775808,"action":{"dropQuery":true}}`, "out of range"},
		"order in quotes":          {`{"order":^"1","action":{"dropQuery":true}}`, "without quotes"},
		"order null":               {`{"order":^null,"action":{"dropQuery":true}}`, "whole number"},
		"order with a zero before": {`{"order":0^1,"action":{"dropQuery":true}}`, "'1'"},
		"order with a plus":        {`{"order":^+1,"action":{"dropQuery":true}}`, "'+'"},
		"order without digits":     {`{"order":-^,"action":{"dropQuery":true}}`, "','"},
		"action null":              {`{"action":^null}`, "write an object"},
		"action as text":           {`{"action":^"DropQuery()"}`, "write an object"},
		"trailing text":            {`{"action":{"dropQuery":true}} ^x`, ""},
		"trailing object":          {`{"action":{"dropQuery":true}}^{}`, ""},
		"trailing comma":           {`{"action":{"dropQuery":true},^}`, ""},
		"no comma":                 {`{"action":{"dropQuery":true} ^"order":1}`, ""},
		"no colon":                 {`{"action" ^{"dropQuery":true}}`, "'{'"},
		"no key":                   {`{^action:{"dropQuery":true}}`, "'a'"},
		"comma first":              {`{^,"action":{"dropQuery":true}}`, "','"},
		"cut after the brace":      {`{^`, "unexpected end"},
		"cut in a key":             {`{"act^`, "unexpected end"},
		"cut after a colon":        {`{"action":^`, "unexpected end"},
		"cut in a literal":         {`{"action":{"dropQuery":tr^`, "unexpected end"},
		"cut before the last":      {`{"action":{"dropQuery":true}^`, "unexpected end"},
	} {
		t.Run(name, func(t *testing.T) {
			text, offset := cutMark(t, tt.marked)
			rule := rewrite.Rule{Hook: rewrite.Forward, Order: 7, Action: rewrite.SetPath("/"), Origin: rewrite.Origin{Key: "k"}}
			before := rule
			requireFault(t, rule.UnmarshalJSON([]byte(text)), offset, tt.says)
			require.Equal(t, before, rule)
		})
	}
}

func TestFaultsOfActionJSON(t *testing.T) {
	for name, tt := range map[string]struct{ marked, says string }{
		"empty":                     {`^`, "unexpected end"},
		"null":                      {`^null`, "write an object"},
		"true":                      {`^true`, "write an object"},
		"empty object":              {`{^}`, "one field"},
		"two fields":                {`{"dropQuery":true,^"setPath":"/"}`, `"setPath"`},
		"the same field twice":      {`{"dropQuery":true, ^"dropQuery":true}`, `"dropQuery"`},
		"unknown":                   {`{^"trimPath":"/"}`, "trimPathPrefix"},
		"in the wrong case":         {`{^"TrimPathPrefix":"/"}`, "write trimPathPrefix"},
		"without a name":            {`{^"":true}`, "trimPathPrefix"},
		"not a letter":              {`{^"étage":true}`, "trimPathPrefix"},
		"true for a string":         {`{"setPath": ^true}`, "write a string"},
		"true for a list":           {`{"trimPathPrefix":^true}`, "write a string, or an array of strings"},
		"true for a number":         {`{"stripPathSegments":^true}`, "write a whole number"},
		"true in an array":          {`{"trimPathPrefix":["/a", ^true]}`, "string"},
		"false":                     {`{"dropQuery":^false}`, "write true"},
		"null for none":             {`{"dropQuery":^null}`, "write true"},
		"null for a string":         {`{"setPath":^null}`, "write a string"},
		"an object for a string":    {`{"setPath":^{"path":"/"}}`, "string"},
		"a number for a string":     {`{"setPath":^1}`, "string"},
		"a number in an array":      {`{"addQuery":["a",^1]}`, "string"},
		"null in an array":          {`{"addQuery":["a", ^null]}`, "string"},
		"an array in an array":      {`{"addQuery":[^["a","b"]]}`, "string"},
		"too few":                   {`{^"addQuery":"a"}`, "name, value"},
		"too many":                  {`{^"setPath":["/a","/b"]}`, "path"},
		"a string for none":         {`{"dropQuery":^"a"}`, "write true"},
		"a number for none":         {`{"dropQuery":^1}`, "write true"},
		"null for two strings":      {`{"addQuery":^null}`, "write an array of 2 strings: name, value"},
		"quoted number":             {`{"stripPathSegments":^"1"}`, "without quotes"},
		"quoted number in an array": {`{"stripPathSegments":[^"1"]}`, "without quotes"},
		"number with a fraction":    {`{"stripPathSegments":^1.0}`, "whole number"},
		"number with an exponent":   {`{"stripPathSegments":[^1e2]}`, "whole number"},
		"number out of range":       {`{"stripPathSegments":^9223372036854775808}`, "out of range"},
		"two numbers":               {`{^"stripPathSegments":[1,2]}`, "n"},
		"trailing text":             {`{"setPath":"/"} ^"x"`, ""},
		"trailing brace":            {`{"setPath":"/"}^}`, ""},
		"first half of a pair":      {`{"setPath":"/^\ud83d"}`, "surrogate"},
		"first half and a letter":   {`{"setPath":"/^\ud83d\u0061"}`, "surrogate"},
		"second half of a pair":     {`{"setPath":"/a^\uDE00"}`, "surrogate"},
		"half of a pair in a key":   {`{"set^\ud83d":"/"}`, "surrogate"},
		"not UTF-8":                 {"{\"setPath\":\"/a^\xff\"}", "UTF-8"},
		"UTF-8 cut short":           {"{\"setPath\":\"/^\xc3\"}", "UTF-8"},
		"a surrogate in UTF-8":      {"{\"setPath\":\"/^\xed\xa0\x80\"}", "UTF-8"},
		"unknown escape":            {`{"setPath":"/\^q"}`, "'q'"},
		"escape cut short":          {`{"setPath":"/\u12^"}`, ""},
		"control byte":              {"{\"setPath\":\"/^\n\"}", `'\n'`},
		"no string":                 {`{"setPath":^/a}`, "'/'"},
		"single quotes":             {`{"setPath":^'/a'}`, ""},
		"misspelt literal":          {`{"dropQuery":tru^}`, ""},
		"no comma in an array":      {`{"addQuery":["a" ^"b"]}`, ""},
		"two commas":                {`{"addQuery":["a",^,"b"]}`, ""},
		"comma last":                {`{"addQuery":["a","b",^]}`, ""},
		"the wrong bracket":         {`{"addQuery":["a","b"^}`, ""},
		"cut in a string":           {`{"setPath":"/a^`, "unexpected end"},
		"cut in an array":           {`{"addQuery":["a",^`, "unexpected end"},
		"a deep array":              {`{"setPath":[^` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `]}`, "string"},
	} {
		t.Run(name, func(t *testing.T) {
			text, offset := cutMark(t, tt.marked)
			action := rewrite.SetPath("/before")
			requireFault(t, action.UnmarshalJSON([]byte(text)), offset, tt.says)
			require.Equal(t, rewrite.SetPath("/before"), action)
		})
	}
}

func TestFaultsOfActionText(t *testing.T) {
	for name, tt := range map[string]struct{ marked, says string }{
		"empty":                  {"^", "TrimPathPrefix"},
		"the zero Action":        {"^Action{}", "TrimPathPrefix"},
		"unknown":                {`  ^TrimPath("/")`, "TrimPathPrefix"},
		"in the wrong case":      {`^setPath("/")`, "write SetPath"},
		"a string":               {`^"SetPath"`, "TrimPathPrefix"},
		"no parentheses":         {"DropQuery^", "("},
		"other brackets":         {`SetPath^["/"]`, "("},
		"not closed":             {`SetPath("/"^`, "parenthesis"},
		"cut after a bracket":    {"SetPath(^", "quotes"},
		"cut after a comma":      {`AddQuery("a",^`, "quotes"},
		"cut in a string":        {`SetPath(^"/a`, "quotes"},
		"no comma":               {`AddQuery("a" ^"b")`, "comma"},
		"comma first":            {`SetPath(^,"/")`, "quotes"},
		"comma last":             {`SetPath("/",^)`, "quotes"},
		"no quotes":              {`SetPath(^/a)`, "quotes"},
		"a rune":                 {`SetPath(^'a')`, "quotes"},
		"a number for a string":  {`SetPath(^1)`, "quotes"},
		"true for none":          {`DropQuery(^true)`, "quotes"},
		"unknown escape":         {`SetPath(^"/\q")`, "quotes"},
		"half of a pair":         {`SetPath(^"/\ud83d")`, "quotes"},
		"line break in quotes":   {"SetPath(^\"/\n\")", "quotes"},
		"not UTF-8":              {"SetPath(\"/a^\xff\")", "UTF-8"},
		"not UTF-8, back-quoted": {"SetPath(`/a^\xff`)", "UTF-8"},
		"quoted number":          {`StripPathSegments(^"1")`, "whole number"},
		"number with a fraction": {`StripPathSegments(1^.5)`, "parenthesis"},
		"two signs":              {`StripPathSegments( ^--1)`, "whole number"},
		"number after a zero":    {`StripPathSegments(^01)`, "whole number"},
		"number out of range":    {`StripPathSegments(^9223372036854775808)`, "9223372036854775808"},
		"too few":                {`^AddQuery("a")`, "name, value"},
		"too many":               {`^SetPath("/a", "/b")`, "path"},
		"one too many for none":  {`^DropQuery("a")`, "no arguments"},
		"none":                   {`^StripPathSegments()`, "n"},
		"text behind":            {`SetPath("/") ^x`, "behind"},
		"two actions":            {`DropQuery()^DropQuery()`, "behind"},
	} {
		t.Run(name, func(t *testing.T) {
			text, offset := cutMark(t, tt.marked)
			action := rewrite.SetPath("/before")
			requireFault(t, action.UnmarshalText([]byte(text)), offset, tt.says)
			require.Equal(t, rewrite.SetPath("/before"), action)
		})
	}
}

// Nesting takes neither stack nor time, and is no form of anything.
func TestDeeplyNestedJSON(t *testing.T) {
	const depth = 1 << 20
	for _, open := range []string{"[", `{"action":`, `{"setPath":`} {
		var r rewrite.Rule
		require.Error(t, r.UnmarshalJSON([]byte(strings.Repeat(open, depth))))
		var a rewrite.Action
		require.Error(t, a.UnmarshalJSON([]byte(`{"setPath":`+strings.Repeat(open, depth))))
	}
}

// What has no form that could be read is not written.
func TestNoForm(t *testing.T) {
	texts := []rewrite.Action{{}}
	for op := rewrite.OpSetHost; op <= rewrite.OpSetScheme; op++ {
		for _, args := range [][]string{{"a\xff"}, {"a", "\xff"}} {
			if a, err := makeAction(op, args...); err == nil && op != rewrite.OpStripPathSegments {
				texts = append(texts, a)
			}
		}
	}
	for _, a := range texts {
		_, err := a.MarshalText()
		require.Error(t, err, a)
		_, err = a.MarshalJSON()
		require.Error(t, err, a)
		_, err = json.Marshal(rewrite.Rule{Action: a})
		require.Error(t, err, a)
	}
	_, err := json.Marshal(rewrite.Rule{Hook: 2, Action: rewrite.DropQuery()})
	require.ErrorContains(t, err, "unknown hook 2")
	for _, a := range []rewrite.Action{
		rewrite.TrimPathPrefix(), rewrite.TrimPathText(), rewrite.DeleteQuery(), rewrite.KeepQuery(),
	} {
		if _, err := a.MarshalText(); err == nil {
			require.NoError(t, readBack(a))
		}
	}
}
