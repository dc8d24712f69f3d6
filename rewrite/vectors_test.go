// The cases of testdata/bfe.json and testdata/security.json.

package rewrite_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// A vectorFile is a file of cases.
type vectorFile struct {
	Vectors []vector `json:"vectors"`
}

// A vector is one case: rules, a request target, and what comes of it.
type vector struct {
	Name string `json:"name"`
	// Kind is what the case is about: path, query, host, match, redirect,
	// compile, limit (which has a second at most) or concurrency (whose code
	// is in concurrencyVectors).
	Kind string `json:"kind"`
	// Rules are in the JSON form of package rewrite, at the zero hook.
	Rules        json.RawMessage `json:"rules"`
	AllowedHosts []string        `json:"allowedHosts"`
	AllowAnyHost bool            `json:"allowAnyHost"`
	Input        vectorInput     `json:"input"`
	// In is a request target for the host example.com, in origin-form or
	// absolute-form; an adapter sets the path "*" without parsing it.
	In string `json:"in"`
	// Want is the URL after Clean and Apply, in the form of URL.String. If it
	// is absent, Error says where the case ends and with what: "Compile: " and
	// the parameter, "ParseTarget: ", "Clean: " or "Apply: " and the error, or
	// "JSON".
	Want  string `json:"want"`
	Error string `json:"error"`
	// Theirs is what the other system makes of In, if that differs.
	Theirs string `json:"theirs"`
	Why    string `json:"why"`
	Source string `json:"source"`
	// Replace says what stands for some words in In, Want and the arguments
	// of the actions: long texts, and bytes that JSON does not have.
	Replace map[string]filler `json:"replace"`
}

type vectorInput struct {
	DotSegments          string
	MergeSlashes, Strict bool
}

func (in vectorInput) input() *rewrite.Input {
	dots := map[string]rewrite.DotSegments{"Keep": rewrite.KeepDotSegments, "Resolve": rewrite.ResolveDotSegments}
	return &rewrite.Input{DotSegments: dots[in.DotSegments], MergeSlashes: in.MergeSlashes, Strict: in.Strict}
}

// A filler is a text, or bytes in hexadecimal, a number of times; or so many
// different characters in a row.
type filler struct {
	Text  string `json:"text"`
	Hex   string `json:"hex"`
	From  string `json:"from"`
	Times int    `json:"times"`
}

func (f filler) String() string {
	if f.From != "" {
		var b strings.Builder
		for i := range f.Times {
			b.WriteRune([]rune(f.From)[0] + rune(i))
		}
		return b.String()
	}
	raw, _ := hex.DecodeString(f.Hex)
	return strings.Repeat(f.Text+string(raw), max(f.Times, 1))
}

func (v *vector) fill(s string) string {
	for word, f := range v.Replace {
		s = strings.ReplaceAll(s, word, f.String())
	}
	return s
}

// rules decodes the rules and fills in their arguments.
func (v *vector) rules() ([]rewrite.Rule, error) {
	var rules []rewrite.Rule
	if err := json.Unmarshal(v.Rules, &rules); err != nil {
		return nil, err
	}
	for i := range rules {
		args := rules[i].Action.Args()
		for j := range args {
			args[j] = v.fill(args[j])
		}
		action, err := makeAction(rules[i].Action.Op(), args...)
		if err != nil {
			return nil, err
		}
		rules[i].Action = action
	}
	return rules, nil
}

func (v *vector) compile() (*rewrite.Program, error) {
	rules, err := v.rules()
	if err != nil {
		return nil, err
	}
	return rewrite.Compile(rules, &rewrite.Options{AllowedHosts: v.AllowedHosts, AllowAnyHost: v.AllowAnyHost})
}

// clean returns the URL of the case as a listener cleans it, or where that
// ends.
func (v *vector) clean() (u rewrite.URL, end string) {
	u = rewrite.URL{Scheme: "http", Host: "example.com", Path: "*"}
	if v.In != "*" {
		var err error
		if u, err = rewrite.ParseTarget("http", "example.com", v.fill(v.In)); err != nil {
			return u, "ParseTarget: " + errorNames[err]
		}
	}
	if err := v.Input.input().Clean(&u, nil); err != nil {
		return u, "Clean: " + errorNames[err]
	}
	return u, ""
}

// run returns what comes of the case: a URL, or where it ends.
func (v *vector) run(t *testing.T) (u rewrite.URL, end string) {
	p, err := v.compile()
	var faults rewrite.RuleErrors
	switch {
	case errors.As(err, &faults) && len(faults) == 1:
		return u, "Compile: " + faults[0].Param
	case faults != nil:
		t.Fatalf("more than one fault: %v", faults)
	case err != nil:
		return u, "JSON"
	}
	if u, end = v.clean(); end != "" {
		return u, end
	}
	out, _, err := judge(t, p, rewrite.AfterLocation, u)
	if err != nil {
		return out, "Apply: " + errorNames[err]
	}
	return out, ""
}

// spelled returns a URL as Want spells it.
func spelled(u rewrite.URL) string {
	if u.Path == "*" {
		return string(u.AppendTarget(nil))
	}
	return u.String()
}

func TestVectors(t *testing.T) {
	for _, file := range []string{"bfe", "security"} {
		t.Run(file, func(t *testing.T) {
			for _, v := range readVectors(t, file).Vectors {
				t.Run(v.Name, func(t *testing.T) {
					if v.Kind == "concurrency" {
						concurrencyVectors[v.Name](t)
						return
					}
					var u rewrite.URL
					var end string
					run := func() { u, end = v.run(t) }
					if v.Kind == "limit" {
						inTime(t, v.Name, run)
					} else {
						run()
					}
					switch got := spelled(u); {
					case end != v.Error:
						t.Errorf("ends with %q, want %q", end, v.Error)
					case end == "" && got != v.fill(v.Want):
						t.Errorf("\ngot  %.200q\nwant %.200q", got, v.fill(v.Want))
					}
				})
			}
		})
	}
}

// Every vector has a name of its own in its file, one expected value and a
// reason.
func TestVectorsAreWellFormed(t *testing.T) {
	for _, file := range []string{"bfe", "security"} {
		f := readVectors(t, file)
		seen := map[string]bool{}
		for _, v := range f.Vectors {
			if seen[v.Name] {
				t.Errorf("%s: twice", v.Name)
			}
			seen[v.Name] = true
			if concurrencyVectors[v.Name] == nil && (v.Want == "") == (v.Error == "") {
				t.Errorf("%s: want %q, error %q", v.Name, v.Want, v.Error)
			}
			if v.Why == "" && v.Source == "" || v.Theirs != "" && v.Why == "" {
				t.Errorf("%s: no reason given", v.Name)
			}
		}
	}
}

func readVectors(t *testing.T, name string) vectorFile {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	var f vectorFile
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%s.json: %v", name, err)
	}
	return f
}
