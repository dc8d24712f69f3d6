package hostname

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestAllowList(t *testing.T) {
	list, faults := NewAllowList([]string{
		"Example.com.", "*.internal.example", "admin.example:8443", "*.ports.example:81",
		"bücher.example", "*.bücher.example", "192.0.2.1", "[2001:DB8:0::1]", "co", "co:80",
	})
	if faults != nil {
		t.Fatal(faults)
	}
	for _, tt := range []struct {
		host string
		want bool
	}{
		{"example.com", true},
		{"EXAMPLE.COM.", true},
		{"example.com:8080", true},
		{"www.example.com", false},
		{"evilexample.com", false},
		{"example.com.evil", false},
		{"a.internal.example", true},
		{"c.B.a.INTERNAL.example.:1", true},
		{"internal.example", false},
		{"ainternal.example", false},
		{"admin.example:8443", true},
		{"admin.example", false},
		{"admin.example:844", false},
		{"admin.example:18443", false},
		{"a.ports.example:81", true},
		{"a.ports.example:80", false},
		{"a.ports.example", false},
		{"xn--bcher-kva.example", true},
		{"XN--BCHER-KVA.EXAMPLE", true},
		{"a.xn--bcher-kva.example", true},
		{"bücher.example", false},
		{"192.0.2.1:80", true},
		{"[2001:db8::1]:80", true},
		{"[2001:db8::2]", false},
		{"co", true},
		{"co:81", true},
		{"o", false},
		// Not hosts, whatever they end in.
		{"", false},
		{".", false},
		{".internal.example", false},
		{"a..internal.example", false},
		{"evil/.internal.example", false},
		{"evil:80.internal.example", false},
		{"user@a.internal.example", false},
		{"example.com:99999", false},
		{"example.com..", false},
		{strings.Repeat("a.", 1000) + "internal.example", false},
	} {
		if got := list.Contains(tt.host); got != tt.want {
			t.Errorf("Contains(%.80q) = %t", tt.host, got)
		}
	}
	if (*AllowList)(nil).Contains("example.com") || new(AllowList).Contains("example.com") {
		t.Error("an empty list contains something")
	}
}

func TestAllowListFaults(t *testing.T) {
	entries := []string{
		"good.example", "*", "*.", "*.*.com", "a.*.com", "**.com", "*.example.com/", "", "*.192.0.2.1", "*.[::1]",
		"*.bad-.com", "*.example.com:0", "http://a.com", "also.example",
	}
	want := []struct{ index, offset int }{
		{1, 0}, {2, 2}, {3, 2}, {4, 2}, {5, 0}, {6, 13}, {7, 0}, {8, 0}, {9, 0}, {10, 5}, {11, 14}, {12, 0},
	}
	list, faults := NewAllowList(entries)
	if len(faults) != len(want) {
		t.Fatalf("%d faults, want %d: %v", len(faults), len(want), faults)
	}
	for i, f := range faults {
		if f.Index != want[i].index || f.Err.Offset != want[i].offset {
			t.Errorf("%v; want entry %d, byte %d", f, want[i].index, want[i].offset)
		}
	}
	if got, want := faults[9].Error(), "entry 10: byte 5: a label must not end with '-'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var e *Error
	if !errors.As(faults[9], &e) || e != faults[9].Err {
		t.Error("the fault of the host is not to be had from the fault of the entry")
	}
	if !list.Contains("good.example") || !list.Contains("also.example") {
		t.Error("a faulty entry took a good one with it")
	}
}

// refContains looks at one entry after the other.
func refContains(entries []string, host string) bool {
	name, port, _ := strings.Cut(strings.ToLower(host), ":")
	name = strings.TrimSuffix(name, ".")
	for _, entry := range entries {
		entryName, entryPort, hasPort := strings.Cut(entry, ":")
		if hasPort && entryPort != port {
			continue
		}
		if suffix, ok := strings.CutPrefix(entryName, "*"); ok && strings.HasSuffix(name, suffix) || name == entryName {
			return true
		}
	}
	return false
}

func TestAllowListAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	name := func() string {
		s := pick("a", "b", "ab")
		for range r.IntN(4) {
			s += "." + pick("a", "b", "ab")
		}
		return s
	}
	hits := 0
	for range 20_000 {
		var entries []string
		for range r.IntN(4) {
			entries = append(entries, pick("", "*.")+name()+pick("", "", ":80", ":8"))
		}
		list, faults := NewAllowList(entries)
		if faults != nil {
			t.Fatal(faults)
		}
		host := name() + pick("", ".") + pick("", ":80", ":8")
		if r.IntN(2) == 0 {
			host = strings.ToUpper(host)
		}
		got := list.Contains(host)
		if want := refContains(entries, host); got != want {
			t.Fatalf("%q: Contains(%q) = %t, want %t", entries, host, got, want)
		}
		if got {
			hits++
		}
	}
	if hits < 1000 {
		t.Errorf("only %d hits", hits)
	}
}

func BenchmarkAllowList(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		var entries []string
		for i := range n / 2 {
			entries = append(entries, fmt.Sprintf("svc%05d.example.com", i), fmt.Sprintf("*.team%05d.example.com", i))
		}
		list, faults := NewAllowList(entries)
		if faults != nil {
			b.Fatal(faults)
		}
		for _, c := range []struct {
			name, host string
			want       bool
		}{
			{"exact", "svc00003.example.com", true},
			{"wildcard", "www.team00003.example.com", true},
			{"miss", "www.example.com", false},
			{"miss of 127 labels", strings.Repeat("a.", 126) + "a", false},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if list.Contains(c.host) != c.want {
						b.Fatal("wrong")
					}
				}
			})
		}
	}
}
