package ingress

// Redirect: an answer instead of a backend.

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/internal/query"
	"github.com/readdress/readdress/internal/regexlimit"
	"github.com/readdress/readdress/rewrite"
)

// A Redirect sends the client elsewhere. Exactly one of Location, FromQuery and
// Pattern says where, or, if all are empty, Rules do.
type Redirect struct {
	// Status is 300 to 308, or 426 for those who ask for an upgrade; 0: 302.
	Status int
	// StatusOther is for methods other than GET and HEAD; 0: Status.
	StatusOther int

	// Rules change the client's URL, at AfterLocation, into the one to go to.
	Rules []rewrite.Rule
	// ListenerPort starts the Rules with the port of the listener instead of
	// the one in the URL, and leaves 80 of http and 443 of https out of what
	// they make: the Gateway API's rules, if its other cases are in Rules. It is
	// for Rules alone, of which there may be none.
	ListenerPort bool

	// Location is sent as it stands; it may be relative.
	Location string

	// FromQuery is the name of the query parameter that holds the location: an
	// absolute path, or an http or https URL whose host is in Hosts, which has
	// names and "*.suffix" for every name below suffix.
	FromQuery string
	Hosts     []string

	// Pattern is a regular expression on the whole URL,
	// scheme://host[:port]/path[?query], with the path in normal form: escaped
	// unreserved octets are letters, and other escapes have upper-case digits.
	// Each match is replaced by Template, as Regexp.Expand reads it: $1 is the
	// first group, ${1}x that and an x, and a group that there is not is empty;
	// groups, and what does not match, are the client's own bytes. A URL that does
	// not match, or that would stay as it is, is not redirected. One with so many
	// matches that finding them could cost more than RegexpLimits.Budget, a search
	// of the whole URL for each, is refused with rewrite.ErrBudget.
	Pattern  string
	Template string
}

// A RedirectRequest is what a redirect depends on.
type RedirectRequest struct {
	URL          rewrite.URL // clean, before any rule of the entry
	Method       string
	ListenerPort int // on which the request came; 0: not known, and the URL's is kept
}

// ErrLocation is why a request that is to be redirected cannot be: it names no
// place, or one that is not allowed. It is rewrite.ErrRefused by errors.Is:
// answer 400 Bad Request.
var ErrLocation = fmt.Errorf("ingress: no location to redirect to that is allowed: %w", rewrite.ErrRefused)

// A Redirector is a compiled Redirect. It is immutable and safe for concurrent
// use. A nil Redirector redirects nobody.
type Redirector struct {
	status, other int
	location      string
	program       *rewrite.Program
	listenerPort  bool
	query         string
	hosts         *hostname.AllowList
	pattern       *regexp.Regexp
	template      string
	allow         int // budget / instructions: searches × (bytes of the URL + 1)
	maxLength     int
}

const (
	maxTemplate = 1024 // bytes
	maxLocation = 8192 // bytes of a Location, which is more than clients take
)

