// Package texts makes every short text of some symbols, for tests that leave
// none out.
package texts

// UpTo returns every text of start and up to longest symbols behind it, the
// shorter before the longer.
func UpTo(start string, symbols []string, longest int) []string {
	all := []string{start}
	for shorter := all; longest > 0; longest-- {
		var next []string
		for _, s := range shorter {
			for _, symbol := range symbols {
				next = append(next, s+symbol)
			}
		}
		all = append(all, next...)
		shorter = next
	}
	return all
}
