package traefik

// The middleware headers.

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/internal/token"
	"github.com/readdress/readdress/route/ingress"
)

// headers: of the many fields those are read that set fields by name.
func (r *reading) headers(s *step, m *middleware) error {
	var config map[string]json.RawMessage
	if err := json.Unmarshal(m.config, &config); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(config)) {
		list := &s.request
		switch {
		case slices.Contains(zeros, string(config[name])):
			continue
		case name == "customRequestHeaders":
		case name == "customResponseHeaders":
			list = &s.response
		case name == "allowedHosts":
			r.guard(CodeAccess, r.found["router.middlewares"], s.origin.Offset,
				"%s.%s: an entry cannot say it: see to it in the proxy and name headers in Options.Handled", s.what, name)
			continue
		default:
			r.report(ingress.Error, CodeNotTranslated, r.in.Source(), s.origin,
				"%s.%.64s: an entry cannot say it, so it is not obeyed: write customRequestHeaders or customResponseHeaders", s.what, name)
			continue
		}
		var fields map[string]string
		if err := json.Unmarshal(config[name], &fields); err != nil {
			return faultf(CodeMiddleware, "%s: %v", name, err)
		}
		seen := make(map[string]string)
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			value, host := fields[field], strings.EqualFold(field, "Host") && list == &s.request
			if first, twice := seen[strings.ToLower(field)]; twice {
				r.warn(CodeDead, r.in.Source(), s.origin, "%s.%s: %.64s is the same field as %.64s, which counts; in Traefik it is left to chance: write one", s.what, name, field, first)
				continue
			}
			seen[strings.ToLower(field)] = field
			if host && value == "" {
				r.warn(CodeDead, r.in.Source(), s.origin, "%s.%s.%s: an empty Host does nothing: write one, or leave it out", s.what, name, field)
				continue
			}
			if host {
				if _, err := hostname.Parse(value); err != nil {
					return faultf(CodeValue, "%s.%s: %v", name, field, err)
				}
				s.host = value
				continue
			}
			op := ingress.HeaderOp{Op: ingress.SetHeader, Name: field, Value: value}
			if value == "" {
				op.Op = ingress.RemoveHeader
			}
			if !token.Is(field) || strings.ContainsFunc(value, isControl) {
				return faultf(CodeValue, "%s: %.64q is no header field, or its value has a control byte", name, field)
			}
			*list = append(*list, op)
		}
	}
	return nil
}

// zeros are the values with which a field of headers does nothing.
var zeros = []string{"null", "false", "0", `""`, "[]", "{}"}

func isControl(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }
