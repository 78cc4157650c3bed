package csharp

import (
	"regexp"

	"sextant/l2meta/resolve"
)

// generatedBase matches the base classes that NSwag and openapi-generator generate for
// controllers. It matches none of the base classes of ASP.NET.
var generatedBase = regexp.MustCompile(
	`^(?:[A-Z]\w+(?:ControllerBase|ApiController|BaseController)|I[A-Z]\w*Controller)$`)

// operations describes the names in code that NSwag and openapi-generator generate.
var operations = resolve.Operations{Case: resolve.CasePascal,
	Servers: []resolve.OperationServer{{Base: generatedBase}, {Base: generatedBase, Suffix: "Async"}},
	Affixes: []string{"*", "*Async", "*WithHttpInfo", "*WithHttpInfoAsync"}}
