package mcp

import "sextant/internal/navigate/contract"

func searchCodebase() *tool {
	return &tool{
		name:  contract.ToolSearch,
		title: "Search code",
		about: "Find code by name, words, a question or exact text: where something is defined, used, configured. " +
			"Answers are places (path:first-last kind name) with the lines that tell most; a unique name gives that " +
			"symbol alone.\n" +
			`Operators in query: lang:go path:src/** -path:*_test.go kind:method service:api; annotation:Transactional param:Request returns:Future extends:Handler (every such declaration); must:Text (every line with it, complete as grep, case-sensitive), regex:RE2, exclude:Text; "quotes" keep spaces. ` +
			`Example: {"query":"session expiry -path:**/*.spec.ts"}`,
		fields: append([]field{
			pathField("Folder; default: the workspace."),
			{name: "query", kind: text, about: "Or a list of up to ten.", required: true, many: true,
				example: `"where are sessions expired"`},
			{name: "scope", kind: text,
				about:  "runtime: source, tests, build files; mixed: all (default of must:, regex:).",
				values: []string{"runtime", "mixed", "docs"}},
			{name: "resultMode", kind: text, about: "raw: chunks with all of their text.", hidden: true,
				values: []string{"grouped", "raw"}},
			{name: "groupBy", kind: text, values: []string{"symbol", "file"}},
			{name: "rankingMode", kind: text, about: "auto_changed_first lifts files that git says changed.",
				hidden: true, values: []string{"auto_changed_first", "default"}},
			{name: "limit", kind: whole, about: "0 only counts the matches.", zero: "countOnly", min: 1,
				max: contract.MaxSearchLimit, byDef: contract.DefaultSearchLimit},
			{name: "countOnly", kind: truth,
				about: "Count the matches of an exhaustive query and show none; limit 0 is the same.", hidden: true},
			{name: "service", kind: text, about: "As service: of query.", hidden: true, example: `"orders"`},
			{name: "context", kind: whole, max: contract.MaxContextLines},
			{name: "detail", kind: text, about: "full: next calls on every result, as JSON.", hidden: true,
				values: []string{"compact", "full"}},
			{name: "cursor", kind: text, about: "From the answer before."},
			{name: "disclosureLimit", kind: whole, hidden: true, min: 1, max: contract.MaxSearchLimit},
			{name: "debugMode", kind: text, hidden: true,
				values: []string{"none", "summary", "ranking", "freshness", "full"}},
			{name: "includeResultIndex", kind: truth, hidden: true},
		}, delivery()...),
		request: func() contract.Request { return &contract.SearchRequest{} },
		handle:  handler[contract.SearchRequest](Service.Search),
	}
}
