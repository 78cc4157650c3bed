package compact

import (
	"sextant/internal/navigate/contract"
)

// Cost returns a function that estimates how many tokens an answer to req, or a part of one, takes
// as text. It is used as Delivery.Price.
func Cost(req contract.Request) func(part any) int {
	return func(part any) int {
		w := &writer{}
		switch p := part.(type) {
		case *contract.Group:
			w.group(p, "")
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

// envelope is an upper bound of the tokens of an answer apart from the parts that Cost prices one
// by one.
const envelope = 40
