package rewritehttp

import (
	"context"
	"net/http"
	"net/url"

	"github.com/readdress/readdress/rewrite"
)

// URL returns the URL of r as its client sees it, ready for Input.Clean, and
// ErrTarget for a request that has none: "*", CONNECT, a target that is
// neither a path nor an absolute http or https URL, and r.URL.Opaque.
//
//   - Scheme: for a request that came from a server, "https" if r.TLS is set,
//     else "http", whatever an absolute target claims. A request that did not
//     (its RequestURI is empty) has that of r.URL.
//   - Host: r.Host, or r.URL.Host if that is empty, as net/http sends it.
//   - Path: the bytes of the request line while r.URL still stands for them;
//     what a handler such as http.StripPrefix left in r.URL otherwise. An
//     empty path, as in "GET http://shop.example", is "/".
//   - RawQuery and ForceQuery: those of r.URL.
//
// The strings are shared with r. URL allocates only for a path that must be
// escaped and is no longer that of the request line.
func URL(r *http.Request) (rewrite.URL, error) {
	if r.URL == nil || r.URL.Opaque != "" || r.URL.Path == "*" || r.Method == http.MethodConnect {
		return rewrite.URL{}, rewrite.ErrTarget
	}
	wire, err := rewrite.ParseTarget("", "", r.RequestURI)
	if err != nil {
		return rewrite.URL{}, err
	}
	u := rewrite.URL{
		Scheme:     "http",
		Host:       host(r),
		Path:       escapedPath(r.URL, wire.Path),
		RawQuery:   r.URL.RawQuery,
		ForceQuery: r.URL.ForceQuery,
	}
	switch {
	case r.TLS != nil:
		u.Scheme = "https"
	case r.RequestURI == "":
		u.Scheme = r.URL.Scheme
	}
	return u, nil
}

// host returns the host that net/http would send for r.
func host(r *http.Request) string {
	if r.Host == "" {
		return r.URL.Host
	}
	return r.Host
}

// With returns a copy of r that asks for u, which must be clean. As with
// http.StripPrefix, the request and its URL are copied, in two allocations,
// and everything else is shared, the header and the body among it; RequestURI
// keeps what the client sent. r is not modified. The context of the copy is
// derived from that of r, for SetUpstream.
//
// The host goes to Host, the path to URL.Path and URL.RawPath, such that
// URL.EscapedPath returns u.Path, and the query to URL.RawQuery. A parsed Form
// is dropped if the query changes, so that it is parsed again. u.Scheme goes
// nowhere: URL.Scheme, URL.Host and URL.User say where a request is sent,
// which no rewrite decides.
func With(r *http.Request, u rewrite.URL) *http.Request {
	d := &derived{Context: r.Context(), url: *r.URL}
	r = r.WithContext(d)
	r.URL = &d.url
	set(r, u)
	return r
}

// Apply runs the rules of p for h on r in place: r and *r.URL belong to the
// caller, such as the copy that With returned or the Out of a ProxyRequest.
// Its fields are set as With sets them. On error r is as it was. A nil p and a
// hook without rules do nothing and check nothing.
//
// Apply does not clean: give it a request whose URL has passed Input.Clean.
// In Out, httputil has dropped the query parameters that package url does not
// parse, so the rules do not see them and the upstream does not get them; to
// keep them, apply p to the URL of In and use With.
//
// Where the path has no escape and the rules cut or set, Apply does not
// allocate. Otherwise it allocates once for each component that is joined
// from parts, and once for the decoded form of a path that has escapes.
func Apply(p *rewrite.Program, h rewrite.Hook, r *http.Request) (rewrite.Result, error) {
	touched := p.Touches(h)
	if touched == 0 {
		return rewrite.Result{}, nil
	}
	u, err := URL(r)
	if err != nil {
		return rewrite.Result{}, err
	}
	res, err := p.Apply(h, &u, nil)
	if err != nil {
		return rewrite.Result{}, err
	}
	if d := derivation(r); d != nil && &d.url != r.URL && touched&rewrite.QueryChanged != 0 {
		// r is somebody's copy of a request that With made, such as Out. From
		// now on its query is its own, and SetUpstream must be able to tell.
		*r = *With(r, u)
	} else if res.Changed() != 0 {
		set(r, u)
	}
	return res, nil
}

// set writes what u says about the message, not where it is sent, to r.
func set(r *http.Request, u rewrite.URL) {
	if u.Host != host(r) {
		r.Host = u.Host
	}
	setPath(r.URL, u.Path)
	if r.URL.RawQuery != u.RawQuery {
		r.URL.RawQuery = u.RawQuery
		r.Form = nil
	}
	r.URL.ForceQuery = u.ForceQuery
}

// A derived is the context of a request that With made, by which SetUpstream
// recognises the request and its copies. It holds the request's URL to save an
// allocation.
type derived struct {
	context.Context
	url url.URL
}

type derivedKey struct{}

func (d *derived) Value(key any) any {
	if key == (derivedKey{}) {
		return d
	}
	return d.Context.Value(key)
}

// derivation returns the last With behind r, or nil.
func derivation(r *http.Request) *derived {
	d, _ := r.Context().Value(derivedKey{}).(*derived)
	return d
}
