package mcp

import (
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

func callGraph() *tool {
	return &tool{
		name:  contract.ToolGraph,
		title: "Trace callers and callees",
		about: "Who calls a symbol and what it calls, at any depth and across services, with the source line of " +
			"each call: use it to trace, and before a change. " +
			"Edges are resolved, not matched by text; uncertain ones are marked, tests and dynamic dispatch counted " +
			"(see expand).\n" +
			`symbolRef: "Server.Handle", "server.go:Handle", "server.go:42". A class goes with its methods; a file, folder or package ("internal/store/...") with its imports. ` +
			`{"diff":"HEAD"}, a revision or A..B, is what that change touches: its callers, the tests to run. ` +
			`Example: {"symbolRef":"Server.Handle","direction":"callers","depth":3}`,
		fields: append([]field{
			pathField("Folder; default: the workspace."),
			{name: "symbolRef", kind: object, about: "Or a name, or a list.", required: true, many: true,
				fields:   symbolFields(),
				byString: refByString, example: `{"symbolLabel":"Server.Handle"}`},
			{name: "direction", kind: text, values: []string{"both", "callers", "callees"}},
			{name: "depth", kind: whole, min: 1, max: contract.MaxDepth, byDef: contract.DefaultDepth},
			{name: "limit", kind: whole, about: "Edges.", min: 1, max: contract.MaxEdgeLimit,
				byDef: contract.DefaultTextEdges},
			{name: "view", kind: text, values: []string{"graph", "tree", "mermaid"}},
			{name: "detail", kind: text,
				about:  "bodies: with the source of callers and callees; full: arguments, external calls.",
				values: []string{"compact", "full", "bodies"}},
			{name: "verify", kind: text,
				about:  "wait: ask language servers until deadlineMs.",
				values: []string{"auto", "off", "wait"}},
			{name: "deadlineMs", kind: whole, about: "Of verify, and of the walk.", hidden: true, min: 1,
				max: contract.MaxDeadline, byDef: contract.DefaultDeadline},
			{name: "crossService", kind: truth,
				about: "Follow gRPC, HTTP and message calls into other services; default true.", hidden: true},
			{name: "minConfidence", kind: number,
				about: "Leave out edges below this; default 0.5.", hidden: true, max: 1},
			{name: "expand", kind: list, about: "tests, dynamic.", example: `["tests"]`},
			{name: "include", kind: list, about: "Only these path globs, services.", example: `["src/**"]`},
			{name: "exclude", kind: list, example: `["*_test.go"]`},
			{name: "source", kind: truth, about: "The source line of each call site; default true as text.",
				hidden: true},
			{name: "cursor", kind: text, about: "From the answer before."},
		}, delivery()...),
		request: func() contract.Request { return &contract.GraphRequest{} },
		handle:  handler[contract.GraphRequest](Service.CallGraph),
	}
}

// refByString converts a symbol reference given as a bare string: a name, an id, or an
// id with a hash of the symbol's text, "ID@HASH".
func refByString(s string) map[string]any {
	id, _, instance := strings.Cut(s, "@")
	switch {
	case !code.SymbolID(id).Valid():
		return map[string]any{"symbolLabel": code.UnquotePath(s)}
	case instance:
		return map[string]any{"symbolId": id, "symbolInstanceId": s}
	}
	return map[string]any{"symbolId": s}
}
