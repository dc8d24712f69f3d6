package hostname

import (
	"net/netip"
	"strconv"
	"strings"
	"testing"
)

// only reports whether every character of s is in set.
func only(s, set string) bool { return strings.Trim(s, set) == "" }

func refPort(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && only(s, "0123456789") && s[0] != '0' && n <= 65535
}

func refLabel(s string) bool {
	return 1 <= len(s) && len(s) <= 63 && !strings.HasPrefix(s, "-") && !strings.HasSuffix(s, "-") &&
		only(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-_") && isASCII(s)
}

func refNumber(s string) bool {
	hex, isHex := strings.CutPrefix(strings.ToLower(s), "0x")
	return isHex && only(hex, "0123456789abcdef") || s != "" && only(s, "0123456789")
}

// refCheck is Check from the rules, one after the other.
func refCheck(s string) bool {
	name, port, hasPort := strings.Cut(s, ":")
	inBrackets := strings.HasPrefix(s, "[")
	if inBrackets {
		end := strings.Index(s, "]")
		if end < 0 {
			return false
		}
		name = s[1:end]
		port, hasPort = strings.CutPrefix(s[end+1:], ":")
		if !hasPort && port != "" {
			return false
		}
	}
	if hasPort && !refPort(port) {
		return false
	}
	addr, err := netip.ParseAddr(name)
	if inBrackets {
		return err == nil && addr.Is6() && addr.Zone() == ""
	}
	name = strings.TrimSuffix(name, ".")
	labels := strings.Split(name, ".")
	for _, l := range labels {
		if !refLabel(l) {
			return false
		}
	}
	if refNumber(labels[len(labels)-1]) {
		addr, err = netip.ParseAddr(name)
		return err == nil && addr.Is4()
	}
	return len(name) <= 253
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     bool
	}{
		{"empty", "", false},
		{"name", "www.example.com", true},
		{"upper case", "WWW.Example.COM:8443", true},
		{"final dot", "example.com.", true},
		{"final dot and port", "example.com.:80", true},
		{"two final dots", "example.com..", false},
		{"underscore", "a_b.example", true},
		{"A-label is bytes", "xn--0.com", true},
		{"not ASCII", "bücher.example", false},
		{"Kelvin sign", "\u212aelvin.example", false},
		{"user information", "user@example.com", false},
		{"escape", "a%2fb", false},
		{"IPv4", "169.254.169.254", true},
		{"IPv4 in another spelling", "0x7f.1", false},
		{"IPv6", "[2001:DB8::1]:80", true},
		{"IPv6 without brackets", "2001:db8::1", false},
		{"IPv6 zone", "[fe80::1%25eth0]", false},
		{"hexadecimal letters last", "example.de", true},
		{"longest name", name253, true},
		{"longest name, final dot, port", name253 + ".:65535", true},
		{"name too long", name253 + "a", false},
		{"label too long", label(64), false},
		{"label too long, port", label(64) + ":80", false},
		{"long label last", "a." + label(64), false},
		{"number after a long name", name253[:190] + ".08", false},
		{"1 MiB", strings.Repeat("a.", 1<<19) + "a", false},
		{"1 MiB, port", strings.Repeat("a.", 1<<19) + "a:80", false},
		{"1 MiB of port", "a:" + strings.Repeat("1", 1<<20), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Check(tt.in); got != tt.want {
				t.Errorf("Check(%.80q) = %t", tt.in, got)
			}
			if got := refCheck(tt.in); got != tt.want {
				t.Errorf("the reference says %t for %.80q", got, tt.in)
			}
		})
	}
}

// TestSmallWorld compares Check with the reference, and Parse with Check, on
// every string of up to five tokens.
func TestSmallWorld(t *testing.T) {
	tokens := []string{"a", "F", "x", "0", "7", "256", ".", "-", "_", ":", "::", "[", "]"}
	accepted := 0
	var walk func(s string, more int)
	walk = func(s string, more int) {
		got := Check(s)
		if want := refCheck(s); got != want {
			t.Fatalf("Check(%q) = %t, want %t", s, got, want)
		}
		if got {
			accepted++
		}
		host, err := Parse(s)
		checkAgreement(t, s, host, err)
		if more > 0 {
			for _, token := range tokens {
				walk(s+token, more-1)
			}
		}
	}
	walk("", 5)
	if accepted < 10_000 {
		t.Errorf("only %d strings were hosts", accepted)
	}
}

