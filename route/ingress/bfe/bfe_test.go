package bfe_test

// The rewriter: cases, the contract, and what every entry must be.

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/route/ingress/ingresstest"
	"github.com/readdress/readdress/route/ingress/internal/vector"
)

// prefix is that of all annotations of BFE.
const prefix = "bfe.ingress.kubernetes.io/"

func TestVectors(t *testing.T) {
	for _, c := range vector.Load(t, "testdata/vectors.json") {
		t.Run(c.Name, func(t *testing.T) {
			opts := &bfe.Options{}
			if c.Name != "url-from-query-path" {
				opts.RedirectHosts = []string{"good.example"}
			}
			c.Run(t, &ingress.Cluster{Rewrite: anyHost}, bfe.New(opts))
			assert.Equal(t, c.Their == "", c.Why == "", "a case has a reason exactly if the two differ")
			assert.NotEqual(t, c.Expect, c.Their)
		})
	}
}

func TestConformance(t *testing.T) {
	ingresstest.Run(t, bfe.New(nil), &ingresstest.Options{
		Class:       "bfe",
		Annotations: map[string]string{prefix + "bfe-ingress-status": "{}"},
	})
}

// manifest decodes an Ingress of class bfe, one path a host/path=service.
func manifest(t testing.TB, annotations map[string]string, paths ...string) *ingress.Ingress {
	t.Helper()
	in := &ingress.Ingress{Namespace: "default", Name: "web", ClassName: "bfe", Annotations: map[string]string{}}
	for key, value := range annotations {
		in.Annotations[prefix+key] = value
	}
	for _, p := range paths {
		place, service, ok := strings.Cut(p, "=")
		require.True(t, ok)
		host, path, _ := strings.Cut(place, "/")
		in.Rules = append(in.Rules, ingress.Rule{Host: host, Paths: []ingress.Path{{
			Path: "/" + path, Type: "Prefix", Backend: &ingress.BackendRef{Service: service, Port: 80},
		}}})
	}
	return in
}

func translate(in *ingress.Ingress, c *ingress.Cluster) ingress.Translation {
	return bfe.New(nil).Rewrite([]*ingress.Ingress{in}, c)
}

func codes(problems []ingress.Problem) (out []string) {
	for _, p := range problems {
		out = append(out, p.Severity.String()+" "+string(p.Code))
	}
	return out
}

