// What no header may become on its way back, whatever the upstream wrote.

package rewrite_test

import (
	"fmt"
	"strings"
)

// checkInverse returns what is wrong with a header's value, of which an Inverse
// made got.
func checkInverse(header, value, got string, changed bool) error {
	control := func(c rune) bool { return c < ' ' && (c != '\t' || header != "Set-Cookie") || c == 0x7F }
	switch {
	case strings.ContainsFunc(got, control):
		return fmt.Errorf("%s of %q has a control byte: %q", header, value, got)
	case strings.ContainsFunc(value, control) != (got == "" && changed):
		return fmt.Errorf("%s of %q is %q: what has a control byte is refused, and nothing else", header, value, got)
	case changed == (got == value):
		return fmt.Errorf("%s of %q is %q, and changed is %t", header, value, got, changed)
	case header == "Location" && leadsAway(got) && !leadsAway(value):
		return fmt.Errorf("%s of %q became %q, which names another host", header, value, got)
	case header == "Set-Cookie" && strings.Count(got, ";") != strings.Count(value, ";") && !(got == "" && changed):
		return fmt.Errorf("%s of %q became %q, with other attributes", header, value, got)
	}
	return nil
}

// leadsAway reports whether clients take a reference for one to another host.
func leadsAway(ref string) bool {
	for _, start := range []string{"//", `/\`, `\/`, `\\`} {
		if strings.HasPrefix(ref, start) {
			return true
		}
	}
	return false
}
