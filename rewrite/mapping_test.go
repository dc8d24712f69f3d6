package rewrite_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

func TestMappingJSON(t *testing.T) {
	list := []rewrite.Mapping{
		{From: "/", To: "/app/"},
		{Kind: rewrite.MapCookiePath, From: "~^/(.*)$", To: "/app/$1"},
		{Kind: rewrite.MapCookieDomain, From: "a.internal", To: "a.example"},
	}
	const text = `[{"kind":"Location","from":"/","to":"/app/"},` +
		`{"kind":"CookiePath","from":"~^/(.*)$","to":"/app/$1"},` +
		`{"kind":"CookieDomain","from":"a.internal","to":"a.example"}]`
	data, err := json.Marshal(list)
	if err != nil || string(data) != text {
		t.Fatalf("%s, %v", data, err)
	}
	var back []rewrite.Mapping
	if err := json.Unmarshal(data, &back); err != nil || len(back) != len(list) {
		t.Fatalf("%v, %v", back, err)
	}
	for i := range list {
		if back[i] != list[i] {
			t.Errorf("%v came back as %v", list[i], back[i])
		}
	}
	var m rewrite.Mapping
	if err := json.Unmarshal([]byte(`{"from":"/a","to":"/b"}`), &m); err != nil || m != (rewrite.Mapping{From: "/a", To: "/b"}) {
		t.Errorf("without a kind: %v, %v", m, err)
	}
}

func TestMappingJSONFaults(t *testing.T) {
	before := rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "/a", To: "/b"}
	for _, c := range []struct {
		text   string
		offset string
	}{
		{`[]`, "offset 0"},
		{`{}`, "no field from"},
		{`{"from":"/"}`, "no field to"},
		{`{"from":"/","to":"/","From":"/"}`, "offset 21"},
		{`{"from":"/","from":"/","to":"/"}`, "offset 12"},
		{`{"kind":"location","from":"/","to":"/"}`, "offset 8"},
		{`{"kind":1,"from":"/","to":"/"}`, "offset 8"},
		{`{"from":null,"to":"/"}`, "offset 8"},
		{`{"from":"/","to":["/"]}`, "offset 17"},
		{`{"from":"/","to":"\ud800"}`, "offset 18"},
		{`{"from":"/","to":"/"`, "offset 20"},
	} {
		m := before
		if err := m.UnmarshalJSON([]byte(c.text)); err == nil || m != before || !strings.Contains(err.Error(), c.offset) {
			t.Errorf("%s: %v, %v; want an error with %q", c.text, m, err, c.offset)
		}
	}
	for _, m := range []rewrite.Mapping{{Kind: 3}, {From: "\xff"}, {To: "\xff"}} {
		if data, err := json.Marshal(m); err == nil {
			t.Errorf("%#v is marshalled as %s", m, data)
		}
	}
}

func TestMappingKind(t *testing.T) {
	for _, k := range []rewrite.MappingKind{-1, 3, 127} {
		if text, err := k.MarshalText(); err == nil || !strings.Contains(k.String(), "MappingKind(") {
			t.Errorf("%v is marshalled as %s", k, text)
		}
	}
	k := rewrite.MapCookieDomain
	for _, text := range []string{"", "location", "MapLocation", "Location ", "0"} {
		if err := k.UnmarshalText([]byte(text)); err == nil || k != rewrite.MapCookieDomain {
			t.Errorf("%q is read as %v", text, k)
		}
	}
}

func TestCompileMappingsFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		m      rewrite.Mapping
		param  string
		offset int
		says   string
	}{
		{"unknown kind", rewrite.Mapping{Kind: 3, From: "/", To: "/"}, "kind", -1, "MapLocation"},
		{"empty From", rewrite.Mapping{To: "/"}, "from", -1, "empty"},
		{"empty To", rewrite.Mapping{From: "/"}, "to", -1, "empty"},
		{"Path without a slash", rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "~(.*)", To: "x$1"}, "to", 0, "slash"},
		{"relative", rewrite.Mapping{From: "a/b", To: "/"}, "from", 0, "http://host/path"},
		{"scheme-relative", rewrite.Mapping{From: "//b/c", To: "/"}, "from", 1, "one slash"},
		{"To that leads away", rewrite.Mapping{From: "/", To: "//evil.example/"}, "to", 1, "one slash"},
		{"other scheme", rewrite.Mapping{From: "ftp://b/", To: "/"}, "from", 0, "http or https"},
		{"script", rewrite.Mapping{From: "/", To: "javascript:alert(1)"}, "to", 0, "slash"},
		{"no host", rewrite.Mapping{From: "http:///a", To: "/"}, "from", 7, "host"},
		{"port", rewrite.Mapping{From: "http://b:0/", To: "/"}, "from", 9, "1 to 65535"},
		{"user information", rewrite.Mapping{From: "http://u@b/", To: "/"}, "from", 8, "user information"},
		{"query", rewrite.Mapping{From: "/a?b", To: "/"}, "from", 2, "query"},
		{"query of a URL", rewrite.Mapping{From: "/", To: "http://b/a?c"}, "to", 10, "query"},
		{"query behind a host", rewrite.Mapping{From: "/", To: "http://b?c"}, "to", 8, "query"},
		{"fragment", rewrite.Mapping{From: "/a#b", To: "/"}, "from", 2, "fragment"},
		{"dot-segment", rewrite.Mapping{From: "/", To: "/a/../b"}, "to", 3, "dot-segment"},
		{"dot-segment of a URL", rewrite.Mapping{From: "http://b/a/%2e/", To: "/"}, "from", 11, "dot-segment"},
		{"percent sign", rewrite.Mapping{From: "/100%", To: "/"}, "from", 4, "%25"},
		{"control byte", rewrite.Mapping{From: "/", To: "/a\r\nb"}, "to", 2, "control byte"},
		{"not UTF-8", rewrite.Mapping{From: "/\xff", To: "/"}, "from", 1, "UTF-8"},
		{"too long", rewrite.Mapping{From: "/" + strings.Repeat("a", 64<<10), To: "/"}, "from", -1, "at most"},
		{"variable", rewrite.Mapping{From: "/", To: "$scheme://$host/"}, "to", 0, "no variable"},
		{"word of nginx", rewrite.Mapping{From: "default", To: "/"}, "from", -1, "leave the mapping out"},

		{"expression to nothing", rewrite.Mapping{From: "~^/a"}, "to", -1, "empty"},
		{"expression to a space", rewrite.Mapping{From: "~^/a(.*)", To: " $1"}, "to", 0, "space"},
		{"expression to a backslash", rewrite.Mapping{From: "~^/a(.*)", To: `\/b$1`}, "to", 0, "backslash"},
		{"cookie path, expression to nothing", rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "~.*"}, "to", -1, "empty"},
		{"cookie domain, expression to nothing", rewrite.Mapping{Kind: rewrite.MapCookieDomain, From: "~.*"}, "to", -1, "empty"},
		{"cookie domain, expression to a port", rewrite.Mapping{Kind: rewrite.MapCookieDomain, From: "~.*", To: "c:80"}, "to", 1, "port"},
		{"cookie domain, expression to no name", rewrite.Mapping{Kind: rewrite.MapCookieDomain, From: "~.*", To: ".b..c"}, "to", 3, "label"},
		{"cookie domain, expression to a dollar sign", rewrite.Mapping{Kind: rewrite.MapCookieDomain, From: "~.*", To: "$$"}, "to", 0, "not allowed"},

		{"cookie path, semicolon", rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "/", To: "/app; Domain=.evil"}, "to", 4, "semicolon"},
		{"cookie path, semicolon by an expression", rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "~(.*)", To: "$1; Secure"}, "to", 2, "semicolon"},
		{"cookie path, comma", rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "/a,b/", To: "/app,x=1"}, "to", 4, "%2C"},
		{"cookie path, comma by an expression", rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "~^/a,(.*)", To: "/$1,x=1"}, "to", 3, "comma"},
		{"cookie path, URL", rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "http://b/", To: "/"}, "from", 0, "slash"},
		{"cookie path, control byte", rewrite.Mapping{Kind: rewrite.MapCookiePath, From: "/", To: "/\x00"}, "to", 1, "control byte"},
		{"cookie domain, URL", rewrite.Mapping{Kind: rewrite.MapCookieDomain, From: "http://b", To: "c"}, "from", 0, "scheme"},
		{"cookie domain, port", rewrite.Mapping{Kind: rewrite.MapCookieDomain, From: "b", To: "c:80"}, "to", 1, "port"},
		{"cookie domain, dot", rewrite.Mapping{Kind: rewrite.MapCookieDomain, From: ".b..c", To: "c"}, "from", 3, "label"},
		{"cookie domain, semicolon", rewrite.Mapping{Kind: rewrite.MapCookieDomain, From: "b", To: "c; Path=/"}, "to", 1, "semicolon"},

		{"expression", rewrite.Mapping{From: "~(", To: "/"}, "from", -1, "regular expression"},
		{"expression of another language", rewrite.Mapping{From: "~*(?=a)", To: "/"}, "from", -1, "regular expression"},
		{"expression, too long", rewrite.Mapping{From: "~" + strings.Repeat("a", 513), To: "/"}, "from", -1, "at most 512"},
		{"expression, too costly", rewrite.Mapping{From: "~(a{100}){9}", To: "/"}, "from", -1, "instructions"},
		{"capture that is not there", rewrite.Mapping{From: "~^/(a)", To: "/$1/$2"}, "to", 4, "capture 2"},
		{"named capture", rewrite.Mapping{From: "~^/(?P<x>a)", To: "/$x"}, "to", 1, "$1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := []rewrite.Mapping{{From: "/ok", To: "/ok"}, c.m}
			m, err := rewrite.CompileMappings(list, nil)
			var errs rewrite.MappingErrors
			if m != nil || !errors.As(err, &errs) || len(errs) != 1 {
				t.Fatalf("got %v, %v; want one fault", m, err)
			}
			e := errs[0]
			if e.Index != 1 || e.Kind != c.m.Kind || e.Param != c.param || e.Offset != c.offset || !strings.Contains(e.Error(), c.says) {
				t.Errorf("got %s of %d, %v, at %d; want %s at %d, saying %q: %v", e.Param, e.Index, e.Kind, e.Offset, c.param, c.offset, c.says, e)
			}
			if len(e.Error()) > 400 {
				t.Errorf("the message has %d bytes", len(e.Error()))
			}
		})
	}
}

