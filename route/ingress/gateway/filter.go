package gateway

// Filters: what is done to the requests of a rule, or of one backend.

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// filters is what a list of filters does.
type filters struct {
	rules             []rewrite.Rule
	redirect          *ingress.Redirect
	request, response []ingress.HeaderOp
	hostSet           bool
	seen              []string // types, for those that cannot be there twice
	sameNames         []string // keys of header fields that an item before them names
}

// A filterError is what is wrong with one field of a filter.
type filterError struct {
	field  string
	detail string
	err    error
}

func (t *translator) filterFault(key, detail string, err error) {
	t.out.Problems = append(t.out.Problems, ingress.Problem{
		Code: CodeFilter, Source: t.at, Origin: rewrite.Origin{Key: key}, Err: err,
		Detail: detail + ": a filter is never skipped, so requests are answered with 500",
	})
}

// filters translates a list of filters for a hook. ok is false if one of them
// cannot be done, which is reported.
func (t *translator) filters(list []Filter, key string, r *Rule, hook rewrite.Hook) (f filters, ok bool) {
	ok = true
	for i := range list {
		key := index(key, i)
		if err := f.add(&list[i], key, r, hook); err != nil {
			t.filterFault(key+err.field, err.detail, err.err)
			ok = false
		}
	}
	for _, at := range f.sameNames {
		t.sameName(at)
	}
	if !ok {
		return f, false
	}
	return f, t.compiles(&f, key)
}

// compiles reports what package rewrite has to say against f.
func (t *translator) compiles(f *filters, key string) bool {
	var err error
	if len(f.rules) > 0 {
		_, err = rewrite.Compile(f.rules, judge.Options(t.c))
	}
	if f.redirect != nil && err == nil {
		_, err = ingress.CompileRedirect(f.redirect, judge.Options(t.c))
	}
	if err == nil {
		return true
	}
	faults, several := errors.AsType[rewrite.RuleErrors](err)
	if !several {
		t.filterFault(key, err.Error(), err)
		return false
	}
	for _, fault := range faults {
		t.filterFault(fault.Origin.Key, fault.Err.Error(), fault)
	}
	return false
}

func (f *filters) add(from *Filter, key string, r *Rule, hook rewrite.Hook) *filterError {
	for _, other := range f.seen {
		switch {
		case other == from.Type && isKnown(other):
			return &filterError{detail: from.Type + " stands twice: write one"}
		case other == filterRewrite && from.Type == filterRedirect, other == filterRedirect && from.Type == filterRewrite:
			return &filterError{detail: "URLRewrite and RequestRedirect exclude each other: write one"}
		}
	}
	f.seen = append(f.seen, from.Type)
	if err := from.otherFields(); err != nil {
		return err
	}
	absent := &filterError{detail: "the field that type " + strconv.Quote(from.Type) + " names is absent: write it"}
	switch from.Type {
	case filterRewrite:
		if from.URLRewrite == nil {
			return absent
		}
		return f.rewrite(from.URLRewrite, key, r, hook)
	case filterRedirect:
		if from.RequestRedirect == nil {
			return absent
		}
		if hook != rewrite.AfterLocation {
			return &filterError{detail: "a RequestRedirect of one backend is not supported: write it in a rule of its own"}
		}
		return f.redirectTo(from.RequestRedirect, key, r)
	case filterRequestHeaders:
		if from.RequestHeaderModifier == nil {
			return absent
		}
		return f.requestHeaders(from.RequestHeaderModifier, key, hook)
	case filterResponseHeaders:
		if from.ResponseHeaderModifier == nil {
			return absent
		}
		ops, err := f.headerOps(from.ResponseHeaderModifier, key, ".responseHeaderModifier")
		f.response = append(f.response, ops...)
		return err
	case "":
		return &filterError{field: ".type", detail: "the type is absent: write one such as URLRewrite"}
	}
	return &filterError{field: ".type", detail: fmt.Sprintf(
		"%.64q is not supported: URLRewrite, RequestRedirect, RequestHeaderModifier and ResponseHeaderModifier are", from.Type)}
}

// otherFields reports a field that the type does not name: of another type, or
// not known. Of types that are not supported nothing is known.
func (f *Filter) otherFields() *filterError {
	for _, field := range []struct {
		kind, name string
		is         bool
	}{
		{filterRewrite, ".urlRewrite", f.URLRewrite != nil},
		{filterRedirect, ".requestRedirect", f.RequestRedirect != nil},
		{filterRequestHeaders, ".requestHeaderModifier", f.RequestHeaderModifier != nil},
		{filterResponseHeaders, ".responseHeaderModifier", f.ResponseHeaderModifier != nil},
	} {
		if field.is && field.kind != f.Type {
			return &filterError{field: field.name, detail: "it belongs to type " + field.kind + ": leave it out"}
		}
	}
	if isKnown(f.Type) && len(f.Unread) > 0 {
		return &filterError{field: "." + f.Unread[0], detail: "the field is not known or empty: look up its name, or leave it out"}
	}
	return nil
}

// isKnown reports whether filters of a type are translated. Of others there may
// be several in a list.
func isKnown(kind string) bool {
	switch kind {
	case filterRewrite, filterRedirect, filterRequestHeaders, filterResponseHeaders:
		return true
	}
	return false
}

