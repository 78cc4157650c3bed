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
	Registered: func(call string) string {
		name, _, _ := strings.Cut(call, "(")
		service, ok := strings.CutSuffix(strings.TrimPrefix(name, "Register"), "Server")
		if !ok || service == "" || len(service)+len("RegisterServer") != len(name) || strings.HasSuffix(service, "HTTP") {
			return "" // RegisterOrdersHTTPServer of Kratos registers routes
		}
		return service
	},
	Handles: func(list []code.Parameter) bool {
		if len(list) == 2 && list[0].Type == "context.Context" {
			return strings.HasPrefix(list[1].Type, "*")
		}
		return len(list) > 0 && len(list) < 3 && streams(list[len(list)-1].Type)
	},
}

// streams reports whether a type is that of a stream which generated code gives to a server's method:
// pb.Orders_WatchServer, grpc.ServerStreamingServer[pb.Event].
func streams(of string) bool {
	_, method, ok := strings.Cut(of, "_")
	return ok && strings.HasSuffix(method, "Server") || strings.Contains(of, "grpc.") && strings.Contains(of, "StreamingServer[")
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
