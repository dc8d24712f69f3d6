package rewritehttp_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
	"github.com/readdress/readdress/split"
)

// echo is an upstream that answers with what it was asked for.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%s %s%s\n", r.Method, r.Host, r.RequestURI)
})

// start runs a server for h, as long as the tests run, and returns its URL.
func start(h http.Handler) *url.URL {
	u, err := url.Parse(httptest.NewServer(h).URL)
	if err != nil {
		panic(err)
	}
	return u
}

// get prints what the handler answers to a GET.
func get(h http.Handler, target string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	fmt.Print(w.Code, " ", w.Body)
}

// A reverse proxy with fixed rules.
func Example() {
	upstream := start(echo)

	program, err := rewrite.Compile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/api")},
		{Action: rewrite.SetQuery("via", "gateway")},
	}, nil)
	if err != nil {
		log.Fatal(err) // every fault of every rule
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(pr *httputil.ProxyRequest) {
			rewritehttp.SetUpstream(pr, upstream) // a *url.URL
		},
		ModifyResponse: rewritehttp.ModifyResponse(nil), // redirects and cookies, to the client's URLs
	}
	handler := rewritehttp.Middleware(program, rewrite.AfterLocation, nil, proxy)

	get(handler, "/api/a%2Fb?x=1;y=2")
	get(handler, "/apix")
	get(handler, "/api/../admin")
	// Output:
	// 200 GET example.com/a%2Fb?x=1;y=2&via=gateway
	// 200 GET example.com/apix?via=gateway
	// 400 rewrite: path has a dot-segment
}

// A gateway that chooses among routes takes the steps one by one.
func ExampleURL() {
	programs := map[string]*rewrite.Program{
		"a.example": rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.SetHost("a.internal")}}, nil),
	}
	handler := func(w http.ResponseWriter, r *http.Request) {
		u, err := rewritehttp.URL(r)
		if err == nil {
			err = new(rewrite.Input).Clean(&u, nil)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		program, ok := programs[u.Host]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if _, err := program.Apply(rewrite.AfterLocation, &u, nil); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, u) // a proxy's ServeHTTP(w, rewritehttp.With(r, u))
	}
	get(http.HandlerFunc(handler), "http://a.example/x%2Fy")
	get(http.HandlerFunc(handler), "http://b.example/x%2Fy")
	// Output:
	// 200 http://a.internal/x%2Fy
	// 404 404 page not found
}

func ExampleWith() {
	r := httptest.NewRequest("GET", "/a", nil)
	w := rewritehttp.With(r, rewrite.URL{Host: "b.internal", Path: "/x%2Fy", RawQuery: "q"})
	fmt.Println(r.Host, r.URL)
	fmt.Println(w.Host, w.URL, w.URL.Path)
	// Output:
	// example.com /a
	// b.internal /x%2Fy?q /x/y
}

func ExampleApply() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/api")},
		{Action: rewrite.SetQuery("tenant", "7")},
	}, nil)
	r := httptest.NewRequest("GET", "/api/users?tenant=1", nil) // ours to change
	result, err := rewritehttp.Apply(program, rewrite.AfterLocation, r)
	fmt.Println(r.URL, result.Changed(), err)
	// Output:
	// /users?tenant=7 path|query <nil>
}

// The path of the target comes first, as with ProxyRequest.SetURL; the Host
// header stays.
func ExampleSetUpstream() {
	upstream := start(echo).JoinPath("v1")
	proxy := &httputil.ReverseProxy{Rewrite: func(pr *httputil.ProxyRequest) {
		rewritehttp.SetUpstream(pr, upstream)
		pr.SetXForwarded()
	}}
	get(proxy, "/a%2Fb")
	// Output:
	// 200 GET example.com/v1/a%2Fb
}

func ExampleMiddleware() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.StripPathSegments(1)},
	}, nil)
	in := &rewrite.Input{MergeSlashes: true, Strict: true}
	handler := rewritehttp.Middleware(program, rewrite.AfterLocation, in, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, r.URL)
	}))
	get(handler, "/v1//users")
	get(handler, "/v1/a%2Fb")
	// Output:
	// 200 /users
	// 400 rewrite: path is malformed
}

