package ingress

// What of an entry is compiled, and all that can be wrong with it.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/internal/token"
	"github.com/readdress/readdress/rewrite"
)

// compile compiles e, or says all that is wrong with it but for its Pattern and
// its conditions, which NewTable judges.
func compile(e *Entry, cluster *Cluster) (*Compiled, error) {
	c := compiler{opts: cluster.rewrite(), backend: -1}
	out := &Compiled{Program: c.program(e.Rules, rewrite.BeforeLocation, rewrite.AfterLocation)}
	if len(e.Backends) > 0 {
		out.Forward = make([]*rewrite.Program, len(e.Backends))
	}
	for i := range e.Backends {
		c.backend = i
		out.Forward[i] = c.judge(&e.Backends[i])
	}
	c.backend = -1
	if e.Redirect != nil {
		var err error
		if out.Redirect, err = CompileRedirect(e.Redirect, c.opts); err != nil {
			c.fault("Redirect: %w", err)
		}
	}
	if len(e.Back) > 0 {
		var err error
		if out.Back, err = rewrite.CompileMappings(e.Back, c.opts); err != nil {
			c.fault("Back: %w", err)
		}
	}
	c.headers(requestHeaders, e.RequestHeaders)
	c.headers("ResponseHeaders", e.ResponseHeaders)
	if e.MaxBodySize < -1 {
		c.fault("MaxBodySize is %d: write a number of bytes, 0 for no limit of its own or -1 for unlimited", e.MaxBodySize)
	}
	if len(c.faults) > 0 {
		return nil, errors.Join(c.faults...)
	}
	return out, nil
}

// A compiler collects the faults of one entry.
type compiler struct {
	opts    *rewrite.Options
	backend int // the one whose fields are judged; -1: those of the entry
	faults  []error
}

// fault adds a fault, whose text begins with the name of the field.
func (c *compiler) fault(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if c.backend >= 0 {
		err = fmt.Errorf("Backends[%d].%w", c.backend, err)
	}
	c.faults = append(c.faults, err)
}

// program compiles Rules, which may be those of hooks; nil if there are none.
func (c *compiler) program(rules []rewrite.Rule, hooks ...rewrite.Hook) *rewrite.Program {
	if len(rules) == 0 {
		return nil
	}
	for i, r := range rules {
		if !slices.Contains(hooks, r.Hook) {
			c.fault("Rules[%d] is a rule of hook %v: here it can be of %s", i, r.Hook, oneOf(hooks))
		}
	}
	p, err := rewrite.Compile(rules, c.opts)
	if err != nil {
		c.fault("Rules: %w", err)
	}
	return p
}

// judge judges a backend and returns the program of its rules.
func (c *compiler) judge(b *Backend) *rewrite.Program {
	program := c.program(b.Rules, rewrite.Forward)
	switch _, port := hostname.Split(b.Upstream); {
	case b.Upstream == "" && !b.Invalid:
		c.fault("Upstream is empty: write host:port, or set Invalid")
	case b.Upstream != "" && (port == "" || !hostname.Check(b.Upstream)):
		c.fault("Upstream is %.64q: write host:port", b.Upstream)
	}
	if name, port := hostname.Split(b.SNI); b.SNI != "" && (port != "" || !hostname.Check(name)) {
		c.fault("SNI is %.64q: write the name of a host", b.SNI)
	}
	if strings.ContainsFunc(b.CASecret, func(r rune) bool { return !isNameRune(r) }) {
		c.fault("CASecret is %.64q: write the name of a Secret", b.CASecret)
	}
	if b.Scheme != "" && b.Scheme != "http" && b.Scheme != "https" {
		c.fault("Scheme is %.64q: write http or https", b.Scheme)
	}
	c.headers(requestHeaders, b.RequestHeaders)
	c.headers("ResponseHeaders", b.ResponseHeaders)
	if b.Weight > MaxWeight {
		c.fault("Weight is %d: at most %d can be", b.Weight, MaxWeight)
	}
	return program
}

const requestHeaders = "RequestHeaders"

// headers judges the operations in a field.
func (c *compiler) headers(field string, ops []HeaderOp) {
	for i, h := range ops {
		if err := h.check(); err != nil {
			c.fault("%s[%d]: %w", field, i, err)
		} else if field == requestHeaders && strings.EqualFold(h.Name, "Host") {
			c.fault("%s[%d]: a request has one Host: set it by a rule, with rewrite.SetHost", field, i)
		}
	}
}

// oneOf lists hooks for a message.
func oneOf(hooks []rewrite.Hook) string {
	names := make([]string, len(hooks))
	for i, h := range hooks {
		names[i] = h.String()
	}
	return strings.Join(names, " or ")
}

// isNameRune reports whether names of objects may have r, with the namespace in
// front.
func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._/", r)
}

// check reports what is wrong with a header operation.
func (h HeaderOp) check() error {
	if h.Op < SetHeader || h.Op > RemoveHeader {
		return fmt.Errorf("%v is no operation: write set, add or remove", h.Op)
	}
	if h.Op == RemoveHeader && h.Value != "" {
		return fmt.Errorf("%.64q is removed whatever its value is: leave the value out", h.Name)
	}
	return token.CheckField(h.Name, h.Value)
}
