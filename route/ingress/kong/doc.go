// Package kong reads the annotations of Kong's ingress controller, konghq.com/,
// on Ingresses and on Services.
//
//	d, err := ingress.NewDispatcher(ingress.Registration{Rewriter: kong.New(nil)})
//	result := d.Dispatch(ingresses, cluster)
//
// The Rewriter claims class kong, and what has such an annotation and no class
// that is known. The annotations of a Service are those that
// [ingress.Cluster].Service returns. What the caller sees to itself is named in
// [Options].Handled.
//
//	annotation                                 read as    meaning
//	strip-path                                 supported  "true": what the path matches is cut; also on a Service
//	preserve-host                              supported  "false": the Service gets its own host; by default the client's
//	rewrite                                    supported  the whole path, with captures $1, $12, …; \$ is a dollar sign
//	regex-prefix                               supported  what makes a regular expression of a path, /~
//	regex-priority                             supported  expressions of a greater one are tried first
//	protocols                                  supported  https alone sends http there; http alone does not serve https
//	https-redirect-status-code                 supported  301, 302, 307, 308, 426 (default)
//	ingress.kubernetes.io/force-ssl-redirect   supported  "true": as protocols https where there are none, with 302
//	methods                                    supported  one of these
//	headers.NAME,                              supported  one of these values, each, behind ~*, an expression
//	  headers-separator
//	host-aliases                               supported  more hosts, at most 32; of a rule without a host its only ones
//	path-handling                              warned     v1 is done as v0
//	snis                                       refused    a condition that cannot be had: the paths are left out
//	plugins                                    refused    paths answer 500, unless Options.Handled names it
//	override                                   warned     not done here
//	request-buffering, tags, …                 warned     a Note: they change no URL
//
//	on a Service                   read as    meaning
//	path                           supported  the path before all others
//	host-header                    supported  the host that the Service gets
//	protocol                       supported  https, grpcs: TLS; http, grpc
//	ca-certificates-secret         supported  the Secret with the CA
//	client-cert, upstream-policy,  warned     not done here
//	  override
//	plugins                        refused    as above
//	timeouts, retries, tls-verify  warned     a Note
//
// An annotation of Services that is on the Ingress is warned of, and holds where
// the Service says nothing else. Whatever else is under konghq.com/ is unknown,
// and the problem has the nearest name.
//
// # Paths
//
// Prefix matches by segment, Exact as it stands. An ImplementationSpecific path is
// text, or behind /~ a regular expression from the beginning of the path, without
// an end.
//
// What is stripped and the path of the Service are joined by one slash: of /share
// with path /base, /share becomes /base, /share/ becomes /base/ and /share/x
// becomes /base/x. rewrite replaces all of it.
//
// Compat does what Kong makes of these objects with its router_flavor
// traditional_compatible, the default, or traditional.
//
// Kong tries the regular expressions of a host before its other paths, and so does
// Compat, which makes expressions of all of them there. Exact paths, and the path
// that a Prefix itself is, are expressions to it. Strict tries them after.
package kong
