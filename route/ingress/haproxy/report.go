package haproxy

// What a reading says about what it finds, and what is then not served.

import (
	"fmt"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
)

// report adds a problem, and returns false if the reading of the Ingress, whose
// annotation a Service's reading has come to again, has reported it.
func (r *reading) report(s ingress.Severity, code ingress.Code, at ingress.Source, origin rewrite.Origin, format string, args ...any) bool {
	detail := fmt.Sprintf(format, args...)
	if r.service != nil {
		switch {
		case r.service.keys[origin.Key]:
			detail = "on Service " + r.service.name + ": " + detail
		case !r.service.read:
			return false
		}
	}
	r.out.Problems = append(r.out.Problems, ingress.Problem{Severity: s, Code: code, Source: at, Origin: origin, Detail: detail})
	return true
}

func (r *reading) warn(code ingress.Code, at ingress.Source, origin rewrite.Origin, format string, args ...any) {
	r.report(ingress.Warning, code, at, origin, format, args...)
}

// lose reports an annotation without which the paths would mean another thing:
// they are not served. The problem names them.
func (r *reading) lose(code ingress.Code, a given.Annotation, offset int, format string, args ...any) {
	r.lost = true
	if r.report(ingress.Error, code, r.source, a.Origin(offset), "%s; the paths of this %s are not served", fmt.Sprintf(format, args...), r.whose()) {
		r.relate(r.defaults)
	}
}

// guard reports an annotation without which the paths would be open to those
// whom it keeps out. They are not left out, because a shorter path or a wildcard
// could then get their requests: they answer 500.
func (r *reading) guard(code ingress.Code, a given.Annotation, format string, args ...any) {
	r.guarded = true
	if r.report(ingress.Error, code, r.source, a.Origin(0), "%s; the paths of this %s answer 500, so that no other path gets their requests", fmt.Sprintf(format, args...), r.whose()) {
		r.relate(true)
	}
}

func (r *reading) whose() string {
	if r.service != nil {
		return "Service"
	}
	return "Ingress"
}

// relate names the paths in the last problem, those of the default backend where
// asked for.
func (r *reading) relate(defaults bool) {
	last := &r.out.Problems[len(r.out.Problems)-1]
	for i := range r.paths {
		if p := &r.paths[i]; !p.Default || defaults {
			last.Related = append(last.Related, p.Source)
		}
	}
}

// dead reports that annotations are there which do nothing.
func (r *reading) dead(why string, names ...string) {
	for _, name := range names {
		if a, ok := r.found[name]; ok {
			r.warn(CodeDead, r.source, a.Origin(0), "it does nothing: %s", why)
		}
	}
}
