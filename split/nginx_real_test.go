// The same questions put to a real nginx, where there is one: on loopback, with
// its files in a directory of the test.

package split_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/split"
)

// An nginxBinary is a program with its version.
type nginxBinary struct {
	path string
	gap  bool // before 1.31.2
}

func findNginx(t *testing.T) nginxBinary {
	t.Helper()
	if testing.Short() {
		t.Skip("starts nginx")
	}
	path, err := exec.LookPath("nginx")
	if err != nil {
		path = "/usr/sbin/nginx"
		if _, err := os.Stat(path); err != nil {
			t.Skip("there is no nginx to compare with")
		}
	}
	out, err := exec.Command(path, "-v").CombinedOutput()
	if err != nil {
		t.Fatalf("nginx -v: %v\n%s", err, out)
	}
	m := regexp.MustCompile(`nginx/(\d+)\.(\d+)\.(\d+)`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("nginx -v prints %q", out)
	}
	number := 0
	for _, part := range m[1:] {
		n, err := strconv.Atoi(string(part))
		if err != nil {
			t.Fatal(err)
		}
		number = number*1_000 + n
	}
	return nginxBinary{path, number < 1_031_002}
}

// config writes a configuration of nginx with http in its http block.
func (b nginxBinary) config(t *testing.T, http string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	text := "daemon off;\nmaster_process off;\npid " + dir + "/pid;\nerror_log stderr notice;\n" +
		"events { worker_connections 64; }\nhttp {\n    access_log off;\n    variables_hash_bucket_size 512;\n"
	for _, temp := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		text += fmt.Sprintf("    %s_temp_path %s/%s;\n", temp, dir, temp)
	}
	text += http + "}\n"
	if err := os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (b nginxBinary) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.path, append([]string{"-p", dir, "-c", filepath.Join(dir, "nginx.conf"), "-e", "stderr"}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// check is nginx -t.
func (b nginxBinary) check(t *testing.T, http string) (output string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := b.command(ctx, b.config(t, http), "-t").CombinedOutput()
	return string(out), err
}

// serve starts nginx with splits of $arg_k into $v0, $v1 and so on, and returns
// a function that asks for what a key gets of each.
func (b nginxBinary) serve(t *testing.T, splits []rows) func(key string) []string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	listener.Close()

	var config strings.Builder
	var values []string
	for i, rows := range splits {
		fmt.Fprintf(&config, "    split_clients $arg_k $v%d {\n", i)
		for _, row := range rows {
			fmt.Fprintf(&config, "        %s %s;\n", row[0], row[1])
		}
		config.WriteString("    }\n")
		values = append(values, "$v"+strconv.Itoa(i))
	}
	fmt.Fprintf(&config, "    server {\n        listen %s;\n        location / { return 200 \"%s\"; }\n    }\n", addr, strings.Join(values, "|"))

	ctx, cancel := context.WithCancel(context.Background())
	cmd := b.command(ctx, b.config(t, config.String()))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		cmd.Wait() // its status says only that it was interrupted
	})
	client := &http.Client{Timeout: time.Minute}
	get := func(key string) (string, error) {
		resp, err := client.Get("http://" + addr + "/?k=" + url.QueryEscape(key))
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		return string(body), err
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err = get("a"); err == nil {
			break
		}
		if time.Now().After(deadline) {
			cancel()
			cmd.Wait()
			t.Fatalf("nginx does not answer: %v\n%s", err, stderr.String())
		}
	}
	return func(key string) []string {
		body, err := get(key)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(body, "|")
	}
}

// 2,000 keys in ten splits, each row as nginx has it.
func TestNginxBuckets(t *testing.T) {
	nginx := findNginx(t)
	v := readVectors(t)
	var all []*split.Buckets
	for _, rows := range v.Splits {
		all = append(all, newBuckets(t, rows.list(), &split.BucketOptions{Gap: nginx.gap}))
	}
	ask := nginx.serve(t, v.Splits)
	rng := rand.New(rand.NewPCG(11, 12))
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-._~"
	for n := range 2_000 {
		key := "4znawu" // one of the largest hashes
		if n > 0 {
			text := make([]byte, rng.IntN(24))
			for i := range text {
				text[i] = letters[rng.IntN(len(letters))]
			}
			key = string(text)
		}
		for i, got := range ask(key) {
			want := ""
			if row := all[i].Row(key); row >= 0 {
				want = v.Splits[i][row][1]
			}
			if got != want {
				t.Errorf("%v: nginx gives %q to key %q, Buckets gives %q", v.Splits[i], got, key, want)
			}
		}
	}
}

// nginx refuses what NewBuckets refuses.
func TestNginxRejects(t *testing.T) {
	nginx := findNginx(t)
	for _, r := range readVectors(t).Rejected {
		config := "    split_clients $arg_k $v {\n"
		for _, row := range r.Rows {
			config += "        " + row[0] + " " + row[1] + ";\n"
		}
		if out, err := nginx.check(t, config+"    }\n"); err == nil || !strings.Contains(out, r.Error) {
			t.Errorf("%v: nginx says\n%s", r.Rows, out)
		}
	}
}

// nginx accepts 200 configurations with blocks for random weights and names.
func TestNginxAccepts(t *testing.T) {
	nginx := findNginx(t)
	rng := rand.New(rand.NewPCG(13, 14))
	names := []string{"a", "my.route", "9c", "A-b", "long-name-of-a-route-as-some-tools-generate-it.v1", "x_y"}
	for n := range 200 {
		var rules []split.NginxRule
		for i := range 1 + rng.IntN(6) {
			rules = append(rules, split.NginxRule{
				Namespace: names[rng.IntN(len(names))], Route: names[rng.IntN(len(names))], Rule: i, Backends: randomBackends(rng),
			})
		}
		config, targets, err := split.AppendNginx(nil, rules, &split.NginxOptions{Rows: split.Rows(n % 2)})
		if err != nil {
			t.Fatal(err)
		}
		text := string(config) + "    server {\n        listen 127.0.0.1:1;\n"
		for i, target := range targets {
			text += fmt.Sprintf("        location /%d { proxy_pass http://%s; }\n", i, target)
		}
		if out, err := nginx.check(t, text+"    }\n"); err != nil {
			t.Fatalf("nginx -t: %v\n%s\n%s", err, out, text)
		}
	}
}
