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
// For gRPC, an edge needs the same method on both ends: see package rpc. If several declarations may
// handle a call, each is a candidate with a lower confidence.
//
// The parts form layers, lowest first. Package lookup finds declarations, hosts finds services by host names, and
// values fills the holes of texts; each is built on those before it. rpc joins gRPC calls with their handlers and needs
// lookup alone. In this package, heritage finds the routes and requests that types inherit. routeFinder and
// requestFinder are built on these, and httpJoiner and messageJoiner on those two. A Joiner asks both and rpc.
//
// Terms: to fold an expression is to compute its text from its own file. A part that is not known there becomes a
// hole in braces: "{env:CART_ADDR}/items". A reading of a text is one way to fill its holes by facts of other files.
// A helper is a function of the program that makes requests for its callers. An end of a message is a call or
// declaration that publishes or consumes it. An entry is a call, annotation or list item that may register a route; it
// counts as a route if a request leads to it. An idiom is a rule of package services for a library. A place is the
// target of a host name or port: the root of a service, or the folder or file of a program. A note is an edge without a
// handler, which says why there is none.
package endpoint

import (
	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/rpc"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
)

// Crossing is a call that another declaration handles, usually one of another service.
type Crossing struct {
	Kind   code.EdgeKind // EdgeGRPC, EdgeHTTP or EdgeMessage
	File   *resolve.File // file of the call, or of the declaration of a client that is only declared
	Call   code.Call     // the call; for a client that is only declared, a call with the position of the declaration
	Caller resolve.Ref   // the innermost callable around the call, or the top-level code of File
	// Handler is the declaration that handles the call. It is the zero Ref if none in the workspace
	// does; then Why says what was searched.
	Handler    resolve.Ref
	At         code.Span // position of the handler, in Handler's file
	Why        string
	Outside    bool   // Handler is zero, and the request is known to leave the workspace
	Via        string // the full method, the route or the topic: "/shop.Cart/GetItem", "GET /items/{}", "orders"
	Confidence float64
	Strategy   string
	Provenance string   // evidence for the call and the handler, one line
	Rests      []string // paths of other files that the edge depends on
	// together names the place of a rule that sends one request to several services. Edges of one such place are
	// no alternatives. It is "" for all other edges.
	together string
}

// These constants are the confidences of an edge by the number of possible handlers. The value
// for one handler is the lower end of the 95 % interval of the precision, measured on whole
// repositories whose true edges were read by hand. Of several handlers, at most one can be right.
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

// Joiner finds the calls into other services (crossings) on a resolver's snapshot of the index.
type Joiner struct {
	*lookup.Workspace
	declared *declarer
	rpc      *rpc.Joiner
	http     *httpJoiner
	messages *messageJoiner
}

// New returns a Joiner on the snapshot of r. services returns the services of its root; it is
// called only if a question needs them.
func New(r *resolve.Resolver, services func() []lookup.Service) *Joiner {
	ws := lookup.New(r, services)
	rd := &values.Reader{Network: &hosts.Network{Workspace: ws}}
	hr, dc, rj := &heritage{rd}, &declarer{Reader: rd}, &rpc.Joiner{Workspace: ws}
	rf := &routeFinder{heritage: hr, rpc: rj, declared: dc}
	return &Joiner{Workspace: ws, declared: dc, rpc: rj,
		http:     &httpJoiner{routeFinder: rf, sent: &requestFinder{heritage: hr, declared: dc, served: rf}},
		messages: &messageJoiner{Reader: rd, declared: dc, served: rf}}
}

// Declared gives j the calls that the workspace declares in sextant.toml, and returns j. given is called only if a
// question needs them. Arguments of constructors are read from the same texts.
func (j *Joiner) Declared(given func() Declarations) *Joiner {
	j.declared.declarations = given
	j.declared.Source = func(path string, hash code.Hash) []byte {
		if text := given().Text; text != nil {
			return text(path, hash)
		}
		return nil
	}
	return j
}

// Prepare computes the data that all questions share until the index changes: routes, requests,
// hosts, gRPC methods, and the declarations that make or handle requests or messages (ends). A
// question about any other declaration then needs no other data. Without Prepare, the first
// question computes the data.
func (j *Joiner) Prepare() error {
	j.rpc.Prepare()
	j.prepareEnds()
	j.Services()
	j.declared.Settings()
	return j.World.Err()
}

// Outgoing returns the calls of ref into other services, in document order.
func (j *Joiner) Outgoing(ref resolve.Ref) (out []Crossing, err error) {
	if j.rpc.MayCall(ref.File) {
		sites, err := j.Resolver.Callees(ref)
		if err != nil {
			return nil, err
		}
		for i := range sites {
			out = append(out, crossingsOf(j.rpc.Calls(&sites[i]))...)
		}
	}
	out = append(out, j.http.requests(ref)...)
	out = append(out, j.messages.published(ref)...)
	return out, j.World.Err()
}

// Incoming returns the calls that ref handles: first those by gRPC, then by HTTP, then messages.
func (j *Joiner) Incoming(ref resolve.Ref) (out []Crossing, err error) {
	out = append(crossingsOf(j.rpc.Callers(ref)), j.http.requesters(ref)...)
	return append(out, j.messages.publishers(ref)...), j.World.Err()
}
