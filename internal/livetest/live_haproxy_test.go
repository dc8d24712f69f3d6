package livetest

// http-request replace-path, set-path, set-query and set-header of HAProxy.

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// A haproxyRule is in the form of HAProxy and in that of the library. It has an
// expression and a template if HAProxy replaces the path.
type haproxyRule struct {
	name, config, expression, template string
	actions                            []rewrite.Action
}

var haproxyRules = []haproxyRule{
	{"trim", `replace-path ^/api(/|$)(.*) /\2`, `^/api(/|$)(.*)`, `/$2`, []rewrite.Action{rewrite.RewritePath(`^/api(/|$)(.*)`, `/$2`)}},
	{"rest", `replace-path ^/api/(.*)$ /v2/\1`, `^/api/(.*)$`, `/v2/$1`, []rewrite.Action{rewrite.RewritePath(`^/api/(.*)$`, `/v2/$1`)}},
	{"glue", `replace-path ^/api(.*)$ /\1`, `^/api(.*)$`, `/$1`, []rewrite.Action{rewrite.RewritePath(`^/api(.*)$`, `/$1`)}},
	{"swap", `replace-path ^/([^/]+)/([^/]+)(/.*)?$ /\2/\1\3`, `^/([^/]+)/([^/]+)(/.*)?$`, `/$2/$1$3`, []rewrite.Action{rewrite.RewritePath(`^/([^/]+)/([^/]+)(/.*)?$`, `/$2/$1$3`)}},
	{"found", `replace-path b+ /found`, `b+`, `/found`, []rewrite.Action{rewrite.RewritePath(`b+`, `/found`)}},
	{"prefix", `set-path /v2%[path]`, `^(.*)$`, `/v2$1`, []rewrite.Action{rewrite.AddPathPrefix("/v2")}},
	{"query", `set-query k=v%%20w`, "", "", []rewrite.Action{rewrite.DropQuery(), rewrite.AddQuery("k", "v w")}},
	{"append", `set-query %[query]&k=v`, "", "", []rewrite.Action{rewrite.AddQuery("k", "v")}},
	{"host", `set-header Host other.example:8080`, "", "", []rewrite.Action{rewrite.SetHost("other.example:8080")}},
}

func TestHAProxy(t *testing.T) {
	path := find(t, "haproxy", "haproxy")
	addr, upstream := freeAddr(t), echo(t)
	var config strings.Builder
	config.WriteString("global\n  maxconn 256\n  nbthread 1\ndefaults\n  mode http\n  timeout connect 5s\n  timeout client 20s\n  timeout server 20s\n  retries 0\n")
	fmt.Fprintf(&config, "frontend in\n  bind %s\n", addr)
	var backends strings.Builder
	var rules []rule
	for _, r := range haproxyRules {
		fmt.Fprintf(&config, "  use_backend %s if { req.hdr(host) %s }\n", r.name, r.name)
		fmt.Fprintf(&backends, "backend %s\n  http-request %s\n  server s %s\n", r.name, r.config, upstream)
		rules = append(rules, rule{name: r.name, config: "http-request " + r.config, actions: r.actions})
	}
	compile(t, rules)
	haproxy := start(t, addr, t.TempDir(), config.String()+backends.String(), path, "-db", "-f", "%s")
	d := newDiffer(t, "HAProxy", haproxyKinds)
	in := &rewrite.Input{DotSegments: rewrite.KeepDotSegments}
	ask := func(i int, target string) (theirs, mine string) {
		theirs = haproxy.answer(rules[i].name, target)
		if model := haproxyModel(i, target); theirs != model {
			t.Errorf("%s: HAProxy makes %q of %q, the model %q", rules[i].name, theirs, target, model)
		}
		return theirs, ours(rules[i].program, in, rules[i].name, target)
	}
	rng := rand.New(rand.NewPCG(25, 26))
	starts := []string{"/api", "/api", "/api/", "/api/", "/apix", "/a", "/%61pi/", "/", "//api/", "/b/../api/", "/api.", "/b", "/bb/b"}
	pieces := []string{"a", "bc", "/", "/", ".", "..", "/./", "/../", "%2F", "%2e", "%20", "%41", "%25", "%3F", "%23",
		";", "+", "$1", "!", "'", ":", "@", "&", "=", ",", "%C3%A9", "%00", "%0A", "~", "%zz", "%", `"`, "<", `\1`, "[", "|", "^", "é", "#"}
	queries := []string{"a=1", "&", "b=%2F", "?", "c", "%zz", ";", "+", "=", "k=0", "&&"}
	d.run(rules, rng, starts, pieces, queries, ask)
}

