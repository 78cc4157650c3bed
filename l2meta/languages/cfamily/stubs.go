package cfamily

import "sextant/l2meta/resolve"

// These tables list the names of client and server types in the code that the C++ plugin of gRPC
// generates from a service definition. C has one, too, because headers may be read as C.
var (
	cStubs   = resolve.Stubs{Nested: []string{"::Stub", "::NewStub"}}
	cppStubs = resolve.Stubs{Nested: []string{"::Stub", "::NewStub"},
		Servers: []resolve.StubBase{{Name: "Service", Within: "*::Service"}}}
)
