//go:build istio

// Which of several services with one host istiod gives a proxy, sidecar or
// gateway, and which LookupHost finds for its namespace.

package istio_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	mesh "istio.io/api/mesh/v1alpha1"
	"istio.io/istio/pilot/pkg/model"
	"istio.io/istio/pilot/pkg/serviceregistry/provider"
	"istio.io/istio/pkg/config/mesh/meshwatcher"
	exportto "istio.io/istio/pkg/config/visibility"
	"istio.io/istio/pkg/kube/krt"
	"istio.io/istio/pkg/util/sets"

	"github.com/readdress/readdress/visibility"
)

const sharedHost = "shared.example"

// A world is some services with one host, in namespaces that each have a level.
type world struct {
	config  *visibility.Config
	labels  map[string]map[string]string
	levels  map[string]visibility.Level
	entries []visibility.Entry
}

func randomWorld(r *rand.Rand) *world {
	w := &world{
		config: &visibility.Config{
			ApplyToSidecars: r.IntN(2) == 0,
			DefaultExportTo: one(r, [][]string{{"*"}, {"."}, {"~"}, {"a"}, {".", "b"}}),
		},
		labels: make(map[string]map[string]string),
		levels: make(map[string]visibility.Level),
	}
	names := []string{"a", "b", "c"}
	for _, ns := range names {
		labels := map[string]string{"kubernetes.io/metadata.name": ns}
		w.labels[ns], w.levels[ns] = labels, one(r, levels[1:])
		w.config.Policies = append(w.config.Policies, visibility.Policy{
			Visibility:    w.levels[ns],
			MatchingRules: []visibility.MatchRule{{NamespaceSelector: &visibility.LabelSelector{MatchLabels: labels}}},
		})
	}
	seen := make(map[visibility.Ref]bool)
	for i := range 1 + r.IntN(6) {
		e := visibility.Entry{
			Ref:     visibility.Ref{Namespace: one(r, names), Name: fmt.Sprint("entry-", i)},
			Hosts:   []string{sharedHost},
			Created: int64(r.IntN(4)),
		}
		if r.IntN(4) == 0 { // of these there is one a namespace, as the host has its name
			e.Kind, e.Name = visibility.Service, "shared"
		}
		for _, name := range []string{"*", ".", "a", "b", "c"} {
			if r.IntN(4) == 0 {
				e.ExportTo = append(e.ExportTo, name)
			}
		}
		if r.IntN(8) == 0 {
			e.ExportTo = []string{"~"}
		}
		if !seen[e.Ref] {
			w.entries = append(w.entries, e)
		}
		seen[e.Ref] = true
	}
	return w
}

// A push is a registry, as istiod makes its answers of it.
type push struct {
	model.ServiceDiscovery
	services []*model.Service
	context  *model.PushContext
}

func (p *push) Services() []*model.Service { return slices.Clone(p.services) }

func (w *world) push(store model.ConfigStoreController, virtual *model.VirtualServiceController) *push {
	p := &push{context: model.NewPushContext()}
	for i := range w.entries {
		e := &w.entries[i]
		s := &model.Service{
			Hostname:     sharedHost,
			CreationTime: time.Unix(e.Created, 0),
			Ports:        model.PortList{{Name: "http", Port: 80}},
			Attributes: model.ServiceAttributes{
				ServiceRegistry: provider.External,
				Name:            sharedHost,
				Namespace:       e.Namespace,
				K8sAttributes:   model.K8sAttributes{ObjectName: e.Name},
			},
		}
		for theirs, ours := range levelOf {
			if e.Kind == visibility.ServiceEntry && ours == w.levels[e.Namespace] {
				s.Attributes.Visibility = theirs
			}
		}
		if e.Kind == visibility.Service {
			s.Attributes.ServiceRegistry = provider.Kubernetes
		}
		if len(e.ExportTo) > 0 {
			s.Attributes.ExportTo = sets.New[exportto.Instance]()
			for _, name := range e.ExportTo {
				s.Attributes.ExportTo.Insert(exportto.Instance(name))
			}
		}
		p.services = append(p.services, s)
	}
	env := model.NewEnvironment()
	env.ConfigStore, env.VirtualServiceController, env.ServiceDiscovery = store, virtual, p
	env.Watcher = meshwatcher.NewTestWatcher(&mesh.MeshConfig{
		RootNamespace:          "istio-system",
		DefaultServiceExportTo: w.config.DefaultExportTo,
		ServiceEntryVisibility: &mesh.ServiceEntryVisibility{ApplyToSidecars: w.config.ApplyToSidecars},
	})
	env.Init()
	p.context.InitContext(env, nil, nil)
	return p
}

