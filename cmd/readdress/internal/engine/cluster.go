package engine

// The cluster, as far as the manifests tell of it.

import (
	"maps"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// controllers are the beginnings of spec.controller of IngressClasses, and the
// dialects of these controllers.
var controllers = []struct{ controller, dialect string }{
	{"k8s.io/ingress-nginx", "nginx"},
	{"haproxy.org/", "haproxy"},
	{"haproxy-ingress.github.io/", "haproxy-ingress"},
	{"traefik.io/", "traefik"},
	{"projectcontour.io/", "contour"},
	{"ingress-controllers.konghq.com/", "kong"},
	{"bfe-networks.com/", "bfe"},
}

// newCluster makes a Cluster of the objects beside the routes. Without a Service
// among them it is not known which there are; with one, there are no others.
func newCluster(set *manifest.Set, opts *Options) *ingress.Cluster {
	c := &ingress.Cluster{
		Classes: make(map[string]string),
		Object:  set.Lookup,
		Grant:   grants(set),
	}
	if len(opts.Hosts) > 0 {
		c.Rewrite = &rewrite.Options{AllowedHosts: opts.Hosts}
	}
	for _, o := range set.Of("IngressClass") {
		var class struct{ Spec struct{ Controller string } }
		if o.Decode(&class) != nil {
			continue
		}
		for _, known := range controllers {
			if strings.HasPrefix(class.Spec.Controller, known.controller) {
				c.Classes[strings.ToLower(o.Ref.Name)] = known.dialect
			}
		}
	}
	maps.Copy(c.Classes, opts.Classes)
	if services := set.Of("Service"); len(services) > 0 {
		c.Service = func(namespace, name string) (ingress.ServiceInfo, bool) {
			o := set.Find("Service", namespace, name)
			if o == nil {
				return ingress.ServiceInfo{}, false
			}
			return serviceInfo(o), true
		}
	}
	return c
}

// giveDefaultClass writes the class that the API server gives Ingresses without
// one: the newest of the IngressClasses that are marked for it, and of equally new
// ones the first by name.
func giveDefaultClass(ingresses []*ingress.Ingress, set *manifest.Set) {
	var name, created string
	for _, o := range set.Of("IngressClass") {
		var class struct {
			Metadata struct{ CreationTimestamp string }
		}
		if o.Annotations["ingressclass.kubernetes.io/is-default-class"] != "true" || o.Decode(&class) != nil {
			continue
		}
		at := class.Metadata.CreationTimestamp
		if name == "" || at > created || at == created && o.Ref.Name < name {
			name, created = o.Ref.Name, at
		}
	}
	for _, in := range ingresses {
		if _, ok := in.Annotations["kubernetes.io/ingress.class"]; !ok && in.ClassName == "" {
			in.ClassName = name
		}
	}
}

func serviceInfo(o *manifest.Object) ingress.ServiceInfo {
	var service struct {
		Spec struct {
			Ports []struct {
				Name string
				Port int
			}
		}
	}
	info := ingress.ServiceInfo{Annotations: o.Annotations}
	if o.JSON == nil || o.Decode(&service) != nil {
		return info
	}
	for _, p := range service.Spec.Ports {
		info.Ports = append(info.Ports, ingress.ServicePort{Name: p.Name, Number: p.Port})
	}
	return info
}

// grants answers by the ReferenceGrants of set.
func grants(set *manifest.Set) func(from, to ingress.ObjectRef) bool {
	type grant struct {
		namespace string
		Spec      struct {
			From []struct{ Group, Kind, Namespace string }
			To   []struct{ Group, Kind, Name string }
		}
	}
	var list []grant
	for _, o := range set.Of("ReferenceGrant") {
		g := grant{namespace: o.Ref.Namespace}
		if err := o.Decode(&g); err != nil {
			set.Unusable(o, &g, err)
			continue
		}
		list = append(list, g)
	}
	return func(from, to ingress.ObjectRef) bool {
		for _, g := range list {
			if g.namespace != to.Namespace {
				continue
			}
			for _, f := range g.Spec.From {
				if f.Group != from.Group || f.Kind != from.Kind || f.Namespace != from.Namespace {
					continue
				}
				for _, t := range g.Spec.To {
					if t.Group == to.Group && t.Kind == to.Kind && (t.Name == "" || t.Name == to.Name) {
						return true
					}
				}
			}
		}
		return false
	}
}
