package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// An application that knows nothing of its public prefix redirects to its own
// paths and sets cookies for them. Behind the gateway it stays reachable.
func TestWayBack(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1", Path: "/"})
		http.SetCookie(w, &http.Cookie{Name: "page", Value: "2", Path: "/account"})
		http.Redirect(w, r, "/account/home?from=/", http.StatusFound)
	})
	mux.HandleFunc("GET /account/home", func(w http.ResponseWriter, r *http.Request) {
		// An absolute URL, by the Host that the application got.
		w.Header().Set("Content-Location", "/account/home")
		http.Redirect(w, r, "http://"+r.Host+"/account/done", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /account/done", func(w http.ResponseWriter, r *http.Request) {
		for _, c := range r.Cookies() {
			fmt.Fprintf(w, "%s=%s ", c.Name, c.Value)
		}
		fmt.Fprint(w, r.Header.Get("X-Forwarded-Prefix"))
	})
	mux.HandleFunc("GET /elsewhere", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://accounts.example/login?next=/x", http.StatusFound)
	})

	manifest := strings.Replace(oneRoute(`path-prefix-trim: '[{"params": "/app"}]'`, `host: '[{"params": "app.internal"}]'`), "path: /\n", "path: /app\n", 1)
	server := newGateway(t, manifest, mux)
	public, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &hostTransport{address: public.Host}
	client := &http.Client{Jar: jar, Transport: transport}

	res, err := client.Get("http://shop.example/app/")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Request.URL.String(); res.StatusCode != 200 || got != "http://shop.example/app/account/done" {
		t.Errorf("ended with %d at %s by way of %v", res.StatusCode, got, transport.asked)
	}
	if got := string(body); got != "page=2 session=1 " {
		t.Errorf("the application received %q", got)
	}
	for _, path := range []string{"/", "/other"} {
		if cookies := jar.Cookies(&url.URL{Scheme: "http", Host: "shop.example", Path: path}); len(cookies) > 0 {
			t.Errorf("cookies of the application go to %s: %v", path, cookies)
		}
	}

	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err = client.Get("http://shop.example/app/elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if got := res.Header.Get("Location"); got != "http://accounts.example/login?next=/x" {
		t.Errorf("a redirect to another site became %s", got)
	}
}

// A hostTransport asks one address for every host.
type hostTransport struct {
	http.Transport
	address string
	asked   []string
}

func (h *hostTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	h.asked = append(h.asked, r.URL.String())
	out := r.Clone(r.Context())
	out.Host, out.URL.Host = r.URL.Host, h.address
	res, err := h.Transport.RoundTrip(out)
	if res != nil {
		res.Request = r
	}
	return res, err
}

// What the operator sets of a response is for the client as it stands.
func TestOperatorsLocation(t *testing.T) {
	manifest := strings.NewReplacer("  annotations:\n", "  annotations:\n    nginx.ingress.kubernetes.io/rewrite-target: /$1\n    nginx.ingress.kubernetes.io/configuration-snippet: 'more_set_headers \"Content-Location: /docs\";'\n",
		"path: /\n", "path: /app/(.*)\n            pathType: ImplementationSpecific\n").Replace(oneRoute())
	server := newGateway(t, manifest, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/here")
	}))
	req, err := http.NewRequest(http.MethodGet, server.URL+"/app/x", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "shop.example"
	res, err := new(http.Transport).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if got := [2]string{res.Header.Get("Location"), res.Header.Get("Content-Location")}; got != [2]string{"/app/here", "/docs"} {
		t.Errorf("got %q", got)
	}
}
