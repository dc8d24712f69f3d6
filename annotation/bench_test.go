package annotation_test

// What reading annotations costs, and as a multiple of decoding the same
// values with encoding/json.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/internal/gate"
	"github.com/readdress/readdress/rewrite"
)

// typical are annotations as people write them, by how many there are.
var typical = map[int]map[string]string{
	1: prefixed(map[string]string{
		"path-prefix-trim": `[{"params": "/api"}]`,
	}),
	// The example in the design document of ingress-bfe.
	3: prefixed(map[string]string{
		"host":         `[{"params": "baidu.com", "when": "AfterLocation"}]`,
		"path":         `[{"params": "/bar"}]`,
		"query-rename": "[\n  {\n     \"params\": {\"name\": \"user\"}, \n     \"when\": \"AfterLocation\", \n     \"order\": 1\n  }\n]",
	}),
	// All that can stand together, and two annotations of somebody else's.
	10: func() map[string]string {
		m := prefixed(map[string]string{
			"host":                    `[{"params": "backend.internal:8080", "when": "Forward"}]`,
			"path-prefix-add":         `[{"params": "/service", "order": 2}, {"params": "/v2", "when": "Forward"}]`,
			"path-prefix-trim":        `[{"params": "/api", "order": 1}]`,
			"path-prefix-strip":       `[{"params": 1, "when": "BeforeLocation"}]`,
			"query-add":               `[{"params": {"from": "gateway", "lang": "en"}, "order": 5}]`,
			"query-delete":            `[{"params": ["token", "debug"], "order": 1}]`,
			"query-rename":            `[{"params": {"name": "user"}, "order": 2}]`,
			"query-delete-all-except": `[{"params": ["user", "page"], "order": 3}]`,
		})
		m["kubernetes.io/ingress.class"] = "bfe"
		m["example.com/owner"] = "team-a"
		return m
	}(),
}

// prefixed returns m with the default prefix before each key.
func prefixed(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for name, value := range m {
		out[annotation.DefaultPrefix+name] = value
	}
	return out
}

func BenchmarkParse(b *testing.B) {
	for _, n := range slices.Sorted(maps.Keys(typical)) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := annotation.Parse(typical[n], nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode is what BenchmarkParse compares with: encoding/json, with
// the fields of the grammar and nothing checked.
func BenchmarkDecode(b *testing.B) {
	for _, n := range slices.Sorted(maps.Keys(typical)) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := decode(typical[n]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParseFaulty is a map with a fault of each kind of value.
func BenchmarkParseFaulty(b *testing.B) {
	m := prefixed(map[string]string{
		"host":            `[{"params": "exa mple.com"}]`,
		"path-prefix-add": `[{"params": "/service" "when": "AfterLocation"}]`,
		"query-add":       `[{"params": {"a": 1}, "order": "2"}]`,
		"path-add":        `[{"params": "/a"}]`,
	})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := annotation.Parse(m, nil); err == nil {
			b.Fatal("no error")
		}
	}
}

// BenchmarkLoad parses and compiles a configuration of 10,000 Ingresses, and
// reports the time for one.
func BenchmarkLoad(b *testing.B) {
	const ingresses = 10_000
	config := make([]map[string]string, ingresses)
	for i := range config {
		config[i] = maps.Clone(typical[3])
		config[i][annotation.DefaultPrefix+"host"] = fmt.Sprintf(`[{"params": "service-%d.example.com"}]`, i)
	}
	programs := make([]*rewrite.Program, ingresses)
	b.ReportAllocs()
	for b.Loop() {
		for i, m := range config {
			plan, err := annotation.Parse(m, nil)
			if err != nil {
				b.Fatal(err)
			}
			if programs[i], err = plan.Compile(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/ingresses, "ns/ingress")
}

// decode decodes the values of a map that are lists.
func decode(m map[string]string) error {
	for _, value := range m {
		if value[0] != '[' {
			continue
		}
		var items []struct {
			Params any    `json:"params"`
			When   string `json:"when"`
			Order  int    `json:"order"`
		}
		if err := json.Unmarshal([]byte(value), &items); err != nil {
			return err
		}
	}
	return nil
}

// TestRatioDecode holds Parse, which checks everything, against encoding/json,
// which only decodes, in the same process.
func TestRatioDecode(t *testing.T) {
	gate.Need(t)
	const most = 1.5
	for _, n := range slices.Sorted(maps.Keys(typical)) {
		m := typical[n]
		parse, dec := fastest(func() { annotation.Parse(m, nil) }, func() { decode(m) })
		t.Logf("%2d annotations: Parse %v, encoding/json %v, ratio %.2f", n, parse, dec, float64(parse)/float64(dec))
		if float64(parse) > most*float64(dec) {
			t.Errorf("%d annotations: Parse takes %v, more than %v times the %v of encoding/json", n, parse, most, dec)
		}
	}
}

// fastest returns the times of a and of b: the fastest of many rounds in turn,
// so that noise falls on both alike.
func fastest(a, b func()) (timeA, timeB time.Duration) {
	const rounds, calls = 100, 200
	timeA, timeB = time.Hour, time.Hour
	for range rounds {
		start := time.Now()
		for range calls {
			a()
		}
		middle := time.Now()
		for range calls {
			b()
		}
		timeA = min(timeA, middle.Sub(start)/calls)
		timeB = min(timeB, time.Since(middle)/calls)
	}
	return timeA, timeB
}
