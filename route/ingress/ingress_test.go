package ingress_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/route/ingress"
)

func decode(t *testing.T, text string) *ingress.Ingress {
	t.Helper()
	var in ingress.Ingress
	require.NoError(t, json.Unmarshal([]byte(text), &in))
	return &in
}

func TestDecode(t *testing.T) {
	in := decode(t, `{
		"apiVersion": "networking.k8s.io/v1", "kind": "Ingress",
		"metadata": {"namespace": "shop", "name": "web", "creationTimestamp": "2026-01-02T03:04:05Z",
			"annotations": {"a/b": "c", "null": null}, "labels": {"ignored": "yes"}},
		"spec": {
			"ingressClassName": "nginx",
			"defaultBackend": {"resource": {"apiGroup": "k8s.example.com", "kind": "StorageBucket", "name": "static"}},
			"tls": [{"hosts": ["a.example.com", null], "secretName": "cert"}, null],
			"rules": [
				null,
				{"host": "a.example.com", "http": {"paths": [
					null,
					{"path": "/x", "pathType": "Exact", "backend": {"service": {"name": "x", "port": {"number": 8080}}}},
					{"path": null, "pathType": null, "backend": {"service": {"name": "y", "port": {"name": "web"}}}},
					{"backend": {"service": {"name": "z", "port": null}}},
					{"backend": null}
				]}},
				{"host": null, "http": null},
				{"http": {"paths": null}}
			]
		}
	}`)
	assert.Equal(t, &ingress.Ingress{
		Namespace: "shop", Name: "web", Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Annotations: map[string]string{"a/b": "c"}, ClassName: "nginx",
		Default: &ingress.BackendRef{IsResource: true, Resource: ingress.ObjectRef{Group: "k8s.example.com", Kind: "StorageBucket", Name: "static"}},
		TLS:     []ingress.TLS{{Hosts: []string{"a.example.com"}, Secret: "cert"}, {}},
		Rules: []ingress.Rule{
			{},
			{Host: "a.example.com", Paths: []ingress.Path{
				{},
				{Path: "/x", Type: "Exact", Backend: &ingress.BackendRef{Service: "x", Port: 8080}},
				{Backend: &ingress.BackendRef{Service: "y", PortName: "web"}},
				{Backend: &ingress.BackendRef{Service: "z"}},
				{},
			}},
			{},
			{},
		},
	}, in)
}

func TestDecodeV1beta1(t *testing.T) {
	in := decode(t, `{"kind": "Ingress", "metadata": {"name": "old"}, "spec": {
		"backend": {"serviceName": "fallback", "servicePort": 80},
		"rules": [{"http": {"paths": [
			{"backend": {"serviceName": "a", "servicePort": "http"}},
			{"backend": {"serviceName": "b", "servicePort": null}},
			{"backend": {"serviceName": "c"}}
		]}}]}}`)
	assert.Equal(t, &ingress.BackendRef{Service: "fallback", Port: 80}, in.Default)
	assert.Equal(t, []ingress.Path{
		{Backend: &ingress.BackendRef{Service: "a", PortName: "http"}},
		{Backend: &ingress.BackendRef{Service: "b"}},
		{Backend: &ingress.BackendRef{Service: "c"}},
	}, in.Rules[0].Paths)
}

func TestDecodeNothing(t *testing.T) {
	for _, text := range []string{`{}`, `null`, `{"metadata": null, "spec": null}`, `{"spec": {"rules": null, "tls": null, "defaultBackend": null}}`} {
		assert.Equal(t, &ingress.Ingress{}, decode(t, text), text)
	}
}

func TestDecodeFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind": "Service"}`:                                          `kind is "Service"`,
		`{"metadata": {"name": 5}}`:                                    "metadata.name",
		`{"metadata": {"creationTimestamp": "today"}}`:                 "metadata.creationTimestamp",
		`{"spec": {"rules": {}}}`:                                      "spec.rules",
		`{"metadata": {"annotations": {"a": true}}}`:                   "metadata.annotations",
		`{"metadata": {"annotations": []}}`:                            "metadata.annotations: write an object, not an array",
		`{"metadata": {"annotations": {"c": 1, "b": true, "a": "x"}}}`: `metadata.annotations["b"]: write a text, in quotes, not a bool`,
		`{"spec": {"defaultBackend": {"resource": {"apiGroup": 1}}}}`:  "spec.defaultBackend.resource.apiGroup: write a text, in quotes, not a number",
		`{"spec": {"rules": [{"http": {"paths": [{"backend": {"serviceName": "a", "servicePort": {}}}]}}]}}`: "spec.rules[0].http.paths[0].backend: servicePort",
		`{`: "unexpected end",
	} {
		in := ingress.Ingress{Name: "kept"}
		err := json.Unmarshal([]byte(text), &in)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), want, text)
		assert.Equal(t, ingress.Ingress{Name: "kept"}, in, "nothing is half decoded")
	}
}

