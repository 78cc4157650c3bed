package jvm

import (
	"regexp"

	"sextant/l2meta/resolve"
)

// operations describes the names in code that openapi-generator and swagger-codegen generate.
var operations = resolve.Operations{Case: resolve.CaseCamel,
	Servers: []resolve.OperationServer{{Base: regexp.MustCompile(`^[A-Z]\w*(?:Api|ApiDelegate|ApiService)$`)}},
	Affixes: []string{"*", "*WithHttpInfo", "*WithResponseSpec", "*Async", "*Call"}}
