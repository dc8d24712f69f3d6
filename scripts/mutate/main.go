// Mutate changes the code of a package in one place at a time and runs its
// tests, which should fail. It prints the changes that they did not notice.
//
//	go run ./mutate -time 10m ../rewrite -skip SmallWorld
//
// What follows the directory goes to go test. The changes are taken in random
// order until the time is over. The source is not touched: the go command gets
// each change as an overlay.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	limit := flag.Duration("time", 10*time.Minute, "when to stop")
	seed := flag.Uint64("seed", 1, "of the order in which changes are tried")
	match := flag.String("match", "", "only changes that print so, as a regular expression")
	each := flag.Duration("each", time.Minute, "when the tests of one change count as failed")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: mutate [flags] directory [flags of go test]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	only, err := regexp.Compile(*match)
	if err == nil {
		p := &tester{dir: flag.Arg(0), flags: flag.Args()[1:], each: *each, out: os.Stdout}
		err = p.mutate(only, *limit, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// A tester runs the tests of one package.
type tester struct {
	dir   string
	flags []string // for go test
	each  time.Duration
	out   io.Writer
}

func (p *tester) mutate(only *regexp.Regexp, limit time.Duration, seed uint64) error {
	mutations, err := load(p.dir)
	if err != nil {
		return err
	}
	mutations = slices.DeleteFunc(mutations, func(m mutation) bool { return !only.MatchString(m.String()) })
	if verdict, err := p.test(nil); err != nil || verdict != survived {
		return fmt.Errorf("the tests do not pass without a change: %w", err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(mutations), func(i, j int) { mutations[i], mutations[j] = mutations[j], mutations[i] })
	end := time.Now().Add(limit)
	counts := make(map[verdict]int)
	tried := 0
	for i := range mutations {
		if time.Now().After(end) {
			break
		}
		tried++
		v, err := p.test(&mutations[i])
		if err != nil {
			return err
		}
		counts[v]++
		if v == survived {
			fmt.Fprintln(p.out, mutations[i])
		}
	}
	fmt.Fprintf(p.out, "%d of %d changes tried: %d killed, %d did not compile, %d survived\n",
		tried, len(mutations), counts[killed], counts[invalid], counts[survived])
	return nil
}

// load collects the mutations of the files of a package that the go command
// builds here.
func load(dir string) ([]mutation, error) {
	cmd := exec.Command("go", "list", "-f", "{{range .GoFiles}}{{.}}\n{{end}}")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []mutation
	for _, name := range strings.Fields(string(out)) {
		path, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		all = append(all, mutations(fset, file, path, string(text))...)
	}
	return all, nil
}

// A verdict is what became of a change.
type verdict int

const (
	survived verdict = iota // the tests pass
	killed                  // they fail, or do not end
	invalid                 // there is no such program
)

// test runs the tests with a change; nil: without one.
func (p *tester) test(m *mutation) (verdict, error) {
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return invalid, err
	}
	defer os.RemoveAll(work)
	args := append([]string{"test", "-short", "-failfast", "-vet=off", "-timeout", p.each.String()}, p.flags...)
	if m != nil {
		changed := filepath.Join(work, "changed.go")
		overlay, err := json.Marshal(map[string]map[string]string{"Replace": {m.path: changed}})
		if err != nil {
			return invalid, err
		}
		for name, text := range map[string]string{changed: m.text, filepath.Join(work, "overlay.json"): string(overlay)} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				return invalid, err
			}
		}
		args = append(args, "-overlay", filepath.Join(work, "overlay.json"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.each+2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = p.dir
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, nil
	case ctx.Err() != nil:
		return killed, nil
	case !errors.As(err, &exit):
		return invalid, err
	case strings.Contains(string(out), "[build failed]"), strings.Contains(string(out), "[setup failed]"):
		return invalid, nil
	default:
		return killed, nil
	}
}
