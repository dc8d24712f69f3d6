package ingress

// Source and Problem: where something came from, and what is wrong with it.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// A Source says from which place of which object an Entry came. In a Result no
// two entries have the same Source, and as long as the object is not reordered
// the Source stays: it is the key under which a caller carries what it keeps
// for an entry, such as a picker, over reloads.
type Source struct {
	Kind, Namespace, Name string // of the object, such as "Ingress"
	// Rule and Path are the indexes in the object's lists of rules and, in the
	// rule, of paths or matches. -1: none; an entry whose Path is -1 is one of a
	// default backend.
	Rule, Path int
	// Part tells apart what came from one place, such as "canary-always".
	Part string
}

// String returns the source in one line, such as
// "Ingress default/web rules[0].paths[1] (canary)".
func (s Source) String() string {
	if s == (Source{}) {
		return ""
	}
	var b strings.Builder
	b.WriteString(oneLine(s.Kind))
	b.WriteByte(' ')
	if s.Namespace != "" {
		b.WriteString(oneLine(s.Namespace))
		b.WriteByte('/')
	}
	b.WriteString(oneLine(s.Name))
	if s.Rule >= 0 {
		b.WriteString(" rules[" + strconv.Itoa(s.Rule) + "]")
		if s.Path >= 0 {
			b.WriteString(".paths[" + strconv.Itoa(s.Path) + "]")
		}
	}
	if s.Part != "" {
		b.WriteString(" (" + oneLine(s.Part) + ")")
	}
	return b.String()
}

// oneLine returns a name as it is, or, if it has quotes or control bytes, as
// none that could be taken for something else.
func oneLine(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\'' || r == '"' }) {
		return name
	}
	quoted := strconv.Quote(name)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], "'", `\'`)
}

// Object returns s without Rule, Path and Part.
func (s Source) Object() Source {
	s.Rule, s.Path, s.Part = -1, -1, ""
	return s
}

// A Severity says how bad a Problem is. The zero Severity is Error.
type Severity int8

const (
	Error   Severity = iota // something that was asked for is not served
	Warning                 // it is served, perhaps not as meant
	Note                    // worth knowing, nothing to do
)

var severityNames = [...]string{"error", "warning", "note"}

// String returns the severity in lower case.
func (s Severity) String() string {
	if s < 0 || int(s) >= len(severityNames) {
		return fmt.Sprintf("Severity(%d)", int8(s))
	}
	return severityNames[s]
}

// MarshalText returns what String returns.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Code is the kind of a Problem. A code keeps its meaning over releases.
type Code string

// The codes of this package. Dialects have their own beside them, which begin
// with the dialect's name.
const (
	CodeNoHost           Code = "no-host"            // a rule without a host: it serves every host
	CodeNoPath           Code = "no-path"            // a path that is absent: it is "/"
	CodeNoRule           Code = "no-rule"            // nothing to serve: no rule, or a rule without paths
	CodePathType         Code = "path-type"          // an unknown pathType: it is Prefix
	CodeNoBackend        Code = "no-backend"         // a path without a backend
	CodeDefaultBackend   Code = "default-backend"    // a default backend: entries "/" that come last
	CodeDefaultPort      Code = "default-port"       // a backend without a port: it is 80
	CodeUnresolvedPort   Code = "unresolved-port"    // a named port that nobody knows
	CodeUnknownPort      Code = "unknown-port"       // a port that the Service does not have
	CodeUnknownService   Code = "unknown-service"    // a Service that the cluster does not have
	CodeResourceBackend  Code = "resource-backend"   // a backend that is no Service
	CodeBadName          Code = "bad-name"           // a name or namespace that Kubernetes does not allow
	CodeDuplicateIngress Code = "duplicate-ingress"  // a second object of one namespace and name
	CodeUnmatched        Code = "unmatched"          // an Ingress that no rewriter claims
	CodeUnregistered     Code = "unregistered-class" // an Ingress of a known class without its rewriter
	CodeBadEntry         Code = "bad-entry"          // an entry that does not compile
	CodeShadowed         Code = "shadowed"           // an entry behind an equal one: it is never chosen
	CodeRawDirectives    Code = "raw-directives"     // an entry with ExtraDirectives, which nothing here reads
	CodeRewriter         Code = "rewriter"           // a rewriter that breaks the contract
	CodeCaller           Code = "caller"             // the function given to Build returned an error
)

// A Problem is something that the operator of an object is to know. It is also
// an error.
type Problem struct {
	Severity Severity
	Code     Code
	Source   Source
	Origin   rewrite.Origin // the annotation or field, and where in its value; zero: not known
	Detail   string         // what is wrong and what to write instead
	Related  []Source       // other places that take part
	Err      error          // the error behind it, or nil
}

// Error returns the problem in one line: severity, place, code and detail.
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.Severity.String())
	b.WriteString(": ")
	if place := p.Source.String(); place != "" {
		b.WriteString(place)
		b.WriteString(": ")
	}
	if p.Origin.Key != "" {
		b.WriteString(p.Origin.Key)
		if p.Origin.Offset > 0 {
			b.WriteString(" at offset " + strconv.Itoa(p.Origin.Offset))
		}
		b.WriteString(": ")
	}
	b.WriteString(string(p.Code))
	if p.Detail != "" {
		b.WriteString(": ")
		b.WriteString(p.Detail)
	}
	for i, r := range p.Related {
		if i == 0 {
			b.WriteString("; see ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(r.String())
	}
	return b.String()
}

// Unwrap returns p.Err.
func (p Problem) Unwrap() error { return p.Err }
