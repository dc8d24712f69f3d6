package query

import (
	"net/url"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		query, name, want string
		ok                bool
	}{
		{"", "a", "", false},
		{"", "", "", false},
		{"&&", "", "", false},
		{"=1", "", "1", true},
		{"a=1", "a", "1", true},
		{"a=1&a=2", "a", "1", true},
		{"b=2&a", "a", "", true},
		{"b=2&a=", "a", "", true},
		{"aa=1", "a", "", false},
		{"A=1", "a", "", false},
		{"a=b=c", "a", "b=c", true},
		{"%61=%62", "a", "%62", true},
		{"x+y=1", "x y", "1", true},
		{"x%20y=1", "x y", "1", true},
		{"x+y=1", "x+y", "", false},
		{"x%2By=1", "x+y", "1", true},
		{"%zz=1", "%zz", "1", true},
		{"%61%zz=1", "a%zz", "", false},
		{"%zz%61=1", "%zz%61", "1", true},
		{"%61b=1", "a", "", false},
		{"%61=1", "ab", "", false},
		{"a=1;b=2", "b", "", false},
		{"x&&a=1", "a", "1", true},
	} {
		if got, ok := Find(tt.query, tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("Find(%q, %q) is %q, %v; want %q, %v", tt.query, tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// Where net/url decodes, Find and AppendDecoded agree with it.
func TestAgainstNetURL(t *testing.T) {
	symbols := []string{"a", "b", "=", "&", "+", "%61", "%26", "%3d", "%C3%A9"}
	var try func(query string, left int)
	try = func(query string, left int) {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(query, err)
		}
		for _, name := range []string{"a", "aa", "b", " ", "a b", "&", "é", ""} {
			raw, ok := Find(query, name)
			if want, has := values[name]; ok != has || ok && string(AppendDecoded(nil, raw)) != want[0] {
				t.Fatalf("%q: %q is %q, %v; want %q", query, name, raw, ok, want)
			}
		}
		if left > 0 {
			for _, s := range symbols {
				try(query+s, left-1)
			}
		}
	}
	try("", 4)
}

func TestAppendDecoded(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "a", "a+b": "a b", "%41%zz%4": "A%zz%4", "100%": "100%", "%00": "\x00",
	} {
		if got := string(AppendDecoded([]byte("x"), in)); got != "x"+want {
			t.Errorf("%q became %q behind an x", in, got)
		}
		if IsPlain(in) != !strings.ContainsAny(in, "+%") {
			t.Errorf("IsPlain(%q) is %v", in, IsPlain(in))
		}
	}
}

func TestAllocs(t *testing.T) {
	if got := testing.AllocsPerRun(100, func() { Find("b=1&%61%20=2&c", "a ") }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
