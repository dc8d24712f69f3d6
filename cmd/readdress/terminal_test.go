//go:build unix

// What the tool does on a terminal, which is a real pseudo-terminal here:
// colours, widths and progress.

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
)

// onTerminal runs the binary on a terminal of so many columns and returns all
// that it wrote.
func onTerminal(t *testing.T, columns uint16, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	cmd.Dir = "testdata/manifests"
	cmd.Env = append(append(os.Environ(), "TERM=xterm", "NO_COLOR="), env...)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: columns})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var out bytes.Buffer
	_, _ = io.Copy(&out, terminal) // ends with an error when the command closes its side
	_ = cmd.Wait()                 // the exit status is another test's
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

var escapeSequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestTerminalColours(t *testing.T) {
	args := []string{"explain", "-f", "shop.yaml", "-key", "a", "https://shop.example/api/users"}
	coloured := onTerminal(t, 400, nil, args...)
	if !strings.Contains(coloured, "\x1b[") {
		t.Errorf("no colours on a terminal:\n%q", coloured)
	}
	for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
		plain := onTerminal(t, 400, []string{env}, args...)
		if strings.Contains(plain, "\x1b") {
			t.Errorf("colours with %s:\n%q", env, plain)
		}
		if want := escapeSequence.ReplaceAllString(coloured, ""); plain != want {
			t.Errorf("with %s\n%s\nwithout\n%s", env, plain, want)
		}
	}
	cmd := exec.Command(binary(t), args...)
	cmd.Dir = "testdata/manifests"
	piped, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := escapeSequence.ReplaceAllString(coloured, ""); string(piped) != want {
		t.Errorf("in a pipe\n%s\non a terminal\n%s", piped, want)
	}
}

// TestTerminalWidth wants no line to be wider than the terminal, except where a
// word alone is.
func TestTerminalWidth(t *testing.T) {
	for _, columns := range []uint16{40, 60, 80, 100, 120} {
		for _, args := range [][]string{
			{"explain", "-f", "shop.yaml", "https://shop.example/api/users"},
			{"lint", "faults.yaml"},
			{"diff", "-n", "50", "shop.yaml", "shop-gateway.yaml"},
		} {
			out := escapeSequence.ReplaceAllString(onTerminal(t, columns, nil, args...), "")
			for line := range strings.Lines(out) {
				line = strings.TrimSuffix(line, "\n")
				if utf8.RuneCountInString(line) > int(columns) && strings.Contains(strings.TrimLeft(line, " +-"), " ") {
					t.Errorf("%v in %d columns: %d in the line\n%s", args, columns, utf8.RuneCountInString(line), line)
				}
			}
		}
	}
}

// TestTerminalHostile wants nothing of a manifest or a URL to reach the
// terminal as a command.
func TestTerminalHostile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hostile.yaml")
	manifest := `{kind: Ingress, metadata: {name: "a\e]0;title\a\e[2J"}, spec: {ingressClassName: "\e[31mx\u202e"}}`
	if err := os.WriteFile(file, []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"lint", file}, {"explain", "-f", file, "http://h/\x1b[2J"}} {
		out := escapeSequence.ReplaceAllString(onTerminal(t, 100, nil, args...), "")
		if strings.ContainsAny(out, "\x1b\a\u202e") {
			t.Errorf("%v wrote %q", args, out)
		}
	}
}

// TestTerminalProgress wants the progress of long work, and nothing left of it.
func TestTerminalProgress(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it reads an access log for seconds")
	}
	log := filepath.Join(t.TempDir(), "access.log")
	writeLog(t, log, 300_000)
	args := []string{"diff", "-n", "0", "-log", log, "-host", "shop.example", "shop-gateway.yaml", "shop-gateway.yaml"}
	out := onTerminal(t, 80, nil, args...)
	if !regexp.MustCompile(`\r\d+ lines, \d+ %`).MatchString(out) {
		t.Errorf("no progress in %q", out)
	}
	last := out[strings.LastIndexByte(out, '\r')+1:]
	if want := "equal for 300000 requests\n"; escapeSequence.ReplaceAllString(last, "") != want {
		t.Errorf("at the end stands %q, want %q", last, want)
	}
}

// writeLog writes an access log with so many different requests.
func writeLog(t *testing.T, name string, lines int) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i := range lines {
		fmt.Fprintf(w, "192.0.2.1 - - [01/Mar/2026:10:00:00 +0000] \"GET /api/users/%d?page=%d HTTP/1.1\" 200 12 \"-\" \"agent\"\n", i, i%7)
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// maxMemory is what the tool may need, in bytes.
const maxMemory = 200 << 20

// TestMemory wants a million lines that all differ to stay under the limit.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it reads a million lines")
	}
	log := filepath.Join(t.TempDir(), "access.log")
	writeLog(t, log, 1_000_000)
	cmd := exec.Command(binary(t), "diff", "-n", "0", "-log", log, "-host", "shop.example", "shop.yaml", "shop-gateway.yaml")
	cmd.Dir = "testdata/manifests"
	out, _ := cmd.Output() // the exit status says that they differ
	if !bytes.Contains(out, []byte("different for 1000000 of 1000000 requests, in 1 way\n")) {
		t.Fatalf("%s", out)
	}
	if used := maxResident(cmd.ProcessState); used > maxMemory && !raceDetector {
		t.Errorf("%d bytes of memory, want at most %d", used, maxMemory)
	} else {
		t.Logf("%d MiB of memory, %v", used>>20, cmd.ProcessState.UserTime())
	}
}
