package nginx

// CORS: enable-cors and cors-* as response headers.

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/readdress/readdress/route/ingress"
)

// What an origin has, one or several, and what a list of methods or of header
// fields has.
const (
	corsOrigin charset = "-._~:/*[], "
	corsList   charset = "-_*, "
)

// cors reads enable-cors and what belongs to it.
func (r *reader) cors() {
	if !r.bool("enable-cors", false) {
		return
	}
	at := r.o.in.Source()
	or := func(name string, set charset, otherwise string) string {
		value := r.text(name)
		if i := set.outside(value); i >= 0 {
			r.report(at, ingress.Error, CodeValue, name, i+r.o.lead(name), "%q cannot be in it, so it is not obeyed: write text, without variables", value[i])
			value = ""
		}
		return cmp.Or(value, otherwise)
	}
	origin := r.text("cors-allow-origin")
	if i := corsOrigin.outside(origin); i >= 0 {
		r.report(at, ingress.Error, CodeCorsOrigin, "cors-allow-origin", i+r.o.lead("cors-allow-origin"),
			"%q cannot be in an origin: no CORS headers are set; write one origin or *", origin[i])
		return
	}
	origin = cmp.Or(origin, "*")
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
	set("Access-Control-Allow-Methods", or("cors-allow-methods", corsList, "GET, PUT, POST, DELETE, PATCH, OPTIONS"))
	set("Access-Control-Allow-Headers", or("cors-allow-headers", corsList,
		"DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization"))
	if value := or("cors-expose-headers", corsList, ""); value != "" {
		set("Access-Control-Expose-Headers", value)
	}
	age := 1728000
	if n, ok := r.number("cors-max-age", "it is 1728000"); ok {
		age = n
	}
	if age < 0 {
		r.bad("cors-max-age", "%d is no number of seconds: it is not set", age)
	} else {
		set("Access-Control-Max-Age", strconv.Itoa(age))
	}
	r.report(at, ingress.Warning, CodeCorsPreflight, "enable-cors", 0, "the controller answers OPTIONS itself; here the backend gets the request, and these headers are put on what it answers")
}
