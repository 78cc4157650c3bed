package callgraph_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestHandlersWithoutCallersSayWhatTheyAnswer checks that the absence of callers of a route's handler is not
// said without the route: the client here builds an address that nothing tells.
func TestHandlersWithoutCallersSayWhatTheyAnswer(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"api/pyproject.toml": "[project]\nname = \"api\"\ndependencies = [\"fastapi\"]\n",
		"api/main.py": "from fastapi import FastAPI\n\napp = FastAPI()\n\n" +
			"@app.get('/items/{id}')\ndef list_items(id):\n    return []\n\n" +
			"def unused():\n    pass\n",
		"web/package.json": `{"name": "web", "dependencies": {"axios": "1"}}`,
		"web/client.js": "const axios = require('axios');\nfunction load(routes) { return " +
			"axios.get(routes.items); }\n",
	})
	for label, want := range map[string][]string{"list_items": {"GET /items/{}"}, "unused": nil} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label},
			Direction: contract.DirectionCallers})
		if e := a.InboundCoverageEvidence; e == nil || !slices.Equal(e.Serves, want) {
			t.Errorf("%s: %+v, want %q, with %+v", label, e, want, a.Edges)
		}
	}
}
