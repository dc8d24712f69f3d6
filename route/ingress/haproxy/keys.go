package haproxy

// Which annotations there are, and what becomes of each.

import (
	"maps"
	"slices"
)

// A treatment is what becomes of an annotation.
type treatment int8

const (
	unknown     treatment = iota
	used                  // the reading asks for it
	ignored               // no meaning for URL routing
	outside               // a meaning that entries do not have
	access                // it keeps clients out: nothing is served without it
	passthrough           // a boolean; set, the proxy sees no paths, and nothing is served
	snippet               // raw configuration
	refused               // it changes what the paths mean: they are not served
	byLabels              // a share of the pods, by labels that only the controller sees
)

// techKeys are the annotations of haproxytech's controller.
var techKeys = treatments{
	"path-rewrite": used, "set-host": used,
	"request-redirect": used, "request-redirect-code": used,
	"ssl-redirect": used, "ssl-redirect-code": used, "ssl-redirect-port": used,
	"server-ssl": used, "server-ca": used, "server-sni": used,
	"request-set-header": used, "response-set-header": used,
	"ingress.class": ignored,

	"allow-list": access, "whitelist": access, "deny-list": access, "blacklist": access,
	"auth-type": access, "auth-secret": ignored, "auth-realm": ignored, "client-ca": access, "ssl-passthrough": passthrough,
	"rate-limit-requests": ignored, "rate-limit-period": ignored, "rate-limit-size": ignored, "rate-limit-status-code": ignored,
	"rate-limit-whitelist": ignored, "rate-limit-blacklist": ignored, "src-ip-header": ignored,

	"backend-config-snippet": snippet, "frontend-config-snippet": snippet, "global-config-snippet": snippet, "stats-config-snippet": snippet,

	"route-acl": refused,

	"cors-enable": outside, "cors-allow-origin": outside, "cors-allow-methods": outside, "cors-allow-headers": outside,
	"cors-allow-credentials": outside, "cors-max-age": outside, "cors-respond-to-options": outside,
	"server-proto": outside, "server-crt": outside, "send-proxy-protocol": outside, "proxy-protocol": outside,
	"request-capture": ignored, "request-capture-len": ignored, "set-var": outside,
	"standalone-backend": ignored, "ssl-certificate": ignored,

	"abortonclose": ignored, "check": ignored, "check-http": ignored, "check-interval": ignored,
	"backend-maxconn": ignored, "pod-maxconn": ignored, "maxconn": ignored, "scale-server-slots": ignored, "servers-increment": ignored,
	"cookie-persistence": ignored, "cookie-persistence-no-dynamic": ignored, "load-balance": ignored,
	"forwarded-for": ignored, "hard-stop-after": ignored, "http-connection-mode": ignored, "http-keep-alive": ignored,
	"http-server-close": ignored, "dontlognull": ignored, "logasap": ignored, "log-format": ignored, "log-format-tcp": ignored,
	"timeout-check": ignored, "timeout-client": ignored, "timeout-client-fin": ignored, "timeout-connect": ignored,
	"timeout-http-keep-alive": ignored, "timeout-http-request": ignored, "timeout-queue": ignored, "timeout-server": ignored,
	"timeout-server-fin": ignored, "timeout-tunnel": ignored, "tls-alpn": ignored, "quic-alt-svc-max-age": ignored,
	"cr-backend": outside, "nbthread": ignored, "syslog-server": ignored, "client-strict-sni": ignored, "generate-certificates-signer": ignored,
}

