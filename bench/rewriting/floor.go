package rewriting

// The floors: what a person would write by hand for exactly one scenario.

import (
	"strings"
	"unsafe"

	"github.com/readdress/readdress/rewrite"
)

// A Floor rewrites u. It looks at no byte that it need not, checks nothing and
// decodes nothing. Bytes that must be made go into buf, which is empty and
// large enough, so it does not allocate. As Apply does, it costs its caller one
// call and works through a pointer; false says that the URL is refused.
type Floor func(u *rewrite.URL, buf []byte) (ok bool)

func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// nothing is the cost of the loop, of restoring the URL and of the call.
//
//go:noinline
func nothing(*rewrite.URL, []byte) bool { return true }

//go:noinline
func trimPrefix(u *rewrite.URL, _ []byte) bool {
	if p := u.Path; strings.HasPrefix(p, "/api/") {
		u.Path = p[len("/api"):]
	} else if p == "/api" {
		u.Path = "/"
	}
	return true
}

//go:noinline
func addPrefix(u *rewrite.URL, buf []byte) bool {
	u.Path = text(append(append(buf, "/v2"...), u.Path...))
	return true
}

//go:noinline
func setPath(u *rewrite.URL, _ []byte) bool {
	u.Path = "/status/health"
	return true
}

//go:noinline
func setHost(u *rewrite.URL, _ []byte) bool {
	u.Host = "backend.internal"
	return true
}

//go:noinline
func hostFromPathPrefix(u *rewrite.URL, _ []byte) bool {
	name, _, found := strings.Cut(u.Path[1:], "/")
	if !found {
		return true
	}
	if name != hostFromPath {
		return false
	}
	u.Host, u.Path = name, u.Path[1+len(name):]
	return true
}

//go:noinline
func addPair(u *rewrite.URL, buf []byte) bool {
	if u.RawQuery == "" {
		u.RawQuery = "debug=1"
	} else {
		u.RawQuery = text(append(append(buf, u.RawQuery...), "&debug=1"...))
	}
	return true
}

// cutPair removes the pair that begins at i.
func cutPair(u *rewrite.URL, i int, buf []byte) {
	q := u.RawQuery
	n := strings.IndexByte(q[i:], '&')
	switch {
	case n < 0:
		u.RawQuery = q[:max(i-1, 0)]
	case i == 0:
		u.RawQuery = q[n+1:]
	default:
		u.RawQuery = text(append(append(buf, q[:i]...), q[i+n+1:]...))
	}
}

// deleteKey stops at the first pair of that name.
//
//go:noinline
func deleteKey(u *rewrite.URL, buf []byte) bool {
	q := u.RawQuery
	for i := 0; ; {
		if strings.HasPrefix(q[i:], "user=") {
			cutPair(u, i, buf)
			return true
		}
		n := strings.IndexByte(q[i:], '&')
		if n < 0 {
			return true
		}
		i += n + 1
	}
}

// deleteAbsent searches for the text, which in few bytes is one vector search
// and cheaper than walking from pair to pair.
//
//go:noinline
func deleteAbsent(u *rewrite.URL, buf []byte) bool {
	q := u.RawQuery
	for from := 0; ; {
		n := strings.Index(q[from:], "token=")
		if n < 0 {
			return true
		}
		if i := from + n; i == 0 || q[i-1] == '&' {
			cutPair(u, i, buf)
			return true
		}
		from += n + 1
	}
}

//go:noinline
func renameKey(u *rewrite.URL, buf []byte) bool {
	q := u.RawQuery
	done := 0
	for i := 0; ; {
		if strings.HasPrefix(q[i:], "user=") {
			buf = append(append(buf, q[done:i]...), "uid="...)
			done = i + len("user=")
		}
		n := strings.IndexByte(q[i:], '&')
		if n < 0 {
			break
		}
		i += n + 1
	}
	if done > 0 {
		u.RawQuery = text(append(buf, q[done:]...))
	}
	return true
}

// keepKey does not look for a second pair of that name.
//
//go:noinline
func keepKey(u *rewrite.URL, _ []byte) bool {
	for q := u.RawQuery; q != ""; {
		var pair string
		pair, q, _ = strings.Cut(q, "&")
		if strings.HasPrefix(pair, "user=") {
			u.RawQuery = pair
			return true
		}
	}
	u.RawQuery = ""
	return true
}

// chain does all five actions of S11 in one pass over path and query.
//
//go:noinline
func chain(u *rewrite.URL, buf []byte) bool {
	u.Host = "backend.internal"
	p := u.Path
	if strings.HasPrefix(p, "/api/") {
		p = p[len("/api"):]
	} else if p == "/api" {
		p = "/"
	}
	buf = append(append(buf, "/v2"...), p...)
	u.Path = text(buf)

	kept := buf[len(buf):]
	for q := u.RawQuery; q != ""; {
		var pair string
		pair, q, _ = strings.Cut(q, "&")
		switch {
		case strings.HasPrefix(pair, "user="):
			kept = append(append(append(kept, "uid="...), pair[len("user="):]...), '&')
		case strings.HasPrefix(pair, "uid="):
			kept = append(append(kept, pair...), '&')
		}
	}
	u.RawQuery = text(kept[:max(len(kept)-1, 0)])
	return true
}

//go:noinline
func deleteRepeated(u *rewrite.URL, buf []byte) bool {
	for q := u.RawQuery; q != ""; {
		var pair string
		pair, q, _ = strings.Cut(q, "&")
		if !strings.HasPrefix(pair, "a=") {
			buf = append(append(buf, pair...), '&')
		}
	}
	u.RawQuery = text(buf[:max(len(buf)-1, 0)])
	return true
}
