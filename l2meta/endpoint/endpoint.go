// Package endpoint joins the services of a workspace: it links the call of a client with the
// declaration that handles it in another service.
//
// Both ends are facts of single files. The join is computed on demand, on one snapshot of the
// index, so an edit of either end, of the .proto or of a registration leaves no stale edge. Results
// are cached for the life of one generation of the index.
//
// For HTTP, an edge needs a route that matches the request's method and path, and evidence of the
// service that the request goes to: a host name, or a variable whose value is in a manifest or
// whose name is like a service's.
//
// For messages, an edge needs the same topic on both ends within one family of brokers, or the same
// type of the payload on buses that route by type.
//
// For gRPC, an edge needs the same method on both ends. The client's type names the service
// (NewCartClient, CartStub, Cart.CartClient …), the server's base type or registration names it
// (UnimplementedCartServer, CartServicer, CartImplBase, addService(…Cart.service, …)), and a .proto
// declares the method. If several declarations may handle a call, each is a candidate with a lower
// confidence.
//
// The parts form layers: workspace (declarations), network (hosts), reader (texts and their holes) and heritage
// (routes and requests of bases); on these routeFinder and requestFinder; on these httpJoiner, messageJoiner and
// rpcJoiner, which a Joiner asks.
//
// Terms: a hole is a part of a folded text that is not known in its file, in braces, such as
// "{env:CART_ADDR}/items". A reading is one way to fill the holes of a text by facts of other
// files. A helper is a function of the program that makes requests for its callers.
package endpoint

import (
	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// Crossing is a call that another declaration handles, usually one of another service.
type Crossing struct {
	Kind   code.EdgeKind // EdgeGRPC, EdgeHTTP or EdgeMessage
	File   *resolve.File // for a client that is only declared, the declaration
	Call   code.Call     // of a client that is only declared, the declaration
	Caller resolve.Ref   // the nearest callable around it, or the code of its file
	// Handler is the declaration that handles the call. It is the zero Ref if none in the workspace
	// does; then Why says what was searched.
	Handler    resolve.Ref
	At         code.Span // position of the handler, in Handler's file
	Why        string
	Outside    bool   // with no Handler: what handles it is known to be no part of the workspace
	Via        string // the full method, the route or the topic: "/shop.Cart/GetItem", "GET /items/{}", "orders"
	Confidence float64
	Strategy   string
	Provenance string   // evidence for both ends, one line
	Rests      []string // paths of the files that it depends on besides both ends
}

// Confidences of an edge by the number of possible handlers. The value for one is the lower end of
// the 95 % interval of the precision measured against hand-read truth of whole repositories. Of
// several handlers, at most one can be right.
const (
	confidenceOne     = 0.94
	confidenceSeveral = 0.5
)

func confidence(candidates int) float64 {
	if candidates == 1 {
		return confidenceOne
	}
	return confidenceSeveral
}

// maxFiles bounds the files that one search for clients reads, nearest first.
const maxFiles = 1000

// Joiner finds crossings on a resolver's snapshot of the index.
type Joiner struct {
	*workspace
	declared *declarer
	rpc      *rpcJoiner
	http     *httpJoiner
	messages *messageJoiner
}

// New returns a Joiner on the snapshot of r. services returns the services of its root; it is
// called only if a question needs them.
func New(r *resolve.Resolver, services func() []Service) *Joiner {
	ws := &workspace{r: r, w: r.World(), known: services}
	rd := &reader{&network{ws}}
	hr, dc, rj := &heritage{rd}, &declarer{reader: rd}, &rpcJoiner{ws}
	rf := &routeFinder{heritage: hr, rpc: rj, declared: dc}
	return &Joiner{workspace: ws, declared: dc, rpc: rj,
		http:     &httpJoiner{routeFinder: rf, sent: &requestFinder{heritage: hr, declared: dc, served: rf}},
		messages: &messageJoiner{reader: rd, declared: dc, served: rf}}
}

// Declared returns j with the calls that the workspace declares. given is called only if a question
// needs them.
func (j *Joiner) Declared(given func() Declarations) *Joiner {
	j.declared.declarations = given
	return j
}

// Prepare computes the data that all questions of a generation share: routes, requests, hosts and
// methods. Without it, the first question would compute them.
func (j *Joiner) Prepare() error {
	j.rpc.catalog()
	j.http.routes()
	j.http.sent.fetches()
	j.messages.messages(l2meta.RoleConsume)
	j.services()
	j.declared.hosts()
	return j.w.Err()
}

// Outgoing returns the calls of ref into other services, in document order.
func (j *Joiner) Outgoing(ref resolve.Ref) (out []Crossing, err error) {
	if j.rpc.mayCall(ref.File) {
		sites, err := j.r.Callees(ref)
		if err != nil {
			return nil, err
		}
		for i := range sites {
			out = append(out, j.rpc.rpcCall(&sites[i])...)
		}
	}
	out = append(out, j.http.requests(ref)...)
	out = append(out, j.messages.published(ref)...)
	return out, j.w.Err()
}

// Incoming returns the calls that ref handles, nearest files first.
func (j *Joiner) Incoming(ref resolve.Ref) (out []Crossing, err error) {
	if ref.Index >= 0 {
		out = j.rpc.rpcCallers(ref)
	}
	out = append(out, j.http.requesters(ref)...)
	return append(out, j.messages.publishers(ref)...), j.w.Err()
}
