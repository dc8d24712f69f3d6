package rewritetest

// Whether one Apply kept the guarantees of the package.

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// Check judges one call of p.Apply(h, &u, …): in is a copy of u from before
// the call, out is u after it, result and err are what it returned. The error
// lists every guarantee that does not hold, by the number it has in the
// specification of package rewrite, with the evidence; nil: all hold.
//
//   - G1 the path begins with "/". G2 its bytes are legal in a request target.
//   - G3 it does not begin with "//" or "/\" unless that of in does.
//   - G4 it has no more segments "." and no more segments ".." than that of in.
//   - G5 untouched parts, and pairs of the query that only moved, keep their
//     bytes; an unchanged component is the very same string.
//   - G6 net/url escapes the path to the same bytes.
//   - G7 the query is legal; a "?" or an empty pair is new only where the query
//     part of a template has it, or has it when captures are empty. G8 the host
//     is a host.
//   - G9 on error nothing changed, and the error is an ErrRefused.
//   - G10 a clean URL stays clean. G11 changed components are not too long.
//   - Changed lists the components that differ, Splice describes the path.
//   - A path "*" and its query are left alone.
//
// Of a URL that is not clean, with dot-segments allowed, Apply promises only
// G9 and a truthful Result, and nothing else is judged. G12 and G13, which
// are about panics, memory and time, cannot be judged from outside.
//
// Pass in as a plain copy: a Clone does not have the very same strings. Its
// strings must still be in use where a Scratch is reused. Check keeps nothing
// and is safe for concurrent use; it takes a few passes over the URLs and, if
// the query changed, one Explain.
func Check(p *rewrite.Program, h rewrite.Hook, in, out rewrite.URL, result rewrite.Result, err error) error {
	var f findings
	if err != nil {
		f.allOrNothing(in, out, result, err)
		return f.err(h, in, out)
	}
	f.changed(in, out, result)
	f.splice(p.Touches(h), in.Path, out.Path, result)
	if isClean(in, rewrite.KeepDotSegments) {
		if in.Path == "*" {
			f.asterisk(in, out)
		} else {
			f.path(in.Path, out.Path)
		}
		f.query(p, h, in, out)
		f.host(in.Host, out.Host)
		f.untouched(p.Touches(h), in, out)
		f.staysClean(in, out)
		f.length(p.MaxLength(), in, out)
	}
	return f.err(h, in, out)
}

// findings are the violations found so far, one line each.
type findings []string

func (f *findings) add(guarantee, format string, args ...any) {
	*f = append(*f, guarantee+": "+fmt.Sprintf(format, args...))
}

func (f findings) err(h rewrite.Hook, in, out rewrite.URL) error {
	if len(f) == 0 {
		return nil
	}
	return fmt.Errorf("rewritetest: %v took %s to %s\n%s", h, quote(in.String()), quote(out.String()), strings.Join(f, "\n"))
}

// quote quotes s for a message and cuts long values.
func quote(s string) string {
	const most = 200
	if len(s) > most {
		return fmt.Sprintf("%q... (%d bytes)", s[:most], len(s))
	}
	return fmt.Sprintf("%q", s)
}

func (f *findings) allOrNothing(in, out rewrite.URL, result rewrite.Result, err error) {
	if out != in {
		f.add("G9", "refused with %q, but the URL changed", err)
	}
	if result != (rewrite.Result{}) {
		f.add("G9", "refused with %q, but the result is not zero: %s changed", err, result.Changed())
	}
	if !errors.Is(err, rewrite.ErrRefused) {
		f.add("G9", "the error %q is not an ErrRefused", err)
	}
}

func (f *findings) changed(in, out rewrite.URL, result rewrite.Result) {
	if got, want := result.Changed(), differences(in, out); got != want {
		f.add("Changed", "it says %v, but what differs is %v", got, want)
	}
}

func differences(in, out rewrite.URL) rewrite.Changes {
	var c rewrite.Changes
	if in.Scheme != out.Scheme {
		c |= rewrite.SchemeChanged
	}
	if in.Host != out.Host {
		c |= rewrite.HostChanged
	}
	if in.Path != out.Path {
		c |= rewrite.PathChanged
	}
	if in.RawQuery != out.RawQuery {
		c |= rewrite.QueryChanged
	}
	return c
}

func (f *findings) splice(touches rewrite.Changes, in, out string, result rewrite.Result) {
	cut, put, ok := result.Splice()
	switch {
	case !ok:
		if cut != 0 || put != 0 {
			f.add("Splice", "there is none, but it says %d, %d", cut, put)
		}
		if touches&rewrite.PathChanged == 0 {
			f.add("Splice", "there is none, but no action touches the path")
		}
	case cut < 0 || cut > len(in) || put < 0 || put > len(out):
		f.add("Splice", "%d, %d is out of range for paths of %d and %d bytes", cut, put, len(in), len(out))
	case out != out[:put]+in[cut:]:
		f.add("Splice", "it says %d, %d, but %s is not %s + %s", cut, put, quote(out), quote(out[:put]), quote(in[cut:]))
	case touches&rewrite.PathChanged == 0 && (cut != 0 || put != 0):
		f.add("Splice", "it says %d, %d, but no action touches the path", cut, put)
	}
}

