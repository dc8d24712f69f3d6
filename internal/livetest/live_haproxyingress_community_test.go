package livetest

// The reading of haproxy-ingress.

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

const communityKey = "haproxy-ingress.github.io/"

func communityIngresses(rng *rand.Rand) *ingressHosts {
	h := &ingressHosts{paths: make(map[string][]string)}
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for i := range 150 {
		host := fmt.Sprintf("c%d.example", i)
		used := make(map[string]bool)
		several := rng.IntN(2)
		for k := range 1 + several {
			asked := []string{host}
			annotations := make(map[string]string)
			set := func(name, value string) { annotations[communityKey+name] = value }
			kind := pick("begin", "exact", "prefix", "regex")
			set("path-type", kind)
			target := pick("/", "/n", "/n/m", "/p", "/a%%20b")
			if kind == "regex" {
				target = pick(`/\1`, `/\1\2`, `/n`, `/n/\1`, `/z\0`, `/\2\1`)
			}
			if rng.IntN(4) > 0 {
				set("rewrite-target", target)
			}
			in := &ingress.Ingress{Name: fmt.Sprintf("c%d-%d", i, k), ClassName: "haproxy-ingress", Annotations: annotations, Rules: []ingress.Rule{{Host: host}}}
			for j := range 1 + rng.IntN(3) {
				path, pathType := pick("/", "/p", "/p/", "/p/x", "/x", "/p.q"), pick("Exact", "Prefix", "ImplementationSpecific")
				if kind == "regex" {
					path, pathType = pick("/p/(.*)", "/p(/|$)(.*)", "/x/([a-z]+)/?(.*)", "/(p|x)(.*)$", "/p", "/p/x"), "ImplementationSpecific"
				}
				if key := strings.TrimRight(path, "/"); !used[key] {
					used[key] = true
					in.Rules[0].Paths = append(in.Rules[0].Paths, ingressPath(path, pathType, fmt.Sprintf("%s-%d", in.Name, j)))
				}
			}
			if len(in.Rules[0].Paths) == 0 {
				continue
			}
			switch n := rng.IntN(12); {
			case k > 0:
			case n == 0:
				set("app-root", pick("/home", "https://e.example/x"))
			case n == 1 && several == 0:
				set("redirect-to", pick("https://e.example/x", "/there?q=1"))
				set("redirect-to-code", pick("301", "302", "308"))
			case n == 2:
				asked = append(asked, "from."+host)
				set("redirect-from", "from."+host)
				set("redirect-from-code", pick("301", "302"))
			case n == 3:
				asked = append(asked, "alias."+host)
				set("server-alias", "alias."+host)
			case n == 4 && several == 0:
				in.TLS = []ingress.TLS{{Hosts: []string{host}}}
				set("ssl-redirect-code", pick("301", "302", "308"))
			}
			h.add(in, asked...)
		}
	}
	return h
}

// A pathMap is one of the controller's maps of hosts and paths.
type pathMap struct{ entries []pathEntry }

type pathEntry struct{ kind, host, path, value string }

// lookups are the rules that set a variable to what the map has for another:
// exact paths first, then prefixes from the longest to the shortest, then
// expressions likewise.
func (m *pathMap) lookups(t *testing.T, dir, name, variable, of, condition string) string {
	files := make(map[string][]string)
	var order []string
	rank := func(e pathEntry) (class, size int) {
		switch e.kind {
		case "exact":
			return 0, 0
		case "regex":
			return 2, 0
		}
		return 1, -len(e.path)
	}
	slices.SortStableFunc(m.entries, func(a, b pathEntry) int {
		classA, sizeA := rank(a)
		classB, sizeB := rank(b)
		return cmp.Or(classA-classB, sizeA-sizeB, -strings.Compare(a.kind, b.kind), len(b.host+b.path)-len(a.host+a.path), strings.Compare(a.path, b.path))
	})
	converters := map[string]string{"exact": "map_str", "prefix": "map_dir", "begin": "lower,map_beg", "regex": "map_reg"}
	for _, e := range m.entries {
		_, size := rank(e)
		file, key := fmt.Sprint(converters[e.kind], size), e.host+"#"+e.path
		if e.kind == "regex" {
			key = "^" + regexp.QuoteMeta(e.host) + "#" + e.path
		}
		if files[file] == nil {
			order = append(order, file)
		}
		files[file] = append(files[file], strings.TrimSuffix(key, "#")+" "+e.value)
	}
	var b strings.Builder
	for n, file := range order {
		converter := strings.TrimRight(file, "-0123456789")
		fmt.Fprintf(&b, "  http-request set-var(%s) var(%s),%s(%s) if %s !{ var(%s) -m found }\n",
			variable, of, converter, writeMap(t, dir, fmt.Sprint(name, n), files[file]), condition, variable)
	}
	return b.String()
}