// Problems name the annotation and the byte.
func TestProblemPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		annotations map[string]string
		key         string
		offset      int
		detail      string
	}{
		"rewrite":         {map[string]string{"rewrite-url.query-rename": `[{"params": {"name": "user"}, "order": 1}}]`}, "rewrite-url.query-rename", 41, ""},
		"rewrite, hint":   {map[string]string{"rewrite-url.query-add": `[{"params": "{"name": "alice"}"}]`}, "rewrite-url.query-add", 15, "without quotes"},
		"rewrite, pair":   {map[string]string{"rewrite-url.path": `[{"params": "/a"}]`, "rewrite-url.path-prefix-add": `[{"params": "/b"}]`}, "rewrite-url.path-prefix-add", -1, "(see " + prefix + "rewrite-url.path)"},
		"header":          {map[string]string{"router.header": "X-Canary"}, "router.header", 8, `"name: value"`},
		"header, control": {map[string]string{"router.header": "X: a\x01"}, "router.header", 4, "control byte"},
		"header, name":    {map[string]string{"router.header": " X Y: z"}, "router.header", 2, `not the name of a header`},
		"cookie, name":    {map[string]string{"router.header": "X: a", "router.cookie": "a b: x"}, "router.cookie", 1, `"a b" is not the name of a cookie`},
		"cookie, two":     {map[string]string{"router.cookie": "a: x;y=z"}, "router.cookie", 4, "ends a cookie, so that no request matches"},
		"weight":          {map[string]string{"balance.weight": `{"web": {"a": "66"}}`}, "balance.weight", 14, "without quotes"},
		"weight, syntax":  {map[string]string{"balance.weight": `{"web": {"a": 1,}}`}, "balance.weight", 16, "not JSON"},
		"weight, short":   {map[string]string{"balance.weight": `{"web": {"a": 1}`}, "balance.weight", 16, "not JSON"},
		"weight, twice":   {map[string]string{"balance.weight": `{"web": {"a": 1, "a": 2}}`}, "balance.weight", 17, "twice"},
		"redirect":        {map[string]string{"redirect.url-prefix-add": "http://a.com/x#y"}, "redirect.url-prefix-add", 14, "query and fragment"},
		"redirect, self":  {map[string]string{"redirect.url-prefix-add": "/"}, "redirect.url-prefix-add", 0, "to itself for ever: write a URL"},
		"redirect, host":  {map[string]string{"redirect.url-prefix-add": "https://a_b@c.com/x"}, "redirect.url-prefix-add", 8, "SetHost"},
		"redirect, slash": {map[string]string{"redirect.url-set": `https://a.example\@evil`}, "redirect.url-set", 8, "is no host"},
		"redirect, user":  {map[string]string{"redirect.url-set": "https://a.example@evil/"}, "redirect.url-set", 8, "is no host"},
		"redirect, IDN":   {map[string]string{"redirect.url-set": "https://bücher.example/"}, "redirect.url-set", 8, "write xn--bcher-kva.example"},
		"redirect, UTF-8": {map[string]string{"redirect.url-set": `/é"<>`}, "redirect.url-set", 1, "write %C3%A9"},
		"redirect, quote": {map[string]string{"redirect.url-set": `https://a.com/x"<>`}, "redirect.url-set", 15, "write %22"},
		"redirect, query": {map[string]string{"redirect.url-set": `/x?a=\b`}, "redirect.url-set", 5, "write %5C"},
		"redirect, bytes": {map[string]string{"redirect.url-set": "/x\xff"}, "redirect.url-set", 2, "write %FF"},
		"redirect, %":     {map[string]string{"redirect.url-set": "/%41%4"}, "redirect.url-set", 4, "write %25"},
		"redirect, byte":  {map[string]string{"redirect.url-set": "/a b"}, "redirect.url-set", 2, "%HH"},
		"redirect, two":   {map[string]string{"redirect.url-set": "/a", "redirect.scheme-set": "https"}, "redirect.scheme-set", 0, "redirect.url-set"},
		"unknown":         {map[string]string{"balance.weights": ""}, "balance.weights", 0, "write " + prefix + "balance.weight"},
		"unknown, slip":   {map[string]string{"redirect.status": ""}, "redirect.status", 0, "write " + prefix + "redirect.response-status"},
		"unknown, far":    {map[string]string{"something-else-altogether": ""}, "something-else-altogether", 0, "remove it"},
	} {
		t.Run(name, func(t *testing.T) {
			got := translate(manifest(t, c.annotations, "h.com/=web"), nil)
			require.Len(t, got.Problems, 1)
			p := got.Problems[0]
			assert.Equal(t, prefix+c.key, p.Origin.Key)
			assert.Equal(t, c.offset, p.Origin.Offset)
			assert.Contains(t, p.Detail, c.detail)
			assert.Equal(t, "Ingress default/web", p.Source.String())
			assert.Equal(t, p.Severity == ingress.Error, len(got.Entries) == 0)
		})
	}
}

func TestTableOrder(t *testing.T) {
	in := manifest(t, map[string]string{
		"rewrite-url.path-prefix-add": `[{"params": "/a"}]`, "rewrite-url.path-prefix-trim": `[{"params": "/b"}]`,
	}, "h.com/=web")
	got := bfe.New(&bfe.Options{TableOrder: true}).Rewrite([]*ingress.Ingress{in}, nil)
	assert.Equal(t, []string{"warning bfe-rewrite"}, codes(got.Problems))
	require.Len(t, got.Entries, 1)
	assert.Equal(t, "AddPathPrefix", got.Entries[0].Rules[0].Action.Op().String())
}

