package engine

// Coverage: which routes and actions some requests have met.

import (
	"github.com/readdress/readdress/rewrite"
)

// A Coverage counts what requests exercise: a route that is chosen, and an
// action that runs and matches.
type Coverage struct {
	c     *Config
	units []Unit
	index map[unitKey]int
}

// A Unit is a route or an action.
type Unit struct {
	What string // a route's pattern, or an action
	Of   string // the source of the route
	At   *Position
	Hit  bool
}

type unitKey struct {
	site *Site
	part string // "": the route itself
	rule int
}

// NewCoverage returns a Coverage of c that has met nothing.
func NewCoverage(c *Config) *Coverage {
	v := &Coverage{c: c, index: make(map[unitKey]int)}
	for _, s := range c.Sites {
		e := s.Entry
		v.add(unitKey{s, "", 0}, "route "+e.Pattern.String(), s, rewrite.Origin{})
		v.rules(s, partRules, e.Rules)
		if e.Redirect != nil {
			v.rules(s, partRedirect, e.Redirect.Rules)
		}
		for i := range e.Backends {
			v.rules(s, partBackend(i), e.Backends[i].Rules)
		}
	}
	return v
}

func (v *Coverage) rules(s *Site, part string, rules []rewrite.Rule) {
	for i, r := range rules {
		v.add(unitKey{s, part, i}, r.Action.String(), s, r.Origin)
	}
}

func (v *Coverage) add(key unitKey, what string, s *Site, origin rewrite.Origin) {
	v.index[key] = len(v.units)
	v.units = append(v.units, Unit{What: what, Of: s.Entry.Source.String(), At: v.c.locate(s.Entry.Source, origin)})
}

// Explain is Config.Explain, counted.
func (v *Coverage) Explain(r *Request) (*Explanation, error) {
	x, err := v.c.explain(r, func(s *Site, part string, steps []rewrite.Step) {
		if part == "" {
			return
		}
		v.hit(unitKey{s, "", 0})
		for _, step := range steps {
			if step.Rule >= 0 && (step.Code == rewrite.StepChanged || step.Code == rewrite.StepUnchanged || step.Code == rewrite.StepRefused) {
				v.hit(unitKey{s, part, step.Rule})
			}
		}
	})
	return x, err
}

func (v *Coverage) hit(key unitKey) {
	if i, ok := v.index[key]; ok {
		v.units[i].Hit = true
	}
}

// Percent returns how much was met, 100 if there is nothing to meet.
func (v *Coverage) Percent() float64 {
	if len(v.units) == 0 {
		return 100
	}
	return 100 * float64(len(v.units)-len(v.Missed())) / float64(len(v.units))
}

// Len returns the number of units.
func (v *Coverage) Len() int { return len(v.units) }

// Missed returns what no request has met.
func (v *Coverage) Missed() []Unit {
	var list []Unit
	for _, u := range v.units {
		if !u.Hit {
			list = append(list, u)
		}
	}
	return list
}
