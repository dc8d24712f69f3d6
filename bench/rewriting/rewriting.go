// Package rewriting compares rewrites of one URL: package rewrite, code
// written by hand for exactly one rewrite (the floor), the standard library as
// people use it, and, in packages below this one, other projects.
//
// Traefik's middlewares (stripprefix, addprefix, replacepath, replacepathregex,
// ingressnginx/rewritetarget) are not among them, because they cannot be built
// outside Traefik: as of v3.7.13 they import pkg/config/dynamic, whose package
// dynamic/ext is a module that only a replace directive of Traefik's own go.mod
// finds, and by way of tracing pkg/config/static and with it clients of a
// hundred DNS services, two of which the module proxy does not serve. BFE and
// Skipper are no modules that it serves. RESULTS.md quotes figures for them.
package rewriting

import (
	"fmt"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// A Scenario is one rewrite of one URL.
type Scenario struct {
	Name     string
	In, Want rewrite.URL
	Actions  []rewrite.Action
	Floor    Floor
}

var usual = rewrite.URL{
	Scheme:   "http",
	Host:     "www.example.com",
	Path:     "/api/v1/users/12345/orders",
	RawQuery: "lang=en&user=bob&trace=0af7651916cd43dd",
}

// twentyPairs has user as its last pair but one, so that a reader from the
// left reads nearly all of it.
const twentyPairs = "id=881203&locale=en-GB&page=3&per_page=50&sort=created&order=desc&filter=active" +
	"&region=eu-west-1&tenant=acme&theme=dark&utm_source=newsletter&utm_medium=email" +
	"&utm_campaign=spring-sale&ref=homepage-banner&variant=checkout-b&since=2026-01-31T00:00:00Z" +
	"&format=json&fields=id,name,total,currency,status,created,updated&user=bob" +
	"&trace=0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"

// hostFromPath is the one host that S5 may set.
const hostFromPath = "backend.example.com"

// Scenarios returns the rewrites that are compared. H1 and H2 are what an
// attacker would send: a query of 8 KiB.
func Scenarios() []Scenario {
	return []Scenario{
		scenario("S1-trim-prefix", usual, path("/v1/users/12345/orders"), trimPrefix, rewrite.TrimPathPrefix("/api")),
		scenario("S2-add-prefix", usual, path("/v2/api/v1/users/12345/orders"), addPrefix, rewrite.AddPathPrefix("/v2")),
		scenario("S3-set-path", usual, path("/status/health"), setPath, rewrite.SetPath("/status/health")),
		scenario("S4-set-host", usual, host("backend.internal"), setHost, rewrite.SetHost("backend.internal")),
		scenario("S5-host-from-path", path("/backend.example.com/v1/users")(usual),
			both(host(hostFromPath), path("/v1/users")), hostFromPathPrefix, rewrite.HostFromPathPrefix()),
		scenario("S6-add-pair", usual, query(usual.RawQuery+"&debug=1"), addPair, rewrite.AddQuery("debug", "1")),
		scenario("S7-delete-key", usual, query("lang=en&trace=0af7651916cd43dd"), deleteKey, rewrite.DeleteQuery("user")),
		scenario("S8-rename-key", usual, query("lang=en&uid=bob&trace=0af7651916cd43dd"), renameKey, rewrite.RenameQuery("user", "uid")),
		scenario("S9-keep-key", usual, query("user=bob"), keepKey, rewrite.KeepQuery("user")),
		scenario("S10-regex-idiom", usual, path("/v1/users/12345/orders"), trimPrefix, rewrite.RewritePath(`^/api/(.*)$`, "/$1")),
		scenario("S11-chain-of-five", usual,
			both(host("backend.internal"), both(path("/v2/v1/users/12345/orders"), query("uid=bob"))), chain,
			rewrite.SetHost("backend.internal"), rewrite.TrimPathPrefix("/api"), rewrite.AddPathPrefix("/v2"),
			rewrite.RenameQuery("user", "uid"), rewrite.KeepQuery("uid")),
		scenario("S12-twenty-pairs", query(twentyPairs)(usual),
			query(strings.Replace(twentyPairs, "&user=bob", "", 1)), deleteKey, rewrite.DeleteQuery("user")),
		scenario("S13-absent-key", usual, query(usual.RawQuery), deleteAbsent, rewrite.DeleteQuery("token")),
		scenario("S14-trim-escaped", path("/api/v1/users/12345%2Forders")(usual),
			path("/v1/users/12345%2Forders"), trimPrefix, rewrite.TrimPathPrefix("/api")),
		scenario("H1-keep-one-of-1024", query(distinct(1024))(usual), query("user=1"), keepKey, rewrite.KeepQuery("user")),
		scenario("H2-delete-2048-pairs", query(strings.Repeat("a=1&", 2048)+"b=2")(usual), query("b=2"), deleteRepeated, rewrite.DeleteQuery("a")),
	}
}

// A change makes the URL that is wanted of the one that comes in.
type change func(rewrite.URL) rewrite.URL

func scenario(name string, in rewrite.URL, want change, floor Floor, actions ...rewrite.Action) Scenario {
	return Scenario{name, in, want(in), actions, floor}
}

func host(s string) change {
	return func(u rewrite.URL) rewrite.URL { u.Host = s; return u }
}

func path(s string) change {
	return func(u rewrite.URL) rewrite.URL { u.Path = s; return u }
}

func query(s string) change {
	return func(u rewrite.URL) rewrite.URL { u.RawQuery = s; return u }
}

func both(a, b change) change {
	return func(u rewrite.URL) rewrite.URL { return b(a(u)) }
}

// distinct has n pairs of eight bytes with different names, the last of them
// user.
func distinct(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, "k%04d=1&", i)
	}
	return b.String() + "user=1"
}

// Program compiles the scenario's actions for AfterLocation.
func (s *Scenario) Program() (*rewrite.Program, error) {
	rules := make([]rewrite.Rule, len(s.Actions))
	for i, a := range s.Actions {
		rules[i].Action = a
	}
	return rewrite.Compile(rules, &rewrite.Options{AllowedHosts: []string{hostFromPath}})
}
