// Which texts are a configuration, and what is said of those that are not.

package visibility_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/visibility"
)

func TestParseConfigShapes(t *testing.T) {
	message := `{"defaultVisibility":"NAMESPACE","applyToSidecars":true}`
	want := &visibility.Config{DefaultVisibility: visibility.Namespace, ApplyToSidecars: true}
	withDefault := *want
	withDefault.DefaultExportTo = []string{".", "shared"}
	nobody := *want
	nobody.DefaultExportTo = []string{}
	for text, want := range map[string]*visibility.Config{
		message: want,
		`{"serviceEntryVisibility":` + message + `,"accessLogFile":"/dev/stdout"}`:                                want,
		`{"service_entry_visibility":` + message + `}`:                                                            want,
		`{"spec":{"profile":"x","meshConfig":{"serviceEntryVisibility":` + message + `}},"kind":"IstioOperator"}`: want,
		`{"serviceEntryVisibility":` + message + `,"defaultServiceExportTo":[".","shared"]}`:                      &withDefault,
		`{"serviceEntryVisibility":` + message + `,"default_service_export_to":[]}`:                               &nobody,
		`{"serviceEntryVisibility":` + message + `,"defaultServiceExportTo":null}`:                                want,
		`{"serviceEntryVisibility":{}}`:                                                                           {},
		`{}`:                                                                                                      {},
		`{"policies":null,"default_visibility":null}`:                                                             {},
		`null`: nil,
		`{"serviceEntryVisibility":null,"defaultServiceExportTo":["."]}`: nil,
		`{"defaultServiceExportTo":["."]}`:                               nil,
		`{"spec":{}}`:                                                    nil,
		`{"spec":null}`:                                                  nil,
		`{"spec":{"meshConfig":null}}`:                                   nil,
		`{"spec":{"meshConfig":{"defaultConfig":{"serviceEntryVisiblity":{}}}}}`: nil,
		`{"rootNamespace":"istio-system","accessLogFile":"/dev/stdout"}`:         nil,
		`{"kind":"IstioOperator","spec":{"meshConfig":{"rootNamespace":"x"}}}`:   nil,
		`{"spec":{"values":{"meshConfig":{"rootNamespace":"x"}}}}`:               nil,
		`{"spec":{"values":{"meshConfig":null}}}`:                                nil,
		`{"spec":{"values":1,"values":{"meshConfig":[]}}}`:                       nil,
		`{"` + strings.Repeat("x", 10_000) + `":1}`:                              nil,
	} {
		c, err := visibility.ParseConfig([]byte(text))
		assert.NoError(t, err, text)
		assert.Equal(t, want, c, text)
		c, warnings, err := visibility.ParseConfigLenient([]byte(text))
		assert.NoError(t, err, text)
		assert.Empty(t, warnings, text)
		assert.Equal(t, want, c, text)
	}
}

func TestParseDefaultExportTo(t *testing.T) {
	for text, want := range map[string][]string{
		`null`:                             nil,
		`{}`:                               nil,
		`{"rootNamespace":"x"}`:            nil,
		`{"defaultServiceExportTo":null}`:  nil,
		`{"defaultServiceExportTo":[]}`:    {},
		`{"defaultServiceExportTo":["."]}`: {"."},
		`{"default_service_export_to":["~"],"serviceEntryVisibility":null}`:               {"~"},
		`{"serviceEntryVisibility":{},"defaultServiceExportTo":[".","b"]}`:                {".", "b"},
		`{"kind":"IstioOperator","spec":{"meshConfig":{"defaultServiceExportTo":["*"]}}}`: {"*"},
	} {
		list, err := visibility.ParseDefaultExportTo([]byte(text))
		assert.NoError(t, err, text)
		assert.Equal(t, want, list, text)
	}
	// It is judged whether or not visibility is configured.
	for _, visible := range []string{"", `,"serviceEntryVisibility":null`, `,"serviceEntryVisibility":{}`} {
		for list, want := range map[string]string{
			`["a b"]`: `visibility: defaultServiceExportTo[0]: "a b" is no name of a namespace: write one, or "*", "." or "~"`,
			`"*"`:     `visibility: defaultServiceExportTo: write a list, not text`,
			`[null]`:  `visibility: defaultServiceExportTo[0]: the item is null: remove it`,
		} {
			text := []byte(`{"defaultServiceExportTo":` + list + visible + `}`)
			c, err := visibility.ParseConfig(text)
			assert.EqualError(t, err, want, "%s", text)
			assert.Nil(t, c)
			exportTo, err := visibility.ParseDefaultExportTo(text)
			assert.EqualError(t, err, want, "%s", text)
			assert.Nil(t, exportTo)
		}
	}
}

