//go:build istio

// What istiod reads of configurations with faults, what its webhook refuses, and
// what it reports.

package istio_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	mesh "istio.io/api/mesh/v1alpha1"
	networking "istio.io/api/networking/v1alpha3"
	"istio.io/istio/pilot/pkg/model"
	"istio.io/istio/pkg/config"
	"istio.io/istio/pkg/config/schema/kind"
	"istio.io/istio/pkg/config/validation"
	"istio.io/istio/pkg/util/protomarshal"
	"istio.io/istio/pkg/workloadapi"

	"github.com/readdress/readdress/visibility"
)

// A writer writes configurations with a fault here and there.
type writer struct {
	*rand.Rand
	strings.Builder
}

var (
	wrongValues = []string{
		"null", "true", "0", "1", "2", "3", "7", "-1", "1.5", "2.0", "1e0", "4e9", "99999999999999999999",
		`""`, `"x"`, `"NONE"`, `"none"`, `"1"`, `"true"`, "{}", "[]", "[null]", "[{}]", `["a"]`, `{"a":1}`, `{"key":"a"}`,
	}
	wrongNames = []string{"hostnameSuffix", "X", "", "a b", "operater", "matchlabels"}
)

// A part writes the value of a field.
type part struct {
	name  string
	write func()
}

func (w *writer) object(parts ...part) func() {
	return func() {
		w.WriteByte('{')
		comma := ""
		for _, p := range parts {
			for range one(w.Rand, []int{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}) {
				name := p.name
				switch w.IntN(40) {
				case 0, 1, 2:
					name = snake(name)
				case 3:
					name = one(w.Rand, wrongNames)
				}
				fmt.Fprintf(w, "%s%q:", comma, name)
				w.value(p.write)
				comma = ","
			}
		}
		w.WriteByte('}')
	}
}

func (w *writer) list(write func()) func() {
	return func() {
		w.WriteByte('[')
		for i := range w.IntN(3) {
			if i > 0 {
				w.WriteByte(',')
			}
			w.value(write)
		}
		w.WriteByte(']')
	}
}

func (w *writer) value(write func()) {
	if w.IntN(50) == 0 {
		w.WriteString(one(w.Rand, wrongValues))
		return
	}
	write()
}

func (w *writer) oneOf(values ...string) func() {
	return func() { w.WriteString(one(w.Rand, values)) }
}

