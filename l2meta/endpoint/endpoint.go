// Package endpoint joins the services of a workspace: the call of a client
// with the declaration that answers it in another service.
//
// Both ends are facts of single files, and the join is made when it is asked
// for, on one snapshot of the index: an edit of either end, of the .proto or of
// a registration leaves no stale edge. What one generation of the index was
// asked for is kept for its life.
//
// For HTTP it is a route that the request's method and path meet, and what says
// which service the request goes to: the name of a host, or a variable with its
// value in a manifest or a name like the service's.
//
// For messages it is the topic that both ends name within one family of brokers,
// or the type of the payload on buses that go by it.
//
// An edge wants evidence on both ends. For gRPC that is the full method: the
// client's type names the service (NewCartClient, CartStub, Cart.CartClient …),
// the server's base type or its registration does (UnimplementedCartServer,
// CartServicer, CartImplBase, addService(…Cart.service, …)), and a .proto
// declares the method. Where several declarations may answer, each is a
// candidate with a confidence that says so.
package endpoint

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// Crossing is a call that another declaration answers, mostly one of another
// service.
type Crossing struct {
	Kind   code.EdgeKind // EdgeGRPC, EdgeHTTP or EdgeMessage
	File   *resolve.File // of the call
	Call   code.Call     // of a client that is only declared, the declaration
	Caller resolve.Ref   // the nearest callable around it, or the code of its file
	// Handler is what answers; the zero Ref when nothing in the workspace does,
	// and then Why says what was looked for.
	Handler    resolve.Ref
	At         code.Span // of what answers, in Handler's file
	Why        string
	Via        string // the full method, the route or the topic: "/shop.Cart/GetItem", "GET /items/{}", "orders"
	Confidence float64
	Strategy   string
	Provenance string   // how both ends were found, one line
	Rests      []string // paths of the files that it rests on beside both ends
}

// Confidences of an edge by the number of declarations that may answer: one is
// what the hand-read truth of whole repositories bears out at the lower end of
// its 95 % interval; of several, no more than one can be right.
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

// Joiner finds crossings on the snapshot of a resolver.
type Joiner struct {
	r     *resolve.Resolver
	w     *resolve.World
	known func() []Service
}

// New joins on the snapshot of r. services gives those of its root: few questions
// come to ask for them.
func New(r *resolve.Resolver, services func() []Service) *Joiner {
	return &Joiner{r, r.World(), services}
}

type servicesKey struct{}

// services returns put in order once a generation: the manifests that make them are
// files of the index.
func (j *Joiner) services() *serviceList {
	return resolve.Derive(j.w, servicesKey{}, func() *serviceList { return newServiceList(j.known()) })
}

// Prepare derives what the questions of one generation share, of which the
// first would wait for it: all routes, requests, hosts and methods.
func (j *Joiner) Prepare() error {
	j.catalog()
	j.routes()
	j.fetches()
	j.messages(l2meta.RoleConsume)
	j.services()
	j.hosts()
	return j.w.Err()
}

// Outgoing returns the calls of ref that another service answers, in document order.
func (j *Joiner) Outgoing(ref resolve.Ref) (out []Crossing, err error) {
	if j.mayCall(ref.File) {
		sites, err := j.r.Callees(ref)
		if err != nil {
			return nil, err
		}
		for i := range sites {
			out = append(out, j.rpcCall(&sites[i])...)
		}
	}
	out = append(out, j.requests(ref)...)
	out = append(out, j.published(ref)...)
	return out, j.w.Err()
}

// mayCall is false for most files, at the cost of a look at their calls.
func (j *Joiner) mayCall(f *resolve.File) bool {
	c := j.catalog()
	if len(c.methods) == 0 {
		return false
	}
	return slices.ContainsFunc(f.Calls(), func(call code.Call) bool { return c.methods[call.Callee] != nil })
}

// Incoming returns the calls that ref answers, nearest files first.
func (j *Joiner) Incoming(ref resolve.Ref) (out []Crossing, err error) {
	if ref.Index >= 0 {
		out = j.rpcCallers(ref)
	}
	out = append(out, j.requesters(ref)...)
	return append(out, j.publishers(ref)...), j.w.Err()
}
