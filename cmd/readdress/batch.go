package main

// batch: questions and answers in JSON, for other programs.

import (
	"errors"
	"flag"

	"github.com/readdress/readdress/cmd/readdress/internal/batch"
)

func runBatch(env *environment, fs *flag.FlagSet, args []string) (int, error) {
	rest, err := parse(fs, args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, errors.New("batch reads standard input: write no arguments")
	}
	usable, err := batch.Run(env.stdin, env.stdout)
	if err != nil {
		return 0, err
	}
	if !usable {
		return exitUnusable, nil
	}
	return exitOK, nil
}
