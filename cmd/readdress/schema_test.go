// The JSON Schemas in schema, made of the types that are encoded and of their
// comments.

package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// schemas are the files and the types that they describe.
var schemas = map[string]string{
	"explanation.json": "engine.Explanation",
	"diagnostic.json":  "lint.Diagnostic",
	"question.json":    "batch.Question",
	"answer.json":      "batch.Answer",
}

func TestSchemas(t *testing.T) {
	s := schemaMaker{types: make(map[string]*ast.TypeSpec), docs: make(map[string]string)}
	for _, pkg := range []string{"engine", "lint", "batch"} {
		s.read(t, pkg)
	}
	for name, typ := range schemas {
		s.defs = make(map[string]any)
		schema := s.object(typ)
		if name == "explanation.json" { // what -json adds
			schema["properties"].(map[string]any)["diagnostics"] = map[string]any{
				"type": "array", "items": s.ref("lint.Diagnostic"), "description": "errors and warnings about the object of the route",
			}
		}
		schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
		schema["title"] = strings.TrimSuffix(name, ".json")
		if len(s.defs) > 0 {
			schema["$defs"] = s.defs
		}
		want, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		file := filepath.Join("schema", name)
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
			t.Errorf("%s is not up to date: go test ./cmd/readdress -run TestSchemas -update", file)
		}
	}
}

type schemaMaker struct {
	types map[string]*ast.TypeSpec // by package and name
	docs  map[string]string
	defs  map[string]any
}

func (s *schemaMaker) read(t *testing.T, pkg string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("internal", pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			types, ok := decl.(*ast.GenDecl)
			if !ok || types.Tok != token.TYPE {
				continue
			}
			for _, spec := range types.Specs {
				typ := spec.(*ast.TypeSpec)
				key := pkg + "." + typ.Name.Name
				if typ.Name.Name == "diagnosticJSON" { // what a Diagnostic is encoded as
					key = pkg + ".Diagnostic"
				} else if _, ok := s.types[key]; ok {
					continue
				}
				s.types[key] = typ
				if text := types.Doc.Text(); text != "" {
					s.docs[key] = oneLine(text)
				}
			}
		}
	}
}

func oneLine(doc string) string { return strings.Join(strings.Fields(doc), " ") }

// object returns the schema of a struct.
func (s *schemaMaker) object(key string) map[string]any {
	pkg, _, _ := strings.Cut(key, ".")
	properties, required := make(map[string]any), []string{}
	typ, ok := s.types[key].Type.(*ast.StructType)
	if !ok {
		return map[string]any{}
	}
	for _, f := range typ.Fields.List {
		if len(f.Names) == 0 { // embedded
			inner := s.object(pkg + "." + f.Type.(*ast.Ident).Name)
			for name, p := range inner["properties"].(map[string]any) {
				properties[name] = p
			}
			required = append(required, inner["required"].([]string)...)
			continue
		}
		if f.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(f.Tag.Value) // the compiler has read it
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		p := s.value(pkg, f.Type)
		doc := oneLine(f.Doc.Text() + f.Comment.Text())
		if doc != "" {
			p["description"] = doc
		}
		properties[name] = p
		if options == "" {
			required = append(required, name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	if doc := s.docs[key]; doc != "" {
		out["description"] = doc
	}
	return out
}

func (s *schemaMaker) value(pkg string, typ ast.Expr) map[string]any {
	switch t := typ.(type) {
	case *ast.StarExpr:
		return s.value(pkg, t.X)
	case *ast.ArrayType:
		return map[string]any{"type": "array", "items": s.value(pkg, t.Elt)}
	case *ast.MapType:
		return map[string]any{"type": "object", "additionalProperties": s.value(pkg, t.Value)}
	case *ast.SelectorExpr:
		if t.Sel.Name == "RawMessage" {
			return map[string]any{}
		}
		return s.ref(t.X.(*ast.Ident).Name + "." + t.Sel.Name)
	case *ast.Ident:
		if name, ok := map[string]string{"string": "string", "int": "integer", "uint32": "integer", "bool": "boolean", "float64": "number"}[t.Name]; ok {
			return map[string]any{"type": name}
		}
		return s.ref(pkg + "." + t.Name)
	}
	return map[string]any{}
}

func (s *schemaMaker) ref(key string) map[string]any {
	name := key[strings.IndexByte(key, '.')+1:]
	if s.defs[name] == nil {
		s.defs[name] = true // it may refer to itself
		s.defs[name] = s.object(key)
	}
	return map[string]any{"$ref": "#/$defs/" + name}
}
