package rewritehttp_test

import (
	"net/url"
	"regexp"
	"strings"
)

// What people write in a Rewrite function to strip /api, where u is pr.Out.URL
// after pr.SetURL(upstream). The README shows these bodies, in this order.

func byHand1(u *url.URL) {
	u.Path = strings.TrimPrefix(u.Path, "/api")
}

func byHand2(u *url.URL) {
	u.Path = strings.TrimPrefix(u.Path, "/api")
	u.RawPath = ""
}

func byHand3(u *url.URL) {
	u.Path = regexp.MustCompile("^/api(/|$)").ReplaceAllString(u.Path, "/")
}

func byHand4(u *url.URL) {
	u.Path = strings.TrimPrefix(u.Path, "/api")
	u.RawPath = strings.TrimPrefix(u.RawPath, "/api")
}

var byHand = []func(*url.URL){byHand1, byHand2, byHand3, byHand4}