// isClean reports whether Clean accepts u and leaves it as it is. Length is
// the listener's choice and judged elsewhere.
func isClean(u rewrite.URL, dots rewrite.DotSegments) bool {
	cleaned := u
	policy := rewrite.Input{DotSegments: dots, MaxLength: max(1, len(u.Path), len(u.RawQuery))}
	return policy.Clean(&cleaned, nil) == nil && cleaned == u
}

func (f *findings) asterisk(in, out rewrite.URL) {
	if out.Path != in.Path || out.RawQuery != in.RawQuery {
		f.add("path *", "the target became %s", quote(string(out.AppendTarget(nil))))
	}
}

func (f *findings) path(in, out string) {
	if !strings.HasPrefix(out, "/") {
		f.add("G1", "the path is %s", quote(out))
	}
	if i := illegalInPath(out); i >= 0 {
		f.add("G2", "byte %d of the path %s is illegal there", i, quote(out))
	}
	if namesAuthority(out) && !namesAuthority(in) {
		f.add("G3", "the path is %s", quote(out))
	}
	dot, dotdot := dotSegments(in)
	newDot, newDotDot := dotSegments(out)
	if newDot > dot || newDotDot > dotdot {
		f.add("G4", "the path had %d segments \".\" and %d \"..\", now %d and %d", dot, dotdot, newDot, newDotDot)
	}
	decoded, err := url.PathUnescape(out)
	if err != nil {
		f.add("G6", "net/url does not decode the path: %v", err)
	} else if u := (url.URL{Path: decoded, RawPath: out}); u.EscapedPath() != out {
		f.add("G6", "net/url makes %s of the path %s", quote(u.EscapedPath()), quote(out))
	}
}

func (f *findings) query(p *rewrite.Program, h rewrite.Hook, in, out rewrite.URL) {
	if i := illegalInQuery(out.RawQuery); i >= 0 {
		f.add("G7", "byte %d of the query %s is illegal there", i, quote(out.RawQuery))
	}
	if out.RawQuery == in.RawQuery {
		return
	}
	written := writtenByActions(p, h, in)
	if strings.Count(out.RawQuery, "?") > strings.Count(in.RawQuery, "?")+written.questionMarks {
		f.add("G7", "the query %s has a new \"?\"", quote(out.RawQuery))
	}
	before, after := pairs(in.RawQuery), pairs(out.RawQuery)
	if emptyPairs(after) > emptyPairs(before)+written.emptyPairs {
		f.add("G7", "the query %s has a new empty pair", quote(out.RawQuery))
	}
	if written.template {
		return // its text is as the operator wrote it
	}
	// A key or a value that no action wrote comes from the input, with its
	// bytes and in the input's order.
	if pair, ok := subsequence(before, after, key, written.keys); !ok {
		f.add("G5", "the key of the pair %s is neither an action's nor the input's in this place", quote(pair))
	}
	if pair, ok := subsequence(before, after, value, written.values); !ok {
		f.add("G5", "the value of the pair %s is neither an action's nor the input's in this place", quote(pair))
	}
}

func (f *findings) host(in, out string) {
	if out == "" {
		if in != "" {
			f.add("G8", "the host is gone")
		}
	} else if !isHost(out) {
		f.add("G8", "the host is %s", quote(out))
	}
}

func (f *findings) untouched(touches rewrite.Changes, in, out rewrite.URL) {
	if other := differences(in, out) &^ touches; other != 0 {
		f.add("G5", "%v changed, but the hook touches %v", other, touches)
	}
	if in.ForceQuery != out.ForceQuery {
		f.add("G5", "ForceQuery became %v", out.ForceQuery)
	}
	for _, c := range []struct{ name, in, out string }{
		{"scheme", in.Scheme, out.Scheme},
		{"host", in.Host, out.Host},
		{"path", in.Path, out.Path},
		{"query", in.RawQuery, out.RawQuery},
	} {
		if c.in == c.out && c.in != "" && reflect.ValueOf(c.in).Pointer() != reflect.ValueOf(c.out).Pointer() {
			f.add("G5", "the %s is equal but not the very same string", c.name)
		}
	}
}

func (f *findings) staysClean(in, out rewrite.URL) {
	switch {
	case !isClean(out, rewrite.KeepDotSegments):
		f.add("G10", "the URL is no longer clean")
	case isClean(in, rewrite.RefuseDotSegments) && !isClean(out, rewrite.RefuseDotSegments):
		f.add("G10", "the URL is no longer clean under the zero Input")
	}
}

func (f *findings) length(most int, in, out rewrite.URL) {
	if out.Path != in.Path && len(out.Path) > most {
		f.add("G11", "the changed path has %d bytes, %d are allowed", len(out.Path), most)
	}
	if out.RawQuery != in.RawQuery && len(out.RawQuery) > most {
		f.add("G11", "the changed query has %d bytes, %d are allowed", len(out.RawQuery), most)
	}
}
