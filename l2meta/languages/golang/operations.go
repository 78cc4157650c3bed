package golang

import (
	"regexp"

	"sextant/l2meta/resolve"
)

// operations describes the names in code that oapi-codegen and openapi-generator generate. With
// oapi-codegen, a server type implements the generated interface without naming it. So its
// methods are recognized by their parameters: those of the router, http.ResponseWriter, or a
// request object.
var operations = resolve.Operations{Case: resolve.CasePascal,
	Servers: []resolve.OperationServer{
		{Signature: regexp.MustCompile(`\bhttp\.ResponseWriter\b|\becho\.Context\b|\*gin\.Context\b|\bfiber\.Ctx\b|` +
			`\biris\.Context\b|\w+RequestObject\b`),
			Mounts: []string{"HandlerFromMuxWithBaseURL", "RegisterHandlersWithBaseURL"}},
		{Signature: regexp.MustCompile(`\bImplResponse\b`)}, // the generator go-server of openapi-generator
		// go-swagger: GetItem(ctx context.Context, params items.GetItemParams) middleware.Responder
		{Signature: regexp.MustCompile(`\w+Params\b.* middleware\.Responder\b`)},
	},
	Affixes: []string{"*", "*WithResponse", "*WithBody", "*WithBodyWithResponse"}}
