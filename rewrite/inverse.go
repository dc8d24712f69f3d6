package rewrite

// The way back: what one request's response says about URLs, in the client's
// terms.

import (
	"strings"

	"github.com/readdress/readdress/internal/escape"
)

// An Inverse takes what an upstream says about its own URLs back to the URLs
// that the client knows: it undoes, for one request, what Apply did to the
// path, and names the client's authority in the place of the upstream's.
//
// It is a value of strings that are substrings of those it was made of; it is
// valid as long as they are, which matters where a Scratch is reused. The zero
// Inverse changes nothing. An Inverse is not changed by use and may be shared by
// goroutines.
//
// Every method that takes a header's value returns it unchanged, and false,
// without allocating, unless it names a URL that the rewrite can have produced.
// A changed value costs one allocation. A value with a control byte, which
// could split the response or hide a "//" from the eye, is refused: the result
// is "" and true, and the header is to be removed.
type Inverse struct {
	client   world
	upstream world
	aliases  []string // other authorities of the upstream
	spliced  bool     // the prefixes say how the path was rewritten
	mappings *Mappings
}

// A world is how one side of the proxy sees a URL.
type world struct {
	scheme string
	host   string // host[:port]
	prefix string // of the path; what follows it is the same on both sides, and begins with a slash or is empty
}

// NewInverse returns the inverse of one rewrite: client is the URL that the
// program was given, upstream the URL that was sent, and r what Apply said, or
// Then of several results. Scheme and Host of upstream are those by which the
// upstream knows itself: the scheme of the connection, which no SetScheme
// changes, and the Host header. aliases are more authorities (host[:port])
// that it may call itself, such as the address that was dialled; they are not
// copied, so pass a slice made beforehand and no memory is needed.
//
// The path of upstream may have got a base path in front since Apply ran, as
// httputil.ProxyRequest.SetURL does; the inverse takes that away too. Where r
// has no splice, or the paths do not agree with it, or the prefix that was cut
// is no clean path without dot-segments, paths and Locations stay as they are;
// a cookie's Domain does not depend on them.
//
// NewInverse trusts no header: all that it knows of the client is the URL that
// was routed. It takes time linear in the paths.
func NewInverse(client, upstream URL, r Result, aliases ...string) Inverse {
	v := Inverse{
		client:   world{scheme: client.Scheme, host: client.Host},
		upstream: world{scheme: upstream.Scheme, host: upstream.Host},
		aliases:  aliases,
	}
	cut, _, ok := r.Splice()
	put := len(upstream.Path) - (len(client.Path) - cut)
	if !ok || cut > len(client.Path) || put < 0 || client.Path[cut:] != upstream.Path[put:] {
		return v
	}
	was, is, rest := client.Path[:cut], upstream.Path[:put], client.Path[cut:]
	if rest == "" || rest[0] != '/' {
		// A slash that was supplied because nothing was left, or behind which
		// the splice was recorded, belongs to what follows.
		shortWas, cutSlash := strings.CutSuffix(was, "/")
		shortIs, putSlash := strings.CutSuffix(is, "/")
		if putSlash {
			was, is = shortWas, shortIs
		}
		if rest != "" && !(cutSlash && putSlash) {
			return v
		}
	}
	if isPrefix(was) && isPrefix(is) {
		v.client.prefix, v.upstream.prefix, v.spliced = was, is, true
	}
	return v
}

// isPrefix reports whether s is empty or the beginning of a clean path without
// dot-segments.
func isPrefix(s string) bool {
	if s == "" {
		return true
	}
	for i := range len(s) {
		if s[i] != '%' && escape.Class[s[i]]&escape.Path == 0 {
			return false
		}
	}
	one, two := escape.CountDots(s)
	return s[0] == '/' && one+two == 0
}

// With returns v with explicit mappings, which are asked first; where none of
// them matches, what v derives decides. Inverse{}.With(m) has the mappings alone.
// A nil m takes mappings away.
func (v Inverse) With(m *Mappings) Inverse {
	v.mappings = m
	return v
}

// Prefix returns the prefix of the client's path that the rewrite took away,
// escaped, as the client spelled it, without slashes at its end, for
// X-Forwarded-Prefix. It is "" if there is none, and if a page that puts it in
// front of its links would send people to another host, as where the client's
// path begins with "//".
func (v Inverse) Prefix() string {
	if leadsAway(v.client.prefix, "/") {
		return ""
	}
	return strings.TrimRight(v.client.prefix, "/")
}

// Location returns the client's form of a Location or a Content-Location.
//
//   - An absolute URL ("https://host/path") and one without a scheme
//     ("//host/path") count if their authority is the Host of the upstream or an
//     alias: names compared without letter case and final dot, default ports
//     equal to none. They get the client's authority, and in the place of the
//     upstream's scheme the client's. Another scheme, https for a page that
//     wants it, stays, unless it would need another port than the client used.
//     URLs of other authorities, and ones with user information, stay as they
//     are.
//   - A path ("/path") counts as one of the upstream. The result is a path too;
//     one that would begin with "//" or "/\", which clients take for another
//     host, is written as an absolute URL.
//   - In both the path must be the prefix that the rewrite put, or below it by
//     segment, octets compared as Compile's prefixes are; it gets the prefix
//     that was cut. Dot-segments that lead out of the prefix make it another
//     path. Query and fragment keep their bytes.
//   - Relative references, "?query", "#fragment" and "" stay as they are: they
//     are relative to the URL that the client asked for. So do URLs of other
//     schemes.
//
// An upstream that reads X-Forwarded-Prefix and writes the prefix itself needs
// no inverse: it would get the prefix twice.
func (v Inverse) Location(value string) (string, bool) {
	if hasControl(value) {
		return "", true
	}
	to, ok := v.locate(value)
	if !ok {
		return value, false
	}
	return to.join("", ""), true
}

// hasControl reports whether s has a control byte.
func hasControl(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7F {
			return true
		}
	}
	return false
}

// pieces are the parts of a URL, to be joined once: the scheme, "://" or "//",
// the authority, the path in two parts, the query and the fragment. An
// authority is never without what precedes it. A text that is not known by its
// parts is in the first of the path.
type pieces [6]string

func (p *pieces) len() int {
	n := 0
	for _, piece := range p {
		n += len(piece)
	}
	return n
}

func (p *pieces) write(w *writer) {
	for _, piece := range p {
		w.write(piece)
	}
}

func (p *pieces) equal(s string) bool {
	for _, piece := range p {
		if len(s) < len(piece) || s[:len(piece)] != piece {
			return false
		}
		s = s[len(piece):]
	}
	return s == ""
}

// join returns the text with another before and behind it.
func (p *pieces) join(before, after string) string {
	var w writer
	w.begin(nil, len(before)+p.len()+len(after))
	w.write(before)
	p.write(&w)
	w.write(after)
	return w.end()
}
