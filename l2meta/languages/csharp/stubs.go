package csharp

import (
	"strings"

	"sextant/l2meta/resolve"
)

// stubs lists the names of the clients and servers that Grpc.Tools generates for a gRPC service.
var stubs = resolve.Stubs{
	Clients: []string{"*Client"},
	Servers: []resolve.StubBase{{Name: "*Base"}},
	Given: func(call string, _ []string, _ string) (string, bool) {
		generic, _, _ := strings.Cut(strings.TrimPrefix(call, "MapGrpcService<"), ">")
		return generic, true
	},
}
