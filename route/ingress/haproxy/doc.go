// Package haproxy reads the Ingress annotations of two controllers that run
// HAProxy: haproxytech's kubernetes-ingress and jcmoraisjr's haproxy-ingress.
//
//	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: haproxy.New(nil)})
//	result := d.Dispatch(ingresses, cluster)
//
// The Rewriter claims the classes haproxy and haproxy-ingress, what has an
// annotation of either controller, and what has no class at all, so it is asked
// after the others ([ingress.FallbackPriority]). Another known class is stronger
// than a stray haproxy.org annotation. Class haproxy selects the first reading
// below, and class haproxy-ingress the second, for all of an Ingress; where the
// class is neither, an annotation with haproxy-ingress's prefix does.
//
// What an annotation means that cannot be translated is not served, and an
// [ingress.Problem] with a code of this package says so. In all formats "%%" is
// a percent sign, and a log-format expression such as %[src] is refused. What
// the caller sees to itself is named in [Options].Handled.
//
// A path whose access control an entry cannot say, be it written in the words of
// the other controller or on a Service, is not left out, because a shorter path
// or a wildcard could then get its requests and be open: it answers 500. So do
// the default backends of its Ingress. If its path cannot be said either, all
// paths answer 500 that begin as it does.
//
// # haproxytech
//
// The prefix is haproxy.org/, else haproxy.com/, else ingress.kubernetes.io/.
// An ImplementationSpecific path is a text prefix. A path-rewrite line that is
// there twice runs once.
//
//	annotation              read as    meaning
//	path-rewrite            supported  FORMAT, or REGEX FORMAT; each line on what the one before has left
//	set-host                supported  the Host field that the Service sees
//	request-redirect        supported  [scheme://]host[:port], to which path and query are taken
//	request-redirect-code   supported  301, 302 (default), 303, 307 or 308
//	ssl-redirect            supported  plain requests go to HTTPS; on where there is spec.tls
//	ssl-redirect-code       supported  301, 302 (default) or 303
//	ssl-redirect-port       supported  443 by default, in Compat 8443
//	server-ssl              supported  HTTPS to the Service; an annotation of the Service counts more
//	server-ca               supported  the Secret with the CA, without a namespace; likewise
//	server-sni              supported  the server name for TLS; likewise
//	request-set-header      supported  NAME VALUE; Host is as set-host, and counts more
//	response-set-header     supported  NAME VALUE
//	route-acl               refused    on a Service: its paths are not served
//	allow-list, whitelist   refused    access: the paths answer 500
//	deny-list, blacklist    refused    likewise
//	auth-type, client-ca    refused    likewise
//	ssl-passthrough         refused    the proxy would see no paths: they answer 500
//	*-config-snippet        refused    raw configuration; the paths are served
//	cors-*, server-proto, … refused    not obeyed; the paths are served
//	timeout-*, check, …     warned     no meaning for URL routing: a note
//
// A regular expression is searched for anywhere in the path, with letter case,
// and the format, with \0 to \9, becomes the whole path; the query stays. One
// that strips or replaces the prefix of its route becomes the prefix action. A
// default backend is not rewritten or redirected. On Services server-ssl,
// server-ca, server-sni and route-acl are read.
//
// # haproxy-ingress
//
// The prefix is haproxy-ingress.github.io/, else ingress.kubernetes.io/.
//
//	annotation                   read as    meaning
//	path-type                    supported  of ImplementationSpecific paths: begin (default), exact, prefix or regex
//	rewrite-target               supported  takes the place of the path, what follows stays; with regex, a format for the whole path
//	app-root                     supported  where "/" of the host is redirected to, plain requests too; a Location, and no format
//	redirect-to, -code           supported  where every request is redirected to; likewise
//	redirect-from, -code         supported  another host, redirected to the first one here, without a port, where no path of its own gets a request
//	server-alias                 supported  other names of the host, for all its paths and its default backend
//	ssl-redirect, -code          supported  on by default, for hosts of spec.tls, to the same host without a port; 301, 302 (default), 303, 307 or 308
//	backend-protocol             supported  h1, h1-ssl, h2, h2-ssl, grpc or grpcs: HTTPS to the Service or not
//	secure-backends              supported  HTTPS to the Service
//	secure-verify-ca-secret      supported  the Secret with the CA, without a namespace
//	secure-sni                   supported  a name; host and sni are left to the proxy
//	headers                      supported  NAME: VALUE or NAME VALUE; Host is what the backend is asked for
//	proxy-body-size              supported  bytes, with k, m or g
//	redirect-from-regex          refused    write the hosts
//	server-alias-regex           refused    write the hosts
//	http-header-match, -regex    refused    write a route with a condition
//	allowlist-source-range       refused    access: the paths answer 500
//	denylist-source-range        refused    likewise
//	auth-secret, auth-url        refused    likewise
//	auth-tls-secret, oauth, waf  refused    likewise
//	ssl-passthrough              refused    the proxy would see no paths: they answer 500
//	config-*                     refused    raw configuration; the paths are served
//	blue-green-*                 refused    shares of pods by labels; the paths are served
//	cors-*, hsts, …              refused    not obeyed; the paths are served
//	timeout-*, balance-*, …      warned     no meaning for URL routing: a note
//
// All but path-type, app-root, redirect-from, server-alias and http-header-match
// are read on Services too, whose word counts more, for the paths that they
// serve. A default backend is a path "/" like any other. The regular expressions
// of a host are tried from the longest to the shortest.
//
// # Strict and Compat
//
// [Strict], the default, differs from the controllers where a rewrite would
// leave its path: a path-rewrite line is for the paths that its text is on
// ([CodeScope]), and /p/(.*) with /\1 strips /p by segment ([CodeSlash]); where
// an ImplementationSpecific path has a final slash, which the controller cuts
// (CodeSlash too); HTTPS is on port 443 ([CodePort]); and an ssl-redirect that is no
// boolean does not turn off what spec.tls has turned on. In [Compat] it is as in
// HAProxy, and these codes say what Strict would do.
package haproxy
