package diff

// Shorten: the simplest request that shows the same difference.

import (
	"slices"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
)

// maxTries bounds the work for one request.
const maxTries = 500

// shorten takes away whatever leaves the difference as it is.
func (d *Diff) shorten(r engine.Request, key groupKey) engine.Request {
	tries := 0
	keeps := func(candidate engine.Request) bool {
		tries++
		got, err := d.key(&candidate)
		return err == nil && got == key
	}
	for again := true; again; {
		again = false
		for _, candidate := range simpler(&r) {
			if tries >= maxTries {
				return r
			}
			if keeps(candidate) {
				r, again = candidate, true
				break
			}
		}
	}
	return r
}

// simpler returns requests that are a little simpler than r.
func simpler(r *engine.Request) []engine.Request {
	var list []engine.Request
	with := func(change func(c *engine.Request)) {
		c := *r
		c.Headers = slices.Clone(r.Headers)
		change(&c)
		list = append(list, c)
	}
	if r.Method != "" && r.Method != "GET" {
		with(func(c *engine.Request) { c.Method = "" })
	}
	for i := range r.Headers {
		with(func(c *engine.Request) { c.Headers = slices.Delete(c.Headers, i, i+1) })
	}
	scheme, rest, _ := strings.Cut(r.URL, "://")
	host, target := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		host, target = rest[:i], rest[i:]
	}
	build := func(scheme, host, target string) {
		with(func(c *engine.Request) { c.URL = scheme + "://" + host + target })
	}
	if scheme == "https" {
		build("http", host, target)
	}
	if name, _, ok := strings.Cut(host, ":"); ok && !strings.HasPrefix(host, "[") {
		build(scheme, name, target)
	}
	if lower := strings.ToLower(host); lower != host {
		build(scheme, lower, target)
	}
	path, query, hasQuery := strings.Cut(target, "?")
	if hasQuery {
		build(scheme, host, path)
		pairs := strings.Split(query, "&")
		for i := range pairs {
			if len(pairs) > 1 {
				build(scheme, host, path+"?"+strings.Join(slices.Delete(slices.Clone(pairs), i, i+1), "&"))
			}
		}
		query = "?" + query
	}
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i := range segments {
		if len(segments) > 1 {
			build(scheme, host, "/"+strings.Join(slices.Delete(slices.Clone(segments), i, i+1), "/")+query)
		}
		if n := len(segments[i]); n > 1 {
			for _, shorter := range []string{segments[i][:n/2], segments[i][:n-1], segments[i][1:]} {
				s := slices.Clone(segments)
				s[i] = shorter
				build(scheme, host, "/"+strings.Join(s, "/")+query)
			}
		}
	}
	return list
}
