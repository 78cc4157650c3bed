package endpoint

import (
	"sextant/internal/code"
	"sextant/l2meta/endpoint/rpc"
	"sextant/l2meta/resolve"
)

// StrategyRPC marks an edge from a gRPC client to its handler.
const StrategyRPC = "grpc_method"

// crossingsOf converts edges between gRPC clients and handlers into crossings. It returns nil for none.
func crossingsOf(edges []rpc.Edge) (out []Crossing) {
	for i := range edges {
		e := &edges[i]
		x := Crossing{Kind: code.EdgeGRPC, File: e.File, Call: *e.Call, Caller: e.Caller, Handler: e.Handler, Via: e.Via,
			Confidence: confidence(e.Among), Strategy: StrategyRPC, Provenance: e.How, Rests: e.Rests}
		if e.Handler.Valid() {
			x.At = e.At()
		} else {
			x.Why = "nothing in the workspace implements " + e.Via
		}
		out = append(out, x)
	}
	return out
}

// Ends returns the declarations that handle a method of a .proto, sorted by path and position, and the
// callables that call it, sorted by path for each spelling of its name, such as GetItem and get_item. It
// returns nil for any other symbol.
func (j *Joiner) Ends(method resolve.Ref) (handlers, clients []resolve.Ref, err error) {
	handlers, clients = j.rpc.Ends(method)
	return handlers, clients, j.World.Err()
}
