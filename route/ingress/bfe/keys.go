package bfe

// The keys of the annotations, and what a person meant who wrote another.

import (
	"maps"
	"slices"
	"strings"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/internal/names"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// prefix is what the keys of all annotations of the dialect begin with.
const prefix = "bfe.ingress.kubernetes.io/"

const (
	keyWeight         = prefix + "balance.weight"
	keyHeader         = prefix + "router.header"
	keyCookie         = prefix + "router.cookie"
	keyURLSet         = prefix + "redirect.url-set"
	keyURLFromQuery   = prefix + "redirect.url-from-query"
	keyURLPrefixAdd   = prefix + "redirect.url-prefix-add"
	keySchemeSet      = prefix + "redirect.scheme-set"
	keyResponseStatus = prefix + "redirect.response-status"
	keyIngressStatus  = prefix + "bfe-ingress-status" // the controller writes it
)

var keys = []string{
	keyWeight, keyHeader, keyCookie, keyURLSet, keyURLFromQuery, keyURLPrefixAdd, keySchemeSet, keyResponseStatus, keyIngressStatus,
}

// slips are keys that the controller's own documents have, and that it does not
// read.
var slips = map[string]string{
	prefix + "redirect.status": keyResponseStatus,
	prefix + "redirect.target": keyURLSet,
}

// unknownKeys reports annotations under the prefix that nothing reads. Those
// under annotation.DefaultPrefix are package annotation's to judge.
func (t *translator) unknownKeys() {
	for _, key := range slices.Sorted(maps.Keys(t.in.Annotations)) {
		if !hasPrefixFold(key, prefix) || hasPrefixFold(key, annotation.DefaultPrefix) || slices.Contains(keys, key) {
			continue
		}
		detail := "nothing reads this annotation: remove it"
		if near := nearestKey(key); near != "" {
			detail = "nothing reads this annotation: write " + near
		}
		t.report(ingress.Warning, CodeUnknown, t.in.Source(), rewrite.Origin{Key: key}, "%s", detail)
	}
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// nearestKey returns the key that a person meant; "" if none is near.
func nearestKey(key string) string {
	key = strings.ToLower(key)
	if slip := slips[key]; slip != "" {
		return slip
	}
	candidates := make([]string, len(keys))
	for i, k := range keys {
		candidates[i] = k[len(prefix):]
	}
	if near := names.Nearest(key[len(prefix):], candidates); near != "" {
		return prefix + near
	}
	return ""
}
