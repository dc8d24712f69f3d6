package nginx

// CORS: enable-cors and cors-* as response headers.

import (
	"strings"

	"github.com/readdress/readdress/route/ingress"
)

// cors reads enable-cors and what belongs to it.
func (r *reader) cors() {
	if !r.bool("enable-cors", false) {
		return
	}
	at := r.o.in.Source()
	or := func(name, otherwise string) string {
		if value := r.text(name); value != "" {
			return value
		}
		return otherwise
	}
	origin := or("cors-allow-origin", "*")
	single := !strings.Contains(origin, ",") && (origin == "*" || !strings.Contains(origin, "*"))
	if !single {
		r.report(at, ingress.Error, CodeCorsOrigin, "cors-allow-origin", 0,
			"several origins are one header for each request, and an entry's headers are the same for all: no CORS headers are set; write one origin or *")
		return
	}
	set := func(name, value string) {
		r.o.response = append(r.o.response, ingress.HeaderOp{Name: name, Value: value})
	}
	set("Access-Control-Allow-Origin", origin)
	if origin != "*" {
		r.o.response = append(r.o.response, ingress.HeaderOp{Op: ingress.AddHeader, Name: "Vary", Value: "Origin"})
	}
	if r.bool("cors-allow-credentials", true) {
		set("Access-Control-Allow-Credentials", "true")
	}
	set("Access-Control-Allow-Methods", or("cors-allow-methods", "GET, PUT, POST, DELETE, PATCH, OPTIONS"))
	set("Access-Control-Allow-Headers", or("cors-allow-headers",
		"DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization"))
	if value := r.text("cors-expose-headers"); value != "" {
		set("Access-Control-Expose-Headers", value)
	}
	if _, ok := r.number("cors-max-age", "it is 1728000"); ok {
		set("Access-Control-Max-Age", r.text("cors-max-age"))
	} else {
		set("Access-Control-Max-Age", "1728000")
	}
	r.report(at, ingress.Warning, CodeCorsPreflight, "enable-cors", 0, "the controller answers OPTIONS itself; here the backend gets the request, and these headers are put on what it answers")
}