// CompileRedirect compiles r with rewrite's options; nil is their defaults. The
// error joins all that is wrong with r.
func CompileRedirect(r *Redirect, opts *rewrite.Options) (*Redirector, error) {
	if r == nil {
		return nil, errors.New("there is no Redirect")
	}
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	out := &Redirector{status: r.Status, other: r.StatusOther, listenerPort: r.ListenerPort, maxLength: maxLocation}
	if out.status == 0 {
		out.status = 302
	}
	if out.other == 0 {
		out.other = out.status
	}
	for _, status := range []int{out.status, out.other} {
		if (status < 300 || status > 308) && status != 426 {
			fault("status %d redirects nobody: write 301, 302, 303, 307 or 308", status)
		}
	}
	ways := 0
	for _, way := range []string{r.Location, r.FromQuery, r.Pattern} {
		if way != "" {
			ways++
		}
	}
	if ways > 1 || ways == 1 && len(r.Rules) > 0 {
		fault("Rules, Location, FromQuery and Pattern exclude each other: write one")
	}
	if r.Template != "" && r.Pattern == "" {
		fault("Template is what Pattern is replaced by, and there is no Pattern")
	}
	if len(r.Hosts) > 0 && r.FromQuery == "" {
		fault("Hosts are where FromQuery may lead, and there is no FromQuery")
	}
	if r.ListenerPort && ways > 0 {
		fault("ListenerPort is where Rules start, and they are not what redirects")
	}
	switch {
	case r.Location != "":
		out.location = r.Location
		if err := checkLocation(r.Location); err != nil {
			fault("Location: %w", err)
		}
	case r.FromQuery != "":
		hosts, bad := hostname.NewAllowList(r.Hosts)
		for _, err := range bad {
			fault("Hosts[%d]: %w", err.Index, err.Err)
		}
		out.query, out.hosts = r.FromQuery, hosts
	case r.Pattern != "":
		if err := out.compilePattern(r, opts); err != nil {
			fault("Pattern: %w", err)
		}
	default:
		if len(r.Rules) == 0 && !r.ListenerPort && len(faults) == 0 {
			fault("it redirects to where the request came from: write Rules, Location, FromQuery or Pattern")
		}
		for i, rule := range r.Rules {
			if rule.Hook != rewrite.AfterLocation {
				fault("Rules[%d] is a rule of hook %v: only AfterLocation can be there", i, rule.Hook)
			}
		}
		program, err := rewrite.Compile(r.Rules, opts)
		if err != nil {
			fault("Rules: %w", err)
		}
		out.program = program
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return out, nil
}

func (r *Redirector) compilePattern(from *Redirect, opts *rewrite.Options) error {
	var limits regexlimit.Limits
	if opts != nil {
		limits = regexlimit.Limits(opts.Regexp)
	}
	most := limits.OrDefaults()
	if len(from.Pattern) > most.PatternBytes {
		return fmt.Errorf("it has %d bytes: at most %d can be; write a shorter expression (Options.Regexp.PatternBytes)", len(from.Pattern), most.PatternBytes)
	}
	if len(from.Template) > maxTemplate {
		return fmt.Errorf("its Template has %d bytes: at most %d can be; write a shorter one", len(from.Template), maxTemplate)
	}
	parsed, err := syntax.Parse(from.Pattern, syntax.Perl)
	if err != nil {
		return err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return err
	}
	cost := len(prog.Inst)
	if cost > most.Instructions {
		return fmt.Errorf("it compiles to %d instructions: at most %d can be; write a simpler expression or smaller repeats (Options.Regexp.Instructions)", cost, most.Instructions)
	}
	r.allow = most.Budget / cost
	if r.pattern, err = regexp.Compile(from.Pattern); err != nil {
		return err
	}
	r.template = from.Template
	return nil
}

// Answer returns the status and the Location for a request. A status of 0 means
// that the request is not redirected, as nil never redirects one. The error is
// ErrLocation or what Apply returns, rewrite.ErrRefused by errors.Is.
//
// A location that depends on the request never has a control byte and never
// begins with "//" or "/\", which a browser takes for another host. What Rules
// make is an absolute URL wherever the URL of the request has scheme and host;
// FromQuery and Pattern may also make an absolute path.
func (r *Redirector) Answer(req RedirectRequest) (status int, location string, err error) {
	if r == nil {
		return 0, "", nil
	}
	switch {
	case r.location != "":
		location = r.location
	case r.query != "":
		location, err = r.fromQuery(req.URL)
	case r.pattern != nil:
		location, err = r.fromPattern(req.URL)
	default:
		location, err = r.fromRules(req)
	}
	if err != nil || location == "" {
		return 0, "", err
	}
	status = r.other
	if req.Method == "GET" || req.Method == "HEAD" || req.Method == "" {
		status = r.status
	}
	return status, location, nil
}

func (r *Redirector) fromRules(req RedirectRequest) (string, error) {
	u := req.URL
	if r.listenerPort && req.ListenerPort > 0 && u.Host != "" {
		name, _ := hostname.Split(u.Host)
		u.Host = name + ":" + strconv.Itoa(req.ListenerPort)
	}
	if _, err := r.program.Apply(rewrite.AfterLocation, &u, nil); err != nil {
		return "", err
	}
	if r.listenerPort {
		if name, port := hostname.Split(u.Host); port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
			u.Host = name
		}
	}
	if u.Host != "" && u.Scheme != "" {
		return u.String(), nil
	}
	// Without a scheme there is no absolute URL, only a path of the same host.
	location := string(u.AppendTarget(nil))
	if u.Host != req.URL.Host || !isLocalPath(location) {
		return "", ErrLocation
	}
	return location, nil
}

