package rewritehttp

// The way back: the headers of a response in the client's terms.

import (
	"net/http"
	"slices"

	"github.com/readdress/readdress/rewrite"
)

// WithInverse is With for a request whose response is to be taken back by
// ModifyResponse: client is the URL that the program was given, u what became
// of it, and result what Apply said, or Then of several results. It makes as
// many allocations as With.
//
// If r comes from WithInverse already, what it knows of the client stays, and
// result is added to the one it has if r still asks for what that led to, or if
// result has no splice, so that the whole has none.
func WithInverse(r *http.Request, client, u rewrite.URL, result rewrite.Result) *http.Request {
	if before := wayOf(r); before != nil {
		if _, _, ok := result.Splice(); !ok || client.Path == escapedPath(&before.url, "") {
			result = before.result.Then(result)
		} else {
			result = before.result
		}
		client = before.client
	}
	w := &way{derived: derived{Context: r.Context(), url: *r.URL}, client: client, result: result}
	r = r.WithContext(w)
	r.URL = &w.url
	set(r, u)
	return r
}

// A way is the context of a request that WithInverse made.
type way struct {
	derived
	client rewrite.URL
	result rewrite.Result
}

type wayKey struct{}

func (w *way) Value(key any) any {
	if key == (wayKey{}) {
		return w
	}
	return w.derived.Value(key)
}

// wayOf returns the last WithInverse behind r, or nil.
func wayOf(r *http.Request) *way {
	w, _ := r.Context().Value(wayKey{}).(*way)
	return w
}

// Inverse returns the inverse of what led to r, a request that is ready to be
// sent or was: the Out of a ProxyRequest behind SetUpstream, or the Request of a
// response. The upstream is known by r's Host, by the authority of r.URL, and by
// aliases, which are host[:port]. If r comes neither from Middleware nor from
// WithInverse, the result is the zero Inverse, which changes nothing.
//
// A base path that SetUpstream put in front is taken away too, and so is what
// rules for Forward did in Transport. Where there is a base path, and these rules
// took away more of the path than what SetUpstream and other rules had put,
// paths stay as the upstream wrote them, as they do where a rule without an
// inverse decided the path.
//
// The WebDAV header Destination goes the other way, in Rewrite:
//
//	to, ok := rewritehttp.Inverse(pr.Out).Destination(pr.Out.Header.Get("Destination"))
func Inverse(r *http.Request, aliases ...string) rewrite.Inverse {
	w := wayOf(r)
	if w == nil {
		return rewrite.Inverse{}
	}
	upstream := rewrite.URL{Scheme: r.URL.Scheme, Host: host(r), Path: escapedPath(r.URL, "")}
	if r.URL.Host != "" && r.URL.Host != upstream.Host {
		aliases = append(slices.Clip(aliases), r.URL.Host)
	}
	return rewrite.NewInverse(w.client, upstream, w.result, aliases...)
}

// ModifyResponse returns a function for httputil.ReverseProxy.ModifyResponse
// that takes Location, Content-Location, Refresh and Set-Cookie back to the
// client's URLs, each value by the method of the same name of the Inverse. A
// value that is refused is removed, and its header if no other is left. The
// function returns no error.
//
// inverse makes the Inverse of a response; it is called only for a response
// that has such a header. Nil is Inverse(res.Request): what Middleware and
// WithInverse know. One of your own adds aliases, or explicit mappings:
//
//	func(res *http.Response) rewrite.Inverse {
//		return rewritehttp.Inverse(res.Request).With(mappings)
//	}
//
// more are names of further headers: Link, and any whose value is a URL as in
// Location, such as HX-Redirect. Early hints do not pass ModifyResponse, so
// their Link stays.
func ModifyResponse(inverse func(*http.Response) rewrite.Inverse, more ...string) func(*http.Response) error {
	if inverse == nil {
		inverse = func(res *http.Response) rewrite.Inverse {
			if res.Request == nil {
				return rewrite.Inverse{}
			}
			return Inverse(res.Request)
		}
	}
	headers := []takenBack{
		{"Location", rewrite.Inverse.Location},
		{"Content-Location", rewrite.Inverse.Location},
		{"Refresh", rewrite.Inverse.Refresh},
		{"Set-Cookie", rewrite.Inverse.SetCookie},
	}
	for _, name := range more {
		h := takenBack{http.CanonicalHeaderKey(name), rewrite.Inverse.Location}
		if h.name == "Link" {
			h.method = rewrite.Inverse.Link
		}
		if !slices.ContainsFunc(headers, func(has takenBack) bool { return has.name == h.name }) {
			headers = append(headers, h)
		}
	}
	return func(res *http.Response) error {
		if slices.ContainsFunc(headers, func(h takenBack) bool { return len(res.Header[h.name]) > 0 }) {
			v := inverse(res)
			for _, h := range headers {
				h.takeBack(res.Header, v)
			}
		}
		return nil
	}
}

// A takenBack is a header with the method for its values.
type takenBack struct {
	name   string // canonical
	method func(rewrite.Inverse, string) (string, bool)
}

func (h takenBack) takeBack(header http.Header, v rewrite.Inverse) {
	values := header[h.name]
	refused := false
	for i, value := range values {
		if to, changed := h.method(v, value); changed {
			values[i] = to
			refused = refused || to == ""
		}
	}
	if !refused {
		return
	}
	if values = slices.DeleteFunc(values, func(s string) bool { return s == "" }); len(values) > 0 {
		header[h.name] = values
	} else {
		delete(header, h.name)
	}
}
