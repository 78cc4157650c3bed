package mcp

import "sextant/internal/navigate"

func listCodebases() *tool {
	return &tool{
		name:  navigate.ToolList,
		title: "List indexed codebases",
		about: "List every tracked codebase with its index state (ready, indexing, failed), symbol quality, size and the services of a workspace. " +
			"Call it first when you do not know which repositories are indexed or which path to pass to the other tools.",
		fields:  []field{{name: "format", kind: text, values: []string{"json", "pack2"}, hidden: true}},
		request: func() navigate.Request { return &navigate.ListRequest{} },
		handle:  handler[navigate.ListRequest](Service.ListCodebases),
	}
}
