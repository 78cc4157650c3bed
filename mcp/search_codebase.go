package mcp

import "sextant/internal/navigate/contract"

func searchCodebase() *tool {
	return &tool{
		name:  contract.ToolSearch,
		title: "Search code",
		about: "Find code by words, names or text: definitions, functions, classes, usages, where something is implemented. " +
			"Ranked results grouped by owning symbol, checked against the disk at the moment of the call, with the calls that open, outline or trace each. " +
			"path may be a repository, a folder in it, or a workspace of many services.\n" +
			`Operators in query: lang:go path:src/** -path:*_test.go kind:method service:api, ` +
			`must:Text (exhaustive case-sensitive substring, as complete as grep), regex:RE2 (exhaustive), exclude:Text; "quotes" keep spaces. ` +
			`Example: "session expiry lang:typescript -path:**/*.spec.ts".` + "\n" +
			"confidence low means nothing really matches; didYouMean has the nearest names when nothing bears the one asked for. What is not indexed yet is indexed first.",
		fields: append([]field{
			pathField("Absolute path of a root or folder."),
			{name: "query", kind: text, about: "Words, a name or a question, with operators.", required: true,
				example: `"where are sessions expired"`},
			{name: "scope", kind: text,
				about: "runtime: source, tests, build and deployment; docs: docs only; mixed: all (default of must:, regex:, exclude:). Exact names of symbols and files are found in all.", values: []string{"runtime", "mixed", "docs"}},
			{name: "resultMode", kind: text, about: "raw: chunks with their content.",
				values: []string{"grouped", "raw"}},
			{name: "groupBy", kind: text, values: []string{"symbol", "file"}},
			{name: "rankingMode", kind: text, about: "auto_changed_first boosts git-changed files.",
				values: []string{"auto_changed_first", "default"}},
			{name: "limit", kind: whole, min: 1, max: contract.MaxSearchLimit, byDef: contract.DefaultSearchLimit},
			{name: "service", kind: text, about: "Only this service of the workspace.", example: `"orders"`},
			{name: "detail", kind: text, about: "full: next calls on every result.",
				values: []string{"compact", "full"}},
			{name: "cursor", kind: text, about: "From the previous answer: continue."},
			{name: "debug", kind: truth, about: "Say in hints.debug how it was ranked."},
			{name: "disclosureLimit", kind: whole, hidden: true, min: 1, max: contract.MaxSearchLimit},
			{name: "debugMode", kind: text, hidden: true,
				values: []string{"none", "summary", "ranking", "freshness", "full"}},
			{name: "includeResultIndex", kind: truth, hidden: true},
		}, delivery()...),
		request: func() contract.Request { return &contract.SearchRequest{} },
		handle:  handler[contract.SearchRequest](Service.Search),
	}
}
