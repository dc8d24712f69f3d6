// Command visibility answers who sees which service of a mesh, from manifests:
//
//	go run ./examples/visibility services                      # what a data plane knows
//	go run ./examples/visibility who                           # who gets what, as a table
//	go run ./examples/visibility explain github.com team-b     # and why
//	go run ./examples/visibility diff old.yaml new.yaml        # what a change would do
//
// Without -f it reads an embedded demonstration: the configuration of Istio's
// documentation and a few teams. A file has the configuration, as IstioOperator,
// as the ConfigMap of istiod or as the mesh configuration itself, and Namespaces,
// ServiceEntries and Services. Those of diff may have the configuration alone;
// the rest is then that of -f.
package main

import (
	"cmp"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/readdress/readdress/visibility"
)

//go:embed demo.yaml
var demo []byte

const usage = `usage: visibility [-f FILE] [-data-plane PLANE] COMMAND

  services [-service-namespace NS] [-o table|json|yaml]
  who
  explain HOST|ADDRESS NAMESPACE
  diff OLD NEW
`

// operands are what follows a command, beside the flags of services.
var operands = map[string][]string{
	"services": nil,
	"who":      nil,
	"explain":  {"HOST|ADDRESS", "NAMESPACE"},
	"diff":     {"OLD", "NEW"},
}

// errUsage is a command line that means nothing, as the user has been told.
var errUsage = errors.New("usage")

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := newFlags("visibility", stderr)
	file := flags.String("f", "", "`file` of manifests; without it the demonstration is read")
	var opts visibility.IndexOptions
	flags.Func("data-plane", "`plane` that asks: ambient, envoy or gateway (default ambient)", func(s string) (err error) {
		opts.DataPlane, err = parsePlane(s)
		return err
	})
	if err := parse(flags, args); err != nil {
		return err
	}
	command, args := flags.Arg(0), flags.Args()
	switch want, ok := operands[command]; {
	case command == "":
		return misuse(stderr, "there is no command: write services, who, explain or diff")
	case !ok:
		return misuse(stderr, "there is no command %q: write services, who, explain or diff", command)
	case command != "services" && (len(args)-1 != len(want) || slices.Contains(args, "")):
		return misuse(stderr, "%s takes %s", command, cmp.Or(strings.Join(want, " and "), "nothing more"))
	}
	m, err := read(cmp.Or(*file, "demo.yaml"), *file == "")
	if err != nil {
		return err
	}
	switch command {
	case "diff":
		return diff(m, &opts, args[1], args[2], stdout, stderr)
	case "services":
		return services(m, &opts, args[1:], stdout, stderr)
	}
	x, err := m.index(&opts, stderr)
	if err != nil {
		return err
	}
	if command == "who" {
		return who(x, m, stdout)
	}
	m.expect(args[2], stderr)
	explain(x, args[1], args[2], stdout)
	return nil
}

// misuse says what is wrong with the command line, and how one is written.
func misuse(stderr io.Writer, format string, args ...any) error {
	fmt.Fprintf(stderr, format+"\n"+usage, args...)
	return errUsage
}

func newFlags(name string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	return flags
}

// parse parses flags, which has told the user what is wrong with them.
func parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil && !errors.Is(err, flag.ErrHelp) {
		return errUsage
	} else if err != nil {
		return err
	}
	return nil
}

func parsePlane(s string) (visibility.DataPlane, error) {
	switch s {
	case "ambient":
		return visibility.Ambient, nil
	case "envoy":
		return visibility.Envoy, nil
	case "gateway":
		return visibility.Gateway, nil
	}
	return 0, errors.New("write ambient, envoy or gateway")
}

// services lists what the data plane is told of.
func services(m *manifest, opts *visibility.IndexOptions, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("services", stderr)
	namespace := flags.String("service-namespace", "", "`namespace` of the services to list; without it all are")
	format := table
	flags.Func("o", "`format` of the list: table, json or yaml (default table)", func(s string) (err error) {
		format, err = parseFormat(s)
		return err
	})
	if err := parse(flags, args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return misuse(stderr, "services takes flags alone, not %q", flags.Arg(0))
	}
	x, err := m.index(opts, stderr)
	if err != nil {
		return err
	}
	if *namespace != "" {
		m.expect(*namespace, stderr)
	}
	return format(stdout, list(x, *namespace))
}
