package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/rewrite"
)

var update = flag.Bool("update", false, "renew testdata/demo.golden")

// TestMain lets the test binary be the program itself, for tests of signals
// and of the exit status.
func TestMain(m *testing.M) {
	if os.Getenv("GATEWAY_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestDemonstration(t *testing.T) {
	checkGoroutines(t)
	s := &settings{listen: "127.0.0.1:0", once: true, loader: newLoader()}
	var stdout, stderr bytes.Buffer
	if err := run(t.Context(), s, nil, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", &stderr)
	}
	golden := filepath.Join("testdata", "demo.golden")
	if *update {
		if err := os.WriteFile(golden, stdout.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if stdout.String() != string(want) {
		t.Errorf("got\n%swant\n%s", &stdout, want)
	}
}

// The demonstration is a promise to show everything the annotations can do.
func TestDemonstrationUsesEveryAnnotation(t *testing.T) {
	for _, name := range []string{
		"host", "host-from-path-prefix", "path", "path-prefix-add", "path-prefix-trim", "path-prefix-strip",
		"query-add", "query-delete", "query-rename", "query-delete-all-except",
	} {
		if key := annotation.DefaultPrefix + name + ":"; !bytes.Contains(demoManifest, []byte(key)) {
			t.Errorf("demo.yaml lacks %s", key)
		}
	}
	for _, hook := range rewrite.Hooks() {
		if hook != rewrite.AfterLocation && !bytes.Contains(demoManifest, []byte(`"`+hook.String()+`"`)) {
			t.Errorf("demo.yaml lacks %v", hook)
		}
	}
}

func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has neither SIGHUP nor an interrupt for another process")
	}
	upstream := httptest.NewServer(echo("svc"))
	defer upstream.Close()
	file := filepath.Join(t.TempDir(), "m.yaml")
	write(t, file, oneRoute(`path-prefix-add: '[{"params": "/one"}]'`))

	cmd := program("-listen", "127.0.0.1:0", "-manifest", file, "-upstream", "svc="+address(upstream))
	stdout, stderr := pipe(t, cmd.StdoutPipe), pipe(t, cmd.StderrPipe)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	line := stdout.next(t)
	base, ok := strings.CutPrefix(line, "listening on ")
	if !ok {
		t.Fatalf("first line %q", line)
	}

	client := new(http.Transport)
	defer client.CloseIdleConnections()
	expect := func(want string) {
		t.Helper()
		if got, err := ask(client, base, "shop.example", "/x"); err != nil || got != want+"\n" {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	hangUp := func(beginnings ...string) {
		t.Helper()
		cmd.Process.Signal(syscall.SIGHUP)
		for _, want := range beginnings {
			if got := stderr.next(t); !strings.HasPrefix(got, want) {
				t.Errorf("stderr: got %q, want %q", got, want)
			}
		}
	}
	expect("svc\tshop.example\t/one/x")

	write(t, file, "a: b: c\n")
	hangUp(file+": yaml: ", "not reloaded: the old configuration stays")
	expect("svc\tshop.example\t/one/x")

	broken := strings.NewReplacer("shop.example", "broken.example", "name: test", "name: broken").Replace(oneRoute(`path: '[{"params": 3}]'`))
	write(t, file, broken+"---\n"+oneRoute(`path-prefix-add: '[{"params": "/two"}]'`))
	hangUp(
		file+":6: error: Ingress default/broken: "+annotation.DefaultPrefix+"path at offset 12: ",
		"\t"+`[{"params": 3}]`,
		"\t            ^",
		"reloaded")
	expect("svc\tshop.example\t/two/x")

	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil {
		t.Errorf("after an interrupt: %v", err)
	}
}

func TestCommandLine(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.yaml")
	write(t, good, oneRoute())
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	write(t, bad, oneRoute(`host: '[{"params": ""}]'`))
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		stderr string // its beginning
	}{
		{"check of a good file", []string{"-once", "-manifest", good}, 0, ""},
		{"check of a bad file", []string{"-once", "-manifest", bad}, 1, bad + ":6: error: Ingress default/test: " + annotation.DefaultPrefix + "host at offset 13: "},
		{"no such file", []string{"-manifest", good + "x"}, 1, "open " + good + "x: "},
		{"not an address", []string{"-manifest", good, "-listen", "nowhere"}, 1, "listen tcp: "},
		{"arguments", []string{"m.yaml"}, 2, "gateway takes no arguments"},
		{"flags of a manifest", []string{"-allow-host", "a.example"}, 2, "gateway takes no arguments, and -upstream and -allow-host only with -manifest"},
		{"upstream without port", []string{"-manifest", good, "-upstream", "svc=10.0.0.1"}, 2, `invalid value "svc=10.0.0.1" for flag -upstream: write service=host:port`},
		{"allowed host", []string{"-manifest", good, "-allow-host", "a b"}, 2, `invalid value "a b" for flag -allow-host: rewrite: options: AllowedHosts[0]: `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := program(tt.args...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			cmd.Run()
			if got := cmd.ProcessState.ExitCode(); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			if got := stderr.String(); !strings.HasPrefix(got, tt.stderr) || tt.stderr == "" && got != "" {
				t.Errorf("stderr %q, want %q", got, tt.stderr)
			}
		})
	}
}

// program returns the gateway as a process of its own.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "GATEWAY_TEST_MAIN=1")
	return cmd
}

// lines hands over what is written to it line by line.
type lines chan string

func pipe(t *testing.T, open func() (io.ReadCloser, error)) lines {
	t.Helper()
	r, err := open()
	if err != nil {
		t.Fatal(err)
	}
	l := make(lines, 100)
	go func() {
		defer close(l)
		for s := bufio.NewScanner(r); s.Scan(); {
			l <- s.Text()
		}
	}()
	return l
}

func (l lines) next(t *testing.T) string {
	t.Helper()
	select {
	case line, ok := <-l:
		if !ok {
			t.Fatal("the output has ended")
		}
		return line
	case <-time.After(time.Minute):
		t.Fatal("no output")
	}
	return ""
}

func newLoader() loader {
	return loader{upstreams: make(map[string]string), options: new(rewrite.Options)}
}

// oneRoute is a manifest of one Ingress with one route for shop.example, whose
// annotations begin at line 6.
func oneRoute(annotations ...string) string {
	var b strings.Builder
	b.WriteString("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: test\n  annotations:\n")
	for _, a := range annotations {
		fmt.Fprintf(&b, "    %s%s\n", annotation.DefaultPrefix, a)
	}
	b.WriteString("spec:\n  rules:\n    - host: shop.example\n      http:\n        paths:\n          - path: /\n            backend: {service: {name: svc, port: {number: 80}}}\n")
	return b.String()
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func address(s *httptest.Server) string { return s.Listener.Addr().String() }

// checkGoroutines fails the test if it leaves more goroutines than it found.
func checkGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		after := runtime.NumGoroutine()
		for range 6000 {
			if after <= before {
				return
			}
			time.Sleep(10 * time.Millisecond)
			after = runtime.NumGoroutine()
		}
		t.Errorf("%d goroutines before, %d after", before, after)
	})
}