func TestClass(t *testing.T) {
	c := &ingress.Cluster{
		Classes: map[string]string{"internal": "NGINX", "two": "internal", "none": "", "Upper": "kong"},
		Known:   []string{"nginx", "haproxy", "Mine"},
	}
	const legacy = "kubernetes.io/ingress.class"
	for _, test := range []struct {
		name, class, annotation string
		want                    string
		known                   bool
	}{
		{"none", "", "", "", false},
		{"its own", "nginx", "", "nginx", true},
		{"letter case", "NgInX", "", "nginx", true},
		{"annotation", "", "HAProxy", "haproxy", true},
		{"the field wins", "nginx", "haproxy", "nginx", true},
		{"mapped", "internal", "", "nginx", true},
		{"mapped, letter case of the class", "INTERNAL", "", "nginx", true},
		{"one hop", "two", "", "internal", false},
		{"empty mapping", "none", "", "none", false},
		{"keys are in lower case", "Upper", "", "upper", false},
		{"unknown", "custom", "", "custom", false},
		{"known in another letter case", "mine", "", "mine", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := &ingress.Ingress{ClassName: test.class}
			if test.annotation != "" {
				in.Annotations = map[string]string{legacy: test.annotation}
			}
			name, known := c.Class(in)
			assert.Equal(t, test.want, name)
			assert.Equal(t, test.known, known)
		})
	}
	name, known := (*ingress.Cluster)(nil).Class(&ingress.Ingress{ClassName: "A"})
	assert.Equal(t, "a", name)
	assert.False(t, known)
	name, _ = c.Class(nil)
	assert.Empty(t, name)
}

func TestClaims(t *testing.T) {
	c := &ingress.Cluster{Known: []string{"nginx", "haproxy"}}
	stray := map[string]string{"nginx.ingress.kubernetes.io/rewrite-target": "/"}
	for _, test := range []struct {
		name string
		in   *ingress.Ingress
		want bool
	}{
		{"own class", &ingress.Ingress{ClassName: "nginx"}, true},
		{"another known class beats stray annotations", &ingress.Ingress{ClassName: "haproxy", Annotations: stray}, false},
		{"an unknown class falls back to annotations", &ingress.Ingress{ClassName: "custom", Annotations: stray}, true},
		{"classless with annotations", &ingress.Ingress{Annotations: stray}, true},
		{"classless without", &ingress.Ingress{}, false},
		{"unknown class without", &ingress.Ingress{ClassName: "custom"}, false},
		{"nil", nil, false},
	} {
		assert.Equal(t, test.want, c.Claims(test.in, []string{"nginx"}, []string{"nginx.ingress.kubernetes.io/"}), test.name)
	}
	assert.False(t, c.Claims(&ingress.Ingress{}, []string{""}, nil), "no class is no class of anybody")
	assert.True(t, c.Claims(&ingress.Ingress{ClassName: "nginx"}, []string{"NGINX"}, nil), "letter case does not matter in classes")
}

func TestHasTLS(t *testing.T) {
	for _, test := range []struct {
		name  string
		hosts []string
		host  string
		want  bool
	}{
		{"exact", []string{"a.b"}, "A.B", true},
		{"wildcard", []string{"*.b"}, "a.b", true},
		{"one label only", []string{"*.b"}, "x.a.b", false},
		{"not the name itself", []string{"*.b"}, "b", false},
		{"not an empty label", []string{"*.b"}, ".b", false},
		{"another", []string{"c.b"}, "a.b", false},
		{"all hosts", nil, "a.b", true},
	} {
		in := &ingress.Ingress{TLS: []ingress.TLS{{Hosts: test.hosts}}}
		assert.Equal(t, test.want, in.HasTLS(test.host), test.name)
	}
	assert.False(t, (&ingress.Ingress{}).HasTLS("a.b"))
}
