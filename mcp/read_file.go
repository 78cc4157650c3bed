package mcp

import "sextant/internal/navigate/contract"

func readFile() *tool {
	symbol := []field{
		{name: "symbolId", kind: text},
		{name: "symbolInstanceId", kind: text},
		{name: "symbolLabel", kind: text, about: "Qualified name, or file:line."},
		lineField("start_line", ""),
		lineField("end_line", ""),
		{name: "contractVersion", kind: whole, about: "2: answer kind symbol_context.", min: 1, max: 2},
		{name: "context", kind: object, about: "With contractVersion 2.", open: true, fields: []field{
			{name: "preset", kind: text, values: []string{"definition", "implementation", "call_context"}},
			{name: "maxLines", kind: whole, hidden: true, min: 1, max: maxLine},
		}},
	}
	return &tool{
		name:  contract.ToolRead,
		title: "Read a file or a symbol",
		about: "Read source text from disk as it is now: a whole file, a range of lines, or exactly one symbol (open_symbol), whose span is found again in the current bytes, never cut from stale line numbers. " +
			"mode annotated adds the outline. Secret and ignored files are refused.",
		fields: append([]field{
			{name: "path", kind: text, about: "Absolute path of the file; with a symbol name the root will do.",
				required: true, example: `"/home/me/project/internal/server/server.go"`},
			lineField("start_line", "First line, 1-based."),
			lineField("end_line", "Last line, inclusive."),
			{name: "mode", kind: text, values: []string{"plain", "annotated"}},
			{name: "open_symbol", kind: object, about: "Read this symbol.", fields: symbol, byString: refByString,
				example: `{"symbolLabel":"Server.Handle"}`},
			{name: "symbolRef", kind: object, hidden: true, fields: symbolFields(), byString: refByString,
				example: `{"symbolLabel":"Server.Handle"}`},
		}, delivery()...),
		request: func() contract.Request { return &contract.ReadRequest{} },
		handle:  handler[contract.ReadRequest](Service.Read),
	}
}
