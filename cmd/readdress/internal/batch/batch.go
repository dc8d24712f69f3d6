// Package batch answers questions in JSON, one a line, so that other programs
// can use the engine as an oracle.
package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/lint"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/rewrite"
)

// A Question is one line of the input: what becomes of a URL by rules, or of a
// request by manifests.
type Question struct {
	ID           json.RawMessage   `json:"id,omitempty"`            // echoed in the answer
	URL          string            `json:"url"`                     // as typed; without a scheme it is http
	Rules        json.RawMessage   `json:"rules,omitempty"`         // a list of rules in the form of package rewrite
	AllowedHosts []string          `json:"allowed_hosts,omitempty"` // that rules may take from a request
	Manifests    []json.RawMessage `json:"manifests,omitempty"`     // objects, or strings with YAML
	Mode         string            `json:"mode,omitempty"`          // strict or compat; empty: strict
	Classes      map[string]string `json:"classes,omitempty"`       // dialects by ingress class
	Handled      []string          `json:"handled,omitempty"`       // annotations that the proxy obeys itself
	Method       string            `json:"method,omitempty"`        // empty: GET
	Headers      []engine.Header   `json:"headers,omitempty"`       // of the request
	ListenPort   int               `json:"listen_port,omitempty"`   // 0: not known
	Key          string            `json:"key,omitempty"`           // by which a backend is picked
	Response     []engine.Header   `json:"response,omitempty"`      // of the backend's response, to be taken back
}

// An Answer is one line of the output.
type Answer struct {
	ID          json.RawMessage     `json:"id,omitempty"`
	Rewrite     *Rewrite            `json:"rewrite,omitempty"`     // by rules
	Explanation *engine.Explanation `json:"explanation,omitempty"` // by manifests
	Diagnostics []lint.Diagnostic   `json:"diagnostics,omitempty"` // of the manifests
	Error       *Error              `json:"error,omitempty"`       // why there is neither
}

// A Rewrite is what rules make of a URL at all hooks, one after the other.
type Rewrite struct {
	URL     string        `json:"url"`               // after them; as it was if it is refused
	Refused string        `json:"refused,omitempty"` // why the request is answered with 400
	Changed []string      `json:"changed,omitempty"` // scheme, host, path, query
	Splice  *Splice       `json:"splice,omitempty"`  // how the path was rewritten, if that has a splice
	Steps   []engine.Step `json:"steps,omitempty"`
}

// A Splice says that so many bytes at the front of the path were replaced.
type Splice struct {
	Cut int `json:"cut"`
	Put int `json:"put"`
}

// An Error says what is wrong with a question.
type Error struct {
	Kind    string   `json:"kind"` // json, question, url, rules or manifests
	Message string   `json:"message"`
	Faults  []string `json:"faults,omitempty"` // each of several
}

// maxLine is how long a question can be.
const maxLine = 64 << 20

// Run answers each line of r on w, in order. usable is false if a line was no
// question; the error is one of reading or writing.
func Run(r io.Reader, w io.Writer) (usable bool, err error) {
	in, out := bufio.NewReaderSize(r, 64<<10), bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	b := &batch{configs: make(map[string]*engine.Config), programs: make(map[string]*rewrite.Program)}
	usable = true
	for first := true; ; first = false {
		line, tooLong, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return usable, err
		}
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // a byte-order mark
		}
		if text := bytes.TrimSpace(line); len(text) > 0 || tooLong {
			a := Answer{Error: &Error{Kind: "json", Message: fmt.Sprintf("a question can have %d MiB", maxLine>>20)}}
			if !tooLong {
				a = b.answer(text)
			}
			usable = usable && a.Error == nil
			if err := enc.Encode(a); err != nil {
				return usable, err
			}
			if in.Buffered() == 0 { // whoever asks may wait for the answer
				if err := out.Flush(); err != nil {
					return usable, err
				}
			}
		}
		if err != nil {
			return usable, out.Flush()
		}
	}
}

// readLine reads up to the end of a line, of which it keeps no more than
// maxLine.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(piece) > maxLine; !tooLong {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// A batch keeps what it has compiled: questions often are about one
// configuration.
type batch struct {
	configs  map[string]*engine.Config
	programs map[string]*rewrite.Program
}

// maxKept is how many configurations and programs are kept.
const maxKept = 64

func (b *batch) answer(line []byte) Answer {
	var q Question
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	err := dec.Decode(&q)
	switch _, end := dec.Token(); {
	case err != nil:
		err = reworded(line, err)
	case !errors.Is(end, io.EOF):
		err = errors.New("there is something behind the question: write one on a line")
	default:
		err = cmp.Or(checkText(line), checkKeys(line))
	}
	if err != nil {
		if !utf8.Valid(q.ID) {
			q.ID = nil // answers are UTF-8
		}
		return Answer{ID: q.ID, Error: &Error{Kind: "json", Message: err.Error()}}
	}
	if string(q.Rules) == "null" {
		q.Rules = nil // as it is of every other field
	}
	a := Answer{ID: q.ID}
	opts, err := q.options()
	if err != nil {
		a.Error = &Error{Kind: "question", Message: err.Error()}
		return a
	}
	switch {
	case q.URL == "":
		a.Error = &Error{Kind: "question", Message: "there is no url"}
	case (q.Rules == nil) == (q.Manifests == nil):
		a.Error = &Error{Kind: "question", Message: "write either rules or manifests"}
	case q.Rules != nil:
		a.Rewrite, a.Error = b.rewrite(&q)
	default:
		b.explain(&q, opts, &a)
	}
	return a
}

