package lint

import (
	"bytes"
	"strings"
	"testing"

	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/route/ingress"
)

func at(file string, line, col int) manifest.Position {
	return manifest.Position{File: file, Line: line, Col: col}
}

func TestSorted(t *testing.T) {
	list := Sorted([]Diagnostic{
		{At: at("b", 1, 1), Code: "x"},
		{At: at("a", 10, 1), Code: "x"},
		{At: at("a", 2, 1), Code: "y"},
		{At: at("a", 2, 1), Code: "x", Detail: "2"},
		{At: at("a", 2, 1), Code: "x", Detail: "1"},
		{At: at("a", 2, 1), Code: "x", Detail: "1"},
	})
	var got []string
	for _, d := range list {
		got = append(got, d.At.String()+" "+d.Code+d.Detail)
	}
	if want := "a:2:1 x1, a:2:1 x2, a:2:1 y, a:10:1 x, b:1:1 x"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// TestGitHub wants what a workflow command gives a meaning to be escaped.
func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	err := WriteGitHub(&b, []Diagnostic{
		{At: at("a,b:c%d.yaml", 3, 4), Level: ingress.Warning, Code: "x", Detail: "50% of\nlines::error ::"},
		{At: manifest.Position{File: "f"}, Level: ingress.Note, Code: "y", Detail: "z"},
		{At: at("\x1b", 1, 1), Level: ingress.Error, Code: "\a", Key: "a\u202eb", Detail: "\x1b[2J"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "::warning file=a%2Cb%3Ac%25d.yaml,line=3,col=4,title=x::50%25 of%0Alines::error ::\n::notice file=f,title=y::z\n" +
		`::error file=\x1b,line=1,col=1,title=\x07::a\u202eb: \x1b[2J` + "\n"
	if b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
}

func TestFaults(t *testing.T) {
	list := []Diagnostic{{Level: ingress.Note}, {Level: ingress.Warning}, {Level: ingress.Error}}
	if n := Faults(list); n != 2 {
		t.Errorf("%d faults, want 2: a note is none", n)
	}
}
