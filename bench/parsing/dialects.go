package parsing

// The dialects, each with a thousand objects that say the same: a host of its
// own, and below it a prefix that is cut off.

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/route/ingress/contour"
	"github.com/readdress/readdress/route/ingress/gateway"
	"github.com/readdress/readdress/route/ingress/haproxy"
	"github.com/readdress/readdress/route/ingress/kong"
	"github.com/readdress/readdress/route/ingress/nginx"
	"github.com/readdress/readdress/route/ingress/traefik"
)

// Objects is how many objects a translation is measured with.
const Objects = 1_000

// A Dialect is a way to say that /app is cut off.
type Dialect struct {
	Name string
	// Manifest is one object in JSON, with %d in the place of its number.
	Manifest string
	// New decodes manifests and returns what translates the first n objects.
	New func(tb testing.TB, manifests []string) func(n int) ingress.Translation
	// Decode decodes one manifest into what New translates.
	Decode func(manifest string) error
}

// Dialects returns the dialects that can say it.
func Dialects() []Dialect {
	return []Dialect{
		ingresses("bfe", bfe.New(nil), nil, "/app", "Prefix",
			`"bfe.ingress.kubernetes.io/rewrite-url.path-prefix-trim": "[{\"params\": \"/app\"}]"`),
		objects("contour", `{"metadata": {"name": "web-%d", "namespace": "default"}, "spec": {"virtualhost": {"fqdn": "h%[1]d.example.com"}, "routes": [{
			"conditions": [{"prefix": "/app/"}], "services": [{"name": "web", "port": 80}],
			"pathRewritePolicy": {"replacePrefix": [{"replacement": "/"}]}}]}}`, contour.Translate),
		objects("gateway", `{"metadata": {"name": "web-%d", "namespace": "default"}, "spec": {"hostnames": ["h%[1]d.example.com"], "rules": [{
			"matches": [{"path": {"type": "PathPrefix", "value": "/app"}}], "backendRefs": [{"name": "web", "port": 80}],
			"filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}]}]}}`, gateway.Translate),
		ingresses("haproxy", haproxy.New(nil), nil, "/app", "Prefix",
			`"haproxy.org/path-rewrite": "/app/(.*) /\\1"`),
		ingresses("kong", kong.New(nil), nil, "/app", "Prefix", `"konghq.com/strip-path": "true"`),
		ingresses("nginx", nginx.New(nil), nil, "/app(/|$)(.*)", "ImplementationSpecific",
			`"nginx.ingress.kubernetes.io/rewrite-target": "/$2", "nginx.ingress.kubernetes.io/use-regex": "true"`),
		ingresses("traefik", traefik.New(nil), middleware(`{"spec": {"stripPrefix": {"prefixes": ["/app"]}}}`), "/app", "Prefix",
			`"traefik.ingress.kubernetes.io/router.middlewares": "default-strip@kubernetescrd"`),
	}
}

// middleware is a cluster with one object.
func middleware(object string) *ingress.Cluster {
	return &ingress.Cluster{Object: func(ingress.ObjectRef) ([]byte, bool) { return []byte(object), true }}
}

func ingresses(name string, rewriter ingress.Rewriter, c *ingress.Cluster, path, pathType, annotations string) Dialect {
	manifest := `{"metadata": {"name": "web-%d", "namespace": "default", "annotations": {` + annotations + `}},
		"spec": {"ingressClassName": "` + name + `", "rules": [{"host": "h%[1]d.example.com", "http": {"paths": [{
			"path": "` + path + `", "pathType": "` + pathType + `", "backend": {"service": {"name": "web", "port": {"number": 80}}}}]}}]}}`
	return objects(name, manifest, func(list []*ingress.Ingress, _ *ingress.Cluster) ingress.Translation {
		return rewriter.Rewrite(list, c)
	})
}

func objects[T any](name, manifest string, translate func([]*T, *ingress.Cluster) ingress.Translation) Dialect {
	return Dialect{
		Name: name, Manifest: manifest,
		New: func(tb testing.TB, manifests []string) func(n int) ingress.Translation {
			list := make([]*T, len(manifests))
			for i, m := range manifests {
				list[i] = new(T)
				if err := json.Unmarshal([]byte(m), list[i]); err != nil {
					tb.Fatal(err)
				}
			}
			return func(n int) ingress.Translation { return translate(list[:n], nil) }
		},
		Decode: func(manifest string) error { return json.Unmarshal([]byte(manifest), new(T)) },
	}
}

// Manifests returns n objects of the dialect.
func (d *Dialect) Manifests(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(d.Manifest, i)
	}
	return list
}
