package hostname

// AllowList: the hosts that a request may choose by itself.

import (
	"strconv"
	"strings"
)

// An AllowList is a set of hosts. It is immutable and safe for concurrent use;
// a nil *AllowList contains nothing.
type AllowList struct {
	// keys holds "name" and "name:port" for exact entries, ".suffix" and
	// ".suffix:port" for wildcards: no name begins with a dot.
	keys map[string]struct{}
	few  []string // the exact entries, if comparing them beats hashing
}

// fewEntries is how many exact entries are compared one by one.
const fewEntries = 8

// An EntryError is the fault of one entry given to NewAllowList.
type EntryError struct {
	Index int
	Err   *Error
}

// Error returns one line that names the entry.
func (e *EntryError) Error() string {
	return "entry " + strconv.Itoa(e.Index) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *EntryError) Unwrap() error { return e.Err }

// NewAllowList returns the set of the given entries and the faults of those
// that it leaves out, in order. An entry is a configured host as Parse reads
// it, or "*." and one, which stands for every name below it, however deep, and
// not for itself. With a port it stands for that port only, without one for
// any port and none.
func NewAllowList(entries []string) (*AllowList, []*EntryError) {
	l := &AllowList{keys: make(map[string]struct{}, len(entries))}
	var faults []*EntryError
	for i, entry := range entries {
		key, err := allowKey(entry)
		if err != nil {
			faults = append(faults, &EntryError{i, err})
			continue
		}
		l.keys[key] = struct{}{}
		if key[0] != '.' {
			l.few = append(l.few, key)
		}
	}
	if len(l.few) > fewEntries {
		l.few = nil
	}
	return l, faults
}

func allowKey(entry string) (string, *Error) {
	host, wildcard := strings.CutPrefix(entry, "*.")
	prefix := ""
	if wildcard {
		prefix = "."
	}
	name, port, err := parse(host, true)
	switch {
	case err != nil && strings.Contains(host, "*"):
		return "", &Error{len(entry) - len(host) + strings.IndexByte(host, '*'), `a wildcard is "*." and a name: write that, or one full name`}
	case err != nil:
		return "", err.At(len(entry) - len(host))
	case wildcard && IsIP(name):
		return "", &Error{0, "no name is below an IP address: write the name of a host"}
	case port != "":
		port = ":" + port
	}
	return prefix + name + port, nil
}

// Contains reports whether hostport, of a request, passes Check and is in the
// set: compared in ASCII lower case, without one final dot. It does not
// allocate, and its cost does not depend on the number of entries.
func (l *AllowList) Contains(hostport string) bool {
	if l == nil {
		return false
	}
	for _, host := range l.few { // spelt as in the list, which is the usual case
		if host == hostport {
			return true
		}
	}
	if !Check(hostport) {
		return false
	}
	name, port := Split(hostport)
	name = strings.TrimSuffix(name, ".")
	var buf [maxName + 1 + maxPort]byte
	key := append(buf[:0], name...)
	for i, c := range key {
		if 'A' <= c && c <= 'Z' {
			key[i] = c | 0x20
		}
	}
	if port != "" {
		key = append(append(key, ':'), port...)
	}
	if l.has(key, len(name)) {
		return true
	}
	for i := range len(name) {
		if key[i] == '.' && l.has(key[i:], len(name)-i) {
			return true
		}
	}
	return false
}

// has reports whether key is in the set, or its first n bytes, which are what
// precedes the port.
func (l *AllowList) has(key []byte, n int) bool {
	if _, ok := l.keys[string(key[:n])]; ok {
		return true
	}
	if n == len(key) {
		return false
	}
	_, ok := l.keys[string(key)]
	return ok
}
