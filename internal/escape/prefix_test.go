package escape

// CutPrefix and the dot-segments, against slow and obvious code: all texts of
// a small alphabet, and fuzzing.

import (
	"strings"
	"testing"

	"github.com/readdress/readdress/internal/texts"
)

// cutUnits is CutPrefix, one unit after the other.
func cutUnits(path, prefix []unit, fold bool) (n int, ok bool) {
	if len(path) < len(prefix) {
		return 0, false
	}
	for i, q := range prefix {
		p := path[i].canonical
		if fold && len(p) == 1 && 'A' <= p[0] && p[0] <= 'Z' {
			p = strings.ToLower(p)
		}
		if p != q.canonical {
			return 0, false
		}
		n += len(path[i].text)
	}
	return n, true
}

// cutLikeUnits fails unless CutPrefix and CutSegments cut what cutUnits cuts.
func cutLikeUnits(t *testing.T, path, prefix string, pathUnits, prefixUnits []unit, fold bool) {
	t.Helper()
	want, found := cutUnits(pathUnits, prefixUnits, fold)
	n, ok := CutPrefix(path, prefix, fold)
	if ok != found || ok && n != want {
		t.Fatalf("CutPrefix(%q, %q, %v) = %d, %v; want %d, %v", path, prefix, fold, n, ok, want, found)
	}
	if strings.HasSuffix(prefix, "/") {
		return // nothing that CutSegments is given
	}
	found = found && (path[want:] == "" || strings.HasPrefix(path[want:], "/"))
	n, ok = CutSegments(path, prefix, fold)
	if ok != found || ok && n != want {
		t.Fatalf("CutSegments(%q, %q, %v) = %d, %v; want %d, %v", path, prefix, fold, n, ok, want, found)
	}
}

func TestCutPrefixExhaustively(t *testing.T) {
	type parsed struct {
		text  string
		units []unit
	}
	var paths, prefixes []parsed
	for _, path := range texts.UpTo("", pathSymbols, 4) {
		list, _ := units(path)
		paths = append(paths, parsed{path, list})
	}
	// A configured prefix has no broken escapes. %AA is what a lone "%" and two
	// letters make of a path.
	for _, prefix := range texts.UpTo("", []string{"/", "a", "A", ".", "%2F", "%AA"}, 3) {
		list, _ := units(prefix)
		prefixes = append(prefixes, parsed{prefix, list})
	}
	for _, prefix := range prefixes {
		for _, path := range paths {
			cutLikeUnits(t, path.text, prefix.text, path.units, prefix.units, false)
		}
		if strings.Contains(strings.ReplaceAll(prefix.text, "%AA", ""), "A") {
			continue // with fold the letters of a prefix are in lower case
		}
		for _, path := range paths {
			cutLikeUnits(t, path.text, prefix.text, path.units, prefix.units, true)
		}
	}
}

// The cases that the exhaustive test would explain worst.
func TestCutPrefix(t *testing.T) {
	for _, tt := range []struct {
		why          string
		path, prefix string
		fold         bool
		n            int // -1: no match
	}{
		{"the empty prefix", "/a", "", false, 0},
		{"the empty path", "", "/a", false, -1},
		{"the same text", "/api", "/api", false, 4},
		{"a longer word", "/apix", "/api", false, 4},
		{"an escaped letter", "/%61pi", "/api", false, 6},
		{"an escaped letter in the other case", "/%41pi", "/api", false, -1},
		{"the same with fold", "/%41pi", "/api", true, 6},
		{"hexadecimal digits in lower case", "/caf%c3%a9", "/caf%C3%A9", false, 10},
		{"an encoded slash is no slash", "/a%2Fb", "/a/b", false, -1},
		{"nor is a slash an encoded one", "/a/b", "/a%2Fb", false, -1},
		{"an escaped percent sign is no escape", "/%2561pi", "/api", false, -1},
		{"an escape cut short", "/a%2", "/a%2F", false, -1},
		{"the end within an escape's worth of text", "/%61", "/ap", false, -1},
		{"letter case outside of ASCII", "/%C3%89", "/%C3%A9", true, -1},
	} {
		t.Run(tt.why, func(t *testing.T) {
			n, ok := CutPrefix(tt.path, tt.prefix, tt.fold)
			if ok != (tt.n >= 0) || ok && n != tt.n {
				t.Errorf("CutPrefix(%q, %q, %v) = %d, %v", tt.path, tt.prefix, tt.fold, n, ok)
			}
		})
	}
}

func FuzzCutPrefix(f *testing.F) {
	for _, seed := range []struct {
		why          string
		path, prefix string
		fold         bool
	}{
		{"the very bytes, which are not looked at one by one", "/api/v1", "/api", false},
		{"an escaped letter in each", "/%61pi/v1", "/ap%69", false},
		{"escapes in either case", "/caf%c3%a9/x", "/caf%C3%A9", false},
		{"letters in either case", "/API", "/api", true},
		{"an escaped letter, and no letter case", "/%41pi", "/%61PI", true},
		{"a path that ends within an escape", "/a%2", "/a%2F", false},
		{"broken escapes behind the prefix", "/a%zz%", "/a", false},
		{"bytes that are not ASCII", "/\xff\u00e9", "/\xff\u00c9", true},
	} {
		f.Add(seed.path, seed.prefix, seed.fold)
	}
	f.Fuzz(func(t *testing.T, path, text string, fold bool) {
		list, whole := units(text)
		if !whole {
			return
		}
		prefix := ""
		for _, u := range list {
			if fold && len(u.canonical) == 1 && u.canonical[0] < 0x80 {
				u.canonical = strings.ToLower(u.canonical)
			}
			prefix += u.canonical
		}
		pathUnits, _ := units(path)
		prefixUnits, _ := units(prefix)
		cutLikeUnits(t, path, prefix, pathUnits, prefixUnits, fold)
	})
}

func TestCutPrefixDoesNotAllocate(t *testing.T) {
	paths := []string{"/api/v1", "/%61p%69/v1", "/API/v1", "/a%2", "/%41%50%49"}
	got := testing.AllocsPerRun(100, func() {
		for _, path := range paths {
			CutPrefix(path, "/api", false)
			CutSegments(path, "/api", true)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// dotSymbols spell dot-segments, and what is nearly one.
var dotSymbols = []string{".", "%2e", "%2E", "%2f", "%", "2", "e", "a"}

// dots spells every dot as one.
var dots = strings.NewReplacer("%2e", ".", "%2E", ".")

func TestDotSegment(t *testing.T) {
	for _, seg := range texts.UpTo("", dotSymbols, 5) {
		want := map[string]Dot{".": OneDot, "..": TwoDot}[dots.Replace(seg)]
		if got := DotSegment(seg); got != want {
			t.Errorf("%q: %d, want %d", seg, got, want)
		}
	}
}

func TestCountDots(t *testing.T) {
	for _, path := range texts.UpTo("", append([]string{"/"}, dotSymbols...), 5) {
		wantOne, wantTwo := 0, 0
		for seg := range strings.SplitSeq(dots.Replace(path), "/") {
			switch seg {
			case ".":
				wantOne++
			case "..":
				wantTwo++
			}
		}
		if one, two := CountDots(path); one != wantOne || two != wantTwo {
			t.Errorf("%q: %d and %d, want %d and %d", path, one, two, wantOne, wantTwo)
		}
	}
}
