package visibility_test

import (
	"fmt"
	"net/netip"

	"github.com/readdress/readdress/visibility"
)

// meshConfig is the configuration of Istio's documentation: entries stay in
// their namespaces, except those that the administrators of the mesh write.
const meshConfig = `{"spec": {"meshConfig": {"serviceEntryVisibility": {
	"defaultVisibility": "NAMESPACE",
	"policies": [{
		"visibility": "PUBLIC",
		"matchingRules": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "istio-system"}}}]
	}]
}}}}`

// namespaces are the labels of each namespace, as Kubernetes sets them.
func namespaces(names ...string) map[string]map[string]string {
	labels := make(map[string]map[string]string)
	for _, name := range names {
		labels[name] = map[string]string{"kubernetes.io/metadata.name": name}
	}
	return labels
}

// example returns an index of three teams' entries for one host.
func example() *visibility.Index {
	resolver, err := visibility.Compile(visibility.RootNamespace("istio-system"))
	if err != nil {
		panic(err)
	}
	entries := []visibility.Entry{{
		Ref:       visibility.Ref{Namespace: "istio-system", Name: "github"},
		Hosts:     []string{"github.com", "*.github.com"},
		Addresses: []netip.Prefix{netip.MustParsePrefix("240.240.0.1/32")},
		Created:   200,
	}, {
		Ref:       visibility.Ref{Namespace: "team-a", Name: "github-mirror"},
		Hosts:     []string{"github.com"},
		Addresses: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24")},
		Created:   100,
	}, {
		Ref:     visibility.Ref{Namespace: "team-b", Name: "raw"},
		Hosts:   []string{"raw.github.com"},
		Created: 300,
	}}
	index, err := visibility.NewIndex(resolver, namespaces("istio-system", "team-a", "team-b"), entries, nil)
	if err != nil {
		panic(err)
	}
	return index
}

func Example() {
	config, err := visibility.ParseConfig([]byte(meshConfig))
	if err != nil {
		fmt.Println(err)
		return
	}
	resolver := visibility.Off() // unless it is configured
	if config != nil {
		if resolver, err = visibility.Compile(config); err != nil {
			fmt.Println(err) // and keep the resolver of before
			return
		}
	}
	index, err := visibility.NewIndex(resolver, namespaces("istio-system", "team-a"), []visibility.Entry{
		{Ref: visibility.Ref{Namespace: "team-a", Name: "example"}, Hosts: []string{"example.com"}},
		{Ref: visibility.Ref{Namespace: "istio-system", Name: "api"}, Hosts: []string{"api.example.com"}},
	}, nil)
	if err != nil {
		fmt.Println(err) // the index has the entries without a fault
	}
	for _, client := range []string{"team-a", "team-b"} {
		for _, host := range []string{"example.com", "api.example.com"} {
			if ref, ok := index.LookupHost(host, client); ok {
				fmt.Printf("%s from %s: %v\n", host, client, ref)
			} else {
				fmt.Printf("%s from %s: forward upstream\n", host, client)
			}
		}
	}
	// Output:
	// example.com from team-a: ServiceEntry team-a/example
	// api.example.com from team-a: ServiceEntry istio-system/api
	// example.com from team-b: forward upstream
	// api.example.com from team-b: ServiceEntry istio-system/api
}

func ExampleParseConfig() {
	_, err := visibility.ParseConfig([]byte(`{"serviceEntryVisibility": {
		"defaultVisiblity": "NAMESPACE",
		"policies": [{"visibility": "private"}]
	}}`))
	fmt.Println(err)
	// Output:
	// visibility: serviceEntryVisibility.defaultVisiblity: the field is unknown: write defaultVisibility
	// visibility: serviceEntryVisibility.policies[0].visibility: "private" is unknown: write NONE, NAMESPACE or PUBLIC
}

