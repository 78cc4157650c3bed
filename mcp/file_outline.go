package mcp

import "sextant/internal/navigate/contract"

func fileOutline() *tool {
	return &tool{
		name:  contract.ToolOutline,
		title: "Outline a file or a folder",
		about: "The declarations of a file (functions, classes, methods, types) with line spans and signatures, " +
			"nested: use it instead of reading a long file. " +
			"Of a folder: its services, files with their main symbols, and folders; use it instead of ls. " +
			`Example: {"file":"internal/server"}`,
		fields: append([]field{
			pathField("Folder; default: the workspace."),
			{name: "file", kind: text, place: true,
				about: "A file or a folder, relative to the root; or a list. Default: path.", many: true,
				example: `"internal/server/server.go"`},
			lineField("start_line", ""),
			lineField("end_line", ""),
			{name: "limitSymbols", kind: whole, about: "Symbols of one page.", hidden: true, min: 1,
				max: contract.MaxSymbolLimit, byDef: contract.DefaultSymbolLimit},
			{name: "resolveMode", kind: text,
				about: "exact: the one symbol that symbolIdExact or symbolLabelExact names.", hidden: true,
				values: []string{"outline", "exact"}},
			{name: "symbolIdExact", kind: text, hidden: true},
			{name: "symbolLabelExact", kind: text, hidden: true},
			{name: "detail", kind: text, about: "full: with docs; skeleton: source without bodies.",
				values: []string{"summary", "full", "skeleton"}},
			{name: "exported", kind: truth, about: "Exported ones only; default above 200 symbols."},
			{name: "cursor", kind: text, about: "From the answer before."},
		}, delivery()...),
		request: func() contract.Request { return &contract.OutlineRequest{} },
		handle:  handler[contract.OutlineRequest](Service.Outline),
	}
}