// TestEveryByte puts each byte at each place that Check treats differently.
func TestEveryByte(t *testing.T) {
	for c := range 256 {
		b := string([]byte{byte(c)})
		for _, s := range []string{b, b + "example", "exa" + b + "mple", "exampl." + b, "a." + b + "b", "a.b" + b, "a:8" + b, "[::" + b + "]", label(62) + b + label(62)} {
			if got, want := Check(s), refCheck(s); got != want {
				t.Errorf("Check(%q) = %t, want %t", s, got, want)
			}
		}
	}
}

func TestIPAddresses(t *testing.T) {
	for _, s := range []string{
		"0.0.0.0", "255.255.255.255", "256.0.0.0", "1.2.3", "1.2.3.", "1.2.3.4.", "1..2.3", ".1.2.3", "01.2.3.4", "1.2.3.00",
		"1.2.3.4.5", "1.2.3.1000", "1.2.3.-1", "1.2.3.4a", "18446744073709551617.0.0.1",
		"::", ":", ":::", "1::", "::1", "1::1", "1::1::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7::",
		"::2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", "12345::", "abcd:EF01::", "g::", "1:::2",
		"::1.2.3.4", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5::1.2.3.4", "1:2:3:4:5:6::1.2.3.4",
		"::1.2.3.4:5", "::1.2.3", "::1.2.3.256", "::01.2.3.4", "1.2.3.4::", "::a.2.3.4", "fe80::1%eth0", "",
	} {
		addr, err := netip.ParseAddr(s)
		if got, want := isIPv4(s), err == nil && addr.Is4(); got != want {
			t.Errorf("isIPv4(%q) = %t, netip says %t", s, got, want)
		}
		if got, want := isIPv6(s), err == nil && addr.Is6() && addr.Zone() == ""; got != want {
			t.Errorf("isIPv6(%q) = %t, netip says %t", s, got, want)
		}
	}
}

// FuzzCheck compares Check with the reference.
func FuzzCheck(f *testing.F) {
	for _, tt := range parseTests {
		f.Add(tt.in)
	}
	for _, tt := range parseErrors {
		if len(tt.in) <= maxText {
			f.Add(tt.in)
		}
	}
	f.Add("[1:2:3:4:5:6:1.2.3.4]:1") // an address of every part
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Check(s), refCheck(s); got != want {
			t.Errorf("Check(%q) = %t, want %t", s, got, want)
		}
		name, port := Split(s)
		if s != name && s != name+":"+port {
			t.Errorf("Split(%q) = %q, %q, which is something else", s, name, port)
		}
		if Check(s) && !Check(name) {
			t.Errorf("%q is a host and its name %q is none", s, name)
		}
		labels := strings.Split(strings.TrimSuffix(name, "."), ".")
		isAddr := strings.HasPrefix(name, "[") || refNumber(labels[len(labels)-1])
		if Check(s) && IsIP(name) != isAddr {
			t.Errorf("IsIP(%q) = %t", name, !isAddr)
		}
	})
}

func TestRequestsDoNotAllocate(t *testing.T) {
	hosts := []string{
		"", "www.example.com", "WWW.Example.COM.:8443", "192.0.2.1", "[2001:db8::1]:80", name253 + ".:65535",
		"a b", "a..b", "a:99999", "1.2.3", "[::1", "[1::2::3]", "[fe80::1%eth0]", label(64), strings.Repeat("a.", 1000),
	}
	list, faults := NewAllowList([]string{"*.example.com", "192.0.2.1:80"})
	if faults != nil {
		t.Fatal(faults)
	}
	var yes int // uses the results
	for _, h := range hosts {
		if n := testing.AllocsPerRun(100, func() {
			name, _ := Split(h)
			for _, b := range []bool{Check(h), IsIP(name), list.Contains(h)} {
				if b {
					yes++
				}
			}
		}); n != 0 {
			t.Errorf("%.80q: %v allocations", h, n)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, c := range []struct{ name, host string }{
		{"name", "www.example.com"},
		{"hex", "www.example.edu.de"},
		{"port", "www.example.com:8443"},
		{"IPv4", "192.168.100.200"},
		{"IPv6", "[2001:db8::1]:8443"},
		{"long", name253},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !Check(c.host) {
					b.Fatal("refused")
				}
			}
		})
	}
}
