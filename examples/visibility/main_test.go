package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "renew testdata/demo.golden")

// What the demonstration says to every command.
func TestDemonstration(t *testing.T) {
	var all bytes.Buffer
	for _, command := range []string{
		"services", "services -service-namespace team-a -o json", "services -service-namespace team-b -o yaml",
		"who", "-data-plane envoy who",
		"explain github.com team-b", "explain github.com team-a", "explain GitHub.com. payments", "explain example.com team-a",
		"explain absent.example team-a",
		"diff testdata/open.yaml demo.yaml", "diff demo.yaml testdata/open.yaml", "diff demo.yaml demo.yaml",
	} {
		all.WriteString("$ visibility " + command + "\n")
		if err := run(strings.Fields(command), &all, &all); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		all.WriteByte('\n')
	}
	golden := filepath.Join("testdata", "demo.golden")
	if *update {
		writeFile(t, golden, all.String())
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != string(want) {
		t.Errorf("got\n%swant\n%s", &all, want)
	}
}

func TestManifests(t *testing.T) {
	const entry = "---\nkind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: [x.net], exportTo: [b]}\n"
	for _, tt := range []struct {
		name, manifest, args string
		want                 string // a part of what is printed
	}{
		{"nothing", "", "services", "NAMESPACE"},
		{"no configuration", entry, "explain x.net c", "x.net from c: ServiceEntry a/x, by x.net (canonical; PUBLIC by default)"},
		{"sidecars", entry, "-data-plane envoy explain x.net c", "absent, so the query is forwarded upstream (export-to)"},
		{"ConfigMap", "kind: ConfigMap\nmetadata: {name: istio}\ndata:\n  mesh: |\n    serviceEntryVisibility: {defaultVisibility: NONE}\n" + entry,
			"explain x.net a", "hidden-none"},
		{"ConfigMap that says nothing about visibility", "kind: ConfigMap\ndata:\n  mesh: |\n    accessLogFile: /dev/stdout\n" + entry,
			"explain x.net c", "x.net from c: ServiceEntry a/x, by x.net (canonical; PUBLIC by default)"},
		{"default exportTo alone", "defaultServiceExportTo: ['.']\n---\nkind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: [x.net]}\n",
			"-data-plane envoy explain x.net c", "absent, so the query is forwarded upstream (export-to)"},
		{"a name that looks like any below a wildcard", "kind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: [any.e.com, any0.e.com]}\n" +
			"---\nkind: ServiceEntry\nmetadata: {name: w, namespace: b}\nspec: {hosts: ['*.e.com']}\n",
			"who", "*.e.com     b/w  b/w\n"},
		{"what Envoy shows of visibility None", "serviceEntryVisibility: {defaultVisibility: NONE}\n---\nkind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: [x.net]}\n",
			"-data-plane envoy services", "ServiceEntry  x.net     -     Public\n"},
		{"exported to itself", "serviceEntryVisibility: {}\n---\nkind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: [x.net], exportTo: [.]}\n",
			"-data-plane envoy services", "ServiceEntry  x.net     -     Namespace\n"},
		{"exported to others", entry, "-data-plane envoy services", "ServiceEntry  x.net     -     b\n"},
		{"a Service of Knative", "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: s, namespace: a}\n" + entry,
			"explain s.a.svc.cluster.local c", "absent, so the query is forwarded upstream (absent)"},
		{"another ConfigMap", "kind: ConfigMap\ndata: {x: y}\n---\nkind: Pod\nspec: 1\n" + entry, "explain x.net c", "canonical"},
		{"list", "kind: List\nitems:\n- kind: Namespace\n  metadata: {name: b}\n- kind: Service\n  metadata: {name: s, namespace: b, annotations: {networking.istio.io/exportTo: '., c'}}\n  spec: {clusterIP: None}\n",
			"-data-plane envoy explain s.b.svc.cluster.local c", "Service b/s, by s.b.svc.cluster.local (export-to; PUBLIC as Services are)"},
		{"warning", "serviceEntryVisibility: {policies: [{}]}\n" + entry, "who", "warning: policies[0]: the policy has no visibility"},
		{"default namespace", "kind: ServiceEntry\nmetadata: {name: x}\nspec: {hosts: [x.net]}\n", "services", "default"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "m.yaml")
			writeFile(t, file, tt.manifest)
			var out bytes.Buffer
			if err := run(append([]string{"-f", file}, strings.Fields(tt.args)...), &out, &out); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), tt.want) {
				t.Errorf("got\n%swant %s in it", &out, tt.want)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct{ name, manifest, want string }{
		{"YAML", "a: [", "m.yaml: yaml: "},
		{"field", "serviceEntryVisibility:\n  defaultVisiblity: NONE\n", "m.yaml:1: visibility: serviceEntryVisibility.defaultVisiblity: the field is unknown: write defaultVisibility"},
		{"label that is no text", "---\n---\nspec: {meshConfig: {serviceEntryVisibility: {policies: [{matchingRules: [{namespaceSelector: {matchLabels: {a: true}}}]}]}}}\n",
			`matchLabels["a"]: write text in quotes, not true`},
		{"selector", "serviceEntryVisibility: {policies: [{matchingRules: [{namespaceSelector: {matchLabels: {a b: c}}}]}]}\n", "m.yaml: visibility: policies[0]"},
		{"two configurations", "serviceEntryVisibility: {}\n---\nserviceEntryVisibility: {}\n", "m.yaml:3: there is a configuration already: keep one"},
		{"ConfigMap", "kind: ConfigMap\ndata: {mesh: 'a: ['}\n", "m.yaml:1: data.mesh: yaml: "},
		{"host", "kind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: ['*']}\n", "m.yaml:1: visibility: entries[0].hosts[0]: "},
		{"address", "kind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {addresses: [x]}\n", `m.yaml:1: visibility: "x" is no address`},
		{"type", "kind: Namespace\nmetadata: 1\n", "m.yaml:1: yaml: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "m.yaml")
			writeFile(t, file, tt.manifest)
			var out bytes.Buffer
			err := run([]string{"-f", file, "who"}, &out, &out)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s in it", err, tt.want)
			}
		})
	}
	if err := run([]string{"-f", "no-such.yaml", "who"}, new(bytes.Buffer), new(bytes.Buffer)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
}

func TestCommandLines(t *testing.T) {
	for _, tt := range []struct{ args, stderr string }{
		{"", "usage: visibility"},
		{"who am i", "usage: visibility"},
		{"explain github.com", "usage: visibility"},
		{"-data-plane sidecar who", `invalid value "sidecar" for flag -data-plane: write ambient, envoy or gateway`},
		{"services -o xml", `invalid value "xml" for flag -o: write table, json or yaml`},
		{"services extra", "usage: visibility"},
	} {
		var stdout, stderr bytes.Buffer
		if err := run(strings.Fields(tt.args), &stdout, &stderr); !errors.Is(err, errUsage) {
			t.Errorf("%s: %v, want a fault of usage", tt.args, err)
		}
		if !strings.HasPrefix(stderr.String(), tt.stderr) || stdout.Len() > 0 {
			t.Errorf("%s: stdout %q, stderr %q, want %q", tt.args, &stdout, &stderr, tt.stderr)
		}
	}
}

func writeFile(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}
