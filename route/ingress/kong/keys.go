package kong

// Annotations: which there are, and what is done about those that change no URL.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/names"
	"github.com/readdress/readdress/route/ingress"
)

// A treatment is what is done about an annotation.
type treatment int8

const (
	supported   treatment = iota
	ignored               // of no meaning for URLs and routes
	unsupported           // of meaning, and not done here
	guard                 // perhaps keeps requests out
)

// Annotations by where Kong reads them, without the prefix.
var (
	ingressNames = map[string]treatment{
		"host-aliases": supported, "https-redirect-status-code": supported, "methods": supported, "path-handling": supported,
		"preserve-host": supported, "protocols": supported, "regex-prefix": supported, "regex-priority": supported,
		"rewrite": supported, "strip-path": supported, "headers-separator": supported, "snis": supported,
		"override": unsupported, "plugins": guard,
		"request-buffering": ignored, "response-buffering": ignored, "tags": ignored,
	}
	serviceNames = map[string]treatment{
		"ca-certificates-secret": supported, "ca-certificates-secrets": supported, "host-header": supported, "path": supported,
		"protocol": supported, "strip-path": supported,
		"client-cert": unsupported, "override": unsupported, "upstream-policy": unsupported, "plugins": guard,
		"connect-timeout": ignored, "read-timeout": ignored, "write-timeout": ignored, "retries": ignored, "tags": ignored,
		"tls-verify": ignored, "tls-verify-depth": ignored,
	}
	known = func() []string {
		var list []string
		for _, m := range []map[string]treatment{ingressNames, serviceNames} {
			for name := range m {
				list = append(list, name)
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}()
)

// headerName begins the names of annotations that each are about one header field.
const headerName = "headers."

// names returns the names of Kong's annotations that the caller does not handle,
// sorted.
func (t *translation) names(annotations map[string]string) []string {
	var list []string
	for key := range annotations {
		if name, ok := strings.CutPrefix(key, prefix); ok && !t.handled[name] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// survey reports the annotations of an Ingress that are not read, and returns
// whether one of them guards its paths.
func (t *translation) survey(annotations map[string]string) (guarded bool) {
	for _, name := range t.names(annotations) {
		if strings.HasPrefix(name, headerName) {
			continue
		}
		what, ok := ingressNames[name]
		_, ofService := serviceNames[name]
		switch {
		case !ok && ofService:
			t.report(ingress.Warning, CodeKind, name, 0, "it belongs on the Service; it holds for this Ingress where the Service says nothing else")
		case !ok:
			t.unknown(name, "")
		default:
			guarded = t.treat(what, name, annotations[prefix+name]) || guarded
		}
	}
	return guarded
}

// surveyService does the same for the annotations of a Service.
func (t *translation) surveyService(annotations map[string]string) (guarded bool) {
	for _, name := range t.names(annotations) {
		what, ok := serviceNames[name]
		_, ofIngress := ingressNames[name]
		switch {
		case ok:
			guarded = t.treat(what, name, annotations[prefix+name]) || guarded
		case ofIngress || strings.HasPrefix(name, headerName):
			t.report(ingress.Warning, CodeKind, name, 0, "it is on the Service, where it is not read: write it on the Ingress")
		default:
			t.unknown(name, "of a Service")
		}
	}
	return guarded
}

func (t *translation) unknown(name, where string) {
	detail := strings.TrimSpace("there is no such annotation " + where)
	if near := names.Nearest(name, known); near != "" {
		detail += ": write " + prefix + near
	}
	t.report(ingress.Warning, CodeUnknown, name, 0, "%s", detail)
}

func (t *translation) treat(what treatment, name, value string) (guarded bool) {
	switch {
	case what == ignored:
		t.report(ingress.Note, CodeIgnored, name, 0, "it changes neither URLs nor routes, and is not read")
	case what == unsupported:
		t.report(ingress.Warning, CodeUnsupported, name, 0, "it is not done here")
	case what == guard && strings.Trim(value, " ,") != "":
		t.report(ingress.Error, CodeGuard, name, 0, "plugins do not run here, and one may keep requests out, so they are answered with 500: name the annotation in Options.Handled if the caller sees to it")
		return true
	}
	return false
}
