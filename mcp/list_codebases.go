package mcp

import "sextant/internal/navigate/contract"

func listCodebases() *tool {
	return &tool{
		name:  contract.ToolList,
		title: "List indexed codebases",
		about: "List every tracked codebase with its index state (ready, indexing, requires reindex, failed), symbol quality, size and the services of a workspace. " +
			"Call it first when you do not know which repositories are indexed or which path to pass to the other tools.",
		// The schema stays {}, but the decoder accepts the delivery arguments, which
		// some callers always send.
		fields:  hidden(delivery()),
		request: func() contract.Request { return &contract.ListRequest{} },
		handle:  handler[contract.ListRequest](Service.ListCodebases),
	}
}

func hidden(fields []field) []field {
	for i := range fields {
		fields[i].hidden = true
	}
	return fields
}
