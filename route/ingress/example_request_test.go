package ingress_test

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritehttp"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/split"
)

// A site is what a table finds: an entry, and what was made of it.
type site struct {
	entry    *ingress.Entry
	compiled *ingress.Compiled
	picker   *split.Picker
}

func (s *site) program() *rewrite.Program { return s.compiled.Program }

func newSite(e *ingress.Entry, compiled *ingress.Compiled) (*site, error) {
	var backends []split.Backend
	for _, b := range e.Backends {
		backends = append(backends, split.Backend{Name: b.Upstream, Weight: b.Weight, Invalid: b.Invalid})
	}
	picker, err := split.New(backends, nil)
	return &site{e, compiled, picker}, err
}

// operate does what ops say to the header of a request or response.
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

// decide says what becomes of a request, in the order of an entry's parts.
func decide(table *route.Table[*site], client rewrite.URL, r *http.Request) (string, error) {
	u := client
	s, toRoute, err := table.Route(&u, rewritehttp.Of(r), (*site).program, nil)
	if err != nil {
		return "", err
	}
	status, location, err := s.compiled.Redirect.Answer(ingress.RedirectRequest{URL: client, Method: r.Method})
	if err != nil || status != 0 {
		return fmt.Sprint(status, " ", location), err
	}
	toService, err := s.program().Apply(rewrite.AfterLocation, &u, nil)
	if err != nil {
		return "", err
	}
	i, err := s.picker.Pick()
	if err != nil {
		return "", err
	}
	attempt := u // afresh for another one
	toInstance, err := s.compiled.Forward[i].Apply(rewrite.Forward, &attempt, nil)
	if err != nil {
		return "", err
	}
	operate(r.Header, s.entry.RequestHeaders)
	operate(r.Header, s.entry.Backends[i].RequestHeaders)
	way := toRoute.Then(toService).Then(toInstance) // of which NewInverse makes the way back
	return fmt.Sprint(s.entry.Backends[i].Upstream, " ", attempt, " ", way.Changed(), " ", r.Header), nil
}

// What a proxy does with an entry for each request.
func ExampleCompiled() {
	web := ingress.Entry{
		Pattern: route.Pattern{Host: "shop.example", Path: "/web"},
		Backends: []ingress.Backend{{Upstream: "web:80", Weight: 1, Rules: []rewrite.Rule{
			{Hook: rewrite.Forward, Action: rewrite.SetHost("web.internal")},
		}}},
		Rules:          []rewrite.Rule{{Action: rewrite.TrimPathPrefix("/web")}},
		RequestHeaders: []ingress.HeaderOp{{Name: "X-Site", Value: "web"}},
	}
	plain := web // the same path, for http
	plain.When.Scheme = "http"
	plain.Redirect = &ingress.Redirect{Status: 308, Rules: []rewrite.Rule{{Action: rewrite.SetScheme("https")}}}
	table, problems := ingress.Build([]ingress.Entry{web, plain}, nil, newSite)
	fmt.Println(len(problems), "problems")

	for _, text := range []string{"https://shop.example/web/a%2Fb", "http://shop.example/web/a%2Fb", "https://shop.example/"} {
		client, _ := rewrite.Parse(text)
		answer, err := decide(table, client, &http.Request{Method: "GET", Header: http.Header{}})
		switch {
		case errors.Is(err, route.ErrNoRoute):
			answer = "404"
		case errors.Is(err, rewrite.ErrRefused):
			answer = "400"
		case err != nil:
			answer = "500" // ErrInvalidBackend and ErrNoBackend
		}
		fmt.Println(answer)
	}
	// Output:
	// 0 problems
	// web:80 https://web.internal/a%2Fb host|path map[X-Site:[web]]
	// 308 https://shop.example/web/a%2Fb
	// 404
}
