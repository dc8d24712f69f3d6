// The explicit mappings of testdata/inverse.json put to a real nginx, where
// there is one: on loopback, with its files in a directory of the test.

package rewrite_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/readdress/readdress/rewrite"
)

// TestMappingsAgainstNginx holds the claims of the cases about nginx to nginx: what
// it makes of a header is what we make of it, or what the case says.
func TestMappingsAgainstNginx(t *testing.T) {
	nginx := findNginx(t)
	var cases []wayBack
	var locations strings.Builder
	groups := readInverse(t).Mapped
	for _, group := range groups {
		cases = append(cases, group.Cases...)
	}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i, err := strconv.Atoi(strings.Trim(r.URL.Path, "/")); err == nil && i < len(cases) {
			w.Header()[cases[i].Header] = []string{cases[i].In}
		}
		w.WriteHeader(http.StatusFound)
	}))
	defer backend.Close()
	n := 0
	for _, group := range groups {
		for range group.Cases {
			fmt.Fprintf(&locations, "location = /%d {\n proxy_pass %s;\n%s}\n", n, backend.URL, nginxDirectives(group.Mappings))
			n++
		}
	}
	get := serveNginx(t, nginx, locations.String())
	for i, c := range cases {
		if c.Refused {
			continue // no server sends it
		}
		t.Run(c.Name, func(t *testing.T) {
			header, err := get(i)
			if err != nil {
				t.Fatal(err)
			}
			want := c.Nginx
			if want == "" {
				want = c.Want
			}
			if got := header.Get(c.Header); got != want {
				t.Errorf("nginx makes %q of %q, not %q", got, c.In, want)
			}
		})
	}
}

// findNginx returns the path of the binary.
func findNginx(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts nginx")
	}
	path, err := exec.LookPath("nginx")
	if err == nil {
		return path
	}
	path = "/usr/sbin/nginx"
	if _, err := os.Stat(path); err != nil {
		const hint = "there is no nginx to compare with: install it (Debian: apt-get install nginx-light)"
		if os.Getenv("READDRESS_LIVE") == "1" {
			t.Fatal(hint)
		}
		t.Skip(hint)
	}
	return path
}

// nginxDirectives returns the directives that mean the mappings.
func nginxDirectives(mappings []rewrite.Mapping) string {
	names := map[rewrite.MappingKind]string{
		rewrite.MapLocation:     "proxy_redirect",
		rewrite.MapCookiePath:   "proxy_cookie_path",
		rewrite.MapCookieDomain: "proxy_cookie_domain",
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	var b strings.Builder
	if mappings[0].Kind != rewrite.MapLocation {
		b.WriteString(" proxy_redirect off;\n")
	}
	for _, m := range mappings {
		fmt.Fprintf(&b, " %s \"%s\" \"%s\";\n", names[m.Kind], quoted.Replace(m.From), quoted.Replace(m.To))
	}
	return b.String()
}

// serveNginx starts nginx with locations and returns a function that asks for
// the headers of /i.
func serveNginx(t *testing.T, path, locations string) func(i int) (http.Header, error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	listener.Close()
	dir := t.TempDir()
	config := "daemon off;\nmaster_process off;\npid " + dir + "/pid;\nerror_log stderr;\n" +
		"events { worker_connections 64; }\nhttp {\naccess_log off;\n"
	for _, temp := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		config += fmt.Sprintf("%s_temp_path %s/%s;\n", temp, dir, temp)
	}
	config += "server {\nlisten " + addr + ";\nabsolute_redirect off;\n" + locations + "}\n}\n"
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, "-p", dir, "-c", file, "-e", "stderr")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := func() {
		cancel()
		cmd.Wait() // its status says only that it was interrupted
	}
	t.Cleanup(stop)
	client := &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	get := func(i int) (http.Header, error) {
		resp, err := client.Get(fmt.Sprintf("http://%s/%d", addr, i))
		if err != nil {
			return nil, err
		}
		resp.Body.Close()
		return resp.Header, nil
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err := get(0); err == nil {
			return get
		} else if time.Now().After(deadline) {
			stop()
			t.Fatalf("nginx does not answer: %v\n%s", err, stderr.String())
		}
	}
}
