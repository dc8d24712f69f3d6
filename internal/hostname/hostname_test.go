package hostname

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/internal/gate"
)

// label returns a label of n bytes.
func label(n int) string { return strings.Repeat("a", n) }

// name253 is the longest name.
var name253 = label(63) + "." + label(63) + "." + label(63) + "." + label(61)

var parseTests = []struct{ name, in, want string }{
	{"name", "example.com", "example.com"},
	{"port", "example.com:8443", "example.com:8443"},
	{"lowest port", "example.com:1", "example.com:1"},
	{"highest port", "example.com:65535", "example.com:65535"},
	{"one label", "localhost", "localhost"},
	{"upper case", "API.Example.COM", "api.example.com"},
	{"final dot", "example.com.", "example.com"},
	{"final dot and port", "example.com.:80", "example.com:80"},
	{"underscore", "_sip._tcp.a_b.example", "_sip._tcp.a_b.example"},
	{"digits", "1.2.3.4.5a", "1.2.3.4.5a"},
	{"hyphens in the third and fourth place", "r3---sn-apo3qvuoxuxbt-j5pe.googlevideo.com", "r3---sn-apo3qvuoxuxbt-j5pe.googlevideo.com"},
	{"longest label", label(63) + ".com", label(63) + ".com"},
	{"longest name", name253, name253},
	{"longest name, final dot, port", name253 + ".:65535", name253 + ":65535"},

	{"IPv4", "192.0.2.1", "192.0.2.1"},
	{"IPv4, final dot, port", "192.0.2.1.:80", "192.0.2.1:80"},
	{"IPv4 from full-width digits", "１９２.0.2.1", "192.0.2.1"},
	{"IPv6", "[2001:db8::1]:80", "[2001:db8::1]:80"},
	{"IPv6, canonical", "[2001:DB8:0:0:0:0:0:1]", "[2001:db8::1]"},
	{"IPv4 in IPv6", "[::FFFF:192.0.2.1]", "[::ffff:192.0.2.1]"},

	{"IDN", "bücher.example", "xn--bcher-kva.example"},
	{"IDN, upper case, port", "BÜCHER.Example:8443", "xn--bcher-kva.example:8443"},
	{"IDN, hyphens in the third and fourth place", "r3---sn-x.bücher.example", "r3---sn-x.xn--bcher-kva.example"},
	{"IDN, decomposed", "bu\u0308cher.example", "xn--bcher-kva.example"},
	{"IDN, A-label", "XN--Bcher-KVA.example", "xn--bcher-kva.example"},
	{"IDN, nontransitional", "faß.de", "xn--fa-hia.de"},
	{"IDN, right to left", "אב.example", "xn--4dbc.example"},
	{"IDN, ideographic full stops", "a。bücher．example｡", "a.xn--bcher-kva.example"},
	{"ASCII but for the final dot", "a_b.example。", "a_b.example"},
	{"full width", "ｅｘａｍｐｌｅ.com", "example.com"},
	{"A-label in full width", "ｘｎ－－bcher-kva.example", "xn--bcher-kva.example"},
	{"Kelvin sign", "\u212aelvin.example", "kelvin.example"},
}

func TestParse(t *testing.T) {
	for _, tt := range parseTests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Parse(tt.in); err != nil || got != tt.want {
				t.Errorf("Parse(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
			}
		})
	}
}

