package engine

// Explain: Run, with what every part of the engine says about itself.

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// Explain returns the answer to a request and its reasons. The error says that
// its URL is none.
func (c *Config) Explain(r *Request) (*Explanation, error) { return c.explain(r, nil) }

// A visitor is told of every route that is met and every step in it. part says
// which of the lists of rules of the entry it is.
type visitor func(s *Site, part string, steps []rewrite.Step)

func (c *Config) explain(r *Request, visit visitor) (*Explanation, error) {
	u, err := r.Parse()
	if err != nil {
		return nil, err
	}
	x := &Explanation{Method: r.method(), URL: u.String(), NetHTTP: r.netHTTP(u), visit: visit}
	t := trace{}
	a := t.run(c, r, u)
	if t.client != (rewrite.URL{}) {
		if t.client != u {
			x.Cleaned = t.client.String()
		}
		c.explainRoute(x, r, t.client)
		c.explainClaims(x, a.Site)
	} else {
		x.Hint = hint(u)
	}
	if a.Site != nil {
		e := a.Site.Entry
		x.Route = &Place{e.Pattern.String(), e.Source.String(), c.locate(e.Source, rewrite.Origin{})}
		c.explainRedirect(x, a, t.client)
		if x.Redirect == nil || x.Redirect.Status == 0 {
			x.RequestHeaders, x.ResponseHeaders = headerOps(e.RequestHeaders), headerOps(e.ResponseHeaders)
		}
	}
	c.explainBackends(x, &t, a)
	x.Status, x.Location = a.Status, a.Location
	if a.Err != nil {
		x.Error = a.Err.Error()
	}
	if a.Status == http.StatusNotFound {
		x.Error = route.ErrNoRoute.Error()
	}
	return x, nil
}

// explainRoute does the lookups and the hooks up to the choice of a backend
// again, as Table.Route and Apply do them.
func (c *Config) explainRoute(x *Explanation, r *Request, client rewrite.URL) {
	for i := range c.tables {
		if c.explainTable(x, &c.tables[i], r, client) {
			return
		}
	}
}

// explainTable reports whether the search ends with this table.
func (c *Config) explainTable(x *Explanation, t *table, r *Request, client rewrite.URL) bool {
	u := client
	chosen := c.lookup(x, t, r, &u)
	if chosen == nil {
		return x.overBudget()
	}
	steps, _, err := chosen.Compiled.Program.Explain(rewrite.BeforeLocation, u)
	x.Steps = append(x.Steps, c.steps(x, chosen, partRules, rewrite.BeforeLocation, steps)...)
	if err != nil {
		return true
	}
	if n := len(steps); n > 0 && steps[n-1].After != u {
		u = steps[n-1].After
		if chosen = c.lookup(x, t, r, &u); chosen == nil {
			return x.overBudget()
		}
	}
	status, _, err := chosen.Compiled.Redirect.Answer(ingress.RedirectRequest{URL: client, Method: r.method(), ListenerPort: r.ListenerPort})
	if status == 0 && err == nil {
		steps, _, _ = chosen.Compiled.Program.Explain(rewrite.AfterLocation, u)
		x.Steps = append(x.Steps, c.steps(x, chosen, partRules, rewrite.AfterLocation, steps)...)
	}
	return true
}

// overBudget reports whether the last lookup ended at a regular expression that
// could take too long, which is a refusal.
func (x *Explanation) overBudget() bool {
	last := x.Lookups[len(x.Lookups)-1]
	return slices.ContainsFunc(last.Candidates, func(c Candidate) bool { return c.Code == string(route.LostBudget) })
}

// lookup adds a Lookup and returns the site that was chosen.
func (c *Config) lookup(x *Explanation, t *table, r *Request, u *rewrite.URL) *Site {
	l := Lookup{Table: t.name, URL: u.String()}
	var chosen *Site
	for candidate := range t.table.Explain(u, r.header()) {
		s := t.sites[candidate.Route]
		if candidate.Code == route.Chosen {
			chosen = s
		}
		l.Candidates = append(l.Candidates, Candidate{
			Place: Place{candidate.Pattern.String(), s.Entry.Source.String(), c.locate(s.Entry.Source, rewrite.Origin{})},
			Code:  string(candidate.Code), Detail: t.named(candidate.Detail),
		})
	}
	x.Lookups = append(x.Lookups, l)
	return chosen
}

// The lists of rules of an entry.
const (
	partRules    = "rules"
	partRedirect = "redirect"
)

func partBackend(i int) string { return "backend " + strconv.Itoa(i) }

var routeNumber = regexp.MustCompile(`\broute (\d+)\b`)

// named replaces the numbers of routes by where they come from.
func (t *table) named(detail string) string {
	return routeNumber.ReplaceAllStringFunc(detail, func(text string) string {
		i, err := strconv.Atoi(strings.TrimPrefix(text, "route "))
		if err != nil || i >= len(t.sites) {
			return text
		}
		return t.sites[i].Entry.Source.String()
	})
}

