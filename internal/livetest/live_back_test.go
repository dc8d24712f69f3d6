package livetest

// The way back: proxy_redirect of nginx against mappings, ProxyPassReverse of
// Apache against what is derived from the rules.

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

const client = "client.example"

// A reflector is an upstream that answers request /N with the Location and the
// Set-Cookie number N.
type reflector struct {
	addr               string
	locations, cookies []string
}

func newReflector(t *testing.T) *reflector {
	r := new(reflector)
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if n, err := strconv.Atoi(strings.Trim(req.URL.Path, "/")); err == nil && n < len(r.locations) {
			w.Header()["Location"] = []string{r.locations[n]}
			w.Header()["Set-Cookie"] = []string{r.cookies[n]}
		}
		w.WriteHeader(http.StatusFound)
	}))
	t.Cleanup(backend.Close)
	r.addr = strings.TrimPrefix(backend.URL, "http://")
	return r
}

// fill makes random values. UP stands for the address of the reflector.
func (r *reflector) fill(rng *rand.Rand, n int) {
	bases := []string{"http://UP", "http://UP", "HTTP://UP", "https://UP", "//UP", "http://UP.example", "http://other.example", "http://u@UP", "", "", ""}
	paths := []string{"/", "/a", "/app", "/app/", "/a/../b", "/../x", "//x", "/%2e%2e/x", "/a%2Fb", "", "a/b", "?q", "#f"}
	ends := []string{"", "", "/", "?a=/", "#/x", "/..", "/é", "/a//b", ";v"}
	attributes := []string{"Path=/", "Path=/a", "path=/", "Path=/a/b", "Path=/;Path=/x", `Path="/"`, "Path", "Domain=other.example", "HttpOnly", "Max-Age=5", "Path=a"}
	names := []string{"v=1", "v=Path=/", `v="a b"`, "__Host-v=1", "v="}
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	for range n {
		location := pick(bases) + pick(paths) + pick(ends)
		if location == "" {
			location = "/"
		}
		cookie := pick(names)
		for range rng.IntN(4) {
			cookie += "; " + pick(attributes)
		}
		r.locations = append(r.locations, r.named(location))
		r.cookies = append(r.cookies, cookie)
	}
}

func (r *reflector) named(value string) string { return strings.ReplaceAll(value, "UP", r.addr) }

// unnamed is a value without the address, which is another one in each run.
func (r *reflector) unnamed(value string) string { return strings.ReplaceAll(value, r.addr, "UP") }

// compare asks s for each value and compares its answers with those of v, for
// the headers in rules.
func (r *reflector) compare(t *testing.T, s *server, prefix string, rules []rule, v rewrite.Inverse, d *differ) {
	t.Helper()
	answer := func(n, header int) (theirs, ours string) {
		resp, _ := s.get(client, prefix+strconv.Itoa(n), nil)
		if rules[header].name == "Location" {
			ours, _ = v.Location(r.locations[n])
		} else {
			ours, _ = v.SetCookie(r.cookies[n])
		}
		return r.unnamed(resp.Header.Get(rules[header].name)), r.unnamed(ours)
	}
	for n := range r.locations {
		for header := range rules {
			value := r.locations[n]
			if rules[header].name != "Location" {
				value = r.cookies[n]
			}
			theirs, ours := answer(n, header)
			d.add(&rules[header], r.unnamed(value), theirs, ours)
		}
	}
	d.finish(rules, func(i int, value string) (theirs, ours string) {
		r.locations, r.cookies = []string{r.named(value)}, []string{value}
		return answer(0, i)
	})
}

