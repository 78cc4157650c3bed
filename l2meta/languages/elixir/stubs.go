package elixir

import "sextant/l2meta/resolve"

// stubs are patterns for the names in code that protoc-gen-elixir generates.
var stubs = resolve.Stubs{Nested: []string{".Stub"},
	Servers: []resolve.StubBase{{Name: "Service", Within: "*::Service"}}}
