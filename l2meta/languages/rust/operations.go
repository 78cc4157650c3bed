package rust

import "sextant/l2meta/resolve"

// operations are the names of the clients that openapi-generator generates.
var operations = resolve.Operations{Case: resolve.CaseSnake, Affixes: []string{"*"}}