var parseErrors = []struct {
	name, in string
	offset   int
	reason   string // a part of it: the fault, or what to write instead
}{
	{"empty", "", 0, "empty"},
	{"port alone", ":80", 0, "before ':' is empty"},
	{"too long to read", strings.Repeat("a.", 600), 1024, "1200 bytes"},
	{"10,000 runes", strings.Repeat("ü", 10_000), 1024, "at most 1024"},
	{"invalid UTF-8", "a\xffb.com", 1, "UTF-8"},

	{"space", "a b", 1, "' '"},
	{"CR LF", "a\r\nX: y", 1, `'\r'`},
	{"NUL", "google.com\x00.kallus.org", 10, `'\x00'`},
	{"DEL", "a\x7f", 1, `'\x7f'`},
	{"comma", "a,b", 1, "','"},
	{"semicolon", "a;b", 1, "';'"},
	{"backslash", `a\b`, 1, `'\\'`},
	{"escape", "a%2fb", 1, "write the character itself"},
	{"path", "evil.com/x", 8, "write only what precedes '/'"},
	{"query", "evil.com?x", 8, "write only what precedes '?'"},
	{"fragment", "evil.com#x", 8, "write only what precedes '#'"},
	{"scheme", "http://evil.com", 0, `write only what follows "://"`},
	{"user information", "user@evil.com", 4, "write only what follows '@'"},
	{"wildcard", "*.example.com", 0, "write one full name"},

	{"empty port", "example.com:", 12, "or no ':'"},
	{"port too high", "example.com:99999", 12, "1 to 65535"},
	{"port just too high", "example.com:65536", 12, "1 to 65535"},
	{"port of many digits", "example.com:18446744073709551696", 12, "1 to 65535"},
	{"port 0", "example.com:0", 12, "1 to 65535"},
	{"leading zero", "example.com:080", 12, "leading zeros"},
	{"port with letters", "example.com:80a", 14, "digits only"},
	{"port with a sign", "example.com:+80", 12, "'+'"},
	{"two ports", "example.com:80:80", 14, "one ':'"},

	{"IPv6 without brackets", "::1", 0, "write [::1]"},
	{"IPv6 zone", "[fe80::1%eth0]:80", 8, "zone"},
	{"IPv6, not closed", "[::1", 4, "']' is missing"},
	{"IPv6, text behind", "[::1]evil.com", 5, "only ':' and a port"},
	{"IPv6, port faulty", "[::1]:x", 6, "digits only"},
	{"brackets around IPv4", "[192.0.2.1]", 0, "write 192.0.2.1"},
	{"brackets around a name", "[example.com]", 1, "not an IPv6 address"},
	{"brackets around nothing", "[]", 1, "not an IPv6 address"},
	{"bracket inside", "a[b", 1, "'['"},
	{"bracket at the end", "a]:80", 1, "']'"},

	{"dot alone", ".", 0, "label is empty"},
	{"leading dot", ".a", 0, "label is empty"},
	{"two dots", "a..b", 2, "label is empty"},
	{"two final dots", "a..", 2, "label is empty"},
	{"label too long", "a." + label(64) + ".com", 65, "64 bytes"},
	{"name too long", name253 + "a", 253, "254 bytes"},
	{"hyphen first", "a.-b", 2, "begin with '-'"},
	{"hyphen last", "a-.b", 1, "end with '-'"},
	{"hyphen at the end", "a.b-:80", 3, "end with '-'"},

	{"three numbers", "1.2.3", 4, "four decimal parts"},
	{"five numbers", "1.2.3.4.5", 8, "four decimal parts"},
	{"part too high", "1.2.3.256", 6, "four decimal parts"},
	{"octal part", "1.2.3.04", 6, "four decimal parts"},
	{"hexadecimal address", "0x7f.1", 5, "four decimal parts"},
	{"one number", "2130706433", 0, "four decimal parts"},
	{"name with a number at the end", "foo.09", 4, "four decimal parts"},
	{"name with a hexadecimal number at the end", "foo.0XaF.", 4, "four decimal parts"},
	{"name with 0x at the end", "foo.0x", 4, "four decimal parts"},
	{"number from full-width digits", "foo.１", 0, `becomes "foo.1"`},

	{"IDN, A-label that is ASCII", "xn--example-.com", 11, "end with '-'"},
	{"IDN, right to left only when mapped", "k\u2136", 0, "which is not one"},
	{"IDN, A-label that decodes to ASCII", "a.xn--0.com", 2, "international"},
	{"IDN, empty A-label", "example.com.xn--", 15, "end with '-'"},
	{"IDN, A-label that is not ASCII", "a.xn--が-", 2, "must be ASCII"},
	{"IDN, the same behind a mapping", "ｘn-\u00ad-が-", 0, "must be ASCII"},
	{"IDN, empty label", "ü。。b", 5, "label is empty"},
	{"IDN, two final dots", "ü.。", 3, "label is empty"},
	{"IDN, label mapped to nothing", "ü.\u00ad.b", 3, "international"},
	{"IDN, long label", "a." + strings.Repeat("ü", 64), 2, "international"},
	{"IDN, long name", strings.Repeat(label(63)+".", 4) + "ü", 0, "international"},
	{"IDN, hyphen", "ü.a-", 4, "end with '-'"},
	{"IDN, underscore", "ü.a_b", 3, "international"},
	{"IDN, mapped to a path", "a.℀.com", 2, "international"},
	{"IDN, mapped to a colon", "a：80", 0, "international"},
	{"IDN, line separator", "a.b\u2028", 2, "international"},
	{"IDN, Bidi rule", "א1b.example", 0, "international"},
	{"IDN, Bidi rule across labels", "1a.אב", 0, "international"},
	{"IDN, joiner", "a.a\u200db.c", 2, "international"},
}