// setHost adds the rule that sets the Host, once.
func (f *filters) setHost(host, key, field string, hook rewrite.Hook) *filterError {
	if f.hostSet {
		return &filterError{field: field, detail: "the host is set twice: leave out one of them"}
	}
	f.hostSet = true
	f.rules = append(f.rules, rewrite.Rule{Hook: hook, Action: rewrite.SetHost(host), Origin: rewrite.Origin{Key: key + field}})
	return nil
}

func (f *filters) rewrite(from *URLRewrite, key string, r *Rule, hook rewrite.Hook) *filterError {
	if from.Hostname != "" {
		name, err := preciseHostname(from.Hostname)
		if err != nil {
			return &filterError{".urlRewrite.hostname", err.Error(), err}
		}
		if err := f.setHost(name, key, ".urlRewrite.hostname", hook); err != nil {
			return err
		}
	}
	rules, err := pathRules(from.Path, key+".urlRewrite.path", r, hook)
	if err != nil {
		err.field = ".urlRewrite" + err.field
	}
	f.rules = append(f.rules, rules...)
	return err
}

// redirectTo makes the Redirect. Its port is the one given, else that of the
// scheme given, else that of the listener; the scheme's own port is left out.
func (f *filters) redirectTo(from *RequestRedirect, key string, r *Rule) *filterError {
	key += ".requestRedirect"
	redirect := &ingress.Redirect{Status: from.StatusCode}
	add := func(field string, a rewrite.Action) {
		redirect.Rules = append(redirect.Rules, rewrite.Rule{Action: a, Origin: rewrite.Origin{Key: key + field}})
	}
	switch from.StatusCode {
	case 0:
		redirect.Status = 302
	case 301, 302, 303, 307, 308:
	default:
		return &filterError{field: ".requestRedirect.statusCode", detail: strconv.Itoa(from.StatusCode) + " cannot be: write 301, 302, 303, 307 or 308"}
	}
	if from.Scheme != "" {
		add(".scheme", rewrite.SetScheme(from.Scheme))
	}
	if from.Hostname != "" {
		name, err := preciseHostname(from.Hostname)
		if err != nil {
			return &filterError{".requestRedirect.hostname", err.Error(), err}
		}
		add(".hostname", rewrite.SetHostname(name))
	}
	switch {
	case from.Port != 0:
		add(".port", rewrite.SetPort(strconv.Itoa(from.Port)))
	case from.Scheme != "":
		add(".port", rewrite.SetPort(""))
	default:
		redirect.ListenerPort = true
	}
	rules, err := pathRules(from.Path, key+".path", r, rewrite.AfterLocation)
	if err != nil {
		err.field = ".requestRedirect" + err.field
	}
	redirect.Rules = append(redirect.Rules, rules...)
	f.redirect = redirect
	return err
}

// pathRules returns the rules of a path modifier. A prefix that is replaced by
// nothing is one that is trimmed.
func pathRules(p PathModifier, key string, r *Rule, hook rewrite.Hook) ([]rewrite.Rule, *filterError) {
	if p == (PathModifier{}) {
		return nil, nil
	}
	if n := utf8.RuneCountInString(p.Value); n > maxPath {
		return nil, &filterError{field: ".path", detail: strconv.Itoa(n) + " characters are too many: write at most " + strconv.Itoa(maxPath)}
	}
	var action rewrite.Action
	switch p.Type {
	case replaceFullPath:
		if p.Value == "" {
			p.Value = "/"
		}
		action, key = rewrite.SetPath(p.Value), key+".replaceFullPath"
	case replacePrefixMatch:
		prefix, ok := onePrefix(r)
		if !ok {
			return nil, &filterError{field: ".path.type", detail: "ReplacePrefixMatch needs a rule with exactly one match, of type PathPrefix: write a rule for each match"}
		}
		with := strings.TrimRight(p.Value, "/")
		key += ".replacePrefixMatch"
		switch {
		case with != "":
			action = rewrite.ReplacePathPrefix(prefix, with)
		case strings.Trim(prefix, "/") == "":
			return nil, nil
		default:
			action = rewrite.TrimPathPrefix(prefix)
		}
	default:
		return nil, &filterError{field: ".path.type", detail: fmt.Sprintf("it is %.64q: write ReplaceFullPath or ReplacePrefixMatch", p.Type)}
	}
	return []rewrite.Rule{{Hook: hook, Action: action, Origin: rewrite.Origin{Key: key}}}, nil
}

// onePrefix returns the prefix that the only match of a rule has.
func onePrefix(r *Rule) (string, bool) {
	if len(r.Matches) == 0 {
		return "/", true
	}
	path := r.Matches[0].Path
	if len(r.Matches) > 1 || path.Type != matchPrefix && path.Type != "" {
		return "", false
	}
	if path.Value == "" {
		return "/", true
	}
	return path.Value, true
}

// preciseHostname returns a name that stands for one host.
func preciseHostname(s string) (string, error) {
	if strings.HasPrefix(s, "*") {
		return "", errors.New("a wildcard is no host to go to: write a name")
	}
	if _, err := netip.ParseAddr(s); err == nil {
		return "", errors.New("an IP address is no hostname: write a name")
	}
	return parseHostname(s)
}
