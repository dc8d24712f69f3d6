package rewrite_test

// What the way back may allocate, exactly.

import (
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// inverseCases are values that stay and values that change, by header.
var inverseCases = []struct {
	name, header string
	in, want     string
}{
	{"path", "Location", "/users/12345?next=/a", "/api/users/12345?next=/a"},
	{"absolute", "Location", "http://up.internal:8080/users/12345", "https://www.example.com/api/users/12345"},
	{"alias", "Location", "http://10.0.0.5:8081/users/12345", "https://www.example.com/api/users/12345"},
	{"escaped", "Location", "/%75sers/a%2Fb/../c", "/api/%75sers/a%2Fb/../c"},
	{"relative", "Location", "users/12345", "users/12345"},
	{"other host", "Location", "https://idp.example.com/login?next=/", "https://idp.example.com/login?next=/"},
	{"other address", "Location", "https://[2001:db8::2]:8080/", "https://[2001:db8::2]:8080/"},
	{"leads out", "Location", "/../x", "/../x"},
	{"refused", "Location", "/\r\n", ""},
	{"refresh", "Refresh", "5; url=/users", "5; url=/api/users"},
	{"refresh of the same page", "Refresh", "5", "5"},
	{"cookie", "Set-Cookie", "id=abc; Path=/; Domain=up.internal; Secure", "id=abc; Path=/api; Domain=www.example.com; Secure"},
	{"cookie without a Path", "Set-Cookie", "id=abc; Max-Age=60; Secure; HttpOnly", "id=abc; Max-Age=60; Secure; HttpOnly"},
	{"links", "Link", "</a>; rel=next, </b>; rel=prev", "</api/a>; rel=next, </api/b>; rel=prev"},
	{"link to another host", "Link", "<https://cdn.example.com/a.css>; rel=preload", "<https://cdn.example.com/a.css>; rel=preload"},
}

var inverseAliases = []string{"10.0.0.5:8081", "[2001:db8::1]:8080"}

// newInverse is what a proxy has when a response comes: two URLs and a Result.
func newInverse(t testing.TB) (client, upstream rewrite.URL, r rewrite.Result) {
	t.Helper()
	client = usual
	client.Scheme = "https"
	upstream = client
	r, err := program(rewrite.TrimPathPrefix("/api"), rewrite.SetHost("up.internal:8080")).Apply(rewrite.AfterLocation, &upstream, nil)
	if err != nil {
		t.Fatal(err)
	}
	upstream.Scheme = "http"
	return client, upstream, r
}

func TestAllocsOfInverse(t *testing.T) {
	client, upstream, r := newInverse(t)
	m, err := rewrite.CompileMappings([]rewrite.Mapping{
		{From: "http://other.internal/", To: "/other/"},
		{Kind: rewrite.MapCookiePath, From: "/other", To: "/"},
		{Kind: rewrite.MapCookieDomain, From: "other.internal", To: "x.com"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range inverseCases {
		t.Run(c.name, func(t *testing.T) {
			method := inverseMethods[c.header]
			want := 0.0
			if c.want != c.in && c.want != "" {
				want = 1
			}
			for name, mappings := range map[string]*rewrite.Mappings{"derived": nil, "with mappings": m} {
				var out string
				got := testing.AllocsPerRun(100, func() {
					out, _ = method(rewrite.NewInverse(client, upstream, r, inverseAliases...).With(mappings), c.in)
				})
				if out != c.want || got != want {
					t.Errorf("%s: %q with %v allocations, want %q with %v", name, out, got, c.want, want)
				}
			}
		})
	}
}

func TestAllocsOfMappings(t *testing.T) {
	m, err := rewrite.CompileMappings([]rewrite.Mapping{
		{From: "http://up.internal/", To: "/app/"},
		{Kind: rewrite.MapCookiePath, From: "/two", To: "/"},
		{Kind: rewrite.MapCookieDomain, From: "up.internal", To: "x.com"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := rewrite.Inverse{}.With(m)
	for _, c := range []struct{ header, in, want string }{
		{"Location", "http://up.internal/x?q", "/app/x?q"},
		{"Refresh", "5; url=http://up.internal/x", "5; url=/app/x"},
		{"Set-Cookie", "a=1; Path=/two/x; Domain=up.internal", "a=1; Path=/x; Domain=x.com"},
	} {
		var out string
		got := testing.AllocsPerRun(100, func() { out, _ = inverseMethods[c.header](v, c.in) })
		if out != c.want || got != 1 {
			t.Errorf("%s: %q with %v allocations, want %q with 1", c.header, out, got, c.want)
		}
	}
}

func BenchmarkInverse(b *testing.B) {
	client, upstream, r := newInverse(b)
	for _, c := range inverseCases {
		b.Run(c.name, func(b *testing.B) {
			method := inverseMethods[c.header]
			b.ReportAllocs()
			for b.Loop() {
				method(rewrite.NewInverse(client, upstream, r, inverseAliases...), c.in)
			}
		})
	}
}

// The first mapping that matches decides, so many cost what they cost one by one.
func BenchmarkMappings(b *testing.B) {
	for name, list := range map[string][]rewrite.Mapping{
		"text":       {{From: "http://up.internal/", To: "/app/"}},
		"expression": {{From: `~^http://up\.internal/(.*)$`, To: "/app/$1"}},
	} {
		b.Run(name, func(b *testing.B) {
			m, err := rewrite.CompileMappings(list, nil)
			if err != nil {
				b.Fatal(err)
			}
			v := rewrite.Inverse{}.With(m)
			b.ReportAllocs()
			for b.Loop() {
				v.Location("http://up.internal/users/12345")
			}
		})
	}
}
