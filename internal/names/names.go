// Package names finds the name that was meant.
package names

// longest is the number of bytes of a name for which a near one is looked for.
const longest = 64

// Nearest returns the candidate that name becomes with the fewest bytes put in,
// taken out or replaced, the first of several. It is "" if all are further than
// a third of the name, or two bytes, or if name is longer than any name would be.
// Its time is linear in the candidates' bytes.
func Nearest(name string, candidates []string) string {
	if len(name) > longest {
		return ""
	}
	best, least := "", max(2, len(name)/3)+1
	for _, c := range candidates {
		if d := Edits(name, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// Edits returns how many bytes must be put in, taken out or replaced to make b of
// a: Levenshtein's distance. It takes time in proportion to the product of their
// lengths, and does not allocate for a of at most 64 bytes.
func Edits(a, b string) int {
	var space [longest + 1]int
	row := space[:] // from each beginning of a to what of b is read
	if len(a) > longest {
		row = make([]int, len(a)+1)
	}
	for i := range len(a) {
		row[i+1] = i + 1
	}
	for j := range len(b) {
		corner := row[0]
		row[0]++
		for i := range len(a) {
			replaced := corner
			if a[i] != b[j] {
				replaced++
			}
			corner = row[i+1]
			row[i+1] = min(replaced, row[i+1]+1, row[i]+1)
		}
	}
	return row[len(a)]
}