// communityKeys are the annotations of haproxy-ingress.
var communityKeys = treatments{
	"rewrite-target": used, "path-type": used, "app-root": used,
	"redirect-to": used, "redirect-to-code": used, "redirect-from": used, "redirect-from-code": used,
	"server-alias": used, "ssl-redirect": used, "ssl-redirect-code": used,
	"backend-protocol": used, "secure-backends": used, "secure-sni": used, "secure-verify-ca-secret": used,
	"headers": used, "proxy-body-size": used,

	"redirect-from-regex": refused, "server-alias-regex": refused, "tcp-service-port": refused,
	"path-type-order": ignored,

	"allowlist-source-range": access, "whitelist-source-range": access, "denylist-source-range": access,
	"auth-secret": access, "auth-url": access, "auth-tls-secret": access, "oauth": access, "waf": access, "ssl-passthrough": passthrough,
	"auth-realm": ignored, "auth-type": ignored, "auth-method": ignored, "auth-signin": ignored,
	"auth-headers-request": ignored, "auth-headers-succeed": ignored, "auth-headers-fail": ignored,
	"auth-tls-strict": ignored, "auth-tls-verify-client": ignored, "auth-tls-error-page": ignored, "auth-tls-cert-header": ignored,
	"oauth-uri-prefix": ignored, "oauth-headers": ignored, "waf-mode": ignored,
	"limit-connections": ignored, "limit-rps": ignored, "limit-whitelist": ignored,

	"config-backend": snippet, "config-backend-early": snippet, "config-backend-late": snippet, "config-frontend": snippet,
	"config-frontend-early": snippet, "config-frontend-late": snippet, "config-tcp-service": snippet,

	"blue-green-balance": byLabels, "blue-green-deploy": byLabels, "blue-green-mode": byLabels, "blue-green-cookie": byLabels, "blue-green-header": byLabels,

	"cors-enable": outside, "cors-allow-origin": outside, "cors-allow-origin-regex": outside, "cors-allow-methods": outside,
	"cors-allow-headers": outside, "cors-allow-credentials": outside, "cors-expose-headers": outside, "cors-max-age": outside,
	"hsts": outside, "hsts-include-subdomains": outside, "hsts-max-age": outside, "hsts-preload": outside,
	"http-header-match": refused, "http-header-match-regex": refused,
	"secure-crt-secret": outside, "secure-verify-hostname": outside, "proxy-protocol": outside, "use-resolver": outside,
	"default-backend-redirect": outside, "default-backend-redirect-code": outside, "no-redirect-locations": ignored,
	"cert-signer": ignored, "ssl-always-add-https": ignored,

	"affinity": ignored, "balance-algorithm": ignored, "session-cookie-dynamic": ignored, "session-cookie-domain": ignored,
	"session-cookie-keywords": ignored, "session-cookie-name": ignored, "session-cookie-preserve": ignored,
	"session-cookie-same-site": ignored, "session-cookie-shared": ignored, "session-cookie-strategy": ignored, "session-cookie-value-strategy": ignored,
	"agent-check-addr": ignored, "agent-check-interval": ignored, "agent-check-port": ignored, "agent-check-send": ignored,
	"backend-check-interval": ignored, "backend-server-naming": ignored, "backend-server-slots-increment": ignored,
	"health-check-addr": ignored, "health-check-fall-count": ignored, "health-check-interval": ignored, "health-check-port": ignored,
	"health-check-rise-count": ignored, "health-check-uri": ignored, "initial-weight": ignored, "maxconn-server": ignored, "maxqueue-server": ignored,
	"dynamic-scaling": ignored, "slots-min-free": ignored, "service-upstream": ignored, "forwardfor": ignored, "fronting-proxy-port": ignored,
	"ssl-cipher-suites": ignored, "ssl-cipher-suites-backend": ignored, "ssl-ciphers": ignored, "ssl-ciphers-backend": ignored,
	"ssl-options-backend": ignored, "ssl-options-host": ignored, "ssl-fingerprint-lower": ignored, "ssl-fingerprint-sha2-bits": ignored, "tls-alpn": ignored,
	"timeout-connect": ignored, "timeout-http-request": ignored, "timeout-keep-alive": ignored, "timeout-queue": ignored,
	"timeout-server": ignored, "timeout-server-fin": ignored, "timeout-tunnel": ignored, "acme-preferred-chain": ignored,
}

// treatments are the annotations of one controller, without a prefix.
type treatments map[string]treatment

// A dialect is what the annotations of one controller look like.
type dialect struct {
	keys     treatments
	names    []string   // of keys, in order
	prefixes []string   // the first counts most
	sibling  treatments // those of the other controller
}

var (
	techDialect      = dialect{techKeys, slices.Sorted(maps.Keys(techKeys)), []string{techPrefix, techOldPrefix, barePrefix}, communityKeys}
	communityDialect = dialect{communityKeys, slices.Sorted(maps.Keys(communityKeys)), []string{communityPrefix, barePrefix}, techKeys}
)

// onIngress are the annotations that haproxy-ingress reads on Ingresses alone,
// because they are about hosts or about which requests a path gets.
var onIngress = []string{
	"app-root", "path-type", "redirect-from", "redirect-from-code", "redirect-from-regex", "server-alias", "server-alias-regex",
	"http-header-match", "http-header-match-regex", "tcp-service-port",
}
