package rewritehttp

import (
	"net/http"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// Middleware returns a handler that cleans the URL of each request as in says,
// runs the rules of p for h on it and gives next a copy of the request, made
// by WithInverse, that asks for the result, so that ModifyResponse can take the
// response back. The request it was given is not modified. Middlewares nest, one
// for each hook, the outer one for BeforeLocation; Forward is Transport's.
//
// A request whose URL is refused, by URL, Clean or Apply, gets 400 Bad Request
// with the error's text, and next is not called. A nil in is the safe
// defaults. With a nil p, or one without rules for h, URLs are only cleaned.
func Middleware(p *rewrite.Program, h rewrite.Hook, in *rewrite.Input, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u, err := URL(r)
		if err == nil {
			err = in.Clean(&u, nil)
		}
		client := u
		var result rewrite.Result
		if err == nil {
			result, err = p.Apply(h, &u, nil)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, WithInverse(r, client, u, result))
	})
}

// A Request is an *http.Request in the terms of a route's conditions: it
// satisfies the Request interface of package route, which does not import
// net/http. It shares the request, and reads only.
type Request struct{ r *http.Request }

// Of returns r as a Request. It does not allocate, nor does making an
// interface value of the result.
func Of(r *http.Request) Request { return Request{r} }

// Method returns the request's method; "GET" if it is empty, as net/http has it.
func (q Request) Method() string {
	if q.r.Method == "" {
		return http.MethodGet
	}
	return q.r.Method
}

// Header returns the value of the header with this name, in any letter case,
// and whether the request has it. Repeated lines are one value, joined with
// ", ", or with "; " for Cookie (RFC 9110, section 5.2, and RFC 9113, section
// 8.2.3); only joining allocates, and a name that is not in canonical form.
// Host is the request's Host.
func (q Request) Header(name string) (string, bool) {
	name = http.CanonicalHeaderKey(name)
	if name == "Host" {
		return q.r.Host, q.r.Host != ""
	}
	switch values := q.r.Header[name]; len(values) {
	case 0:
		return "", false
	case 1:
		return values[0], true
	default:
		sep := ", "
		if name == "Cookie" {
			sep = "; "
		}
		return strings.Join(values, sep), true
	}
}
