package engine

// Options: what manifests cannot say.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// Options say what manifests cannot. The zero Options are the defaults.
type Options struct {
	Compat  bool              // dialects do what their controllers do, also where a warning says that it is seldom meant
	Classes map[string]string // names of ingress classes, in lower case, and the dialects that they are
	Hosts   []string          // where rules may take the host to, and redirects may lead
	Handled []string          // annotations, fields and kinds that the proxy obeys itself
}

// ParseMode reports whether a mode is compat. An empty one is strict.
func ParseMode(mode string) (compat bool, err error) {
	switch mode {
	case "strict", "":
		return false, nil
	case "compat":
		return true, nil
	}
	return false, fmt.Errorf("mode %.64q is unknown: write strict or compat", mode)
}

// SetClasses sets Classes from names in any letter case. The error is about the
// first name, in their order, that cannot be used.
func (o *Options) SetClasses(classes map[string]string) error {
	o.Classes = make(map[string]string, len(classes))
	dialects := Dialects()
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		dialect, lower := classes[name], strings.ToLower(name)
		if !slices.Contains(dialects, dialect) {
			return &ClassError{name, fmt.Sprintf("class %.64q: %.64q is no dialect: write one of %s", name, dialect, strings.Join(dialects, ", "))}
		}
		if other, ok := o.Classes[lower]; ok && other != dialect {
			return &ClassError{name, fmt.Sprintf("class %.64q is both %s and %s: letter case does not matter, remove one", name, other, dialect)}
		}
		o.Classes[lower] = dialect
	}
	return nil
}

// CheckAllowed reports whether a host can be one of Hosts.
func CheckAllowed(host string) error {
	_, err := rewrite.Compile(nil, &rewrite.Options{AllowedHosts: []string{host}})
	if faults, ok := errors.AsType[rewrite.RuleErrors](err); ok {
		return fmt.Errorf("%w: write a name, or *.suffix", faults[0].Err)
	}
	return err
}

// A ClassError says what is wrong with an ingress class that is mapped to a
// dialect.
type ClassError struct{ Name, Detail string }

func (e *ClassError) Error() string { return e.Detail }
