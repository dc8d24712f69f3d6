package gateway_test

import (
	"encoding/json"
	"testing"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/gateway"
)

// The default backend of an Ingress is a rule for every path.
func TestWriteDefaultBackend(t *testing.T) {
	for _, kind := range []route.PathType{route.Regex, route.RegexFirst} {
		entries := []ingress.Entry{{
			Source:   ingress.Source{Kind: "Ingress", Namespace: "a", Name: "b", Rule: -1, Path: -1},
			Pattern:  route.Pattern{Host: "h.example", Path: "/", Type: kind},
			Backends: []ingress.Backend{{Service: ingress.Service{Namespace: "a", Name: "s", Port: 80}, Upstream: "s.a.svc.cluster.local:80", Weight: 1}},
		}}
		routes, problems := gateway.Write(entries, nil)
		for i := range problems {
			t.Errorf("%v: %v", kind, &problems[i])
		}
		text, err := json.Marshal(routes)
		if err != nil || len(routes) != 1 || len(routes[0].Rules) != 1 || len(routes[0].Rules[0].Matches) != 0 {
			t.Errorf("%v: %s, %v", kind, text, err)
		}
	}
}
