package mcp

import "sextant/internal/navigate/contract"

func fileOutline() *tool {
	return &tool{
		name:  contract.ToolOutline,
		title: "Outline a file",
		about: "List the symbols declared in a file (functions, classes, methods, types) with signatures, parameters, annotations, doc and exact line spans, without reading it. " +
			"detail skeleton gives the file as text with bodies elided. resolveMode exact finds the definition of one symbol by symbolIdExact or symbolLabelExact.",
		fields: append([]field{
			pathField("Absolute path of the root or a folder."),
			{name: "file", kind: text, about: "Relative to the codebase root.", required: true,
				example: `"internal/server/server.go"`},
			lineField("start_line", "First line, 1-based."),
			lineField("end_line", "Last line, inclusive."),
			{name: "limitSymbols", kind: whole, min: 1, max: contract.MaxSymbolLimit,
				byDef: contract.DefaultSymbolLimit},
			{name: "resolveMode", kind: text, values: []string{"outline", "exact"}},
			{name: "symbolIdExact", kind: text},
			{name: "symbolLabelExact", kind: text},
			{name: "detail", kind: text, about: "full: with docs; skeleton: source without bodies.", values: []string{"summary", "full", "skeleton"}},
			{name: "exported", kind: truth, about: "Exported symbols only. Default true above 200 symbols."},
			{name: "cursor", kind: text, about: "From the previous answer: continue."},
		}, delivery()...),
		request: func() contract.Request { return &contract.OutlineRequest{} },
		handle:  handler[contract.OutlineRequest](Service.Outline),
	}
}
