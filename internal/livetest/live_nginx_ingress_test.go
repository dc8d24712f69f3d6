package livetest

// Package route/ingress/nginx in Compat, against nginx with the configuration
// that the controller makes of the same Ingresses.

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/nginx"
)

// ours is what becomes of a request: a Service and what it is asked for, a
// redirect, or a status.
func (w *world) ours(in *rewrite.Input, host, target string, header fields) string {
	s, u, answer := dispatched(w.table, in, host, target, header)
	if answer != "" {
		return answer
	}
	i := slices.IndexFunc(s.entry.Backends, func(b ingress.Backend) bool { return b.Weight > 0 })
	if i < 0 || s.entry.Backends[i].Invalid {
		return "500"
	}
	return s.entry.Backends[i].Service.Name + " " + string(u.AppendTarget(nil))
}

// route is the same of nginx.
func (s *server) route(host, target string, header fields) string {
	s.t.Helper()
	resp, body := s.get(host, target, header)
	if seen, ok := strings.CutPrefix(body, "echo http://"); ok && resp.StatusCode == http.StatusOK {
		service, path, _ := strings.Cut(seen, serviceEnd)
		if service == noService {
			return "404"
		}
		return service + " " + path
	}
	return strings.TrimSpace(fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("Location")))
}

// A compatKind is a kind of difference that is there on purpose.
type compatKind struct {
	name  string // a kind of testdata/differences.json, or a code and what it is about
	about func(w *world, target, theirs, ours string) bool
}

// compatKinds are the differences, of which the first that fits counts. The
// dialect's own are rows of route/ingress/nginx/testdata/differences.json.
var compatKinds = []compatKind{
	{"NUL", func(_ *world, target, theirs, ours string) bool {
		return nul.about(nil, target, theirs, ours)
	}},
	{"above the root", func(_ *world, target, theirs, ours string) bool {
		return aboveRoot.about(nil, target, theirs, ours)
	}},
	{"dot-segment", func(_ *world, _, theirs, ours string) bool {
		return ours == "400" && (strings.Contains(theirs, "/.") || strings.Contains(theirs, " ."))
	}},
	{"nginx-drops-slash: and nothing is normalised", func(w *world, target, theirs, ours string) bool {
		return strings.HasPrefix(theirs, "308 ") && w.hasCode(nginx.CodeDropsSlash) && (theirs+"/" == ours || !isPlainTarget(target) && strings.HasPrefix(ours, "308 "))
	}},
	{"nginx-normalises: nginx sends what it does not rewrite as it came", func(_ *world, target, theirs, ours string) bool {
		before, _, _ := strings.Cut(theirs, " ")
		return strings.HasSuffix(theirs, target) && !isPlainTarget(target) && strings.HasPrefix(ours, before)
	}},
	{"an empty result", func(w *world, _, theirs, _ string) bool { return theirs == "500" && w.hasEmptyTarget() }},
	{"escaped slash", func(_ *world, target, _, _ string) bool { return containsFold(pathOf(target), "%2f") }},
	{"line end", func(_ *world, target, _, _ string) bool { return containsFold(pathOf(target), "%0a") }},
	{"query of captures", func(_ *world, _, theirs, ours string) bool {
		return strings.Contains(ours, "?p=") && unescape(theirs) == unescape(ours)
	}},
	{"nginx-decodes: escapes, slashes of captures, an empty query", func(_ *world, _, theirs, ours string) bool { return loose(theirs) == loose(ours) }},
	{"a line beside relative-redirects, and a slash redirect", func(w *world, _, theirs, ours string) bool {
		status, url, ok := strings.Cut(ours, "http://")
		_, path, _ := strings.Cut(url, "/")
		return ok && w.has("relative-redirects", "true") && loose(theirs) == loose(status+"/"+path)
	}},
	{"nginx-escapes: an escape is three bytes to an expression", func(w *world, target, _, _ string) bool {
		return strings.ContainsAny(pathOf(target), "%\\[{|é") && (w.has("configuration-snippet", "[^") || strings.Contains(w.String(), "/a.b"))
	}},
	{"nginx-redirect-order: https first", func(w *world, _, theirs, ours string) bool {
		return strings.HasPrefix(ours, "308 https://") && strings.HasPrefix(theirs, "30") && w.hasCode(nginx.CodeRedirectOrder)
	}},
	{"nginx-snippet-chain: a break before rewrite-target", func(w *world, _, _, _ string) bool {
		return w.hasCode(nginx.CodeSnippetChain) && w.has("configuration-snippet", "break")
	}},
	{"a line without a flag before rewrite-target", func(w *world, _, _, _ string) bool {
		return w.has("configuration-snippet", "/b/$1;") && w.has("rewrite-target", "")
	}},
	{"a line of the default location", func(w *world, _, _, ours string) bool {
		return ours == "404" && (w.has("configuration-snippet", "rewrite ") || w.has("server-snippet", "rewrite "))
	}},
	{"nginx-snippet-chain: a line of the server before those of a path", func(w *world, target, _, _ string) bool {
		return w.hasCode(nginx.CodeSnippetChain) && w.has("server-snippet", "/a/$1") && w.has("configuration-snippet", "rewrite ") && strings.Contains(pathOf(target), "/b/")
	}},
	{"nginx-snippet-chain: a redirect before a line that leads elsewhere", func(w *world, _, theirs, _ string) bool {
		return strings.HasPrefix(theirs, "30") && w.hasCode(nginx.CodeSnippetChain) && w.has("server-snippet", "redirect;") && w.has("configuration-snippet", "last;")
	}},
}

