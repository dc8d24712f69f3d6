package bfe

// The redirect annotations.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// A redirect is what the annotations ask for.
type redirect struct {
	ingress.Redirect
	scheme string // of the requests that it is for; "": all
}

// copy returns what an entry has for its own.
func (r *redirect) copy() *ingress.Redirect {
	c := r.Redirect
	return &c
}

// redirect reads the annotations, of which one says where.
func (t *translator) redirect() {
	var keys []string
	for _, key := range []string{keyURLSet, keyURLFromQuery, keyURLPrefixAdd, keySchemeSet} {
		if _, ok := t.in.Annotations[key]; ok {
			keys = append(keys, key)
		}
	}
	status, hasStatus := t.status()
	switch {
	case len(keys) == 0 && hasStatus:
		t.refuse(CodeRedirect, rewrite.Origin{Key: keyResponseStatus}, "a status redirects nobody: write redirect.url-set, .url-from-query, .url-prefix-add or .scheme-set beside it, or remove it")
		return
	case len(keys) == 0:
		return
	case len(keys) > 1:
		t.refuse(CodeRedirect, rewrite.Origin{Key: keys[1]}, "%s is there too, and a request is redirected to one place: remove one", keys[0])
		return
	}
	key := keys[0]
	value := t.in.Annotations[key]
	to := &redirect{Redirect: ingress.Redirect{Status: status}}
	var at int
	var detail string
	switch {
	case value == "":
		detail = "it is empty: write where to redirect to, or remove it"
	case key == keyURLSet:
		at, detail = checkLocation(value)
		to.Location = value
	case key == keyURLFromQuery:
		to.FromQuery, to.Hosts = value, t.opts.RedirectHosts
		if len(to.Hosts) == 0 {
			t.report(ingress.Warning, CodeRedirectHosts, t.in.Source(), rewrite.Origin{Key: key}, "it leads to paths of the same host only: list other hosts in Options.RedirectHosts")
		}
	case key == keyURLPrefixAdd:
		to.Rules, at, detail = prefixRules(value)
	case value == "http":
		to.scheme, to.Rules = "https", schemeRules(value)
	case value == "https":
		to.scheme, to.Rules = "http", schemeRules(value)
	default:
		detail = "the scheme is " + quote(value) + ": write http or https"
	}
	if detail != "" {
		t.refuse(CodeRedirect, rewrite.Origin{Key: key, Offset: at}, "%s", detail)
		return
	}
	if _, err := ingress.CompileRedirect(&to.Redirect, judge.Options(t.c)); err != nil {
		origin := rewrite.Origin{Key: key}
		if rule, ok := errors.AsType[*rewrite.RuleError](err); ok {
			origin = rule.Origin
		}
		t.refuse(CodeRedirect, origin, "%v", err)
		return
	}
	t.to = to
}

// status reads redirect.response-status. An empty one is that of BFE, 302.
func (t *translator) status() (status int, ok bool) {
	text, ok := t.in.Annotations[keyResponseStatus]
	switch text {
	case "":
		return 302, ok
	case "301", "302", "303", "307", "308":
		status, _ = strconv.Atoi(text)
		return status, true
	}
	t.refuse(CodeRedirect, rewrite.Origin{Key: keyResponseStatus}, "the status is %s: write 301, 302, 303, 307 or 308", quote(text))
	return 302, true
}

func schemeRules(scheme string) []rewrite.Rule {
	return []rewrite.Rule{{Action: rewrite.SetScheme(scheme), Origin: rewrite.Origin{Key: keySchemeSet}}}
}

// prefixRules returns the rules that put a URL before the path.
func prefixRules(value string) (rules []rewrite.Rule, at int, detail string) {
	u, at, detail := parseLocation(value)
	if detail != "" {
		return nil, at, detail
	}
	if i := strings.IndexAny(value, "?#"); i >= 0 {
		return nil, i, "a path cannot go behind " + quote(value[i:i+1]) + ": write a URL without query and fragment"
	}
	add := func(offset int, a rewrite.Action) {
		rules = append(rules, rewrite.Rule{Action: a, Origin: rewrite.Origin{Key: keyURLPrefixAdd, Offset: offset}})
	}
	if u.Host != "" {
		add(0, rewrite.SetScheme(u.Scheme))
		add(len(u.Scheme)+len("://"), rewrite.SetHost(u.Host))
	}
	if path := strings.TrimRight(u.Path, "/"); path != "" {
		add(len(value)-len(u.Path), rewrite.AddPathPrefix(path))
	}
	if len(rules) == 0 {
		return nil, 0, quote(value) + " before a path is the path, and a request would be redirected to itself for ever: write a URL, or a path such as /new"
	}
	return rules, 0, ""
}

// checkLocation reports why value cannot be sent as it stands. Browsers take
// "\" for a slash and differ about other bytes that RFC 3986 has in no URL.
func checkLocation(value string) (at int, detail string) {
	u, at, detail := parseLocation(value)
	if detail != "" {
		return at, detail
	}
	if u.Host != "" {
		at = len(u.Scheme) + len("://")
		switch name, err := hostname.Parse(u.Host); {
		case err != nil:
			return at, quote(u.Host) + " is no host: " + err.Error()
		case strings.ContainsFunc(u.Host, func(r rune) bool { return r >= utf8.RuneSelf }):
			return at, "the host is not as it is sent: write " + name
		}
	}
	for i, r := range value {
		if _, isEscape := escape.Octet(value, i); r < utf8.RuneSelf && !strings.ContainsRune("\"<>\\^`{|}%", r) || isEscape {
			continue
		}
		_, size := utf8.DecodeRuneInString(value[i:])
		char := value[i : i+size]
		return i, fmt.Sprintf("there is %+q, which no URL has: write %s", char, escapeAll(char))
	}
	return 0, ""
}

func escapeAll(s string) string {
	var b []byte
	for i := range len(s) {
		b = escape.Append(b, s[i])
	}
	return string(b)
}

// parseLocation parses an http or https URL or an absolute path.
func parseLocation(value string) (u rewrite.URL, at int, detail string) {
	for i := range len(value) {
		if c := value[i]; c <= ' ' || c == 0x7F {
			return u, i, "there is a control byte or a space: write it as %HH"
		}
	}
	const want = ": write an http or https URL, or a path that begins with one slash"
	if value[0] == '/' {
		if len(value) > 1 && (value[1] == '/' || value[1] == '\\') {
			return u, 1, quote(value) + " names a host without a scheme" + want
		}
		path, _, _ := strings.Cut(value, "?")
		return rewrite.URL{Path: path}, 0, ""
	}
	before, _, _ := strings.Cut(value, "#")
	u, err := rewrite.Parse(before)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return u, 0, quote(value) + " is no URL" + want
	}
	return u, 0, ""
}
