package main

// lint: what is wrong with manifests, and where.

import (
	"errors"
	"flag"
	"fmt"

	"github.com/readdress/readdress/cmd/readdress/internal/lint"
)

func runLint(env *environment, fs *flag.FlagSet, args []string) (int, error) {
	var in inputs
	in.register(fs)
	asJSON := fs.Bool("json", false, "write JSON")
	format := fs.String("format", "text", "`FORMAT`: text, json, or github, which is annotations of a workflow")
	mesh := fs.String("visibility", "", "`FILE` with Istio's serviceEntryVisibility, to be judged too")
	lenient := fs.Bool("lenient", false, "read -visibility as istiod does, which drops what it does not know")
	rest, err := parse(fs, args)
	if err != nil {
		return 0, err
	}
	in.files = append(in.files, rest...)
	if *asJSON {
		if *format != "text" && *format != "json" {
			return 0, fmt.Errorf("-json and -format %s exclude each other: write one", *format)
		}
		*format = "json"
	}
	write := map[string]func([]lint.Diagnostic) error{
		"text":   func(l []lint.Diagnostic) error { return lint.WriteText(env.stdout, l) },
		"github": func(l []lint.Diagnostic) error { return lint.WriteGitHub(env.stdout, l) },
		"json": func(l []lint.Diagnostic) error {
			if l == nil {
				l = []lint.Diagnostic{}
			}
			return writeJSON(env, l)
		},
	}[*format]
	if write == nil {
		return 0, fmt.Errorf("-format %q is unknown: write text, json or github", *format)
	}
	if len(in.files) == 0 && *mesh == "" {
		return 0, errors.New("there is nothing to look at: name files with -f FILE, or -visibility FILE")
	}
	config, err := in.loadAny(env)
	if err != nil {
		return 0, err
	}
	var about []lint.Diagnostic
	if *mesh != "" {
		warnings, document, err := loadWarnings(env, *mesh, config.Set, *lenient)
		if err != nil {
			return 0, err
		}
		about = lint.Visibility(document, warnings, meshFields)
	}
	found := lint.Sorted(append(lint.Run(config), about...)) // Run knows what the mesh has found in the objects
	if err := write(found); err != nil {
		return 0, err
	}
	if lint.Faults(found) > 0 {
		return exitFound, nil
	}
	return exitOK, nil
}
