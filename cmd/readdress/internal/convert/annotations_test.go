package convert

import (
	"strings"
	"testing"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// The class that is written takes no asterisk in a path: what is written has to
// be served.
func TestAsterisk(t *testing.T) {
	entry := ingress.Entry{
		Pattern:  route.Pattern{Host: "*.shop.example", Path: "/old/(.*)", Type: route.Prefix},
		Backends: []ingress.Backend{{Service: ingress.Service{Namespace: "shop", Name: "web", Port: 80}, Weight: 1}},
	}
	out, problems, err := Write("annotations", []ingress.Entry{entry}, &Options{})
	if err != nil || len(out) != 0 || len(problems) != 1 || problems[0].Code != CodeLeftOut || !strings.Contains(problems[0].Detail, "asterisk") {
		t.Errorf("%q, %v, %v", out, problems, err)
	}
}
