package rust

import "sextant/l2meta/resolve"

// stubs are the names that tonic-build gives.
var stubs = resolve.Stubs{Clients: []string{"*Client"}, Servers: []resolve.StubBase{{Name: "*"}}}
