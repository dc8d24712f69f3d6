package nginx

// Server: what the Ingresses of a host have in common.

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// A server is a host, as the controller sees it: all Ingresses that name it,
// also those that are not served.
type server struct {
	name     string
	first    *object                       // its oldest Ingress, without canaries
	last     *object                       // the one that was read last
	tls      bool                          // one of them has a certificate for it
	guard    *object                       // what this one says of the host cannot be obeyed: all paths answer 500
	regex    bool                          // one of its paths is a regular expression: Compat
	cause    *object                       // the first for which regex is set
	hasRoot  bool                          // it has a path "/"
	moves    bool                          // a rewrite line sends requests from one of its paths to another
	paths    map[pathKey]*ingress.PathRule // the first of each path
	root     *location                     // that of the app-root, once its entries are made
	rootMade bool                          // they were looked for: Compat
	www      bool                          // an Ingress asks for the www host
	wwwMade  bool                          // the entries for that are made
	began    *object                       // the last whose entries for the host were made
	told     *object                       // the last that was told of regular expressions
	owner    *object                       // the first Ingress with aliases whose first host it is
	fallback bool                          // the default location was looked for
	places   []*location
	table    *route.Table[*location] // of places; nil: not made
	gets     map[string]*location    // what table has found
	snippet  *snippet                // of the first Ingress with one: Compat
}

// serve adds a path of an ordinary Ingress to its server.
func (t *translation) serve(o *object, p *ingress.PathRule) {
	name := hostKey(p.Host)
	s := t.servers[name]
	if s == nil {
		s = &server{name: name, paths: make(map[pathKey]*ingress.PathRule)}
		t.servers[name] = s
	}
	if s.last != o {
		s.last = o
		if s.first == nil {
			s.first = o
		}
		if t.compat {
			s.addGuards(t, o)
		}
		s.tls = s.tls || o.hasTLS(name)
		if s.owner == nil && len(o.aliases) > 0 && o.host == name && !o.dropped {
			s.owner = o
		}
	}
	if o.dropped {
		return
	}
	s.www = s.www || o.www && !o.guarded && s.guard == nil
	declared := pathKey{path: p.Path, exact: p.Type == "Exact"}
	if s.paths[declared] == nil && !p.Default {
		s.paths[declared] = p
	}
	s.moves = s.moves || o.config != nil && o.config.moves || o.server != nil && o.server.moves && (!t.compat || s.snippet == o.server)
	s.hasRoot = s.hasRoot || p.Path == "/" && p.Type != "Exact"
	if !s.regex && s.paths[declared] == p && enforcesRegex(o, p) {
		s.regex, s.cause = true, o
	}
}

// maxAliases bounds by what an Ingress can multiply the paths of a host.
const maxAliases = 100

// addGuards adds what o says of all paths of the host: Compat. A host has the
// server-snippet of one Ingress.
func (s *server) addGuards(t *translation, o *object) {
	guarded := o.guardHost
	switch {
	case o.server == nil:
	case s.snippet == nil:
		s.snippet = o.server
		guarded = guarded || o.server.refused
	default:
		t.report(o.in.Source(), ingress.Warning, CodeNoEffect, "server-snippet", 0,
			"an earlier Ingress of %.64s has a server-snippet, and this one is not read: write all lines there", s.name)
	}
	if guarded && s.guard == nil {
		s.guard = o
	}
}

// hasTLS is Ingress.HasTLS for a host in lower case, in constant time.
func (o *object) hasTLS(host string) bool {
	if len(o.in.TLS) == 0 {
		return false
	}
	if o.tls == nil {
		o.tls = make(map[string]bool)
		for _, t := range o.in.TLS {
			if len(t.Hosts) == 0 {
				o.tls[anyHost] = true
			}
			for _, h := range t.Hosts {
				o.tls[hostKey(h)] = true
			}
		}
	}
	i := strings.IndexByte(host, '.')
	return o.tls[anyHost] || o.tls[host] || i > 0 && o.tls["*"+host[i:]]
}

// hostKey returns the name by which a host is known, in whatever letter case and
// alphabet it is written.
func hostKey(host string) string {
	if strings.IndexFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		name, wildcard := strings.CutPrefix(host, "*.")
		if canonical, err := hostname.ParseName(name); err == nil {
			if wildcard {
				canonical = "*." + canonical
			}
			return canonical
		}
	}
	return strings.ToLower(host)
}

// anyHost is the key of a certificate without hosts.
const anyHost = "*"

// enforcesRegex reports whether the path, which is no default backend's, makes
// regular expressions of all paths of its host. A target that is the path itself
// rewrites only what is below it.
func enforcesRegex(o *object, p *ingress.PathRule) bool {
	same := o.target == p.Path && (p.Type == "Exact" || p.Path == "/")
	return o.useRegex || o.target != "" && !same
}

