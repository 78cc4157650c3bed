package typescript

import "sextant/l2meta/resolve"

// The names in code that grpc-tools, ts-proto and protobuf-ts generate.
var (
	javascriptStubs = resolve.Stubs{Clients: []string{"*Client", "*PromiseClient"}, Loaded: true}
	typescriptStubs = resolve.Stubs{
		Clients: []string{"*Client", "*PromiseClient", "*ClientImpl"},
		Servers: []resolve.StubBase{{Name: "*Server"}, {Name: "I*Server"}, {Name: "*Implementation"},
			{Name: "*Controller"}},
		Loaded: true,
	}
)
