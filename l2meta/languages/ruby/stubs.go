package ruby

import "sextant/l2meta/resolve"

// stubs are the names that grpc-tools gives.
var stubs = resolve.Stubs{Nested: []string{"::Stub"},
	Servers: []resolve.StubBase{{Name: "Service", Within: "*::Service"}}}
