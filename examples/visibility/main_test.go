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
		"explain 10.1.0.9 team-a", "explain 10.1.0.9 team-b", "explain github.com unknown",
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
		{"a date among labels", "kind: Namespace\nmetadata: {name: a, labels: {since: 2026-01-01, 1: x}}\n---\nserviceEntryVisibility: {policies: [{visibility: NONE, matchingRules: [" +
			"{namespaceSelector: {matchLabels: {since: 2026-01-01, 1: x}}}]}]}\n" + entry, "explain x.net a", "hidden-none"},
		{"ConfigMap with an empty text", "kind: ConfigMap\ndata: {mesh: ''}\n" + entry, "explain x.net a", "own-namespace"},
		{"exportTo that Istio refuses", "kind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: [x.net], exportTo: ['*', b, b]}\n", "who",
			"m.yaml:1: warning: Istio refuses ServiceEntry a/x: exportTo[2]: \"b\" is written twice: remove one\n" +
				"m.yaml:1: warning: Istio refuses ServiceEntry a/x: exportTo: \"*\" is everybody: write it alone\n"},
		{"default namespace", "kind: ServiceEntry\nmetadata: {name: x}\nspec: {hosts: [x.net]}\n", "services", "default"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFile(t, "m.yaml", tt.manifest)
			var out bytes.Buffer
			if err := run(append([]string{"-f", "m.yaml"}, strings.Fields(tt.args)...), &out, &out); err != nil {
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
		{"YAML", "a: [", "m.yaml:1: yaml: "},
		{"YAML, line", "a: b\nb: c: d\n", "m.yaml:2: yaml: line 2: "},
		{"no object", "- a\n", "m.yaml:1: this is no object: write one with apiVersion, kind and metadata, or a configuration"},
		{"no kind", "apiVersion: v1\n", "m.yaml:1: the object has an apiVersion and no kind: write its kind"},
		{"no name", "---\nkind: Service\nspec: {clusterIP: None}\n", "m.yaml:2: the Service has no name: write metadata.name"},
		{"no hosts", "kind: ServiceEntry\nmetadata: {name: x}\nspec: {host: x.net}\n", "m.yaml:1: the ServiceEntry has no hosts: write spec.hosts"},
		{"field", "serviceEntryVisibility:\n  defaultVisiblity: NONE\n", "m.yaml:1: visibility: serviceEntryVisibility.defaultVisiblity: the field is unknown: write defaultVisibility"},
		{"two faults", "---\nserviceEntryVisibility: {a: 1, b: 1}\n", "m.yaml:2: visibility: serviceEntryVisibility.a: the field is unknown: write defaultVisibility, applyToSidecars or policies\nm.yaml:2: visibility: serviceEntryVisibility.b"},
		{"label that is no text", "---\n---\nspec: {meshConfig: {serviceEntryVisibility: {policies: [{matchingRules: [{namespaceSelector: {matchLabels: {a: true}}}]}]}}}\n",
			`m.yaml:3: visibility: spec.meshConfig.serviceEntryVisibility.policies[0].matchingRules[0].namespaceSelector.matchLabels["a"]: write text in quotes, not true`},
		{"selector", "serviceEntryVisibility: {policies: [{matchingRules: [{namespaceSelector: {matchLabels: {a b: c}}}]}]}\n", "m.yaml:1: visibility: policies[0]"},
		{"two configurations", "serviceEntryVisibility: {}\n---\nserviceEntryVisibility: {}\n", "m.yaml:3: there is a configuration already, in line 1: keep one"},
		{"ConfigMap", "kind: ConfigMap\ndata:\n  mesh: 'a: ['\n", "m.yaml:3: data.mesh: yaml: "},
		{"ConfigMap, line", "kind: ConfigMap\ndata:\n  mesh: |\n    a: b\n    a: c\n", "m.yaml:5: mapping key \"a\" already defined at line 4"},
		{"ConfigMap with an object", "kind: ConfigMap\ndata:\n  mesh: {a: b}\n", "m.yaml:3: data.mesh is the text of a configuration: write | before it"},
		{"host", "kind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: ['*']}\n", "m.yaml:1: visibility: entries[0].hosts[0]: "},
		{"address", "kind: ServiceEntry\nmetadata: {name: x, namespace: a}\nspec: {hosts: [x.net], addresses: [x]}\n", `m.yaml:1: spec.addresses: visibility: "x" is no address`},
		{"time", "kind: Service\nmetadata: {name: x, creationTimestamp: now}\n", `m.yaml:1: metadata.creationTimestamp: "now" is no time: write one like 2026-03-01T00:00:00Z`},
		{"type", "kind: Namespace\nmetadata: 1\n", "m.yaml:2: this is the int `1`: write an object"},
		{"types", "kind: ServiceEntry\nmetadata: {name: x, labels: [a]}\nspec: {hosts: x.net}\n", "m.yaml:2: this is a list: write an object of text\nm.yaml:3: this is the text `x.net`: write a list of text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFile(t, "m.yaml", tt.manifest)
			var out bytes.Buffer
			err := run([]string{"-f", "m.yaml", "who"}, &out, &out)
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
		{"", "there is no command: write services, who, explain or diff\nusage: visibility"},
		{"Who", "there is no command \"Who\": write services, who, explain or diff\nusage: visibility"},
		{"who am i", "who takes nothing more\nusage: visibility"},
		{"explain github.com", "explain takes HOST|ADDRESS and NAMESPACE\nusage: visibility"},
		{"diff a b c", "diff takes OLD and NEW\nusage: visibility"},
		{"-data-plane sidecar who", `invalid value "sidecar" for flag -data-plane: write ambient, envoy or gateway`},
		{"services -o xml", `invalid value "xml" for flag -o: write table, json or yaml`},
		{"services extra", "services takes flags alone, not \"extra\"\nusage: visibility"},
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

// What diff takes from the other file is not told to be in this one.
func TestDiffPlaces(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "main.yaml", "kind: ServiceEntry\nmetadata: {name: x}\nspec: {hosts: ['*']}\n")
	writeFile(t, "old.yaml", "serviceEntryVisibility: {}\n")
	var out bytes.Buffer
	err := run([]string{"-f", "main.yaml", "diff", "old.yaml", "old.yaml"}, &out, &out)
	if err == nil || !strings.HasPrefix(err.Error(), "main.yaml:1: visibility: entries[0].hosts[0]: ") {
		t.Errorf("%v, want a fault in main.yaml", err)
	}
}

func writeFile(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}
