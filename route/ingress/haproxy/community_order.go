package haproxy

// The order of haproxy-ingress's regular expressions, which is one for all
// Ingresses of a host.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
)

// longestFirst puts the regular expressions of each host in the order in which
// the controller tries them: by the length of what the Ingress has, which for a
// closed path may be more than its pattern. Entries of one path stay as they are.
func longestFirst(list []*ingress.Ingress, entries []ingress.Entry) {
	slots := make(map[string][]int) // by host
	for i := range entries {
		if e := &entries[i]; e.Pattern.Type == route.Regex && e.Source.Path >= 0 {
			host := strings.ToLower(e.Pattern.Host)
			slots[host] = append(slots[host], i)
		}
	}
	if len(slots) == 0 {
		return
	}
	written := make(map[ingress.Source]string)
	for _, in := range list {
		if in == nil {
			continue
		}
		for i := range in.Rules {
			for j := range in.Rules[i].Paths {
				written[in.At(i, j, "")] = in.Rules[i].Paths[j].Path
			}
		}
	}
	path := func(e *ingress.Entry) string {
		source := e.Source
		source.Part = ""
		return written[source]
	}
	for _, at := range slots {
		sorted := make([]ingress.Entry, len(at))
		for n, i := range at {
			sorted[n] = entries[i]
		}
		slices.SortStableFunc(sorted, func(a, b ingress.Entry) int {
			one, other := path(&a), path(&b)
			return cmp.Or(cmp.Compare(len(other), len(one)), cmp.Compare(one, other))
		})
		for n, i := range at {
			entries[i] = sorted[n]
		}
	}
}
