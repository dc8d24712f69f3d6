package haproxy

// What both readings have in common: finding annotations, reporting, and the
// entries that redirect to HTTPS.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/names"
)

// maxAdvice is how many unknown annotations of an Ingress are compared with
// those that there are.
const maxAdvice = 8

// An annotation is one that is present and not empty. An empty one is to both
// controllers as none.
type annotation struct{ key, value string }

func (a annotation) origin(offset int) rewrite.Origin {
	return rewrite.Origin{Key: a.key, Offset: offset}
}

// A reading is the translation of one Ingress.
type reading struct {
	settings
	in    *ingress.Ingress
	c     *ingress.Cluster
	paths []ingress.PathRule
	found map[string]annotation // by name without prefix
	lost  bool                  // the paths are not served
	tls   map[string]bool       // whether hosts have a certificate, as far as asked
	out   ingress.Translation
}

// read finds the annotations of keys under prefixes, the first of which counts
// most, and reports all others.
func (r *reading) read(keys treatments, prefixes ...string) {
	in := r.in
	r.paths, r.out.Problems = r.c.Paths(in)
	if len(in.Annotations) == 0 {
		return
	}
	r.found = make(map[string]annotation)
	rank := make(map[string]int)
	advice := maxAdvice
	for _, key := range slices.Sorted(maps.Keys(in.Annotations)) {
		a := annotation{key, in.Annotations[key]}
		name, at := cutPrefix(key, prefixes)
		if at < 0 {
			if _, other := cutPrefix(key, foreign); other >= 0 {
				r.warn(CodeForeign, in.Source(), a.origin(0), "an annotation of another controller is not read: write it as one of %s", prefixes[0])
			}
			continue
		}
		switch {
		case r.handled[name]:
			continue
		case keys[name] == unknown:
			r.unknown(a, name, keys, &advice)
			continue
		case a.value == "":
			continue
		}
		if before, twice := rank[name]; twice {
			winner := a
			if before < at {
				winner = r.found[name]
			}
			r.warn(CodeDuplicate, in.Source(), a.origin(0), "%s is written under two prefixes: %s counts", name, winner.key)
			if before < at {
				continue
			}
		}
		r.found[name], rank[name] = a, at
	}
	for _, name := range slices.Sorted(maps.Keys(r.found)) {
		r.treat(r.found[name], keys[name])
	}
}

func (r *reading) unknown(a annotation, name string, keys treatments, advice *int) {
	instead := ""
	if *advice > 0 {
		*advice--
		if near := names.Nearest(name, slices.Sorted(maps.Keys(keys))); near != "" {
			instead = ": did you mean " + near + "?"
		}
	}
	r.warn(CodeUnknown, r.in.Source(), a.origin(0), "there is no annotation %.64q%s", name, instead)
}

// treat reports an annotation that the reading does not ask for.
func (r *reading) treat(a annotation, how treatment) {
	at, origin := r.in.Source(), a.origin(0)
	switch how {
	case ignored:
		r.report(ingress.Note, CodeIgnored, at, origin, "it has no meaning for URL routing")
	case outside:
		r.report(ingress.Error, CodeNotTranslated, at, origin, "an entry cannot say it, so it is not obeyed: see to it in the proxy and name it in Options.Handled")
	case byLabels:
		r.report(ingress.Error, CodeNotTranslated, at, origin, "the pods that have a label are not known here, so it is not obeyed: see to it in the proxy and name it in Options.Handled")
	case access:
		if on, ok := parseBool(a.value); on || !ok {
			r.lose(CodeAccess, a, 0, "an entry cannot say it: see to it in the proxy and name it in Options.Handled")
		}
	case snippet:
		r.report(ingress.Error, CodeSnippet, at, origin, "raw configuration of HAProxy is not read: write what it does as annotations, or see to it in the proxy and name it in Options.Handled")
	case refused:
		r.lose(CodeRefused, a, 0, "this has no translation: write a path or a host for what it selects")
	}
}

