package livetest

// The nginx.conf that the controller of ingress-nginx makes of Ingresses, as far
// as it is about URLs.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/route/ingress"
)

const nginxPrefix = "nginx.ingress.kubernetes.io/"

// A place is a location of the controller.
type place struct {
	in      *ingress.Ingress
	path    string
	exact   bool
	service string // "": the default backend
	canary  *ingress.Ingress
	other   string // the Service of canary
}

func (p *place) get(name string) string { return p.in.Annotations[nginxPrefix+name] }

func (p *place) rewrites() bool {
	target := p.get("rewrite-target")
	return target != "" && target != p.path
}

// A vhost is a server of the controller.
type vhost struct {
	name    string
	places  []*place
	aliases []string
	snippet string
	tls     bool
	www     bool
}

// vhosts returns the servers of Ingresses, oldest first.
func vhosts(list []*ingress.Ingress) []*vhost {
	servers := make(map[string]*vhost)
	isCanary := func(in *ingress.Ingress) bool { return in.Annotations[nginxPrefix+"canary"] == "true" }
	for _, in := range list {
		if isCanary(in) {
			continue
		}
		for _, rule := range in.Rules {
			s := servers[rule.Host]
			if s == nil {
				s = &vhost{name: rule.Host, places: []*place{{in: in, path: "/"}}}
				servers[rule.Host] = s
			}
			if aliases := in.Annotations[nginxPrefix+"server-alias"]; aliases != "" && s.aliases == nil {
				s.aliases = strings.Split(aliases, ",")
			}
			s.snippet = cmp.Or(s.snippet, in.Annotations[nginxPrefix+"server-snippet"])
			s.tls = s.tls || in.HasTLS(rule.Host)
		}
	}
	for _, in := range list {
		for _, rule := range in.Rules {
			s := servers[rule.Host]
			for _, p := range rule.Paths {
				if s == nil {
					continue
				}
				i := slices.IndexFunc(s.places, func(l *place) bool { return l.path == p.Path })
				if isCanary(in) {
					for _, l := range s.places {
						if l.path == p.Path && l.exact == (p.Type == "Exact") && l.service != "" && l.canary == nil {
							l.canary, l.other = in, p.Backend.Service
						}
					}
					continue
				}
				fresh := &place{in: in, path: p.Path, exact: p.Type == "Exact", service: p.Backend.Service}
				switch {
				case i < 0 || s.places[i].exact != fresh.exact:
					s.places = append(s.places, fresh)
				case s.places[i].service == "":
					*s.places[i] = *fresh
				default:
					continue // an older one has it
				}
				s.www = s.www || in.Annotations[nginxPrefix+"from-to-www-redirect"] == "true"
			}
		}
	}
	return slices.SortedFunc(maps.Values(servers), func(a, b *vhost) int { return strings.Compare(a.name, b.name) })
}

// locations returns the locations of a server in their order, and whether all
// of them are regular expressions.
func (s *vhost) locations() (list []*place, regex bool) {
	slices.SortStableFunc(s.places, func(a, b *place) int {
		return cmp.Or(cmp.Compare(len(b.path), len(a.path)), strings.Compare(b.path, a.path))
	})
	exact := make(map[string]bool)
	for _, p := range s.places {
		exact[p.path] = exact[p.path] || p.exact
	}
	for _, p := range s.places {
		if p.path == "/" || p.exact || p.rewrites() || p.get("use-regex") == "true" {
			list = append(list, p)
			continue
		}
		second := *p
		second.exact = true
		p.path = strings.TrimSuffix(p.path, "/") + "/"
		list = append(list, p)
		if !exact[second.path] {
			list = append(list, &second)
		}
	}
	for _, p := range list {
		regex = regex || p.rewrites() || p.get("use-regex") == "true"
	}
	return list, regex
}

// The Host that a location sends is its Service and serviceEnd.
const (
	serviceEnd = ".svc"
	noService  = "none"
)

// A controllerConf is the part of nginx.conf with the servers.
type controllerConf struct {
	strings.Builder
	addr, upstream string
	canaries       int
}

func newControllerConf(addr, upstream string) *controllerConf {
	c := &controllerConf{addr: addr, upstream: upstream}
	c.printf("server_names_hash_max_size 65536;\nmap_hash_bucket_size 256;\nvariables_hash_max_size 65536;")
	c.printf("map $request_uri $without_slash {\n\"~^(?<cut>.*)/$\" $cut;\ndefault $request_uri;\n}")
	c.printf("server {\nlisten %s default_server;\nserver_name _;\nreturn 404;\n}", addr)
	return c
}

func (c *controllerConf) printf(format string, args ...any) {
	fmt.Fprintf(&c.Builder, format+"\n", args...)
}

