package contract

import (
	"strconv"
	"strings"
)

// RankCursor returns the cursor of search_codebase that goes on behind a
// number of ranked results.
func RankCursor(shown int) string { return "r" + strconv.Itoa(shown) }

// ParseRankCursor returns the number of results that a cursor stands behind. It
// reports false for a text that is no such cursor.
func ParseRankCursor(cursor string) (shown int, ok bool) {
	digits, ok := strings.CutPrefix(cursor, "r")
	shown, err := strconv.Atoi(digits)
	return shown, ok && err == nil && shown >= 0 && shown <= maxRank
}

// maxRank bounds a cursor: more results than any answer can rank.
const maxRank = 1000
