// Package spelling finds what a misspelt name was meant to be.
package spelling

// maxEdits is how many letters of a name may be wrong.
const maxEdits = 2

// Nearest is the one of known that name becomes with the fewest letters
// inserted, dropped or replaced, the first of several; "" where all need more
// than two, or as many as name has.
func Nearest(name string, known []string) (near string) {
	best := min(maxEdits+1, len(name))
	for _, k := range known {
		if len(k)-len(name) >= best || len(name)-len(k) >= best {
			continue
		}
		if n := distance(name, k); n < best {
			near, best = k, n
		}
	}
	return near
}

// distance is the Levenshtein distance of two words in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
