package python

import "sextant/l2meta/resolve"

// operations describes the names in code that openapi-generator and openapi-python-client
// generate. For connexion it describes the functions that the operations of an OpenAPI document
// name.
var operations = resolve.Operations{Case: resolve.CaseSnake,
	Servers: []resolve.OperationServer{{Module: true}},
	Affixes: []string{"*", "*_with_http_info", "*_without_preload_content"},
	Runs:    []string{"sync", "sync_detailed", "asyncio", "asyncio_detailed"}}
