package hostname

// The public test data of web-platform-tests, read where it is present. The
// library is stricter than a browser; each difference must have one of the
// reasons below, and nothing that must fail may be accepted.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/idna"
)

// readWPT unmarshals the objects of a file, leaving out the comments between.
func readWPT[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", name))
	if err != nil {
		t.Skip("the web platform tests are a data set of their own, read where it lies beside the project: ", err)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	var rows []T
	for _, r := range raw {
		var row T
		if json.Unmarshal(r, &row) == nil {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		t.Fatal("no rows")
	}
	return rows
}

// relaxed is profile without the checks that WPT's rows are made without.
var relaxed = idna.New(idna.MapForLookup(), idna.CheckHyphens(false), idna.StrictDomainName(false))

// newer has code points whose mapping is newer than Unicode 15.0, which is
// what package idna knows with Go 1.26.
var newer = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x04c0, 0x04c0, 1}, {0x10a0, 0x10c5, 1}, {0x115f, 0x1160, 1}, {0x180e, 0x180e, 1}, {0x1e9e, 0x1e9e, 1},
		{0x206a, 0x206f, 1}, {0x2132, 0x2132, 1}, {0x2183, 0x2183, 1}, {0xffa0, 0xffa0, 1},
	},
	R32: []unicode.Range32{{0x2f868, 0x2f868, 1}, {0x323b0, 0x33479, 1}},
}

// reasonToRefuse returns why a name that WPT maps to want is not taken, or "".
func reasonToRefuse(name, want string) string {
	switch got, err := relaxed.ToASCII(name); {
	case isASCII(name) && strings.Contains(strings.ToLower(name), "xn--"):
		return "the URL standard does not validate A-labels in ASCII text"
	case !Check(want):
		return "what WPT maps it to breaks an ASCII rule: length, hyphen, number or byte"
	case err == nil && got == want:
		return "the Bidi rule or the strict ASCII rules (STD3) refuse it"
	case strings.IndexFunc(name, func(r rune) bool { return unicode.Is(newer, r) }) >= 0:
		return "newer than Unicode 15.0"
	}
	return ""
}

func TestWPTNames(t *testing.T) {
	type row struct {
		Input, Comment string
		Output         *string // null: must fail
	}
	for _, file := range []string{"toascii.json", "IdnaTestV2.json", "IdnaTestV2-removed.json"} {
		t.Run(file, func(t *testing.T) {
			count := map[string]int{}
			for _, r := range readWPT[row](t, file) {
				got, err := ParseName(r.Input)
				switch {
				case r.Output == nil && err == nil:
					t.Errorf("%+q must fail (%s), is %q", r.Input, r.Comment, got)
				case r.Output == nil:
					count["must fail, does"]++
				case err != nil:
					reason := reasonToRefuse(r.Input, *r.Output)
					if reason == "" {
						t.Errorf("%+q: %v, want %q", r.Input, err, *r.Output)
					}
					count[reason]++
				case got == strings.TrimSuffix(*r.Output, "."):
					count["equal but for the final dot"]++
				case idna.UnicodeVersion == "15.0.0" && strings.ContainsRune(r.Input, '\u1e9e'):
					count["newer than Unicode 15.0"]++
				default:
					t.Errorf("%+q is %q, want %q", r.Input, got, *r.Output)
				}
			}
			for reason, n := range count {
				t.Logf("%5d %s", n, reason)
			}
		})
	}
}

// TestWPTHosts takes the host out of each absolute http URL that says it
// plainly, without the clean-up that a URL parser does before.
func TestWPTHosts(t *testing.T) {
	type row struct {
		Input, Base, Host string
		Failure           bool
	}
	var accepted, refused, stricter int
	for _, r := range readWPT[row](t, "urltestdata.json") {
		scheme, rest, ok := strings.Cut(r.Input, "://")
		if !ok || r.Base != "" || scheme != "http" && scheme != "https" {
			continue
		}
		if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
			rest = rest[:i]
		}
		got, err := Parse(rest)
		switch {
		case err != nil && r.Failure:
			refused++
			continue
		case err != nil:
			stricter++
			continue
		case r.Failure:
			t.Errorf("%+q must fail, is %q", r.Input, got)
			continue
		}
		accepted++
		for _, standard := range []struct{ scheme, port string }{{"http", ":80"}, {"https", ":443"}} {
			if scheme == standard.scheme {
				got = strings.TrimSuffix(got, standard.port)
			}
		}
		if got != strings.TrimSuffix(r.Host, ".") {
			t.Errorf("%+q has host %q, want %q", r.Input, got, r.Host)
		}
	}
	t.Logf("%d accepted by both, %d refused by both, %d refused here alone", accepted, refused, stricter)
}
