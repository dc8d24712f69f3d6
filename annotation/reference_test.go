// A slow parser of one annotation on top of encoding/json, which knows no
// offsets and reports no faults, and what fuzzing holds it against.

package annotation_test

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/rewrite"
)

var errReference = errors.New("reference: not accepted")

// reference returns the rules that one annotation asks for.
func reference(key, value string) (rules []rewrite.Rule, err error) {
	if len(value) > 64<<10 || !utf8.ValidString(value) {
		return nil, errReference
	}
	tree, err := readTree(value, 0)
	items, isList := tree.([]any)
	if err != nil || !isList || len(items) == 0 {
		return nil, errReference
	}
	var hooks []rewrite.Hook
	for _, it := range items {
		fields, isObject := it.(pairs)
		if !isObject || !fields.distinct() {
			return nil, errReference
		}
		var hook rewrite.Hook
		var order int64
		var actions []rewrite.Action
		for _, f := range fields {
			switch f.name {
			case "params":
				actions, err = referenceParams(key, f.value)
			case "when":
				name, isString := f.value.(string)
				if !isString || name == "" {
					return nil, errReference
				}
				err = hook.UnmarshalText([]byte(name))
			case "order":
				n, isNumber := f.value.(json.Number)
				if !isNumber {
					return nil, errReference
				}
				order, err = strconv.ParseInt(n.String(), 10, 32)
			default:
				err = errReference
			}
			if err != nil {
				return nil, err
			}
		}
		if len(actions) == 0 || len(actions) > 64 || slices.Contains(hooks, hook) {
			return nil, errReference
		}
		hooks = append(hooks, hook)
		for _, a := range actions {
			rules = append(rules, rewrite.Rule{Hook: hook, Order: int(order), Action: a})
		}
	}
	var sorted []rewrite.Rule
	for _, h := range rewrite.Hooks() {
		for _, r := range rules {
			if r.Hook == h {
				sorted = append(sorted, r)
			}
		}
	}
	_, err = rewrite.Compile(sorted, anyHost.Rewrite)
	return sorted, err
}

// referenceParams returns the actions that the params of a key are.
func referenceParams(key string, params any) ([]rewrite.Action, error) {
	text, isString := params.(string)
	if isString && text == "" {
		return nil, errReference
	}
	one := map[string]func(string) rewrite.Action{
		"host": rewrite.SetHost, "path": rewrite.SetPath, "path-prefix-add": rewrite.AddPathPrefix,
		"path-prefix-trim": func(p string) rewrite.Action { return rewrite.TrimPathPrefix(p) },
	}[key]
	switch {
	case one != nil && isString:
		return []rewrite.Action{one(text)}, nil
	case key == "host-from-path-prefix" && (params == true || params == "true"):
		return []rewrite.Action{rewrite.HostFromPathPrefix()}, nil
	case key == "path-prefix-strip":
		if n, isNumber := params.(json.Number); isNumber {
			text = n.String()
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 || strconv.FormatInt(n, 10) != text {
			return nil, errReference
		}
		return []rewrite.Action{rewrite.StripPathSegments(int(n))}, nil
	case key == "query-delete-all-except" && isString && !strings.HasPrefix(strings.TrimLeft(text, " "), "["):
		return []rewrite.Action{rewrite.KeepQuery(text)}, nil
	}
	if isString {
		var err error
		if params, err = readTree(text, 2); err != nil {
			return nil, err
		}
	}
	switch params := params.(type) {
	case pairs:
		return referencePairs(key, params)
	case []any:
		var names []string
		for _, p := range params {
			name, _ := p.(string)
			if name == "" {
				return nil, errReference
			}
			names = append(names, name)
		}
		switch {
		case len(names) == 0:
		case key == "query-delete":
			return []rewrite.Action{rewrite.DeleteQuery(names...)}, nil
		case key == "query-delete-all-except":
			return []rewrite.Action{rewrite.KeepQuery(names...)}, nil
		}
	}
	return nil, errReference
}

func referencePairs(key string, params pairs) (actions []rewrite.Action, err error) {
	action := map[string]func(string, string) rewrite.Action{"query-add": rewrite.AddQuery, "query-rename": rewrite.RenameQuery}[key]
	if action == nil || !params.distinct() {
		return nil, errReference
	}
	for _, p := range params {
		value, isString := p.value.(string)
		if !isString || p.name == "" || value == "" && key == "query-rename" {
			return nil, errReference
		}
		actions = append(actions, action(p.name, value))
	}
	return actions, nil
}

// pairs is a JSON object in document order.
type pairs []struct {
	name  string
	value any
}

func (p pairs) distinct() bool {
	seen := map[string]bool{}
	for _, f := range p {
		if seen[f.name] {
			return false
		}
		seen[f.name] = true
	}
	return true
}

var (
	controls    = regexp.MustCompile("[\x00-\x1f\x7f\u0085\u2028\u2029]")
	replacement = regexp.MustCompile(`(?i)\\ufffd|` + "\uFFFD")
)

// readTree decodes JSON that nests at most 8 deep, of which some is above it.
// Strings are checked for what encoding/json lets pass or replaces.
func readTree(text string, above int) (tree any, err error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	replaced := 0
	if tree, err = readValue(dec, above, &replaced); err != nil {
		return nil, err
	}
	if _, err = dec.Token(); err != io.EOF {
		return nil, errReference
	}
	if replaced != len(replacement.FindAllString(strings.ReplaceAll(text, `\\`, ""), -1)) {
		return nil, errReference // a lone surrogate has become U+FFFD
	}
	return tree, nil
}

func readValue(dec *json.Decoder, depth int, replaced *int) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case string:
		*replaced += strings.Count(token, "\uFFFD")
		if controls.MatchString(token) {
			return nil, errReference
		}
		return token, nil
	case json.Delim:
		if depth++; depth > 8 {
			return nil, errReference
		}
		list, object := []any{}, pairs{}
		for dec.More() {
			name := ""
			if token == '{' {
				t, err := readValue(dec, depth, replaced)
				if err != nil {
					return nil, err
				}
				name = t.(string)
			}
			value, err := readValue(dec, depth, replaced)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
			object = append(object, struct {
				name  string
				value any
			}{name, value})
		}
		if _, err := dec.Token(); err != nil {
			return nil, err
		}
		if token == '{' {
			return object, nil
		}
		return list, nil
	}
	return token, nil
}
