// The entry points of the package, one example each.

package annotation_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

// The annotations of an Ingress are read once, and its requests rewritten by
// the program.
func Example() {
	plan, err := annotation.Parse(map[string]string{
		"kubernetes.io/ingress.class":                            "bfe",
		"bfe.ingress.kubernetes.io/rewrite-url.path-prefix-trim": `[{"params": "/api"}]`,
		"bfe.ingress.kubernetes.io/rewrite-url.query-rename":     `[{"params": {"name": "user"}}]`,
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := plan.Compile()
	if err != nil {
		fmt.Println(err)
		return
	}
	u := rewrite.URL{Scheme: "https", Host: "example.org", Path: "/api/bar", RawQuery: "name=alice"}
	_, err = program.Apply(rewrite.AfterLocation, &u, nil)
	fmt.Println(u, err)
	// Output: https://example.org/bar?user=alice <nil>
}

// The error has every fault of every annotation.
func ExampleParse() {
	_, err := annotation.Parse(map[string]string{
		"bfe.ingress.kubernetes.io/rewrite-url.host":         `[{"params": "exa mple.com", "order": "2"}]`,
		"bfe.ingress.kubernetes.io/rewrite-url.query-rename": `[{"params": {"name": "user"}, "order": 1}}]`,
		"bfe.ingress.kubernetes.io/rewrite-url.path-add":     `[{"params": "/bar"}]`,
	}, nil)
	fmt.Println(err)
	// Output:
	// annotation: bfe.ingress.kubernetes.io/rewrite-url.host[0]@16: "exa mple.com": ' ' is not allowed in a host
	// annotation: bfe.ingress.kubernetes.io/rewrite-url.host[0]@37: write 2, not "2"
	// annotation: bfe.ingress.kubernetes.io/rewrite-url.path-add: unknown key: write bfe.ingress.kubernetes.io/rewrite-url.path-prefix-add
	// annotation: bfe.ingress.kubernetes.io/rewrite-url.query-rename[0]@41: one "}" too many: remove it
}

// Two actions that nothing puts in order are an error, unless the table of
// keys may do so.
func ExampleParse_tableOrder() {
	annotations := map[string]string{
		"bfe.ingress.kubernetes.io/rewrite-url.query-add":    `[{"params": {"user": "alice"}}]`,
		"bfe.ingress.kubernetes.io/rewrite-url.query-delete": `[{"params": ["user"]}]`,
	}
	_, err := annotation.Parse(annotations, nil)
	fmt.Println(err)
	plan, _ := annotation.Parse(annotations, &annotation.Options{TableOrder: true})
	fmt.Println(plan.Warnings)
	// Output:
	// annotation: bfe.ingress.kubernetes.io/rewrite-url.query-delete[0]@12: runs at AfterLocation with order 0, as bfe.ingress.kubernetes.io/rewrite-url.query-add does, and the result depends on which is first: give them different orders (see bfe.ingress.kubernetes.io/rewrite-url.query-add[0]@13)
	// annotation: bfe.ingress.kubernetes.io/rewrite-url.query-delete[0]@12: runs at AfterLocation with order 0, as bfe.ingress.kubernetes.io/rewrite-url.query-add does, and the result depends on which is first: it runs second (see bfe.ingress.kubernetes.io/rewrite-url.query-add[0]@13)
}

// Compile uses the options that Parse had.
func ExamplePlan_Compile() {
	plan, err := annotation.Parse(map[string]string{
		"bfe.ingress.kubernetes.io/rewrite-url.host-from-path-prefix": `[{"params": true}]`,
	}, &annotation.Options{Rewrite: &rewrite.Options{AllowedHosts: []string{"*.example.org"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := plan.Compile()
	fmt.Println(program.Touches(rewrite.AfterLocation), err)
	// Output: host|path <nil>
}

// A plan prints its rules in the order in which they run.
func ExamplePlan_String() {
	plan, _ := annotation.Parse(map[string]string{
		"example.com/path-prefix-add": `[{"params": "/v2", "order": 1}, {"params": "/pod", "when": "Forward"}]`,
		"example.com/host":            `[{"params": "backend.internal"}]`,
	}, &annotation.Options{Prefix: "example.com/"})
	fmt.Print(plan)
	// Output:
	// AfterLocation  0 SetHost("backend.internal") from example.com/host[0]@12
	// AfterLocation  1 AddPathPrefix("/v2") from example.com/path-prefix-add[0]@12
	// Forward        0 AddPathPrefix("/pod") from example.com/path-prefix-add[1]@43
}

// Rules as annotations, in their shortest form.
func ExampleFormat() {
	plan := &annotation.Plan{Rules: []rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/api")},
		{Order: 1, Action: rewrite.AddQuery("from", "gateway")},
		{Order: 1, Action: rewrite.AddQuery("lang", "en")},
	}}
	annotations, err := annotation.Format(plan, nil)
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		fmt.Printf("%s: '%s'\n", key, annotations[key])
	}
	fmt.Println(err)
	// Output:
	// bfe.ingress.kubernetes.io/rewrite-url.path-prefix-trim: '[{"params":"/api"}]'
	// bfe.ingress.kubernetes.io/rewrite-url.query-add: '[{"params":{"from":"gateway","lang":"en"},"order":1}]'
	// <nil>
}

// A value with its fault, for a terminal.
func ExampleError_Caret() {
	annotations := map[string]string{
		"bfe.ingress.kubernetes.io/rewrite-url.query-add": `[{"params": "{"name": "alice"}"}]`,
	}
	_, err := annotation.Parse(annotations, nil)
	var faults annotation.ErrorList
	if errors.As(err, &faults) {
		for _, e := range faults {
			fmt.Print(e.Caret(annotations[e.Key]))
			fmt.Println(e.Detail)
		}
	}
	// Output:
	// [{"params": "{"name": "alice"}"}]
	//                ^
	// the string ended at 14: write the object or list without quotes around it, or each quote in it as \"
}

// Where Kubernetes says the fault is.
func ExampleError_FieldPath() {
	_, err := annotation.Parse(map[string]string{
		"bfe.ingress.kubernetes.io/rewrite-url.path": `[]`,
	}, nil)
	var fault *annotation.Error
	if errors.As(err, &fault) {
		fmt.Printf("%s: %s\n", fault.FieldPath(), fault.Detail)
	}
	// Output:
	// metadata.annotations[bfe.ingress.kubernetes.io/rewrite-url.path]: empty list: write an item, such as [{"params": "/foo/bar"}], or remove the annotation
}
