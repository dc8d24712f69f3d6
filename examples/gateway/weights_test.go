package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/split"
)

func TestReadWeights(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        []split.Backend // for the service svc
	}{
		{"as written", `{"svc": {"b": 70, "a": 30}}`, []split.Backend{{Name: "b", Weight: 70}, {Name: "a", Weight: 30}}},
		{"no hundred", `{"svc": {"a": 200, "b": 177, "c": 121}}`, []split.Backend{{Name: "a", Weight: 200}, {Name: "b", Weight: 177}, {Name: "c", Weight: 121}}},
		{"limits", ` { "svc" : {"a":0,"b":1000000} } `, []split.Backend{{Name: "a"}, {Name: "b", Weight: 1_000_000}}},
		{"its own name", `{"svc": {"svc": 1}}`, []split.Backend{{Name: "svc", Weight: 1}}},
		{"escapes", `{"\u0073vc": {"\u0061": 1}}`, []split.Backend{{Name: "a", Weight: 1}}},
		{"nothing", `{"svc": {"a": 0}}`, []split.Backend{{Name: "a"}}},
		{"absent", ``, []split.Backend{{Name: "svc", Weight: 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			manifest := oneRoute()
			if tt.value != "" {
				manifest = weighted(tt.value)
			}
			l := newLoader()
			c, err := l.load("m.yaml", []byte(manifest))
			if err != nil {
				t.Fatal(err)
			}
			if got := c.hosts["shop.example"][0].services; !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestBadWeights(t *testing.T) {
	const (
		object = `write {"service": weight} for the services that share the requests of a service, as in {"shop": {"shop-v1": 70, "shop-v2": 30}}`
		number = "write a whole number from 0 to 1000000"
	)
	for _, tt := range []struct {
		name, value string
		want        []string // without the file, the line and the key; its end is left open
	}{
		{"empty", ``, []string{"@0: not JSON: unexpected end of JSON input"}},
		{"ends too soon", `{"svc": {"a": 1}`, []string{"@16: not JSON: unexpected end of JSON input\n\t{\"svc\": {\"a\": 1}\n\t                ^"}},
		{"goes on", `{"svc": {"a": 1}} x`, []string{"@18: not JSON: invalid character 'x' after top-level value"}},
		{"comma", `{"svc": {"a": 1,}}`, []string{"@16: not JSON: invalid character '}' "}},
		{"leading zero", `{"svc": {"a": 01}}`, []string{"@15: not JSON: invalid character '1' "}},
		{"no object", `["svc"]`, []string{"@0: " + object}},
		{"null", `null`, []string{"@0: " + object}},
		{"empty object", `{}`, []string{"@0: " + object}},
		{"no group", `{"svc": 70}`, []string{"@8: " + object}},
		{"null group", `{"svc":null}`, []string{"@7: " + object}},
		{"empty group", `{"svc": { }}`, []string{"@8: " + object}},
		{"fraction", `{"svc": {"a": 0.33, "b": 1}}`, []string{"@14: " + number + "\n\t{\"svc\": {\"a\": 0.33, \"b\": 1}}\n\t              ^"}},
		{"exponent", `{"svc": {"a": 1e2}}`, []string{"@14: " + number}},
		{"string", `{"svc": {"a": "66"}}`, []string{"@14: " + number}},
		{"below", `{"svc": {"a": -1}}`, []string{"@14: " + number}},
		{"above", `{"svc": {"a": 1000001}}`, []string{"@14: " + number}},
		{"far above", `{"svc": {"a": 4294967297}}`, []string{"@14: " + number}},
		{"beyond a float", `{"svc": {"a": 1e400}}`, []string{"@14: " + number}},
		{"no number", `{"svc": {"a": null}}`, []string{"@14: " + number}},
		{"duplicate group", `{"svc": {"a": 1}, "svc": {"b": 1}}`, []string{`@18: "svc" stands here twice`}},
		{"duplicate service", `{"svc": {"a": 1, "\u0061": 2}}`, []string{`@17: "a" stands here twice`}},
		{"no name", `{"svc": {"": 1}, "": {"a": 1}}`, []string{"@9: write the name of a service", "@17: write the name of a service"}},
		{"nobody's", `{"svc": {"a": 1}, "svv": {"a": 1}}`, []string{`@18: no path of this Ingress has the service "svv"`}},
		{"every fault", `{"svc": {"a": -1, "b": [{"c": 1}], "b": 3, "c": 1}, "x": 1}`, []string{
			"@14: " + number, "@23: " + number, `@35: "b" stands here twice`, `@52: no path of this Ingress has the service "x"`, "@57: " + object,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLoader()
			c, err := l.load("m.yaml", []byte(weighted(tt.value)))
			if c != nil || err == nil {
				t.Fatalf("got %v, %v, want an error alone", c, err)
			}
			got := strings.Split("\n"+err.Error(), "\nm.yaml:6: "+weightKey)[1:]
			if !slices.EqualFunc(got, tt.want, strings.HasPrefix) {
				t.Errorf("got\n%v\nwant, at the weights of line 6,\n%s", err, strings.Join(tt.want, "\n"))
			}
		})
	}
	t.Run("no string", func(t *testing.T) {
		l := newLoader()
		_, err := l.load("m.yaml", []byte(strings.ReplaceAll(weighted(`{"svc": {"a": 1}}`), "'", "")))
		if want := "m.yaml:6: " + weightKey + ": the value is not a string: put it in single quotes"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}