func (r *reading) report(s ingress.Severity, code ingress.Code, at ingress.Source, origin rewrite.Origin, format string, args ...any) {
	r.out.Problems = append(r.out.Problems, ingress.Problem{
		Severity: s, Code: code, Source: at, Origin: origin, Detail: fmt.Sprintf(format, args...),
	})
}

func (r *reading) warn(code ingress.Code, at ingress.Source, origin rewrite.Origin, format string, args ...any) {
	r.report(ingress.Warning, code, at, origin, format, args...)
}

// lose reports an annotation without which the paths would mean another thing:
// they are not served. The problem names them.
func (r *reading) lose(code ingress.Code, a annotation, offset int, format string, args ...any) {
	r.lost = true
	r.report(ingress.Error, code, r.in.Source(), a.origin(offset), "%s; the paths of this Ingress are not served", fmt.Sprintf(format, args...))
	last := &r.out.Problems[len(r.out.Problems)-1]
	for i := range r.paths {
		if p := &r.paths[i]; !p.Default {
			last.Related = append(last.Related, p.Source)
		}
	}
}

// flag reads a boolean; otherwise is what it is if the annotation is not there,
// or cannot be read.
func (r *reading) flag(name string, otherwise bool) bool {
	a, ok := r.found[name]
	if !ok {
		return otherwise
	}
	on, ok := parseBool(a.value)
	if !ok {
		r.warn(CodeValue, r.in.Source(), a.origin(0), "%.64q is neither true nor false: it is read as %t", a.value, otherwise)
		return otherwise
	}
	return on
}

func parseBool(s string) (on, ok bool) {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "on", "enabled":
		return true, true
	case "off", "disabled":
		return false, true
	}
	on, err := strconv.ParseBool(s)
	return on, err == nil
}

// status reads the status of a redirect, 302 if it is not there or none that
// the controller takes.
func (r *reading) status(name string) int {
	const otherwise = 302
	a, ok := r.found[name]
	if !ok {
		return otherwise
	}
	status, err := strconv.Atoi(strings.TrimSpace(a.value))
	switch status {
	case 301, 302, 303, 307, 308:
		if err == nil {
			return status
		}
	}
	r.warn(CodeStatus, r.in.Source(), a.origin(0), "%.64q is no status of a redirect: it is %d; write 301, 302, 303, 307 or 308", a.value, otherwise)
	return otherwise
}

// hasTLS is HasTLS of the Ingress, asked once for each host.
func (r *reading) hasTLS(host string) bool {
	if len(r.in.TLS) == 0 {
		return false
	}
	has, ok := r.tls[host]
	if !ok {
		if r.tls == nil {
			r.tls = make(map[string]bool)
		}
		has = r.in.HasTLS(host)
		r.tls[host] = has
	}
	return has
}

// dead reports that annotations are there which do nothing.
func (r *reading) dead(why string, names ...string) {
	for _, name := range names {
		if a, ok := r.found[name]; ok {
			r.warn(CodeDead, r.in.Source(), a.origin(0), "it does nothing: %s", why)
		}
	}
}

// toHTTPS returns the entry that redirects the plain requests of e.
func toHTTPS(e *ingress.Entry, status int, port string, origin rewrite.Origin) ingress.Entry {
	source := e.Source
	source.Part = strings.TrimSpace(source.Part + " ssl-redirect")
	return ingress.Entry{
		Source: source, Pattern: e.Pattern, When: route.Conditions{Scheme: "http"},
		Redirect: &ingress.Redirect{Status: status, Rules: []rewrite.Rule{
			{Action: rewrite.SetScheme("https"), Origin: origin},
			{Action: rewrite.SetPort(port), Origin: origin},
		}},
	}
}

// maxLines is how many lines an annotation can have.
const maxLines = 64

// lines calls yield with each line of the value of a that is not blank, without
// spaces around it, and its offset. It returns the offset behind maxLines of
// them, or -1 if there are no more.
func (a annotation) lines(yield func(line string, offset int)) (rest int) {
	offset, n := 0, 0
	for line := range strings.Lines(a.value) {
		if text := strings.TrimSpace(line); text != "" {
			if n++; n > maxLines {
				return offset
			}
			yield(text, offset+strings.Index(line, text))
		}
		offset += len(line)
	}
	return -1
}
