package services

import "sextant/internal/code"

// Idioms describes how programs of one language serve routes, make requests and exchange messages.
// The package of the language provides it.
type Idioms struct {
	// Names lists the names of functions whose calls are passed to Requests and Routes, in
	// addition to names that start with an HTTP method. A "*" at the end matches any rest.
	Names []string
	// Requests reads a call as a request, Routes records the routes and mounts that a call adds,
	// and Annotated records those of the annotations of a symbol. Each may be nil.
	Requests  func(r *Reader, c *code.Call) (Request, bool)
	Routes    func(r *Reader, c *code.Call)
	Annotated func(r *Reader, symbol int)
	// Whole records facts that cannot be read from single calls, such as a router that is passed to a function. It
	// runs once, after all calls. It may be nil.
	Whole func(r *Reader)
	// Fold evaluates expressions that only this language has, such as builders of URLs. It calls inner to evaluate a
	// part of the expression at its offset. It may be nil.
	Fold func(r *Reader, expr string, at int, inner Folding) (string, bool)
	// Arguments splits the text after the name of a call into arguments, for a language with calls
	// without parentheses. It may be nil.
	Arguments func(behind string) []string
	// Registers reports whether calls of this name pass an implementation to a gRPC server. It may
	// be nil.
	Registers func(callee string) bool
	// Messages holds the calls that publish or consume messages, by the name of the called
	// function. Listeners holds the annotations, and Handles the base types, of declarations that
	// do.
	Messages  map[string][]Message
	Listeners []Listener
	Handles   []Handles
	Carriers  []Carrier
	Listens   []Listens // the calls that start a server at a port
}

// Folding evaluates an expression at a byte offset of the file to a text: "/orders/{id}" for "/orders/" + id.
type Folding func(expr string, at int) string

// Request is a request as written in a call.
type Request struct {
	Method string // upper case, "" if not given
	Choice string // expression of the method if it is not a literal
	URL    string // expression of the URL
	Base   string // folded base address for a relative URL; "" means that of the receiver
	Sure   bool   // whether the call is certainly a request; if not, it counts only if its URL is one
	// Default names the library for which the service may set a base address for all requests. If it begins with a
	// "?", the call is a request only if the service does. See KeepDefaultBase.
	Default string
}
