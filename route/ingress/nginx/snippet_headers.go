package nginx

// Snippet headers: the lines about header fields.

import (
	"fmt"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/internal/token"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

func (sr *snippetReader) moreSetHeaders(d *directive) {
	for _, arg := range d.args {
		if strings.HasPrefix(arg, "-") {
			sr.refuse(CodeSnippet, "%s: the options of more_set_headers cannot be said", d)
			return
		}
		name, value, _ := strings.Cut(arg, ":")
		sr.header(&sr.s.response, ingress.SetHeader, strings.TrimSpace(name), strings.TrimSpace(value), d)
	}
}

func (sr *snippetReader) addHeader(d *directive) {
	if len(d.args) == 3 && d.args[2] == "always" {
		d.args = d.args[:2]
	}
	if len(d.args) != 2 {
		sr.refuse(CodeSnippet, "%s: add_header has a name and a value", d)
		return
	}
	if d.args[1] != "" {
		sr.s.adds = true
		sr.header(&sr.s.response, ingress.AddHeader, d.args[0], d.args[1], d)
	}
}

func (sr *snippetReader) proxySetHeader(d *directive) {
	if len(d.args) != 2 {
		sr.refuse(CodeSnippet, "%s: proxy_set_header has a name and a value", d)
		return
	}
	name, value := d.args[0], d.args[1]
	isHost := strings.EqualFold(name, "Host")
	if isHost {
		switch value {
		case "$host", "$http_host", "$best_http_host":
			return
		}
		if _, err := hostname.Parse(value); err != nil {
			sr.refuse(CodeSnippet, "%s: %.64q is no host: %v", d, value, err)
			return
		}
	}
	switch {
	case sr.s.name == "server-snippet":
		sr.warn(CodeNoEffect, "%s: every location sets headers of its own, and then nginx takes none of the server's: write it in a configuration-snippet", d)
	case isHost:
		sr.s.rules = append(sr.s.rules, rules([]rewrite.Action{rewrite.SetHost(value)}, rewrite.AfterLocation, sr.s.name)...)
	default:
		sr.header(&sr.s.request, ingress.SetHeader, name, value, d)
	}
}

// header adds what is done to a header field; an empty value removes it. A
// value with another variable than those of a path cannot be said, and a header
// that is not set keeps no entry back.
func (sr *snippetReader) header(list *[]ingress.HeaderOp, op ingress.HeaderAction, name, value string, d *directive) {
	if _, unknown := expandVariables(value, &ingress.PathRule{}); unknown >= 0 {
		sr.report(sr.o.in.Source(), ingress.Error, CodeVariable, sr.s.name, d.offset, "%s: a header's value cannot depend on the request, so it is not set", d)
		return
	}
	variables, fault := strings.Contains(value, "$"), ""
	if variables {
		sr.s.expanded += len(value)
	}
	if !token.Is(name) {
		fault = fmt.Sprintf("%.64q is no name of a header field", name)
	} else if strings.ContainsFunc(value, isControl) {
		fault = "there is a control byte in the value"
	} else if variables && sr.s.expanded > maxTarget {
		fault = fmt.Sprintf("values with variables have more than %d bytes in all", maxTarget)
	}
	if fault != "" {
		sr.report(sr.o.in.Source(), ingress.Error, CodeValue, sr.s.name, d.offset, "%s: %s, so it is not set", d, fault)
		return
	}
	if value == "" {
		op = ingress.RemoveHeader
	}
	*list = append(*list, ingress.HeaderOp{Op: op, Name: name, Value: value})
}

// header returns h with the variables of l's path as text. A name with control
// bytes, which no object has, would spoil the entry: the value is empty then.
func (l *location) header(h ingress.HeaderOp) ingress.HeaderOp {
	if !strings.Contains(h.Value, "$") {
		return h
	}
	if h.Value, _ = expandVariables(h.Value, l.p); strings.ContainsFunc(h.Value, isControl) {
		h.Value = ""
	}
	return h
}
