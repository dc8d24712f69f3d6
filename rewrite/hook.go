package rewrite

// Hook: when a rule runs.

import "fmt"

// A Hook is a moment in the life of a request at which rules run.
// The zero Hook is AfterLocation, the default of the annotation grammar.
// The numeric values carry no order; Hooks lists the hooks in the order in
// which a request meets them. Rules of a hook for which the caller never calls
// Apply do nothing: Program.Touches tells at load whether there are any.
type Hook int8

const (
	// BeforeLocation runs before a route is chosen, so it can change which
	// route that is.
	BeforeLocation Hook = -1
	// AfterLocation runs once, when the route (the service) is known.
	AfterLocation Hook = 0
	// Forward runs when the instance is known, once per attempt, each time on
	// a fresh copy of the URL as AfterLocation left it.
	Forward Hook = 1
)

const numHooks = 3

var hookNames = [numHooks]string{"BeforeLocation", "AfterLocation", "Forward"}

// Hooks returns the three hooks in the order in which a request meets them.
func Hooks() [3]Hook { return [numHooks]Hook{BeforeLocation, AfterLocation, Forward} }

// index maps a valid hook to 0, 1 or 2 and every other to a value outside.
func (h Hook) index() uint { return uint(h + 1) }

// Valid reports whether h is one of the three hooks.
func (h Hook) Valid() bool { return h.index() < numHooks }

// String returns the Go name of the hook, or Hook(n) for an unknown one.
func (h Hook) String() string {
	if !h.Valid() {
		return fmt.Sprintf("Hook(%d)", int8(h))
	}
	return hookNames[h.index()]
}

// MarshalText implements encoding.TextMarshaler with the Go name.
func (h Hook) MarshalText() ([]byte, error) {
	if !h.Valid() {
		return nil, fmt.Errorf("rewrite: unknown hook %d", int8(h))
	}
	return []byte(h.String()), nil
}

// UnmarshalText implements encoding.TextUnmarshaler. The name is compared as
// it stands, letter case included; on error h is unchanged.
func (h *Hook) UnmarshalText(text []byte) error {
	hook, err := parseHook(string(text))
	if err != nil {
		return fmt.Errorf("rewrite: %w", err)
	}
	*h = hook
	return nil
}

func parseHook(s string) (Hook, error) {
	for _, h := range Hooks() {
		if s == h.String() {
			return h, nil
		}
	}
	return 0, fmt.Errorf("unknown hook %s: write BeforeLocation, AfterLocation or Forward", quote(s))
}