// A reload stores a handler for the new rules, so that each request meets the
// rules of one configuration. Handlers nest, one for each hook.
func ExampleMiddleware_reload() {
	var current atomic.Pointer[http.Handler]
	load := func(rules ...rewrite.Rule) {
		program, err := rewrite.Compile(rules, nil)
		if err != nil {
			fmt.Println(err) // what was there before stays
			return
		}
		h := rewritehttp.Middleware(program, rewrite.AfterLocation, nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintln(w, r.Host, r.URL.RequestURI())
		}))
		h = rewritehttp.Middleware(program, rewrite.BeforeLocation, nil, h)
		current.Store(&h)
	}
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		(*current.Load()).ServeHTTP(w, r)
	})

	load(rewrite.Rule{Action: rewrite.TrimPathPrefix("/v1")})
	get(server, "http://old.example/v1/users")
	load(rewrite.Rule{Action: rewrite.TrimPathPrefix("/v1/..")})
	get(server, "http://old.example/v1/users")
	load(
		rewrite.Rule{Hook: rewrite.BeforeLocation, Action: rewrite.SetHost("new.example")},
		rewrite.Rule{Action: rewrite.ReplacePathPrefix("/v1", "/v2")},
	)
	get(server, "http://old.example/v1/users")
	// Output:
	// 200 old.example /users
	// rewrite: rule 0: TrimPathPrefix: prefix[0]: "/v1/.." has the dot-segment ".." at offset 4: write the path that it leads to
	// 200 old.example /users
	// 200 new.example /v2/users
}

// The rules of an instance run when it is known, and again for the next one.
func ExampleTransport() {
	instance := start(echo)
	programs := map[string]*rewrite.Program{
		instance.Host: rewrite.MustCompile([]rewrite.Rule{
			{Hook: rewrite.Forward, Action: rewrite.AddPathPrefix("/blue")},
			{Hook: rewrite.Forward, Action: rewrite.SetHost("blue.internal")},
		}, nil),
	}
	transport := rewritehttp.Transport(func(r *http.Request) *rewrite.Program {
		return programs[r.URL.Host]
	}, nil)
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(pr *httputil.ProxyRequest) { rewritehttp.SetUpstream(pr, instance) },
		Transport: transport,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if errors.Is(err, rewrite.ErrRefused) {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			http.Error(w, "upstream failed", http.StatusBadGateway)
		},
	}
	get(proxy, "/users")
	// Output:
	// 200 GET blue.internal/blue/users
}

// What chooses an instance, and another one if that fails, stands before
// Transport, which runs the rules of each.
func ExampleTransport_retry() {
	gone := httptest.NewServer(echo)
	gone.Close()
	instances := []string{gone.Listener.Addr().String(), start(echo).Host}
	programs := map[string]*rewrite.Program{
		instances[0]: rewrite.MustCompile([]rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.AddPathPrefix("/blue")}}, nil),
		instances[1]: rewrite.MustCompile([]rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.AddPathPrefix("/green")}}, nil),
	}
	picker, err := split.New([]split.Backend{{Name: "blue", Weight: 90}, {Name: "green", Weight: 10}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	once := rewritehttp.Transport(func(r *http.Request) *rewrite.Program { return programs[r.URL.Host] }, nil)
	retry := func(r *http.Request) (*http.Response, error) {
		var failed error
		tried := make([]bool, len(instances))
		i, err := picker.Pick()
		for ; err == nil; i, err = picker.PickExcept(0, func(i int) bool { return tried[i] }) {
			tried[i] = true
			out := r.Clone(r.Context())
			out.URL.Host = instances[i]
			res, err := once.RoundTrip(out)
			if err == nil || r.Body != nil || errors.Is(err, rewrite.ErrRefused) {
				return res, err // a body can be sent once
			}
			failed = errors.Join(failed, err)
		}
		return nil, errors.Join(failed, err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(pr *httputil.ProxyRequest) {
			rewritehttp.SetUpstream(pr, &url.URL{Scheme: "http"}) // retry knows the instance
		},
		Transport: roundTripper(retry), // whose method RoundTrip calls it
	}
	get(proxy, "/users")
	// Output:
	// 200 GET example.com/green/users
}

// In a client: the connection goes where the URL says.
func ExampleTransport_client() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Hook: rewrite.Forward, Action: rewrite.SetHost("canary.internal")},
	}, nil)
	client := &http.Client{Transport: rewritehttp.Transport(func(*http.Request) *rewrite.Program {
		return program
	}, nil)}
	res, err := client.Get(start(echo).JoinPath("users").String())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	fmt.Println(string(body), err)
	// Output:
	// GET canary.internal/users
	//  <nil>
}

func ExampleOf() {
	r := httptest.NewRequest("PUT", "/", nil)
	r.Header.Set("X-Tenant", "7")
	q := rewritehttp.Of(r)
	tenant, ok := q.Header("x-tenant")
	fmt.Println(q.Method(), tenant, ok)
	// Output:
	// PUT 7 true
}
