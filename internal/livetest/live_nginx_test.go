package livetest

// rewrite and proxy_pass of nginx.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// startNginx runs nginx with servers in its http block.
func startNginx(t *testing.T, addr, servers string) *server {
	t.Helper()
	path := find(t, "nginx", "nginx-light")
	dir := t.TempDir()
	config := "daemon off;\nmaster_process off;\npid " + dir + "/pid;\nerror_log stderr;\n" +
		"events { worker_connections 64; }\nhttp {\naccess_log off;\nserver_names_hash_bucket_size 128;\n"
	for _, temp := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		config += fmt.Sprintf("%s_temp_path %s/%s;\n", temp, dir, temp)
	}
	return start(t, addr, dir, config+servers+"}\n", path, "-p", dir, "-c", "%s", "-e", "stderr")
}

// nginxRules are pairs of a regular expression and a replacement, as a rewrite
// directive has them and as RewritePath does.
var nginxRules = [][3]string{
	{"trim", `^/api(/|$)(.*)`, `/$2`},
	{"replace", `^/api/(.*)$`, `/v2/$1`},
	{"glue", `^/api(.*)$`, `/$1`},
	{"swap", `^/([^/]+)/([^/]+)(/.*)?$`, `/$2/$1$3`},
	{"fixed", `^/api`, `/fixed/path`},
	{"query", `^/api/(.*)$`, `/search?q=$1`},
	{"drop", `^/api/(.*)$`, `/$1?`},
	{"add", `^/api/([a-z]+)(.*)$`, `/$1$2?k=1&v=$1`},
}

func TestNginxRewrite(t *testing.T) {
	addr, upstream := freeAddr(t), echo(t)
	var servers strings.Builder
	var rules []rule
	for _, r := range nginxRules {
		fmt.Fprintf(&servers, "server {\nlisten %s;\nserver_name %s;\nlocation / {\nrewrite \"%s\" \"%s\" break;\n"+
			"proxy_set_header Host $http_host;\nproxy_pass http://%s;\n}\n}\n", addr, r[0], r[1], r[2], upstream)
		rules = append(rules, rule{name: r[0], config: "rewrite " + r[1] + " " + r[2], actions: []rewrite.Action{rewrite.RewritePath(r[1], r[2])}})
	}
	compile(t, rules)
	nginx := startNginx(t, addr, servers.String())
	d := newDiffer(t, "nginx rewrite", nginxKinds)
	in := &rewrite.Input{DotSegments: rewrite.ResolveDotSegments, MergeSlashes: true}
	ask := func(i int, target string) (theirs, mine string) {
		theirs = nginx.answer(rules[i].name, target)
		if model := nginxModel(i, target); theirs != model {
			t.Errorf("%s: nginx makes %q of %q, the model %q", rules[i].name, theirs, target, model)
		}
		return theirs, ours(rules[i].program, in, rules[i].name, target)
	}
	rng := rand.New(rand.NewPCG(21, 22))
	starts := []string{"/api", "/api", "/api/", "/api/", "/apix", "/a", "/%61pi/", "/", "//api/", "/b/../api/", "/api."}
	pieces := []string{"a", "bc", "/", "/", ".", "..", "/./", "/../", "%2F", "%2f", "%2e", "%20", "%41", "%7E", "%25", "%3F", "%23",
		"%3B", ";", "+", "$", "$1", "!", "'", ":", "@", "&", "=", ",", "%C3%A9", "%00", "%0A", "~", "%5C", "%22", "[", "|", "^", "\xc3\xa9", "#"}
	queries := []string{"a=1", "&", "b=%2F", "?", "c", "%zz", ";", "+", "=", "é"}
	d.run(rules, rng, starts, pieces, queries, ask)
}

// What the kinds of several servers have in common.
var (
	nul = kind{"NUL", func(_ *rule, target, theirs, _ string) bool {
		return strings.Contains(pathOf(target), "%00") && theirs == "400"
	}}
	aboveRoot = kind{"above the root", func(_ *rule, target, theirs, _ string) bool {
		return strings.Contains(strings.ReplaceAll(target, "%2e", "."), "..") && theirs == "400"
	}}
	dotSegment = kind{"dot-segment", func(_ *rule, _, theirs, ours string) bool {
		return ours == "400" && hasDotSegment(theirs)
	}}
	malformedEscape = kind{"malformed escape", func(_ *rule, target, _, ours string) bool {
		return ours == "400" && malformed.MatchString(pathOf(target))
	}}
)

// nginxKinds are the differences, of which the first that fits counts.
var nginxKinds = []kind{
	{"fragment", func(_ *rule, target, _, ours string) bool {
		return strings.Contains(target, "#") && ours == "400"
	}},
	nul, aboveRoot,
	{"not rewritten", func(r *rule, target, theirs, ours string) bool {
		return theirs == "http://"+r.name+target && (hasDotSegment(theirs) || strings.Contains(target, "//") || canonical(ours) == canonical(theirs))
	}},
	dotSegment,
	{"line end", func(_ *rule, target, _, _ string) bool {
		return containsFold(pathOf(target), "%0a")
	}},
	{"escaped slash", func(_ *rule, target, _, _ string) bool {
		return containsFold(pathOf(target), "%2f")
	}},
	{"doubled slash", func(r *rule, _, theirs, ours string) bool {
		once := strings.Replace(theirs, r.name+"//", r.name+"/", 1)
		return once != theirs && canonical(once) == canonical(ours)
	}},
	{"query of captures", func(r *rule, target, theirs, ours string) bool {
		return (r.name == "query" || r.name == "add") && unescape(theirs) == unescape(ours)
	}},
	{"empty query", func(_ *rule, target, theirs, ours string) bool {
		return strings.HasSuffix(target, "?") && canonical(ours) == canonical(theirs)
	}},
	{"bytes in a query", func(_ *rule, _, theirs, ours string) bool {
		return pathOf(ours) == pathOf(theirs) && canonical(ours) == canonical(theirs)
	}},
	{"escapes", func(_ *rule, _, theirs, ours string) bool {
		return canonical(ours) == canonical(theirs)
	}},
}

// canonical is a URL with one spelling of each path and without an empty query.
func canonical(u string) string {
	path, query, _ := strings.Cut(strings.TrimPrefix(u, "http://"), "?")
	out := nginxEscape(unescape(path), "")
	if query != "" {
		out += "?" + ascii(query)
	}
	return out
}

// ascii escapes the bytes from 0x80 of a query.
func ascii(query string) string {
	var b strings.Builder
	for i := range len(query) {
		if query[i] < 0x80 {
			b.WriteByte(query[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", query[i])
		}
	}
	return b.String()
}

func pathOf(target string) string {
	path, _, _ := strings.Cut(target, "?")
	return path
}

func containsFold(s, lower string) bool { return strings.Contains(strings.ToLower(s), lower) }

// hasDotSegment looks for a dot-segment in the path of a URL with a host.
func hasDotSegment(u string) bool {
	for segment := range strings.SplitSeq(pathOf(strings.TrimPrefix(u, "http://")), "/") {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case ".", "..":
			return true
		}
	}
	return false
}
