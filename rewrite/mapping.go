package rewrite

// Explicit mappings of the way back, as data and as JSON.

import (
	"errors"
	"fmt"
	"strconv"
)

// A MappingKind is the part of a response that a Mapping is about. The zero
// MappingKind is MapLocation.
type MappingKind int8

const (
	// MapLocation is the URL of Location, Content-Location and Refresh, as
	// nginx's proxy_redirect has it.
	MapLocation MappingKind = iota
	// MapCookiePath is the Path attribute of Set-Cookie, as nginx's
	// proxy_cookie_path has it.
	MapCookiePath
	// MapCookieDomain is the Domain attribute of Set-Cookie, as nginx's
	// proxy_cookie_domain has it.
	MapCookieDomain
)

var mappingKindNames = [...]string{"Location", "CookiePath", "CookieDomain"}

// String returns the kind's name, "Location", "CookiePath" or "CookieDomain".
func (k MappingKind) String() string {
	if k < 0 || int(k) >= len(mappingKindNames) {
		return "MappingKind(" + strconv.Itoa(int(k)) + ")"
	}
	return mappingKindNames[k]
}

// MarshalText returns the kind's name. A kind that has none is an error.
func (k MappingKind) MarshalText() ([]byte, error) {
	if k < 0 || int(k) >= len(mappingKindNames) {
		return nil, fmt.Errorf("rewrite: %v is no kind of mapping", k)
	}
	return []byte(mappingKindNames[k]), nil
}

// UnmarshalText reads what MarshalText returns, in the same letter case. On
// error k is unchanged.
func (k *MappingKind) UnmarshalText(text []byte) error {
	kind, err := parseMappingKind(string(text))
	if err != nil {
		return fmt.Errorf("rewrite: %w", err)
	}
	*k = kind
	return nil
}

func parseMappingKind(s string) (MappingKind, error) {
	for i, name := range mappingKindNames {
		if s == name {
			return MappingKind(i), nil
		}
	}
	return 0, fmt.Errorf("unknown kind of mapping %s: write Location, CookiePath or CookieDomain", quote(s))
}

// A Mapping takes one part of a response back to the client's world, where no
// inverse can be derived or another one is wanted: a value that matches From
// gets To in its place. It is plain data, compared with ==; CompileMappings
// judges it. Of the mappings of one kind the first that matches decides.
//
//   - MapLocation: From and To are each "http://host[:port][/path]", with http
//     or https, or "/path". Scheme and authority are compared as parsed, default
//     ports equal to none; a From that is a path matches paths only.
//   - MapCookiePath: From and To are paths, To without a comma: some clients
//     take the next cookie to begin there.
//   - MapCookieDomain: From and To are hosts without a port, compared whole and
//     without letter case and one leading dot.
//
// Paths are compared by segment, octet by octet; what follows From stays, behind
// one slash. Where From ends in a slash, the slash must be there, and To stands
// as it is written if nothing follows: "/" to "/app/" makes "/app/" of "/", and
// "/app/x" of "/x". Dot-segments that lead out of From do not match.
//
// A From that begins with "~", or with "~*" for any letter case, is a regular
// expression (RE2) that may match anywhere in the value; that of a
// MapCookieDomain is always for any letter case. To then replaces the whole
// value, with $1 to $9 and ${n} for what the groups matched and $$ for a dollar
// sign. A result that is empty or begins with a space or a backslash, no
// path for a MapCookiePath, or no host for a MapCookieDomain, counts as no match;
// a To that begins so, or without a capture is no host, is an error.
type Mapping struct {
	Kind MappingKind
	From string
	To   string
}

// MarshalJSON implements json.Marshaler: {"kind": "Location", "from": "/",
// "to": "/app/"}. An unknown kind and text that is not UTF-8 are errors.
func (m Mapping) MarshalJSON() ([]byte, error) {
	kind, err := m.Kind.MarshalText()
	if err != nil {
		return nil, err
	}
	for _, text := range []string{m.From, m.To} {
		if i := notUTF8(text); i >= 0 {
			return nil, fmt.Errorf("rewrite: mapping %s: not UTF-8 at offset %d", quote(text), i)
		}
	}
	b := append([]byte(`{"kind":"`), kind...)
	b = appendJSONString(append(b, `","from":`...), m.From)
	b = appendJSONString(append(b, `,"to":`...), m.To)
	return append(b, '}'), nil
}

// UnmarshalJSON implements json.Unmarshaler. An absent kind is Location.
// Unknown and duplicate fields, and a missing from or to, are errors that name
// the byte offset within data. It checks the form; CompileMappings checks the
// meaning. On error m is unchanged.
func (m *Mapping) UnmarshalJSON(data []byte) error {
	d, err := newJSONReader(data)
	if err != nil {
		return err
	}
	var out Mapping
	seen := map[string]bool{}
	err = d.object(func(key string) error {
		if seen[key] {
			return fmt.Errorf("duplicate field %s", quote(key))
		}
		seen[key] = true
		switch key {
		case "kind":
			name, err := d.string()
			if err != nil {
				return err
			}
			out.Kind, err = parseMappingKind(name)
			return err
		case "from":
			out.From, err = d.string()
			return err
		case "to":
			out.To, err = d.string()
			return err
		}
		return fmt.Errorf("unknown field %s: the fields are kind, from and to", quote(key))
	})
	for _, field := range []string{"from", "to"} {
		if err == nil && !seen[field] {
			err = errors.New("no field " + field)
		}
	}
	if err = d.finish(err); err != nil {
		return err
	}
	*m = out
	return nil
}
