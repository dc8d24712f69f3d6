package nginx

// Names: every annotation of the controller, and what is done about it.

import "strings"

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
	for k, names := range map[kind]string{
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
		for _, name := range strings.Fields(names) {
			table[name] = k
		}
	}
	return table
}()

// nearest returns the known name with the fewest edits to name, the first in
// alphabetical order of several; "" if half of it would have to be edited.
func nearest(name string) string {
	if len(name) > maxName {
		return ""
	}
	best, least := "", len(name)/2
	for candidate := range kinds {
		d := edits(name, candidate)
		if d < least || d == least && best != "" && candidate < best {
			best, least = candidate, d
		}
	}
	return best
}

const (
	maxName    = 64 // the longest name for which a near one is looked for
	maxNearest = 10 // for how many of an Ingress
)

// edits returns how many letters must be put in, taken out or replaced to make
// b of a, which has at most maxName letters.
func edits(a, b string) int {
	var row [maxName + 1]int
	for i := range len(a) {
		row[i+1] = i + 1
	}
	for j := range len(b) {
		diagonal := row[0]
		row[0]++
		for i := range len(a) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[i+1]
			row[i+1] = min(replace, diagonal+1, row[i]+1)
		}
	}
	return row[len(a)]
}
