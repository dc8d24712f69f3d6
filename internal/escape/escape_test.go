package escape

// Classes, escapes and the normal form, against RFC 3986 as its sections 2
// and 3.3 spell it.

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/texts"
)

const (
	alphaDigit = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "abcdefghijklmnopqrstuvwxyz" + "0123456789"
	unreserved = alphaDigit + "-._~"
	subDelims  = "!$&'()*+,;="
	pchar      = unreserved + subDelims + ":@" // and escapes
	hexDigits  = "0123456789ABCDEFabcdef"
)

func TestClasses(t *testing.T) {
	for i := range 256 {
		c := byte(i)
		// Brackets are no pchar, but browsers and net/url leave them alone.
		path := strings.IndexByte("/"+pchar+"[]", c) >= 0
		for _, class := range []struct {
			name      string
			got, want bool
		}{
			{"Unreserved", Class[c]&Unreserved != 0, strings.IndexByte(unreserved, c) >= 0},
			{"IsUnreserved", IsUnreserved(c), strings.IndexByte(unreserved, c) >= 0},
			{"Path", Class[c]&Path != 0, path},
			{"Hex", Class[c]&Hex != 0, strings.IndexByte(hexDigits, c) >= 0},
			{"IsHex", IsHex(c), strings.IndexByte(hexDigits, c) >= 0},
		} {
			if class.got != class.want {
				t.Errorf("%q: %s is %v", c, class.name, class.got)
			}
		}
		// What a listener escapes, refuses or takes for the end of the path.
		if other := c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^{|}`?#%", c) >= 0; other == path {
			t.Errorf("%q: neither in a path nor kept out of it", c)
		}
	}
}

func TestOctet(t *testing.T) {
	for i := range 256 {
		want := byte(i)
		for _, format := range []string{"%%%02X", "%%%02x"} {
			s := "%" + fmt.Sprintf(format, want) + "%"
			if c, ok := Octet(s, 1); !ok || c != want {
				t.Errorf("%q: %#02x, %v", s, c, ok)
			}
		}
		if got := string(Append([]byte("/"), want)); got != fmt.Sprintf("/%%%02X", want) {
			t.Errorf("Append of %#02x makes %q", want, got)
		}
	}
	for i := range 1 << 16 {
		s := string([]byte{'%', byte(i >> 8), byte(i)})
		n, err := strconv.ParseUint(s[1:], 16, 8)
		if c, ok := Octet(s, 0); ok != (err == nil) || c != byte(n) {
			t.Errorf("%q: %#02x, %v", s, c, ok)
		}
	}
	for _, s := range []string{"", "%", "%4", "4%41", "x%"} {
		if c, ok := Octet(s, 0); ok || c != 0 {
			t.Errorf("%q: %#02x, %v", s, c, ok)
		}
	}
}

// allBytes is every byte but "%".
var allBytes = func() string {
	b := make([]byte, 0, 256)
	for i := range 256 {
		if i != '%' {
			b = append(b, byte(i))
		}
	}
	return string(b)
}()

func TestAppendPath(t *testing.T) {
	for i := range len(allBytes) {
		s, want := allBytes[i:i+1], allBytes[i:i+1]
		if strings.IndexByte("/"+pchar+"[]", s[0]) < 0 {
			want = fmt.Sprintf("%%%02X", s[0])
		}
		if got := string(AppendPath(nil, s)); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"/a b", "/a%20b"},
		{"/é", "/%C3%A9"},
		{"/\xff", "/%FF"},
		{"/%61%2f%2F%00", "/%61%2f%2F%00"},
		{"/a?b#c", "/a%3Fb%23c"},
		{`/a\b`, "/a%5Cb"},
	} {
		got := string(AppendPath([]byte("x"), tt.in))
		if got != "x"+tt.want {
			t.Errorf("%q became %q behind an x, want %q", tt.in, got, tt.want)
		}
		if again := string(AppendPath(nil, tt.want)); again != tt.want {
			t.Errorf("%q became %q", tt.want, again)
		}
	}
	if got, err := url.PathUnescape(string(AppendPath(nil, allBytes))); err != nil || got != allBytes {
		t.Errorf("every byte became %q, %v", got, err)
	}
}

func TestAppendQuery(t *testing.T) {
	for i := range 256 {
		s := string([]byte{byte(i)})
		want := s
		if strings.IndexByte(unreserved, s[0]) < 0 {
			want = fmt.Sprintf("%%%02X", s[0])
		}
		if got := string(AppendQuery([]byte("?"), s)); got != "?"+want {
			t.Errorf("%q became %q behind a ?, want %q", s, got, want)
		}
	}
	for _, s := range []string{"", "%41", "a b+c", "é", "a=b&c;d", allBytes + "%zz"} {
		if got, err := url.QueryUnescape(string(AppendQuery(nil, s))); err != nil || got != s {
			t.Errorf("%q means %q now, %v", s, got, err)
		}
	}
}

// A unit is what a path is compared by: one byte or one whole escape.
type unit struct {
	text      string
	canonical string // the letter of an escaped unreserved octet, else in upper case if it is an escape
}

// units is the obvious way to read a path: from the left, one by one.
func units(path string) (list []unit, whole bool) {
	whole = true
	for path != "" {
		u := unit{path[:1], path[:1]}
		if path[0] == '%' {
			octet, err := strconv.ParseUint(path[1:min(3, len(path))], 16, 8)
			switch {
			case err != nil || len(path) < 3:
				whole = false
			case strings.IndexByte(unreserved, byte(octet)) >= 0:
				u = unit{path[:3], string(rune(octet))}
			default:
				u = unit{path[:3], strings.ToUpper(path[:3])}
			}
		}
		list = append(list, u)
		path = path[len(u.text):]
	}
	return list, whole
}

// pathSymbols are boundaries, letters and what look like either. "%" and "%2"
// are no escapes, until another symbol makes them one.
var pathSymbols = []string{"/", "a", "A", ".", "%61", "%41", "%2F", "%2f", "%2e", "%", "%2"}

func TestAppendNormal(t *testing.T) {
	for _, path := range texts.UpTo("", pathSymbols, 4) {
		upper, kept := "", ""
		list, _ := units(path)
		for _, u := range list {
			upper += u.canonical
			if len(u.canonical) == 3 {
				kept += u.text
			} else {
				kept += u.canonical
			}
		}
		if got := string(AppendNormal([]byte("x"), path, true)); got != "x"+upper {
			t.Errorf("%q with upper became %q behind an x, want %q", path, got, upper)
		}
		if got := string(AppendNormal(nil, path, false)); got != kept {
			t.Errorf("%q became %q, want %q", path, got, kept)
		}
	}
}

// Source finds for every index of the normal form the byte of the path that
// it came from, whatever known pair of indexes it starts from.
func TestSource(t *testing.T) {
	for _, path := range texts.UpTo("", pathSymbols, 4) {
		var from []int // from[n] is where index n of the normal form comes from
		at := 0
		list, _ := units(path)
		for _, u := range list {
			for i := range len(u.canonical) {
				from = append(from, at+i)
			}
			at += len(u.text)
		}
		from = append(from, at)
		if normal := AppendNormal(nil, path, false); len(normal) != len(from)-1 {
			t.Fatalf("%q: the normal form is %q", path, normal)
		}
		for n, want := range from {
			for known := range n + 1 {
				if got := Source(path, from[known], known, n); got != want {
					t.Fatalf("%q: index %d, from %d on, comes from %d, not %d; all from %v", path, n, known, got, want, from)
				}
			}
		}
	}
}
