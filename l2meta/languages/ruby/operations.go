package ruby

import "sextant/l2meta/resolve"

// operations describes the names in clients that openapi-generator generates.
var operations = resolve.Operations{Case: resolve.CaseSnake, Affixes: []string{"*", "*_with_http_info"}}
