package engine

import "testing"

func TestHasScheme(t *testing.T) {
	for url, want := range map[string]bool{
		"http://h/": true, "ftp://h/": true, "h": false, "h/?next=http://x": false, "h?http://x": false, "h/http://x": false,
		"h#http://x": false, "/a?b=http://x": false, "": false, "http://h/?next=http://x": true,
	} {
		if got := HasScheme(url); got != want {
			t.Errorf("HasScheme(%q) = %v", url, got)
		}
	}
}

func TestCheckHost(t *testing.T) {
	for host, want := range map[string]bool{
		"shop.example": true, "shop.example:8443": true, "[::1]": true, "192.0.2.1": true, "a_b": true,
		"": false, "https://shop.example": false, "bad host/": false, "a b": false, "a/b": false, "a?b": false, "a#b": false, "u@h": false, "a\nb": false,
	} {
		if err := CheckHost(host); (err == nil) != want {
			t.Errorf("CheckHost(%q) = %v", host, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for name, r := range map[string]Request{
		"a method":        {Method: "GET /"},
		"a port":          {ListenerPort: 65536},
		"a negative port": {ListenerPort: -1},
		"Host":            {Headers: []Header{{Name: "hOST", Value: "h"}}},
		"a name":          {Headers: []Header{{Name: "a b", Value: "c"}}},
		"a line break":    {Headers: []Header{{Name: "a", Value: "b\r\nc: d"}}},
	} {
		if r.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	r := Request{Method: "get", ListenerPort: 65535, Headers: []Header{{Name: "a", Value: "b\té"}, {Name: "b"}}}
	if err := r.Check(); err != nil {
		t.Error(err)
	}
}

// TestHint has URLs that people have and no client sends.
func TestHint(t *testing.T) {
	for url, want := range map[string]string{
		"http://h/a?b#c":           "a client keeps the fragment to itself: it asks for http://h/a?b",
		"http://h/#":               "a client keeps the fragment to itself: it asks for http://h/",
		"https://u:p@h:8443/a":     "a client sends user and password in a header: it asks for https://h:8443/a",
		"https://Bücher.example/é": "a client sends the host in ASCII: it asks for https://xn--bcher-kva.example/é",
		"http://u@bü.example:81/#": "a client keeps the fragment to itself, sends user and password in a header, sends the host in ASCII: it asks for http://xn--b-eha.example:81/",
		"http://u@h/a?u@h#":        "a client keeps the fragment to itself, sends user and password in a header: it asks for http://h/a?u@h",
		"http://bü..cher.example/": "",
		"http://h/../x":            "",
		"http://h/a b":             "",
	} {
		x, err := new(Config).Explain(&Request{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		if x.Hint != want {
			t.Errorf("%s: hint %q, want %q", url, x.Hint, want)
		}
	}
}
