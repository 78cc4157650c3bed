package python

import "sextant/l2meta/resolve"

// operations describes the names in code that openapi-generator and openapi-python-client generate, and the functions
// that an operation in a document names for connexion.
var operations = resolve.Operations{Case: resolve.CaseSnake,
	Servers: []resolve.OperationServer{{Module: true}},
	Affixes: []string{"*", "*_with_http_info", "*_without_preload_content"},
	Runs:    []string{"sync", "sync_detailed", "asyncio", "asyncio_detailed"}}
