// Soak runs every fuzz target of a module, or of the workspace that it is in, in
// turn, each for an equal share of a given time, and prints how often each was
// executed.
//
//	go run ./soak -time 1h ..
//
// The exit status is 1 if a target failed; the input is in its testdata/fuzz.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A target is a fuzz target and what came of it.
type target struct {
	pkg, name  string
	executions int
	took       time.Duration
	failure    string // the end of the output; empty: none
}

func main() {
	total := flag.Duration("time", 10*time.Minute, "time for all targets together")
	parallel := flag.Int("parallel", 2, "workers of each target")
	match := flag.String("match", "", "only targets whose package and name match this regular expression")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: soak [flags] [directory of the module or workspace]")
		flag.PrintDefaults()
	}
	flag.Parse()
	dir := "."
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	only, err := regexp.Compile(*match)
	if err == nil {
		err = soak(dir, only, *total, *parallel, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func soak(dir string, only *regexp.Regexp, total time.Duration, parallel int, out io.Writer) error {
	targets, err := list(dir, only)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return fmt.Errorf("no fuzz targets in %s", dir)
	}
	share := max(total/time.Duration(len(targets)), time.Second)
	failed := 0
	for i := range targets {
		t := &targets[i]
		t.run(dir, share, parallel)
		fmt.Fprintf(os.Stderr, "%d/%d %s.%s: %d executions\n%s", i+1, len(targets), t.pkg, t.name, t.executions, t.failure)
		if t.failure != "" {
			failed++
		}
	}
	report(out, targets)
	if failed > 0 {
		return fmt.Errorf("%d of %d targets failed", failed, len(targets))
	}
	return nil
}

// command is the go command in dir. It finds the workspace there, though soak
// itself may be built without one.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=")
	return cmd
}

// list finds the targets by asking the tests.
func list(dir string, only *regexp.Regexp) ([]target, error) {
	cmd := command(context.Background(), dir, "test", "-list", "^Fuzz", "work")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go test -list: %w\n%s", err, out)
	}
	var targets []target
	for _, t := range parseList(string(out)) {
		if only.MatchString(t.pkg + "." + t.name) {
			targets = append(targets, t)
		}
	}
	return targets, nil
}

// parseList reads the output of go test -list: names, and behind them the line
// of their package.
func parseList(out string) []target {
	var targets []target
	begin := 0
	for line := range strings.Lines(out) {
		switch fields := strings.Fields(line); {
		case strings.HasPrefix(line, "Fuzz"):
			targets = append(targets, target{name: fields[0]})
		case len(fields) > 1 && fields[0] == "ok":
			for i := range targets[begin:] {
				targets[begin+i].pkg = fields[1]
			}
			begin = len(targets)
		}
	}
	return targets
}

// run fuzzes the target. go test can take the end of the time for a failure
// (golang.org/issue/75804); without a failing input it is tried once more.
func (t *target) run(dir string, share time.Duration, parallel int) {
	for range 2 {
		ctx, cancel := context.WithTimeout(context.Background(), share+3*time.Minute)
		cmd := command(ctx, dir, "test", "-run", "^$", "-fuzz", "^"+t.name+"$",
			"-fuzztime", share.String(), "-parallel", strconv.Itoa(parallel), t.pkg)
		cmd.WaitDelay = 10 * time.Second
		out, err := cmd.CombinedOutput()
		cancel()
		executions, took := parseFuzz(string(out))
		t.executions += executions
		t.took += took
		if err == nil {
			t.failure = ""
			return
		}
		t.failure = err.Error() + "\n" + tail(string(out), 20)
		if !strings.Contains(t.failure, "context deadline exceeded") || strings.Contains(t.failure, "Failing input") {
			return
		}
	}
}

var progress = regexp.MustCompile(`(?m)^fuzz: elapsed: (\S+), execs: (\d+) `)

// parseFuzz returns the last figures of go test -fuzz.
func parseFuzz(out string) (executions int, took time.Duration) {
	all := progress.FindAllStringSubmatch(out, -1)
	if all == nil {
		return 0, 0
	}
	last := all[len(all)-1]
	took, _ = time.ParseDuration(last[1])
	executions, _ = strconv.Atoi(last[2])
	return executions, took
}

// tail returns the last n lines.
func tail(s string, n int) string {
	lines := strings.SplitAfter(s, "\n")
	return strings.Join(lines[max(len(lines)-n, 0):], "")
}

// report prints a table in Markdown.
func report(out io.Writer, targets []target) {
	fmt.Fprint(out, "| target | executions | a second | found |\n|---|---:|---:|---|\n")
	all := 0
	for _, t := range targets {
		rate, found := 0, "nothing"
		if t.took > 0 {
			rate = int(float64(t.executions) / t.took.Seconds())
		}
		if t.failure != "" {
			found = "a failure"
		}
		fmt.Fprintf(out, "| %s.%s | %d | %d | %s |\n", short(t.pkg), t.name, t.executions, rate, found)
		all += t.executions
	}
	fmt.Fprintf(out, "| all | %d | | |\n", all)
}

// short is an import path without that of the module.
func short(pkg string) string {
	return strings.TrimPrefix(pkg, "github.com/readdress/readdress/")
}
