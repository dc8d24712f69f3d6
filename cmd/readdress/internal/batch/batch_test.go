package batch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestAnswersAtOnce wants an answer before the next question, as a program that
// waits for it needs.
func TestAnswersAtOnce(t *testing.T) {
	questions, ask := io.Pipe()
	answers, answer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := Run(questions, answer)
		done <- err
		answer.Close()
	}()
	lines := bufio.NewScanner(answers)
	for i := range 3 {
		if _, err := fmt.Fprintf(ask, `{"id":%d,"rules":[],"url":"h/%d"}`+"\n", i, i); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
		if want := fmt.Sprintf(`{"id":%d,"rewrite":{"url":"http://h/%d","splice":{"cut":0,"put":0}}}`, i, i); lines.Text() != want {
			t.Errorf("%s, want %s", lines.Text(), want)
		}
	}
	ask.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestManyConfigurations asks about more configurations than are kept.
func TestManyConfigurations(t *testing.T) {
	var in strings.Builder
	const n = 3 * maxKept
	for i := range n {
		fmt.Fprintf(&in, `{"rules":[{"action":{"addPathPrefix":"/p%d"}}],"url":"h/x"}`+"\n", i%(maxKept+7))
	}
	var out strings.Builder
	usable, err := Run(strings.NewReader(in.String()), &out)
	if err != nil || !usable {
		t.Fatal(usable, err)
	}
	i := 0
	for line := range strings.Lines(out.String()) {
		var a Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("http://h/p%d/x", i%(maxKept+7)); a.Rewrite.URL != want {
			t.Errorf("answer %d: %s, want %s", i, a.Rewrite.URL, want)
		}
		i++
	}
	if i != n {
		t.Errorf("%d answers to %d questions", i, n)
	}
}

// TestUsable has questions whose form is unusual, with a part of the answer.
func TestUsable(t *testing.T) {
	ingress := `{"kind":"Ingress","metadata":{"name":"web"},"spec":{"ingressClassName":"Mine","rules":[{"host":"h","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"web","port":{"number":80}}}}]}}]}}`
	for question, want := range map[string]string{
		`{"url":"h/\ud83d\ude00","rules":[]}`:                                   `"url":"http://h/%F0%9F%98%80"`,
		`{"url":"h/\\ud800","rules":[],"id":"\\ud800"}`:                         `"id":"\\ud800"`,
		`{"url":"h/?next=http://x","rules":[]}`:                                 `"url":"http://h/?next=http://x"`,
		`{"url":"h/","manifests":[` + ingress + `],"classes":{"MINE":"nginx"}}`: `"rewriter":"nginx"`,
		`{"url":"h/","manifests":[` + ingress + `],"rules":null}`:               `"object":"Ingress default/web"`,
		"\ufeff" + `{"url":"h/","rules":[]}`:                                    `"url":"http://h/"`,
	} {
		var out strings.Builder
		if usable, err := Run(strings.NewReader(question), &out); !usable || err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %s, %v, want %s", question, out.String(), err, want)
		}
	}
}

// TestNoQuestion has lines that are no question, with what is said of them.
func TestNoQuestion(t *testing.T) {
	for line, want := range map[string]string{
		`{bad}`:                             "byte 1: invalid character 'b' looking for beginning of object key string",
		`{"url":"x"`:                        "the line ends before the question does: write each on one line",
		`[]`:                                "this is a list: write an object",
		`"x"`:                               "this is a text: write an object",
		`{"url":"x","manifests":"kind: X"}`: "manifests: this is a text: write a list",
		`{"url":"x","rules":[],"headers":[{"name":3}]}`:              `headers.name: this is a number: write a text, in quotes`,
		`{"url":"x","rules":[],"listen_port":1.5}`:                   `listen_port: "1.5" is a number: write a whole number`,
		`{"url":"x","rules":[],"headers":[{"nme":"x"}],"id":1}`:      `headers: unknown field "nme": a header has name and value`,
		`{"url":"x","rules":[],"rule":1}`:                            `unknown field "rule": write one of id, url, rules, `,
		`{"url":"x","rules":[],"headers":[{"name":"a","name":"b"}]}`: `headers: "name" is there twice: remove one`,
		`{"url":"x","rules":[],"response":[{},{"Name":"a"}]}`:        `response: unknown field "Name": a header has name and value`,
		`{"url":"x","rules":[],"classes":{"a":"bfe","a":"nginx"}}`:   `classes: "a" is there twice: remove one`,
		`{"URL":"x","rules":[]}`:                                     `unknown field "URL": write one of id, url, `,
		`{"url":"x","rules":[],"url":"y"}`:                           `"url" is there twice: remove one`,
		`{"url":"x","rules":[],"\u0075rl":"y"}`:                      `"url" is there twice: remove one`,
	} {
		var out strings.Builder
		var a Answer
		usable, err := Run(strings.NewReader(line), &out)
		if err := errors.Join(err, json.Unmarshal([]byte(out.String()), &a)); err != nil {
			t.Fatal(err)
		}
		if usable || a.Error == nil || a.Error.Kind != "json" || !strings.HasPrefix(a.Error.Message, want) {
			t.Errorf("%s: %s, want %s", line, out.String(), want)
		}
	}
}