// hasEmptyTarget reports whether a rewrite-target can become an empty path.
func (w *world) hasEmptyTarget() bool {
	return slices.ContainsFunc(w.list, func(in *ingress.Ingress) bool { return in.Annotations[nginxPrefix+"rewrite-target"] == "$1" })
}

// isPlainTarget reports whether the path of a target is in normal form.
func isPlainTarget(target string) bool {
	path := pathOf(target)
	return !strings.ContainsAny(path, "%\\{[|é") && !strings.Contains(path, "//") && !strings.Contains(path, "/.")
}

// loose is an answer without escapes, final question marks, doubled slashes, and
// the slash in front of what could be part of a host otherwise.
func loose(answer string) string {
	before, after, _ := strings.Cut(strings.TrimRight(unescape(answer), "?"), " ")
	scheme, rest, ok := strings.Cut(after, "://")
	if !ok {
		scheme, rest = "", after
	}
	for strings.Contains(rest, "//") {
		rest = strings.ReplaceAll(rest, "//", "/")
	}
	return before + " " + scheme + " " + strings.Replace(strings.TrimPrefix(rest, "/"), "e.org/", "e.org", 1)
}

// TestNginxIngress sends requests to random hosts.
func TestNginxIngress(t *testing.T) {
	const perWorld = 5 // requests
	addr, n := freeAddr(t), requests(t)
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: nginx.New(&nginx.Options{Mode: nginx.Compat, SkipValidation: true})})
	if err != nil {
		t.Fatal(err)
	}
	conf := newControllerConf(addr, echo(t))
	rng := rand.New(rand.NewPCG(33, 34))
	var worlds []*world
	refused := 0
	for len(worlds) < 1+n/perWorld {
		w := randomWorld(rng, fmt.Sprintf("w%d.test", len(worlds)))
		result := d.Dispatch(w.list, nil)
		w.problems = result.Problems
		if slices.ContainsFunc(w.problems, func(p ingress.Problem) bool { return p.Severity == ingress.Error }) || !conf.add(w.list) {
			refused++
			continue
		}
		w.table = siteTable(result.Entries)
		worlds = append(worlds, w)
	}
	server := startNginx(t, addr, conf.String())
	in := &rewrite.Input{DotSegments: rewrite.ResolveDotSegments, MergeSlashes: true}
	starts := []string{"/", "/", "/a", "/a", "/a/", "/a/", "/b", "/b/", "/ab", "/A", "/B/", "/a.b", "/abc", "/a/b/c", "/index", "/c"}
	plain := []string{"a", "b", "c", "/", "/", "x", "1", "23", ".php", "/b", "/x", "c/", "y", "/a", "B"}
	hostile := []string{"a", "b", "/", "/", ".", "..", "/./", "/../", "//", "%2F", "%2f", "%2e", "%61", "%20", "%41", "%7E", "%25", "%3F", "%23",
		";", "+", "$", "$1", "!", "'", ":", "@", "&", "=", ",", "%C3%A9", "%0A", "~", "%5C", "[", "|", "\xc3\xa9", "*", "(", "%00", "\\", "{"}
	counts, same := make(map[string]int), 0
	for i := range n {
		w := worlds[i%len(worlds)]
		host := pick(rng, w.hosts...)
		if rng.IntN(8) == 0 {
			_, domain, _ := strings.Cut(host, ".")
			host = pick(rng, "www."+host, "x."+domain, "y."+domain, "b."+domain)
		}
		pieces := plain
		if rng.IntN(3) == 0 {
			pieces = hostile
		}
		target := randomTarget(rng, starts, pieces, []string{"a=1", "&", "b=%2F", "?", "c", "+", "="})
		header := fields{"X-Canary": pick(rng, "", "always", "never", "v1"), "Cookie": "canary=" + pick(rng, "", "always", "never", "x")}
		theirs, ours := server.route(host, target, header), w.ours(in, host, target, header)
		if theirs == ours {
			same++
			continue
		}
		k := slices.IndexFunc(compatKinds, func(k compatKind) bool { return k.about(w, target, theirs, ours) })
		if k < 0 {
			t.Errorf("%s %q %v\ntheirs %q\nours   %q\n%s", host, target, header, theirs, ours, w)
			continue
		}
		if counts[compatKinds[k].name]++; counts[compatKinds[k].name] == 1 {
			t.Logf("%s: %s %q: %q, not %q", compatKinds[k].name, host, target, theirs, ours)
		}
	}
	t.Logf("nginx ingress: %d hosts, %d refused; %d answers are the same; differences: %v", len(worlds), refused, same, counts)
}
