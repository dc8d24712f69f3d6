package rewritehttp_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
)

func forward(actions ...rewrite.Action) func(*http.Request) *rewrite.Program {
	var list []rewrite.Rule
	for _, a := range actions {
		list = append(list, rewrite.Rule{Hook: rewrite.Forward, Action: a})
	}
	p := rewrite.MustCompile(list, nil)
	return func(*http.Request) *rewrite.Program { return p }
}

func TestTransportOnTheWire(t *testing.T) {
	up := newUpstream(t)
	addr := serve(t, rewritehttp.Middleware(rules(rewrite.TrimPathPrefix("/api")), rewrite.AfterLocation, nil, &httputil.ReverseProxy{
		Rewrite:   func(pr *httputil.ProxyRequest) { rewritehttp.SetUpstream(pr, up.url) },
		Transport: rewritehttp.Transport(forward(rewrite.AddPathPrefix("/i%2F1"), rewrite.SetHost("i1.example"), rewrite.DeleteQuery("token")), nil),
	}))
	status, _ := send(t, addr, "/api/a%2Fb?a=1;b=2&%74oken=x&c=%zz")
	if m, _ := up.got(); status != 200 || m != (message{"/i%2F1/a%2Fb?a=1;b=2&c=%zz", "i1.example"}) {
		t.Errorf("status %d, upstream got %v", status, m)
	}
}

// A client's own request: it goes where its URL says, and asks for what the
// rules say.
func TestTransportOfClient(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Host+" "+r.RequestURI)
	}))
	defer s.Close()
	client := s.Client()
	client.Transport = rewritehttp.Transport(forward(rewrite.SetScheme("http"), rewrite.SetHost("b.example"), rewrite.SetPath("/x%2Fy")), client.Transport)
	res, err := client.Get(s.URL + "/a?q=;")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got, err := io.ReadAll(res.Body); err != nil || string(got) != "b.example /x%2Fy?q=;" {
		t.Errorf("%s, %v", got, err)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Each attempt starts from the same request, several at a time if need be.
func TestTransportAttempts(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	down := errors.New("down")
	tr := rewritehttp.Transport(forward(rewrite.AddPathPrefix("/i"), rewrite.SetHost("i.example")), roundTripper(func(r *http.Request) (*http.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		seen[r.Host+r.URL.Path]++
		return nil, down
	}))
	r := read(t, "GET /a?x")
	before := *r.URL
	var attempts sync.WaitGroup
	for range 8 {
		attempts.Go(func() {
			if _, err := tr.RoundTrip(r); err != down {
				t.Errorf("error %v", err)
			}
		})
	}
	attempts.Wait()
	if len(seen) != 1 || seen["i.example/i/a"] != 8 || *r.URL != before || r.Host != "shop.example" {
		t.Errorf("attempts %v, request now %s %s", seen, r.Host, r.URL)
	}
}

func TestTransportWithoutRules(t *testing.T) {
	other := rules(rewrite.SetPath("/x")) // for AfterLocation
	for name, p := range map[string]*rewrite.Program{"nil": nil, "zero": new(rewrite.Program), "another hook": other} {
		r := read(t, "OPTIONS *")
		var got *http.Request
		tr := rewritehttp.Transport(func(*http.Request) *rewrite.Program { return p }, roundTripper(func(r *http.Request) (*http.Response, error) {
			got = r
			return new(http.Response), nil
		}))
		if _, err := tr.RoundTrip(r); err != nil || got != r {
			t.Errorf("%s: next got %p, want %p, error %v", name, got, r, err)
		}
	}
}

type closer struct {
	io.Reader
	closed int
}

func (c *closer) Close() error {
	c.closed++
	return nil
}

func TestTransportRefusal(t *testing.T) {
	tr := rewritehttp.Transport(forward(rewrite.TrimPathText("/foo")), roundTripper(func(*http.Request) (*http.Response, error) {
		t.Error("next was called")
		return nil, nil
	}))
	for _, line := range []string{"POST /foo../bar", "CONNECT shop.example:443"} {
		r := read(t, line)
		b := &closer{Reader: strings.NewReader("x")}
		r.Body = b
		res, err := tr.RoundTrip(r)
		if res != nil || !errors.Is(err, rewrite.ErrRefused) || b.closed != 1 {
			t.Errorf("%s: %v, %v, body closed %d times", line, res, err, b.closed)
		}
		r.Body = nil
		if _, err := tr.RoundTrip(r); !errors.Is(err, rewrite.ErrRefused) {
			t.Errorf("%s without a body: %v", line, err)
		}
	}
}

type idler struct {
	roundTripper
	idle int
}

func (i *idler) CloseIdleConnections() { i.idle++ }

func TestTransportCloseIdleConnections(t *testing.T) {
	next := new(idler)
	(&http.Client{Transport: rewritehttp.Transport(forward(rewrite.SetPath("/")), next)}).CloseIdleConnections()
	if next.idle != 1 {
		t.Errorf("called %d times", next.idle)
	}
	// One that has nothing to close.
	(&http.Client{Transport: rewritehttp.Transport(forward(rewrite.SetPath("/")), roundTripper(nil))}).CloseIdleConnections()
}
