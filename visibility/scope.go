package visibility

// To which namespaces an entry is exported: exportTo, capped by the visibility.

import (
	"fmt"
	"slices"
	"strings"
)

// The values of exportTo that are no names of namespaces.
const (
	exportPublic = "*"
	exportOwn    = "."
	exportNobody = "~"
)

// A Scope is a set of client namespaces. The zero Scope is nobody. Scopes are
// immutable and safe for concurrent use.
type Scope struct {
	everyone bool
	names    []string // sorted, without duplicates and without ""
}

// Allows reports whether clients in the namespace are in the scope. A client
// whose namespace is unknown, "", is in that of everyone alone.
func (s Scope) Allows(client string) bool {
	if s.everyone {
		return true
	}
	_, ok := slices.BinarySearch(s.names, client)
	return ok
}

// Everyone reports whether the scope is every namespace.
func (s Scope) Everyone() bool { return s.everyone }

// Namespaces returns the namespaces of a scope that is not everyone, sorted;
// none if it is nobody. The slice must not be changed.
func (s Scope) Namespaces() []string { return s.names }

// nobody reports whether no client is in the scope.
func (s Scope) nobody() bool { return !s.everyone && len(s.names) == 0 }

// Equal reports whether both scopes are the same set.
func (s Scope) Equal(t Scope) bool {
	return s.everyone == t.everyone && slices.Equal(s.names, t.names)
}

// String returns the scope as an exportTo: "*", "~" or names.
func (s Scope) String() string {
	switch {
	case s.everyone:
		return exportPublic
	case len(s.names) == 0:
		return exportNobody
	}
	return strings.Join(s.names, ",")
}

// only returns the scope of one namespace.
func only(namespace string) Scope {
	if namespace == "" {
		return Scope{}
	}
	return Scope{names: []string{namespace}}
}

// Scope returns which clients an entry in the namespace owner is exported to,
// as Envoy proxies see it. Without exportTo it is the mesh's default. In it "*"
// is everyone, "." the owner, a name that namespace and not the owner, and "~"
// nobody, which is ignored beside others.
//
// With ApplyToSidecars the result is the intersection of that and of what the
// visibility l shows, and so never wider than either: an entry of visibility
// Namespace that is exported to another namespace only is visible to nobody.
// Without it l is ignored, None too. The Scope of a nil or zero Resolver is
// nobody.
func (r *Resolver) Scope(l Level, owner string, exportTo []string) Scope {
	if r == nil || !r.valid {
		return Scope{}
	}
	if len(exportTo) == 0 {
		exportTo = r.exportTo
	}
	declared := declaredScope(owner, exportTo)
	if !r.capped || l == Public {
		return declared
	}
	if l == Namespace && declared.Allows(owner) {
		return only(owner)
	}
	return Scope{}
}

func declaredScope(owner string, exportTo []string) Scope {
	if slices.Contains(exportTo, exportPublic) {
		return Scope{everyone: true}
	}
	names := make([]string, 0, len(exportTo))
	for _, name := range exportTo {
		switch name {
		case exportNobody:
		case exportOwn:
			names = append(names, owner)
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > 0 && names[0] == "" { // no client is in a namespace without a name
		names = names[1:]
	}
	return Scope{names: names}
}

// ValidateExportTo returns what Istio's admission webhook would refuse in the
// exportTo of an entry in the namespace owner: a namespace written twice, of
// which "." counts as the owner, "*" or "~" beside others, and what is no name
// of a namespace. The error is [Errors], with every fault; the empty list has
// none. Lists that are not valid still have a [Resolver.Scope].
func ValidateExportTo(owner string, exportTo []string) error {
	var errs Errors
	validateExportTo(owner, exportTo, "exportTo", &errs)
	return errs.err()
}

func validateExportTo(owner string, exportTo []string, path string, errs *Errors) {
	seen := make(map[string]bool, len(exportTo))
	for i, name := range exportTo {
		at := fmt.Sprintf("%s[%d]", path, i)
		key := name
		if name == exportOwn {
			key = owner
		}
		switch {
		case seen[key] && key == owner:
			errs.addf(at, `the own namespace is written twice: write "." once`)
		case seen[key]:
			errs.addf(at, "%s is written twice: remove one", quote(name))
		default:
			checkExportTo(name, at, errs)
		}
		seen[key] = true
	}
	if len(exportTo) < 2 {
		return
	}
	if seen[exportPublic] {
		errs.addf(path, `"*" is everybody: write it alone`)
	}
	if seen[exportNobody] {
		errs.addf(path, `"~" is nobody: write it alone`)
	}
}

// checkExportTo judges one value of an exportTo.
func checkExportTo(name, path string, errs *Errors) {
	switch {
	case name == exportPublic, name == exportOwn, name == exportNobody:
	case len(name) > maxLabelName || !isDNSLabel(name):
		errs.addf(path, `%s is no name of a namespace: write one, or "*", "." or "~"`, quote(name))
	}
}
