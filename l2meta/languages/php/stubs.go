package php

import "sextant/l2meta/resolve"

// stubs are patterns for the names of the classes that the plugins of gRPC and RoadRunner generate. RoadRunner's
// clients and services implement the same interface, through which programs call the client.
var stubs = resolve.Stubs{Clients: []string{"*Client"}, Shared: "*Interface",
	Servers: []resolve.StubBase{{Name: "*Interface"}}}
