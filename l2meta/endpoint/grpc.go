package endpoint

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// StrategyRPC marks an edge from a gRPC client to its handler.
const StrategyRPC = "grpc_method"

// crossingsOf converts edges between gRPC clients and handlers into crossings. It returns nil for none.
func crossingsOf(edges []rpcEdge) (out []Crossing) {
	for i := range edges {
		e := &edges[i]
		x := Crossing{Kind: code.EdgeGRPC, File: e.file, Call: *e.call, Caller: e.caller, Handler: e.handler, Via: e.via,
			Confidence: confidence(e.among), Strategy: StrategyRPC, Provenance: e.how, Rests: e.rests}
		if e.handler.Valid() {
			x.At = e.handler.Symbol().Span
		} else {
			x.Why = "nothing in the workspace implements " + e.via
		}
		out = append(out, x)
	}
	return out
}

// Ends returns the declarations that handle a method of a .proto, sorted by path and position, and the
// callables that call it, sorted by path for each spelling of its name, such as GetItem and get_item. It
// returns nil for any other symbol.
func (j *Joiner) Ends(method resolve.Ref) (handlers, clients []resolve.Ref, err error) {
	handlers, clients = j.rpc.ends(method)
	return handlers, clients, j.World.Err()
}