func TestParseErrors(t *testing.T) {
	for _, tt := range parseErrors {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.in)
			var e *Error
			if !errors.As(err, &e) || got != "" {
				t.Fatalf("Parse(%.80q) = %q, %v; want an *Error", tt.in, got, err)
			}
			if e.Offset != tt.offset || !strings.Contains(e.Reason, tt.reason) {
				t.Errorf("Parse(%.80q): %v; want byte %d: …%s…", tt.in, e, tt.offset, tt.reason)
			}
		})
	}
}

// TestParseTime: the longest label of distinct runes that is looked at at all.
// Without a bound, 10,000 runes take package idna seconds.
func TestParseTime(t *testing.T) {
	var b strings.Builder
	for r := '\u4e00'; b.Len() <= maxText-3; r++ {
		b.WriteRune(r)
	}
	took := gate.Took(func() {
		if _, err := Parse(b.String()); err == nil {
			t.Error("accepted")
		}
	})
	if took > time.Second {
		t.Errorf("took %v", took)
	}
}

func TestParseName(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Example.com.", "example.com"},
		{"bücher.example", "xn--bcher-kva.example"},
		{"192.0.2.1", "192.0.2.1"},
		{"[::1]", "[::1]"},
	} {
		if got, err := ParseName(tt.in); err != nil || got != tt.want {
			t.Errorf("ParseName(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
	for _, tt := range []struct {
		in     string
		offset int
		reason string
	}{
		{"example.com:80", 11, "a port is not part of a host name"},
		{"example.com:", 11, "a port is not part of a host name"},
		{"[::1]:80", 5, "a port is not part of a host name"},
		{"bücher.example:80", 15, "a port is not part of a host name"},
		{"::1", 0, "write [::1]"},
		{"a..b", 2, "label is empty"},
		{"", 0, "empty"},
	} {
		_, err := ParseName(tt.in)
		var e *Error
		if !errors.As(err, &e) || e.Offset != tt.offset || !strings.Contains(e.Reason, tt.reason) {
			t.Errorf("ParseName(%q): %v; want byte %d: …%s…", tt.in, err, tt.offset, tt.reason)
		}
	}
}

func TestParsePort(t *testing.T) {
	for _, s := range []string{"1", "80", "9999", "65535"} {
		if err := ParsePort(s); err != nil {
			t.Errorf("ParsePort(%q): %v", s, err)
		}
	}
	for _, s := range []string{"", "0", "00", "080", "65536", "99999", "100000", "-1", "+1", " 1", "1 ", "8o", "٣", "\xff"} {
		err := ParsePort(s)
		var e *Error
		if !errors.As(err, &e) || e.Offset > len(s) {
			t.Errorf("ParsePort(%q): %v; want an *Error within the text", s, err)
		}
	}
}

func TestIsLabel(t *testing.T) {
	for _, s := range []string{"a", "0", "web-1", "1-web", "xn--a", label(63)} {
		if !IsLabel(s) {
			t.Errorf("IsLabel(%q) = false", s)
		}
	}
	for _, s := range []string{"", "-", "-a", "a-", "A", "a.b", "a_b", "a/b", "é", "a\x00", label(64)} {
		if IsLabel(s) {
			t.Errorf("IsLabel(%q) = true", s)
		}
	}
}

func TestErrorText(t *testing.T) {
	_, err := Parse("user@evil.com")
	if want := "byte 4: a host has no user information: write only what follows '@'"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct{ in, name, port string }{
		{"example.com", "example.com", ""},
		{"example.com:80", "example.com", "80"},
		{"example.com.:80", "example.com.", "80"},
		{"192.0.2.1", "192.0.2.1", ""},
		{"192.0.2.1:8443", "192.0.2.1", "8443"},
		{"[::1]", "[::1]", ""},
		{"[::1]:80", "[::1]", "80"},
		{"a1", "a1", ""},
		// What Check refuses must not panic.
		{"", "", ""},
		{":", "", ""},
		{"123", "123", ""},
		{"example.com:", "example.com", ""},
		{"example.com:http", "example.com:http", ""},
	} {
		if name, port := Split(tt.in); name != tt.name || port != tt.port {
			t.Errorf("Split(%q) = %q, %q; want %q, %q", tt.in, name, port, tt.name, tt.port)
		}
	}
}

func TestIsIP(t *testing.T) {
	for _, s := range []string{"192.0.2.1", "192.0.2.1.", "0.0.0.0", "[::1]", "[::FFFF:192.0.2.1]"} {
		if !IsIP(s) {
			t.Errorf("IsIP(%q) = false", s)
		}
	}
	for _, s := range []string{"", ".", "example.com", "1.2.3.4.example", "1.2.3.4a", "a.b.c.d", "1234"} {
		if IsIP(s) {
			t.Errorf("IsIP(%q) = true", s)
		}
	}
}

// FuzzParse holds the doc comment of Parse against it.
func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add(tt.in)
	}
	for _, tt := range parseErrors {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Parse(s)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(s) || e.Reason == "" || got != "" {
				t.Errorf("Parse(%q) = %q, %#v", s, got, err)
			}
		} else {
			if !Check(got) || strings.ToLower(got) != got {
				t.Errorf("Parse(%q) = %q, which is not a host in lower case", s, got)
			}
			if again, err := Parse(got); again != got {
				t.Errorf("Parse(%q) = %q, of which Parse makes %q, %v", s, got, again, err)
			}
		}
		checkAgreement(t, s, got, err)
	})
}

// checkAgreement asserts what Parse(s) says about Check(s) if s is ASCII.
func checkAgreement(t *testing.T, s, got string, err error) {
	if !isASCII(s) {
		return
	}
	lower := strings.ToLower(s)
	switch hasA := strings.HasPrefix(lower, "xn--") || strings.Contains(lower, ".xn--"); {
	case err == nil && !Check(s):
		t.Errorf("Parse(%q) = %q, and Check refuses it", s, got)
	case err != nil && !hasA && Check(s):
		t.Errorf("Parse(%q): %v, and Check accepts it", s, err)
	}
	if err != nil || s[0] == '[' {
		return
	}
	name, port, hasPort := strings.Cut(lower, ":")
	want := strings.TrimSuffix(name, ".")
	if hasPort {
		want += ":" + port
	}
	if got != want {
		t.Errorf("Parse(%q) = %q, want it in lower case without the final dot: %q", s, got, want)
	}
}
