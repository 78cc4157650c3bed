package ruby

import "sextant/l2meta/resolve"

// stubs are patterns for the names in code that grpc-tools generates.
var stubs = resolve.Stubs{Nested: []string{"::Stub"},
	Servers: []resolve.StubBase{{Name: "Service", Within: "*::Service"}}}
