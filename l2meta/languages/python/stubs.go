package python

import (
	"strings"

	"sextant/l2meta/resolve"
)

// stubs lists the names of the clients and servers that grpcio-tools generates for a gRPC
// service.
var stubs = resolve.Stubs{
	Clients: []string{"*Stub", "*AsyncStub"},
	Servers: []resolve.StubBase{{Name: "*Servicer"}},
	Given: func(call string, args []string, service string) (string, bool) {
		if !strings.HasPrefix(call, "add_"+service+"Servicer_to_server(") || len(args) == 0 {
			return "", false
		}
		return args[0], true
	},
}
