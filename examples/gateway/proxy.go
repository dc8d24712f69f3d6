package main

// The data path: what happens to one request.

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"time"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/split"
)

// input is what the listener accepts: rewrite's safe defaults, in normal form.
var input = &rewrite.Input{Normalize: true}

// A gateway is the handler. Its configuration may be swapped at any time.
type gateway struct {
	config atomic.Pointer[config]
	log    *log.Logger
}

// ServeHTTP answers one request with one snapshot of the configuration, so
// that a reload in the middle cannot mix two.
func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d, err := g.config.Load().decide(r)
	switch {
	case err != nil:
		refuse(g.log, w, r, err)
	case d.status != 0:
		w.Header().Set("Location", d.location)
		w.WriteHeader(d.status)
	default:
		if limit := d.site.entry.MaxBodySize; limit > 0 {
			r.Body = http.MaxBytesReader(w, r.Body, limit)
		}
		d.site.proxies[d.backend].ServeHTTP(w, rewritehttp.WithInverse(r, d.client, d.url, d.result))
	}
}

// A decision is what becomes of a request: it is forwarded to a backend of a
// site as url, or answered with a status and a location.
type decision struct {
	client   rewrite.URL // as the client sees it, clean
	site     *site
	url      rewrite.URL
	result   rewrite.Result // from client to url
	backend  int
	status   int
	location string
}

// decide decides on a request. From Clean on the URL is clean: matching and
// rewriting see one form.
func (c *config) decide(r *http.Request) (d decision, err error) {
	if d.client, err = rewritehttp.URL(r); err != nil {
		return d, err
	}
	if err = input.Clean(&d.client, nil); err != nil {
		return d, err
	}
	d.url = d.client
	d.site, d.result, err = c.table.Route(&d.url, rewritehttp.Of(r), (*site).program, nil)
	if err != nil {
		return d, err
	}
	d.status, d.location, err = d.site.compiled.Redirect.Answer(ingress.RedirectRequest{URL: d.client, Method: r.Method})
	if err != nil || d.status != 0 {
		return d, err
	}
	after, err := d.site.compiled.Program.Apply(rewrite.AfterLocation, &d.url, nil)
	if err != nil {
		return d, err
	}
	d.result = d.result.Then(after)
	d.backend, err = d.site.pick()
	return d, err
}

func (s *site) program() *rewrite.Program { return s.compiled.Program }

// pick returns the backend whose turn it is.
func (s *site) pick() (int, error) {
	i, err := s.picker.Pick()
	switch {
	case err != nil && i >= 0 && s.entry.Backends[i].Service.Name != "":
		err = fmt.Errorf("service %s: %w", s.backends[i].Name, err)
	case err != nil:
		err = fmt.Errorf("%v: %w", s.entry.Source, err)
	}
	return i, err
}

// proxy returns the proxy to a backend of s, which takes redirects and cookies to
// the client's URLs, by the mappings first. The transport runs the Forward rules,
// for they belong to each attempt.
func (l *loader) proxy(s *site, backend int, back *rewrite.Mappings) *httputil.ReverseProxy {
	b, forward := &s.entry.Backends[backend], s.compiled.Forward[backend]
	takeBack := rewritehttp.ModifyResponse(func(res *http.Response) rewrite.Inverse {
		return rewritehttp.Inverse(res.Request).With(back)
	})
	return &httputil.ReverseProxy{
		Rewrite: func(pr *httputil.ProxyRequest) {
			rewritehttp.SetUpstream(pr, s.upstreams[backend])
			pr.SetXForwarded()
			rewritehttp.SetForwarded(pr)
			// Who puts the prefix in front would have it twice, for the way back does.
			pr.Out.Header.Del("X-Forwarded-Prefix")
			operate(pr.Out.Header, s.entry.RequestHeaders)
			operate(pr.Out.Header, b.RequestHeaders)
		},
		ModifyResponse: func(res *http.Response) error {
			err := takeBack(res) // what the service said, and not what the operator sets
			operate(res.Header, s.entry.ResponseHeaders)
			operate(res.Header, b.ResponseHeaders)
			return err
		},
		Transport: rewritehttp.Transport(func(*http.Request) *rewrite.Program { return forward }, l.transport),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			refuse(l.log, w, r, err)
		},
		ErrorLog: l.log,
	}
}

// operate does what an operator wants of header fields.
func operate(h http.Header, ops []ingress.HeaderOp) {
	for _, op := range ops {
		switch op.Op {
		case ingress.SetHeader:
			h.Set(op.Name, op.Value)
		case ingress.AddHeader:
			h.Add(op.Name, op.Value)
		case ingress.RemoveHeader:
			h.Del(op.Name)
		}
	}
}

// refuse answers a request that was not forwarded or not answered, and says
// why in one line.
func refuse(log *log.Logger, w http.ResponseWriter, r *http.Request, err error) {
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case errors.Is(err, route.ErrNoRoute):
		http.Error(w, "no route for this host and path", http.StatusNotFound)
	case errors.Is(err, rewrite.ErrRefused):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case tooLarge:
		http.Error(w, "the body is larger than this route takes", http.StatusRequestEntityTooLarge)
	case errors.Is(err, split.ErrInvalidBackend), errors.Is(err, split.ErrNoBackend):
		log.Printf("%s %s: %v", r.Host, r.URL, err)
		http.Error(w, "this route has no service for the request", http.StatusInternalServerError)
	case errors.Is(err, context.Canceled):
		w.WriteHeader(http.StatusBadGateway) // which nobody reads: the client has gone
	default:
		log.Printf("%s %s: %v", r.Host, r.URL, err)
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
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 60 * time.Second,
	}
}