// communityRewrite is the rule of a rewrite-target.
func communityRewrite(kind, path, target string) string {
	if target == "" {
		return ""
	}
	expression := "^" + path
	if kind != "regex" {
		expression = "^" + regexp.QuoteMeta(path)
		switch slash := strings.HasSuffix(path, "/"); {
		case target == "/" && !slash:
			expression += "/?"
		case target != "/" && slash:
			target += "/"
		}
		expression, target = expression+"(.*)$", target+`\1`
	}
	return "  http-request replace-path " + quoteHAProxy(expression) + " " + quoteHAProxy(target) + "\n"
}

func communityConfig(t *testing.T, h *ingressHosts, dir, addr, upstream string) string {
	var roots, redirects, services, froms pathMap
	var backends strings.Builder
	for _, in := range h.list {
		value := func(name string) string { return in.Annotations[communityKey+name] }
		host := in.Rules[0].Host
		if root := value("app-root"); root != "" {
			roots.entries = append(roots.entries, pathEntry{"exact", host, "", root})
		}
		if from := value("redirect-from"); from != "" {
			froms.entries = append(froms.entries, pathEntry{"exact", from, "", value("redirect-from-code") + "|" + host})
		}
		for _, p := range in.Rules[0].Paths {
			kind := value("path-type")
			if p.Type != "ImplementationSpecific" {
				kind = strings.ToLower(p.Type)
			}
			for _, host := range []string{host, value("server-alias")} {
				switch to := value("redirect-to"); {
				case host == "":
				case to != "":
					redirects.entries = append(redirects.entries, pathEntry{kind, host, p.Path, value("redirect-to-code") + "|" + to})
				default:
					services.entries = append(services.entries, pathEntry{kind, host, p.Path, p.Backend.Service})
				}
			}
			rules := ""
			if code := value("ssl-redirect-code"); code != "" {
				rules = "  http-request redirect scheme https code " + code + "\n"
			}
			backends.WriteString(haproxyBackend(p.Backend.Service, rules+communityRewrite(kind, p.Path, value("rewrite-target")), upstream))
		}
	}
	var config strings.Builder
	config.WriteString(haproxyDefaults + "frontend http\n  bind " + addr + "\n  http-request set-var(req.path) path\n" +
		"  http-request set-var(req.host) hdr(host),field(1,:),lower\n  http-request set-var(req.base) var(req.host),concat(\\#,req.path)\n")
	config.WriteString(roots.lookups(t, dir, "root", "req.root", "req.host", "{ path / }"))
	config.WriteString("  http-request redirect location %[var(req.root)] if { var(req.root) -m found }\n")
	redirect := func(m *pathMap, name, of, condition, how string) {
		config.WriteString(m.lookups(t, dir, name, "req."+name, of, condition))
		for _, code := range []string{"301", "302", "308"} {
			fmt.Fprintf(&config, "  http-request redirect %s%%[var(req.%s),field(2,|)] code %s if { var(req.%s) -m beg %s }\n", how, name, code, name, code)
		}
	}
	redirect(&redirects, "to", "req.base", "", "location ")
	config.WriteString(services.lookups(t, dir, "service", "req.backend", "req.base", ""))
	redirect(&froms, "from", "req.host", "!{ var(req.backend) -m found }", "prefix //")
	return config.String() + "  use_backend %[var(req.backend)] if { var(req.backend) -m found }\n  default_backend none\n" +
		"backend none\n  http-request return status 404\n" + backends.String()
}

var plainPort = regexp.MustCompile(`^(\d+ https://[^/]*):8080/`)

// communityKinds are the differences of haproxy-ingress alone.
var communityKinds = []kind{
	{"plain port", func(_ *rule, _, theirs, ours string) bool {
		return legal(plainPort.ReplaceAllString(theirs, "$1/")) == ours
	}},
	{"rewritten by segment", func(_ *rule, target, theirs, ours string) bool {
		service, u, _ := strings.Cut(theirs, " ")
		return strings.HasSuffix(u, target) && strings.HasPrefix(ours, service+" ") && strings.HasPrefix(service, "c")
	}},
}

func TestHAProxyCommunity(t *testing.T) {
	path := find(t, "haproxy", "haproxy")
	rng := rand.New(rand.NewPCG(33, 34))
	h, dir, addr := communityIngresses(rng), t.TempDir(), freeAddr(t)
	s := start(t, addr, dir, communityConfig(t, h, dir, addr, echo(t)), path, "-db", "-f", "%s")
	compareIngress(t, s, h, haproxyTable(t, haproxy.Strict, h.list), rng, communityKinds)
}