// gives returns what a proxy is given for the host, the zero Ref if nothing.
func (p *push) gives(plane visibility.DataPlane, namespace string) visibility.Ref {
	proxy := &model.Proxy{Type: model.SidecarProxy, ConfigNamespace: namespace, Metadata: new(model.NodeMetadata)}
	if plane == visibility.Gateway {
		proxy.Type = model.Router
	}
	proxy.SetSidecarScope(p.context)
	s := p.context.ServiceForHostname(proxy, sharedHost)
	if s == nil {
		return visibility.Ref{}
	}
	ref := visibility.Ref{Namespace: s.Attributes.Namespace, Name: s.Attributes.K8sAttributes.ObjectName}
	if s.Attributes.ServiceRegistry == provider.Kubernetes {
		ref.Kind = visibility.Service
	}
	return ref
}

func (w *world) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "applyToSidecars %t, default %q", w.config.ApplyToSidecars, w.config.DefaultExportTo)
	for _, e := range w.entries {
		fmt.Fprintf(&b, "\n\t%v created %d exportTo %q %v", e.Ref, e.Created, e.ExportTo, w.levels[e.Namespace])
	}
	return b.String()
}

// intended says why the answers may differ, "" if they may not: the order here is
// total, so that being named in exportTo does not make an entry come before an
// older one for everyone; and what a namespace keeps from others comes first at
// its gateways as at its sidecars.
func intended(x *visibility.Index, plane visibility.DataPlane, client string, got, want visibility.Ref) string {
	ours, _ := x.Audience(got)
	theirs, _ := x.Audience(want)
	switch {
	case got == visibility.Ref{} || want == visibility.Ref{}:
		return ""
	case ours.Everyone() && !theirs.Everyone() && got.Kind == want.Kind:
		return "named in exportTo"
	case plane == visibility.Gateway && !ours.Everyone() && got.Namespace == client && want.Namespace != client:
		return "own at a gateway"
	}
	return ""
}

func TestSelection(t *testing.T) {
	store := model.NewFakeStore()
	virtual := model.NewVirtualServiceController(store,
		model.VSControllerOptions{KrtDebugger: krt.GlobalDebugHandler}, meshwatcher.NewTestWatcher(new(mesh.MeshConfig)))
	go store.Run(t.Context().Done())
	go virtual.Run(t.Context().Done())
	for !store.HasSynced() || !virtual.HasSynced() {
		time.Sleep(time.Millisecond)
	}
	r := rand.New(rand.NewPCG(2, 2))
	differ := make(map[string]int)
	found, compared := 0, 0
	for range 10_000 {
		w := randomWorld(r)
		resolver, err := visibility.Compile(w.config)
		if err != nil {
			t.Fatal(err)
		}
		for _, plane := range []visibility.DataPlane{visibility.Envoy, visibility.Gateway} {
			// A push for each: a gateway is given what a sidecar of its namespace
			// was given before it.
			p := w.push(store, virtual)
			x, err := visibility.NewIndex(resolver, w.labels, w.entries, &visibility.IndexOptions{DataPlane: plane})
			if err != nil {
				t.Fatal(err)
			}
			for _, client := range []string{"a", "b", "c", "d"} {
				got, ok := x.LookupHost(sharedHost, client)
				want := p.gives(plane, client)
				compared++
				if ok {
					found++
				}
				if got == want {
					continue
				}
				why := intended(x, plane, client, got, want)
				if why == "" {
					t.Fatalf("data plane %d, client %s: %v, istiod says %v\n%v", plane, client, got, want, w)
				}
				differ[why]++
			}
		}
	}
	for _, why := range []string{"named in exportTo", "own at a gateway"} {
		if n := differ[why]; n == 0 || n > compared/20 {
			t.Errorf("%d of %d answers differ because of what is %s", n, compared, why)
		}
	}
	if found < compared/3 || found > compared*9/10 {
		t.Errorf("%d of %d lookups found something: the cases say little", found, compared)
	}
}
