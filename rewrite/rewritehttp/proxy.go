package rewritehttp

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// SetUpstream points pr.Out at target, as ProxyRequest.SetURL does: Out gets
// the scheme and the authority of target, the path of target joined with its
// own at one slash, escapes as they are, and the query of target before its
// own. Unlike SetURL it keeps Out.Host, which becomes the Host header, and
// sends the query as Middleware or With left it. target is not modified.
//
// Before Rewrite runs, httputil drops from Out's query what package url does
// not parse, such as "a=1;b=2". If pr.In comes from With, rules have judged
// all of its query, so SetUpstream puts that in the place of Out's: code that
// edits the query of Out by hand belongs behind it, and must not take
// URL.Query for all that is sent. Out's query stays if With made Out, or Apply
// ran rules about the query on it, or if In does not come from With.
//
// Rules for Forward that run later, in Transport, see the joined path and, if
// Out.Host is empty, the authority of target. To have them see the client's,
// leave target without a path and add the prefix with a rule.
func SetUpstream(pr *httputil.ProxyRequest, target *url.URL) {
	out := pr.Out.URL
	if d := derivation(pr.In); d != nil && d == derivation(pr.Out) {
		out.RawQuery = pr.In.URL.RawQuery
	}
	if target.RawQuery != "" && out.RawQuery != "" {
		out.RawQuery = target.RawQuery + "&" + out.RawQuery
	} else {
		out.RawQuery += target.RawQuery
	}
	setPath(out, join(escapedPath(target, ""), escapedPath(out, "")))
	out.Scheme, out.Host = target.Scheme, target.Host
}

// join joins two escaped paths at one slash.
func join(base, path string) string {
	base = strings.TrimSuffix(base, "/")
	if base != "" && base[0] != '/' {
		base = "/" + base
	}
	if path[0] != '/' {
		base += "/"
	}
	return base + path
}

// Transport returns a RoundTripper that runs the rules for Forward, once per
// attempt, on a private copy of the request and hands the copy to next; nil
// means http.DefaultTransport. forward returns the program of the instance
// that the request goes to, and is called by as many goroutines as call
// RoundTrip. A request whose program is nil or has no rules for Forward goes
// to next as it is. Where retries choose other instances, what chooses one
// stands before this RoundTripper, and sets URL.Host for each attempt.
//
// It runs rules and nothing else: cleaning is for the listener. The Request of
// the response is the copy.
//
// A rewrite that is refused closes the body and returns the error, for which
// errors.Is(err, rewrite.ErrRefused) holds: an ErrorHandler of
// httputil.ReverseProxy should then answer 400, not 502.
//
// The result forwards CloseIdleConnections.
func Transport(forward func(*http.Request) *rewrite.Program, next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return &transport{forward, next}
}

type transport struct {
	forward func(*http.Request) *rewrite.Program
	next    http.RoundTripper
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	p := t.forward(r)
	if p.Touches(rewrite.Forward) == 0 {
		return t.next.RoundTrip(r)
	}
	u, err := URL(r)
	before := u
	var result rewrite.Result
	if err == nil {
		result, err = p.Apply(rewrite.Forward, &u, nil)
	}
	if err != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, err
	}
	if wayOf(r) != nil {
		return t.next.RoundTrip(WithInverse(r, before, u, result))
	}
	return t.next.RoundTrip(With(r, u))
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
