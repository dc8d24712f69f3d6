package nginx

// Server: what the Ingresses of a host have in common.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/route/ingress"
)

// A server is a host, as the controller sees it: all Ingresses that name it.
type server struct {
	name     string
	objects  []*object                     // in order of precedence, without canaries
	tls      bool                          // one of them has a certificate for it
	regex    bool                          // one of its paths is a regular expression: Compat
	cause    *object                       // the first for which regex is set
	root     bool                          // it has a path "/"
	paths    map[pathKey]*ingress.PathRule // the first of each path
	rooted   bool                          // it has an app-root
	www      bool                          // it has a www host
	began    *object                       // the last whose entries for the host were made
	told     *object                       // the last that was told of regular expressions
	owner    *object                       // the first Ingress with aliases whose first host it is
	places   []*location
	snippets []*snippet // of its Ingresses: Compat
}

// serve adds a path of an ordinary Ingress to its server.
func (t *translation) serve(o *object, p *ingress.PathRule) {
	name := strings.ToLower(p.Host)
	s := t.servers[name]
	if s == nil {
		s = &server{name: name, paths: make(map[pathKey]*ingress.PathRule)}
		t.servers[name] = s
	}
	if len(s.objects) == 0 || s.objects[len(s.objects)-1] != o {
		s.objects = append(s.objects, o)
		if o.server != nil && t.compat {
			s.addSnippet(t, o)
		}
		s.tls = s.tls || o.hasTLS(name)
		if s.owner == nil && len(o.aliases) > 0 && o.host == name {
			s.owner = o
		}
	}
	declared := pathKey{path: p.Path, exact: p.Type == "Exact"}
	if s.paths[declared] == nil && !p.Default {
		s.paths[declared] = p
	}
	s.root = s.root || p.Path == "/" && p.Type != "Exact"
	if !s.regex && s.paths[declared] == p && enforcesRegex(o, p) {
		s.regex, s.cause = true, o
	}
}

// Bounds on what one Ingress can multiply the paths of a host by.
const (
	maxAliases  = 100 // of an Ingress
	maxSnippets = 16  // server-snippets of a host: Compat
)

// addSnippet adds the server-snippet of o to those of the host.
func (s *server) addSnippet(t *translation, o *object) {
	if len(s.snippets) == maxSnippets {
		t.report(o.in.Source(), ingress.Error, CodeSnippet, "server-snippet", 0, "%.64s has %d server-snippets already, which is the most: it is not obeyed", s.name, maxSnippets)
		return
	}
	s.snippets = append(s.snippets, o.server)
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
				o.tls[strings.ToLower(h)] = true
			}
		}
	}
	i := strings.IndexByte(host, '.')
	return o.tls[anyHost] || o.tls[host] || i > 0 && o.tls["*"+host[i:]]
}

// anyHost is the key of a certificate without hosts.
const anyHost = "*"

// enforcesRegex reports whether the path makes regular expressions of all paths
// of its host. A target that is the path itself rewrites only what is below it.
func enforcesRegex(o *object, p *ingress.PathRule) bool {
	if p.Default {
		return false
	}
	same := o.target == p.Path && (p.Type == "Exact" || p.Path == "/")
	return o.useRegex || o.target != "" && !same
}

// server returns the server of a path.
func (t *translation) server(p *ingress.PathRule) *server { return t.servers[strings.ToLower(p.Host)] }

// aliases reads server-alias.
func (r *reader) aliases() {
	value := r.text("server-alias")
	if value == "" {
		return
	}
	for item := range strings.SplitSeq(value, ",") {
		item = strings.TrimSpace(item)
		offset := strings.Index(value, item) + r.o.lead("server-alias")
		if item == "" {
			continue
		}
		if r.validate && regexText.outside(item) >= 0 {
			r.report(r.o.in.Source(), ingress.Error, CodeValue, "server-alias", offset, "the controller refuses %.64q: it is not added", item)
			continue
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
		if len(r.o.aliases) == maxAliases {
			r.report(r.o.in.Source(), ingress.Error, CodeValue, "server-alias", offset, "an Ingress can have %d aliases: this and what follows is not added", maxAliases)
			break
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
	if o.host == strings.ToLower(p.Host) {
		return o.aliases
	}
	return nil
}

// setHost finds the first host of o that has a name, in lower case, and whether
// there are others.
func (o *object) setHost() {
	for i := range o.paths {
		switch name := strings.ToLower(o.paths[i].Host); {
		case name == "" || name == o.host:
		case o.host != "":
			o.several = true
			return
		default:
			o.host = name
		}
	}
}
