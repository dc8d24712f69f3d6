package kong

// Services: what their annotations say of how they are reached.

import (
	"cmp"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// An upstream is what the Service of a path, or else the Ingress, says.
type upstream struct {
	backend ingress.Backend
	base    string // the path before all others; "/" if there is none
	strip   bool
	guarded bool // plugins do not run here
}

func (t *translation) upstream(p *ingress.PathRule, s *settings) upstream {
	up := upstream{backend: p.Backend, base: "/"}
	annotations := t.service(p.Backend.Service)
	if len(annotations) > 0 {
		name := ingress.Service{Namespace: p.Backend.Service.Namespace, Name: p.Backend.Service.Name}
		guarded, done := t.guarded[name]
		if !done {
			guarded = t.surveyService(annotations)
			t.guarded[name] = guarded
		}
		up.guarded = guarded
	}
	value := func(name string) (string, bool) {
		if t.handled[name] {
			return "", false
		}
		if v, ok := annotations[prefix+name]; ok {
			return v, true
		}
		v, ok := s.annotations[prefix+name]
		return v, ok
	}
	if base, ok := value("path"); ok {
		switch {
		case !strings.HasPrefix(base, "/"):
			t.report(ingress.Warning, CodeValue, "path", 0, "%.64q is ignored: write a slash before it", base)
		case isPath(base, judge.Options(t.cluster)):
			up.base = base
		default:
			t.report(ingress.Error, CodeValue, "path", 0, "%.64q is no path that can be put before another: it is ignored", base)
		}
	}
	if protocol, _ := value("protocol"); strings.HasPrefix(protocol, "grpc") && up.base != "/" {
		t.report(ingress.Warning, CodeOverridden, "path", 0, "%sprotocol is of gRPC, which has no path before all others: leave out one of them", prefix)
		up.base = "/"
	}
	up.strip = s.stripPath == "true"
	if s.stripPath == "" {
		up.strip = t.boolean(annotations, "strip-path") == "true"
	}
	if protocol, ok := value("protocol"); ok {
		switch protocol {
		case "http", "grpc":
		case "https", "grpcs":
			up.backend.Scheme = "https"
		default:
			t.report(ingress.Warning, CodeValue, "protocol", 0, "%.64q is no protocol of HTTP: write http or https", protocol)
		}
	}
	secret, _ := value("ca-certificates-secret")
	if list, ok := value("ca-certificates-secrets"); ok && secret == "" {
		secret, _, _ = strings.Cut(list, ",")
	}
	up.backend.CASecret = strings.TrimSpace(secret)
	if host, key, ok := t.host(s, &up.backend, value); ok {
		up.backend.Rules = []rewrite.Rule{{Hook: rewrite.Forward, Action: rewrite.SetHost(host), Origin: origin(key)}}
	}
	return up
}

// service returns the annotations of a Service, if they are known.
func (t *translation) service(s ingress.Service) map[string]string {
	if t.cluster == nil || t.cluster.Service == nil || s.Name == "" {
		return nil
	}
	info, _ := t.cluster.Service(s.Namespace, s.Name)
	return info.Annotations
}

// isPath reports whether a base can be added to a path, and be the whole of one.
func isPath(base string, opts *rewrite.Options) bool {
	_, err := rewrite.Compile([]rewrite.Rule{{Action: rewrite.AddPathPrefix(base)}, {Action: rewrite.SetPath(base)}}, opts)
	return err == nil
}

// host returns the Host that the Service gets, and the annotation that says so.
// ok is false where it is that of the client, as preserve-host says or by default.
func (t *translation) host(s *settings, b *ingress.Backend, value func(string) (string, bool)) (host, key string, ok bool) {
	header, found := value("host-header")
	if found {
		if _, err := hostname.Parse(header); err != nil {
			t.report(ingress.Error, CodeValue, "host-header", 0, "%.64q: %v: it is ignored", header, err)
			found = false
		}
	}
	switch {
	case found && s.preserveHost == "true":
		t.report(ingress.Warning, CodeOverridden, "host-header", 0, "preserve-host is true, so the host stays: leave out one of them")
	case found && s.preserveHost == "" && t.compat:
		t.report(ingress.Warning, CodeHostHeader, "host-header", 0, "preserve-host is not false, so Kong keeps the host: Strict sets it")
	case found:
		return header, "host-header", true
	case s.preserveHost == "false" && b.Upstream != "":
		name, port := hostname.Split(b.Upstream)
		if port == "80" && cmp.Or(b.Scheme, "http") == "http" || port == "443" && b.Scheme == "https" {
			return name, "preserve-host", true
		}
		return b.Upstream, "preserve-host", true
	}
	return "", "", false
}