// "~*" is no part of the expression: not of its length, and not of a message.
func TestMappingWithoutLetterCase(t *testing.T) {
	for _, kind := range []rewrite.MappingKind{rewrite.MapLocation, rewrite.MapCookiePath, rewrite.MapCookieDomain} {
		longest := []rewrite.Mapping{{Kind: kind, From: "~*[" + strings.Repeat("a", 510) + "]", To: "/b"}}
		if kind == rewrite.MapCookieDomain {
			longest[0].To = "b"
		}
		if _, err := rewrite.CompileMappings(longest, nil); err != nil {
			t.Errorf("%v: %.120v", kind, err)
		}
		faulty := []rewrite.Mapping{{Kind: kind, From: "~*a(", To: "/b"}}
		if _, err := rewrite.CompileMappings(faulty, nil); err == nil || !strings.Contains(err.Error(), `"a("`) {
			t.Errorf("%v: %v; want what was written", kind, err)
		}
	}
}

// All faults are reported, in the order of the list.
func TestCompileMappingsReportsAll(t *testing.T) {
	_, err := rewrite.CompileMappings([]rewrite.Mapping{
		{From: "a", To: "b"},
		{From: "/a", To: "/b"},
		{Kind: rewrite.MapCookieDomain, From: "a", To: ""},
		{Kind: -1},
	}, nil)
	want := []string{"mapping 0: Location: from: ", "mapping 0: Location: to: ", "mapping 2: CookieDomain: to: ", "mapping 3: MappingKind(-1): kind: "}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%v", len(lines), len(want), err)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, "rewrite: "+want[i]) {
			t.Errorf("line %d is %q, want %q", i, line, want[i])
		}
	}
	if _, ok := errors.AsType[*rewrite.MappingError](err); !ok {
		t.Error("no MappingError is to be had from the error")
	}
}

