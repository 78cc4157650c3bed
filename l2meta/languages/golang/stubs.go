package golang

import (
	"strings"

	"sextant/l2meta/resolve"
)

// stubs are the names that protoc-gen-go-grpc, protoc-gen-go and connect-go generate.
var stubs = resolve.Stubs{
	Clients: []string{"*Client", "New*Client"},
	Servers: []resolve.StubBase{{Name: "Unimplemented*Server"}, {Name: "Unsafe*Server"},
		{Name: "Unimplemented*Handler"}},
	Option: "CallOption",
	Given: func(call string, args []string, service string) (string, bool) {
		if !strings.HasPrefix(call, "Register"+service+"Server(") || len(args) < 2 {
			return "", false
		}
		return args[len(args)-1], true
	},
}