func ExampleParseDefaultExportTo() {
	text := []byte(`{"rootNamespace": "istio-system", "defaultServiceExportTo": ["."]}`)
	config, err := visibility.ParseConfig(text)
	fmt.Println(config == nil, err) // visibility is not configured
	exportTo, err := visibility.ParseDefaultExportTo(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	resolver := visibility.Off(exportTo...)
	fmt.Println(resolver.Scope(visibility.Public, "team-a", nil))
	// Output:
	// true <nil>
	// team-a
}

func ExampleParseConfigLenient() {
	config, warnings, err := visibility.ParseConfigLenient([]byte(`{"serviceEntryVisibility": {"defaultVisiblity": "NAMESPACE"}}`))
	fmt.Println(config.DefaultVisibility, warnings, err)
	// Output:
	// VISIBILITY_UNSPECIFIED [serviceEntryVisibility.defaultVisiblity: the field is unknown and dropped: write defaultVisibility (unknown-field)] <nil>
}

func ExampleResolver_Resolve() {
	config := visibility.NamespaceOnly()
	config.Policies = []visibility.Policy{{
		Visibility: visibility.Public,
		MatchingRules: []visibility.MatchRule{{NamespaceSelector: &visibility.LabelSelector{
			MatchLabels: map[string]string{"trusted": "true"},
		}}},
	}}
	resolver, err := visibility.Compile(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resolver.Configured())
	for _, labels := range []map[string]string{{"trusted": "true"}, {"trusted": "false"}, nil} {
		level, policy := resolver.Resolve(labels)
		fmt.Println(level, level.Reason(), policy, level.VisibleTo("team-a", "team-b"))
	}
	// Output:
	// true
	// PUBLIC Public 0 true
	// NAMESPACE Namespace -1 false
	// NAMESPACE Namespace -1 false
}

func ExampleResolver_Warnings() {
	resolver, err := visibility.Compile(&visibility.Config{
		DefaultVisibility: visibility.Namespace,
		Policies: []visibility.Policy{{
			Visibility: visibility.Public,
			MatchingRules: []visibility.MatchRule{{NamespaceSelector: &visibility.LabelSelector{
				MatchExpressions: []visibility.Requirement{{Key: "tenant", Operator: visibility.DoesNotExist}},
			}}},
		}},
	})
	fmt.Println(resolver.Warnings(), err)
	// Output:
	// [policies[0]: the policy makes entries PUBLIC because a label is missing or different, also in namespaces that are not known yet: require a label that is there (negative-only-grant)] <nil>
}

func ExampleResolver_Scope() {
	resolver, err := visibility.Compile(&visibility.Config{ApplyToSidecars: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	everyone := resolver.Scope(visibility.Public, "team-a", nil)
	own := resolver.Scope(visibility.Namespace, "team-a", []string{"*"})
	nobody := resolver.Scope(visibility.Namespace, "team-a", []string{"team-b"})
	fmt.Println(everyone, everyone.Everyone(), everyone.Allows("team-b"))
	fmt.Println(own, own.Namespaces(), own.Allows("team-b"))
	fmt.Println(nobody, nobody.Equal(visibility.Scope{}))
	// Output:
	// * true true
	// team-a [team-a] false
	// ~ true
}

func ExampleValidateExportTo() {
	fmt.Println(visibility.ValidateExportTo("team-a", []string{".", "team-a", "*"}))
	// Output:
	// visibility: exportTo[1]: the own namespace is written twice: write "." once
	// visibility: exportTo: "*" is everybody: write it alone
}

func ExampleCompileSelector() {
	selector, err := visibility.CompileSelector(&visibility.LabelSelector{
		MatchLabels:      map[string]string{"team": "a"},
		MatchExpressions: []visibility.Requirement{{Key: "stage", Operator: visibility.NotIn, Values: []string{"test"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(selector.Matches(map[string]string{"team": "a"}))
	fmt.Println(selector.Matches(map[string]string{"team": "a", "stage": "test"}))
	// Output:
	// true
	// false
}

func ExampleIndex_LookupAddr() {
	index := example()
	for _, client := range []string{"team-a", "team-b"} {
		ref, ok := index.LookupAddr(netip.MustParseAddr("10.0.0.7"), client)
		fmt.Println(ref, ok)
	}
	// Output:
	// ServiceEntry team-a/github-mirror true
	// none false
}

func ExampleIndex_LookupDNS() {
	index := example()
	// The exact entry of team-b has no address to answer with.
	fmt.Println(index.LookupHost("raw.github.com", "team-b"))
	ref, ok := index.LookupDNS("raw.github.com", "team-b")
	fmt.Println(ref, ok)
	entry, _ := index.Entry(ref)
	fmt.Println(entry.Addresses)
	// Output:
	// ServiceEntry team-b/raw true
	// ServiceEntry istio-system/github true
	// [240.240.0.1/32]
}

func ExampleIndex_With() {
	before := example()
	after, err := before.With(visibility.Changes{
		Namespaces: map[string]map[string]string{"team-a": nil}, // gone, and so is what is in it
		Remove:     []visibility.Ref{{Namespace: "team-a", Name: "github-mirror"}},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(before)
	fmt.Println(after)
	fmt.Println(after.Refs())
	// Output:
	// 3 entries, 3 hosts, 2 addresses
	// 2 entries, 3 hosts, 1 addresses
	// [ServiceEntry istio-system/github ServiceEntry team-b/raw]
}

func ExampleIndex_Explain() {
	index := example()
	for _, client := range []string{"team-a", "team-b"} {
		e := index.Explain("raw.github.com", client)
		fmt.Println(client, e.Reason, e.Ref, "by", e.Host)
		for _, c := range e.Hidden {
			fmt.Println("  passed over:", c.Ref, c.Reason, c.Level, c.Policy)
		}
	}
	// Output:
	// team-a canonical ServiceEntry istio-system/github by *.github.com
	//   passed over: ServiceEntry team-b/raw hidden-namespace NAMESPACE -1
	// team-b own-namespace ServiceEntry team-b/raw by raw.github.com
}

func ExampleIndex_Audience() {
	index := example()
	for _, ref := range index.VisibleFrom("team-b") {
		audience, _ := index.Audience(ref)
		level, policy := index.Level(ref)
		fmt.Println(ref, "for", audience, level, policy)
	}
	// Output:
	// ServiceEntry istio-system/github for * PUBLIC 0
	// ServiceEntry team-b/raw for team-b NAMESPACE -1
}

func ExampleIndex_All() {
	index := example()
	for host, ref := range index.All() {
		level, _ := index.Level(ref)
		fmt.Println(host, ref, level.Reason())
	}
	// Output:
	// *.github.com ServiceEntry istio-system/github Public
	// github.com ServiceEntry team-a/github-mirror Namespace
	// github.com ServiceEntry istio-system/github Public
	// raw.github.com ServiceEntry team-b/raw Namespace
}

func ExampleDiff() {
	before := example()
	resolver, err := visibility.Compile(new(visibility.Config)) // everything Public
	if err != nil {
		fmt.Println(err)
		return
	}
	var entries []visibility.Entry
	for _, ref := range before.Refs() {
		entry, _ := before.Entry(ref)
		entries = append(entries, entry)
	}
	after, err := visibility.NewIndex(resolver, nil, entries, nil)
	if err != nil {
		fmt.Println(err)
	}
	for _, c := range visibility.Diff(before, after) {
		fmt.Printf("%s: %v -> %v, not for %v; team-c: %v\n", c.Name, c.Before, c.After, c.Except, c.Affects("team-c"))
	}
	// Output:
	// github.com: ServiceEntry istio-system/github -> ServiceEntry team-a/github-mirror, not for [istio-system team-a]; team-c: true
	// raw.github.com: ServiceEntry istio-system/github -> ServiceEntry team-b/raw, not for [team-b]; team-c: true
	// 10.0.0.0/24: none -> ServiceEntry team-a/github-mirror, not for [team-a]; team-c: true
}

func ExampleIndex_Conditions() {
	index := example()
	ref := visibility.Ref{Namespace: "team-a", Name: "github-mirror"}
	canary := visibility.Waypoint{Namespace: "shared", Name: "canary"}
	fmt.Println(index.BindWaypoint(ref, canary.Namespace))
	for _, c := range index.Conditions(ref, visibility.Waypoint{Namespace: "team-a", Name: "main"}, canary) {
		fmt.Println(c.Type, c.Status, c.Reason)
		fmt.Println("  " + c.Message)
	}
	// Output:
	// visibility: an entry that is visible in its namespace only cannot use a waypoint of another one
	// istio.io/VisibilityApplied True Namespace
	//   the visibility of the entry is its own namespace
	// istio.io/WaypointBound False CrossNamespaceWaypointForbidden
	//   the visibility of the entry forbids the use of shared/canary
}

func ExampleParseAddress() {
	for _, text := range []string{"240.240.0.1", "10.0.0.0/8", "fe80::1%eth0"} {
		fmt.Println(visibility.ParseAddress(text))
	}
	// Output:
	// 240.240.0.1/32 <nil>
	// 10.0.0.0/8 <nil>
	// invalid Prefix visibility: "fe80::1%eth0" is no address: write one like 10.0.0.1, 10.0.0.0/8 or 2001:db8::/32
}

func ExampleRootNamespace() {
	r, err := visibility.Compile(visibility.RootNamespace("istio-system"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"istio-system", "team-a"} {
		level, policy := r.Resolve(map[string]string{"kubernetes.io/metadata.name": name})
		fmt.Println(name, level, policy)
	}
	// Output:
	// istio-system PUBLIC 0
	// team-a NAMESPACE -1
}
