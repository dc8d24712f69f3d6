package contour

// The JSON of an HTTPProxy and its parts, as the cluster has it.

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/readdress/readdress/route/ingress/internal/manifest"
)

// UnmarshalJSON decodes a manifest. It replaces all of p, or on an error nothing.
// A null in a list is an error, because it would stand for every request.
func (p *HTTPProxy) UnmarshalJSON(data []byte) error {
	var m struct {
		Kind     string
		Metadata struct {
			Namespace, Name   string
			CreationTimestamp *time.Time
		}
		Spec json.RawMessage
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("contour: %w", err)
	}
	if m.Kind != "" && m.Kind != proxyKind {
		return fmt.Errorf("contour: kind is %.64q: only an HTTPProxy can be decoded into one", m.Kind)
	}
	var spec struct {
		VirtualHost *VirtualHost
		Includes    []Include
		Routes      []Route
	}
	var unread []string
	if len(m.Spec) > 0 && string(m.Spec) != "null" {
		var err error
		if unread, err = manifest.Decode(m.Spec, &spec, "virtualhost", "includes", "routes"); err != nil {
			return fmt.Errorf("contour: spec: %w", err)
		}
	}
	*p = HTTPProxy{
		Namespace: m.Metadata.Namespace, Name: m.Metadata.Name,
		VirtualHost: spec.VirtualHost, Includes: spec.Includes, Routes: spec.Routes, Unread: unread,
	}
	if m.Metadata.CreationTimestamp != nil {
		p.Created = *m.Metadata.CreationTimestamp
	}
	return nil
}

// decode decodes an object into out, and notes the names of what is not read. On
// an error out is as it was.
func decode[T any](data []byte, out *T, unread func(*T) *[]string, read ...string) error {
	var fresh T
	names, err := manifest.Decode(data, &fresh, read...)
	if err == nil {
		*unread(&fresh) = names
		*out = fresh
	}
	return err
}

// UnmarshalJSON decodes a virtual host. On an error v is as it was.
func (v *VirtualHost) UnmarshalJSON(data []byte) error {
	type plain VirtualHost
	return decode(data, (*plain)(v), func(p *plain) *[]string { return &p.Unread }, "fqdn", "tls")
}

// UnmarshalJSON decodes how https is answered. On an error t is as it was.
func (t *TLS) UnmarshalJSON(data []byte) error {
	type plain TLS
	return decode(data, (*plain)(t), func(p *plain) *[]string { return &p.Unread }, "secretName", "passthrough")
}

// UnmarshalJSON decodes an include. On an error i is as it was.
func (i *Include) UnmarshalJSON(data []byte) error {
	type plain Include
	return decode(data, (*plain)(i), func(p *plain) *[]string { return &p.Unread }, "name", "namespace", "conditions")
}

// UnmarshalJSON decodes a condition. On an error c is as it was.
func (c *Condition) UnmarshalJSON(data []byte) error {
	type plain Condition
	return decode(data, (*plain)(c), func(p *plain) *[]string { return &p.Unread },
		"prefix", "exact", "regex", "header", "queryParameter")
}

// UnmarshalJSON decodes a condition on a value. On an error v is as it was.
func (v *ValueCondition) UnmarshalJSON(data []byte) error {
	type plain ValueCondition
	return decode(data, (*plain)(v), func(p *plain) *[]string { return &p.Unread },
		"name", "present", "notpresent", "exact", "notexact", "contains",
		"notcontains", "prefix", "suffix", "regex", "ignoreCase", "treatMissingAsEmpty")
}

// UnmarshalJSON decodes a route. On an error r is as it was.
func (r *Route) UnmarshalJSON(data []byte) error {
	type plain Route
	return decode(data, (*plain)(r), func(p *plain) *[]string { return &p.Unread },
		"conditions", "services", "permitInsecure", "pathRewritePolicy",
		"requestRedirectPolicy", "requestHeadersPolicy", "responseHeadersPolicy", "cookieRewritePolicies")
}

// UnmarshalJSON decodes a service. On an error s is as it was.
func (s *Service) UnmarshalJSON(data []byte) error {
	type plain Service
	return decode(data, (*plain)(s), func(p *plain) *[]string { return &p.Unread },
		"name", "port", "protocol", "weight",
		"mirror", "validation", "requestHeadersPolicy", "responseHeadersPolicy", "cookieRewritePolicies")
}

// UnmarshalJSON decodes how a certificate is verified. On an error v is as it was.
func (v *Validation) UnmarshalJSON(data []byte) error {
	type plain Validation
	return decode(data, (*plain)(v), func(p *plain) *[]string { return &p.Unread }, "caSecret", "subjectName", "subjectNames")
}

// UnmarshalJSON decodes a policy. On an error p is as it was.
func (p *PathRewritePolicy) UnmarshalJSON(data []byte) error {
	type plain PathRewritePolicy
	return decode(data, (*plain)(p), func(p *plain) *[]string { return &p.Unread }, "replacePrefix")
}

// UnmarshalJSON decodes a replacement. On an error r is as it was.
func (r *ReplacePrefix) UnmarshalJSON(data []byte) error {
	type plain ReplacePrefix
	return decode(data, (*plain)(r), func(p *plain) *[]string { return &p.Unread }, "prefix", "replacement")
}

// UnmarshalJSON decodes a policy. On an error p is as it was.
func (p *RequestRedirectPolicy) UnmarshalJSON(data []byte) error {
	type plain RequestRedirectPolicy
	return decode(data, (*plain)(p), func(p *plain) *[]string { return &p.Unread },
		"scheme", "hostname", "port", "statusCode", "path", "prefix")
}

// UnmarshalJSON decodes a policy. On an error p is as it was.
func (p *HeadersPolicy) UnmarshalJSON(data []byte) error {
	type plain HeadersPolicy
	return decode(data, (*plain)(p), func(p *plain) *[]string { return &p.Unread }, "set", "remove")
}

// UnmarshalJSON decodes a header field. On an error h is as it was.
func (h *HeaderValue) UnmarshalJSON(data []byte) error {
	type plain HeaderValue
	return decode(data, (*plain)(h), func(p *plain) *[]string { return &p.Unread }, "name", "value")
}

// UnmarshalJSON decodes a policy. On an error c is as it was.
func (c *CookieRewritePolicy) UnmarshalJSON(data []byte) error {
	type plain CookieRewritePolicy
	return decode(data, (*plain)(c), func(p *plain) *[]string { return &p.Unread }, "name", "pathRewrite", "domainRewrite")
}

// UnmarshalJSON decodes the new value of an attribute. On an error r is as it was.
func (r *Rewrite) UnmarshalJSON(data []byte) error {
	type plain Rewrite
	return decode(data, (*plain)(r), func(p *plain) *[]string { return &p.Unread }, "value")
}
