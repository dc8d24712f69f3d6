// Package rewritegen has the generators of package rewritetest for gopter,
// with shrinking: a failing property is reported with few rules, few segments
// and few pairs.
package rewritegen

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/rewrite/rewritetest"
)

// URL generates a rewrite.URL as rewritetest.URL does. It shrinks to simpler
// components, to paths with fewer segments and to queries with fewer pairs.
func URL() gopter.Gen { return generator(rewritetest.URL, shrinkURL) }

// CleanURL generates a rewrite.URL as rewritetest.CleanURL does. What it
// shrinks to is clean too.
func CleanURL() gopter.Gen { return generator(rewritetest.CleanURL, shrinkURL) }

// CleanURLFor generates a rewrite.URL as rewritetest.CleanURLFor does, which
// is for the rules of one's own. What it shrinks to is clean too.
func CleanURLFor(rules []rewrite.Rule) gopter.Gen {
	return generator(func(r *rand.Rand) rewrite.URL { return rewritetest.CleanURLFor(r, rules) }, shrinkURL)
}

// Action generates a rewrite.Action as rewritetest.Action does. It shrinks to
// an action with fewer prefixes or names, if it has several.
func Action() gopter.Gen { return generator(rewritetest.Action, shrinkAction) }

// Rules generates a []rewrite.Rule of up to most rules as rewritetest.Rules
// does. It shrinks to fewer rules, to the zero hook and order and to simpler
// actions.
func Rules(most int) gopter.Gen {
	return generator(func(r *rand.Rand) []rewrite.Rule { return randomRules(r, most) }, shrinkRules)
}

// A Compiled is a program with the rules it was made of, which a *Program does
// not give away.
type Compiled struct {
	*rewrite.Program
	Rules []rewrite.Rule
}

// String lists the rules: a failing property shows it.
func (c Compiled) String() string {
	var b strings.Builder
	for _, r := range c.Rules {
		b.WriteString(r.Hook.String() + " " + r.Action.String() + "; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// Program generates a Compiled: up to most rules as Rules generates them,
// compiled with opts. It is shrunk as Rules is. opts must let
// HostFromPathPrefix compile; nil stands for AllowAnyHost.
func Program(most int, opts *rewrite.Options) gopter.Gen {
	if opts == nil {
		opts = &rewrite.Options{AllowAnyHost: true}
	}
	compile := func(rules []rewrite.Rule) Compiled {
		return Compiled{rewrite.MustCompile(rules, opts), rules}
	}
	return generator(
		func(r *rand.Rand) Compiled { return compile(randomRules(r, most)) },
		func(v any) gopter.Shrink { return shrinkRules(v.(Compiled).Rules).Map(compile) },
	)
}

func randomRules(r *rand.Rand, most int) []rewrite.Rule {
	return rewritetest.Rules(r, r.IntN(most+1))
}

// generator makes a Gen of a function that draws. The function's source is
// seeded by gopter's, so gopter's seed reproduces a run.
func generator[T any](draw func(*rand.Rand) T, shrinker gopter.Shrinker) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		v := draw(rand.New(rand.NewPCG(p.NextUint64(), p.NextUint64())))
		return gopter.NewGenResult(v, shrinker)
	}
}

// shrinkURL tries the simplest value of each component, then to drop one
// segment or pair. Each keeps a clean URL clean: it removes whole segments,
// pairs and components only.
func shrinkURL(v any) gopter.Shrink {
	u := v.(rewrite.URL)
	var candidates []rewrite.URL
	try := func(change func(*rewrite.URL)) {
		c := u
		change(&c)
		if c != u {
			candidates = append(candidates, c)
		}
	}
	try(func(c *rewrite.URL) { c.RawQuery = "" })
	try(func(c *rewrite.URL) { c.ForceQuery = false })
	try(func(c *rewrite.URL) { c.Scheme = "" })
	try(func(c *rewrite.URL) { c.Host = "" })
	try(func(c *rewrite.URL) { c.Path = "/" })
	for _, path := range without(u.Path, "/") {
		if strings.HasPrefix(path, "/") {
			try(func(c *rewrite.URL) { c.Path = path })
		}
	}
	for _, query := range without(u.RawQuery, "&") {
		try(func(c *rewrite.URL) { c.RawQuery = query })
	}
	return shrinkTo(candidates)
}

// without returns the texts that s becomes without one of its parts.
func without(s, separator string) []string {
	parts := strings.Split(s, separator)
	texts := make([]string, len(parts))
	for i := range parts {
		texts[i] = strings.Join(slices.Delete(slices.Clone(parts), i, i+1), separator)
	}
	return texts
}

// lists makes an action of each op that takes a list.
var lists = map[rewrite.Op]func(...string) rewrite.Action{
	rewrite.OpTrimPathPrefix: rewrite.TrimPathPrefix,
	rewrite.OpTrimPathText:   rewrite.TrimPathText,
	rewrite.OpDeleteQuery:    rewrite.DeleteQuery,
	rewrite.OpKeepQuery:      rewrite.KeepQuery,
}

func shrinkAction(v any) gopter.Shrink {
	a := v.(rewrite.Action)
	makeAction, args := lists[a.Op()], a.Args()
	if makeAction == nil || len(args) < 2 {
		return gopter.NoShrink
	}
	candidates := make([]rewrite.Action, len(args))
	for i := range args {
		candidates[i] = makeAction(slices.Delete(slices.Clone(args), i, i+1)...)
	}
	return shrinkTo(candidates)
}

func shrinkRule(v any) gopter.Shrink {
	r := v.(rewrite.Rule)
	var candidates []rewrite.Rule
	if r.Hook != rewrite.AfterLocation {
		candidates = append(candidates, rewrite.Rule{Order: r.Order, Action: r.Action})
	}
	if r.Order != 0 {
		candidates = append(candidates, rewrite.Rule{Hook: r.Hook, Action: r.Action})
	}
	actions := shrinkAction(r.Action).Map(func(a rewrite.Action) rewrite.Rule {
		return rewrite.Rule{Hook: r.Hook, Order: r.Order, Action: a}
	})
	return gopter.ConcatShrinks(shrinkTo(candidates), actions)
}

// shrinkRules drops rules, then simplifies each. gopter's shrinker keeps the
// last rule, so the empty list is tried first.
func shrinkRules(v any) gopter.Shrink {
	rules := v.([]rewrite.Rule)
	if len(rules) == 0 {
		return gopter.NoShrink
	}
	return gopter.ConcatShrinks(
		shrinkTo([][]rewrite.Rule{{}}),
		gen.SliceShrinker(shrinkRule)(rules),
	)
}

// shrinkTo is the stream of the candidates.
func shrinkTo[T any](candidates []T) gopter.Shrink {
	return func() (any, bool) {
		if len(candidates) == 0 {
			return nil, false
		}
		next := candidates[0]
		candidates = candidates[1:]
		return next, true
	}
}
