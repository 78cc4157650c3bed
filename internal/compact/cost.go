package compact

import (
	"sextant/internal/navigate/contract"
)

// Cost returns a function that estimates how many tokens an answer to req, or a part of one, takes
// as text. Callers set it as contract.Delivery.Price.
func Cost(req contract.Request) func(part any) int {
	return func(part any) int {
		w := &writer{}
		switch p := part.(type) {
		case *contract.Group:
			if r, ok := req.(*contract.SearchRequest); ok && r.Later() && listed(r.GroupBy, r.ResultMode) {
				w.places(&contract.SearchAnswer{Results: contract.List[contract.SearchResult]{p}})
			} else {
				w.group(p, "")
			}
		case *contract.Chunk:
			w.chunk(p)
		case contract.OutlineSymbol:
			if r, ok := req.(*contract.OutlineRequest); ok {
				w.docs = r.Detail == contract.DetailFull
			}
			w.symbol(p, "")
		case contract.MapEntry:
			w.entry(p)
		case contract.MatchedLine:
			w.numbered([]contract.MatchedLine{p})
		case contract.Beside:
			w.beside(p)
		case string:
			w.WriteString(p)
		case *contract.GraphAnswer:
			w.graph(p, req.(*contract.GraphRequest))
		case *contract.SearchDebug:
			w.debug(p)
		case contract.DebugRank:
			w.debug(p)
		default:
			return envelope
		}
		return contract.Tokens(w.String())
	}
}

// envelope is the estimated number of tokens of a value that Cost cannot render as a part, such
// as an answer without its results. It is an upper bound.
const envelope = 40
