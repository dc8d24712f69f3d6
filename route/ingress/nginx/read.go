package nginx

// Read: the annotations of one Ingress as values.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// settings is what the annotations of an Ingress say, for all of its paths.
type settings struct {
	target          string  // rewrite-target
	to              *target // the same; nil if there is none
	useRegex        bool
	appRoot         string
	vhost           string
	forwardedPrefix string
	redirect        redirect
	sslRedirect     bool
	forceSSL        bool
	keepSlash       bool
	www             bool
	aliases         []string
	backend         backend
	maxBodySize     int64
	back            []rewrite.Mapping
	response        []ingress.HeaderOp // CORS
	canary          *canary            // nil: an ordinary Ingress
	config, server  *snippet           // nil: none
}

// read reads an Ingress and adds it to the objects and, unless it is a canary,
// to the servers of its hosts.
func (t *translation) read(in *ingress.Ingress) {
	o := &object{in: in}
	paths, problems := t.cluster.Paths(in)
	o.paths = paths
	o.setHost()
	t.problems = append(t.problems, problems...)
	t.names(o)
	r := &reader{translation: t, o: o}
	r.all()
	t.objects = append(t.objects, o)
	if o.canary != nil {
		o.dropped = o.dropped || o.guarded
		return
	}
	o.dropped = o.dropped && !o.guarded
	for i := range o.paths {
		t.serve(o, &o.paths[i])
	}
}

// names finds the annotations that are read, and tells of the others.
func (t *translation) names(o *object) {
	if len(o.in.Annotations) == 0 {
		return
	}
	at := o.in.Source()
	foreign, strangers := "", 0
	o.values = make(map[string]string, len(o.in.Annotations))
	for _, key := range slices.Sorted(maps.Keys(o.in.Annotations)) {
		name, ours := strings.CutPrefix(key, prefix)
		if !ours {
			if foreign == "" && (strings.HasPrefix(key, "nginx.org/") || strings.HasPrefix(key, "nginx.com/")) {
				foreign = key
			}
			continue
		}
		if t.handled[name] {
			continue
		}
		value := strings.TrimSpace(o.in.Annotations[key])
		switch kinds[name] {
		case supported:
			o.values[name] = value
			o.names = append(o.names, name)
		case unknown:
			near := ""
			if strangers++; strangers <= maxNearest {
				if near = t.nearest(name); near != "" {
					near = "; write " + prefix + near
				}
			}
			t.report(at, ingress.Warning, CodeUnknown, name, 0, "the controller has no such annotation%s", near)
		case ignored:
			t.report(at, ingress.Note, CodeIgnored, name, 0, "it says nothing about URLs")
		case refused:
			t.report(at, ingress.Error, CodeRefused, name, 0, "an entry cannot say it, so it is not obeyed: see to it in the proxy and name it in Options.Handled")
		case access:
			if value == "" || isOff(name, value) {
				continue
			}
			t.report(at, ingress.Error, CodeAccess, name, 0,
				"an entry cannot say it, so the paths of this Ingress answer 500 and a canary gets no requests: see to it in the proxy and name it in Options.Handled")
			o.guarded = true
			o.guardHost = o.guardHost || slices.Contains(hostAccess, name)
		}
	}
	if foreign != "" {
		t.problems = append(t.problems, ingress.Problem{
			Severity: ingress.Warning, Code: CodeForeign, Source: at, Origin: rewrite.Origin{Key: foreign},
			Detail: "annotations nginx.org/ and nginx.com/ are those of another controller and are not read: write " + prefix,
		})
	}
}

// A reader reads the values of one Ingress.
type reader struct {
	*translation
	o *object
}

// text returns the value of an annotation without the white space around it,
// "" if it is not there.
func (r *reader) text(name string) string {
	return r.o.values[name]
}

// written returns the value of an annotation as the controller judges it: in
// Compat with the white space around it. One that is blank is "".
func (r *reader) written(name string) string {
	value := r.text(name)
	if value != "" && r.compat {
		value = r.o.in.Annotations[prefix+name]
	}
	return value
}

// bool returns the value of a switch, or what it is otherwise.
func (r *reader) bool(name string, otherwise bool) bool {
	value := r.written(name)
	if value == "" {
		return otherwise
	}
	on, err := strconv.ParseBool(value)
	if err != nil {
		r.bad(name, `%.64q is no switch, so it is %t: write "true" or "false"`, value, otherwise)
		return otherwise
	}
	return on
}

// number returns the value of a whole number. ok is false if there is none, or
// if it is none, which is reported with what is the case then.
func (r *reader) number(name, then string) (n int, ok bool) {
	value := r.written(name)
	if value == "" {
		return 0, false
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		r.bad(name, "%.64q is not an integer: %s", value, then)
		return 0, false
	}
	return n, true
}

// bad reports a value that is not obeyed.
func (r *reader) bad(name, format string, args ...any) {
	r.report(r.o.in.Source(), ingress.Error, CodeValue, name, 0, format, args...)
}

func (r *reader) all() {
	o := r.o
	r.canary()
	if o.canary != nil {
		return // all else is that of the ordinary Ingress
	}
	o.useRegex = r.bool("use-regex", false)
	r.readTarget()
	o.appRoot = r.rootPath()
	o.vhost = r.dropping("upstream-vhost", regexText, "the host is not changed")
	o.forwardedPrefix = r.dropping("x-forwarded-prefix", pathWithCapture, "it is not set")
	if len(o.forwardedPrefix) > maxTarget {
		r.bad("x-forwarded-prefix", "it has more than %d bytes: it is not set", maxTarget)
		o.forwardedPrefix = ""
	}
	if o.forwardedPrefix != "" && o.target == "" {
		r.report(o.in.Source(), ingress.Warning, CodeNoEffect, "x-forwarded-prefix", 0, "without rewrite-target it is not set: the path is forwarded as it is")
		o.forwardedPrefix = ""
	}
	r.redirects()
	o.sslRedirect = r.bool("ssl-redirect", true)
	o.forceSSL = r.bool("force-ssl-redirect", false)
	o.keepSlash = r.bool("preserve-trailing-slash", false)
	r.aliases()
	r.backend()
	r.bodySize()
	r.mappings()
	r.cors()
	o.config = r.snippet("configuration-snippet")
	o.server = r.snippet("server-snippet")
}

// bodySize reads proxy-body-size: 0 is no limit.
func (r *reader) bodySize() {
	value := r.text("proxy-body-size")
	if n := len(value) - 1; n > 0 && (value[n] == 'b' || value[n] == 'B') && isDigit(value[n-1]) {
		value = value[:n] // bytes
	}
	n, err := ingress.ParseSize(value)
	switch {
	case err != nil:
		r.bad("proxy-body-size", "%v; it is not set", err)
	case n == 0 && value != "":
		r.o.maxBodySize = -1
	default:
		r.o.maxBodySize = n
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
