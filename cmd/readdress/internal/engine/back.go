package engine

// Back: what a header of the backend's response is to the client, step by step.

import (
	"net/textproto"

	"github.com/readdress/readdress/rewrite"
)

// A Back is one header field on its way back to the client.
type Back struct {
	Backend string   `json:"backend"` // "": none gets the request
	Name    string   `json:"name"`
	Value   string   `json:"value"`
	Becomes string   `json:"becomes"` // "": the field is removed
	Changed bool     `json:"changed"`
	Steps   []string `json:"steps"`
}

// ExplainBack adds to x what becomes of response header fields of the backend
// that gets the request, or of each that can.
func (c *Config) ExplainBack(x *Explanation, r *Request, fields []Header) error {
	u, err := r.Parse()
	if err != nil {
		return err
	}
	t := trace{}
	a := t.run(c, r, u)
	before := len(x.Back)
	for i := range a.Targets {
		target := &a.Targets[i]
		if target.Weight == 0 || a.Picked >= 0 && a.Picked != i || target.Status() != 0 {
			continue
		}
		for _, f := range fields {
			x.Back = append(x.Back, t.back(a.Site, target, i, f))
		}
	}
	if len(x.Back) > before {
		return nil
	}
	for _, f := range fields {
		x.Back = append(x.Back, Back{Name: f.Name, Value: f.Value, Becomes: f.Value, Steps: []string{
			"no backend gets the request, so there is no response to take back",
		}})
	}
	return nil
}

func (t *trace) back(s *Site, target *Target, i int, f Header) Back {
	upstream := t.forward[i]
	upstream.Scheme = target.Scheme
	derived := rewrite.NewInverse(t.client, upstream, t.results[i], target.Address)
	b := Back{Backend: target.Backend, Name: f.Name, Value: f.Value}

	name := textproto.CanonicalMIMEHeaderKey(f.Name)
	if name == "Link" {
		b.Steps = append(b.Steps, "Link stays as it is unless the proxy names it, as package rewritehttp wants it: this is for a proxy that does")
	}
	becomes, known := apply(derived.With(s.Compiled.Back), f)
	b.Becomes, b.Changed = becomes, becomes != f.Value
	if !known {
		b.Steps = append(b.Steps, f.Name+" is not a header that is taken back: it stays")
		return b
	}
	cookie := name == "Set-Cookie"
	for _, m := range s.Entry.Back {
		one, err := rewrite.CompileMappings([]rewrite.Mapping{m}, nil)
		if err != nil || cookie == (m.Kind == rewrite.MapLocation) {
			continue
		}
		text := m.Kind.String() + " mapping from " + m.From + " to " + m.To
		if value, _ := apply((rewrite.Inverse{}).With(one), f); value != f.Value {
			b.Steps = append(b.Steps, text+": it matches")
			return b
		}
		b.Steps = append(b.Steps, text+": no match")
	}
	if cut, put, ok := t.results[i].Splice(); ok {
		b.Steps = append(b.Steps, "the rewrite put "+quote(t.forward[i].Path[:put])+" in place of "+quote(t.client.Path[:cut]))
	} else {
		b.Steps = append(b.Steps, "the path was decided by a rule without an inverse: paths stay")
	}
	b.Steps = append(b.Steps, "the backend knows itself as "+upstream.Scheme+"://"+upstream.Host+" and "+target.Address+
		", the client as "+t.client.Scheme+"://"+t.client.Host)
	if !b.Changed {
		b.Steps = append(b.Steps, "the value names no URL that the rewrite can have made: it stays")
	}
	return b
}

func quote(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// apply applies the method of v that is for a field.
func apply(v rewrite.Inverse, f Header) (value string, known bool) {
	switch textproto.CanonicalMIMEHeaderKey(f.Name) {
	case "Location", "Content-Location":
		value, _ = v.Location(f.Value)
	case "Refresh":
		value, _ = v.Refresh(f.Value)
	case "Set-Cookie":
		value, _ = v.SetCookie(f.Value)
	case "Link":
		value, _ = v.Link(f.Value)
	default:
		return f.Value, false
	}
	return value, true
}
