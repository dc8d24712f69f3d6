package livetest

// RewriteRule and ProxyPassReverse of Apache's httpd.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// startApache runs httpd with more in its configuration.
func startApache(t *testing.T, addr, more string) *server {
	t.Helper()
	path := find(t, "apache2", "apache2")
	dir := t.TempDir()
	var config strings.Builder
	fmt.Fprintf(&config, "ServerRoot %s\nDefaultRuntimeDir %s\nPidFile %s/pid\nErrorLog /dev/stderr\nServerName localhost\nListen %s\nLogLevel crit\n", dir, dir, dir, addr)
	for _, module := range []string{"mpm_event", "authz_core", "proxy", "proxy_http", "rewrite"} {
		fmt.Fprintf(&config, "LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n", module, module)
	}
	if os.Getuid() == 0 {
		config.WriteString("User www-data\nGroup www-data\n")
	}
	return start(t, addr, dir, config.String()+more, path, "-D", "FOREGROUND", "-f", "%s")
}

// apacheRules are an expression and what is behind the upstream in the
// substitution.
var apacheRules = [][3]string{
	{"trim", `^/api(/|$)(.*)`, `/$2`},
	{"rest", `^/api/(.*)$`, `/v2/$1`},
	{"glue", `^/api(.*)$`, `/$1`},
	{"swap", `^/([^/]+)/([^/]+)(/.*)?$`, `/$2/$1$3`},
	{"fixed", `^/api`, `/fixed/path`},
	{"add", `^/api/([a-z]+)(.*)$`, `/$1$2?k=1`},
}

func TestApacheRewrite(t *testing.T) {
	addr, upstream := freeAddr(t), echo(t)
	var config strings.Builder
	var rules []rule
	for _, r := range apacheRules {
		fmt.Fprintf(&config, "<VirtualHost *:*>\nServerName %s\nProxyPreserveHost On\nRewriteEngine On\n"+
			"RewriteRule \"%s\" \"http://%s%s\" [P,QSA]\nRewriteRule \"^(.*)$\" \"http://%s$1\" [P]\n</VirtualHost>\n",
			r[0], r[1], upstream, r[2], upstream)
		rules = append(rules, rule{name: r[0], config: "RewriteRule " + r[1] + " " + r[2] + " [P,QSA]", actions: []rewrite.Action{rewrite.RewritePath(r[1], r[2])}})
	}
	compile(t, rules)
	apache := startApache(t, addr, config.String())
	d := newDiffer(t, "Apache RewriteRule", apacheKinds)
	in := &rewrite.Input{DotSegments: rewrite.ResolveDotSegments, MergeSlashes: true}
	ask := func(i int, target string) (theirs, mine string) {
		theirs = apache.answer(rules[i].name, target)
		if model := apacheModel(i, target); theirs != model {
			t.Errorf("%s: Apache makes %q of %q, the model %q", rules[i].name, theirs, target, model)
		}
		return theirs, ours(rules[i].program, in, rules[i].name, target)
	}
	rng := rand.New(rand.NewPCG(27, 28))
	starts := []string{"/api", "/api", "/api/", "/api/", "/apix", "/a", "/%61pi/", "/", "//api/", "/b/../api/", "/api."}
	pieces := []string{"a", "bc", "/", "/", ".", "..", "/./", "/../", "%2F", "%2e", "%20", "%41", "%7E", "%25", "%3B", ";", "+", "$1",
		"!", "'", ":", "@", "&", "=", ",", "%C3%A9", "~", "%zz", "[", "%5B", "*", "(", "x", "y", "1", "-", "_"}
	queries := []string{"a=1", "&", "b=%2F", "?", "c", ";", "+", "=", "k=0"}
	d.run(rules, rng, starts, pieces, queries, ask)
}

// apacheModel is what httpd makes of a request: it decodes the path, matches and
// replaces the result, and escapes that.
func apacheModel(i int, target string) string {
	r := apacheRules[i]
	rawPath, query, hasQuery := strings.Cut(target, "?")
	const slash = "\x01" // an escaped one
	path, ok := nginxPath(escapedSlash.ReplaceAllString(rawPath, slash))
	switch {
	case !ok:
		return "400"
	case strings.Contains(path, slash):
		return "404"
	}
	m := regexp.MustCompile(r[1]).FindStringSubmatchIndex(path)
	if m != nil {
		template, more, _ := strings.Cut(r[2], "?")
		path = group.ReplaceAllStringFunc(template, func(reference string) string {
			n := 2 * int(reference[1]-'0')
			return path[max(m[n], 0):max(m[n+1], 0)]
		})
		if query != "" && more != "" {
			more += "&"
		}
		if query = more + query; more != "" {
			query = strings.TrimSuffix(query, "&")
		}
	}
	out := "http://" + r[0] + apacheEscape(path)
	if query != "" || hasQuery {
		out += "?" + query
	}
	return out
}

var escapedSlash = regexp.MustCompile(`%2[Ff]`)

// apacheEscape escapes a path for an upstream.
func apacheEscape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("~$-_.+!*'(),;:@&=/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// apacheKinds are the differences, of which the first that fits counts.
var apacheKinds = []kind{
	aboveRoot,
	{"escaped slash", func(_ *rule, target, theirs, _ string) bool {
		return containsFold(pathOf(target), "%2f")
	}},
	dotSegment,
	{"doubled slash", func(_ *rule, _, theirs, ours string) bool {
		once := onceSlash.ReplaceAllString(theirs, "http://$1/")
		return once != theirs && apacheSpelling(once) == apacheSpelling(ours)
	}},
	{"empty pair", func(_ *rule, target, theirs, ours string) bool {
		return strings.HasSuffix(target, "&") && apacheSpelling(ours) == theirs+"&"
	}},
	{"escapes", func(_ *rule, _, theirs, ours string) bool {
		return theirs == apacheSpelling(ours)
	}},
}

// apacheSpelling is a URL with the path as httpd spells it.
func apacheSpelling(u string) string {
	path, query, ok := strings.Cut(strings.TrimPrefix(u, "http://"), "?")
	if ok {
		query = "?" + query
	}
	return "http://" + apacheEscape(unescape(path)) + query
}