// haproxyModel is what HAProxy makes of a request: expressions see the bytes of
// the path as they came.
func haproxyModel(i int, target string) string {
	r := haproxyRules[i]
	if strings.Contains(target, "#") || strings.IndexFunc(target, notASCII) >= 0 {
		return "400"
	}
	host := r.name
	path, query, hasQuery := strings.Cut(target, "?")
	if r.expression != "" {
		re := regexp.MustCompile(r.expression)
		if m := re.FindStringSubmatchIndex(path); m != nil {
			path = string(re.ExpandString(nil, bracketed.Replace(r.template), path, m))
		}
	}
	switch r.name {
	case "query":
		query, hasQuery = "k=v%20w", true
	case "append":
		query, hasQuery = query+"&k=v", true
	case "host":
		host = "other.example:8080"
	}
	if hasQuery {
		path += "?" + query
	}
	return "http://" + host + path
}

// bracketed turns $1 into ${1}.
var bracketed = strings.NewReplacer("$1", "${1}", "$2", "${2}", "$3", "${3}")

func notASCII(r rune) bool { return r >= 0x80 }

// haproxyKinds are the differences, of which the first that fits counts.
var haproxyKinds = []kind{
	{"bytes from 0x80", func(_ *rule, target, theirs, _ string) bool {
		return theirs == "400" && strings.IndexFunc(target, notASCII) >= 0
	}},
	malformedEscape, dotSegment,
	{"empty query", func(r *rule, target, theirs, ours string) bool {
		return r.name == "append" && !strings.Contains(strings.TrimSuffix(target, "?"), "?") &&
			legal(strings.Replace(theirs, "?&", "?", 1)) == ours
	}},
	{"doubled slash", func(r *rule, _, theirs, ours string) bool {
		once := onceSlash.ReplaceAllString(theirs, "http://$1/")
		return once != theirs && legal(once) == ours
	}},
	{"illegal bytes", func(_ *rule, _, theirs, ours string) bool {
		return legal(theirs) == ours
	}},
	{"other spelling", func(r *rule, target, _, ours string) bool {
		spelled := strings.ReplaceAll(target, "%61", "a")
		i := slices.IndexFunc(haproxyRules, func(h haproxyRule) bool { return h.name == r.name })
		return spelled != target &&
			legal(onceSlash.ReplaceAllString(haproxyModel(i, spelled), "http://$1/")) == strings.ReplaceAll(ours, "%61", "a")
	}},
}

var (
	malformed = regexp.MustCompile(`%([^0-9A-Fa-f]|$|.[^0-9A-Fa-f]|.$)`)
	onceSlash = regexp.MustCompile(`^http://([^/]+)//+`)
)

// legal escapes the bytes of the path of a URL that no path has.
func legal(u string) string {
	path, query, ok := strings.Cut(u, "?")
	var b strings.Builder
	for i := range len(path) {
		if strings.IndexByte("\"<>\\^`{|}", path[i]) >= 0 {
			fmt.Fprintf(&b, "%%%02X", path[i])
		} else {
			b.WriteByte(path[i])
		}
	}
	if ok {
		b.WriteString("?" + query)
	}
	return b.String()
}
