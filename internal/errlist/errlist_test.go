package errlist_test

import (
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/readdress/readdress/internal/errlist"
)

func TestList(t *testing.T) {
	type list []error // as those of the packages are, with a name
	both := list{errors.New("one"), io.EOF}
	if got, want := errlist.Lines("p: ", both), "p: one\np: EOF"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := errlist.Lines("p: ", list{}); got != "" {
		t.Errorf("of no errors: %q", got)
	}
	if got := errlist.Unwrap(both); !slices.Equal(got, both) {
		t.Errorf("%v, want %v", got, both)
	}
}
