package php

import "sextant/l2meta/resolve"

// operations are the names of the clients that openapi-generator generates.
var operations = resolve.Operations{Case: resolve.CaseCamel, Affixes: []string{"*", "*WithHttpInfo", "*Async"}}
