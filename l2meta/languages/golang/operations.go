package golang

import (
	"regexp"

	"sextant/l2meta/resolve"
)

// operations are the names that oapi-codegen and openapi-generator generate. The types of oapi-codegen's servers
// name no interface: a handler takes what its router hands to it, a strict one an object of its own.
var operations = resolve.Operations{Case: resolve.CasePascal,
	Servers: []resolve.OperationServer{
		{Signature: regexp.MustCompile(`\bhttp\.ResponseWriter\b|\becho\.Context\b|\*gin\.Context\b|\bfiber\.Ctx\b|` +
			`\biris\.Context\b|\w+RequestObject\b`),
			Mounts: []string{"HandlerFromMuxWithBaseURL", "RegisterHandlersWithBaseURL"}},
		{Signature: regexp.MustCompile(`\bImplResponse\b`)}, // go-server
	},
	Affixes: []string{"*", "*WithResponse", "*WithBody", "*WithBodyWithResponse"}}