func TestParseConfigSelector(t *testing.T) {
	c, err := visibility.ParseConfig([]byte(`{"policies":[{"visibility":"PUBLIC","matching_rules":[
		{"namespace_selector":{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"k","operator":"In","values":["v","w"]},{"key":"l","operator":"Exists","values":null}]}},
		{"namespaceSelector":{}}, {"namespaceSelector":null}, {}]}]}`))
	require.NoError(t, err)
	assert.Equal(t, []visibility.Policy{{Visibility: visibility.Public, MatchingRules: []visibility.MatchRule{
		{NamespaceSelector: &visibility.LabelSelector{
			MatchLabels: map[string]string{"a": "b"},
			MatchExpressions: []visibility.Requirement{
				{Key: "k", Operator: visibility.In, Values: []string{"v", "w"}},
				{Key: "l", Operator: visibility.Exists},
			},
		}},
		{NamespaceSelector: &visibility.LabelSelector{}}, {}, {},
	}}}, c.Policies)
}

func TestParseConfigErrors(t *testing.T) {
	for text, want := range map[string][]string{ // the lines, or how they begin
		``:                                {`visibility: the text is no JSON: byte 0: `},
		`{"policies":[}`:                  {`visibility: the text is no JSON: byte 14: `},
		`[]`:                              {`visibility: write an object, not a list`},
		`"x"`:                             {`visibility: write an object, not text`},
		`{"spec":[]}`:                     {`visibility: spec: write an object, not a list`},
		`{"spec":{"meshConfig":1}}`:       {`visibility: spec.meshConfig: write an object, not a number`},
		`{"serviceEntryVisibility":true}`: {`visibility: serviceEntryVisibility: write an object, not true`},
		`{"defaultVisiblity":"NAMESPACE"}`: {
			`visibility: defaultVisiblity: the field is unknown: write defaultVisibility`},
		`{"serviceEntryVisiblity":{}}`: {
			`visibility: serviceEntryVisiblity: the field is unknown: write serviceEntryVisibility`},
		`{"spec":{"meshConfig":{"serviceEntryVisiblity":{}}}}`: {
			`visibility: spec.meshConfig.serviceEntryVisiblity: the field is unknown: write serviceEntryVisibility`},
		`{"defaultVisibility":2}`:     {`visibility: defaultVisibility: a level is a word: write NAMESPACE instead of 2`},
		`{"defaultVisibility":9}`:     {`visibility: defaultVisibility: there is no level 9: write NONE, NAMESPACE or PUBLIC`},
		`{"defaultVisibility":2.0}`:   {`visibility: defaultVisibility: a level is a word: write NAMESPACE instead of 2`},
		`{"defaultVisibility":-1e0}`:  {`visibility: defaultVisibility: there is no level -1: write NONE, NAMESPACE or PUBLIC`},
		`{"defaultVisibility":3e9}`:   {`visibility: defaultVisibility: write NONE, NAMESPACE or PUBLIC, not a number`},
		`{"defaultVisibility":1.5}`:   {`visibility: defaultVisibility: write NONE, NAMESPACE or PUBLIC, not a number`},
		`{"defaultVisibility":true}`:  {`visibility: defaultVisibility: write NONE, NAMESPACE or PUBLIC, not true`},
		`{"defaultVisibility":"ALL"}`: {`visibility: defaultVisibility: "ALL" is unknown: write NONE, NAMESPACE or PUBLIC`},
		`{"applyToSidecars":"true"}`:  {`visibility: applyToSidecars: write true or false, not text`},
		`{"applyToSidecars":true,"apply_to_sidecars":false}`: {
			`visibility: apply_to_sidecars: the field is written twice: remove one`},
		`{"serviceEntryVisibility":{},"service_entry_visibility":{}}`: {
			`visibility: service_entry_visibility: the field is written twice: remove one`},
		// What is of the message, if one level too high, is no configuration of a
		// mesh that says nothing about visibility.
		`{"policy":[]}`:           {`visibility: policy: the field is unknown: write `},
		`{"visibility":"NONE"}`:   {`visibility: visibility: the field is unknown: write `},
		`{"defaultVisibilty":1}`:  {`visibility: defaultVisibilty: the field is unknown: write defaultVisibility`},
		`{"matching_rules":null}`: {`visibility: matching_rules: the field is unknown: write `},
		`{"rootNamespace":"x","serviceEntryVisiblity":{}}`: {
			`visibility: serviceEntryVisiblity: the field is unknown: write serviceEntryVisibility`},
		`{"serviceEntryVisibility":{},"defaultServicesExportTo":["."]}`: {
			`visibility: defaultServicesExportTo: the field is unknown: write defaultServiceExportTo`},
		// Nor is what stands beside the object that it belongs in.
		`{"serviceEntryVisibility":null,"defaultVisibility":"NAMESPACE","policies":[]}`: {
			`visibility: defaultVisibility: the field is unknown: write serviceEntryVisibility.defaultVisibility`,
			`visibility: policies: the field is unknown: write serviceEntryVisibility.policies`},
		`{"spec":{"meshConfig":{"serviceEntryVisibility":{},"apply_to_sidecars":true}}}`: {
			`visibility: spec.meshConfig.apply_to_sidecars: the field is unknown: write spec.meshConfig.serviceEntryVisibility.applyToSidecars`},
		`{"meshConfig":{"serviceEntryVisibility":{"defaultVisibility":"NONE"}}}`: {
			`visibility: meshConfig: the field is unknown: write spec.meshConfig`},
		`{"spec":{"profile":"ambient"},"meshConfig":{}}`: {
			`visibility: meshConfig: the field is unknown: write spec.meshConfig`},
		`{"spec":{"profile":"ambient"},"serviceEntryVisibility":{}}`: {
			`visibility: serviceEntryVisibility: the field is unknown: write spec.meshConfig.serviceEntryVisibility`},
		`{"spec":{"serviceEntryVisibility":{},"defaultServiceExportTo":["."]}}`: {
			`visibility: spec.serviceEntryVisibility: the field is unknown: write spec.meshConfig.serviceEntryVisibility`,
			`visibility: spec.defaultServiceExportTo: the field is unknown: write spec.meshConfig.defaultServiceExportTo`},
		`{"spec":{"values":{"meshConfig":{"rootNamespace":"x","serviceEntryVisibility":{},"default_service_export_to":[]}}}}`: {
			`visibility: spec.values.meshConfig.serviceEntryVisibility: the field is not read here: write it in spec.meshConfig`,
			`visibility: spec.values.meshConfig.default_service_export_to: the field is not read here: write it in spec.meshConfig`},
		`{"spec":{"values":{"meshConfig":{"serviceEntryVisiblity":{}}}}}`: {
			`visibility: spec.values.meshConfig.serviceEntryVisiblity: the field is unknown: write serviceEntryVisibility`},
		`{"spec":{"meshconfig":{"serviceEntryVisibility":{}}}}`: {
			`visibility: spec.meshconfig: the field is unknown: write meshConfig`},
		`{"kind":"ConfigMap","data":{"mesh":"serviceEntryVisibility: {}"}}`: {
			`visibility: kind: the object has no configuration of a mesh: write that of an IstioOperator, or the text in data.mesh of the ConfigMap`},
		`{"policies":[{"matchingRules":[{"namespaceSelector":{"match_labels":{"a":"b"}}}]}]}`: {
			`visibility: policies[0].matchingRules[0].namespaceSelector.match_labels: the field is unknown: write matchLabels`},
		`{"policies":{}}`:     {`visibility: policies: write a list, not an object`},
		`{"policies":[null]}`: {`visibility: policies[0]: the item is null: remove it`},
		`{"policies":[{"visibility":"public","matchingRule":[]},{"matchingRules":[{"namespaceSelecter":{}}]}]}`: {
			`visibility: policies[0].visibility: "public" is unknown: write PUBLIC`,
			`visibility: policies[0].matchingRule: the field is unknown: write matchingRules`,
			`visibility: policies[1].matchingRules[0].namespaceSelecter: the field is unknown: write namespaceSelector`,
		},
		`{"policies":[{"matchingRules":[{"namespaceSelector":{"matchLabels":{"a":1,"b":null,"c":"x","c":"y"},"matchExpressions":[{"values":[1]}]}}]}]}`: {
			`visibility: policies[0].matchingRules[0].namespaceSelector.matchLabels["a"]: write text in quotes, not a number`,
			`visibility: policies[0].matchingRules[0].namespaceSelector.matchLabels["b"]: write text in quotes, not null`,
			`visibility: policies[0].matchingRules[0].namespaceSelector.matchLabels["c"]: the label is written twice: remove one`,
			`visibility: policies[0].matchingRules[0].namespaceSelector.matchExpressions[0].values[0]: write text in quotes, not a number`,
		},
		`{"policies":[],"` + strings.Repeat("x", 10_000) + `":1}`: {`visibility: "` + strings.Repeat("x", 80) + `"… (10000 bytes): the field is unknown: write `},
	} {
		c, err := visibility.ParseConfig([]byte(text))
		assert.Nil(t, c, text)
		if !assert.Error(t, err, text) {
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if assert.Len(t, lines, len(want), text) {
			for i := range want {
				assert.True(t, strings.HasPrefix(lines[i], want[i]), "%s\n got %s\nwant %s", text, lines[i], want[i])
			}
		}
	}
}

func TestParseConfigLenient(t *testing.T) {
	c, warnings, err := visibility.ParseConfigLenient([]byte(`{"serviceEntryVisibility":{
		"defaultVisiblity":"NAMESPACE",
		"defaultVisibility":1,
		"policies":[{"visibility":"NONE","matchingRules":[{"hostnameSuffix":".corp"}]}]}}`))
	require.NoError(t, err)
	assert.Equal(t, &visibility.Config{
		DefaultVisibility: visibility.None,
		Policies:          []visibility.Policy{{Visibility: visibility.None, MatchingRules: []visibility.MatchRule{{}}}},
	}, c)
	var got []string
	for _, w := range warnings {
		got = append(got, w.String())
	}
	assert.Equal(t, []string{
		`serviceEntryVisibility.defaultVisiblity: the field is unknown and dropped: write defaultVisibility (unknown-field)`,
		`serviceEntryVisibility.defaultVisibility: the level is a number: write NONE instead of 1 (level-is-number)`,
		`serviceEntryVisibility.policies[0].matchingRules[0].hostnameSuffix: the field is unknown and dropped: write namespaceSelector (unknown-field)`,
	}, got)

	for _, text := range []string{
		`{"spec":{"meshConfig":{"serviceEntryVisiblity":{}}}}`, `{"spec":{"mesh-config":{}}}`, `{"spec":{"serviceEntryVisibility":{}}}`,
		`{"meshConfig":{"serviceEntryVisibility":{}}}`, `{"serviceEntryVisibility":null,"defaultVisibility":"NONE"}`,
	} {
		c, warnings, err = visibility.ParseConfigLenient([]byte(text))
		require.NoError(t, err)
		assert.Nil(t, c)
		assert.Len(t, warnings, 1, text)
	}

	for _, text := range []string{
		`{"defaultVisibility":"namespace"}`, `{"defaultVisibility":"2"}`, `{"defaultVisibility":2.5}`, `{"defaultVisibility":2147483648}`,
		`{"applyToSidecars":1}`, `{"policies":[[]]}`, `{"policies":[{"matchingRules":[{"namespaceSelector":{"matchLabels":{"a":1}}}]}]}`, `{`,
		`{"spec":{"values":{"meshConfig":{"serviceEntryVisibility":{}}}}}`,
	} {
		c, warnings, err := visibility.ParseConfigLenient([]byte(text))
		assert.Error(t, err, text)
		assert.Nil(t, c)
		assert.Nil(t, warnings)
	}
}

// What istiod makes of what is refused here; package k8sdiff holds more of it
// against istiod itself.
func TestParseConfigLenientAsIstiod(t *testing.T) {
	matching := func(rules ...visibility.MatchRule) visibility.Config {
		return visibility.Config{Policies: []visibility.Policy{{MatchingRules: rules}}}
	}
	selecting := func(s visibility.LabelSelector) visibility.Config {
		return matching(visibility.MatchRule{NamespaceSelector: &s})
	}
	selector := func(text string) string {
		return `{"policies":[{"matchingRules":[{"namespaceSelector":` + text + `}]}]}`
	}
	const at = "policies[0].matchingRules[0].namespaceSelector."
	for _, tt := range []struct {
		text     string
		want     visibility.Config
		warnings []string // code and path
	}{
		{`{"policies":[null]}`, visibility.Config{Policies: []visibility.Policy{{}}}, []string{"null-value policies[0]"}},
		{`{"policies":[{"matchingRules":[null]}]}`, matching(visibility.MatchRule{}), []string{"null-value policies[0].matchingRules[0]"}},
		{selector(`{"matchExpressions":[null]}`), selecting(visibility.LabelSelector{MatchExpressions: []visibility.Requirement{{}}}),
			[]string{"null-value " + at + "matchExpressions[0]"}},
		{selector(`{"matchLabels":{"a":null}}`), selecting(visibility.LabelSelector{MatchLabels: map[string]string{"a": ""}}),
			[]string{"null-value " + at + `matchLabels["a"]`}},
		{selector(`{"matchLabels":{"a":"1","a":"2"}}`), selecting(visibility.LabelSelector{MatchLabels: map[string]string{"a": "2"}}),
			[]string{"written-twice " + at + `matchLabels["a"]`}},
		{selector(`{"matchExpressions":[{"values":["x",null]}]}`),
			selecting(visibility.LabelSelector{MatchExpressions: []visibility.Requirement{{Values: []string{"x", ""}}}}),
			[]string{"null-value " + at + "matchExpressions[0].values[1]"}},
		{`{"defaultVisibility":7}`, visibility.Config{DefaultVisibility: visibility.Public}, []string{"unknown-level defaultVisibility"}},
		{`{"defaultVisibility":-1}`, visibility.Config{DefaultVisibility: visibility.Public}, []string{"unknown-level defaultVisibility"}},
		{`{"defaultVisibility":2.0}`, visibility.Config{DefaultVisibility: visibility.Namespace}, []string{"level-is-number defaultVisibility"}},
		{`{"defaultVisibility":2e0}`, visibility.Config{DefaultVisibility: visibility.Namespace}, []string{"level-is-number defaultVisibility"}},
		{`{"default_visibility":"NONE","defaultVisibility":"PUBLIC"}`, visibility.Config{DefaultVisibility: visibility.Public},
			[]string{"written-twice defaultVisibility"}},
		{`{"defaultVisibility":"PUBLIC","default_visibility":"ALL"}`, visibility.Config{DefaultVisibility: visibility.Public},
			[]string{"written-twice default_visibility"}},
		{`{"default_visibility":"NONE","defaultVisibility":null}`, visibility.Config{}, []string{"written-twice defaultVisibility"}},
		{`{"defaultVisibility":"NONE","defaultVisibility":"PUBLIC"}`, visibility.Config{DefaultVisibility: visibility.Public},
			[]string{"written-twice defaultVisibility"}},
		{`{"serviceEntryVisibility":{"applyToSidecars":true},"serviceEntryVisibility":{}}`, visibility.Config{},
			[]string{"written-twice serviceEntryVisibility"}},
		{`{"serviceEntryVisibility":{},"defaultServiceExportTo":["a b",null]}`, visibility.Config{DefaultExportTo: []string{"a b", ""}},
			[]string{"null-value defaultServiceExportTo[1]"}},
	} {
		c, warnings, err := visibility.ParseConfigLenient([]byte(tt.text))
		assert.NoError(t, err, tt.text)
		assert.Equal(t, &tt.want, c, tt.text)
		var got []string
		for _, w := range warnings {
			got = append(got, string(w.Code)+" "+w.Path)
		}
		assert.Equal(t, tt.warnings, got, tt.text)
		_, err = visibility.ParseConfig([]byte(tt.text))
		assert.Error(t, err, tt.text)
	}
}

func TestConfigRoundTrip(t *testing.T) {
	for _, c := range []*visibility.Config{
		{},
		visibility.NamespaceOnly(),
		visibility.RootNamespace("istio-system"),
		{DefaultExportTo: []string{}},
		{DefaultExportTo: []string{"."}, ApplyToSidecars: true, Policies: []visibility.Policy{
			{Visibility: visibility.None},
			{MatchingRules: []visibility.MatchRule{{}, {NamespaceSelector: &visibility.LabelSelector{
				MatchExpressions: []visibility.Requirement{{Key: "k", Operator: visibility.NotIn, Values: []string{"v"}}},
			}}}},
		}},
	} {
		data, err := json.Marshal(c)
		require.NoError(t, err)
		got := &visibility.Config{DefaultVisibility: visibility.None}
		require.NoError(t, json.Unmarshal(data, got), "%s", data)
		assert.Equal(t, c, got, "%s", data)
	}
	kept := visibility.Config{DefaultVisibility: visibility.None}
	require.NoError(t, json.Unmarshal([]byte("null"), &kept))
	require.Error(t, json.Unmarshal([]byte(`{"policies":1}`), &kept))
	assert.Equal(t, visibility.Config{DefaultVisibility: visibility.None}, kept)
	_, err := json.Marshal(&visibility.Config{DefaultVisibility: 7})
	assert.ErrorContains(t, err, "there is no level 7")
	for want, c := range map[string]any{`null`: (*visibility.Config)(nil), `{"defaultVisibility":"NAMESPACE"}`: *visibility.NamespaceOnly()} {
		data, err := json.Marshal(c)
		require.NoError(t, err)
		assert.Equal(t, want, string(data))
	}
}

func TestLevel(t *testing.T) {
	for l, want := range map[visibility.Level]struct {
		text, reason string
		own, other   bool
	}{
		visibility.Unspecified: {"VISIBILITY_UNSPECIFIED", "", false, false},
		visibility.None:        {"NONE", "None", false, false},
		visibility.Namespace:   {"NAMESPACE", "Namespace", true, false},
		visibility.Public:      {"PUBLIC", "Public", true, true},
	} {
		assert.Equal(t, want.text, l.String())
		assert.Equal(t, want.reason, l.Reason())
		assert.Equal(t, want.own, l.VisibleTo("a", "a"))
		assert.Equal(t, want.other, l.VisibleTo("a", "b"))
		assert.Equal(t, want.other, l.VisibleTo("a", ""))
		assert.Equal(t, want.other, l.VisibleTo("", ""))
		text, err := l.MarshalText()
		require.NoError(t, err)
		var back visibility.Level
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, l, back)
	}
	var l visibility.Level
	assert.EqualError(t, l.UnmarshalText([]byte("Public")), `visibility: "Public" is unknown: write PUBLIC`)
	assert.Equal(t, "Level(9)", visibility.Level(9).String())
	assert.False(t, visibility.Level(9).VisibleTo("a", "a"))
}

