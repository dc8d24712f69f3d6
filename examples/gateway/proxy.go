package main

// The data path: what happens to one request.

import (
	"errors"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"time"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
	"github.com/readdress/readdress/split"
)

// input is what the listener accepts. The normal form lets routes be compared
// byte for byte: /%61pi is /api.
var input = &rewrite.Input{Normalize: true}

// A gateway is the handler. Its configuration may be swapped at any time.
type gateway struct {
	config    atomic.Pointer[config]
	transport http.RoundTripper
	log       *log.Logger
}

// ServeHTTP answers one request with one snapshot of the configuration, so
// that a reload in the middle cannot mix two.
func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	route, u, err := resolve(g.config.Load(), r)
	if err != nil {
		g.refuse(w, r, err)
		return
	}
	upstream, err := route.pick()
	if err != nil {
		g.refuse(w, r, err)
		return
	}
	proxy := httputil.ReverseProxy{
		Rewrite: func(pr *httputil.ProxyRequest) {
			rewritehttp.SetUpstream(pr, upstream)
			pr.SetXForwarded()
			pr.Out.Header.Set("X-Forwarded-Host", r.Host) // as the client sent it
		},
		// The transport runs the Forward rules, for they belong to each attempt.
		Transport: rewritehttp.Transport(func(*http.Request) *rewrite.Program {
			return route.program
		}, g.transport),
		ErrorHandler: g.refuse,
		ErrorLog:     g.log,
	}
	proxy.ServeHTTP(w, rewritehttp.With(r, u))
}

// resolve finds the route of a request and the URL to send there.
func resolve(c *config, r *http.Request) (*route, rewrite.URL, error) {
	u, err := rewritehttp.URL(r)
	if err != nil {
		return nil, u, err
	}
	// From here on u is clean: matching and rewriting see one form.
	if err := input.Clean(&u, nil); err != nil {
		return nil, u, err
	}
	route, err := c.route(&u)
	if err != nil {
		return nil, u, err
	}
	_, err = route.program.Apply(rewrite.AfterLocation, &u, nil)
	return route, u, err
}

// refuse answers a request that was not forwarded or not answered, and says
// why in one line.
func (g *gateway) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, errNoRoute):
		http.Error(w, err.Error(), http.StatusNotFound)
	case errors.Is(err, rewrite.ErrRefused):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case errors.Is(err, split.ErrInvalidBackend), errors.Is(err, split.ErrNoBackend):
		g.log.Printf("%s %s: %v", r.Host, r.URL, err)
		http.Error(w, "this route has no service for the request", http.StatusInternalServerError)
	default:
		g.log.Printf("%s %s: %v", r.Host, r.URL, err)
		http.Error(w, "the upstream did not answer", http.StatusBadGateway)
	}
}

// newTransport returns a transport to the services: no proxy from the
// environment, answers as the service encodes them, and connections enough.
func newTransport() *http.Transport {
	return &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		DisableCompression:    true,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
		ResponseHeaderTimeout: 60 * time.Second,
	}
}
