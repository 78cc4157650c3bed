package mcp

import "sextant/internal/navigate/contract"

func listCodebases() *tool {
	return &tool{
		name:  contract.ToolList,
		title: "List indexed codebases",
		about: "The tracked codebases with their state, size and services. The other tools need it only to find a " +
			"path outside of the workspace.",
		// The schema stays {}, but the decoder accepts maxTokens, format and debug,
		// which some callers always send.
		fields:  hidden(delivery()),
		request: func() contract.Request { return &contract.ListRequest{} },
		handle:  handler[contract.ListRequest](Service.ListCodebases),
	}
}

// hiddenField returns f, marked so that the schema omits it.
func hiddenField(f field) field {
	f.hidden = true
	return f
}

func hidden(fields []field) []field {
	for i := range fields {
		fields[i].hidden = true
	}
	return fields
}
