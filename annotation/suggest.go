package annotation

import "strings"

// maxName is the longest name for which a near one is looked for.
const maxName = 64

// nearest returns the candidate that a person who wrote name most likely
// meant, or "". What was written is more of a hint than what was not, so a
// letter to take away counts as three to add: path-add is path-prefix-add
// rather than path. Three in four letters must be right.
func nearest(name string, candidates []string) string {
	name = strings.ToLower(name)
	if len(name) > maxName {
		return ""
	}
	best, least := "", 0
	for _, c := range candidates {
		common := commonLetters(name, strings.ToLower(c))
		if common*4 < len(name)*3 || common == 0 {
			continue
		}
		if cost := 3*(len(name)-common) + len(c) - common; best == "" || cost < least {
			best, least = c, cost
		}
	}
	return best
}

// commonLetters returns the length of the longest common subsequence.
func commonLetters(a, b string) int {
	var row [maxName + 1]int // for the part of b read so far and each prefix of a
	for j := range len(b) {
		diagonal := 0
		for i := range len(a) {
			above := row[i+1]
			if a[i] == b[j] {
				row[i+1] = diagonal + 1
			} else {
				row[i+1] = max(above, row[i])
			}
			diagonal = above
		}
	}
	return row[len(a)]
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