func (b *batch) rewrite(q *Question) (*Rewrite, *Error) {
	key := string(q.Rules) + "\x00" + strings.Join(q.AllowedHosts, "\x00")
	p := b.programs[key]
	if p == nil {
		rules, err := rewrite.ParseRules(q.Rules, "rules")
		for i := range rules {
			rules[i].Origin = rewrite.Origin{} // their index says as much
		}
		if err == nil {
			p, err = rewrite.Compile(rules, &rewrite.Options{AllowedHosts: q.AllowedHosts})
		}
		if faults, ok := errors.AsType[rewrite.RuleErrors](err); ok {
			e := &Error{Kind: "rules", Message: "the rules do not compile"}
			for _, f := range faults {
				e.Faults = append(e.Faults, f.Error())
			}
			return nil, e
		}
		if err != nil {
			return nil, &Error{Kind: "rules", Message: err.Error()}
		}
		if len(b.programs) == maxKept {
			clear(b.programs)
		}
		b.programs[key] = p
	}
	return run(p, q.URL)
}

// run runs all hooks of a program on a URL.
func run(p *rewrite.Program, text string) (*Rewrite, *Error) {
	r := &engine.Request{URL: text}
	u, err := r.Parse()
	if err != nil {
		return nil, &Error{Kind: "url", Message: err.Error()}
	}
	out := &Rewrite{URL: u.String()}
	if err := (*rewrite.Input)(nil).Clean(&u, nil); err != nil {
		out.Refused = err.Error()
		return out, nil
	}
	var all rewrite.Result
	for _, hook := range rewrite.Hooks() {
		steps, _, _ := p.Explain(hook, u)
		out.Steps = append(out.Steps, engine.Steps(hook, steps)...)
		result, err := p.Apply(hook, &u, nil)
		if err != nil {
			out.Refused = err.Error()
			return out, nil
		}
		all = all.Then(result)
	}
	out.URL = u.String()
	if c := all.Changed(); c != 0 {
		out.Changed = strings.Split(c.String(), "|")
	}
	if cut, put, ok := all.Splice(); ok {
		out.Splice = &Splice{cut, put}
	}
	return out, nil
}

// options checks all of a question but its URL and what that is asked about.
func (q *Question) options() (*engine.Options, error) {
	opts := &engine.Options{Hosts: q.AllowedHosts, Handled: q.Handled}
	var err error
	if opts.Compat, err = engine.ParseMode(q.Mode); err == nil {
		err = opts.SetClasses(q.Classes)
	}
	if err == nil {
		err = q.request().Check()
	}
	if err != nil {
		return nil, err
	}
	for _, host := range q.AllowedHosts {
		if err := engine.CheckAllowed(host); err != nil {
			return nil, fmt.Errorf("allowed_hosts: %w", err)
		}
	}
	for i := range q.Response {
		if err := q.Response[i].Check(); err != nil {
			return nil, fmt.Errorf("response: %w", err)
		}
	}
	return opts, nil
}

func (q *Question) request() *engine.Request {
	return &engine.Request{Method: q.Method, URL: q.URL, Headers: q.Headers, ListenerPort: q.ListenPort, Key: q.Key}
}

func (b *batch) explain(q *Question, opts *engine.Options, a *Answer) {
	config, fault := b.config(q, opts)
	if fault != nil {
		a.Error = fault
		return
	}
	r := q.request()
	x, err := config.Explain(r)
	if err == nil {
		err = config.ExplainBack(x, r, q.Response)
	}
	if err != nil {
		a.Error = &Error{Kind: "url", Message: err.Error()}
		return
	}
	a.Explanation, a.Diagnostics = x, lint.Run(config)
}

func (b *batch) config(q *Question, opts *engine.Options) (*engine.Config, *Error) {
	parts, _ := json.Marshal([]any{q.Manifests, q.Mode, q.Classes, q.AllowedHosts, q.Handled}) // what came from JSON has JSON
	if c := b.configs[string(parts)]; c != nil {
		return c, nil
	}
	set := manifest.NewSet()
	for i, m := range q.Manifests {
		data := []byte(m)
		var text string
		if json.Unmarshal(m, &text) == nil {
			data = []byte(text)
		}
		if err := set.Read(fmt.Sprintf("manifests[%d]", i), data); err != nil {
			return nil, &Error{Kind: "manifests", Message: err.Error()}
		}
	}
	c, err := engine.Load(set, opts)
	if err != nil {
		return nil, &Error{Kind: "manifests", Message: err.Error()}
	}
	if len(b.configs) == maxKept {
		clear(b.configs)
	}
	b.configs[string(parts)] = c
	return c, nil
}
