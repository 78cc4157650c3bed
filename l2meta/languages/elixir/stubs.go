package elixir

import "sextant/l2meta/resolve"

// stubs are patterns for the names in code that protoc-gen-elixir generates: Shop.Cart.Stub is the
// client of service Cart, and Shop.Cart.Service the base of its servers.
var stubs = resolve.Stubs{Nested: []string{".Stub"},
	Servers: []resolve.StubBase{{Name: "Service", Within: "*::Service"}}}