// TestUnusable has questions that cannot be answered, with the kind of the error.
func TestUnusable(t *testing.T) {
	for question, kind := range map[string]string{
		`{`:                                     "json",
		`{"url":"h","rules":[]} {}`:             "json",
		`{"url":"h","rules":[]} }`:              "json",
		`{"url":"h","rules":[]}]`:               "json",
		`{"url":"h","rulez":[]}`:                "json",
		`{"url":"h"}`:                           "question",
		`{"url":"h","rules":null}`:              "question",
		`{"rules":[]}`:                          "question",
		`{"url":"h","rules":[],"manifests":[]}`: "question",
		`{"url":"h","manifests":["kind: X"],"mode":"lax"}`:                                            "question",
		`{"url":"h","rules":[{"action":{"setPath":"x/.."}}]}`:                                         "rules",
		`{"url":"h","rules":[{"action":{"fly":"x"}}]}`:                                                "rules",
		`{"url":"h","rules":7}`:                                                                       "rules",
		`{"url":"h","manifests":["a: ["]}`:                                                            "manifests",
		`{"url":"h","rules":[],"mode":"lax"}`:                                                         "question",
		`{"url":"h","rules":[],"classes":{"a":"b"}}`:                                                  "question",
		`{"url":"h","rules":[],"method":"a b"}`:                                                       "question",
		`{"url":"h","rules":[],"listen_port":70000}`:                                                  "question",
		`{"url":"h","rules":[],"headers":[{"name":"Host","value":"x"}]}`:                              "question",
		`{"url":"h","manifests":[{"kind":"X"}],"allowed_hosts":["a b"]}`:                              "question",
		`{"url":"h","manifests":[{"kind":"X"}],"response":[{"name":"a b","value":"c"}]}`:              "question",
		`{"url":"h","manifests":[{"kind":"X"}],"response":[{"name":"Location","value":"/\r\nb: c"}]}`: "question",
		"{\"url\":\"h/\xff\",\"rules\":[]}":                                                           "json",
		"{\"id\":\"\xff\",\"url\":\"h\",\"rules\":[]}":                                                "json",
		`{"url":"h/\ud800","rules":[]}`:                                                               "json",
		`{"url":"h/\udc00\ud800","rules":[]}`:                                                         "json",
		`{"url":"h/\ud800x","rules":[]}`:                                                              "json",
		`{"url":"ftp://h/","rules":[]}`:                                                               "url",
		`{"url":"ftp://h/","manifests":[{"kind":"X"}]}`:                                               "url",
	} {
		var out strings.Builder
		usable, err := Run(strings.NewReader(question), &out)
		if err != nil {
			t.Fatal(err)
		}
		var a Answer
		if err := json.Unmarshal([]byte(out.String()), &a); err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(out.String()) {
			t.Errorf("%s: %q is not UTF-8", question, out.String())
		}
		if usable || a.Error == nil || a.Error.Kind != kind || a.Error.Message == "" {
			t.Errorf("%s: %s, want an error of kind %s", question, out.String(), kind)
		}
	}
}
