package livetest

// The URL parser of node, which is that of browsers, as the judge of hosts and
// of dot-segments.

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// nodeURLs asks node for the host and the path of each URL; of one that it
// refuses both are empty.
func nodeURLs(t *testing.T, urls []string) (parsed []struct{ Host, Path string }) {
	t.Helper()
	const script = `
		const urls = JSON.parse(require("fs").readFileSync(0, "utf8"));
		console.log(JSON.stringify(urls.map(text => {
			try { const u = new URL(text); return {Host: u.host, Path: u.pathname}; } catch { return {Host: "", Path: ""}; }
		})));`
	input, err := json.Marshal(urls)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), find(t, "node", "nodejs"), "-e", script)
	cmd.Stdin = strings.NewReader(string(input))
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &parsed)
	}
	if err != nil || len(parsed) != len(urls) {
		t.Fatalf("%d answers to %d URLs: %v", len(parsed), len(urls), err)
	}
	return parsed
}

// testInputs returns the inputs of the web platform tests in a file of the URL
// data, where that is present.
func testInputs(t *testing.T, name string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", name))
	if os.IsNotExist(err) {
		t.Logf("there is no %s", name)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	var inputs []string
	for _, item := range list {
		if row, ok := item.(map[string]any); ok {
			if input, ok := row["input"].(string); ok {
				inputs = append(inputs, input)
			}
		}
	}
	return inputs
}

// A host that a rule can have is the host that a browser sees.
func TestNodeHosts(t *testing.T) {
	hosts := append(testInputs(t, "toascii.json"), testInputs(t, "IdnaTestV2.json")...)
	for _, input := range testInputs(t, "urltestdata.json") {
		if rest, ok := strings.CutPrefix(input, "http://"); ok {
			hosts = append(hosts, rest[:strings.IndexAny(rest+"/", "/?#\\")])
		}
	}
	rng := rand.New(rand.NewPCG(33, 34))
	pieces := []string{"a", "b.", ".", "-", "_", "xn--", "xn--bcher-kva", "bücher", "ß", "1", "0x7f", "127.0.0.1", ":80", ":0", ":65536", ":", "[::1]", "[::",
		"%41", "%", "@", "A", "Ａ", "。", "\u00ad", "\u200d", "é", "e\u0301", "*", "256", "09", " ", "\t", "é.com", "example", "\\", "٠"}
	for range 20 * requests(t) {
		var b strings.Builder
		for range 1 + rng.IntN(4) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		hosts = append(hosts, b.String())
	}
	d := newDiffer(t, "node, hosts", []kind{
		{"final dot", func(_ *rule, _, theirs, ours string) bool {
			return strings.Replace(theirs+":", ".:", ":", 1) == ours+":"
		}},
		{"refused", func(_ *rule, _, _, ours string) bool { return ours == "refused" }},
	})
	ask := func(hosts []string) (theirs, ours []string) {
		urls := make([]string, len(hosts))
		for i, host := range hosts {
			urls[i] = "http://" + host + "/"
		}
		for i, node := range nodeURLs(t, urls) {
			theirs, ours = append(theirs, cmp.Or(node.Host, "refused")), append(ours, hostOfRule(t, hosts[i]))
		}
		return theirs, ours
	}
	rules := []rule{{name: "SetHost", config: "new URL, host"}}
	theirs, ours := ask(hosts)
	for i := range hosts {
		d.add(&rules[0], hosts[i], theirs[i], ours[i])
	}
	d.finish(rules, func(_ int, host string) (string, string) {
		theirs, ours := ask([]string{host})
		return theirs[0], ours[0]
	})
}

// hostOfRule is the host that a rule sets, as node writes it.
func hostOfRule(t *testing.T, host string) string {
	p, err := rewrite.Compile([]rewrite.Rule{{Action: rewrite.SetHost(host)}}, nil)
	if err != nil {
		return "refused"
	}
	u := rewrite.URL{Scheme: "http", Host: "h", Path: "/"}
	if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err != nil {
		t.Errorf("SetHost(%q): %v", host, err)
	}
	return strings.TrimSuffix(u.Host, ":80")
}

var dotted = regexp.MustCompile(`/\.{1,2}[^./]`)

// A path is resolved as browsers do, and refused where they would change it.
func TestNodeDotSegments(t *testing.T) {
	var targets []string
	for _, input := range testInputs(t, "urltestdata.json") {
		if rest, ok := strings.CutPrefix(input, "http://"); ok {
			if i := strings.IndexByte(rest, '/'); i >= 0 {
				targets = append(targets, rest[i:])
			}
		}
	}
	rng := rand.New(rand.NewPCG(35, 36))
	pieces := []string{"/", "/", "/", ".", ".", "%2e", "%2E", "a", "b", "%2f", ";", "..", "%252e", "%5c", "%c0%ae", "~", "%00", "%20"}
	for range 50 * requests(t) {
		targets = append(targets, randomTarget(rng, []string{"/", "/a/", "/../"}, pieces, nil))
	}
	d := newDiffer(t, "node, dot-segments", []kind{
		{"doubled slash", func(_ *rule, _, theirs, ours string) bool {
			return strings.HasPrefix(theirs, "//") && "/"+strings.TrimLeft(theirs, "/") == ours
		}},
	})
	ask := func(paths []string) (theirs, ours []string) {
		urls := make([]string, len(paths))
		for i, path := range paths {
			urls[i] = "http://h" + path
		}
		for i, node := range nodeURLs(t, urls) {
			u := rewrite.URL{Scheme: "http", Host: "h", Path: paths[i]}
			refused := new(rewrite.Input).Clean(&u, nil)
			if err := (&rewrite.Input{DotSegments: rewrite.ResolveDotSegments}).Clean(&u, nil); err != nil {
				t.Errorf("%q: %v", paths[i], err)
			}
			if (refused == rewrite.ErrDotSegment) != (u.Path != paths[i]) {
				t.Errorf("%q: Clean says %v, and makes %q of it", paths[i], refused, u.Path)
			}
			theirs, ours = append(theirs, node.Path), append(ours, u.Path)
		}
		return theirs, ours
	}
	var paths []string
	for _, target := range targets {
		// What else browsers change is no dot-segment. Of a path with a segment
		// such as ".a", node 20 finds none behind that.
		u := rewrite.URL{Scheme: "http", Host: "h", Path: pathOf(target)}
		if !dotted.MatchString(u.Path) && !strings.ContainsAny(target, "\\#\t\n\r") && (&rewrite.Input{DotSegments: rewrite.KeepDotSegments}).Clean(&u, nil) == nil {
			paths = append(paths, u.Path)
		}
	}
	rules := []rule{{name: "Resolve", config: "new URL, path"}}
	theirs, ours := ask(paths)
	for i := range paths {
		d.add(&rules[0], paths[i], theirs[i], ours[i])
	}
	d.finish(rules, func(_ int, path string) (string, string) {
		theirs, ours := ask([]string{path})
		return theirs[0], ours[0]
	})
}
