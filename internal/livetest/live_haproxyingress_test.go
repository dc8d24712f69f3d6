package livetest

// package haproxy of route/ingress against HAProxy with the configuration that
// the controllers make of the same Ingresses.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/haproxy"
)

// ingressHosts are the Ingresses of generated hosts, one configuration for all,
// and the hosts and paths to ask for.
type ingressHosts struct {
	list  []*ingress.Ingress
	hosts []string
	paths map[string][]string
}

func (h *ingressHosts) add(in *ingress.Ingress, asked ...string) {
	h.list = append(h.list, in)
	for _, host := range asked {
		if h.paths[host] == nil {
			h.hosts = append(h.hosts, host)
		}
		for _, p := range in.Rules[0].Paths {
			if start, _, expression := strings.Cut(p.Path, "("); expression {
				h.paths[host] = append(h.paths[host], start)
			} else {
				h.paths[host] = append(h.paths[host], p.Path)
			}
		}
	}
}

// ingressPath makes a path whose Service has a name of its own.
func ingressPath(path, pathType, service string) ingress.Path {
	return ingress.Path{Path: path, Type: pathType, Backend: &ingress.BackendRef{Service: service, Port: 80}}
}

// haproxyDefaults begin the configuration of a controller.
const haproxyDefaults = "global\n  maxconn 256\n  nbthread 1\ndefaults\n  mode http\n  log 127.0.0.1:9 local0\n  option httplog\n" +
	"  timeout connect 5s\n  timeout client 20s\n  timeout server 20s\n  retries 0\n"

// haproxyBackend is the section of a Service, whose answers carry its name.
func haproxyBackend(service, rules, upstream string) string {
	return fmt.Sprintf("backend %s\n  http-response set-header X-Service %s\n%s  server s %s\n", service, service, rules, upstream)
}

// quoteHAProxy quotes an argument.
func quoteHAProxy(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// writeMap writes a file of pairs for a map of HAProxy.
func writeMap(t *testing.T, dir, name string, pairs []string) string {
	t.Helper()
	file := filepath.Join(dir, name+".map")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(pairs, "\n")+"\n"), 0o600))
	return file
}

// haproxyTable is what package haproxy makes of Ingresses.
func haproxyTable(t *testing.T, mode haproxy.Mode, list []*ingress.Ingress) *route.Table[site] {
	t.Helper()
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(&haproxy.Options{Mode: mode})})
	require.NoError(t, err)
	return siteTable(d.Dispatch(list, nil).Entries)
}

// ingressOurs is what becomes of a plain request: the Service and the URL that
// it sees, a redirect, or a status.
func ingressOurs(table *route.Table[site], host, target string) string {
	s, u, answer := dispatched(table, &rewrite.Input{DotSegments: rewrite.KeepDotSegments}, host, target, nil)
	if answer != "" {
		return answer
	}
	return s.entry.Backends[0].Service.Name + " " + u.String()
}

// ingressAnswer is what HAProxy makes of it, in the same form: a Location with
// a scheme, and without the port of HTTPS.
func ingressAnswer(s *server, host, target string) string {
	resp, body := s.get(host, target, nil)
	if seen, ok := strings.CutPrefix(body, "echo "); ok {
		return resp.Header.Get("X-Service") + " " + seen
	}
	location := resp.Header.Get("Location")
	if location == "" {
		return fmt.Sprint(resp.StatusCode)
	}
	if strings.HasPrefix(location, "//") {
		location = "http:" + location
	}
	if authority := httpsAuthority.FindString(location); authority != "" {
		location = strings.TrimSuffix(authority, ":443") + location[len(authority):]
	}
	return fmt.Sprint(resp.StatusCode, " ", location)
}

var (
	httpsAuthority = regexp.MustCompile(`^https://[^/]*`)
	ingressTarget  = regexp.MustCompile(`^[^ ]+ http://[^/]*`)
)

// ingressKinds are the differences of both controllers. The rows that say why
// are in docs/differences.md and docs/differences-dialects.md.
var ingressKinds = []kind{
	{"bytes that HAProxy refuses", func(_ *rule, target, theirs, _ string) bool {
		return theirs == "400" && (strings.IndexFunc(target, notASCII) >= 0 || strings.Contains(target, "#"))
	}},
	malformedEscape,
	{"dot-segment", func(_ *rule, _, theirs, ours string) bool {
		_, u, _ := strings.Cut(theirs, " ")
		return ours == "400" && hasDotSegment(u)
	}},
	{"illegal bytes, doubled slash or none", func(_ *rule, _, theirs, ours string) bool {
		head := ingressTarget.FindString(ours)
		if head == "" || legal(theirs) == ours {
			return legal(theirs) == ours
		}
		path, ok := strings.CutPrefix(legal(theirs), head)
		return ok && "/"+strings.TrimLeft(path, "/") == ours[len(head):]
	}},
}

// compareIngress sends generated requests to both and reports what no kind is
// about.
func compareIngress(t *testing.T, s *server, h *ingressHosts, table *route.Table[site], rng *rand.Rand, kinds []kind) {
	t.Helper()
	d := newDiffer(t, "HAProxy", slices.Concat(ingressKinds, kinds))
	pieces := []string{"a", "bc", "x", "/", "/", "/x", "/p", "/p/", ".", "..", "/./", "/../", "%2F", "%20", "%41", "%25", "%3F",
		";", "+", "$1", "!", "'", ":", "@", "&", "=", ",", "%C3%A9", "%00", "%0A", "~", `\1`, "[", "|", "^", "é", "#", "%zz"}
	queries := []string{"a=1", "&", "b=%2F", "?", "c", ";", "+", "=", "&&", "/", "//"}
	for range requests(t) {
		host := h.hosts[rng.IntN(len(h.hosts))]
		target := randomTarget(rng, append(h.paths[host], "/"), pieces, queries)
		asked := host
		if rng.IntN(4) == 0 {
			asked += ":8080"
		}
		d.add(&rule{name: host}, target, ingressAnswer(s, asked, target), ingressOurs(table, asked, target))
	}
	t.Logf("%d answers are the same; differences: %v", d.same, d.counts)
	if d.same == 0 {
		t.Error("no answer is the same")
	}
}