// What strips a prefix is a prefix instruction, and one.
func TestInstructions(t *testing.T) {
	for name, c := range map[string]struct {
		annotations map[string]string
		want        string
	}{
		"trim":  {map[string]string{"rewrite-url.path-prefix-trim": `[{"params": "/foo"}]`}, `TrimPathPrefix("/foo")`},
		"strip": {map[string]string{"rewrite-url.path-prefix-strip": `[{"params": 1}]`}, "StripPathSegments(1)"},
	} {
		t.Run(name, func(t *testing.T) {
			got := translate(manifest(t, c.annotations, "h.com/foo=web"), nil)
			require.Len(t, got.Entries, 1)
			var rule rewrite.Rule
			require.NoError(t, rule.Action.UnmarshalText([]byte(c.want)))
			want, err := rewrite.Compile([]rewrite.Rule{rule}, nil)
			require.NoError(t, err)
			program, err := rewrite.Compile(got.Entries[0].Rules, nil)
			require.NoError(t, err)
			assert.Equal(t, want.String(), program.String())
			assert.NotContains(t, program.String(), "regex")
		})
	}
}

// Neither nil nor hostile input does more than report.
func TestBadInput(t *testing.T) {
	rw := bfe.New(nil)
	assert.False(t, rw.Match(nil, nil))
	assert.Empty(t, rw.Rewrite(nil, nil))
	assert.NotPanics(t, func() { rw.Rewrite([]*ingress.Ingress{{}}, nil) })
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for _, value := range []string{"", " ", "{", "null", "0", `"x"`, deep, "{\"web\":" + deep + "}", "\xff", "{\"\\ud800\": {\"a\": 1}}"} {
		got := translate(manifest(t, map[string]string{"balance.weight": value}, "h.com/=web"), nil)
		assert.Empty(t, got.Entries, "%q", value)
		assert.Equal(t, []string{"error bfe-weight"}, codes(got.Problems), "%q", value)
	}
}

// differences.json has every case in which the dialect does another thing than
// the controller and the proxy on purpose.
func TestDifferences(t *testing.T) {
	type difference struct{ Case, Their, Ours, Why string }
	var want, got []difference
	for _, c := range vector.Load(t, "testdata/vectors.json") {
		if c.Their != "" {
			want = append(want, difference{c.Name, c.Their, c.Expect, c.Why})
		}
	}
	data, err := os.ReadFile("testdata/commands.json")
	require.NoError(t, err)
	var rows []struct{ Name, BFE, Ours, Why string }
	require.NoError(t, json.Unmarshal(data, &rows))
	for _, r := range rows {
		if r.Ours != "" {
			want = append(want, difference{r.Name, r.BFE, r.Ours, r.Why})
		}
	}
	want = append(want,
		difference{"seed-cond", `req_path_prefix_in("/whoami", false)`, `req_path_element_prefix_in("/whoami", false)`, "a Prefix matches by segment; WriteOptions.SeedPrefix writes the other"},
		difference{"seed-add", `["/service"]`, `["/service/"]`, "BFE puts no slash between a prefix and the path: it would make /servicewhoami"},
	)
	data, err = os.ReadFile("testdata/differences.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &got))
	assert.Equal(t, want, got)
}

func BenchmarkRewrite(b *testing.B) {
	const n = 10_000
	list := make([]*ingress.Ingress, n)
	for i := range list {
		list[i] = manifest(b, map[string]string{
			"rewrite-url.host":             `[{"params": "bar.com"}]`,
			"rewrite-url.path-prefix-trim": `[{"params": "/foo"}]`,
			"balance.weight":               `{"web": {"a": 80, "b": 20}}`,
		}, "h.com/foo=web", "i.com/foo=web")
	}
	rw := bfe.New(nil)
	b.ReportAllocs()
	for b.Loop() {
		if got := rw.Rewrite(list, nil); len(got.Entries) != 2*n {
			b.Fatal(len(got.Entries))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/Ingress")
}
