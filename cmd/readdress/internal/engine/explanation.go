package engine

// Explanation: what becomes of a request and why, as data.

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// An Explanation is an Answer with its reasons. Its JSON is documented in
// schema/explanation.json; what is empty is left out.
type Explanation struct {
	Method string `json:"method"`
	URL    string `json:"url"` // as typed, with a scheme; in JSON, bytes that are no UTF-8 are %XX
	// NetHTTP is why net/http would refuse the request, whatever the manifests.
	NetHTTP string `json:"net_http_refuses,omitempty"`
	// Cleaned is the URL that lookups see, if Clean has escaped something.
	Cleaned  string    `json:"cleaned,omitempty"`
	Claims   []Claim   `json:"claims,omitempty"`
	Lookups  []Lookup  `json:"lookups,omitempty"`
	Route    *Place    `json:"route,omitempty"`
	Steps    []Step    `json:"steps,omitempty"`
	Redirect *Redirect `json:"redirect,omitempty"`
	Backends []Backend `json:"backends,omitempty"`
	// Picked is the name of the backend that gets the request, if it is certain.
	Picked          string     `json:"picked,omitempty"`
	RequestHeaders  []HeaderOp `json:"request_headers,omitempty"`
	ResponseHeaders []HeaderOp `json:"response_headers,omitempty"`
	// Status is what the client gets without a backend, 0 if it is forwarded.
	Status   int    `json:"status,omitempty"`
	Location string `json:"location,omitempty"`
	// Upstream is scheme://host:port that is connected to, and Forwarded the URL
	// that is sent there, whose host is the Host field, if Picked is set.
	Upstream  string `json:"upstream,omitempty"`
	Forwarded string `json:"forwarded,omitempty"`
	Error     string `json:"error,omitempty"`
	// Hint is what a client sends instead of a URL that is refused.
	Hint       string       `json:"hint,omitempty"`
	Back       []Back       `json:"back,omitempty"`
	Visibility []Visibility `json:"visibility,omitempty"`

	visit visitor
}

// EscapeBytes writes the bytes of the URL that are no UTF-8, which JSON cannot
// have, as %XX: that is what Clean makes of them.
func (x *Explanation) EscapeBytes() {
	x.URL, x.Hint = escapeBytes(x.URL), escapeBytes(x.Hint)
}

func escapeBytes(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// A Claim says which rewriter took an Ingress.
type Claim struct {
	Object   string    `json:"object"`
	Class    string    `json:"class,omitempty"`
	Rewriter string    `json:"rewriter,omitempty"` // "": none
	At       *Position `json:"at,omitempty"`
}

// A Lookup is one search in a table.
type Lookup struct {
	Table      string      `json:"table"` // the API: Ingress or HTTPRoute
	URL        string      `json:"url"`
	Candidates []Candidate `json:"candidates,omitempty"`
}

// A Candidate is a route that was looked at.
type Candidate struct {
	Place
	Code   string `json:"code"` // route.Code: "chosen", or why it lost
	Detail string `json:"detail,omitempty"`
}

// A Place is a route and where it is written.
type Place struct {
	Pattern string    `json:"pattern"`
	Source  string    `json:"source"`
	At      *Position `json:"at,omitempty"`
}

// A Step is what one action did.
type Step struct {
	Hook   string    `json:"hook"`
	Action string    `json:"action,omitempty"` // "": the check of the result
	Code   string    `json:"code"`             // rewrite.StepCode
	Before string    `json:"before"`
	After  string    `json:"after"`
	Error  string    `json:"error,omitempty"`
	Origin string    `json:"origin,omitempty"` // the key of the annotation, or the field
	At     *Position `json:"at,omitempty"`
}

// A Redirect says how a location is made.
type Redirect struct {
	How    string `json:"how"`
	Steps  []Step `json:"steps,omitempty"`
	Status int    `json:"status,omitempty"` // 0: this request is not redirected
}

// A Backend is one of those that share the request.
type Backend struct {
	Name            string     `json:"name"`
	Percent         float64    `json:"percent"` // rounded, so that all are 100
	Weight          uint32     `json:"weight"`
	Upstream        string     `json:"upstream,omitempty"`
	Forwarded       string     `json:"forwarded,omitempty"`
	Steps           []Step     `json:"steps,omitempty"`
	Status          int        `json:"status,omitempty"` // of the proxy's own, for its share
	Error           string     `json:"error,omitempty"`
	RequestHeaders  []HeaderOp `json:"request_headers,omitempty"`
	ResponseHeaders []HeaderOp `json:"response_headers,omitempty"`
}

// A HeaderOp is done to the header of a request or a response.
type HeaderOp struct {
	Op    string `json:"op"` // set, add or remove
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// String returns what is done, as for people.
func (h HeaderOp) String() string {
	if h.Op == "remove" {
		return h.Op + " " + h.Name
	}
	return h.Op + " " + h.Name + ": " + h.Value
}

// A Position is a byte of a file.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`         // from 1, in bytes
	Plus   int    `json:"plus,omitempty"` // bytes into the value that begins there
}

// String returns file:line:col.
func (p *Position) String() string {
	if p == nil {
		return ""
	}
	return manifest.Position{File: p.File, Line: p.Line, Col: p.Column, Plus: p.Plus}.String()
}

// NewPosition returns p for JSON, nil for none.
func NewPosition(p manifest.Position) *Position {
	if p.File == "" {
		return nil
	}
	return &Position{p.File, p.Line, p.Col, p.Plus}
}

// locate returns the position of a place in the manifests.
func (c *Config) locate(source ingress.Source, origin rewrite.Origin) *Position {
	return NewPosition(c.Set.Locate(source, origin))
}

func headerOps(list []ingress.HeaderOp) []HeaderOp {
	var out []HeaderOp
	for _, h := range list {
		out = append(out, HeaderOp{h.Op.String(), h.Name, h.Value})
	}
	return out
}
