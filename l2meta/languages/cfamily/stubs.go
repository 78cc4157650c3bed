package cfamily

import "sextant/l2meta/resolve"

// The names that the plugin of gRPC for C++ gives; headers may count as C.
var (
	cStubs   = resolve.Stubs{Nested: []string{"::Stub", "::NewStub"}}
	cppStubs = resolve.Stubs{Nested: []string{"::Stub", "::NewStub"},
		Servers: []resolve.StubBase{{Name: "Service", Within: "*::Service"}}}
)
