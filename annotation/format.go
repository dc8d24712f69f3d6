package annotation

// Format: from the rules of a plan back to annotations.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// Format returns the annotations that ask for the rules of a plan: Parse makes
// of them, with the same opts, the same Rules but for their Origins. It can do
// so for every plan that Parse made with opts. The values are as short as
// possible and on one line; a plan without rules gives an empty map.
//
// Other plans need not have such annotations: there is none for an action
// that is not in the table of keys, for two orders of one key at one hook, or
// for an order that the grammar does not give. The error then is a
// rewrite.RuleErrors about the rules, or the ErrorList of what Parse says to
// the annotations that come closest.
func Format(plan *Plan, opts *Options) (map[string]string, error) {
	if plan == nil {
		return map[string]string{}, nil
	}
	var values [len(keywords)]string
	var faults rewrite.RuleErrors
	var w itemWriter
	for i := range plan.Rules {
		r := &plan.Rules[i]
		row := slices.IndexFunc(keywords[:], func(k keyword) bool { return k.op == r.Action.Op() })
		if row < 0 {
			faults = append(faults, &rewrite.RuleError{Index: i, Origin: r.Origin, Op: r.Action.Op(), Err: errors.New("no annotation asks for this action")})
			continue
		}
		if err := w.add(row, r); err != nil {
			faults = append(faults, &rewrite.RuleError{Index: i, Origin: r.Origin, Op: r.Action.Op(), Err: err})
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	for _, it := range w.items {
		separator := ","
		if values[it.row] == "" {
			separator = "["
		}
		values[it.row] += separator + it.text()
	}
	annotations := make(map[string]string)
	for row, value := range values {
		if value != "" {
			annotations[opts.prefix()+keywords[row].name] = value + "]"
		}
	}
	if err := verify(annotations, plan.Rules, opts); err != nil {
		return nil, err
	}
	return annotations, nil
}

// verify holds that annotations ask for rules.
func verify(annotations map[string]string, rules []rewrite.Rule, opts *Options) error {
	again, err := Parse(annotations, opts)
	if err != nil {
		return err
	}
	advice := "give the rules different orders"
	if !slices.IsSortedFunc(rules, running) {
		advice = "sort the rules by order, hook by hook"
	}
	var faults rewrite.RuleErrors
	for i := range rules {
		r, got := &rules[i], &again.Rules[i]
		if r.Hook != got.Hook || r.Order != got.Order || !r.Action.Equal(got.Action) {
			faults = append(faults, &rewrite.RuleError{
				Index: i, Origin: r.Origin, Op: r.Action.Op(),
				Err: fmt.Errorf("annotations would run %v in its place: %s", got.Action, advice),
			})
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// An itemWriter sorts rules into the items of annotations.
type itemWriter struct{ items []outItem }

// An outItem is an item that is being written.
type outItem struct {
	row    int
	hook   rewrite.Hook
	order  int
	params string // of pairs without the closing brace
}

// add writes a rule into the item that is for its key and hook.
func (w *itemWriter) add(row int, r *rewrite.Rule) error {
	args := r.Action.Args()
	at := slices.IndexFunc(w.items, func(it outItem) bool { return it.row == row && it.hook == r.Hook })
	if at < 0 {
		params, err := paramsText(keywords[row].form, args)
		w.items = append(w.items, outItem{row, r.Hook, r.Order, params})
		return err
	}
	it := &w.items[at]
	if keywords[row].form != formPairs {
		return fmt.Errorf("second action of %s at %v: an annotation has one", keywords[row].name, r.Hook)
	}
	if it.order != r.Order {
		return fmt.Errorf("second order of %s at %v: an annotation has one", keywords[row].name, r.Hook)
	}
	it.params += "," + pairText(args)
	return nil
}

// text returns the item as JSON.
func (it *outItem) text() string {
	b := `{"params":` + it.params
	if keywords[it.row].form == formPairs {
		b += "}"
	}
	if it.hook != rewrite.AfterLocation {
		b += `,"when":"` + it.hook.String() + `"`
	}
	if it.order != 0 {
		b += `,"order":` + strconv.Itoa(it.order)
	}
	return b + "}"
}

// paramsText returns params as JSON.
func paramsText(f form, args []string) (string, error) {
	switch f {
	case formTrue:
		return "true", nil
	case formCount:
		return args[0], nil
	case formPairs:
		return "{" + pairText(args), nil
	case formText:
		if len(args) != 1 {
			return "", fmt.Errorf("%d parameters: an annotation has one", len(args))
		}
		return quoteJSON(args[0]), nil
	}
	if len(args) == 0 {
		return "", errors.New("no names: write at least one")
	}
	// A string that begins with a bracket is read as a list.
	if f == formNameOrNames && len(args) == 1 && !strings.HasPrefix(strings.TrimLeft(args[0], " "), "[") {
		return quoteJSON(args[0]), nil
	}
	var b strings.Builder
	for i, name := range args {
		b.WriteByte("[,"[min(i, 1)])
		b.WriteString(quoteJSON(name))
	}
	return b.String() + "]", nil
}

func pairText(args []string) string { return quoteJSON(args[0]) + ":" + quoteJSON(args[1]) }

// quoteJSON writes text as the shortest JSON string. Control characters stay
// as they are, for Parse to refuse.
func quoteJSON(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
