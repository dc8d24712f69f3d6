package rewrite_test

// The floors: for each scenario of bench_test.go the code that a person would
// write by hand for exactly that rewrite. They look at no byte that they need
// not, check nothing, decode nothing and allocate nothing: bytes that must be
// made go into buf, which is empty and large enough.
//
// As Apply does, each costs its caller one call and works through a pointer;
// false says that the URL was refused.

import (
	"strings"
	"unsafe"

	"github.com/readdress/readdress/rewrite"
)

type floor func(u *rewrite.URL, buf []byte) (ok bool)

func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// floorNothing is the cost of the loop, of the reset and of the call.
//
//go:noinline
func floorNothing(*rewrite.URL, []byte) bool { return true }

//go:noinline
func floorTrimPrefix(u *rewrite.URL, _ []byte) bool {
	if p := u.Path; strings.HasPrefix(p, "/api/") {
		u.Path = p[len("/api"):]
	} else if p == "/api" {
		u.Path = "/"
	}
	return true
}

//go:noinline
func floorAddPrefix(u *rewrite.URL, buf []byte) bool {
	u.Path = text(append(append(buf, "/v2"...), u.Path...))
	return true
}

//go:noinline
func floorSetPath(u *rewrite.URL, _ []byte) bool {
	u.Path = "/status/health"
	return true
}

//go:noinline
func floorSetHost(u *rewrite.URL, _ []byte) bool {
	u.Host = "backend.internal"
	return true
}

//go:noinline
func floorHostFromPathPrefix(u *rewrite.URL, _ []byte) bool {
	rest := u.Path[1:]
	i := strings.IndexByte(rest, '/')
	if i < 0 {
		return true
	}
	if rest[:i] != "backend.example.com" {
		return false
	}
	u.Host, u.Path = rest[:i], rest[i:]
	return true
}

//go:noinline
func floorAddQuery(u *rewrite.URL, buf []byte) bool {
	if u.RawQuery == "" {
		u.RawQuery = "debug=1"
	} else {
		u.RawQuery = text(append(append(buf, u.RawQuery...), "&debug=1"...))
	}
	return true
}

// cutPair removes the pair that begins at i and has its value at v.
func cutPair(u *rewrite.URL, i, v int, buf []byte) {
	q := u.RawQuery
	n := strings.IndexByte(q[v:], '&')
	switch {
	case n < 0 && i == 0:
		u.RawQuery = ""
	case n < 0:
		u.RawQuery = q[:i-1]
	case i == 0:
		u.RawQuery = q[v+n+1:]
	default:
		u.RawQuery = text(append(append(buf, q[:i]...), q[v+n+1:]...))
	}
}

// floorDeleteQuery stops at the first pair of that name.
//
//go:noinline
func floorDeleteQuery(u *rewrite.URL, buf []byte) bool {
	q := u.RawQuery
	for i := 0; ; {
		if strings.HasPrefix(q[i:], "user=") {
			cutPair(u, i, i+len("user="), buf)
			return true
		}
		n := strings.IndexByte(q[i:], '&')
		if n < 0 {
			return true
		}
		i += n + 1
	}
}

// floorDeleteAbsent searches for the text: in 64 bytes or less that is one
// vector search, cheaper than walking from pair to pair.
//
//go:noinline
func floorDeleteAbsent(u *rewrite.URL, buf []byte) bool {
	q := u.RawQuery
	i := strings.Index(q, "token=")
	for i > 0 && q[i-1] != '&' {
		n := strings.Index(q[i+1:], "token=")
		if n < 0 {
			return true
		}
		i += 1 + n
	}
	if i >= 0 {
		cutPair(u, i, i+len("token="), buf)
	}
	return true
}

// floorRenameQuery renames every pair of that name.
//
//go:noinline
func floorRenameQuery(u *rewrite.URL, buf []byte) bool {
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

// floorKeepQuery does not look for a second pair of that name.
//
//go:noinline
func floorKeepQuery(u *rewrite.URL, _ []byte) bool {
	for q := u.RawQuery; q != ""; {
		pair := q
		if i := strings.IndexByte(q, '&'); i >= 0 {
			pair, q = q[:i], q[i+1:]
		} else {
			q = ""
		}
		if strings.HasPrefix(pair, "user=") {
			u.RawQuery = pair
			return true
		}
	}
	u.RawQuery = ""
	return true
}

// floorRegexPrefix is ^/api/(.*)$ to /$1 without a regular expression.
//
//go:noinline
func floorRegexPrefix(u *rewrite.URL, _ []byte) bool {
	if strings.HasPrefix(u.Path, "/api/") {
		u.Path = u.Path[len("/api"):]
	}
	return true
}

// floorChain does the five actions at once: host backend.internal, path
// without /api and below /v2, of the query only uid and user, the latter
// renamed to uid.
//
//go:noinline
func floorChain(u *rewrite.URL, buf []byte) bool {
	u.Host = "backend.internal"
	p := u.Path
	if strings.HasPrefix(p, "/api/") {
		p = p[len("/api"):]
	} else if p == "/api" {
		p = "/"
	}
	path := append(append(buf, "/v2"...), p...)
	u.Path = text(path)

	query := path[len(path):]
	for q := u.RawQuery; q != ""; {
		pair := q
		if i := strings.IndexByte(q, '&'); i >= 0 {
			pair, q = q[:i], q[i+1:]
		} else {
			q = ""
		}
		if strings.HasPrefix(pair, "user=") {
			query = append(query, "uid="...)
			pair = pair[len("user="):]
		} else if !strings.HasPrefix(pair, "uid=") {
			continue
		}
		query = append(append(query, pair...), '&')
	}
	if len(query) > 0 {
		query = query[:len(query)-1]
	}
	u.RawQuery = text(query)
	return true
}

// floorDeleteRepeated deletes every pair of the name a.
//
//go:noinline
func floorDeleteRepeated(u *rewrite.URL, buf []byte) bool {
	for q := u.RawQuery; q != ""; {
		pair := q
		if i := strings.IndexByte(q, '&'); i >= 0 {
			pair, q = q[:i], q[i+1:]
		} else {
			q = ""
		}
		if !strings.HasPrefix(pair, "a=") {
			buf = append(append(buf, pair...), '&')
		}
	}
	u.RawQuery = text(buf[:max(len(buf)-1, 0)])
	return true
}