func (r *Redirector) fromQuery(u rewrite.URL) (string, error) {
	raw, _ := query.Find(u.RawQuery, r.query)
	value := string(query.AppendDecoded(nil, raw))
	if value == "" || len(value) > r.maxLength || checkLocation(value) != nil {
		return "", ErrLocation
	}
	if value[0] == '/' {
		if !isLocalPath(value) {
			return "", ErrLocation
		}
		return value, nil
	}
	to, err := rewrite.Parse(value)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || !r.hosts.Contains(to.Host) {
		return "", ErrLocation
	}
	return value, nil
}

func (r *Redirector) fromPattern(u rewrite.URL) (string, error) {
	text := u.String()
	searches := r.allow / (len(text) + 1)
	if searches == 0 {
		return "", rewrite.ErrBudget
	}
	normal, path, begin := text, "", 0
	if strings.Contains(u.Path, "%") {
		begin = len(text) - len(u.AppendTarget(nil))
		path = string(escape.AppendNormal(nil, u.Path, true))
		normal = text[:begin] + path + text[begin+len(u.Path):]
	}
	matches := r.pattern.FindAllStringSubmatchIndex(normal, searches+1)
	switch {
	case matches == nil:
		return "", nil
	case len(matches) > searches:
		return "", rewrite.ErrBudget
	}
	if path != "" {
		toSource(matches, u.Path, begin, len(path))
	}
	var out []byte
	at := 0
	for _, m := range matches {
		out = append(out, text[at:m[0]]...)
		out = r.pattern.ExpandString(out, r.template, text, m)
		if at = m[1]; len(out) > r.maxLength {
			return "", rewrite.ErrTooLong
		}
	}
	location := string(append(out, text[at:]...))
	switch {
	case location == text:
		return "", nil
	case len(location) > r.maxLength:
		return "", rewrite.ErrTooLong
	case location == "" || checkLocation(location) != nil:
		return "", ErrLocation
	case location[0] == '/':
		if !isLocalPath(location) {
			return "", ErrLocation
		}
		return location, nil
	}
	if to, err := rewrite.Parse(location); err != nil || to.Scheme != "http" && to.Scheme != "https" || !hostname.Check(to.Host) {
		return "", ErrLocation
	}
	return location, nil
}

// toSource changes matches in a URL whose path is in normal form, at begin and
// of length bytes, to those in the URL with path as it came.
func toSource(matches [][]int, path string, begin, length int) {
	at, normalAt := 0, 0 // a place in path before all that follows
	source := func(n int) int {
		switch {
		case n <= begin:
			return n
		case n >= begin+length:
			return n - length + len(path)
		}
		return begin + escape.Source(path, at, normalAt, n-begin)
	}
	for _, m := range matches {
		first := m[0]
		for i, n := range m {
			m[i] = source(n)
		}
		if begin < first && first < begin+length {
			at, normalAt = m[0]-begin, first-begin
		}
	}
}

// checkLocation reports a byte that no Location may have. Beyond those of a URI
// (RFC 3986) bytes from 0x80 are let through, as browsers do.
func checkLocation(s string) error {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == 0x7f {
			return fmt.Errorf("there is a control byte or a space at offset %d: write %%%02X", i, c)
		}
	}
	return nil
}

// isLocalPath reports whether s is an absolute path, of the same host for every
// browser: "\" is "/" to them, and tabs and newlines are nothing.
func isLocalPath(s string) bool {
	return s != "" && s[0] == '/' && (len(s) == 1 || s[1] != '/' && s[1] != '\\') && !strings.ContainsAny(s, "\t\r\n")
}
