// What the tool writes is what the schemas say: the small part of JSON Schema
// that they use.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOutputFollowsSchemas(t *testing.T) {
	t.Chdir("testdata/manifests")
	manifest, err := os.ReadFile("shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	question, err := json.Marshal(map[string]any{
		"id": 1, "manifests": []string{string(manifest)}, "url": "https://shop.example/api", "key": "a",
		"headers": []map[string]string{{"name": "X-A", "value": "b"}}, "response": []map[string]string{{"name": "Location", "value": "/x"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	rules := `{"rules":[{"action":{"trimPathPrefix":"/api"}}],"url":"shop.example/api/x","allowed_hosts":["a.example"]}`
	for _, c := range []struct{ schema, stdin, args string }{
		{"explanation.json", "", "explain -json -key a -response Location:/x shop.yaml https://shop.example/api/x"},
		{"explanation.json", "", "explain -json shop.yaml https://shop.example/apix"},
		{"explanation.json", "", "explain -json -visibility mesh.yaml shop.yaml https://shop.example/../x"},
		{"explanation.json", "", "explain -json -visibility mesh.yaml mesh-entries.yaml payments.example"},
		{"answer.json", string(question), "batch"},
		{"answer.json", rules, "batch"},
		{"answer.json", `{"rules":[{"action":{"trimPathPrefix":"/.."}}],"url":"x"}`, "batch"},
	} {
		var stdout, stderr bytes.Buffer
		run(&environment{strings.NewReader(c.stdin), &stdout, &stderr}, strings.Fields(c.args))
		checkSchema(t, c.schema, c.args, stdout.Bytes())
	}
	checkSchema(t, "question.json", "the question", question)
	checkSchema(t, "question.json", "the question", []byte(rules))

	var stdout, stderr bytes.Buffer
	run(&environment{strings.NewReader(""), &stdout, &stderr}, []string{"lint", "-json", "faults.yaml"})
	var list []json.RawMessage
	if err := json.Unmarshal(stdout.Bytes(), &list); err != nil || len(list) == 0 {
		t.Fatal(err, stderr.String())
	}
	for _, d := range list {
		checkSchema(t, "diagnostic.json", "lint", d)
	}
}

func checkSchema(t *testing.T, name, what string, text []byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "schema", name))
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	var value any
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %v\n%s", what, err, text)
	}
	defs, _ := schema["$defs"].(map[string]any)
	for _, fault := range violations(schema, defs, value, "") {
		t.Errorf("%s: %s does not allow %s", what, name, fault)
	}
}

// violations returns what a schema does not allow in a value.
func violations(schema, defs map[string]any, value any, at string) []string {
	if ref, ok := schema["$ref"].(string); ok {
		schema = defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	got := "null"
	switch v := value.(type) {
	case map[string]any:
		got = "object"
		var faults []string
		properties, _ := schema["properties"].(map[string]any)
		for key, inner := range v {
			p, ok := properties[key].(map[string]any)
			if !ok && schema["additionalProperties"] == false {
				faults = append(faults, at+"."+key)
			} else if ok {
				faults = append(faults, violations(p, defs, inner, at+"."+key)...)
			}
		}
		required, _ := schema["required"].([]any)
		for _, key := range required {
			if _, ok := v[key.(string)]; !ok {
				faults = append(faults, fmt.Sprintf("%s without %v", at, key))
			}
		}
		if len(faults) > 0 {
			return faults
		}
	case []any:
		got = "array"
		items, _ := schema["items"].(map[string]any)
		var faults []string
		for i, inner := range v {
			faults = append(faults, violations(items, defs, inner, fmt.Sprintf("%s[%d]", at, i))...)
		}
		if len(faults) > 0 {
			return faults
		}
	case string:
		got = "string"
	case bool:
		got = "boolean"
	case float64:
		got = "number"
		if v == float64(int(v)) && schema["type"] == "integer" {
			got = "integer"
		}
	}
	if want, ok := schema["type"].(string); ok && want != got {
		return []string{fmt.Sprintf("%s: a %s where a %s belongs", at, got, want)}
	}
	return nil
}
