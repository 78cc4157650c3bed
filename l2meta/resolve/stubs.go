package resolve

import (
	"maps"
	"slices"

	"sextant/internal/code"
)

// Stubs describes how generated code names the clients and servers of a gRPC service. "*"
// represents the name of the service.
type Stubs struct {
	// Spelled returns the name of a service as generated code spells it: ReaderService for
	// readerService. It is nil if generated code uses the name as it is.
	Spelled func(service string) string
	// Clients lists patterns for the types and functions that name a client: "New*Client".
	Clients []string
	// Makers are functions that make a client of the service that they are given, createClient(Orders, transport), and
	// Makes the libraries, by parts of their names, that have such functions.
	Makers, Makes []string
	// Injected is a member that files import in which the service's own name is the type of a client, such as
	// Quarkus' io.quarkus.grpc.GrpcClient, for @GrpcClient("orders") Orders orders; "" if there is none.
	Injected string
	// Nested are suffixes that turn the service's own name into a client: "::NewStub" for
	// Orders::NewStub in C++.
	Nested []string
	// Shared is a pattern for the interface that the generated client of a service and its implementations have in
	// common, "*Interface"; "" if there is none. A subtype with the name of a client is no implementation.
	Shared string
	// Servers lists the base types whose subtypes implement a service.
	Servers []StubBase
	// Option is a type that each method of a generated client takes as a parameter, such as Go's
	// CallOption; "" if there is none. An interface written by hand whose methods take it is
	// recognized as a part of a client.
	Option string
	// Loaded means that programs load the .proto file at run time: the service's own name
	// constructs a client, and a server gets an object with functions.
	Loaded bool
	// Passing lists methods that pass their receiver's value, or its elements, to a function as its first argument:
	// "then" and "map".
	Passing []string
	// Given returns the implementation that a call registers for a service: s for
	// RegisterOrdersServer(g, s). It returns false if the call registers another service. It may be
	// nil.
	Given func(call string, args []string, service string) (implementation string, ok bool)
	// Registered returns the name of the service that a call of generated code registers: Orders for
	// RegisterOrdersServer(g, s); "" if the text does not show it. With it, a service is known whose
	// .proto and generated code are in another repository. It may be nil.
	Registered func(call string) string
	// Handles reports whether a method with these parameters has the form that generated code demands
	// of a method of a service. It is not nil if Registered is not.
	Handles func(parameters []code.Parameter) bool
}

// Service returns the name of a service as generated code spells it.
func (s Stubs) Service(name string) string {
	if s.Spelled == nil {
		return name
	}
	return s.Spelled(name)
}

// StubBase is a base type of implementations of a service. If Name is ambiguous, Within is a text
// that the base as written must contain: Name "Service" and Within "*::Service" for
// class X < Orders::Service.
type StubBase struct{ Name, Within string }

// Language returns the descriptor of a language; the zero value for an unknown one.
func (w *World) Language(name string) Language { return w.languages[name] }

// LanguageNames returns the names of the languages, sorted.
func (w *World) LanguageNames() []string { return slices.Sorted(maps.Keys(w.languages)) }

// Together reports whether code of two languages calls each other directly.
func (w *World) Together(a, b string) bool { return a == b || w.languages.Together(a, b) }
