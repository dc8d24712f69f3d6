package report

import (
	"strings"
	"testing"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/lint"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/route/ingress"
)

func TestMarkdown(t *testing.T) {
	x := &engine.Explanation{
		Method: "GET", URL: "http://h/a|b c", Cleaned: "http://h/a|b%20c",
		Claims:         []engine.Claim{{Object: "Ingress default/a|b", Class: "a|b", Rewriter: "nginx"}},
		RequestHeaders: []engine.HeaderOp{{Op: "set", Name: "A", Value: "b|c"}}, ResponseHeaders: []engine.HeaderOp{{Op: "remove", Name: "Server"}},
		Backends: []engine.Backend{{
			Name: "default/web:80", Percent: 100, Weight: 1,
			RequestHeaders: []engine.HeaderOp{{Op: "add", Name: "B", Value: "c"}}, ResponseHeaders: []engine.HeaderOp{{Op: "set", Name: "D", Value: "e"}},
		}},
		Picked: "default/web:80", Upstream: "http://web:80", Forwarded: "http://h/a|b%20c",
	}
	found := []lint.Diagnostic{{At: manifest.Position{File: "f", Line: 1, Col: 2}, Level: ingress.Warning, Code: "x", Detail: "a*b|c $1 $2 ~~&lt;"}}
	var b strings.Builder
	if err := Markdown(&b, x, found); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"### GET `http://h/a|b c`\n", // no table, so nothing is escaped in code
		"is forwarded as `http://h/a|b%20c` to `http://web:80`.\n",
		"\nCleaned: `http://h/a|b%20c`\n",
		"| `Ingress default/a\\|b` | a\\|b | nginx |  |\n",
		"| request | all | `set A: b\\|c` |\n",
		"| response | all | `remove Server` |\n",
		"| request | `default/web:80` | `add B: c` |\n",
		"| response | `default/web:80` | `set D: e` |\n",
		"| warning | x | a\\*b\\|c \\$1 \\$2 \\~\\~&amp;lt; | `f:1:2` |\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in\n%s", want, b.String())
		}
	}
}

// TestShare wants weights beside percentages that are rounded: two shares that
// differ are not to look the same.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		percent       float64
		weight, other uint32
		want          string
	}{
		{70, 7, 3, "70.00 %"},
		{0, 1, 999_999, "0.00 % (1 of 1000000)"},
		{33.33, 1, 2, "33.33 % (1 of 3)"},
		{0, 0, 3, "0.00 %"},
	} {
		x := &engine.Explanation{Backends: []engine.Backend{{Percent: c.percent, Weight: c.weight}, {Weight: c.other}}}
		if got := share(&x.Backends[0], x); got != c.want {
			t.Errorf("%d and %d: %s, want %s", c.weight, c.other, got, c.want)
		}
	}
}

// TestSideBySide wants a word that is longer than its column to go on under its
// beginning.
func TestSideBySide(t *testing.T) {
	long := "http://" + strings.Repeat("a", 60) + ".example"
	x := &engine.Explanation{Method: "GET", URL: "http://h/", Backends: []engine.Backend{{Name: "default/web:80", Percent: 100, Weight: 1, Upstream: long}}, Status: 502}
	got, err := lines("a", x, 40)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a", "backend   100.00 % default/web:80 to", "          " + long[:30], "          " + long[30:60], "          " + long[60:], "answer    502"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
