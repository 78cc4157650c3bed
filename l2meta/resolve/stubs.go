package resolve

import (
	"maps"
	"slices"
)

// Stubs describes how generated code names the clients and servers of a gRPC service. "*"
// represents the name of the service.
type Stubs struct {
	// Clients are the types and functions that name a client: "New*Client".
	Clients []string
	// Nested holds suffixes of the service's own name that denote a client: "::NewStub".
	Nested []string
	// Servers are the base types whose subtypes implement a service.
	Servers []StubBase
	// Option is a type that each method of a generated client takes as a parameter, "" for none. It
	// identifies interfaces written by hand that declare some of the client's methods.
	Option string
	// Loaded means that programs load the .proto at run time: the service's own name constructs a
	// client, and a server is given an object of functions.
	Loaded bool
	// Given returns the argument of a registration that implements a service; false if the call
	// registers another service. It may be nil.
	Given func(call string, args []string, service string) (implementation string, ok bool)
}

// StubBase is a base type of implementations. Within is a text that its written form must contain,
// if its last name is ambiguous.
type StubBase struct{ Name, Within string }

// Language returns the descriptor of a language; the zero value for an unknown one.
func (w *World) Language(name string) Language { return w.languages[name] }

// LanguageNames returns the names of the languages, sorted.
func (w *World) LanguageNames() []string { return slices.Sorted(maps.Keys(w.languages)) }

// Together reports whether code of two languages calls each other directly.
func (w *World) Together(a, b string) bool { return a == b || w.languages.Together(a, b) }
