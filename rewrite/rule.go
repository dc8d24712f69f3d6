package rewrite

// Rule and Options: what Compile is given.

import "strconv"

// A Rule runs one action at one hook. The zero Action is a compile error, so
// the zero Rule is too.
type Rule struct {
	Hook   Hook
	Order  int // lower first within the hook; ties keep slice order
	Action Action
	Origin Origin // echoed in errors and steps, otherwise ignored
}

// An Origin says where a rule came from, for messages. The zero Origin means
// that this is not known.
type Origin struct {
	Key    string // of the annotation, field or file
	Index  int    // of the item in a list under Key
	Offset int    // byte offset into the value under Key
}

// String returns key[index]@offset, or "" for the zero Origin.
func (o Origin) String() string {
	if o == (Origin{}) {
		return ""
	}
	return o.Key + "[" + strconv.Itoa(o.Index) + "]@" + strconv.Itoa(o.Offset)
}

// Options are the limits of a Program. A nil *Options and the zero Options
// are the safe defaults.
type Options struct {
	// AllowedHosts are the hosts that HostFromPathPrefix may set: an exact
	// name, or "*.suffix" for every name below suffix, however deep, and not
	// for suffix itself. The port of the request's segment is ignored, unless
	// the entry has one: then it must be that one. An entry that is no such
	// host, or an IP address, does not compile.
	AllowedHosts []string
	// AllowAnyHost lets HostFromPathPrefix set any name (never an IP literal),
	// whatever AllowedHosts are. It makes an open proxy of a listener that
	// strangers can reach.
	AllowAnyHost bool
	// Regexp bounds RewritePath and ReplacePathRegex.
	Regexp RegexpLimits
	// MaxLength is the number of bytes that a changed path or a changed query
	// may have. What a regular expression or a template's query makes on the
	// way may have that or 2 MiB, if that is more. 0 or less: 2 MiB.
	MaxLength int
}

// RegexpLimits bound the cost of regular expressions, which package regexp
// runs in time proportional to instructions × bytes. A field of 0 or less is
// its default.
type RegexpLimits struct {
	PatternBytes int // length of a pattern; 0: 512
	Instructions int // of the compiled pattern; 0: 200
	Budget       int // instructions × (bytes of path + 1) × searches; 0: 262,144
}

const defaultMaxLength = 2 << 20
