package main

// The command line: which command, and what all of them have in common.

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/term"
)

// Exit statuses.
const (
	exitOK       = 0
	exitFound    = 1 // what was looked for is there: faults, failures, differences
	exitUnusable = 2 // the input or the command line cannot be used
)

// A command is one of the words after "readdress".
type command struct {
	name, args, what string
	run              func(env *environment, fs *flag.FlagSet, args []string) (exit int, err error)
}

func commands() []command {
	return []command{
		{"explain", "-f FILE… URL", "what becomes of a request, and why", runExplain},
		{"lint", "-f FILE… [FILE…]", "what is wrong with manifests, and where", runLint},
		{"test", "TABLE…", "whether requests become what a table says", runTest},
		{"diff", "A B [URL…]", "whether two configurations give the same result", runDiff},
		{"convert", "-to FORM -f FILE…", "manifests in another form, and what it cannot express", runConvert},
		{"batch", "<QUESTIONS >ANSWERS", "the same for other programs: a JSON line in, a JSON line out", runBatch},
	}
}

// An environment is what a command reads and writes.
type environment struct {
	stdin          io.Reader // nil: it was taken
	stdout, stderr io.Writer
}

// takeStdin returns standard input, for the first who asks: a second would find
// it empty, and take that for an answer.
func (env *environment) takeStdin() (io.Reader, error) {
	in := env.stdin
	env.stdin = nil
	if in == nil {
		return nil, errors.New("-: standard input can be read once: name a file instead of the second -")
	}
	return in, nil
}

func main() {
	os.Exit(run(&environment{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:]))
}

func run(env *environment, args []string) int {
	if len(args) == 0 {
		usage(env.stderr)
		return exitUnusable
	}
	if args[0] == "help" && len(args) > 1 {
		return run(env, []string{args[1], "-h"})
	}
	if name := args[0]; name == "help" || name == "-h" || name == "-help" || name == "--help" {
		usage(env.stdout)
		return exitOK
	}
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
		fs.SetOutput(term.Escaper(env.stderr))
		fs.Usage = func() {} // the flags of a command would hide what is wrong with one
		exit, err := c.run(env, fs, args[1:])
		switch {
		case errors.Is(err, flag.ErrHelp):
			fs.SetOutput(env.stdout)
			fmt.Fprintf(env.stdout, "usage: readdress %s %s\n%s.\n\n", c.name, c.args, c.what)
			fs.PrintDefaults()
			return exitOK
		case errors.Is(err, errFlags): // package flag has said why
			fmt.Fprintf(env.stderr, "readdress %s -h lists the flags.\n", c.name)
			return exitUnusable
		case err != nil:
			text := "readdress " + c.name + ": "
			for _, one := range split(err) { // names of files may have line breaks
				fmt.Fprintln(env.stderr, text+term.Printable(one.Error()))
				text = ""
			}
			return exitUnusable
		}
		return exit
	}
	fmt.Fprintf(env.stderr, "readdress: there is no command %q\n", args[0])
	usage(env.stderr)
	return exitUnusable
}

// split returns the errors that errors.Join has joined.
func split(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error }) // not errors.As: what wraps a list says more
	if !ok {
		return []error{err}
	}
	var list []error
	for _, e := range joined.Unwrap() {
		list = append(list, split(e)...)
	}
	return list
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: readdress COMMAND …")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.what)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "readdress COMMAND -h lists the flags of a command.")
}

var errFlags = errors.New("flags")

// parse parses flags, also behind other arguments, and returns the latter.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, errFlags
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		parsed := args[:len(args)-fs.NArg()]
		args = fs.Args()
		if len(parsed) > 0 && parsed[len(parsed)-1] == "--" {
			return append(rest, args...), nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// A list is a flag that may be given several times.
type list []string

func (l *list) String() string { return strings.Join(*l, ", ") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}
