package rewrite

// The way back for Set-Cookie.

import (
	"strings"

	"github.com/readdress/readdress/internal/hostname"
)

// SetCookie returns the client's form of a Set-Cookie. Only the values of the
// Path and the Domain attribute change, every other byte stays. Of several the
// last counts, as RFC 6265 section 5.3 has it, and the others stay; an empty
// Domain is ignored.
//
//   - A Path that is the prefix that the rewrite put, or below it by segment,
//     gets the prefix that was cut; "/" becomes the prefix without a final
//     slash, so that a cookie for all of the upstream is one for all that the
//     client sees of it, and nothing else. So does a Path above the prefix that
//     was put. A value that does not begin with a slash, quotes among it, means
//     the directory of the client's URL, and stays.
//   - A Domain that is the name of the upstream, or of an alias, without port,
//     letter case and one leading dot, becomes the client's host without port.
//     Parents of these names stay, and clients refuse them.
//
// A cookie whose name begins with "__Host-" stays as it is: clients take it with
// Path=/ and without a Domain only. A path prefix with a semicolon cannot be
// said in a cookie, so the Path stays. Tabs are no control bytes here.
func (v Inverse) SetCookie(value string) (string, bool) {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7F {
			return "", true
		}
	}
	const hostOnly = "__host-"
	name := strings.TrimLeft(value, " \t")
	if len(name) >= len(hostOnly) && equalFold(name[:len(hostOnly)], hostOnly) {
		return value, false
	}
	path, domain := cookieAttributes(value)
	var edits [2]edit
	n := 0
	if to, ok := v.cookiePath(path.of(value)); ok {
		edits[n] = edit{path, to}
		n++
	}
	if to, ok := v.cookieDomain(domain.of(value)); ok {
		edits[n] = edit{domain, pair{to}}
		n++
	}
	if n == 0 {
		return value, false
	}
	if n == 2 && domain.from < path.from {
		edits[0], edits[1] = edits[1], edits[0]
	}
	size := len(value)
	for _, e := range edits[:n] {
		size += len(e.to[0]) + len(e.to[1]) - (e.end - e.from)
	}
	var w writer
	w.begin(nil, size)
	at := 0
	for _, e := range edits[:n] {
		w.write(value[at:e.from])
		w.write(e.to[0])
		w.write(e.to[1])
		at = e.end
	}
	w.write(value[at:])
	return w.end(), true
}

// An extent is a part of a text.
type extent struct{ from, end int }

func (s extent) of(text string) string { return text[s.from:s.end] }

// An edit puts the text of two pieces in the place of an extent.
type edit struct {
	extent
	to pair
}

// A pair is a text in two pieces.
type pair [2]string

func (p pair) equal(s string) bool {
	return len(s) == len(p[0])+len(p[1]) && s[:len(p[0])] == p[0] && s[len(p[0]):] == p[1]
}

// cookieAttributes returns where the values of the last Path and of the last
// Domain that has one are in a Set-Cookie, as RFC 6265 section 5.2 splits it:
// without white space around them, quotes being no delimiters. Empty extents:
// there is none.
func cookieAttributes(value string) (path, domain extent) {
	at := strings.IndexByte(value, ';')
	for at >= 0 {
		from := at + 1
		end := len(value)
		if at = strings.IndexByte(value[from:], ';'); at >= 0 {
			at += from
			end = at
		}
		eq := strings.IndexByte(value[from:end], '=')
		if eq < 0 {
			eq = end - from
		}
		name := strings.Trim(value[from:from+eq], " \t")
		isPath := equalFold(name, "path")
		if !isPath && !equalFold(name, "domain") {
			continue
		}
		s := extent{min(from+eq+1, end), end}
		for s.from < s.end && isBlank(value[s.from]) {
			s.from++
		}
		for s.from < s.end && isBlank(value[s.end-1]) {
			s.end--
		}
		if isPath {
			path = s
		} else if s.from < s.end { // an empty Domain is none
			domain = s
		}
	}
	return path, domain
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// cookiePath returns what a cookie's Path becomes, in two pieces. ok is false
// if it stays.
func (v *Inverse) cookiePath(path string) (to pair, ok bool) {
	if path == "" || path[0] != '/' {
		return to, false
	}
	if v.mappings != nil {
		if to, ok = v.mappings.cookiePath(path); ok {
			return to, !to.equal(path)
		}
	}
	// More than one slash at the end is in the client's spelling and in no
	// other, for which the cookie is too.
	from, prefix := v.upstream.prefix, strings.TrimRight(v.client.prefix, "/")
	if !v.spliced || from == prefix || strings.IndexByte(prefix, ';') >= 0 {
		return to, false
	}
	to[0], to[1], ok = movePath(path, from, prefix)
	if !ok {
		above := strings.TrimSuffix(path, "/")
		if _, ok = cutSegments(from, above); !ok {
			return to, false
		}
		to[0], to[1] = prefix, ""
	}
	if to[0] == "" && to[1] == "" {
		to[1] = "/"
	} else if from == "" && to[1] == "/" {
		to[1] = ""
	}
	return to, !to.equal(path)
}

// cookieDomain returns what a cookie's Domain becomes. ok is false if it stays.
func (v *Inverse) cookieDomain(domain string) (to string, ok bool) {
	if domain == "" {
		return "", false
	}
	if v.mappings != nil {
		if to, ok = v.mappings.cookieDomain(domain); ok {
			return to, to != domain
		}
	}
	domain = strings.TrimPrefix(domain, ".")
	client, _ := hostname.Split(v.client.host)
	client = strings.TrimSuffix(client, ".") // with which clients refuse a Domain
	if sameName(domain, client) || !hostname.Check(v.client.host) {
		return "", false
	}
	name, _ := hostname.Split(v.upstream.host)
	if sameName(domain, name) {
		return client, true
	}
	for _, alias := range v.aliases {
		if name, _ := hostname.Split(alias); sameName(domain, name) {
			return client, true
		}
	}
	return "", false
}
