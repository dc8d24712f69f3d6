package main

// convert: what manifests say, in another form.

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/convert"
	"github.com/readdress/readdress/cmd/readdress/internal/lint"
	"github.com/readdress/readdress/route/ingress"
)

func runConvert(env *environment, fs *flag.FlagSet, args []string) (int, error) {
	var in inputs
	var opts convert.Options
	in.register(fs)
	to := fs.String("to", "", "`FORM`: "+strings.Join(convert.Forms(), ", "))
	fs.StringVar(&opts.Gateway, "gateway", "", "`NAME` of the Gateway that HTTPRoutes attach to; without it they attach to none")
	fs.StringVar(&opts.HTTP, "http-listener", "", "`NAME` of its listener for http; name both, or what is for one scheme alone is left out")
	fs.StringVar(&opts.HTTPS, "https-listener", "", "`NAME` of its listener for https; likewise")
	rest, err := parse(fs, args)
	if err != nil {
		return 0, err
	}
	in.files = append(in.files, rest...)
	if *to == "" {
		return 0, errors.New("there is no form: write -to with one of " + strings.Join(convert.Forms(), ", "))
	}
	listeners := opts.HTTP != "" || opts.HTTPS != ""
	switch {
	case *to != "httproute" && (listeners || opts.Gateway != ""):
		return 0, errors.New("-gateway, -http-listener and -https-listener are for -to httproute")
	case listeners && opts.Gateway == "":
		return 0, errors.New("listeners belong to a Gateway: write -gateway too")
	}
	config, err := in.load(env)
	if err != nil {
		return 0, err
	}
	var entries []ingress.Entry
	for _, s := range config.Sites {
		entries = append(entries, *s.Entry)
	}
	found := lint.Run(config)
	if len(entries) == 0 && lint.Faults(found) == 0 {
		return 0, errors.New("there is nothing to convert: no Ingress, HTTPRoute or HTTPProxy has a route")
	}
	out, problems, err := convert.Write(*to, entries, &opts)
	if err != nil {
		return 0, fmt.Errorf("-to: %w", err)
	}
	if _, err := env.stdout.Write(out); err != nil {
		return 0, err
	}
	found = slices.DeleteFunc(found, func(d lint.Diagnostic) bool {
		return d.Level != ingress.Error // it is there, so it was converted
	})
	for i := range problems {
		found = append(found, lint.FromProblem(config.Set, &problems[i]))
	}
	found = lint.Sorted(found)
	if err := lint.WriteText(env.stderr, found); err != nil {
		return 0, err
	}
	if lint.Faults(found) > 0 {
		return exitFound, nil
	}
	return exitOK, nil
}
