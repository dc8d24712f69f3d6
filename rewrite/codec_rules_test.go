package rewrite_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// Each fault is told with its rule and with the byte at which "Z" stands.
func TestParseRulesFaults(t *testing.T) {
	const good = `{"action":{"setPath":"/a"}}`
	for _, text := range []string{
		`[` + good + `, Z{"order": 1}]`,
		`[Z7]`,
		`[Znull, ` + good + `]`,
		` [ ` + good + ` , {"action": {"setPath": Z7}} ]`,
		`[{"hook": Z"forward", "action": {"setPath": "/a"}}, {"order": Z1.5, "action": {"setPath": "/a"}}, ` + good + `, {"action": {Z"fly": true}}]`,
		`[{"action":{"setPath":"/é"}}, {"action": {"setPath": ["/a", "/b"]}, Z"x": 1}]`,
	} {
		var want []int
		for rest, at := text, 0; ; {
			before, after, found := strings.Cut(rest, "Z")
			if !found {
				break
			}
			at += len(before)
			rest, want = after, append(want, at)
		}
		rules, err := rewrite.ParseRules([]byte(strings.ReplaceAll(text, "Z", "")), "file")
		faults, ok := errors.AsType[rewrite.RuleErrors](err)
		if !ok || rules != nil {
			t.Errorf("%s: %v, error %v", text, rules, err)
			continue
		}
		if strings.HasPrefix(text, "[{\"action\":{\"setPath\":\"/é\"}}") || strings.Contains(text, `, Z{"order"`) {
			want[0] = faults[0].Origin.Offset // of the end of the rule, or of its second parameter
		}
		var got []int
		for _, f := range faults {
			got = append(got, f.Origin.Offset)
			if f.Origin.Key != "file" || f.Origin.Index != f.Index || !strings.Contains(f.Error(), "file[") {
				t.Errorf("%s: %+v", text, f)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: faults at %v, want %v: %v", text, got, want, err)
		}
	}
}

// What is no list is one fault, at its byte.
func TestParseRulesWithoutAList(t *testing.T) {
	for text, want := range map[string]string{
		``: "offset 0: unexpected end", `{}`: "offset 0: write an array", `null`: "offset 0: write an array", ` 7`: "offset 1: write an array",
		`[] []`: "offset 3: text behind the value", `[{"action":{"dropQuery":true}},]`: "offset 31:", "[\"\xff\"]": "offset 2: not UTF-8", `[`: "offset 1: unexpected end",
	} {
		rules, err := rewrite.ParseRules([]byte(text), "")
		if err == nil || rules != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want %q", text, rules, err, want)
		}
	}
	if rules, err := rewrite.ParseRules([]byte(" [ ]\n"), ""); len(rules) != 0 || err != nil {
		t.Errorf("%v, error %v", rules, err)
	}
}

// ParseRules reads what encoding/json writes, and as it reads it.
func TestParseRulesAgainstUnmarshal(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 2_000 {
		text, err := json.MarshalIndent(rewritetest.Rules(r, r.IntN(6)), " ", "\t")
		if err != nil {
			t.Fatal(err)
		}
		var want []rewrite.Rule
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		got, err := rewrite.ParseRules(text, "k")
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %v, error %v", text, got, err)
		}
		for i := range got {
			if o := got[i].Origin; o.Key != "k" || o.Index != i || text[o.Offset] != '{' {
				t.Fatalf("%s: rule %d has Origin %v", text, i, o)
			}
			got[i].Origin = rewrite.Origin{}
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%s: rule %d is %v, want %v", text, i, got[i], want[i])
			}
		}
	}
}
