package search

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// joinOverloads keeps only the best of the functions that share a qualified name in one file, and
// stores the lines of the others in its overloads. To a caller who asks where something is done,
// overloads are one thing, and would displace other results. If the query is a single word, all
// overloads stay, because the query may mean any of them.
func (r *search) joinOverloads(found []candidate) []candidate {
	if r.req.GroupBy != contract.GroupBySymbol || r.req.ResultMode == contract.ResultsRaw ||
		len(strings.Fields(r.query.Text)) == 1 {
		return found
	}
	type name struct {
		file      int64
		kind      code.Kind
		qualified string
	}
	best := map[name]int{} // indexes of out
	var out []candidate
	for i := range found {
		c := found[i]
		if c.row == nil || !c.row.Symbol.Kind.Callable() || c.row.Symbol.Kind == code.KindTest {
			out = append(out, c)
			continue
		}
		s := &c.row.Symbol
		n := name{c.fileID, s.Kind, s.QualifiedName}
		at, again := best[n]
		if !again {
			best[n] = len(out)
			out = append(out, c)
			continue
		}
		out[at].overloads = append(out[at].overloads, contract.Lines(s.Span))
	}
	for i := range out {
		slices.SortFunc(out[i].overloads, func(a, b contract.LineSpan) int {
			return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine))
		})
	}
	return out
}