// otherWWW returns the host with or, if s has it, without www. ok is false if
// there is none.
func (s *server) otherWWW() (other string, ok bool) {
	if s.name == "" || strings.HasPrefix(s.name, "*") {
		return "", false
	}
	if other, ok = strings.CutPrefix(s.name, "www."); ok {
		return other, true
	}
	return "www." + s.name, true
}

// redirects reports whether the server-snippet redirects path, alone or with
// others: Compat.
func (s *server) redirects(path string) bool { return s.snippet != nil && s.snippet.redirects(path) }

// server returns the server of a path.
func (t *translation) server(p *ingress.PathRule) *server { return t.servers[hostKey(p.Host)] }

// aliases reads server-alias.
func (r *reader) aliases() {
	value := r.text("server-alias")
	if value == "" {
		return
	}
	next, count := r.o.lead("server-alias"), 0
	for item := range strings.SplitSeq(value, ",") {
		offset := next + len(item) - len(strings.TrimLeft(item, " \t\r\n\v\f"))
		next += len(item) + len(",")
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		if count++; count > maxAliases {
			r.report(r.o.in.Source(), ingress.Error, CodeValue, "server-alias", offset, "an Ingress can have %d aliases: this and what follows is not added", maxAliases)
			break
		}
		if r.validate && regexText.outside(item) >= 0 {
			r.report(r.o.in.Source(), ingress.Error, CodeValue, "server-alias", offset, "the controller refuses %.64q: nothing of this Ingress is served; Strict and SkipValidation take what can be said", item)
			r.o.dropped = true
			break
		}
		if strings.HasPrefix(item, "~") {
			r.report(r.o.in.Source(), ingress.Error, CodeValue, "server-alias", offset, "%.64q is a regular expression, and hosts are names: it is not added; write the names", item)
			continue
		}
		name, wildcard := strings.CutPrefix(item, "*.")
		canonical, err := hostname.ParseName(name)
		if err != nil {
			r.report(r.o.in.Source(), ingress.Error, CodeValue, "server-alias", offset, "%.64q is no host, so it is not added: %v", item, err)
			continue
		}
		if wildcard {
			r.report(r.o.in.Source(), ingress.Warning, CodeAliasDepth, "server-alias", offset, "%.64q stands for one label, and not for any depth as in nginx (route.Options.AnyDepthWildcard)", item)
			canonical = "*." + canonical
		}
		if !slices.Contains(r.o.aliases, canonical) {
			r.o.aliases = append(r.o.aliases, canonical)
		}
	}
	slices.Sort(r.o.aliases)
}

// claimAliases gives each alias to the first host of the Ingress, if that has
// it first, and says where it cannot. In Compat only the first Ingress of a
// host gives it aliases.
func (t *translation) claimAliases() {
	taken := make(map[string]string) // alias → the host it stands for
	redirected := make(map[string]bool)
	for _, s := range t.servers {
		if other, ok := s.otherWWW(); ok && s.www {
			redirected[other] = true
		}
	}
	for _, o := range t.objects {
		if len(o.aliases) == 0 || o.dropped {
			continue
		}
		refuse := func(format string, args ...any) {
			t.report(o.in.Source(), ingress.Warning, CodeHostTaken, "server-alias", 0, format, args...)
		}
		host := o.host
		s := t.servers[host]
		switch {
		case s == nil || host == "":
			refuse("the Ingress has no host for which %s could stand", o.aliases[0])
			o.aliases = nil
			continue
		case t.compat && s.owner != o:
			refuse("an earlier Ingress of %s has aliases, so these do not count", host)
			continue
		case o.several:
			refuse("the Ingress has several hosts: its aliases stand for the first, %s", host)
		}
		var kept []string
		for _, alias := range o.aliases {
			if t.servers[alias] != nil {
				refuse("%s is the host of an Ingress: it is no alias", alias)
			} else if redirected[alias] {
				refuse("%s is redirected by from-to-www-redirect: it is no alias", alias)
			} else if by, ok := taken[alias]; ok && by != host {
				refuse("%s is the alias of %s already", alias, by)
			} else {
				taken[alias] = host
				kept = append(kept, alias)
			}
		}
		o.aliases = kept
	}
}

// extraHosts returns the aliases that a path of o is served under.
func (t *translation) extraHosts(o *object, p *ingress.PathRule) []string {
	if t.compat {
		if s := t.server(p); s != nil && s.owner != nil {
			return s.owner.aliases
		}
		return nil
	}
	if o.host == hostKey(p.Host) {
		return o.aliases
	}
	return nil
}

// setHost finds the first host of o that has a name, in lower case, and whether
// there are others.
func (o *object) setHost() {
	for i := range o.paths {
		switch name := hostKey(o.paths[i].Host); {
		case name == "" || name == o.host:
		case o.host != "":
			o.several = true
			return
		default:
			o.host = name
		}
	}
}
