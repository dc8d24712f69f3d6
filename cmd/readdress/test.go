package main

// test: tables of requests and what is to become of them.

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/golden"
	"github.com/readdress/readdress/cmd/readdress/internal/report"
	"github.com/readdress/readdress/cmd/readdress/internal/term"
)

func runTest(env *environment, fs *flag.FlagSet, args []string) (int, error) {
	least := fs.Float64("min-coverage", 0, "fail if less than so many `PERCENT` of the routes and actions are exercised")
	verbose := fs.Bool("v", false, "explain each failure, and list what no case exercises")
	tables, err := parse(fs, args)
	if err != nil {
		return 0, err
	}
	if len(tables) == 0 {
		return 0, errors.New("there are no tables: name their files")
	}
	if !(*least >= 0 && *least <= 100) { // also if it is no number
		return 0, fmt.Errorf("-min-coverage %v: write a percentage from 0 to 100", *least)
	}
	exit := exitOK
	for _, name := range tables {
		ok, err := testTable(env, name, *least, *verbose)
		if err != nil {
			return 0, err
		}
		if !ok {
			exit = exitFound
		}
	}
	return exit, nil
}

// percentage rounds down to tenths: what is shown is not more than there is.
func percentage(of, total int) string {
	tenths := 1000
	if total > 0 {
		tenths = 1000 * of / total
	}
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// testTable runs one table and reports whether all is well.
func testTable(env *environment, name string, least float64, verbose bool) (bool, error) {
	data, err := readFile(env, name)
	if err != nil {
		return false, err
	}
	t, err := golden.Parse(name, data)
	if err != nil {
		return false, err
	}
	in := inputs{mode: t.Mode, hosts: t.Hosts, handled: t.Handled}
	var missing []error
	for i, file := range t.Manifests {
		if !filepath.IsAbs(file) && name != "-" {
			file = filepath.Join(filepath.Dir(name), file)
		}
		if _, err := os.Stat(file); err != nil {
			missing = append(missing, fmt.Errorf("%v: %w: write a name that is relative to the table", t.Manifest(i), err))
		}
		in.files = append(in.files, file)
	}
	if len(missing) > 0 {
		return false, errors.Join(missing...)
	}
	for class, dialect := range t.Classes {
		in.classes = append(in.classes, class+"="+dialect)
	}
	config, err := in.load(env)
	if err != nil {
		return false, err
	}
	coverage := engine.NewCoverage(config)
	failures := t.Run(coverage)
	return len(failures) == 0 && coverage.Percent() >= least, writeTest(env, name, t, failures, coverage, least, verbose)
}

func writeTest(env *environment, name string, t *golden.Table, failures []golden.Failure, coverage *engine.Coverage, least float64, verbose bool) error {
	p := term.NewPrinter(env.stdout)
	var faults []error
	line := func(indent, hang int, spans ...term.Span) { faults = append(faults, p.Line(indent, hang, spans...)) }
	for _, f := range failures {
		title := f.Request
		if f.Name != "" {
			title = f.Name + ": " + f.Request
		}
		line(0, 4, term.Span{Text: "FAIL", Style: term.Red}, term.Span{Text: " " + f.At.String() + ": "}, term.Span{Text: title, Style: term.Bold})
		for _, d := range f.Differences {
			line(4, 8, term.Span{Text: fmt.Sprintf("%-9s", d.What)}, term.Span{Text: "want " + d.Want})
			line(13, 17, term.Span{Text: "got  "}, term.Span{Text: d.Got, Style: term.Red})
		}
		if verbose && f.Explanation != nil {
			faults = append(faults, report.Text(env.stdout, f.Explanation))
		}
	}
	missed := coverage.Missed()
	enough := coverage.Percent() >= least
	if verbose || !enough {
		for _, u := range missed {
			line(0, 4, term.Span{Text: "not exercised: ", Style: term.Yellow}, term.Span{Text: u.What + "  " + u.Of + "  " + u.At.String()})
		}
	}
	word, style := "ok", term.Green
	if len(failures) > 0 || !enough {
		word, style = "FAIL", term.Red
	}
	text := fmt.Sprintf("  %s: %d of %d cases pass, %s of %d routes and actions are exercised",
		name, len(t.Cases)-len(failures), len(t.Cases), percentage(coverage.Len()-len(missed), coverage.Len()), coverage.Len())
	if !enough {
		text += fmt.Sprintf(", want %g %%", least)
	}
	line(0, 4, term.Span{Text: word, Style: style}, term.Span{Text: text})
	return errors.Join(faults...)
}
