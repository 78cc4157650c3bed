package php

import "sextant/l2meta/resolve"

// stubs are the names that the plugins of gRPC and RoadRunner generate.
var stubs = resolve.Stubs{Clients: []string{"*Client"}, Servers: []resolve.StubBase{{Name: "*Interface"}}}
