package main

// The annotation reader: the rewrite-url annotations of one Ingress to rules.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

const annotationPrefix = "bfe.ingress.kubernetes.io/rewrite-url."

// grammar lists the annotations by the last part of their keys, and how the
// params of each become actions.
var grammar = []struct {
	name   string
	params paramsReader
}{
	{"host", text1(rewrite.SetHost)},
	{"host-from-path-prefix", onlyTrue(rewrite.HostFromPathPrefix)},
	{"path", text1(rewrite.SetPath)},
	{"path-prefix-add", text1(rewrite.AddPathPrefix)},
	{"path-prefix-trim", text1(func(p string) rewrite.Action { return rewrite.TrimPathPrefix(p) })},
	{"path-prefix-strip", count(rewrite.StripPathSegments)},
	{"query-add", textPairs(rewrite.AddQuery)},
	{"query-delete", texts(rewrite.DeleteQuery)},
	{"query-rename", namePairs(rewrite.RenameQuery)},
	{"query-delete-all-except", textOrTexts(rewrite.KeepQuery)},
}

// exclusive lists the annotations that exclude each other, whatever the hooks.
var exclusive = [][2]string{
	{"host", "host-from-path-prefix"},
	{"path", "path-prefix-add"},
	{"path", "path-prefix-trim"},
	{"path", "path-prefix-strip"},
}

// An annotationError is one fault of one annotation.
type annotationError struct {
	Key string
	Err error
}

func (e *annotationError) Error() string { return e.Key + ": " + e.Err.Error() }
func (e *annotationError) Unwrap() error { return e.Err }

// readRules returns the rules that the annotations under annotationPrefix ask
// for, and every fault. Annotations with other keys are not looked at.
func readRules(annotations map[string]string) ([]rewrite.Rule, []*annotationError) {
	var r ruleReader
	for _, g := range grammar {
		key := annotationPrefix + g.name
		if value, ok := annotations[key]; ok {
			r.read(key, value, g.params)
		}
	}
	r.checkUnknown(annotations)
	r.checkExclusive(annotations)
	r.checkTies()
	return r.rules, r.errs
}

type ruleReader struct {
	rules []rewrite.Rule
	errs  []*annotationError
}

func (r *ruleReader) failf(key, format string, args ...any) {
	r.errs = append(r.errs, &annotationError{key, fmt.Errorf(format, args...)})
}

// read reads the value of one annotation: a JSON list with an item per hook.
func (r *ruleReader) read(key, value string, params paramsReader) {
	items, err := elements(value)
	if err != nil {
		r.failf(key, "%w", err)
		return
	}
	configured := make(map[rewrite.Hook]bool)
	for i, e := range items {
		it, errs := readItem(e.value, params)
		if len(errs) == 0 && configured[it.hook] {
			errs = append(errs, fmt.Errorf("when: %v is configured twice", it.hook))
		}
		configured[it.hook] = true
		for _, err := range errs {
			r.failf(key, "item %d: %w", i, err)
		}
		for _, action := range it.actions {
			r.rules = append(r.rules, rewrite.Rule{
				Hook: it.hook, Order: it.order, Action: action,
				Origin: rewrite.Origin{Key: key, Index: i, Offset: e.offset},
			})
		}
	}
}

func (r *ruleReader) checkUnknown(annotations map[string]string) {
	var names []string
	for _, g := range grammar {
		names = append(names, g.name)
	}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		name, ours := strings.CutPrefix(key, annotationPrefix)
		if ours && !slices.Contains(names, name) {
			r.failf(key, "unknown annotation: after %q write one of %s", "rewrite-url.", strings.Join(names, ", "))
		}
	}
}

func (r *ruleReader) checkExclusive(annotations map[string]string) {
	for _, pair := range exclusive {
		first, second := annotationPrefix+pair[0], annotationPrefix+pair[1]
		_, hasFirst := annotations[first]
		_, hasSecond := annotations[second]
		if hasFirst && hasSecond {
			r.failf(second, "cannot stand beside %s: remove one of the two", first)
		}
	}
}

// An item configures one hook.
type item struct {
	hook    rewrite.Hook
	order   int
	actions []rewrite.Action
}

// readItem reads {"params": …, "when": …, "order": …} and returns every fault.
func readItem(data json.RawMessage, params paramsReader) (it item, errs []error) {
	fields, err := members(data)
	if err != nil {
		return it, []error{err}
	}
	missing := true
	for _, f := range fields {
		var err error
		switch f.name {
		case "params":
			missing = false
			it.actions, err = params(f.value)
		case "when":
			it.hook, err = readHook(f.value)
		case "order":
			it.order, err = readOrder(f.value)
		default:
			err = errors.New("unknown field: write params, when or order")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.name, err))
		}
	}
	if missing {
		errs = append(errs, errors.New("params: missing"))
	}
	return it, errs
}
