package ingress_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/readdress/readdress/route/ingress"
)

// FuzzDispatch gives any manifest to a rewriter that takes everything: nothing
// panics, every entry of the result compiles, and its JSON comes back as it was.
func FuzzDispatch(f *testing.F) {
	f.Add([]byte(manifest))
	f.Add([]byte(`{"spec": {"rules": [null, {"http": {"paths": [null, {"backend": null}, {"path": "a"}]}}], "defaultBackend": {"service": {}}}}`))
	f.Add([]byte(`{"spec": {"rules": [{"host": "*.x", "http": {"paths": [{"path": "/..", "pathType": "Exact", "backend": {"serviceName": "a", "servicePort": "b"}}]}}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in ingress.Ingress
		if json.Unmarshal(data, &in) != nil {
			return
		}
		all := func(*ingress.Ingress, *ingress.Cluster) bool { return true }
		d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: ingress.Each("all", all, plain)})
		if err != nil {
			t.Fatal(err)
		}
		result := d.Dispatch([]*ingress.Ingress{&in}, nil)
		table, problems := ingress.Build(result.Entries, nil, func(e *ingress.Entry, _ *ingress.Compiled) (ingress.Source, error) { return e.Source, nil })
		for i := range problems {
			if problems[i].Code != ingress.CodeShadowed {
				t.Error(problems[i].Error())
			}
		}
		seen := make(map[ingress.Source]bool)
		for _, e := range result.Entries {
			if seen[e.Source] {
				t.Errorf("two entries have the Source %v", e.Source)
			}
			seen[e.Source] = true
			text, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			var back ingress.Entry
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if again, _ := json.Marshal(back); !reflect.DeepEqual(text, again) {
				t.Errorf("%s comes back as %s", text, again)
			}
		}
		table.Lookup("a.example.com", "/x")
	})
}
