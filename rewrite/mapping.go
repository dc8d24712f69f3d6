package rewrite

// Explicit mappings of the way back, as data.

import (
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
// error k is as it was.
func (k *MappingKind) UnmarshalText(text []byte) error {
	for i, name := range mappingKindNames {
		if string(text) == name {
			*k = MappingKind(i)
			return nil
		}
	}
	return fmt.Errorf("rewrite: unknown kind of mapping %s: write Location, CookiePath or CookieDomain", quote(string(text)))
}

// A Mapping takes one part of a response back to the client's world, where no
// inverse can be derived or another one is wanted: a value that matches From
// gets To in its place. It is plain data, compared with ==; CompileMappings
// judges it. Of the mappings of one kind the first that matches decides.
//
// From is text, compared as the kind has it, or, if it begins with "~", or with
// "~*" for any letter case, a regular expression (RE2), for which To replaces
// the whole value, with $1 to $9 and ${n} for what the groups matched and $$
// for a dollar sign.
//
//   - MapLocation: From is "http://host[:port][/path]", "//host[:port][/path]"
//     or "/path", and To may be any of these too. The scheme and the authority
//     are compared as parsed, the path by segment; what follows From stays.
//   - MapCookiePath: From and To are paths; compared by segment.
//   - MapCookieDomain: From and To are hosts without a port. From is compared
//     whole, without letter case and one leading dot.
type Mapping struct {
	Kind MappingKind
	From string
	To   string
}