func snake(camel string) string {
	var b strings.Builder
	for _, c := range camel {
		if 'A' <= c && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func (w *writer) meshConfig() string {
	w.Reset()
	level := w.oneOf(`"NONE"`, `"NAMESPACE"`, `"PUBLIC"`, `"VISIBILITY_UNSPECIFIED"`)
	text := w.oneOf(`""`, `"x"`, `"y"`, `"a b"`)
	selector := w.object(
		part{"matchLabels", w.object(part{"a", text}, part{"b", text}, part{"kB", text})},
		part{"matchExpressions", w.list(w.object(
			part{"key", text}, part{"operator", w.oneOf(`"In"`, `"Exists"`, `"in"`)}, part{"values", w.list(text)},
		))},
	)
	message := w.object(
		part{"defaultVisibility", level},
		part{"applyToSidecars", w.oneOf("true", "false")},
		part{"policies", w.list(w.object(
			part{"visibility", level}, part{"matchingRules", w.list(w.object(part{"namespaceSelector", selector}))},
		))},
	)
	w.WriteString(`{"enableTracing":true,`) // without which {} is the message, and not the mesh's
	rest := w.Len()
	w.object(part{"serviceEntryVisibility", message}, part{"defaultServiceExportTo", w.list(w.oneOf(`"*"`, `"."`, `"~"`, `"a"`))})()
	head, tail := w.String()[:rest], w.String()[rest+1:]
	if tail == "}" {
		head = strings.TrimSuffix(head, ",")
	}
	return head + tail
}

// asOurs replaces the levels that are none by what istiod takes them for.
func asOurs(m *mesh.ServiceEntryVisibility) {
	known := func(l *mesh.ServiceEntryVisibility_Visibility) {
		if _, ok := mesh.ServiceEntryVisibility_Visibility_name[int32(*l)]; !ok {
			*l = mesh.ServiceEntryVisibility_PUBLIC
		}
	}
	known(&m.DefaultVisibility)
	for _, p := range m.Policies {
		known(&p.Visibility)
	}
}

// TestParse holds ParseConfigLenient against the decoder of istiod, and
// ParseConfig against ParseConfigLenient: it refuses what that warns of.
func TestParse(t *testing.T) {
	w := &writer{Rand: rand.New(rand.NewPCG(3, 3))}
	outcomes := make(map[string]int)
	for range 60_000 {
		doc := w.meshConfig()
		if !json.Valid([]byte(doc)) {
			t.Fatalf("not JSON: %s", doc)
		}
		decoded := new(mesh.MeshConfig)
		theirErr := protomarshal.ApplyYAML(doc, decoded)
		lenient, warnings, err := visibility.ParseConfigLenient([]byte(doc))
		strict, strictErr := visibility.ParseConfig([]byte(doc))
		if (err != nil) != (theirErr != nil) {
			t.Fatalf("%s\n%v, istiod says %v", doc, err, theirErr)
		}
		// Of names of namespaces the decoder knows nothing.
		_, namesErr := visibility.Compile(&visibility.Config{DefaultExportTo: decoded.DefaultServiceExportTo})
		if (strictErr != nil) != (err != nil || len(warnings) > 0 || namesErr != nil) {
			t.Fatalf("%s\nstrict: %v\nlenient: %v, %v", doc, strictErr, err, warnings)
		}
		switch {
		case err != nil:
			outcomes["refused"]++
			continue
		case strictErr != nil:
			outcomes["warned of"]++
		default:
			outcomes["read"]++
			if !reflect.DeepEqual(strict, lenient) {
				t.Fatalf("%s\nstrict: %+v, lenient: %+v", doc, strict, lenient)
			}
		}
		want := decoded.ServiceEntryVisibility
		if lenient == nil || want == nil {
			if lenient != nil || want != nil {
				t.Fatalf("%s\n%+v, istiod reads %v", doc, lenient, want)
			}
			continue
		}
		asOurs(want)
		if !proto.Equal(theirs(lenient), want) || !slices.Equal(lenient.DefaultExportTo, decoded.DefaultServiceExportTo) {
			t.Fatalf("%s\n%+v, istiod reads %v and %q", doc, lenient, want, decoded.DefaultServiceExportTo)
		}
	}
	for _, outcome := range []string{"refused", "warned of", "read"} {
		if outcomes[outcome] < 5000 {
			t.Errorf("%d documents were %s: the cases say little", outcomes[outcome], outcome)
		}
	}
}

// TestExportTo goes through every list of up to four of these.
func TestExportTo(t *testing.T) {
	names := []string{"*", ".", "~", "own", "b", "B-9", "", "-a", "a_b", "a.b", "bücher", strings.Repeat("a", 63), strings.Repeat("a", 64)}
	compared := 0
	var try func(list []string)
	try = func(list []string) {
		compared++
		_, theirs := validation.ValidateServiceEntry(config.Config{
			Meta: config.Meta{Name: "entry", Namespace: "own"},
			Spec: &networking.ServiceEntry{
				Hosts:      []string{"a.example"},
				Ports:      []*networking.ServicePort{{Number: 80, Name: "http", Protocol: "HTTP"}},
				Resolution: networking.ServiceEntry_NONE,
				ExportTo:   list,
			},
		})
		if ours := visibility.ValidateExportTo("own", list); (ours != nil) != (theirs != nil) {
			t.Errorf("%q: %v, the webhook says %v", list, ours, theirs)
		}
		if len(list) < 4 {
			for _, name := range names {
				try(append(slices.Clip(list), name))
			}
		}
	}
	try(nil)
	if want := 1 + 13 + 13*13 + 13*13*13 + 13*13*13*13; compared != want {
		t.Errorf("%d lists, want %d", compared, want)
	}
}

// TestConditions compares what is written of the visibility in the status.
func TestConditions(t *testing.T) {
	for _, configured := range []bool{false, true} {
		for k, theirKind := range map[visibility.Kind]kind.Kind{visibility.ServiceEntry: kind.ServiceEntry, visibility.Service: kind.Service} {
			for level, theirLevel := range map[visibility.Level]workloadapi.Service_Visibility{
				visibility.Public: workloadapi.Service_PUBLIC, visibility.Namespace: workloadapi.Service_NAMESPACE,
			} {
				r := visibility.Off()
				if configured {
					r, _ = visibility.Compile(&visibility.Config{DefaultVisibility: level})
				}
				ref := visibility.Ref{Kind: k, Namespace: "a", Name: "entry"}
				x, err := visibility.NewIndex(r, nil, []visibility.Entry{{Ref: ref, Hosts: []string{"a.example"}}}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if k == visibility.Service {
					theirLevel = workloadapi.Service_PUBLIC
				}
				info := model.ServiceInfo{
					Service:              &workloadapi.Service{Name: "entry", Namespace: "a", Hostname: "a.example", Visibility: theirLevel},
					Source:               model.TypedObject{Kind: theirKind},
					VisibilityConfigured: configured,
				}
				got := x.Conditions(ref)
				want := info.GetConditions(nil)[model.VisibilityApplied]
				switch {
				case want == nil && len(got) > 0:
					t.Errorf("configured %t, %v, %v: %v, istiod writes none", configured, ref, level, got)
				case want == nil:
				case len(got) != 1 || got[0].Type != string(model.VisibilityApplied) || got[0].Reason != want.Reason || (got[0].Status == "True") != want.Status:
					t.Errorf("configured %t, %v, %v: %v, istiod writes %+v", configured, ref, level, got, *want)
				}
			}
		}
	}
}
