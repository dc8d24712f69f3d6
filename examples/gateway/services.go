package main

// The services behind a route, and which of them a request goes to.

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/split"
)

var errNotAddress = errors.New("is not an address: write a name and a port number, or use -upstream")

// setServices resolves the services of a route: the one that p names, or those
// that share its requests. Of these, one that cannot be resolved keeps its
// share, so that the others get no more than they were meant to.
func (l *loader) setServices(r *route, p ingressPath, shared map[string][]split.Backend, fs *faults) {
	name, port := p.Backend.Service.Name, p.Backend.Service.Port.Number
	if name.Value == "" {
		fs.addf(r.line, "backend.service.name", "missing")
		return
	}
	services, isShared := shared[name.Value]
	if !isShared {
		services = []split.Backend{{Name: name.Value, Weight: 1}}
	}
	for i := range services {
		s := split.Backend{Name: services[i].Name, Weight: services[i].Weight}
		upstream, err := l.upstream(r.namespace, s.Name, port)
		switch {
		case err == nil:
		case isShared:
			s.Invalid = true
			fs.warnf(name.Line, "backend.service", "%w; the share of %q is answered with 500", err, s.Name)
		default:
			fs.addf(name.Line, "backend.service", "%w", err)
		}
		r.services = append(r.services, s)
		r.upstreams = append(r.upstreams, upstream)
	}
	picker, err := split.New(r.services, nil)
	switch {
	case err != nil:
		fs.addf(name.Line, "backend.service", "%w", err)
	case picker.Cycle() == 0:
		fs.warnf(name.Line, "backend.service", "the weights of %q are all 0: every request is answered with 500", name.Value)
	}
	r.picker = picker
}

// upstream resolves a service: an address given by the user, else the DNS name
// that a cluster gives to a service.
func (l *loader) upstream(namespace, service string, port int) (*url.URL, error) {
	addr := cmp.Or(l.upstreams[namespace+"/"+service], l.upstreams[service])
	if addr == "" {
		addr = net.JoinHostPort(service+"."+namespace+".svc", strconv.Itoa(port))
	}
	u := rewrite.URL{Host: addr, Path: "/"}
	if input.Clean(&u, nil) != nil {
		return nil, fmt.Errorf("%q %w", addr, errNotAddress)
	}
	return &url.URL{Scheme: "http", Host: addr}, nil
}

// pick returns the upstream whose turn it is.
func (r *route) pick() (*url.URL, error) {
	i, err := r.picker.Pick()
	if err == nil {
		return r.upstreams[i], nil
	}
	if i >= 0 {
		err = fmt.Errorf("service %q: %w", r.services[i].Name, err)
	}
	return nil, err
}

// carryOver lets routes of old that c has too take their turns from where they
// are; with the same weights, as if nothing had happened. c must not be in use.
func (c *config) carryOver(old *config) error {
	if old == nil {
		return nil
	}
	pickers := make(map[source]*split.Picker)
	for _, routes := range old.hosts {
		for _, r := range routes {
			pickers[r.source] = r.picker
		}
	}
	for _, routes := range c.hosts {
		for _, r := range routes {
			if p := pickers[r.source]; p != nil {
				var err error
				if r.picker, err = p.With(r.services); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
