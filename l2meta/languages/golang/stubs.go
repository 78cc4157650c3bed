package golang

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// stubs lists the names of the clients and servers that protoc-gen-go-grpc, protoc-gen-go and
// connect-go generate for a gRPC service.
var stubs = resolve.Stubs{
	Spelled: asGenerated,
	Clients: []string{"*Client", "New*Client"},
	Servers: []resolve.StubBase{{Name: "Unimplemented*Server"}, {Name: "Unsafe*Server"},
		{Name: "Unimplemented*Handler"}},
	Option: "CallOption",
	Given: func(call string, args []string, service string) (string, bool) {
		if strings.HasPrefix(call, "New"+service+"Handler(") && len(args) > 0 { // of Connect
			return args[0], true
		}
		if !strings.HasPrefix(call, "Register"+service+"Server(") || len(args) < 2 {
			return "", false
		}
		return args[len(args)-1], true
	},
}

// asGenerated returns the name that protoc-gen-go gives to a service: StockItems for stock_items.
// The first letter becomes a capital, and so does a small letter that follows an underscore,
// which is dropped.
func asGenerated(service string) string {
	part := strings.Split(service, "_")
	out := code.Capitalized(part[0])
	for _, p := range part[1:] {
		if p == "" || p[0] < 'a' || p[0] > 'z' {
			out += "_"
		}
		out += code.Capitalized(p)
	}
	return out
}
