package rewrite_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

func TestInverseZero(t *testing.T) {
	var v rewrite.Inverse
	for header, method := range inverseMethods {
		for _, in := range []string{"", "/x", "//b/x", "http://b/x", "0;url=/x", "a=1; Path=/; Domain=b", "</x>"} {
			if got, changed := method(v, in); got != in || changed {
				t.Errorf("%s of %q is %q, %t", header, in, got, changed)
			}
		}
	}
	if got, ok := v.Destination("/x"); got != "" || ok {
		t.Errorf("Destination is %q, %t", got, ok)
	}
	if got := v.Prefix(); got != "" {
		t.Errorf("Prefix is %q", got)
	}
}

// URLs that no Clean has seen, and a Result of another request: nothing
// panics, nothing that was not in the value gets into it, and where the parts do
// not fit, paths stay.
func TestNewInverseOfAnything(t *testing.T) {
	trimmed := func(path string) rewrite.Result {
		u := withPath(path)
		r, err := program(rewrite.TrimPathPrefix("/app")).Apply(rewrite.AfterLocation, &u, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		name             string
		client, upstream rewrite.URL
		r                rewrite.Result
		in, want         string
	}{
		{"empty URLs", rewrite.URL{}, rewrite.URL{}, trimmed("/app/x"), "/y", "/y"},
		{"client too short", withPath("/a"), withPath("/x"), trimmed("/app/x"), "/y", "/y"},
		{"upstream too short", withPath("/app/x"), withPath("/"), trimmed("/app/x"), "/y", "/y"},
		{"other rest", withPath("/app/x"), withPath("/z"), trimmed("/app/x"), "/y", "/y"},
		{"another request", withPath("/abc/x/y"), withPath("/x/y"), trimmed("/app/z"), "/y", "/abc/y"},
		{"joint within a segment", withPath("/apple/x"), withPath("/le/x"), trimmed("/app/z"), "/y", "/y"},
		{"base path in front", withPath("/app/x"), withPath("/base/x"), trimmed("/app/x"), "/base/y", "/app/y"},
		{"base path in front of nothing", withPath("/app"), withPath("/base/"), trimmed("/app"), "/base/y", "/app/y"},
		{"control bytes", withPath("/a\r\n/x"), withPath("/x"), trimmed("/app/x"), "/y", "/y"},
		{"question mark", withPath("/a?b/x"), withPath("/x"), trimmed("/app/x"), "/y", "/y"},
		{"backslash", withPath(`/\ab/x`), withPath("/x"), trimmed("/app/x"), "/y", "/y"},
		{"dot-segments", withPath("/../x"), withPath("/x"), trimmed("/app/x"), "/y", "/y"},
		{"relative", withPath("abcd/x"), withPath("/x"), trimmed("/app/x"), "/y", "/y"},
		{"host of the client", rewrite.URL{Scheme: "http", Host: "a\r\nb", Path: "/app/x"}, withPath("/x"), trimmed("/app/x"), "http://" + usual.Host + "/y", "http://" + usual.Host + "/y"},
		{"user information of the client", rewrite.URL{Scheme: "http", Host: "u@b", Path: "/app/x"}, withPath("/x"), trimmed("/app/x"), "http://" + usual.Host + "/y", "http://" + usual.Host + "/y"},
		{"no host of the client", rewrite.URL{Scheme: "http", Path: "/app/x"}, withPath("/x"), trimmed("/app/x"), "http://" + usual.Host + "/y", "http://" + usual.Host + "/y"},
		{"scheme of the client", rewrite.URL{Scheme: "javascript", Host: "b", Path: "/app/x"}, withPath("/x"), trimmed("/app/x"), usual.Scheme + "://" + usual.Host + "/y", usual.Scheme + "://" + usual.Host + "/y"},
		{"asterisk", withPath("*"), withPath("*"), rewrite.Result{}, "/y", "/y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := rewrite.NewInverse(c.client, c.upstream, c.r)
			if got, _ := v.Location(c.in); got != c.want {
				t.Errorf("Location of %q is %q, want %q", c.in, got, c.want)
			}
		})
	}

	r := rand.New(rand.NewPCG(9, 9))
	for range randomRuns(t) {
		p := rewrite.MustCompile(rewritetest.Rules(r, 2), anyHost)
		u := rewritetest.CleanURL(r)
		result, _ := p.Apply(rewrite.AfterLocation, &u, nil)
		k := knownRewrite{client: rewritetest.URL(r), upstream: rewritetest.URL(r), result: result}
		for header, method := range inverseMethods {
			for _, in := range []string{rewritetest.URL(r).String(), "a=1; Path=/; Domain=" + k.upstream.Host, "0;url='" + k.upstream.String()} {
				got, changed := method(k.inverse(), in)
				if err := checkInverse(header, in, got, changed); err != nil {
					t.Fatalf("%#v and %#v: %v", k.client, k.upstream, err)
				}
			}
		}
	}
}

