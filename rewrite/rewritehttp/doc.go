// Package rewritehttp runs rewrite programs on net/http requests: in a server,
// in an [httputil.ReverseProxy] and in a client's RoundTripper.
//
// The usual proxy is two lines of it:
//
//	proxy := &httputil.ReverseProxy{Rewrite: func(pr *httputil.ProxyRequest) {
//		rewritehttp.SetUpstream(pr, upstream)
//	}}
//	handler := rewritehttp.Middleware(program, rewrite.AfterLocation, nil, proxy)
//
// [Middleware] is for a program that is known beforehand. A gateway that looks
// up a route first calls the parts itself: [URL], [rewrite.Input.Clean], its own
// lookup, [rewrite.Program.Apply] and [WithInverse], or [With] if no response is
// to be taken back.
// [Transport] adds the rules that belong to one instance, once per attempt.
// [ModifyResponse] takes redirects and cookies of the response back to the client's
// URLs. [SetForwarded] tells the upstream the client's prefix and host instead: an
// upstream that puts the prefix in front itself would with both have it twice.
//
// # Where net/http loses bytes
//
// A [url.URL] has its path twice, decoded and (at times) escaped, and a rewrite
// of one must not forget the other. This package reads the escaped form, lets
// the program rewrite that, and sets both fields such that EscapedPath returns
// the program's bytes.
//
// ReverseProxy removes from the query what package url cannot parse ("a=1;b=2",
// "c=%zz"), because its Rewrite function would not see it. A program sees every
// byte, so [SetUpstream] sends the query as the program left it.
//
// # Which request
//
// A server's request has a Host and no scheme; URL takes that from TLS. In a
// request of the proxy, URL.Host is the upstream's authority and Host still the
// client's; a client's own request has both in URL. Rules always see and change
// Host, path and query, never the connection. That is also why SetScheme has no
// effect on a request here, but for the port that a SetPort behind it leaves
// out: it serves redirects and conditions, which read the [rewrite.URL].
//
// # Memory
//
// Requests may be read by another goroutine for as long as a response is open
// (see [http.RoundTripper]), so this package does without a Scratch: all strings
// are ordinary ones, without a lifetime rule.
//
// All functions are safe for concurrent use on different requests; [URL],
// [With] and [Of] on the same one as well.
package rewritehttp
