// Names from the wire, whatever they are.

package visibility_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/visibility"
)

func FuzzLookupHost(f *testing.F) {
	for _, name := range append(queriesOfSmallWorld, "", ".", "..", ":", "x.example.com:80", "x.example.com.:80",
		"[::1]:80", "X.EXAMPLE.COM", "a..example.com", ".example.com", "*.example.com", "K.com" /* Kelvin */, "x.com\x00",
		strings.Repeat("a.", 126)+"com", strings.Repeat("A", 254)) {
		f.Add(name, "b")
	}
	f.Add("example.com", "")
	x := mustIndex(f, visibility.Off(), nil, &visibility.IndexOptions{Unknown: visibility.UnknownPublic},
		serviceEntry("a", "apex", 1, "example.com"), serviceEntry("a", "below", 1, "*.example.com"), serviceEntry("a", "com", 1, "*.com"))
	f.Fuzz(func(t *testing.T, name, client string) {
		got := host(x, name, client)
		require.Equal(t, wantOfName(name), got)
		e := x.Explain(name, client)
		require.Equal(t, got, e.Ref.Name)
		ref, _ := x.LookupDNS(name, client) // nothing has an address
		require.Empty(t, ref)
	})
}

// wantOfName is the rule for the three hosts above.
func wantOfName(name string) string {
	if i := strings.LastIndexByte(name, ':'); i >= 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	name = strings.TrimSuffix(name, ".")
	ascii := func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	if strings.ToValidUTF8(name, "") == name {
		name = strings.Map(ascii, name)
	}
	switch {
	case len(name) > 253 || strings.HasPrefix(name, "."):
		return ""
	case name == "example.com":
		return "apex"
	case hasSuffixFold(name, ".example.com"):
		return "below"
	case hasSuffixFold(name, ".com"):
		return "com"
	}
	return ""
}

// hasSuffixFold is for names that strings.Map would mend.
func hasSuffixFold(name, suffix string) bool {
	return len(name) >= len(suffix) && strings.EqualFold(name[len(name)-len(suffix):], suffix)
}
