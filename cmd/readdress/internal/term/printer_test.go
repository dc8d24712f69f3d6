package term

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                  "",
		"plain é 漢":         "plain é 漢",
		"a\tb\nc":           `a\x09b\x0ac`,
		"\x1b[31m":          `\x1b[31m`,
		"\x7f":              `\x7f`,
		"a\u202eb":          `a\u202eb`,
		"\U000e0001":        `\U000e0001`,
		"a\xffb":            `a\xffb`,
		"\ufffd":            "\ufffd",
		"%5C and \\ remain": `%5C and \ remain`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEscaper(t *testing.T) {
	var b bytes.Buffer
	if n, err := Escaper(&b).Write([]byte("a\n\tb\x1b[2J\u202e\n")); n != 12 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if want := "a\n\tb" + `\x1b[2J\u202e` + "\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "漢字": 4, "ｱ": 1, "Ａ": 2, "한": 2, "😀": 2} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text       string
		columns    int
		head, tail string
	}{
		{"abc", 3, "abc", ""}, {"abcd", 3, "abc", "d"}, {"漢字", 3, "漢", "字"}, {"漢", 1, "漢", ""}, {"ae\u0301b", 2, "ae\u0301", "b"}, {"", 3, "", ""},
	} {
		if head, tail := Cut(c.text, c.columns); head != c.head || tail != c.tail {
			t.Errorf("Cut(%q, %d) = %q, %q", c.text, c.columns, head, tail)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff") // escape sequence, bidirectional override, no UTF-8
	f.Fuzz(func(t *testing.T, s string) {
		got := Printable(s)
		for _, r := range got {
			if !unicode.IsPrint(r) {
				t.Fatalf("Printable(%q) = %q has %U", s, got, r)
			}
		}
		if !utf8.ValidString(got) {
			t.Fatalf("Printable(%q) = %q is not UTF-8", s, got)
		}
	})
}

func TestLineBreaks(t *testing.T) {
	for _, c := range []struct {
		name         string
		width        int
		indent, hang int
		spans        []Span
		want         string
	}{
		{"no width", 0, 2, 4, []Span{{Text: strings.Repeat("word ", 20)}}, "  " + strings.Repeat("word ", 20) + "\n"},
		{"fits", 9, 0, 2, []Span{{Text: "aaaa bbbb"}}, "aaaa bbbb\n"},
		{"one too long", 8, 0, 2, []Span{{Text: "aaaa bbbb"}}, "aaaa\n  bbbb\n"},
		{"over spans", 8, 1, 3, []Span{{Text: "aaaa "}, {Text: "bbbb cc"}, {Text: " d"}}, " aaaa\n   bbbb\n   cc d\n"},
		{"a long word", 5, 0, 2, []Span{{Text: "a bbbbbbbb c"}}, "a\n  bbbbbbbb\n  c\n"},
		{"in characters", 4, 0, 0, []Span{{Text: "éé éé"}}, "éé\néé\n"},
		{"wide characters", 9, 0, 0, []Span{{Text: "漢字 漢字 ab"}}, "漢字 漢字\nab\n"},
		{"nothing", 10, 0, 0, nil, "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			p := &Printer{w: &b, width: c.width}
			if err := p.Line(c.indent, c.hang, c.spans...); err != nil {
				t.Fatal(err)
			}
			if b.String() != c.want {
				t.Errorf("%q, want %q", b.String(), c.want)
			}
		})
	}
}

func TestColours(t *testing.T) {
	var b bytes.Buffer
	p := &Printer{w: &b, width: 6, color: true}
	if err := p.Line(0, 2, Span{"aaa bbb", Red}, Span{" c", Plain}); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[31maaa\x1b[0m\n  \x1b[31mbbb\x1b[0m\n  c\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// TestNilProgress wants the progress of what is no terminal to do nothing.
func TestNilProgress(t *testing.T) {
	var p *Progress
	p.Show(1024, "lines", 1)
	p.Clear()
}
