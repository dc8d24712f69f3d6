// The exit statuses of the binary.

package main

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestExitStatus(t *testing.T) {
	for command, want := range map[string]int{
		"help":                                   exitOK,
		"explain -h":                             exitOK,
		"explain -f shop.yaml x.test":            exitOK,
		"lint shop-gateway.yaml":                 exitOK,
		"lint faults.yaml":                       exitFound,
		"lint nowhere.yaml":                      exitUnusable,
		"lint -nonsense shop.yaml":               exitUnusable,
		"lint":                                   exitUnusable,
		"test table.yaml":                        exitOK,
		"test -min-coverage 100 table.yaml":      exitOK,
		"test -min-coverage 150 table.yaml":      exitUnusable,
		"test -min-coverage -5 table.yaml":       exitUnusable,
		"test -min-coverage NaN table.yaml":      exitUnusable,
		"test shop.yaml":                         exitUnusable,
		"diff -n 50 shop.yaml shop.yaml":         exitOK,
		"diff -n 50 shop.yaml shop-gateway.yaml": exitFound,
		"diff shop.yaml nowhere.yaml":            exitUnusable,
		"diff -n 0 shop.yaml shop.yaml":          exitUnusable,
		"diff -n -5 shop.yaml shop.yaml":         exitUnusable,
		"convert -to httproute shop.yaml":        exitOK,
		"convert -to annotations shop.yaml":      exitFound,
		"convert shop.yaml":                      exitUnusable,
		"batch":                                  exitOK,
		"batch x":                                exitUnusable,
		"":                                       exitUnusable,
	} {
		t.Run(command, func(t *testing.T) {
			cmd := exec.Command(binary(t), strings.Fields(command)...)
			cmd.Dir = "testdata/manifests"
			err := cmd.Run()
			got := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				got = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("exit status %d, want %d", got, want)
			}
		})
	}
}
