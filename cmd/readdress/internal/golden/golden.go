// Package golden runs tables of requests and what is to become of them.
package golden

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
)

// A Table is a file.
type Table struct {
	// Manifests are files and folders, relative to the table.
	Manifests []string          `yaml:"manifests"`
	Mode      string            `yaml:"mode"` // strict or compat; empty: strict
	Classes   map[string]string `yaml:"classes"`
	Hosts     []string          `yaml:"allowHosts"`
	Handled   []string          `yaml:"handled"`
	Cases     []Case            `yaml:"cases"`

	document *manifest.Document
}

// A Case is one request and what is expected of it: at least one of the fields
// from URL on.
type Case struct {
	Name       string            `yaml:"name"`
	Request    string            `yaml:"request"` // a URL, or METHOD URL
	Headers    map[string]string `yaml:"headers"`
	ListenPort int               `yaml:"listenPort"`
	Key        string            `yaml:"key"`

	URL      string             `yaml:"url"`      // that a backend is sent: its scheme, the Host field, path and query
	Backend  string             `yaml:"backend"`  // that gets it: [namespace/]service[:port]
	Backends map[string]float64 `yaml:"backends"` // that share it, in percent
	Redirect string             `yaml:"redirect"` // STATUS LOCATION
	Status   int                `yaml:"status"`   // of the proxy's own answer
	Error    string             `yaml:"error"`    // a part of its reason
}

// Parse reads a table. The error joins what is wrong with it, with positions.
func Parse(name string, data []byte) (*Table, error) {
	document, err := manifest.ReadDocument(name, data)
	if err != nil {
		return nil, err
	}
	t := &Table{document: document}
	if err := document.Decode(t); err != nil {
		return nil, err
	}
	var faults []error
	fault := func(path, format string, args ...any) {
		faults = append(faults, &manifest.SyntaxError{Position: document.Locate(path), Detail: fmt.Sprintf(format, args...)})
	}
	if len(t.Manifests) == 0 {
		fault("", "there are no manifests: name the files in a list under manifests")
	}
	for i, file := range t.Manifests {
		if file == "" {
			fault(fmt.Sprintf("manifests[%d]", i), "the name is empty: write that of a file or folder")
		}
	}
	if _, err := engine.ParseMode(t.Mode); err != nil {
		fault("mode", "%v", err)
	}
	if bad, ok := errors.AsType[*engine.ClassError](new(engine.Options).SetClasses(t.Classes)); ok {
		faults = append(faults, &manifest.SyntaxError{Position: document.LocateKey(bad.Name, "classes"), Detail: bad.Detail})
	}
	for i, host := range t.Hosts {
		if err := engine.CheckAllowed(host); err != nil {
			fault(fmt.Sprintf("allowHosts[%d]", i), "%v", err)
		}
	}
	if len(t.Cases) == 0 {
		fault("", "there are no cases: write a list with a request and a url, backend, redirect or status each")
	}
	for i := range t.Cases {
		c := &t.Cases[i]
		path := fmt.Sprintf("cases[%d]", i)
		if c.Request == "" {
			fault(path, "there is no request: write a URL")
		}
		if c.URL == "" && c.Backend == "" && len(c.Backends) == 0 && c.Redirect == "" && c.Status == 0 && c.Error == "" {
			fault(path, "nothing is expected: write url, backend, backends, redirect, status or error")
		}
		if status, location, _ := strings.Cut(c.Redirect, " "); c.Redirect != "" && (!isNumber(status) || location == "") {
			fault(path+".redirect", "%q is no redirect: write STATUS LOCATION", c.Redirect)
		}
	}
	return t, errors.Join(faults...)
}

