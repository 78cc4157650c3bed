package contract

import (
	"strconv"
	"strings"
)

// RankCursor returns the cursor of search_codebase that continues after the given number of
// results.
func RankCursor(shown int) string { return "r" + strconv.Itoa(shown) }

// ParseRankCursor returns the number of results before a cursor. ok is false if the text is no such
// cursor.
func ParseRankCursor(cursor string) (shown int, ok bool) {
	digits, ok := strings.CutPrefix(cursor, "r")
	shown, err := strconv.Atoi(digits)
	return shown, ok && err == nil && shown >= 0 && shown <= maxRank
}

// maxRank bounds the number in a cursor. No answer ranks that many results.
const maxRank = 1000
