package resolve

import (
	"maps"
	"slices"
)

// Stubs is how the code that is generated for a language names the clients and
// servers of a gRPC service. "*" stands for the name of the service.
type Stubs struct {
	// Clients are the types and functions that name a client: "New*Client".
	Clients []string
	// Nested is what stands behind the service's own name where a client is meant:
	// "::NewStub".
	Nested []string
	// Servers are the base types that make their subtypes implementations.
	Servers []StubBase
	// Option is a type that each method of a client takes, "" for none: by it an
	// interface of one's own is known that has some of them.
	Option string
	// Loaded says that programs load the .proto while they run: clients are made by
	// the service's own name, servers are given an object of functions.
	Loaded bool
	// Given returns the argument of a registration that implements a service; false
	// where the call registers another. It may be nil.
	Given func(call string, args []string, service string) (implementation string, ok bool)
}

// StubBase is a base type of implementations. Within is what it has to hold as
// written, where its last name says too little.
type StubBase struct{ Name, Within string }

// Language returns what the resolver knows of a language, the zero value of one
// that it does not know.
func (w *World) Language(name string) Language { return w.languages[name] }

// LanguageNames returns the names of the languages, sorted.
func (w *World) LanguageNames() []string { return slices.Sorted(maps.Keys(w.languages)) }

// Together reports whether code of two languages calls each other directly.
func (w *World) Together(a, b string) bool { return a == b || w.languages.Together(a, b) }
