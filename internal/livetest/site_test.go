package livetest

// What the library makes of a request by a table of Ingresses.

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A site is what the table finds.
type site struct {
	entry    *ingress.Entry
	compiled *ingress.Compiled
}

// siteTable makes the table of what a dialect makes of Ingresses.
func siteTable(entries []ingress.Entry) *route.Table[site] {
	table, _ := ingress.Build(entries, nil, func(e *ingress.Entry, c *ingress.Compiled) (site, error) {
		return site{e, c}, nil
	})
	return table
}

// fields are the header of a GET.
type fields map[string]string

func (f fields) Method() string { return http.MethodGet }

func (f fields) Header(name string) (string, bool) {
	value, ok := f[name]
	return value, ok
}

// dispatched is the site that a request is for and the URL that it is asked for,
// or else the answer: a redirect, or a status.
func dispatched(table *route.Table[site], in *rewrite.Input, host, target string, header fields) (s site, u rewrite.URL, answer string) {
	u, err := rewrite.ParseTarget("http", host, target)
	if err == nil {
		err = in.Clean(&u, nil)
	}
	if err != nil {
		return s, u, "400"
	}
	client := u
	s, _, err = table.Route(&u, header, func(s site) *rewrite.Program { return s.compiled.Program }, nil)
	switch {
	case errors.Is(err, route.ErrNoRoute):
		return s, u, "404"
	case err != nil:
		return s, u, "400"
	}
	status, location, err := s.compiled.Redirect.Answer(ingress.RedirectRequest{URL: client, Method: header.Method()})
	if err == nil && status != 0 {
		return s, u, fmt.Sprint(status, " ", location)
	}
	if err == nil {
		_, err = s.compiled.Program.Apply(rewrite.AfterLocation, &u, nil)
	}
	if err != nil {
		return s, u, "400"
	}
	return s, u, ""
}
