// Readdress says what becomes of a URL behind Kubernetes manifests, and why.
//
//	readdress explain -f FILE… URL      what becomes of a request, and why
//	readdress lint FILE…                what is wrong with manifests, and where
//	readdress test TABLE…               whether requests become what a table says
//	readdress diff A B [URL…]           whether two configurations give the same result
//	readdress convert -to FORM FILE…    manifests in another form
//	readdress batch                     questions and answers in JSON, for programs
//
// It reads Ingresses in the dialects of nginx, HAProxy, Traefik, Contour, Kong
// and BFE, HTTPRoutes, HTTPProxies, and the Services, Middlewares,
// IngressClasses, ReferenceGrants, Namespaces and ServiceEntries that matter to
// them, from YAML or JSON files, folders and, as -, standard input; each file
// once. It runs the packages of github.com/readdress/readdress themselves, so that
// what it says is what a proxy with them does. Where manifests have several kinds
// of routes, Ingresses are asked first, then HTTPRoutes, then HTTPProxies.
//
// -mode compat does what the controllers do where the safe default, strict,
// differs from them. -class NAME=DIALECT says what an ingress class is, if no
// IngressClass does; an Ingress without a class has the default IngressClass, if
// there is one. -handled NAME is for an annotation that the proxy obeys
// itself, such as whitelist-source-range: what it guards would not be served
// otherwise. As soon as one Service is among the manifests, all are expected to
// be. A file can have 64 MiB and about a million values.
//
// The exit status is 0 if all is well, 1 if there are errors and warnings,
// failures or differences, and 2 if the input or the command line cannot be
// used. Text has colours on a terminal only, and none with NO_COLOR.
//
// # explain
//
// The request is GET with the URL exactly as it is typed, http if it has no
// scheme; -X, -H and -listen-port change the request. Ask a proxy that normalises
// URLs, as rewrite.Input can, for the normal form. Several backends are shown
// with their shares; -key picks one, as package split does without a salt.
// -response 'Location: …' shows what a header of the backend is to the client, and
// Link what it is where the proxy names it.
// -visibility FILE and -client-namespace add whether that client may see the
// host and the backends in an Istio mesh. -json is documented by
// schema/explanation.json; -markdown is for pull requests.
//
// # lint
//
// Each line is file:line:col: code: level: message, with columns in bytes: that at
// which a value goes wrong, and of an annotation or field that nobody knows the
// first of its name. Where the lines of a value are not those of the file, col+n
// is n bytes into the value that begins at col. -format github writes annotations
// of a workflow, -json a list. Codes are described in docs/codes of the repository.
//
// # test
//
// A table is YAML:
//
//	manifests: [web.yaml]        # relative to the table
//	mode: strict                 # also: classes, handled, allowHosts
//	cases:
//	- name: users                # optional
//	  request: https://shop.example/api/users
//	  url: http://shop.example/users
//	  backend: api
//	- request: POST http://shop.example/old
//	  headers: {X-Canary: always}
//	  redirect: 301 https://shop.example/new
//
// A case expects any of url (scheme, Host field, path and query that a backend
// is sent), backend ([namespace/]service[:port], one of several only with a key),
// backends (shares in percent), redirect (STATUS LOCATION), status and error;
// listenPort and key belong to the request. -min-coverage fails if fewer percent
// of the routes and actions are exercised, and -v lists those. What is shown of
// them is rounded down.
//
// # diff
//
// Two configurations are equal for a request if the client gets the same status
// and Location, or the same backends get the same shares, exactly, of the same
// URL, by its bytes, with the same response headers; the order of header
// operations counts for each name alone. What is done to the header of the
// request, and to the response on its way back, is not compared. It tries the
// URLs that are given, those in -urls FILE, the requests of an access log (-log
// FILE -host HOST), and -n requests made from the patterns and actions of both
// sides and -seed. Of each way in which the two differ it shows the shortest
// request that it finds, with both explanations. To compare nothing is an error.
//
// # convert
//
// -to bfe-data writes rewrite.data of BFE's mod_rewrite, -to httproute
// HTTPRoutes, and -to annotations Ingresses with the annotations of package
// annotation. HTTPRoutes attach to -gateway. They say by -http-listener and
// -https-listener, both, which scheme they are for, as a redirect to https does
// that the requests of http get; without these names it is left out. What a form
// cannot express is listed on standard error.
//
// # batch
//
// Each line of standard input is a question, each of standard output its answer:
//
//	{"rules": [{"action": {"trimPathPrefix": "/api"}}], "url": "https://shop.example/api/users"}
//	{"manifests": ["kind: Ingress\n…"], "url": "https://shop.example/api/users"}
//
// schema/question.json and schema/answer.json document both. A line that is not
// UTF-8, or has half of a surrogate pair, a key twice or in other letter case, is
// no question.
package main
