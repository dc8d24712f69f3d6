package haproxy

// What both readings have in common: finding annotations, and reading their
// values.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
)

// trim returns s without spaces around it, and the offset of what is left.
func trim(s string) (trimmed string, offset int) {
	left := strings.TrimLeft(s, " \t\r\n")
	return strings.TrimSpace(left), len(s) - len(left)
}

// A reading is the translation of one Ingress, or of what a Service says about
// the paths of one.
type reading struct {
	settings
	dialect
	in     *ingress.Ingress
	c      *ingress.Cluster
	source ingress.Source // of problems that are about no path
	paths  []ingress.PathRule
	// found are the annotations by name without prefix, but for empty ones, which
	// are to both controllers as none.
	found   map[string]given.Annotation
	lost    bool // the paths are not served
	guarded bool // the paths answer 500
	// defaults says that a default backend is a path like any other.
	defaults bool
	tls      *tlsHosts
	service  *serviceReading // nil: of the Ingress
	out      *ingress.Translation
}

// read finds the annotations of the Ingress and its paths.
func (r *reading) read() {
	r.paths, r.out.Problems = r.c.Paths(r.in)
	r.tls = newTLSHosts(r.in)
	r.find(r.in.Annotations)
	for _, name := range slices.Sorted(maps.Keys(r.found)) {
		r.treat(r.found[name], r.keys[name])
	}
}

// find finds the annotations of r's dialect and reports all others.
func (r *reading) find(annotations map[string]string) {
	if len(annotations) == 0 {
		return
	}
	r.found = make(map[string]given.Annotation)
	rank := make(map[string]int)
	var advice given.Advice
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		a := given.Annotation{Key: key, Value: annotations[key]}
		name, at := cutPrefix(key, r.prefixes)
		if at < 0 {
			r.foreign(a)
			continue
		}
		switch {
		case r.handled[name]:
			continue
		case r.keys[name] == unknown:
			if !r.siblingGuards(a, name) {
				r.warn(CodeUnknown, r.source, a.Origin(0), "there is no annotation %.64q%s", name, advice.Instead(name, r.names))
			}
			continue
		case a.Value == "":
			continue
		}
		if before, twice := rank[name]; twice {
			winner := a
			if before < at {
				winner = r.found[name]
			}
			r.warn(CodeDuplicate, r.source, a.Origin(0), "%s is written under two prefixes: %s counts", name, winner.Key)
			if before < at {
				continue
			}
		}
		r.found[name], rank[name] = a, at
	}
}

// foreign reports an annotation with the prefix of another controller.
func (r *reading) foreign(a given.Annotation) {
	_, at := cutPrefix(a.Key, foreign)
	if at < 0 {
		return
	}
	if name, ours := cutPrefix(a.Key, prefixes); ours >= 0 && (r.handled[name] || r.siblingGuards(a, name)) {
		return
	}
	r.warn(CodeForeign, r.source, a.Origin(0), "an annotation of another controller is not read: write it as one of %s", r.prefixes[0])
}

// siblingGuards reports an annotation by which the other HAProxy controller
// keeps clients out. Whoever wrote it means the paths to be guarded.
func (r *reading) siblingGuards(a given.Annotation, name string) bool {
	if r.sibling[name] != access || a.Value == "" {
		return false
	}
	r.guard(CodeAccess, a, "it is another controller's, which keeps clients out by it: write it as one of %s, or see to it in the proxy and name it in Options.Handled", r.prefixes[0])
	return true
}

// treat reports an annotation that the reading does not ask for.
func (r *reading) treat(a given.Annotation, how treatment) {
	at, origin := r.source, a.Origin(0)
	switch how {
	case ignored:
		r.report(ingress.Note, CodeIgnored, at, origin, "it has no meaning for URL routing")
	case outside:
		r.report(ingress.Error, CodeNotTranslated, at, origin, "an entry cannot say it, so it is not obeyed: see to it in the proxy and name it in Options.Handled")
	case byLabels:
		r.report(ingress.Error, CodeNotTranslated, at, origin, "the pods that have a label are not known here, so it is not obeyed: see to it in the proxy and name it in Options.Handled")
	case access:
		r.guard(CodeAccess, a, "an entry cannot say it: see to it in the proxy and name it in Options.Handled")
	case passthrough:
		if on, ok := parseBool(a.Value); on || !ok {
			r.guard(CodeAccess, a, "the proxy would see no paths: see to it in the proxy and name it in Options.Handled")
		}
	case snippet:
		r.report(ingress.Error, CodeSnippet, at, origin, "raw configuration of HAProxy is not read: write what it does as annotations, or see to it in the proxy and name it in Options.Handled")
	case refused:
		r.lose(CodeRefused, a, 0, "this has no translation: write a path or a host for what it selects")
	}
}

// flag reads a boolean; otherwise is what it is if the annotation is not there,
// or cannot be read.
func (r *reading) flag(name string, otherwise bool) bool {
	a, ok := r.found[name]
	if !ok {
		return otherwise
	}
	on, ok := parseBool(a.Value)
	if !ok {
		r.warn(CodeValue, r.source, a.Origin(0), "%.64q is neither true nor false: it is read as %t", a.Value, otherwise)
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

// The statuses that redirects can have, and those of haproxytech's ssl-redirect.
var (
	statuses    = []int{301, 302, 303, 307, 308}
	sslStatuses = []int{301, 302, 303}
)

// status reads the status of a redirect, 302 if it is not there or none of
// allowed.
func (r *reading) status(name string, allowed []int) int {
	const otherwise = 302
	a, ok := r.found[name]
	if !ok {
		return otherwise
	}
	status, err := strconv.Atoi(strings.TrimSpace(a.Value))
	if err == nil && slices.Contains(allowed, status) {
		return status
	}
	r.warn(CodeStatus, r.source, a.Origin(0), "%.64q is no status that this redirect can have: it is %d; write one of %v", a.Value, otherwise, allowed)
	return otherwise
}

// maxLines is how many lines an annotation can have.
const maxLines = 64

// lines calls yield with each line of a value that is not blank, without spaces
// around it, and its offset. It returns the offset behind maxLines of them, or -1
// if there are no more.
func lines(value string, yield func(line string, offset int)) (rest int) {
	offset, n := 0, 0
	for line := range strings.Lines(value) {
		if text, at := trim(line); text != "" {
			if n++; n > maxLines {
				return offset
			}
			yield(text, offset+at)
		}
		offset += len(line)
	}
	return -1
}