func TestNginxRedirect(t *testing.T) {
	addr, upstream := freeAddr(t), newReflector(t)
	mappings, err := rewrite.CompileMappings([]rewrite.Mapping{
		{Kind: rewrite.MapLocation, From: "http://" + upstream.addr + "/", To: "/app/"},
		{Kind: rewrite.MapLocation, From: "/", To: "/app/"},
		{Kind: rewrite.MapCookiePath, From: "/", To: "/app/"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	nginx := startNginx(t, addr, fmt.Sprintf("server {\nlisten %s;\nabsolute_redirect off;\nlocation /app/ {\nproxy_pass http://%s/;\n"+
		"proxy_redirect http://%s/ /app/;\nproxy_redirect / /app/;\nproxy_cookie_path / /app/;\n}\n}\n", addr, upstream.addr, upstream.addr))
	upstream.fill(rand.New(rand.NewPCG(29, 30)), requests(t))
	d := newDiffer(t, "nginx proxy_redirect", nginxBackKinds)
	upstream.compare(t, nginx, "/app/", []rule{
		{name: "Location", config: "proxy_redirect http://UP/ /app/; proxy_redirect / /app/"},
		{name: "Set-Cookie", config: "proxy_cookie_path / /app/"},
	}, rewrite.Inverse{}.With(mappings), d)
}

func TestApacheReverse(t *testing.T) {
	addr, upstream := freeAddr(t), newReflector(t)
	program := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.TrimPathPrefix("/app")}}, nil)
	from := rewrite.URL{Scheme: "http", Host: client, Path: "/app/x"}
	to := from
	result, err := program.Apply(rewrite.AfterLocation, &to, nil)
	if err != nil {
		t.Fatal(err)
	}
	to.Host = upstream.addr
	apache := startApache(t, addr, fmt.Sprintf("ProxyPass \"/app/\" \"http://%s/\"\nProxyPassReverse \"/app/\" \"http://%s/\"\n"+
		"ProxyPassReverseCookiePath \"/\" \"/app/\"\n", upstream.addr, upstream.addr))
	upstream.fill(rand.New(rand.NewPCG(31, 32)), requests(t))
	d := newDiffer(t, "Apache ProxyPassReverse", apacheBackKinds)
	upstream.compare(t, apache, "/app/", []rule{
		{name: "Location", config: "ProxyPassReverse /app/ http://UP/"},
		{name: "Set-Cookie", config: "ProxyPassReverseCookiePath / /app/"},
	}, rewrite.NewInverse(from, to, result), d)
}

// about makes a kind of values of one header.
func about(name, header string, test func(value, theirs, ours string) bool) kind {
	return kind{name, func(r *rule, value, theirs, ours string) bool {
		return r.name == header && test(value, theirs, ours)
	}}
}

// leadsOut reports whether the value, kept by ours, has a path that leaves /.
func leadsOut(value, theirs, ours string) bool {
	return ours == value && strings.Contains(unescape(value), "..") && strings.Contains(theirs, "/app/")
}

var (
	noPath    = regexp.MustCompile(`(?i)^http://UP([?#]|$)`)
	cookieApp = regexp.MustCompile(`(?i)(path=/app)(/[^;]*)?`)
)

// hostCookie is about a cookie that is bound to its host.
func hostCookie(value, theirs, ours string) bool {
	return ours == value && strings.HasPrefix(value, "__Host-")
}

var nginxBackKinds = []kind{
	about("network path", "Location", func(value, theirs, ours string) bool {
		return ours == value && strings.HasPrefix(value, "//") && theirs == "/app/"+value[1:]
	}),
	about("no path", "Location", func(value, theirs, ours string) bool {
		return theirs == value && noPath.MatchString(value) && strings.HasPrefix(ours, "/app/")
	}),
	about("letter case", "Location", func(value, theirs, ours string) bool {
		return theirs == value && ours == strings.Replace(value, "HTTP://UP/", "/app/", 1)
	}),
	about("dot-segment that leads out", "Location", leadsOut),
	about("bound to the host", "Set-Cookie", hostCookie),
	about("two paths", "Set-Cookie", func(value, theirs, ours string) bool {
		return len(cookiePath.FindAllString(value, -1)) > 1 && (ours == value || lastPath(theirs) == lastPath(ours))
	}),
}

var cookiePath = regexp.MustCompile(`(?i);\s*path=?([^;]*)`)

// lastPath returns the last Path of a cookie, which counts (RFC 6265).
func lastPath(cookie string) string {
	all := cookiePath.FindAllStringSubmatch(cookie, -1)
	if all == nil {
		return ""
	}
	return all[len(all)-1][1]
}

var apacheBackKinds = []kind{
	about("path alone", "Location", func(value, theirs, ours string) bool {
		return theirs == value && ours == "/app"+value
	}),
	about("network path", "Location", func(value, theirs, ours string) bool {
		return theirs == value && strings.HasPrefix(value, "//UP") && strings.HasPrefix(ours, "//"+client+"/app/")
	}),
	about("no path", "Location", func(value, theirs, ours string) bool {
		return theirs == value && noPath.MatchString(value) && strings.HasPrefix(ours, "http://"+client+"/app/")
	}),
	about("https", "Location", func(value, theirs, ours string) bool {
		return theirs == value && strings.HasPrefix(value, "https://UP") && strings.HasPrefix(ours, "https://"+client+"/app/")
	}),
	about("dot-segment that leads out", "Location", leadsOut),
	about("bound to the host", "Set-Cookie", hostCookie),
	about("path of a cookie", "Set-Cookie", func(value, theirs, ours string) bool {
		return cookieApp.ReplaceAllString(theirs, "$1/") == cookieApp.ReplaceAllString(ours, "$1/")
	}),
	about("path that is none", "Set-Cookie", func(value, theirs, ours string) bool {
		return ours == value && !strings.HasPrefix(lastPath(value), "/")
	}),
}
