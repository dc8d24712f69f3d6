package main

// How the benchmarks are built and run.

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

type settings struct {
	rounds           int
	benchtime, bench string
}

// packages have benchmarks. Each is a program of its own, so that no peer
// grows the heap of another.
var packages = []string{
	"rewriting", "rewriting/caddy",
	"routing", "routing/chi", "routing/httprouter", "routing/gorilla", "routing/caddy",
	"picking", "picking/kratos", "picking/grpc",
	"visible",
	"parsing",
	"proxying", "proxying/caddy",
}

// peers are the modules whose versions are reported.
var peers = []string{
	"github.com/caddyserver/caddy/v2", "github.com/go-chi/chi/v5", "github.com/go-kratos/kratos/v2",
	"github.com/gorilla/mux", "github.com/julienschmidt/httprouter", "google.golang.org/grpc", "k8s.io/apimachinery",
}

// measure runs all packages in turn, round by round, so that noise falls on all
// of them alike. It returns their output and lines about the run, in the form
// that benchstat reads.
func measure(ctx context.Context, set settings) ([]byte, error) {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)

	var raw bytes.Buffer
	if err := about(ctx, &raw, set); err != nil {
		return nil, err
	}
	binary := func(pkg string) string { return filepath.Join(dir, strings.ReplaceAll(pkg, "/", "-")+".test") }
	for _, pkg := range packages {
		log.Printf("building %s", pkg)
		if _, err := output(ctx, "go", "test", "-c", "-o", binary(pkg), "./"+pkg); err != nil {
			return nil, err
		}
	}
	for round := range set.rounds {
		start := time.Now()
		for _, pkg := range packages {
			text, err := output(ctx, binary(pkg), "-test.run=^$", "-test.bench="+set.bench, "-test.benchtime="+set.benchtime)
			if err != nil {
				return nil, err
			}
			raw.Write(text)
		}
		log.Printf("round %d of %d: %v", round+1, set.rounds, time.Since(start).Round(time.Second))
	}
	return raw.Bytes(), nil
}

// about writes what was measured, and how.
func about(ctx context.Context, raw *bytes.Buffer, set settings) error {
	modules, err := output(ctx, "go", append([]string{"list", "-m", "-f", "{{.Path}} {{.Version}}"}, peers...)...)
	if err != nil {
		return err
	}
	list := strings.ReplaceAll(strings.TrimSpace(string(modules)), "\n", ", ")
	fmt.Fprintf(raw, "go: %s\ncores: %d\nrounds: %d\nbenchtime: %s\nmeasured: %s\npeers: %s\n",
		runtime.Version(), runtime.GOMAXPROCS(0), set.rounds, set.benchtime, time.Now().UTC().Format(time.DateOnly), list)
	return nil
}

func output(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out, stderr.Bytes())
	}
	return out, nil
}
