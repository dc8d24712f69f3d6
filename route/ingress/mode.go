package ingress

// Mode: whose rules hold where a controller and Kubernetes disagree.

import "fmt"

// A Mode says whose rules a dialect follows where its controller and Kubernetes
// disagree. The zero Mode is Strict, and so is one that is neither. Each dialect
// says what the two are to it.
type Mode int8

const (
	// Strict takes each Ingress for itself, by Kubernetes' rules.
	Strict Mode = iota
	// Compat does what the controller does, also where a warning says that this
	// is seldom what was meant.
	Compat
)

// String returns the mode in lower case, or Mode(n) for one that is neither.
func (m Mode) String() string {
	switch m {
	case Strict:
		return "strict"
	case Compat:
		return "compat"
	}
	return fmt.Sprintf("Mode(%d)", int8(m))
}
