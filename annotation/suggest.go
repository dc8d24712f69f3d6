package annotation

// What was likely meant by a name that there is not.

import (
	"strings"

	"github.com/readdress/readdress/internal/names"
)

// maxName is the longest name for which a near one is looked for.
const maxName = 64

// nearest returns the candidate that a person who wrote name most likely
// meant, the one of the fewest edits and the first of several; "" if two thirds
// of the letters would have to be edited.
func nearest(name string, candidates []string) string {
	name = strings.ToLower(name)
	if len(name) > maxName {
		return ""
	}
	best, least := "", 0
	for _, c := range candidates {
		d := names.Edits(name, strings.ToLower(c))
		if d*3 < max(len(name), len(c))*2 && (best == "" || d < least) {
			best, least = c, d
		}
	}
	return best
}

// keywordNames are the names in keywords, allKeywords is their list.
var keywordNames, allKeywords = func() ([]string, string) {
	names := make([]string, len(keywords))
	for i := range keywords {
		names[i] = keywords[i].name
	}
	last := len(names) - 1
	return names, strings.Join(names[:last], ", ") + " or " + names[last]
}()

// nearestKeyword is nearest for keywords.
func nearestKeyword(name string) string {
	if to, ok := slips[strings.ToLower(name)]; ok {
		return to
	}
	return nearest(name, keywordNames)
}

// instead says what to write for a name that is none of candidates, which are
// listed in the sentence list.
func instead(name, list string, candidates []string) string {
	near := nearest(name, candidates)
	switch {
	case near == "":
		return "write " + list
	case strings.EqualFold(near, name):
		return "letter case matters: write " + near
	}
	return "write " + near
}

// diverges returns the first byte of s that is in none of candidates with the
// same beginning; len(s) if s is the beginning of one.
func diverges(s string, candidates []string) int {
	n := 0
	for _, c := range candidates {
		i := 0
		for i < len(s) && i < len(c) && s[i] == c[i] {
			i++
		}
		n = max(n, i)
	}
	return n
}
