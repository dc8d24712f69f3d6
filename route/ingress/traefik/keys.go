package traefik

// Which annotations and kinds of middlewares there are, and what becomes of
// each.

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A treatment is what becomes of an annotation or a middleware.
type treatment int8

const (
	unknown   treatment = iota
	used                // it is read
	ignored             // no meaning for URL routing
	outside             // a meaning that entries do not have
	access              // it keeps clients out: nothing is served without it
	guardian            // it may keep clients out
	refused             // it changes what the paths mean: they are not served
	service             // it belongs on a Service
	versioned           // it decides what braces in paths mean
)

// annotations are those of Traefik 2 and 3, then of Traefik 1, without prefix.
var annotations = map[string]treatment{
	"router.middlewares": used, "router.pathmatcher": used, "router.priority": used,
	"router.entrypoints": ignored, "router.tls": ignored, "router.tls.certresolver": ignored, "router.tls.options": ignored,
	"router.rulesyntax": versioned, "router.observability": ignored, "router.observability.accesslogs": ignored, "router.observability.metrics": ignored,
	"router.observability.tracing": ignored, "router.observability.traceverbosity": ignored,
	"service.serversscheme": service, "service.passhostheader": service, "service.serverstransport": service, "service.nativelb": service,
	"service.middlewares": service, "service.nodeportlb": service, "service.sticky": service, "service.sticky.cookie": service, "service.sticky.cookie.name": service, "service.sticky.cookie.secure": service,
	"service.sticky.cookie.httponly": service, "service.sticky.cookie.samesite": service, "service.sticky.cookie.maxage": service,
	"service.sticky.cookie.path": service, "service.sticky.cookie.domain": service,

	"rule-type": used, "rewrite-target": used, "app-root": used,
	"redirect-entry-point": used, "redirect-permanent": used, "redirect-regex": used, "redirect-replacement": used,
	"request-modifier": refused, "service-weights": refused,
	"whitelist-source-range": access, "ip-white-list": access, "whitelist-use-x-forwarded-for": ignored, "ip-white-list-depth": ignored,
	"auth-type": access, "auth-secret": ignored, "auth-realm": ignored, "auth-remove-header": ignored, "auth-header-field": ignored,
	"auth-url": ignored, "auth-trust-headers": ignored, "auth-response-headers": ignored, "auth-tls-secret": ignored, "auth-tls-insecure": ignored,
	"custom-request-headers": outside, "custom-response-headers": outside, "error-pages": outside, "ssl-redirect": outside, "ssl-temporary-redirect": outside,
	"ssl-host": outside, "ssl-force-host": outside, "frame-deny": outside, "custom-frame-options-value": outside, "content-type-nosniff": outside,
	"browser-xss-filter": outside, "custom-browser-xss-value": outside, "content-security-policy": outside, "public-key": outside, "referrer-policy": outside,
	"hsts-max-age": outside, "hsts-include-subdomains": outside, "hsts-preload": outside, "force-hsts": outside, "allowed-hosts": access,
	"proxy-headers": outside, "ssl-proxy-headers": outside, "is-development": ignored, "preserve-host": outside, "pass-tls-cert": outside, "pass-client-tls-cert": outside,
	"frontend-entry-points": ignored, "priority": used, "rate-limit": ignored, "affinity": ignored, "session-cookie-name": ignored, "session-cookie-hash": ignored,
	"load-balancer-method": ignored, "circuit-breaker-expression": ignored, "max-conn-amount": ignored, "max-conn-extractor-func": ignored,
	"responseforwarding-flushinterval": ignored, "protocol": service, "buffering": ignored,
}

// frontends are the annotations that Traefik 1 also read as it wrote labels.
var frontends = map[string]string{
	"rule.type": "rule-type", "priority": "priority", "entryPoints": "frontend-entry-points", "passHostHeader": "preserve-host",
	"passTLSCert": "pass-tls-cert", "whitelistSourceRange": "whitelist-source-range", "redirect.entryPoint": "redirect-entry-point",
	"redirect.regex": "redirect-regex", "redirect.replacement": "redirect-replacement", "redirect.permanent": "redirect-permanent",
}

// tlsDomain is an annotation about one of a router's certificates, of which it
// has the number.
var tlsDomain = regexp.MustCompile(`^router\.tls\.domains\.\d+\.(main|sans)$`)

// What Traefik reads into a structure, of Ingresses and of Services. It takes no
// object with a name in there that the structure lacks.
const (
	routers  = "router."
	services = "service."
)

// named returns the name of an annotation as annotations has it. In a structure
// upper and lower case are the same.
func named(key string) string {
	name := strings.TrimPrefix(key, prefix)
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, routers) || strings.HasPrefix(lower, services) {
		return lower
	}
	return name
}

// The names that there are, in order, for advice.
var (
	annotationNames = slices.Sorted(maps.Keys(annotations))
	frontendNames   = slices.Sorted(maps.Keys(frontends))
)

// kinds are the kinds of HTTP middlewares, as spec has them.
var kinds = map[string]treatment{
	"stripPrefix": used, "stripPrefixRegex": used, "addPrefix": used, "replacePath": used, "replacePathRegex": used,
	"redirectScheme": used, "redirectRegex": used, "headers": used, "chain": used, "buffering": used,
	"basicAuth": access, "digestAuth": access, "forwardAuth": access, "ipAllowList": access, "ipWhiteList": access,
	"plugin": guardian, "errors": outside, "passTLSClientCert": outside, "contentType": ignored,
	"compress": ignored, "retry": ignored, "circuitBreaker": ignored, "inFlightReq": ignored, "rateLimit": ignored, "grpcWeb": ignored,
	"encodedCharacters": ignored,
}
