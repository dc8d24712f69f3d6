package nginx

// Backend: how a backend is spoken to.

import (
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A backend is what the annotations say of all backends of an Ingress.
type backend struct {
	scheme, caSecret, sni string
}

// backend reads backend-protocol and proxy-ssl-*.
func (r *reader) backend() {
	b := &r.o.backend
	at := r.o.in.Source()
	b.scheme = "http"
	if r.text("secure-backends") != "" {
		r.report(at, ingress.Warning, CodeNoEffect, "secure-backends", 0, `the controller no longer reads it: write backend-protocol: "HTTPS"`)
	}
	switch value := strings.ToUpper(r.text("backend-protocol")); value {
	case "", "HTTP":
	case "HTTPS":
		b.scheme = "https"
	case "AUTO_HTTP":
		r.report(at, ingress.Warning, CodeProtocol, "backend-protocol", 0, "AUTO_HTTP is http here: write HTTP or HTTPS")
	case "GRPC", "GRPCS":
		if value == "GRPCS" {
			b.scheme = "https"
		}
		r.report(at, ingress.Warning, CodeProtocol, "backend-protocol", 0, "%s needs HTTP/2 to the backend, which an entry cannot say: it is %s", value, b.scheme)
	case "FCGI", "AJP":
		r.report(at, ingress.Error, CodeProtocol, "backend-protocol", 0, "%s is not HTTP: nothing of this Ingress is served", value)
		r.o.dropped = true
	default:
		r.report(at, ingress.Warning, CodeProtocol, "backend-protocol", 0, "%.64q is no protocol, so it is HTTP: write HTTP or HTTPS", value)
	}
	if secret := r.text("proxy-ssl-secret"); secret != "" {
		namespace, name, ok := strings.Cut(secret, "/")
		if !ok {
			namespace, name = at.Namespace, secret
		}
		if namespace != at.Namespace {
			r.bad("proxy-ssl-secret", "the Secret is in namespace %.64q and the Ingress in %s: it is not used", namespace, at.Namespace)
		} else if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || strings.Trim(name, ".") == "" {
			r.bad("proxy-ssl-secret", "%.64q is no name of a Secret: it is not used", name)
		} else {
			b.caSecret = name
		}
	}
	if name := r.text("proxy-ssl-name"); name != "" && r.onOff("proxy-ssl-server-name") {
		sni, err := hostname.ParseName(name)
		if err != nil {
			r.bad("proxy-ssl-name", "%.64q is no host, so no server name is sent: %v", name, err)
		}
		b.sni = sni
	}
}

// onOff returns the value of a switch that may be on or off, as nginx has it.
func (r *reader) onOff(name string) bool {
	switch r.text(name) {
	case "on":
		return true
	case "off":
		return false
	}
	return r.bool(name, false)
}

// of returns what is forwarded to.
func (b *backend) of(to ingress.Backend) ingress.Backend {
	if b.scheme != "" {
		to.Scheme = b.scheme
	}
	to.CASecret, to.SNI = b.caSecret, b.sni
	return to
}

// vhost returns the rule of upstream-vhost. ok is false if it cannot be said;
// then nothing may be forwarded.
func (t *translation) vhost(l *location) (list []rewrite.Rule, ok bool) {
	const name = "upstream-vhost"
	value := l.o.vhost
	switch value {
	case "", "$host", "$http_host", "$best_http_host":
		return nil, true
	}
	if len(value) > maxTarget {
		t.report(l.p.Source, ingress.Error, CodeValue, name, 0, "%.64q is no host, so the path is not served: it has more than %d bytes", value, maxTarget)
		return nil, false
	}
	value, unknown := expandVariables(value, l.p)
	if unknown >= 0 {
		t.report(l.p.Source, ingress.Error, CodeVariable, name, unknown+l.o.lead(name),
			"%.64q is a variable that cannot be said, so the path is not served: write a host, $host, or $service_name, $service_port, $namespace and $ingress_name in one", l.o.vhost[unknown:])
		return nil, false
	}
	if _, err := hostname.Parse(value); err != nil {
		t.report(l.p.Source, ingress.Error, CodeValue, name, 0, "%.64q is no host, so the path is not served: %v", value, err)
		return nil, false
	}
	return rules([]rewrite.Action{rewrite.SetHost(value)}, rewrite.AfterLocation, name), true
}

// expandVariables returns text with the variables that say which path p is in
// their place, and where another variable is, -1 if nowhere.
func expandVariables(text string, p *ingress.PathRule) (out string, unknown int) {
	values := map[string]string{
		"namespace": p.Source.Namespace, "ingress_name": p.Source.Name,
		"service_name": p.Backend.Service.Name, "service_port": strconv.Itoa(p.Backend.Service.Port),
	}
	var b strings.Builder
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "$")
		b.WriteString(before)
		if !found {
			return b.String(), -1
		}
		name, closed := after, true
		if inner, braced := strings.CutPrefix(after, "{"); braced {
			name, rest, closed = strings.Cut(inner, "}")
		} else {
			end := 0
			for end < len(after) && isWord(after[end]) {
				end++
			}
			name, rest = after[:end], after[end:]
		}
		value, ok := values[name]
		if !ok || !closed {
			return "", len(text) - len(after) - len("$")
		}
		b.WriteString(value)
	}
}
