package visibility

// What a visibility is.

import "fmt"

// A Level is how far a service is visible. Its numbers and its text are those
// of the enum in Istio's mesh configuration. The zero Level is visible to
// nobody.
type Level uint8

const (
	Unspecified Level = iota // nothing was written: in a Config it means Public, as in Istio
	None                     // visible to nobody
	Namespace                // visible in the namespace of its owner
	Public                   // visible to every client of the mesh
)

var levelNames = [...]string{"VISIBILITY_UNSPECIFIED", "NONE", "NAMESPACE", "PUBLIC"}

// String returns the text form, such as NAMESPACE.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// MarshalText returns the text form. A number that is no Level is an error.
func (l Level) MarshalText() ([]byte, error) {
	if int(l) >= len(levelNames) {
		return nil, fmt.Errorf("visibility: there is no level %d", uint8(l))
	}
	return []byte(l.String()), nil
}

// UnmarshalText reads the text form, which is in upper case. Any other text is an
// error, and leaves l as it is.
func (l *Level) UnmarshalText(text []byte) error {
	for i, name := range levelNames {
		if name == string(text) {
			*l = Level(i)
			return nil
		}
	}
	return fmt.Errorf("visibility: %w", unknownName(string(text), levelNames[1:]))
}

// Reason returns the word for l in the conditions of an object: Public,
// Namespace or None; "" for every other l.
func (l Level) Reason() string {
	switch l {
	case None:
		return "None"
	case Namespace:
		return "Namespace"
	case Public:
		return "Public"
	}
	return ""
}

// VisibleTo reports whether a client in the namespace client may see a service
// of this level in the namespace owner. An unknown client, "", may see what is
// Public and nothing else; an Index can be stricter, see [IndexOptions].
func (l Level) VisibleTo(owner, client string) bool {
	return l == Public || l == Namespace && client != "" && client == owner
}
