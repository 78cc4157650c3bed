package mcp

import "sextant/internal/navigate/contract"

func readFile() *tool {
	symbol := []field{
		{name: "symbolId", kind: text, hidden: true},
		{name: "symbolInstanceId", kind: text, hidden: true},
		{name: "symbolLabel", kind: text, place: true, about: "Qualified name or file:line."},
		hiddenField(lineField("start_line", "")),
		hiddenField(lineField("end_line", "")),
		{name: "contractVersion", kind: whole, about: "2 with context.", hidden: true, exact: true, min: 1, max: 2},
		{name: "context", kind: object, open: true, hidden: true, fields: []field{
			{name: "preset", kind: text, values: []string{"definition", "implementation", "call_context"}},
			{name: "maxLines", kind: whole, hidden: true, min: 1, max: maxLine},
		}},
	}
	return &tool{
		name:  contract.ToolRead,
		title: "Read a file or a symbol",
		about: "Source on disk now: a file, lines of it, or exactly one symbol by name (open_symbol), which begins " +
			"with its path and lines. " +
			`Examples: {"open_symbol":"Server.Handle"}, {"file":"cmd/main.go","start_line":10,"end_line":60}`,
		fields: append([]field{
			{name: "path", kind: text, place: true,
				about:   "Absolute path of the file, or of a root with file or open_symbol.",
				example: `"/home/me/project/internal/server/server.go"`},
			{name: "file", kind: text, place: true,
				about: "As answers name it, with lines or not: a.go:10-40; or a list.", many: true,
				example: `"internal/server/server.go"`},
			lineField("start_line", ""),
			lineField("end_line", ""),
			{name: "mode", kind: text, about: "annotated: with the outline of the lines.", hidden: true,
				values: []string{"plain", "annotated"}},
			{name: "open_symbol", kind: object, about: "Or the name as a string, or a list.", many: true,
				fields: symbol, byString: refByString, example: `{"symbolLabel":"Server.Handle"}`},
			{name: "identifiers", kind: list, about: "Only lines with these, and the branches around them.",
				example: `["token","retry"]`},
			{name: "symbolRef", kind: object, hidden: true, fields: symbolFields(), byString: refByString,
				example: `{"symbolLabel":"Server.Handle"}`},
		}, delivery()...),
		request: func() contract.Request { return &contract.ReadRequest{} },
		handle:  handler[contract.ReadRequest](Service.Read),
	}
}
