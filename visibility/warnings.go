package visibility

// What a configuration that compiles may not have been meant to say.

import "fmt"

// A WarningCode says what a Warning is about. Codes are stable.
type WarningCode string

const (
	DeadPolicy              WarningCode = "dead-policy"               // it stands behind one that matches everything
	RuleWithoutMatcher      WarningCode = "rule-without-matcher"      // it never matches, and neither does its policy
	PolicyWithoutVisibility WarningCode = "policy-without-visibility" // which means PUBLIC
	NegativeOnlyGrant       WarningCode = "negative-only-grant"       // it shows more to namespaces because they lack a label
	PolicyEqualsDefault     WarningCode = "policy-equals-default"     // it changes nothing: what comes after it decides the same
	NoneReachesSidecars     WarningCode = "none-reaches-sidecars"     // NONE without applyToSidecars
	UnknownField            WarningCode = "unknown-field"             // dropped by ParseConfigLenient
	WrittenTwice            WarningCode = "written-twice"             // a field or label, of which ParseConfigLenient takes one
	NullValue               WarningCode = "null-value"                // read as empty by ParseConfigLenient
	LevelIsNumber           WarningCode = "level-is-number"           // read by ParseConfigLenient
	UnknownLevel            WarningCode = "unknown-level"             // a number, read as Public by ParseConfigLenient
)

// A Warning is something in a configuration that is legal and surprising.
type Warning struct {
	Code   WarningCode
	Path   string // as in Error
	Detail string // what happens and what to write instead
}

// String returns one line.
func (w Warning) String() string {
	return fmt.Sprintf("%s: %s (%s)", w.Path, w.Detail, w.Code)
}

// Warnings returns what is surprising in the Config of r, in its order. The
// slice must not be changed.
func (r *Resolver) Warnings() []Warning {
	if r == nil {
		return nil
	}
	return r.warnings
}

// lint returns the warnings of c, of which r was compiled.
func lint(c *Config, r *Resolver) []Warning {
	var list []Warning
	warn := func(code WarningCode, path, format string, args ...any) {
		list = append(list, Warning{code, path, fmt.Sprintf(format, args...)})
	}
	end, level := r.end()
	none := "" // where NONE is decided: by default, or else by the first policy
	if r.level == None && end < 0 {
		none = "defaultVisibility"
	}
	redundant := r.redundant(level)
	for i := range c.Policies {
		path := fmt.Sprintf("policies[%d]", i)
		p := &r.policies[i]
		dead := end >= 0 && i > end
		if dead {
			warn(DeadPolicy, path, "the policy never decides, because policies[%d] matches everything: put it before that one", end)
		}
		if c.Policies[i].Visibility == Unspecified {
			warn(PolicyWithoutVisibility, path, "the policy has no visibility, which means PUBLIC: write which it is")
		}
		for j, rule := range c.Policies[i].MatchingRules {
			if rule.NamespaceSelector == nil {
				warn(RuleWithoutMatcher, fmt.Sprintf("%s.matchingRules[%d]", path, j),
					"the rule has no matcher, so its policy never decides: write a namespaceSelector, {} for every namespace")
			}
		}
		if dead || p.never {
			continue
		}
		if none == "" && p.level == None {
			none = path + ".visibility"
		}
		if p.level > level && p.negativeOnly() {
			warn(NegativeOnlyGrant, path,
				"the policy makes entries %v because a label is missing or different, also in namespaces that are not known yet: require a label that is there", p.level)
		}
		switch {
		case i == end && p.level == r.level && i < len(r.policies)-1:
			warn(PolicyEqualsDefault, path, "the policy gives what the default gives: remove it with all that is behind it, which never decides")
		case i == end && p.level == r.level:
			warn(PolicyEqualsDefault, path, "the policy gives what the default gives: remove it")
		case i == end:
		case i >= redundant && end >= 0:
			warn(PolicyEqualsDefault, path, "the policy gives what policies[%d] gives, which matches everything: remove it", end)
		case i >= redundant:
			warn(PolicyEqualsDefault, path, "the policy gives what the default gives: remove it")
		}
	}
	if none != "" && !r.capped {
		warn(NoneReachesSidecars, none,
			"sidecars and gateways obey exportTo alone and show these entries: write applyToSidecars: true to hide them there too")
	}
	return list
}

// end returns the first policy that matches everything and its level, which is
// then the default of those before it; -1 and the default if there is none.
func (r *Resolver) end() (int, Level) {
	for i := range r.policies {
		if p := &r.policies[i]; !p.never && len(p.requires) == 0 {
			return i, p.level
		}
	}
	return -1, r.level
}

// redundant returns the index from which on no policy that can decide has
// another level than the given one, that of the default. One that equals it is
// of use before one that does not.
func (r *Resolver) redundant(level Level) int {
	last := 0
	for i := range r.policies {
		p := &r.policies[i]
		if p.never {
			continue
		}
		if p.level != level {
			last = i + 1
		}
		if len(p.requires) == 0 {
			break
		}
	}
	return last
}

// negativeOnly reports whether p asks for labels, and only that they be missing
// or different.
func (p *policy) negativeOnly() bool {
	for i := range p.requires {
		if !p.requires[i].negative() {
			return false
		}
	}
	return len(p.requires) > 0
}
