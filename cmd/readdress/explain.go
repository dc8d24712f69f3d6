package main

// explain: what becomes of a request, and why.

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/lint"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/cmd/readdress/internal/report"
	"github.com/readdress/readdress/route/ingress"
)

func runExplain(env *environment, fs *flag.FlagSet, args []string) (int, error) {
	var in inputs
	var headers, responses list
	in.register(fs)
	method := fs.String("X", "GET", "`METHOD` of the request")
	fs.Var(&headers, "H", "`'NAME: VALUE'`: a header of the request; may be repeated")
	port := fs.Int("listen-port", 0, "`PORT` on which the request comes")
	key := fs.String("key", "", "pick a backend by this `TEXT`, such as a cookie's value")
	fs.Var(&responses, "response", "`'NAME: VALUE'`: a header of the backend's response, to be taken back; may be repeated")
	mesh := fs.String("visibility", "", "`FILE` with Istio's serviceEntryVisibility, alone or in a mesh configuration")
	client := fs.String("client-namespace", "", "`NAMESPACE` of the client, for -visibility")
	asJSON := fs.Bool("json", false, "write JSON")
	asMarkdown := fs.Bool("markdown", false, "write Markdown")
	rest, err := parse(fs, args)
	if err != nil {
		return 0, err
	}
	if len(rest) == 0 {
		return 0, errors.New("there is no URL: write one behind the files")
	}
	last := len(rest) - 1
	for _, file := range rest[:last] {
		if engine.HasScheme(file) {
			return 0, fmt.Errorf("%q is no file: write one URL, behind the files", file)
		}
	}
	if _, err := os.Stat(rest[last]); err == nil && !engine.HasScheme(rest[last]) {
		return 0, fmt.Errorf("there is no URL: %q is a file: write a URL behind it, or http://%[1]s if that is meant", rest[last])
	}
	in.files = append(in.files, rest[:last]...)
	if *asJSON && *asMarkdown {
		return 0, errors.New("-json and -markdown exclude each other: write one")
	}
	request, err := requestOf(*method, headers, *port)
	if err != nil {
		return 0, err
	}
	request.URL, request.Key = rest[last], *key
	back, err := parseHeaders("-response", responses)
	if err != nil {
		return 0, err
	}
	config, err := in.load(env)
	if err != nil {
		return 0, err
	}
	x, err := config.Explain(&request)
	if err != nil {
		return 0, err
	}
	if err := config.ExplainBack(x, &request, back); err != nil {
		return 0, err
	}
	if *mesh != "" {
		if err := explainVisibility(env, config, x, &request, *mesh, *client); err != nil {
			return 0, err
		}
	} else if *client != "" {
		return 0, errors.New("-client-namespace needs the configuration of the mesh: name it with -visibility FILE")
	}
	switch {
	case *asJSON:
		x.EscapeBytes()
		return exitOK, writeJSON(env, struct {
			*engine.Explanation
			Diagnostics []lint.Diagnostic `json:"diagnostics,omitempty"`
		}{x, concerned(config, x)})
	case *asMarkdown:
		return exitOK, report.Markdown(env.stdout, x, concerned(config, x))
	}
	if err := report.Text(env.stdout, x); err != nil {
		return 0, err
	}
	return exitOK, lint.WriteText(env.stdout, concerned(config, x))
}

// requestOf returns a request of the flags that say what it is.
func requestOf(method string, headers []string, port int) (r engine.Request, err error) {
	r = engine.Request{Method: method, ListenerPort: port}
	if method == "" {
		return r, errors.New("-X is empty: write a method such as GET")
	}
	if r.Headers, err = parseHeaders("-H", headers); err == nil {
		err = r.Check()
	}
	return r, err
}

func parseHeaders(name string, values []string) ([]engine.Header, error) {
	var out []engine.Header
	for _, v := range values {
		h, err := engine.ParseHeader(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, h)
	}
	return out, nil
}

func writeJSON(env *environment, v any) error {
	enc := json.NewEncoder(env.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// concerned returns the errors and warnings about the object of the route, or,
// if none was found, about all objects.
func concerned(c *engine.Config, x *engine.Explanation) []lint.Diagnostic {
	if x.Route == nil && x.Status != http.StatusNotFound {
		return nil
	}
	object := ""
	for _, s := range c.Sites {
		if x.Route != nil && s.Entry.Source.String() == x.Route.Source {
			object = s.Entry.Source.Object().String()
		}
	}
	return slices.DeleteFunc(lint.Run(c), func(d lint.Diagnostic) bool {
		if object == "" && d.Code == string(manifest.CodeKind) {
			return false // perhaps that was meant to be the route
		}
		return d.Level == ingress.Note || object != "" && d.Object != object && !hasObject(d.Object, object)
	})
}

// hasObject reports whether a place is in an object.
func hasObject(place, object string) bool {
	return len(place) > len(object) && place[:len(object)] == object && place[len(object)] == ' '
}

func explainVisibility(env *environment, c *engine.Config, x *engine.Explanation, r *engine.Request, file, client string) error {
	mesh, _, err := loadMesh(env, file, c.Set)
	if err != nil {
		return err
	}
	a, err := c.Run(r)
	if err != nil {
		return err
	}
	var addresses []string
	for _, t := range a.Targets {
		addresses = append(addresses, t.Address)
	}
	mesh.Explain(x, r.Host(), addresses, client)
	return nil
}