// Whatever the text, the strict reader takes no more than the lenient one, and
// what it takes is read the same by both and survives a round trip.
func FuzzParseConfig(f *testing.F) {
	for _, v := range readVectors(f).Parse {
		f.Add([]byte(v.Mesh))
	}
	f.Add([]byte(`{"spec":{"meshConfig":{"serviceEntryVisibility":{"policies":[{"matchingRules":[{"namespaceSelector":{"matchLabels":{"a":"b"}}}]}]}}}}`))
	f.Add([]byte(`{"defaultVisibility":2,"default_visibility":"NONE"}`))
	f.Add([]byte(`[[[[`)) // nesting, cut off
	f.Fuzz(func(t *testing.T, data []byte) {
		strict, err := visibility.ParseConfig(data)
		lenient, warnings, lenientErr := visibility.ParseConfigLenient(data)
		if err != nil {
			require.Nil(t, strict)
			return
		}
		require.NoError(t, lenientErr)
		require.Empty(t, warnings)
		require.Equal(t, strict, lenient)
		if strict == nil {
			return
		}
		text, err := json.Marshal(strict)
		require.NoError(t, err)
		again, err := visibility.ParseConfig(text)
		require.NoError(t, err)
		second, err := json.Marshal(again)
		require.NoError(t, err)
		require.Equal(t, string(text), string(second))
	})
}
