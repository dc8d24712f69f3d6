package nginx

// Names: every annotation of the controller, and what is done about it.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/names"
)

// A kind says what is done about an annotation.
type kind int8

const (
	unknown   kind = iota
	supported      // read
	ignored        // says nothing about URLs
	access         // keeps clients out, or traffic from the proxy
	refused        // cannot be said
)

// kinds has every annotation of ingress-nginx v1.15.1 and those that it has
// removed.
var kinds = func() map[string]kind {
	table := make(map[string]kind)
	for k, list := range map[kind]string{
		supported: `rewrite-target use-regex app-root upstream-vhost x-forwarded-prefix
			permanent-redirect permanent-redirect-code temporal-redirect temporal-redirect-code
			ssl-redirect force-ssl-redirect preserve-trailing-slash relative-redirects from-to-www-redirect
			server-alias backend-protocol secure-backends proxy-ssl-secret proxy-ssl-name proxy-ssl-server-name
			proxy-body-size proxy-redirect-from proxy-redirect-to proxy-cookie-path proxy-cookie-domain
			enable-cors cors-allow-origin cors-allow-methods cors-allow-headers cors-expose-headers
			cors-allow-credentials cors-max-age
			canary canary-weight canary-weight-total canary-by-header canary-by-header-value
			canary-by-header-pattern canary-by-cookie configuration-snippet server-snippet`,
		ignored: `affinity affinity-mode affinity-canary-behavior session-cookie-name session-cookie-path
			session-cookie-domain session-cookie-expires session-cookie-max-age session-cookie-samesite
			session-cookie-secure session-cookie-change-on-failure session-cookie-conditional-samesite-none
			session-cookie-hash session-cookie-partitioned fastcgi-index fastcgi-params-configmap load-balance upstream-hash-by upstream-hash-by-subset upstream-hash-by-subset-size
			client-body-buffer-size client-header-buffer-size client-body-timeout client-header-timeout
			connection-proxy-header proxy-buffering proxy-buffers-number proxy-buffer-size
			proxy-busy-buffers-size proxy-max-temp-file-size proxy-request-buffering proxy-http-version
			proxy-connect-timeout proxy-send-timeout proxy-read-timeout proxy-next-upstream
			proxy-next-upstream-timeout proxy-next-upstream-tries proxy-ssl-ciphers proxy-ssl-protocols
			proxy-ssl-verify proxy-ssl-verify-depth service-upstream ssl-ciphers ssl-prefer-server-ciphers
			enable-access-log enable-rewrite-log enable-opentracing enable-opentelemetry
			opentracing-trust-incoming-span opentelemetry-trust-incoming-span opentelemetry-operation-name
			http2-push-preload use-http2 enable-influxdb influxdb-host influxdb-port influxdb-measurement
			influxdb-server-name limit-rps limit-rpm limit-connections limit-burst-multiplier limit-rate
			limit-rate-after limit-whitelist limit-allowlist global-rate-limit global-rate-limit-window
			global-rate-limit-key global-rate-limit-ignored-cidrs auth-realm auth-secret auth-secret-type
			auth-cache-key auth-cache-duration auth-keepalive auth-keepalive-requests auth-keepalive-timeout
			auth-keepalive-share-vars auth-proxy-set-headers auth-method auth-signin
			auth-signin-redirect-param auth-response-headers auth-request-redirect auth-always-set-cookie
			auth-tls-verify-depth auth-tls-error-page auth-tls-pass-certificate-to-upstream auth-tls-match-cn
			enable-owasp-core-rules modsecurity-transaction-id`,
		access: `auth-type auth-url auth-tls-secret auth-tls-verify-client enable-global-auth
			whitelist-source-range allowlist-source-range denylist-source-range satisfy
			enable-modsecurity ssl-passthrough`,
		refused: `auth-snippet modsecurity-snippet stream-snippet custom-headers custom-http-errors
			disable-proxy-intercept-errors default-backend mirror-target mirror-host mirror-request-body
			use-port-in-redirects`,
	} {
		for _, name := range strings.Fields(list) {
			table[name] = k
		}
	}
	return table
}()

// hostAccess are the annotations by which the controller keeps clients out of
// all paths of the host.
var hostAccess = []string{"auth-tls-secret", "auth-tls-verify-client", "ssl-passthrough"}

// isOff reports whether the value of an access annotation that is a switch
// switches it off.
func isOff(name, value string) bool {
	switch name {
	case "enable-global-auth", "enable-modsecurity", "ssl-passthrough":
		on, err := strconv.ParseBool(value)
		return value == "off" || err == nil && !on
	case "auth-tls-verify-client":
		return value == "off"
	}
	return false
}

// known are the names in kinds, in order.
var known = slices.Sorted(maps.Keys(kinds))

// maxNearest is for how many unknown annotations of an Ingress a near one is
// looked for.
const maxNearest = 10

// nearest returns the known name that was meant, "" if none is near.
func (t *translation) nearest(name string) string {
	near, ok := t.near[name]
	if !ok {
		const most = 3 // of the name, one part of so many can be wrong
		candidates := slices.DeleteFunc(slices.Clone(known), func(c string) bool {
			return max(len(c)-len(name), len(name)-len(c)) > max(2, len(name)/most)
		})
		near = names.Nearest(name, candidates)
		t.near[name] = near
	}
	return near
}
