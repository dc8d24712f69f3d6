package visibility

// The syntax of label keys and values, as Kubernetes has it.

import (
	"errors"
	"strings"
)

const (
	maxLabelName   = 63  // bytes of a label's name, of its value and of a DNS label
	maxLabelPrefix = 253 // bytes of the prefix of a label's key
)

// checkLabelKey says what is wrong with [prefix/]name as the key of a label.
func checkLabelKey(key string) error {
	name := key
	if prefix, rest, ok := strings.Cut(key, "/"); ok {
		switch {
		case strings.Contains(rest, "/"):
			return errors.New("a label key has one '/' at most: write prefix/name")
		case len(prefix) > maxLabelPrefix:
			return errors.New("the prefix of a label key has at most 253 bytes: write a shorter one")
		case !isSubdomain(prefix):
			return errors.New("the prefix of a label key is a DNS name in lower case: write one like example.com before the '/'")
		}
		name = rest
	}
	switch {
	case name == "":
		return errors.New("a label key needs a name: write name or prefix/name")
	case len(name) > maxLabelName:
		return errors.New("the name of a label key has at most 63 bytes: write a shorter one")
	case !isLabelText(name):
		return errors.New("the name of a label key has letters, digits, '-', '_' and '.', and begins and ends with a letter or digit")
	}
	return nil
}

// checkLabelValue says what is wrong with the value of a label.
func checkLabelValue(value string) error {
	switch {
	case len(value) > maxLabelName:
		return errors.New("a label value has at most 63 bytes: write a shorter one")
	case value != "" && !isLabelText(value):
		return errors.New("a label value is empty or has letters, digits, '-', '_' and '.', and begins and ends with a letter or digit")
	}
	return nil
}

// isLabelText reports whether s is not empty, has only ASCII letters, digits
// and "-_.", and has a letter or digit at both ends.
func isLabelText(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case isAlnum(c):
		case c != '-' && c != '_' && c != '.', i == 0, i == len(s)-1:
			return false
		}
	}
	return s != ""
}

// isSubdomain reports whether s is a DNS-1123 subdomain, whose labels
// Kubernetes does not hold to 63 bytes.
func isSubdomain(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if !isDNSLabel(label) || label != strings.ToLower(label) {
			return false
		}
	}
	return true
}

// isDNSLabel reports whether s is a DNS-1123 label of any length, in either
// case.
func isDNSLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && (c != '-' || i == 0 || i == len(s)-1) {
			return false
		}
	}
	return s != ""
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
