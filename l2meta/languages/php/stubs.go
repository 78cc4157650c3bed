package php

import "sextant/l2meta/resolve"

// stubs are patterns for the names of the classes that the plugins of gRPC and
// RoadRunner generate.
var stubs = resolve.Stubs{Clients: []string{"*Client"}, Servers: []resolve.StubBase{{Name: "*Interface"}}}
