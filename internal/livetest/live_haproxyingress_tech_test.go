package livetest

// The reading of haproxytech's controller.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

var techLines = []string{
	`/p/(.*) /\1`, `/p(.*) /\1`, `/p/?(.*) /\1`, `/p(/|$)(.*) /\2`, `/p(/.*)? /n\1`, `^/p/(.*) /\1`, `^/p(/|$)(.*)$ /\2`, `^/p/?(.*) /\1`,
	`/p/(.*) /n/\1`, `/p(.*) /n\1`, `/p(/|$)(.*) /n/\2`, `/p/p/(.*) /\1`, `/p/x(.*) /\1`, `/n`, `/`, `/n\1`, `/n/\1`, `/p/(.*) \0`,
	`/p/(.*) /\2\1`, `/p /n`, `/pp?(.*) /\1`, `/(.*) /n/\1`, `/p|/x /n`, `/x/(.*) /\1`, `/n/(.*) /m/\1`, `^/([^/]+)/([^/]+)(.*)$ /\2/\1\3`,
	`(/p)?(/x)?(.*) /z\2\1\3`, `[x-z]+ /w`, `\.\. /dots`, `/(x|p)/?(.*)$ /\1-\2`, `/p/(.*) /a%%20b/\1`, `(?i)/P/(.*) /\1`, `.* /all`, `^$ /never`,
}

func techIngresses(rng *rand.Rand) *ingressHosts {
	h := &ingressHosts{paths: make(map[string][]string)}
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for i := range 150 {
		host := fmt.Sprintf("t%d.example", i)
		used := make(map[string]bool)
		for k := range 1 + rng.IntN(2) {
			annotations := make(map[string]string)
			set := func(name, value string) { annotations["haproxy.org/"+name] = value }
			switch rng.IntN(10) {
			case 0:
				set("request-redirect", pick("e.example", "https://e.example", "http://e.example:81"))
				set("request-redirect-code", pick("301", "302", "303", "307", "308"))
			case 1:
				set("ssl-redirect", "true")
				set("ssl-redirect-port", pick("443", "444"))
				set("ssl-redirect-code", pick("301", "302", "303"))
			default:
				var lines []string
				for range 1 + rng.IntN(3) {
					lines = append(lines, pick(techLines...))
				}
				set("path-rewrite", strings.Join(lines, "\n"))
			}
			if rng.IntN(5) == 0 {
				set("set-host", pick("up.example", "up.example:81", "10.0.0.1"))
			}
			in := &ingress.Ingress{Name: fmt.Sprintf("t%d-%d", i, k), ClassName: "haproxy", Annotations: annotations, Rules: []ingress.Rule{{Host: host}}}
			for j := range 1 + rng.IntN(3) {
				path, pathType := pick("/", "/p", "/p/", "/p/x", "/x", "/x/", "/p.q", "/P"), pick("Exact", "Prefix", "ImplementationSpecific")
				key := strings.TrimSuffix(path, "/")
				if pathType == "Exact" {
					key = "exact " + path
				}
				if !used[key] {
					used[key] = true
					in.Rules[0].Paths = append(in.Rules[0].Paths, ingressPath(path, pathType, fmt.Sprintf("%s-%d", in.Name, j)))
				}
			}
			h.add(in, host)
		}
	}
	return h
}

// techConfig is the configuration that the controller makes. Each rule is there
// once, where the Ingress that it is of has it first.
func techConfig(t *testing.T, h *ingressHosts, dir, addr, upstream string) string {
	var hosts, exact, prefixExact, prefix []string
	var redirects, headers, rewrites, backends strings.Builder
	for _, in := range h.list {
		value := func(name string) string { return in.Annotations["haproxy.org/"+name] }
		ids, before := "", make(map[string]bool)
		add := func(class *strings.Builder, action string) {
			if before[action] {
				return
			}
			before[action] = true
			id := fmt.Sprintf("%s_%d", in.Name, len(before))
			ids += "." + id
			fmt.Fprintf(class, "  http-request %s if { var(txn.path_match) -m dom %s }\n", action, id)
		}
		if port := value("ssl-redirect-port"); port != "" {
			add(&redirects, fmt.Sprintf("redirect location https://%%[hdr(host),field(1,:)]:%s%%[capture.req.uri] code %s", port, value("ssl-redirect-code")))
		}
		if to := value("request-redirect"); to != "" {
			if !strings.Contains(to, "://") {
				to = "http://" + to
			}
			add(&redirects, fmt.Sprintf("redirect location %s%%[capture.req.uri] code %s", to, value("request-redirect-code")))
		}
		if host := value("set-host"); host != "" {
			add(&headers, "set-header Host "+host)
		}
		for line := range strings.Lines(value("path-rewrite")) {
			fields := strings.Fields(line)
			if len(fields) == 1 {
				fields = []string{"(.*)", fields[0]}
			}
			add(&rewrites, "replace-path "+quoteHAProxy(fields[0])+" "+quoteHAProxy(fields[1]))
		}
		host := in.Rules[0].Host
		hosts = append(hosts, host+" "+host)
		for _, p := range in.Rules[0].Paths {
			key, to := host+strings.TrimSuffix(p.Path, "/"), " "+p.Backend.Service+ids
			switch {
			case p.Type == "Exact":
				exact = append(exact, host+p.Path+to)
			case p.Path == "/":
				prefix = append(prefix, host+"/"+to)
			case p.Type == "Prefix":
				prefixExact, prefix = append(prefixExact, key+to), append(prefix, key+"/"+to)
			default:
				prefixExact, prefix = append(prefixExact, key+to), append(prefix, key+to)
			}
			backends.WriteString(haproxyBackend(p.Backend.Service, "", upstream))
		}
	}
	config := haproxyDefaults + "frontend http\n  bind " + addr + "\n" +
		"  http-request set-var(txn.path) path\n  http-request set-var(txn.host) req.hdr(Host),field(1,:),lower\n" +
		"  http-request set-var(txn.host_match) var(txn.host),map(" + writeMap(t, dir, "host", hosts) + ")\n"
	for _, m := range []struct {
		name, converter string
		pairs           []string
	}{{"path-exact", "map", exact}, {"path-prefix-exact", "map", prefixExact}, {"path-prefix", "map_beg", prefix}} {
		config += "  http-request set-var(txn.path_match) var(txn.host_match),concat(,txn.path,)," + m.converter +
			"(" + writeMap(t, dir, m.name, m.pairs) + ") if !{ var(txn.path_match) -m found }\n"
	}
	return config + redirects.String() + headers.String() + rewrites.String() +
		"  use_backend %[var(txn.path_match),field(1,.)]\n  default_backend none\nbackend none\n  http-request return status 404\n" + backends.String()
}

func TestHAProxyTech(t *testing.T) {
	path := find(t, "haproxy", "haproxy")
	rng := rand.New(rand.NewPCG(31, 32))
	h, dir, addr := techIngresses(rng), t.TempDir(), freeAddr(t)
	s := start(t, addr, dir, techConfig(t, h, dir, addr, echo(t)), path, "-db", "-f", "%s")
	compareIngress(t, s, h, haproxyTable(t, haproxy.Compat, h.list), rng, nil)
}
