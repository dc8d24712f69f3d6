package engine

// Run: what becomes of a request, without the reasons.

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/split"
)

// An Answer is what becomes of a request: a redirect, an answer of the proxy's
// own, or, if Status is 0, targets among which it is shared.
type Answer struct {
	Site     *Site // nil: there is no route, or the request was refused before
	Status   int
	Location string // of a redirect
	Err      error  // why Status is 400 or 500
	Targets  []Target
	Picked   int // the index of the target for the request's key, or of the only one with a share; -1: none
}

// A Target is one backend and what it is sent.
type Target struct {
	Backend string // namespace/service:port, with #2 and so on behind it where it is there again
	Service string // the same without the number
	Weight  uint32
	Percent int    // in hundredths of a percent
	Invalid bool   // its share is answered with 500
	Address string // host:port that is connected to
	Scheme  string // by which
	Host    string // the Host field
	Path    string // escaped
	Query   string // with the question mark, if there is one
	Err     error  // its rules refuse the URL: its share is answered with 400
}

// URL returns the URL that a target is sent: its scheme, the Host field and the
// request target.
func (t *Target) URL() string { return t.Scheme + "://" + t.Host + t.Path + t.Query }

// Status of what the target's share is answered with by the proxy, 0 if it is
// forwarded.
func (t *Target) Status() int {
	switch {
	case t.Invalid:
		return http.StatusInternalServerError
	case t.Err != nil:
		return http.StatusBadRequest
	}
	return 0
}

// Run returns the answer to a request. The error says that its URL is none.
func (c *Config) Run(r *Request) (Answer, error) {
	u, err := r.Parse()
	if err != nil {
		return Answer{}, err
	}
	t := trace{}
	return t.run(c, r, u), nil
}

// A trace is one run, and what of it the way back needs.
type trace struct {
	client  rewrite.URL // clean
	located rewrite.URL // after AfterLocation
	result  rewrite.Result
	forward []rewrite.URL    // by target
	results []rewrite.Result // of all hooks, by target
}

func (t *trace) run(c *Config, r *Request, u rewrite.URL) Answer {
	if err := (*rewrite.Input)(nil).Clean(&u, nil); err != nil {
		return refused(nil, err)
	}
	t.client = u
	site, result, err := c.find(&u, r.header())
	switch {
	case errors.Is(err, route.ErrNoRoute):
		return Answer{Status: http.StatusNotFound, Picked: -1}
	case err != nil:
		return refused(nil, err)
	}
	status, location, err := site.Compiled.Redirect.Answer(ingress.RedirectRequest{URL: t.client, Method: r.method(), ListenerPort: r.ListenerPort})
	if err != nil {
		return refused(site, err)
	}
	if status != 0 {
		return Answer{Site: site, Status: status, Location: location, Picked: -1}
	}
	after, err := site.Compiled.Program.Apply(rewrite.AfterLocation, &u, nil)
	if err != nil {
		return refused(site, err)
	}
	t.located, t.result = u, result.Then(after)
	return t.split(site, r.Key)
}

func refused(s *Site, err error) Answer {
	return Answer{Site: s, Status: http.StatusBadRequest, Err: err, Picked: -1}
}

// split shares the request among the backends of a site.
func (t *trace) split(s *Site, key string) Answer {
	a := Answer{Site: s, Picked: -1}
	backends := s.Entry.Backends
	weights := make([]uint32, len(backends))
	for i := range backends {
		weights[i] = backends[i].Weight
	}
	shares, positive := split.Percentages(weights), 0
	for i := range backends {
		if weights[i] > 0 {
			positive++
			a.Picked = i
		}
	}
	if positive == 0 {
		a.Status, a.Err = http.StatusInternalServerError, split.ErrNoBackend
		return a
	}
	if positive > 1 {
		a.Picked = -1
		if key != "" {
			a.Picked, _ = s.Picker.PickHash(split.Hash(key)) // an invalid backend is picked too
		}
	}
	for i := range backends {
		b, u := &backends[i], t.located
		result, err := s.Compiled.Forward[i].Apply(rewrite.Forward, &u, nil)
		t.forward = append(t.forward, u)
		t.results = append(t.results, t.result.Then(result))
		target := string(u.AppendTarget(nil))
		path, _, _ := strings.Cut(target, "?")
		a.Targets = append(a.Targets, Target{
			Backend: s.Names[i], Service: backendName(b), Weight: b.Weight, Percent: shares[i], Invalid: b.Invalid, Address: b.Upstream,
			Scheme: cmp.Or(b.Scheme, "http"), Host: u.Host, Path: path, Query: target[len(path):], Err: err,
		})
	}
	if status, err := a.shared(); status != 0 {
		a.Status, a.Err = status, err
	}
	return a
}

// shared returns what the proxy answers itself, whichever target it would be that
// gets the request; 0 if that matters, or if one is sent it.
func (a *Answer) shared() (status int, err error) {
	for i := range a.Targets {
		t := &a.Targets[i]
		if t.Weight == 0 || a.Picked >= 0 && a.Picked != i {
			continue
		}
		if t.Status() == 0 || status != 0 && t.Status() != status {
			return 0, nil
		}
		if status = t.Status(); err == nil {
			err = t.Err
			if t.Invalid {
				err = split.ErrInvalidBackend
			}
		}
	}
	return status, err
}
