package engine

import (
	"testing"

	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
)

// A share that rounds to nothing has a way back too.
func TestBackOfSmallShare(t *testing.T) {
	set := manifest.NewSet()
	err := set.Read("f", []byte(`
kind: HTTPRoute
metadata: {name: r}
spec:
  rules:
  - backendRefs: [{name: most, port: 80, weight: 1000000}, {name: few, port: 80, weight: 1}, {name: none, port: 80, weight: 0}]
`))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Load(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &Request{URL: "http://h.example/"}
	x, err := c.Explain(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.ExplainBack(x, r, []Header{{"Location", "/x"}}); err != nil {
		t.Fatal(err)
	}
	if len(x.Back) != 2 || x.Back[1].Backend != "default/few:80" {
		t.Errorf("%+v", x.Back)
	}
}
