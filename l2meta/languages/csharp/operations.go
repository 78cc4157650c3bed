package csharp

import (
	"regexp"

	"sextant/l2meta/resolve"
)

// generatedBase matches the bases of controllers that NSwag and openapi-generator generate, rather than
// ASP.NET's own.
var generatedBase = regexp.MustCompile(
	`^(?:[A-Z]\w+(?:ControllerBase|ApiController|BaseController)|I[A-Z]\w*Controller)$`)

// operations are the names that NSwag and openapi-generator generate.
var operations = resolve.Operations{Case: resolve.CasePascal,
	Servers: []resolve.OperationServer{{Base: generatedBase}, {Base: generatedBase, Suffix: "Async"}},
	Affixes: []string{"*", "*Async", "*WithHttpInfo", "*WithHttpInfoAsync"}}
