package visibility

// Which visibility the entries of a namespace have.

import (
	"cmp"
	"fmt"
	"slices"
)

// A Resolver is a Config, compiled: immutable and safe for concurrent use.
// A nil or zero Resolver resolves every namespace to None and scopes every
// entry to nobody.
type Resolver struct {
	valid      bool
	configured bool
	capped     bool // ApplyToSidecars
	level      Level
	exportTo   []string // of entries without; never nil in a valid Resolver
	policies   []policy
	pivots     map[string]*pivot
	loose      []int32 // policies without a pivot, ascending
	warnings   []Warning
}

// A policy is a Policy, compiled: the requirements of all of its rules.
type policy struct {
	level    Level
	never    bool
	requires []requirement
}

// Compile compiles c, which is not kept. A nil c is an error: without a
// configuration use [Off]. The error is [Errors], with every fault, and no
// Resolver comes with it: keep the last one that compiled, because what is left
// of a faulty configuration may show what it was to hide.
func Compile(c *Config) (*Resolver, error) {
	var errs Errors
	if c == nil {
		errs.addf("", "there is no configuration to compile: use Off for a mesh without one")
		return nil, errs
	}
	r := &Resolver{
		valid:      true,
		configured: true,
		capped:     c.ApplyToSidecars,
		level:      compileLevel(c.DefaultVisibility, "defaultVisibility", &errs),
		exportTo:   slices.Clone(c.DefaultExportTo),
		policies:   make([]policy, len(c.Policies)),
	}
	for i := range c.Policies {
		r.policies[i] = compilePolicy(&c.Policies[i], fmt.Sprintf("policies[%d]", i), &errs)
	}
	if c.DefaultExportTo == nil {
		r.exportTo = []string{exportPublic}
	}
	for i, name := range r.exportTo {
		checkExportTo(name, fmt.Sprintf("defaultServiceExportTo[%d]", i), &errs)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	r.hang()
	r.warnings = lint(c, r)
	return r, nil
}

// Off returns the Resolver of a mesh without a configuration: everything is
// Public, exportTo is obeyed and there are no conditions to report.
// defaultExportTo is the mesh's defaultServiceExportTo, which [ParseDefaultExportTo]
// reads; nil means "*", empty and not nil nobody. There is no error: what is no
// name of a namespace, which [Compile] and ParseDefaultExportTo refuse, exports
// to nobody.
func Off(defaultExportTo ...string) *Resolver {
	r := &Resolver{valid: true, level: Public, exportTo: []string{exportPublic}}
	if defaultExportTo != nil {
		var errs Errors
		r.exportTo = slices.DeleteFunc(slices.Clone(defaultExportTo), func(name string) bool {
			faults := len(errs)
			checkExportTo(name, "", &errs)
			return len(errs) > faults
		})
	}
	return r
}

// Configured reports whether r was compiled from a Config.
func (r *Resolver) Configured() bool { return r != nil && r.configured }

func compileLevel(l Level, path string, errs *Errors) Level {
	if int(l) >= len(levelNames) {
		errs.addf(path, "there is no level %d: write %s", uint8(l), oneOf(levelNames[1:]))
	}
	return cmp.Or(l, Public)
}

func compilePolicy(p *Policy, path string, errs *Errors) policy {
	c := policy{level: compileLevel(p.Visibility, path+".visibility", errs)}
	for i, rule := range p.MatchingRules {
		at := fmt.Sprintf("%s.matchingRules[%d].namespaceSelector", path, i)
		s := compileSelector(rule.NamespaceSelector, at, errs)
		c.never = c.never || !s.ok
		c.requires = append(c.requires, s.requires...)
	}
	return c
}

// Resolve returns the visibility of the entries in a namespace with these
// labels, and the index in Config.Policies of the policy that decided, -1 if it
// was the default. nil labels are none, which is also what a namespace has that
// is not known: selectors run all the same, and NotIn and DoesNotExist match.
// Kubernetes Services are Public and are not to be asked about.
//
// It allocates nothing. The cost depends on the number of labels and on the
// policies that mention one of them, not on the number of policies if there are
// more than a few.
func (r *Resolver) Resolve(namespaceLabels map[string]string) (Level, int) {
	if r == nil || !r.valid {
		return None, -1
	}
	m := memo{labels: namespaceLabels}
	best := r.first(r.loose, int32(len(r.policies)), &m)
	if len(r.pivots) <= len(namespaceLabels) {
		for key, at := range r.pivots {
			if value, ok := namespaceLabels[key]; ok {
				best = r.along(at, value, best, &m)
			}
		}
	} else {
		for key, value := range namespaceLabels {
			if at := r.pivots[key]; at != nil {
				best = r.along(at, value, best, &m)
			}
		}
	}
	if int(best) == len(r.policies) {
		return r.level, -1
	}
	return r.policies[best].level, int(best)
}