func TestInversePrefix(t *testing.T) {
	for _, c := range []struct {
		path   string
		action rewrite.Action
		want   string
	}{
		{"/app/x", rewrite.TrimPathPrefix("/app"), "/app"},
		{"/app", rewrite.TrimPathPrefix("/app"), "/app"},
		{"/app/", rewrite.TrimPathPrefix("/app"), "/app"},
		{"/%61pp/x", rewrite.TrimPathPrefix("/app"), "/%61pp"},
		{"/app/x", rewrite.ReplacePathPrefix("/app", "/v2"), "/app"},
		{"/a/b/c", rewrite.StripPathSegments(2), "/a/b"},
		{"/x", rewrite.AddPathPrefix("/v2"), ""},
		{"/apple", rewrite.TrimPathPrefix("/app"), ""},
		{"/x", rewrite.SetPath("/y"), ""},
		{"//evil.example/x", rewrite.StripPathSegments(2), ""},
		{"//x", rewrite.StripPathSegments(1), ""},
	} {
		k, err := applyHooks(program(c.action), withPath(c.path))
		if err != nil {
			t.Fatal(err)
		}
		if got := k.inverse().Prefix(); got != c.want {
			t.Errorf("%v of %s: prefix %q, want %q", c.action, c.path, got, c.want)
		}
	}
}

// A Destination goes forth, and what the upstream could take for another of its
// URLs does not go on.
func TestInverseDestination(t *testing.T) {
	client := rewrite.URL{Scheme: "https", Host: "dav.example", Path: "/files/a.txt"}
	k, err := applyHooks(program(rewrite.ReplacePathPrefix("/files", "/tenant1"), rewrite.SetHost("up.internal:8080")), client)
	if err != nil {
		t.Fatal(err)
	}
	k.upstream.Scheme = "http"
	k.aliases = []string{"10.0.0.5"}
	same, err := applyHooks(nil, client)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		k        knownRewrite
		in, want string // want empty: refused
	}{
		{k, "https://dav.example/files/b.txt", "http://up.internal:8080/tenant1/b.txt"},
		{k, "https://DAV.example:443/files/b%20c", "http://up.internal:8080/tenant1/b%20c"},
		{k, "/files/b.txt", "/tenant1/b.txt"},
		{k, "/files", "/tenant1"},
		{k, "/tenant2/b.txt", ""},
		{k, "/tenant1/b.txt", ""},
		{k, "https://dav.example/tenant2/b.txt", ""},
		{k, "http://up.internal:8080/tenant2/b.txt", ""},
		{k, "http://10.0.0.5/tenant2/b.txt", ""},
		{k, "https://other.example/files/b.txt", ""},
		{k, "/files/../tenant2/b.txt", ""},
		{k, "/files/x/%2e%2e/../tenant2", ""},
		{k, "/filesx", ""},
		{k, "b.txt", ""},
		{k, "", ""},
		{k, "/files/a\r\nb", ""},
		{k, `/\files`, ""},
		{same, "https://dav.example/b.txt", "https://dav.example/b.txt"},
		{same, "/b.txt", "/b.txt"},
		{same, "/../b.txt", "/../b.txt"},
		{same, "https://other.example/b.txt", ""},
	} {
		if got, ok := c.k.inverse().Destination(c.in); got != c.want || ok != (c.want != "") {
			t.Errorf("%q became %q, %t, want %q", c.in, got, ok, c.want)
		}
	}
}

// The time is linear: with a hundred thousand of anything, more than that would
// show.
func TestInverseOfLongValues(t *testing.T) {
	client, upstream, r := newInverse(t)
	v := rewrite.NewInverse(client, upstream, r)
	for _, c := range []struct{ header, unit string }{
		{"Location", "/a"}, {"Location", "/.."}, {"Location", "/a/.."}, {"Location", `\`}, {"Location", "%61"}, {"Location", "?#"},
		{"Set-Cookie", "; Path=/"}, {"Set-Cookie", ";"}, {"Set-Cookie", "; Domain=up.internal"}, {"Set-Cookie", "="},
		{"Refresh", "0"}, {"Refresh", "0;"}, {"Refresh", " "}, {"Refresh", "0;url='"},
		{"Link", "</a>,"}, {"Link", "<"}, {"Link", `</a>;a="`}, {"Link", ","},
	} {
		in := strings.Repeat(c.unit, 100_000)
		got, changed := inverseMethods[c.header](v, in)
		if err := checkInverse(c.header, in, got, changed); err != nil {
			t.Errorf("%s of many %q: %.200v", c.header, c.unit, err)
		}
	}
}
