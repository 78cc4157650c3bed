package typescript

import (
	"regexp"

	"sextant/l2meta/resolve"
)

// operations describes the names in code that openapi-generator, openapi-typescript-codegen, orval and the generator
// of RTK Query generate, and the functions that code passes to openapi-backend and similar libraries.
var operations = resolve.Operations{Case: resolve.CaseCamel,
	Servers: []resolve.OperationServer{
		{Import: regexp.MustCompile(`^(?:openapi-backend|express-openapi|exegesis(?:-express)?|fastify-openapi-glue)$`)}},
	Affixes: []string{"*", "*Raw", "use*", "use*Query", "use*Mutation"}}
