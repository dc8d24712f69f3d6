package rewrite

// Result: what Apply did to a URL.

import "strings"

// Changes is a set of URL components.
type Changes uint8

const (
	SchemeChanged Changes = 1 << iota
	HostChanged
	PathChanged
	QueryChanged
)

// String returns the names of the components in c, such as "host|path", or
// "none".
func (c Changes) String() string {
	if c == 0 {
		return "none"
	}
	var names []string
	for i, name := range [...]string{"scheme", "host", "path", "query"} {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// A Result says what Apply did to a URL. It is a small value; the zero Result
// says that nothing happened.
type Result struct {
	changed Changes
	opaque  bool // the path is not a spliced form of the path before
	cut     int
	put     int
}

// Changed returns the components whose bytes differ from those before, which
// may be fewer than those the actions aimed at.
func (r Result) Changed() Changes { return r.changed }

// Splice says how the path was rewritten: the first cut bytes of the path
// before were replaced by the first put bytes of the path after, so
//
//	after.Path == after.Path[:put] + before.Path[cut:]
//
// Both are byte offsets into the escaped paths. A path that no action touched
// has cut and put 0 and ok true. ok is false, and the numbers are 0, when the
// path was decided by SetPath or by a regular expression that is not a prefix
// rewrite in disguise: such a path has no splice and no inverse.
// A slash that was supplied because nothing was left is counted in put:
// trimming /app from /app gives 4 and 1.
func (r Result) Splice() (cut, put int, ok bool) {
	if r.opaque {
		return 0, 0, false
	}
	return r.cut, r.put, true
}

// Then combines r with the Result of an Apply that ran on its outcome, for
// two hooks or two programs. Changed of the combination is the union: a
// component that was changed and changed back stays listed.
func (r Result) Then(next Result) Result {
	out := Result{changed: r.changed | next.changed}
	if r.opaque || next.opaque {
		out.opaque = true
		return out
	}
	// What next cut is taken from what r put first, then from the input.
	if next.cut >= r.put {
		out.cut = r.cut + next.cut - r.put
		out.put = next.put
	} else {
		out.cut = r.cut
		out.put = next.put + r.put - next.cut
	}
	return out
}
