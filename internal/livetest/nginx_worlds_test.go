package livetest

// Random Ingresses of ingress-nginx.

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A world is a few Ingresses with one or two hosts of their own.
type world struct {
	list     []*ingress.Ingress
	hosts    []string
	problems []ingress.Problem
	table    *route.Table[site]
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

var (
	worldPaths = []string{"/", "/", "/a", "/b", "/a/b", "/a/", "/A", "/ab", "/a.b", "/b/c/", "/abc", "/a/b/c"}
	worldExprs = []string{"/a(/|$)(.*)", "/a/(.*)", "/(a|b)/(.*)", "/a.*", "/[ab]/b", "/(.*)", "/a/?(.*)", "/b(.*)", "/(a)/(b)",
		"/a/(b+)$", "/ab.?", "/a(/.*)?$", "/a/([^/]+)/(.*)", `/a/\d+`, `/.*\.php$`, `/a\.b`, "/a/b$", "/a/(b|c)", "/(a)(/|$)(.*)",
		"/b/(?:x|y)/(.*)", "/[a-c]{2}", "/a+b", "/a/", "/b"}
	worldTypes = []string{"Exact", "Prefix", "Prefix", "ImplementationSpecific"}
)

// An annotation is given to one Ingress of so many, with one of the values.
type annotation struct {
	name   string
	one    int
	values []string
}

var annotations = []annotation{
	{"app-root", 14, []string{"/x", "/a", "/app/"}},
	{"permanent-redirect", 20, []string{"https://e.org/p", "/p", "https://e.org", "p", "https://e.org/p?a=b", "https://e.org/$1", "https://e.org$request_uri"}},
	{"permanent-redirect-code", 3, []string{"308"}},
	{"temporal-redirect", 20, []string{"https://e.org/t", "http://$host/t"}},
	{"temporal-redirect-code", 3, []string{"307"}},
	{"relative-redirects", 10, []string{"true"}},
	{"force-ssl-redirect", 10, []string{"true"}},
	{"ssl-redirect", 10, []string{"true", "false"}},
	{"preserve-trailing-slash", 2, []string{"true"}},
	{"from-to-www-redirect", 12, []string{"true"}},
	{"server-alias", 12, []string{"x.%s", "y.%s", "b.%s"}},
	{"server-snippet", 25, []string{"rewrite ^/a/b$ /b/x permanent;", "rewrite ^/b/(.*)$ /a/$1;", "rewrite ^/b/(.*)$ /a/$1 last;", "return 301 https://s.org/;",
		"rewrite ^/a/x /ab break;", "rewrite ^/a(.*)$ https://e.org$1 redirect;"}},
	{"configuration-snippet", 5, []string{"rewrite ^/a/(.*)$ /b/$1 last;", "rewrite ^/a/(.*)$ /b/$1 break;", "rewrite ^/a/(.*)$ /b/$1;", "rewrite ^/b/x$ /c permanent;",
		"rewrite ^/a/b/(.*)$ https://e.org/$1 permanent;", "return 301 https://x.org$request_uri;", "rewrite ^([^.?]*[^/])$ $1/ redirect;",
		"rewrite ^/a$ /b redirect;", "return 302 /foo;", "rewrite ^/(.*)$ /z/$1 break;", "rewrite /b /c last;", "rewrite (?i)^/A/(.*) /x/$1 permanent;",
		"rewrite ^ /y redirect;", "rewrite ^/a/(.*)$ /b/$1? permanent;", "return 308 https://$host/k;", "rewrite ^/a(.*)$ /new$1 redirect;"}},
}

var worldTargets = []string{"/", "/x", "/$1", "/$2", "/x/$2", "/v/$1$2", "/a", "/$2/$1", "/b/$1", "https://e.org/$1", "$1", "/x?k=1", "/$1?", "/x/",
	"/a/b", "$scheme://e.org/x/$1", "https://e.org", "/q?p=$1"}

// randomWorld returns the Ingresses of the hosts a.DOMAIN and perhaps b.DOMAIN.
func randomWorld(rng *rand.Rand, domain string) *world {
	w := &world{hosts: []string{"a." + domain}}
	if rng.IntN(4) == 0 {
		w.hosts = append(w.hosts, "b."+domain)
	}
	plain := rng.IntN(3) == 0
	for i := range 1 + rng.IntN(4) {
		in := &ingress.Ingress{
			Namespace: "default", Name: fmt.Sprint("i", i), ClassName: "nginx", Annotations: make(map[string]string),
			Created: time.Date(2026, 1, 1, 2*i, 0, 0, 0, time.UTC),
		}
		set := func(name, value string) { in.Annotations[nginxPrefix+name] = value }
		expr := !plain && rng.IntN(2) == 0
		if expr {
			set("use-regex", "true")
		}
		if !plain && rng.IntN(3) == 0 {
			set("rewrite-target", pick(rng, worldTargets...))
		}
		for _, a := range annotations {
			if rng.IntN(a.one) == 0 {
				set(a.name, strings.ReplaceAll(pick(rng, a.values...), "%s", domain))
			}
		}
		rule := ingress.Rule{Host: pick(rng, w.hosts...)}
		for j := range 1 + rng.IntN(2) {
			p := ingress.Path{Path: pick(rng, worldPaths...), Type: pick(rng, worldTypes...), Backend: &ingress.BackendRef{Service: fmt.Sprintf("i%dp%d", i, j), Port: 80}}
			if expr && rng.IntN(3) > 0 {
				p.Path, p.Type = pick(rng, worldExprs...), "ImplementationSpecific"
			}
			rule.Paths = append(rule.Paths, p)
		}
		in.Rules = []ingress.Rule{rule}
		if rng.IntN(10) == 0 {
			in.TLS = []ingress.TLS{{Hosts: []string{rule.Host}, Secret: "certificate"}}
		}
		w.list = append(w.list, in)
		if rng.IntN(6) == 0 {
			w.list = append(w.list, randomCanary(rng, in))
		}
	}
	return w
}

// randomCanary returns a canary of the first path of an Ingress.
func randomCanary(rng *rand.Rand, of *ingress.Ingress) *ingress.Ingress {
	p := of.Rules[0].Paths[0]
	p.Backend = &ingress.BackendRef{Service: p.Backend.Service + "c", Port: 80}
	c := &ingress.Ingress{
		Namespace: "default", Name: of.Name + "c", ClassName: "nginx", Created: of.Created.Add(time.Hour),
		Annotations: map[string]string{nginxPrefix + "canary": "true"},
		Rules:       []ingress.Rule{{Host: of.Rules[0].Host, Paths: []ingress.Path{p}}},
	}
	for _, a := range []annotation{
		{"canary-by-header", 2, []string{"X-Canary"}},
		{"canary-by-header-value", 3, []string{"v1"}},
		{"canary-by-cookie", 2, []string{"canary"}},
		{"canary-weight", 3, []string{"100"}},
	} {
		if rng.IntN(a.one) == 0 {
			c.Annotations[nginxPrefix+a.name] = pick(rng, a.values...)
		}
	}
	return c
}

func (w *world) hasCode(codes ...ingress.Code) bool {
	return slices.ContainsFunc(w.problems, func(p ingress.Problem) bool { return slices.Contains(codes, p.Code) })
}

// has reports whether a value of the annotation has text in it.
func (w *world) has(name, text string) bool {
	return slices.ContainsFunc(w.list, func(in *ingress.Ingress) bool { return strings.Contains(in.Annotations[nginxPrefix+name], text) })
}

func (w *world) String() string {
	var b strings.Builder
	for _, in := range w.list {
		b.WriteString(in.Name)
		for _, p := range in.Rules[0].Paths {
			fmt.Fprintf(&b, " [%s %s %s to %s]", p.Type, in.Rules[0].Host, p.Path, p.Backend.Service)
		}
		for _, name := range slices.Sorted(maps.Keys(in.Annotations)) {
			fmt.Fprintf(&b, " %s=%q", strings.TrimPrefix(name, nginxPrefix), in.Annotations[name])
		}
		fmt.Fprintln(&b, " TLS:", in.TLS != nil)
	}
	return b.String()
}