// Nothing maps nothing.
func TestMappingsEmpty(t *testing.T) {
	empty, err := rewrite.CompileMappings(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*rewrite.Mappings{"nil": nil, "zero": {}, "of no list": empty} {
		v := rewrite.Inverse{}.With(m)
		for header, method := range inverseMethods {
			for _, in := range []string{"", "/x", "http://b/x", "0;url=/x", "a=1; Path=/; Domain=b", "</x>"} {
				if got, changed := method(v, in); got != in || changed {
					t.Errorf("%s: %s of %q is %q", name, header, in, got)
				}
			}
		}
	}
}

// A mapping keeps to the limits of regular expressions that it is given, and a
// value beyond the budget stays.
func TestMappingsBudget(t *testing.T) {
	list := []rewrite.Mapping{{From: "~^/(.*)$", To: "/app/$1"}}
	m, err := rewrite.CompileMappings(list, &rewrite.Options{Regexp: rewrite.RegexpLimits{Budget: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	v := rewrite.Inverse{}.With(m)
	if got, _ := v.Location("/x"); got != "/app/x" {
		t.Errorf("got %s", got)
	}
	long := "/" + strings.Repeat("a", 1000)
	if got, changed := v.Location(long); got != long || changed {
		t.Errorf("a value beyond the budget became %.20s...", got)
	}
	if _, err := rewrite.CompileMappings(list, &rewrite.Options{Regexp: rewrite.RegexpLimits{Instructions: 2}}); err == nil {
		t.Error("the limit on instructions is ignored")
	}
}

// A Domain is a host, with a regular expression in front of it or without.
func TestMappedDomain(t *testing.T) {
	for _, from := range []string{"up.internal", `~^up\.`} {
		m, err := rewrite.CompileMappings([]rewrite.Mapping{{Kind: rewrite.MapCookieDomain, From: from, To: "Bücher.example"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := (rewrite.Inverse{}).With(m).SetCookie("a=1; Domain=up.internal"); got != "a=1; Domain=xn--bcher-kva.example" {
			t.Errorf("%s: got %s", from, got)
		}
	}
}

// What a mapping does not match is derived.
func TestMappingsBeforeInverse(t *testing.T) {
	client, upstream, r := newInverse(t)
	m, err := rewrite.CompileMappings([]rewrite.Mapping{
		{From: "/users", To: "/people"},
		{From: "http://up.internal:8080/users", To: "https://people.example"},
		{Kind: rewrite.MapCookiePath, From: "/users", To: "/people"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := rewrite.NewInverse(client, upstream, r).With(m)
	for _, c := range []struct{ header, in, want string }{
		{"Location", "/users/1", "/people/1"},
		{"Location", "/usersx/1", "/api/usersx/1"},
		{"Location", "http://up.internal:8080/users", "https://people.example"},
		{"Location", "http://up.internal:8080/users/1?q", "https://people.example/1?q"},
		{"Location", "http://up.internal:8080/x", "https://www.example.com/api/x"},
		{"Set-Cookie", "a=1; Path=/users/1", "a=1; Path=/people/1"},
		{"Set-Cookie", "a=1; Path=/; Domain=up.internal", "a=1; Path=/api; Domain=www.example.com"},
	} {
		if got, _ := inverseMethods[c.header](v, c.in); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.header, c.in, got, c.want)
		}
	}
	v = v.With(nil)
	if got, _ := v.Location("/users/1"); got != "/api/users/1" {
		t.Errorf("With(nil) leaves the mappings: %s", got)
	}
}
