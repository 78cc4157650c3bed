package typescript

import "sextant/l2meta/resolve"

// The names in code that grpc-tools, ts-proto and protobuf-ts generate, and the functions of Connect and nice-grpc that
// make clients of the services of such code.
var (
	clientMakers  = []string{"createClient", "createPromiseClient", "createCallbackClient"}
	makingClients = []string{"connectrpc", "bufbuild/connect", "nice-grpc"}

	passing = []string{"then", "forEach", "map", "filter", "find", "flatMap", "some", "every"}

	javascriptStubs = resolve.Stubs{Clients: []string{"*Client", "*PromiseClient"}, Loaded: true,
		Makers: clientMakers, Makes: makingClients, Passing: passing}
	typescriptStubs = resolve.Stubs{
		Clients: []string{"*Client", "*PromiseClient", "*ClientImpl"},
		Servers: []resolve.StubBase{{Name: "*Server"}, {Name: "I*Server"}, {Name: "*Implementation"},
			{Name: "*Controller"}},
		Loaded: true, Makers: clientMakers, Makes: makingClients, Passing: passing,
	}
)
