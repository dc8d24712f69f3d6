package ingress

// Entry: what any dialect says, in words of none.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
)

// An Entry is one route and what is to be done with its requests, independent
// of the dialect in which it was written. It is plain data: Build compiles it.
//
// A request that an entry gets is answered by its Redirect, if that answers it,
// and otherwise rewritten and forwarded to one of its Backends. Without backends,
// and where all have weight 0, there is nobody to forward to: answer 500.
type Entry struct {
	Source  Source
	Pattern route.Pattern
	When    route.Conditions
	// Backends share the requests in proportion to their weights.
	Backends []Backend
	Redirect *Redirect // nil: none
	// Rules run at BeforeLocation and AfterLocation, on the client's URL.
	Rules []rewrite.Rule
	// RequestHeaders and ResponseHeaders are done in order. Host is no request
	// header here: rules set it.
	RequestHeaders, ResponseHeaders []HeaderOp
	// MaxBodySize is the number of bytes that the body of a request may have;
	// answer 413 beyond. 0: not set; -1: unlimited.
	MaxBodySize int64
	// Back are explicit mappings of what a backend answers to what the client is
	// told, where the rules have no inverse or the operator wants another.
	Back []rewrite.Mapping
	// ExtraDirectives are carried as they are and never read.
	//
	// Deprecated: no proxy but the one for which they were written understands
	// them. Nothing in this module makes them.
	ExtraDirectives []string
}

// A Backend is a Service, or whatever answers under Upstream, and its share.
type Backend struct {
	Service  Service
	Upstream string // host:port
	Scheme   string // http or https; empty: http
	CASecret string // name of the Secret with the CA that signed its certificate
	SNI      string // server name for TLS
	// Weight is its share, of the sum of the weights of the entry's backends; 0
	// gets nothing, not even alone: a dialect gives a lone backend 1.
	Weight uint32
	// Invalid backends keep their share, and a request that falls to it is
	// answered with 500: what the operator wrote cannot be forwarded to.
	Invalid bool
	// Rules run at Forward, once for each attempt to reach this backend.
	Rules []rewrite.Rule
	// RequestHeaders and ResponseHeaders are done after those of the entry.
	RequestHeaders, ResponseHeaders []HeaderOp
}

// A Service names a port of a Kubernetes Service. The zero Service: none.
type Service struct {
	Namespace, Name string
	Port            int    // 0 if it is not known
	PortName        string // as the manifest names it, if it does
}

// A HeaderOp is one thing done to the header fields of a request or response.
// No dialect here sets Host by one: that is a rule, rewrite.SetHost.
type HeaderOp struct {
	Op    HeaderAction
	Name  string
	Value string // of RemoveHeader empty
}

// A HeaderAction is what a HeaderOp does. The zero HeaderAction is SetHeader.
type HeaderAction int8

const (
	SetHeader    HeaderAction = iota // the field has this value and no other
	AddHeader                        // the field has this value beside those it has
	RemoveHeader                     // the field is not there
)

var headerActionNames = [...]string{"set", "add", "remove"}

// String returns set, add or remove.
func (a HeaderAction) String() string {
	if a < 0 || int(a) >= len(headerActionNames) {
		return fmt.Sprintf("HeaderAction(%d)", int8(a))
	}
	return headerActionNames[a]
}

// StripPrefix returns the prefix that e's rules trim from the path, if that is
// all that they do with it. It is what a proxy can be told that has a word for
// this and for nothing else.
func (e *Entry) StripPrefix() (prefix string, ok bool) {
	for _, r := range e.Rules {
		switch r.Action.Op() {
		case rewrite.OpTrimPathPrefix:
			args := r.Action.Args()
			if ok || len(args) != 1 || r.Hook != rewrite.AfterLocation {
				return "", false
			}
			prefix, ok = args[0], true
		case rewrite.OpSetHost, rewrite.OpSetHostname, rewrite.OpSetPort, rewrite.OpSetScheme, rewrite.OpReplaceHostSuffix,
			rewrite.OpAddQuery, rewrite.OpSetQuery, rewrite.OpDeleteQuery, rewrite.OpRenameQuery, rewrite.OpKeepQuery, rewrite.OpDropQuery:
		default:
			return "", false
		}
	}
	return prefix, ok
}

// ParseSize returns the number of bytes that s says: a decimal number, then
// nothing or k, m or g in either case, which are powers of 1,024. The empty
// string is 0, which as a MaxBodySize means that it is not set. There are no
// signs and no fractions, and nothing over 2^63 − 1 bytes: that is an error, which
// says what to write.
func ParseSize(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	digits, shift := s, 0
	switch s[len(s)-1] {
	case 'k', 'K':
		shift = 10
	case 'm', 'M':
		shift = 20
	case 'g', 'G':
		shift = 30
	}
	if shift > 0 {
		digits = s[:len(s)-1]
	}
	if strings.Trim(digits, "0123456789") != "" || digits == "" {
		return 0, fmt.Errorf("%.64q is no size: write a number of bytes, or one with k, m or g", s)
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("%.64q is more bytes than fit in 63 bits", s)
	}
	return n << shift, nil
}

// formatSize returns the shortest text that ParseSize reads as n.
func formatSize(n int64) string {
	for i, unit := range []string{"g", "m", "k"} {
		if shift := 30 - 10*i; n != 0 && n&(1<<shift-1) == 0 {
			return strconv.FormatInt(n>>shift, 10) + unit
		}
	}
	return strconv.FormatInt(n, 10)
}
