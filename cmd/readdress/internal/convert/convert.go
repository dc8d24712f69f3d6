// Package convert writes entries in other forms, and says what these cannot
// express.
package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
	"github.com/readdress/readdress/route/ingress/gateway"
)

// Codes of this package.
const (
	// CodeLeftOut: an entry that annotations of rewrites cannot express. It is
	// not written. Write it by hand, or convert to another form.
	CodeLeftOut ingress.Code = "convert-left-out"
	// CodePartly: a part of an entry that annotations of rewrites cannot express.
	// The rest is written. Add the part by hand.
	CodePartly ingress.Code = "convert-partly"
)

// Forms are the values of -to.
func Forms() []string { return []string{"bfe-data", "httproute", "annotations"} }

// Options say where HTTPRoutes belong.
type Options struct {
	Gateway string // the name that routes attach to; empty: none
	// HTTP and HTTPS are the names of its listeners; empty: routes do not say.
	HTTP, HTTPS string
}

// Write returns entries in a form and what could not be said in it.
func Write(form string, entries []ingress.Entry, opts *Options) ([]byte, []ingress.Problem, error) {
	switch form {
	case "bfe-data":
		data, problems := bfe.Write(entries, nil)
		return append(bytes.TrimRight(data, "\n"), '\n'), problems, nil
	case "httproute":
		return httproutes(entries, opts)
	case "annotations":
		return annotations(entries)
	}
	return nil, nil, fmt.Errorf("%q is no form: write bfe-data, httproute or annotations", form)
}

func httproutes(entries []ingress.Entry, opts *Options) ([]byte, []ingress.Problem, error) {
	w := &gateway.WriteOptions{Sections: map[string]string{}}
	if opts.Gateway != "" {
		w.Parents = []gateway.ParentRef{{Name: opts.Gateway}}
	}
	if opts.HTTP != "" {
		w.Sections["http"] = opts.HTTP
	}
	if opts.HTTPS != "" {
		w.Sections["https"] = opts.HTTPS
	}
	routes, problems := gateway.Write(entries, w)
	for i := range problems {
		problems[i].Detail = flags.Replace(problems[i].Detail)
	}
	var out []byte
	for _, r := range routes {
		text, err := appendYAML(out, r)
		if err != nil {
			return nil, nil, err
		}
		out = text
	}
	return out, problems, nil
}

// flags are what the options of package gateway are on the command line.
var flags = strings.NewReplacer("in WriteOptions.Sections", "by -http-listener and -https-listener")

// appendYAML appends the JSON of v as a YAML document, with the fields in the
// order that they have in it.
func appendYAML(dst []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	unstyle(&document)
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(&document), enc.Close()); err != nil {
		return nil, err
	}
	if len(dst) > 0 {
		dst = append(dst, "---\n"...)
	}
	return append(dst, b.Bytes()...), nil
}

// unstyle makes YAML's own style of JSON's. Texts that YAML would read as
// something else keep their quotes.
func unstyle(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		n.Style = 0
	}
	for _, c := range n.Content {
		unstyle(c)
	}
}