func (c *Config) steps(x *Explanation, s *Site, part string, hook rewrite.Hook, list []rewrite.Step) []Step {
	if x.visit != nil {
		x.visit(s, part, list)
	}
	out := Steps(hook, list)
	for i, from := range list {
		if from.Rule >= 0 {
			out[i].At = c.locate(s.Entry.Source, from.Origin)
		}
	}
	return out
}

// Steps returns what Program.Explain says, without positions.
func Steps(hook rewrite.Hook, list []rewrite.Step) []Step {
	var out []Step
	for _, from := range list {
		step := Step{
			Hook: hook.String(), Code: string(from.Code), Before: from.Before.String(), After: from.After.String(), Origin: from.Origin.Key,
		}
		if from.Action.Op() != 0 {
			step.Action = from.Action.String()
		}
		if from.Err != nil {
			step.Error = from.Err.Error()
		}
		out = append(out, step)
	}
	return out
}

// readers are the packages that read what is no Ingress.
var readers = map[string]string{"HTTPRoute": "gateway", "HTTPProxy": "contour"}

// explainClaims says who got the objects of the route that was chosen, or, if
// there is none, of all that were looked at, or of all.
func (c *Config) explainClaims(x *Explanation, s *Site) {
	about := make(map[string]bool)
	for _, l := range x.Lookups {
		for _, candidate := range l.Candidates {
			if s == nil || candidate.Code == string(route.Chosen) {
				about[candidate.Source] = true
			}
		}
	}
	objects := make(map[ingress.Source]bool)
	for _, site := range c.Sites {
		if about[site.Entry.Source.String()] {
			objects[site.Entry.Source.Object()] = true
		}
	}
	all := len(objects) == 0
	for _, d := range c.Decisions {
		if all || objects[d.Ingress] {
			x.Claims = append(x.Claims, Claim{d.Ingress.String(), d.Class, d.Rewriter, c.locate(d.Ingress, rewrite.Origin{})})
		}
		delete(objects, d.Ingress)
	}
	others := slices.SortedFunc(maps.Keys(objects), func(a, b ingress.Source) int { return strings.Compare(a.String(), b.String()) })
	for _, object := range others {
		x.Claims = append(x.Claims, Claim{Object: object.String(), Rewriter: readers[object.Kind], At: c.locate(object, rewrite.Origin{})})
	}
}

func (c *Config) explainRedirect(x *Explanation, a Answer, client rewrite.URL) {
	r := a.Site.Entry.Redirect
	if r == nil {
		return
	}
	x.Redirect = &Redirect{Status: a.Status}
	if a.Location == "" {
		x.Redirect.Status = 0
	}
	switch {
	case r.Location != "":
		x.Redirect.How = "to " + r.Location
	case r.FromQuery != "":
		x.Redirect.How = "to what the query parameter " + r.FromQuery + " says"
	case r.Pattern != "":
		x.Redirect.How = fmt.Sprintf("where %s matches the URL, to %s", r.Pattern, r.Template)
	default:
		x.Redirect.How = "to what its actions make of the URL"
		if r.ListenerPort {
			x.Redirect.How += ", with the port of the listener"
		}
		p, err := rewrite.Compile(r.Rules, c.rewrite)
		if err != nil { // Build has compiled them
			return
		}
		steps, _, _ := p.Explain(rewrite.AfterLocation, client)
		x.Redirect.Steps = c.steps(x, a.Site, partRedirect, rewrite.AfterLocation, steps)
	}
}

func (c *Config) explainBackends(x *Explanation, t *trace, a Answer) {
	for i := range a.Targets {
		from := &a.Targets[i]
		b := &a.Site.Entry.Backends[i]
		to := Backend{
			Name: from.Backend, Percent: float64(from.Percent) / 100, Weight: from.Weight, Status: from.Status(),
			RequestHeaders: headerOps(b.RequestHeaders), ResponseHeaders: headerOps(b.ResponseHeaders),
		}
		if to.Status == 0 {
			to.Upstream, to.Forwarded = from.Scheme+"://"+from.Address, from.URL()
		}
		if from.Err != nil {
			to.Error = from.Err.Error()
		}
		steps, _, _ := a.Site.Compiled.Forward[i].Explain(rewrite.Forward, t.located)
		part := partBackend(i)
		if a.Picked >= 0 && a.Picked != i {
			part = ""
		}
		to.Steps = c.steps(x, a.Site, part, rewrite.Forward, steps)
		x.Backends = append(x.Backends, to)
		if i == a.Picked {
			x.Picked, x.Upstream, x.Forwarded = to.Name, to.Upstream, to.Forwarded
		}
	}
}
