package search

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/l1fts"
)

// pageAt is a position in a match list: a file, and a group of its lines.
type pageAt struct {
	file, group int
	list        uint16 // identifies the list, see listed; 0 if it is not known
}

func (p pageAt) cursor(generation int64) string {
	text := fmt.Sprintf("%d.%d@%d", p.file, p.group, generation)
	if p.list != 0 {
		text += fmt.Sprintf(".%d", p.list)
	}
	return text
}

// belongs reports whether p may be a position in the list.
func (p pageAt) belongs(list uint16) bool { return p.list == 0 || p.list == list }

// listed returns a number that identifies the match list of the request. Requests whose matches,
// or groups of lines, differ have the same number in one of 65,535 cases. It is never 0.
func (r *search) listed() uint16 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%q %q %q %q %q", r.query.Raw, r.filter.Prefix, r.req.Scope, r.filter.Dirs, r.req.GroupBy)
	return uint16(h.Sum32()%math.MaxUint16 + 1)
}

// rankLists bounds the number that tells the lists of ranked results apart. It is small, because every answer
// with more results shows it.
const rankLists = 999

// rankListed returns a number as listed does, for a request whose ranked results are others.
func (r *search) rankListed() uint16 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d %q %q", r.listed(), r.req.ResultMode, r.req.RankingMode)
	return uint16(h.Sum32()%rankLists + 1)
}

// foreignCursor returns the error for a cursor that the answer to another query contained.
func foreignCursor(cursor string) error {
	return refuseCursor("%q belongs to another query: expected the cursor of an answer to the same path, query, "+
		"scope, service and groupBy; leave cursor out to start over", contract.Clip(cursor))
}

// refuseCursor returns the error for a cursor that cannot be used.
func refuseCursor(format string, args ...any) error {
	return &contract.InvalidArguments{Tool: contract.ToolSearch,
		Problems: []contract.Problem{{Field: "cursor", Message: fmt.Sprintf(format, args...)}}}
}

// CheckCursor returns *InvalidArguments for a cursor that no answer to the query contains.
func CheckCursor(query *l1fts.Query, cursor string) error {
	_, _, ok := contract.ParseRankCursor(cursor)
	if query.Exhaustive() || !ok && withSubtypes(query.Raw) != "" {
		_, ok = parsePageCursor(cursor, 0, &contract.Warnings{})
	}
	if !ok && cursor != "" {
		return refuseCursor("%q is not a cursor of search_codebase: expected the cursor of an answer to the same query; "+
			"leave cursor out to start over", contract.Clip(cursor))
	}
	return nil
}

// parsePageCursor parses a cursor such as "12.0@345.6789": file 12, its first group of lines, generation 345
// of the index, list 6789. ok is false for an invalid cursor. A cursor of another generation is accepted with a
// warning.
func parsePageCursor(cursor string, generation int64, warnings *contract.Warnings) (p pageAt, ok bool) {
	if cursor == "" {
		return p, true
	}
	at, gen, _ := strings.Cut(cursor, "@")
	gen, list, listed := strings.Cut(gen, ".")
	file, group, ok := strings.Cut(at, ".")
	f, err1 := strconv.Atoi(file)
	g, err2 := strconv.Atoi(group)
	l, err3 := strconv.ParseUint(list, 10, 16)
	if !ok || err1 != nil || err2 != nil || listed && err3 != nil || f < 0 || g < 0 {
		return p, false
	}
	if gen != strconv.FormatInt(generation, 10) {
		warnings.Add(contract.Warning{Code: "CURSOR_SHIFTED", Severity: contract.SeverityCaution,
			Message: "Files changed since the cursor was made; matches may repeat or be left out. Repeat the query " +
				"without a cursor for a clean list."})
	}
	return pageAt{f, g, uint16(l)}, true
}