// Manifest returns where the table names its i-th manifest.
func (t *Table) Manifest(i int) manifest.Position {
	return t.document.Locate(fmt.Sprintf("manifests[%d]", i))
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// A Failure is a case that did not become what was expected.
type Failure struct {
	At          manifest.Position
	Name        string // of the case; may be empty
	Request     string
	Differences []Difference
	Explanation *engine.Explanation // nil if the request could not be made
}

// A Difference is one expectation that does not hold.
type Difference struct{ What, Want, Got string }

// Run runs the cases and counts in v what they exercise.
func (t *Table) Run(v *engine.Coverage) []Failure {
	var failures []Failure
	for i := range t.Cases {
		c := &t.Cases[i]
		r := c.request()
		var x *engine.Explanation
		err := r.Check()
		if err == nil {
			x, err = v.Explain(r)
		}
		f := Failure{At: t.document.Locate(fmt.Sprintf("cases[%d]", i)), Name: c.Name, Request: c.Request, Explanation: x}
		if err != nil {
			f.Differences = []Difference{{"request", "one that can be sent", err.Error()}}
		} else {
			f.Differences = c.compare(x)
		}
		if len(f.Differences) > 0 {
			failures = append(failures, f)
		}
	}
	return failures
}

func (c *Case) request() *engine.Request {
	r := &engine.Request{URL: c.Request, ListenerPort: c.ListenPort, Key: c.Key}
	if method, url, ok := strings.Cut(c.Request, " "); ok && strings.ToUpper(method) == method {
		r.Method, r.URL = method, strings.TrimLeft(url, " ")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		r.Headers = append(r.Headers, engine.Header{Name: name, Value: c.Headers[name]})
	}
	return r
}

// compare returns the expectations that do not hold.
func (c *Case) compare(x *engine.Explanation) []Difference {
	var list []Difference
	expect := func(what, want, got string, ok bool) {
		if !ok {
			list = append(list, Difference{what, want, got})
		}
	}
	outcome := Outcome(x)
	if c.URL != "" {
		got := forwarded(x)
		expect("url", c.URL, got, c.URL == got)
	}
	if c.Backend != "" {
		got := x.Picked
		switch {
		case got != "":
		case x.Status != 0:
			got = outcome
		default: // it is not certain
			got = backends(x, nil)
		}
		expect("backend", c.Backend, got, x.Picked != "" && named(c.Backend, x.Picked))
	}
	if len(c.Backends) > 0 {
		want, got := shares(c.Backends), backends(x, c.Backends)
		expect("backends", want, got, want == got)
	}
	if c.Redirect != "" {
		got := fmt.Sprintf("%d %s", x.Status, x.Location)
		if x.Location == "" {
			got = outcome
		}
		expect("redirect", c.Redirect, got, c.Redirect == got)
	}
	if c.Status != 0 {
		expect("status", strconv.Itoa(c.Status), outcome, c.Status == x.Status)
	}
	if c.Error != "" {
		expect("error", c.Error, outcome, strings.Contains(x.Error, c.Error))
	}
	return list
}

// Outcome returns in one line what the client gets.
func Outcome(x *engine.Explanation) string {
	switch {
	case x.Location != "":
		return fmt.Sprintf("%d %s", x.Status, x.Location)
	case x.Status != 0 && x.Error != "":
		return fmt.Sprintf("%d: %s", x.Status, x.Error)
	case x.Status != 0:
		return strconv.Itoa(x.Status)
	}
	return forwarded(x)
}

// forwarded returns the URL that backends are sent, or all of them if they
// differ. If none is sent any, it is what their shares are answered with.
func forwarded(x *engine.Explanation) string {
	if x.Forwarded != "" {
		return x.Forwarded
	}
	if x.Status != 0 {
		return Outcome(x)
	}
	var urls, answers []string
	for _, b := range x.Backends {
		switch answer := strconv.Itoa(b.Status); {
		case b.Weight == 0:
		case b.Forwarded != "" && !slices.Contains(urls, b.Forwarded):
			urls = append(urls, b.Forwarded)
		case b.Forwarded == "" && !slices.Contains(answers, answer):
			answers = append(answers, answer)
		}
	}
	if len(urls) == 0 {
		urls = answers
	}
	return strings.Join(urls, " or ")
}

// named reports whether want, which may lack the namespace and the port, names a
// backend.
func named(want, got string) bool {
	if want == got {
		return true
	}
	if !strings.Contains(want, "/") {
		_, got, _ = strings.Cut(got, "/")
	}
	if !strings.Contains(want, ":") {
		got, _, _ = strings.Cut(got, ":")
	}
	return want == got
}

func shares(m map[string]float64) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, fmt.Sprintf("%s %.2f %%", name, m[name]))
	}
	return strings.Join(list, ", ")
}

// backends returns the shares, under the names by which a case calls them.
func backends(x *engine.Explanation, wanted map[string]float64) string {
	m := make(map[string]float64)
	for _, b := range x.Backends {
		name := b.Name
		for want := range wanted {
			if named(want, name) {
				name = want
			}
		}
		m[name] += b.Percent
	}
	if len(m) == 0 {
		return Outcome(x)
	}
	return shares(m)
}
