package contour

// Header and cookie policies.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/internal/token"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// headers returns what a policy does to header fields, and the Host that it
// sets. ok is false if it sets a Host that cannot be had.
func (w *walk) headers(p *HeadersPolicy, key string, variables map[string]string) (ops []ingress.HeaderOp, host string, ok bool) {
	if p == nil {
		return nil, "", true
	}
	ok = true
	w.unread(p.Unread, key)
	response := strings.HasSuffix(key, "responseHeadersPolicy")
	done := make(map[string]bool, len(p.Set))
	for i, h := range p.Set {
		at, name := index(key+".set", i), strings.ToLower(h.Name)
		w.unread(h.Unread, at)
		value, known := expand(h.Value, w.namespace, variables)
		err := token.CheckField(h.Name, value)
		isHost := name == "host" && !response
		switch {
		case done[name]:
			w.add(ingress.Error, CodeUnsupported, at, "field %.64s is set twice: write it once", h.Name)
			ok = ok && !isHost
		case !known:
			w.add(ingress.Error, CodeDynamic, at, "%.64q has a variable of Envoy: field %.64s is not set; write a literal value", h.Value, h.Name)
			ok = ok && !isHost
		case isHost:
			host = value
			ok = w.isHost(host, at) && ok
		case name == "host":
			w.add(ingress.Error, CodeUnsupported, at, "a response has no Host: it is not set")
		case err != nil:
			w.add(ingress.Error, CodeUnsupported, at, "%v: it is not set", err)
		default:
			ops = append(ops, ingress.HeaderOp{Name: h.Name, Value: value})
		}
		done[name] = true
	}
	for i, name := range p.Remove {
		if err := token.CheckField(name, ""); err != nil {
			w.add(ingress.Error, CodeUnsupported, index(key+".remove", i), "%v", err)
			continue
		}
		if !response && strings.EqualFold(name, "Host") {
			w.add(ingress.Error, CodeUnsupported, index(key+".remove", i), "a request always has a Host, which cannot be removed: set another one")
			continue
		}
		ops = append(ops, ingress.HeaderOp{Op: ingress.RemoveHeader, Name: name})
	}
	return ops, host, ok
}

// isHost reports whether a Host can be sent.
func (w *walk) isHost(host, key string) bool {
	if _, err := hostname.Parse(host); err != nil {
		w.add(ingress.Error, CodeHost, key, "Host %.64q: %v: requests are answered with 500", host, err)
		return false
	}
	return true
}

// expand returns a header value with Contour's variables replaced. known is false
// if it has one of Envoy's, which depends on the request.
func expand(value, namespace string, variables map[string]string) (text string, known bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(value, "%")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		name, after, closed := strings.Cut(rest, "%")
		if !closed || !isVariable(name) {
			b.WriteByte('%')
			value = rest
			continue
		}
		switch replaced, ok := variables["%"+name+"%"]; {
		case ok:
			b.WriteString(replaced)
		case name == "CONTOUR_NAMESPACE":
			b.WriteString(namespace)
		default:
			return "", false
		}
		value = after
	}
}

// envoyVariables are those that Contour leaves to Envoy beside %REQ(...)%. What
// else is between percent signs is text.
var envoyVariables = []string{
	"DOWNSTREAM_LOCAL_ADDRESS", "DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT", "DOWNSTREAM_LOCAL_PORT", "DOWNSTREAM_LOCAL_SUBJECT",
	"DOWNSTREAM_LOCAL_URI_SAN", "DOWNSTREAM_PEER_CERT", "DOWNSTREAM_PEER_CERT_V_END", "DOWNSTREAM_PEER_CERT_V_START",
	"DOWNSTREAM_PEER_FINGERPRINT_1", "DOWNSTREAM_PEER_FINGERPRINT_256", "DOWNSTREAM_PEER_ISSUER", "DOWNSTREAM_PEER_SERIAL",
	"DOWNSTREAM_PEER_SUBJECT", "DOWNSTREAM_PEER_URI_SAN", "DOWNSTREAM_REMOTE_ADDRESS", "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT",
	"DOWNSTREAM_TLS_CIPHER", "DOWNSTREAM_TLS_SESSION_ID", "DOWNSTREAM_TLS_VERSION", "HOSTNAME", "PROTOCOL", "RESPONSE_CODE_DETAILS",
	"RESPONSE_FLAGS", "UPSTREAM_REMOTE_ADDRESS",
}

// isVariable reports whether %name% is a variable: one of Envoy's, or one of
// Contour's, of which some are not known here.
func isVariable(name string) bool {
	_, found := slices.BinarySearch(envoyVariables, name)
	return found || strings.HasPrefix(name, "CONTOUR_") || strings.HasPrefix(name, "REQ(") && strings.Contains(name, ")")
}

// cookies adds what policies do to Path and Domain of cookies to e.Back.
func (w *walk) cookies(e *ingress.Entry, policies []CookieRewritePolicy, key string) {
	for i := range policies {
		p := &policies[i]
		key := index(key, i)
		for _, field := range p.Unread {
			w.add(ingress.Warning, CodeUnsupported, key+"."+field, "the attribute is not changed")
		}
		if p.PathRewrite == nil && p.DomainRewrite == nil && len(p.Unread) == 0 {
			w.add(ingress.Warning, CodeCookie, key, "no attribute of cookie %.64q is rewritten: write pathRewrite or domainRewrite", p.Name)
		}
		w.cookie(e, p.Name, p.PathRewrite, rewrite.MapCookiePath, key+".pathRewrite")
		w.cookie(e, p.Name, p.DomainRewrite, rewrite.MapCookieDomain, key+".domainRewrite")
	}
}

func (w *walk) cookie(e *ingress.Entry, name string, r *Rewrite, kind rewrite.MappingKind, key string) {
	if r == nil {
		return
	}
	m := rewrite.Mapping{Kind: kind, From: "~.*", To: strings.ReplaceAll(r.Value, "$", "$$")}
	for _, other := range e.Back {
		if other.Kind == kind && other != m {
			w.add(ingress.Error, CodeCookie, key, "there is a rewrite for another cookie already, which is for all of them: cookie %.64q is not rewritten as asked for", name)
			return
		}
	}
	if _, err := rewrite.CompileMappings([]rewrite.Mapping{m}, nil); err != nil {
		w.add(ingress.Error, CodeCookie, key, "%v", err)
		return
	}
	for _, field := range r.Unread {
		w.add(ingress.Warning, CodeUnknown, key+"."+field, "the field is not known, and is not read")
	}
	w.add(ingress.Warning, CodeCookie, key, "every cookie that has the attribute is rewritten, and not only %.64q", name)
	if !slices.Contains(e.Back, m) {
		e.Back = append(e.Back, m)
	}
}
