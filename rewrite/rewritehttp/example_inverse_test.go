package rewritehttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

// A backend that knows nothing of the prefix under which it is served:
// Middleware and ModifyResponse take its redirects and cookies back.
func ExampleModifyResponse() {
	upstream := start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/login?next="+url.QueryEscape(r.URL.Path))
		w.Header().Set("Set-Cookie", "session=1; Path=/; HttpOnly")
		w.WriteHeader(http.StatusFound)
	}))
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/app")},
	}, nil)

	proxy := &httputil.ReverseProxy{
		Rewrite:        func(pr *httputil.ProxyRequest) { rewritehttp.SetUpstream(pr, upstream) },
		ModifyResponse: rewritehttp.ModifyResponse(nil),
	}
	handler := rewritehttp.Middleware(program, rewrite.AfterLocation, nil, proxy)

	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/app/cart", nil))
	fmt.Println(w.Header().Get("Location"))
	fmt.Println(w.Header().Get("Set-Cookie"))
	// Output:
	// /app/login?next=%2Fcart
	// session=1; Path=/app; HttpOnly
}

// What a gateway knows of one response, with mappings of its own before it.
func ExampleInverse() {
	mappings, err := rewrite.CompileMappings([]rewrite.Mapping{
		{From: "http://legacy.internal/", To: "/legacy/"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	modify := rewritehttp.ModifyResponse(func(res *http.Response) rewrite.Inverse {
		return rewritehttp.Inverse(res.Request, "app.internal").With(mappings)
	}, "Link")

	client := rewrite.URL{Scheme: "https", Host: "shop.example", Path: "/app/x"}
	u := client
	program := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.TrimPathPrefix("/app")}}, nil)
	result, err := program.Apply(rewrite.AfterLocation, &u, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	sent := rewritehttp.WithInverse(httptest.NewRequest("GET", "http://10.0.0.5/app/x", nil), client, u, result)
	for _, location := range []string{"/y", "http://app.internal/y", "http://legacy.internal/y"} {
		res := &http.Response{Request: sent, Header: http.Header{"Location": {location}, "Link": {"</z>; rel=next"}}}
		if err := modify(res); err != nil {
			fmt.Println(err)
		}
		fmt.Println(res.Header.Get("Location"), res.Header.Get("Link"))
	}
	// Output:
	// /app/y </app/z>; rel=next
	// https://shop.example/app/y </app/z>; rel=next
	// /legacy/y </app/z>; rel=next
}

func ExampleSetForwarded() {
	client := rewrite.URL{Scheme: "http", Host: "shop.example", Path: "/app/x"}
	u := client
	program := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.TrimPathPrefix("/app")}}, nil)
	result, err := program.Apply(rewrite.AfterLocation, &u, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequest("GET", "http://shop.example/app/x", nil)
	r.Header.Set("X-Forwarded-Prefix", "//evil.example")
	in := rewritehttp.WithInverse(r, client, u, result)

	pr := &httputil.ProxyRequest{In: in, Out: in.Clone(in.Context())}
	rewritehttp.SetForwarded(pr)
	fmt.Println(pr.Out.Header)
	// Output:
	// map[X-Forwarded-Host:[shop.example] X-Forwarded-Prefix:[/app]]
}
