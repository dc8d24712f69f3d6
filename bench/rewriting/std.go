package rewriting

// The standard library, as people use it for these rewrites.

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// Std returns the standard library's ways. Where one of them would be a plain
// assignment, such as that of a path, it is the floor.
func Std() []Peer {
	return []Peer{
		std("StripPrefix", map[string]Rewriter{
			"S1-trim-prefix":   Through(stripAPI),
			"S14-trim-escaped": Through(stripAPI),
		}),
		std("SetURL", map[string]Rewriter{
			"S2-add-prefix": setURL("http://www.example.com/v2"),
			"S4-set-host":   setURL("http://backend.internal"),
		}),
		std("regexp", map[string]Rewriter{
			"S10-regex-idiom": regex(`^/api/(.*)$`, "/$1"),
		}),
		std("net-url", map[string]Rewriter{
			"S6-add-pair":          values(func(q url.Values) { q.Add("debug", "1") }),
			"S7-delete-key":        values(func(q url.Values) { q.Del("user") }),
			"S8-rename-key":        values(func(q url.Values) { rename(q, "user", "uid") }),
			"S9-keep-key":          values(func(q url.Values) { keep(q, "user") }),
			"S11-chain-of-five":    chainOfFive,
			"S12-twenty-pairs":     values(func(q url.Values) { q.Del("user") }),
			"S13-absent-key":       values(func(q url.Values) { q.Del("token") }),
			"H1-keep-one-of-1024":  values(func(q url.Values) { keep(q, "user") }),
			"H2-delete-2048-pairs": values(func(q url.Values) { q.Del("a") }),
		}),
	}
}

func std(name string, do map[string]Rewriter) Peer {
	p := Peer{name, make(map[string]func(testing.TB) Rewriter, len(do))}
	for scenario, r := range do {
		p.Scenarios[scenario] = func(testing.TB) Rewriter { return r }
	}
	return p
}

func stripAPI(next http.Handler) http.Handler { return http.StripPrefix("/api", next) }

// setURL also sets the URL's scheme, as a proxy needs it.
func setURL(target string) Rewriter {
	to, err := url.Parse(target)
	if err != nil {
		panic(err)
	}
	return func(r *http.Request) *http.Request {
		(&httputil.ProxyRequest{Out: r}).SetURL(to)
		return r
	}
}

func regex(pattern, replacement string) Rewriter {
	re := regexp.MustCompile(pattern)
	return func(r *http.Request) *http.Request {
		r.URL.Path = re.ReplaceAllString(r.URL.Path, replacement)
		r.URL.RawPath = ""
		return r
	}
}

func values(change func(url.Values)) Rewriter {
	return func(r *http.Request) *http.Request {
		q := r.URL.Query()
		change(q)
		r.URL.RawQuery = q.Encode()
		return r
	}
}

func rename(q url.Values, from, to string) {
	if v, ok := q[from]; ok {
		q[to] = append(q[to], v...)
		delete(q, from)
	}
}

func keep(q url.Values, name string) {
	for k := range q {
		if k != name {
			delete(q, k)
		}
	}
}

// chainOfFive reads the query once for both of its actions.
func chainOfFive(r *http.Request) *http.Request {
	r.Host = "backend.internal"
	p := r.URL.Path
	if rest, ok := strings.CutPrefix(p, "/api"); ok && (rest == "" || rest[0] == '/') {
		p = rest
	}
	r.URL.Path, r.URL.RawPath = "/v2"+p, ""
	q := r.URL.Query()
	rename(q, "user", "uid")
	keep(q, "uid")
	r.URL.RawQuery = q.Encode()
	return r
}
