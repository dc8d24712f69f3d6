package engine

import (
	"testing"

	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/route/ingress"
)

// TestDefaultClass does as the admission plugin DefaultIngressClass does.
func TestDefaultClass(t *testing.T) {
	set := manifest.NewSet()
	err := set.Read("f", []byte(`
{kind: IngressClass, metadata: {name: old, creationTimestamp: "2024-01-01T00:00:00Z", annotations: {ingressclass.kubernetes.io/is-default-class: "true"}}}
---
{kind: IngressClass, metadata: {name: b, creationTimestamp: "2025-01-01T00:00:00Z", annotations: {ingressclass.kubernetes.io/is-default-class: "true"}}}
---
{kind: IngressClass, metadata: {name: a, creationTimestamp: "2025-01-01T00:00:00Z", annotations: {ingressclass.kubernetes.io/is-default-class: "true"}}}
---
{kind: IngressClass, metadata: {name: "0", creationTimestamp: "2026-01-01T00:00:00Z", annotations: {ingressclass.kubernetes.io/is-default-class: "false"}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	list := []*ingress.Ingress{
		{},
		{ClassName: "other"},
		{Annotations: map[string]string{"kubernetes.io/ingress.class": ""}},
	}
	giveDefaultClass(list, set)
	for i, want := range []string{"a", "other", ""} {
		if got := list[i].ClassName; got != want {
			t.Errorf("Ingress %d has class %q, want %q", i, got, want)
		}
	}
	list[0].ClassName = ""
	if giveDefaultClass(list, manifest.NewSet()); list[0].ClassName != "" {
		t.Errorf("class %q without an IngressClass", list[0].ClassName)
	}
}
