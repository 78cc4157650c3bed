package contract

import (
	"strconv"
	"strings"
)

// RankCursor returns the cursor of search_codebase that continues after the given number of
// results, such as r5.481. list identifies the query and its scope; 0 leaves it out.
func RankCursor(shown int, list uint16) string {
	cursor := "r" + strconv.Itoa(shown)
	if list != 0 {
		cursor += "." + strconv.Itoa(int(list))
	}
	return cursor
}

// ParseRankCursor returns the number of results before a cursor, and the list that it belongs to, 0 if it
// names none. ok is false if the text is no such cursor.
func ParseRankCursor(cursor string) (shown int, list uint16, ok bool) {
	digits, ok := strings.CutPrefix(cursor, "r")
	digits, rest, listed := strings.Cut(digits, ".")
	shown, err := strconv.Atoi(digits)
	if !ok || err != nil || shown < 0 || shown > maxRank {
		return 0, 0, false
	}
	if !listed {
		return shown, 0, true
	}
	n, err := strconv.ParseUint(rest, 10, 16)
	return shown, uint16(n), err == nil
}

// maxRank bounds the number in a cursor. No answer ranks that many results.
const maxRank = 1000
