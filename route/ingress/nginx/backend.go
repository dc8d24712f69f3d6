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
		} else {
			b.caSecret = name
		}
	}
	if name := r.text("proxy-ssl-name"); name != "" && r.onOff("proxy-ssl-server-name") {
		b.sni = name
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
	service := l.p.Backend.Service
	value = strings.NewReplacer("$namespace", l.p.Source.Namespace, "$ingress_name", l.p.Source.Name,
		"$service_name", service.Name, "$service_port", strconv.Itoa(service.Port)).Replace(value)
	if i := strings.IndexByte(value, '$'); i >= 0 {
		t.report(l.p.Source, ingress.Error, CodeVariable, name, strings.IndexByte(l.o.vhost, '$')+l.o.lead(name),
			"%.64q is a variable that cannot be said, so the path is not served: write a host, $host, or $service_name, $service_port, $namespace and $ingress_name in one", value[i:])
		return nil, false
	}
	if _, err := hostname.Parse(value); err != nil {
		t.report(l.p.Source, ingress.Error, CodeValue, name, 0, "%.64q is no host, so the path is not served: %v", value, err)
		return nil, false
	}
	return rules([]rewrite.Action{rewrite.SetHost(value)}, rewrite.AfterLocation, name), true
}
