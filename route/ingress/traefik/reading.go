package traefik

// The translation of one Ingress: what it reads, what it reports, and the
// entries of its paths.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/given"
)

// A reading is the translation of one Ingress.
type reading struct {
	rewriter
	in      *ingress.Ingress
	c       *ingress.Cluster
	paths   []ingress.PathRule
	found   map[string]given.Annotation // by name without prefix; none is empty
	lost    bool                        // the paths are not served
	guarded bool                        // the paths answer 500
	taken   map[ingress.Source]bool     // places of backends that are no Services and yet resolve
	out     ingress.Translation

	services map[ingress.Service]serviceSays // that have been read, by namespace and name
	advice   given.Advice                    // about annotations of the Ingress and of Services
}

func (rw rewriter) translate(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	r := &reading{rewriter: rw, in: in, c: c}
	r.paths, r.out.Problems = c.Paths(in)
	r.read()
	steps := r.steps()
	router := r.router()
	r.checkVersions(router, steps)
	root := r.appRoot()
	seen := make(map[string]bool)
	for i := range r.paths {
		p := &r.paths[i]
		e := ingress.Entry{Source: p.Source, Pattern: route.Pattern{Host: p.Host, Path: p.Path}, Backends: r.backends(p)}
		if !r.pattern(&e, p, router) {
			continue
		}
		if r.guarded {
			e.Backends = []ingress.Backend{{Service: p.Backend.Service, Weight: 1, Invalid: true}}
			r.out.Entries = append(r.out.Entries, e)
			continue
		}
		if r.lost {
			continue
		}
		plain := r.apply(&e, router.of(p), steps)
		if host := strings.ToLower(p.Host); root != nil && !p.Default && !seen[host] {
			seen[host] = true
			r.rootEntries(&e, plain, root)
		}
		if plain != nil {
			r.out.Entries = append(r.out.Entries, *plain)
		}
		r.out.Entries = append(r.out.Entries, e)
	}
	if len(r.taken) > 0 {
		r.out.Problems = slices.DeleteFunc(r.out.Problems, func(p ingress.Problem) bool {
			return p.Code == ingress.CodeResourceBackend && r.taken[p.Source]
		})
	}
	return r.out
}

// read finds the annotations and reports those that nothing asks for.
func (r *reading) read() {
	if len(r.in.Annotations) == 0 {
		return
	}
	r.found = make(map[string]given.Annotation)
	for _, key := range slices.Sorted(maps.Keys(r.in.Annotations)) {
		a := given.Annotation{Key: key, Value: r.in.Annotations[key]}
		name, known, there := identify(key)
		switch {
		case there == nil:
			if slices.ContainsFunc(foreign, func(prefix string) bool { return strings.HasPrefix(key, prefix) }) {
				r.warn(CodeForeign, r.in.Source(), a.Origin(0), "an annotation of another controller is not read: write it as one of %s", prefix)
			}
		case r.handled[name]:
		case known == unknown && strings.HasPrefix(key, prefix) && strings.HasPrefix(name, routers):
			r.guard(CodeUnknown, a, 0, "Traefik takes no Ingress with an annotation %.64q%s", name, r.advice.Instead(name, there))
		case known == unknown:
			r.warn(CodeUnknown, r.in.Source(), a.Origin(0), "there is no annotation %.64q%s", name, r.advice.Instead(name, there))
		case a.Value == "":
		default:
			if first, twice := r.found[name]; twice { // labels come first, and capitals
				r.warn(CodeDead, r.in.Source(), first.Origin(0), "it does nothing: %s counts", key)
			}
			r.found[name] = a
			r.treat(a, known)
		}
	}
}

// identify returns the name of an annotation without its prefix, a known label's
// in the words of annotations, what becomes of it, and which names there are with
// this prefix; nil: it is not Traefik's.
func identify(key string) (name string, known treatment, there []string) {
	if strings.HasPrefix(key, prefix) {
		name := named(key)
		if tlsDomain.MatchString(name) {
			return name, ignored, annotationNames
		}
		return name, annotations[name], annotationNames
	}
	label, ok := strings.CutPrefix(key, frontendPrefix)
	if !ok {
		return "", unknown, nil
	}
	if name, ok := frontends[label]; ok {
		return name, annotations[name], frontendNames
	}
	return label, unknown, frontendNames
}

// treat reports an annotation that is not read.
func (r *reading) treat(a given.Annotation, how treatment) {
	at, origin := r.in.Source(), a.Origin(0)
	switch how {
	case versioned:
		if a.Value == "v2" && slices.ContainsFunc(r.paths, func(p ingress.PathRule) bool { return strings.Contains(p.Path, "{") }) {
			r.lose(CodeRefused, a, 0, "in version 2, {…} in a path is an expression, which has no translation: write one of router.pathmatcher PathRegexp")
			return
		}
		r.report(ingress.Note, CodeIgnored, at, origin, "the paths mean the same in all versions")
	case ignored:
		r.report(ingress.Note, CodeIgnored, at, origin, "it has no meaning for URL routing")
	case outside:
		r.report(ingress.Error, CodeNotTranslated, at, origin, "an entry cannot say it, so it is not obeyed: see to it in the proxy and name it in Options.Handled")
	case service:
		r.warn(CodeOnService, at, origin, "Traefik reads it on Services: write it there")
	case access:
		r.guard(CodeAccess, a, 0, "an entry cannot say it: see to it in the proxy and name it in Options.Handled")
	case refused:
		r.lose(CodeRefused, a, 0, "it has no translation: see to it in the proxy and name it in Options.Handled")
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
func (r *reading) lose(code ingress.Code, a given.Annotation, offset int, format string, args ...any) {
	r.lost = true
	r.aboutPaths(code, a, offset, fmt.Sprintf(format, args...)+"; the paths of this Ingress are not served")
}

// guard reports an annotation without which the paths may be open to those whom
// it keeps out. They are not left out, because a shorter path or a wildcard could
// then get their requests: they answer 500.
func (r *reading) guard(code ingress.Code, a given.Annotation, offset int, format string, args ...any) {
	r.guarded = true
	r.aboutPaths(code, a, offset, fmt.Sprintf(format, args...)+"; the paths of this Ingress answer 500, so that no other path gets their requests")
}

func (r *reading) aboutPaths(code ingress.Code, a given.Annotation, offset int, detail string) {
	r.report(ingress.Error, code, r.in.Source(), a.Origin(offset), "%s", detail)
	last := &r.out.Problems[len(r.out.Problems)-1]
	for i := range r.paths {
		last.Related = append(last.Related, r.paths[i].Source)
	}
}
