package rust

import "sextant/l2meta/resolve"

// stubs are patterns for the names in code that tonic-build generates.
var stubs = resolve.Stubs{Clients: []string{"*Client"}, Servers: []resolve.StubBase{{Name: "*"}}}
