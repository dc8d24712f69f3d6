package main

// The decision: where a request goes, as which URL, or what it is told instead.

import (
	"errors"
	"fmt"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/split"
)

// A routes is an immutable table of sites.
type routes = route.Table[*site]

// A site is what an entry compiles to, and the picker of its backends.
type site struct {
	compiled  *ingress.Compiled
	picker    *split.Picker
	upstreams []string
}

// load compiles Ingresses. Problems are those of single Ingresses; the others
// are served.
func load(ingresses []*ingress.Ingress, upstreams map[string]string) (*routes, []ingress.Problem, error) {
	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: bfe.New(nil)})
	if err != nil {
		return nil, nil, err
	}
	result := d.Dispatch(ingresses, nil)
	table, problems := ingress.Build(result.Entries, nil, func(e *ingress.Entry, compiled *ingress.Compiled) (*site, error) {
		s := &site{compiled: compiled}
		backends := make([]split.Backend, len(e.Backends))
		for i, b := range e.Backends {
			backends[i] = split.Backend{Name: b.Upstream, Weight: b.Weight, Invalid: b.Invalid}
			at := b.Upstream
			if to, ok := upstreams[at]; ok {
				at = to
			}
			s.upstreams = append(s.upstreams, at)
		}
		var err error
		s.picker, err = split.New(backends, nil)
		return s, err
	})
	return table, append(result.Problems, problems...), nil
}

// A decision is what is to be done with a request: forward it to upstream as
// url, or answer with status.
type decision struct {
	upstream string
	url      rewrite.URL
	status   int
	location string
}

// decide finds the decision for a request. It does not allocate, redirects
// apart; what it returns is good until scratch is reused.
func decide(table *routes, h *head, scratch *rewrite.Scratch) (d decision) {
	client, err := rewrite.ParseTarget("http", h.host, h.line[1])
	client.Scheme = "http" // of the connection, whatever an absolute target says
	if err == nil {
		err = (*rewrite.Input)(nil).Clean(&client, scratch)
	}
	if err != nil {
		return decision{status: 400}
	}
	d.url = client
	s, _, err := table.Route(&d.url, h, program, scratch)
	switch {
	case errors.Is(err, route.ErrNoRoute):
		return decision{status: 404}
	case err != nil:
		return decision{status: 400}
	}
	if s.compiled.Redirect != nil {
		d.status, d.location, err = s.compiled.Redirect.Answer(ingress.RedirectRequest{URL: client, Method: h.Method()})
		if err != nil {
			return decision{status: 400}
		}
		if d.status != 0 {
			return d
		}
	}
	if _, err = s.compiled.Program.Apply(rewrite.AfterLocation, &d.url, scratch); err != nil {
		return decision{status: 400}
	}
	i, err := s.picker.Pick()
	if err != nil {
		return decision{status: 500}
	}
	if _, err = s.compiled.Forward[i].Apply(rewrite.Forward, &d.url, scratch); err != nil {
		return decision{status: 400}
	}
	d.upstream = s.upstreams[i]
	return d
}

func program(s *site) *rewrite.Program { return s.compiled.Program }

// appendAnswer appends an answer of the proxy's own.
func (d decision) appendAnswer(dst []byte) []byte {
	reason := map[int]string{400: "Bad Request", 404: "Not Found", 500: "Internal Server Error", 502: "Bad Gateway"}[d.status]
	dst = fmt.Appendf(dst, "HTTP/1.1 %d %s\r\nContent-Length: 0\r\nConnection: close\r\n", d.status, reason)
	if d.location != "" {
		dst = fmt.Appendf(dst, "Location: %s\r\n", d.location)
	}
	return append(dst, "\r\n"...)
}
