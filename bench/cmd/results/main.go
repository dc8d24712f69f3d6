// Command results measures the library and its peers side by side and writes
// RESULTS.md, the plots that it shows and the output of the benchmarks, of
// which benchstat makes other tables. Run it in the module of the benchmarks:
//
//	go run ./cmd/results
//	go run ./cmd/results -rounds 2 -benchtime 10ms -bench Pick
//	go run ./cmd/results -from plots/raw.txt
//	go tool benchstat -row /case -col /by plots/raw.txt
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	var (
		rounds    = flag.Int("rounds", 5, "how often everything is measured, in turn")
		benchtime = flag.String("benchtime", "80ms", "time for each benchmark in a round, as in go test")
		bench     = flag.String("bench", ".", "which benchmarks, as in go test")
		out       = flag.String("out", ".", "directory for RESULTS.md and plots")
		from      = flag.String("from", "", "file with the output of an earlier run, to write it up again")
	)
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unexpected argument %q", flag.Arg(0))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *from, settings{*rounds, *benchtime, *bench}); err != nil {
		stop()
		log.Fatal(err)
	}
}

func run(ctx context.Context, out, from string, set settings) error {
	plots := filepath.Join(out, "plots")
	if err := os.MkdirAll(plots, 0o755); err != nil {
		return err
	}
	var raw []byte
	var err error
	if from != "" {
		raw, err = os.ReadFile(from)
	} else if raw, err = measure(ctx, set); err == nil {
		err = os.WriteFile(filepath.Join(plots, "raw.txt"), raw, 0o644)
	}
	if err != nil {
		return err
	}
	results, err := read(raw)
	if err != nil {
		return err
	}
	if len(results.funcs) == 0 {
		return fmt.Errorf("no benchmark was measured")
	}
	for _, f := range results.funcs {
		if err := f.plots(plots); err != nil {
			return err
		}
	}
	var report bytes.Buffer
	results.report(&report)
	return os.WriteFile(filepath.Join(out, "RESULTS.md"), report.Bytes(), 0o644)
}
