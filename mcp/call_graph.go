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
		about: "Call hierarchy of a symbol: who calls it (callers, references, impact of a change) and what it calls (callees), several levels deep. " +
			"Every edge carries its call site, evidence (proven by a language server, syntactic, lexical) and confidence; kind dynamic is possible dispatch through an interface or base class. What could not be resolved is counted and listed as notes, never guessed. " +
			`symbolRef: the reference that a search result or outline gave, or just a name: {"symbolLabel":"Server.Handle"}, "server.go:Handle", "server.go:42"; a class is traced with its methods, a file, folder or package ("internal/store", "shop.cart", "web/..." with all below) with its imports and importers. ` +
			"view tree reads best for deep traces. A cut answer has the call that goes on in truncated.next.",
		fields: append([]field{
			pathField("Absolute path of the root or a folder."),
			{name: "symbolRef", kind: object, about: "The symbol.", required: true, fields: symbolFields(),
				byString: refByString, example: `{"symbolLabel":"Server.Handle"}`},
			{name: "direction", kind: text, values: []string{"both", "callers", "callees"}},
			{name: "depth", kind: whole, min: 1, max: contract.MaxDepth, byDef: contract.DefaultDepth},
			{name: "limit", kind: whole, about: "Of edges.", min: 1, max: contract.MaxEdgeLimit,
				byDef: contract.DefaultEdgeLimit},
			{name: "view", kind: text, values: []string{"graph", "tree", "mermaid"}},
			{name: "detail", kind: text, about: "full: argument texts at each site, external calls as edges.",
				values: []string{"compact", "full"}},
			{name: "verify", kind: text,
				about:  "wait: until language servers have settled every edge or deadlineMs is over.",
				values: []string{"auto", "off", "wait"}},
			{name: "deadlineMs", kind: whole, about: "Stop with what is found.", min: 1, max: contract.MaxDeadline,
				byDef: contract.DefaultDeadline},
			{name: "crossService", kind: truth, about: "Follow gRPC and HTTP calls into other services. Default true."},
			{name: "minConfidence", kind: number, about: "0 to 1, default 0.5."},
			{name: "expand", kind: list, about: "Show edge by edge what is counted: tests, dynamic.", example: `["tests"]`},
			{name: "source", kind: truth, about: "The source line of each call site. Default true."},
			{name: "cursor", kind: text, about: "From the previous answer: continue."},
		}, delivery()...),
		request: func() contract.Request { return &contract.GraphRequest{} },
		handle:  handler[contract.GraphRequest](Service.CallGraph),
	}
}

// refByString converts a symbol reference given as a bare string: an instance,
// an id or a name.
func refByString(s string) map[string]any {
	id, _, instance := strings.Cut(s, "@")
	switch {
	case !code.SymbolID(id).Valid():
		return map[string]any{"symbolLabel": s}
	case instance:
		return map[string]any{"symbolId": id, "symbolInstanceId": s}
	}
	return map[string]any{"symbolId": s}
}
