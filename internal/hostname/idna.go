package hostname

// How a configured name becomes ASCII, and what package idna must not be
// trusted with.

import (
	"iter"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

var profile = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.CheckHyphens(false), // r3---sn-x.example is a real name
	idna.VerifyDNSLength(true),
	idna.Transitional(false),
)

const aPrefix = "xn--"

// mapName maps a name without its final dot to lower-case ASCII.
func mapName(name string) (string, *Error) {
	for start, label := range labels(name) {
		if isASCII(label) {
			if e := checkLabel(label); e != nil {
				return "", e.At(start)
			}
		} else if mapsToFalseALabel(label) {
			return "", &Error{start, "a label that begins with \"xn--\" must be ASCII"}
		}
	}
	mapped, err := profile.ToASCII(name)
	if err != nil {
		return "", &Error{faultyLabel(name), "not a valid international name: " + err.Error()}
	}
	// Package idna looks at directions before it maps: what it makes of
	// "k\u2136" it refuses when asked.
	if again, err := profile.ToASCII(mapped); err != nil || again != mapped {
		return "", &Error{0, "not a valid international name: it becomes \"" + mapped + "\", which is not one"}
	}
	// The mapping can make a number, an IPv4 address or, with other tables, an
	// empty label.
	if e := checkName(mapped); e != nil {
		return "", &Error{0, "the name becomes \"" + mapped + "\": " + e.Reason}
	}
	return mapped, nil
}

// mapsToFalseALabel reports whether label, as mapped, begins with "xn--" and is
// not ASCII. UTS #46 refuses that; package idna decodes it
// (golang.org/issue/81116). The "x" in front keeps it from doing so here: what
// comes back is the label as mapped.
func mapsToFalseALabel(label string) bool {
	mapped, _ := profile.ToUnicode("x" + label)
	return strings.HasPrefix(mapped, "x"+aPrefix) && !isASCII(mapped)
}

// faultyLabel returns the offset of the first label of name that fails by
// itself, or 0 if none does: the Bidi rule looks at all labels together.
func faultyLabel(name string) int {
	for start, label := range labels(name) {
		if _, err := profile.ToASCII(label); err != nil {
			return start
		}
	}
	return 0
}

// hasALabel reports whether a label of name, in lower case, begins with "xn--".
func hasALabel(name string) bool {
	return strings.HasPrefix(name, aPrefix) || strings.Contains(name, "."+aPrefix)
}

// labels yields the labels of name with their offsets.
func labels(name string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		start := 0
		for i, r := range name {
			if isDot(r) {
				if !yield(start, name[start:i]) {
					return
				}
				start = i + utf8.RuneLen(r)
			}
		}
		yield(start, name[start:])
	}
}

// isDot reports whether r separates labels: UTS #46 section 2.3.
func isDot(r rune) bool {
	return r == '.' || r == '\u3002' || r == '\uff0e' || r == '\uff61'
}

// trimDot removes one final dot, in any of its four spellings: package idna
// refuses it or not by the Unicode version of its tables.
func trimDot(name string) string {
	if r, n := utf8.DecodeLastRuneInString(name); isDot(r) {
		return name[:len(name)-n]
	}
	return name
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