// add adds the servers of Ingresses, oldest first. It reports false, and adds
// nothing, if nginx would not start with them.
func (c *controllerConf) add(list []*ingress.Ingress) bool {
	all := vhosts(list)
	taken := make(map[string]bool)
	for _, s := range all {
		if s.twice() {
			return false
		}
		taken[s.name] = true
	}
	for _, s := range all {
		c.server(s, taken)
	}
	for _, s := range all {
		other, ok := strings.CutPrefix(s.name, "www.")
		if !ok {
			other = "www." + s.name
		}
		if s.www && !taken[other] {
			taken[other] = true
			c.printf("server {\nlisten %s;\nserver_name %s;\nreturn 308 $scheme://%s:80$without_slash;\n}", c.addr, other, s.name)
		}
	}
	return true
}

// twice reports whether two locations are one to nginx.
func (s *vhost) twice() bool {
	seen := make(map[string]bool)
	for _, p := range s.places {
		path, exact := p.path, p.exact
		if !exact && path != "/" {
			path = strings.TrimSuffix(path, "/") + "/"
		}
		key := fmt.Sprint(path, exact)
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

func (c *controllerConf) server(s *vhost, taken map[string]bool) {
	list, regex := s.locations()
	for _, p := range list {
		if p.canary != nil {
			c.canary(p)
		}
	}
	names := s.name
	for _, alias := range s.aliases {
		if !taken[alias] {
			taken[alias] = true
			names += " " + alias
		}
	}
	c.printf("server {\nlisten %s;\nserver_name %s;\nport_in_redirect off;\n%s", c.addr, names, s.snippet)
	// The controller redirects at the end of the rewrite phase, and this at the
	// beginning of the next.
	c.printf("location @https {\nreturn 308 https://$host$without_slash;\n}\nlocation @https_slash {\nreturn 308 https://$host$request_uri;\n}")
	for _, p := range list {
		if root := p.get("app-root"); root != "" {
			c.printf("if ($uri = /) {\nreturn 302 $scheme://$http_host%s;\n}", root)
		}
		c.location(p, regex, s.tls)
	}
	c.printf("}")
}

var quoteRegex = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func (c *controllerConf) location(p *place, regex, tls bool) {
	switch {
	case regex:
		c.printf(`location ~* "^%s" {`, quoteRegex.Replace(p.path))
	case p.exact:
		c.printf("location = %s {", p.path)
	default:
		c.printf("location %s {", p.path)
	}
	c.printf("proxy_set_header Host \"%s%s\";", cmp.Or(p.service, noService), serviceEnd)
	if p.get("force-ssl-redirect") == "true" || tls && p.get("ssl-redirect") != "false" {
		to := "@https"
		if p.get("preserve-trailing-slash") == "true" {
			to = "@https_slash"
		}
		c.printf("deny all;\nerror_page 403 = %s;", to)
	}
	c.printf("%s", p.get("configuration-snippet"))
	to, code := p.get("temporal-redirect"), cmp.Or(p.get("temporal-redirect-code"), "302")
	if to == "" {
		to, code = p.get("permanent-redirect"), cmp.Or(p.get("permanent-redirect-code"), "301")
	}
	if to != "" {
		if p.get("relative-redirects") == "true" {
			c.printf("absolute_redirect off;")
		}
		c.printf("return %s %s;", code, to)
	}
	if p.rewrites() {
		c.printf(`rewrite "(?i)%s" %s break;`, quoteRegex.Replace(p.path), p.get("rewrite-target"))
	}
	c.printf("proxy_pass http://%s;\nproxy_redirect off;\n}", c.upstream)
}

// canary writes how the canary of p is chosen, and lets p have the variable of
// it as its Service.
func (c *controllerConf) canary(p *place) {
	c.canaries++
	name := fmt.Sprintf("$service_%d", c.canaries)
	get := func(name string) string { return p.canary.Annotations[nginxPrefix+name] }
	c.printf(`map "$http_x_canary|$cookie_canary" %s {`, name)
	if get("canary-by-header") != "" {
		if value := get("canary-by-header-value"); value != "" {
			c.printf(`"~^%s\|" %s;`, value, p.other)
		} else {
			c.printf("\"~^always\\|\" %s;\n\"~^never\\|\" %s;", p.other, p.service)
		}
	}
	if get("canary-by-cookie") != "" {
		c.printf("\"~\\|always$\" %s;\n\"~\\|never$\" %s;", p.other, p.service)
	}
	last := p.service
	if get("canary-weight") == "100" {
		last = p.other
	}
	c.printf("default %s;\n}", last)
	p.service = name
}
