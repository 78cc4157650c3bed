package typescript

import (
	"regexp"

	"sextant/l2meta/resolve"
)

// operations are the names that openapi-generator, openapi-typescript-codegen, orval and the code generator of
// RTK Query generate, and the functions that openapi-backend and its like are given.
var operations = resolve.Operations{Case: resolve.CaseCamel,
	Servers: []resolve.OperationServer{
		{Import: regexp.MustCompile(`^(?:openapi-backend|express-openapi|exegesis(?:-express)?|fastify-openapi-glue)$`)}},
	Affixes: []string{"*", "*Raw", "use*", "use*Query", "use*Mutation"}}
