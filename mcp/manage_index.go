package mcp

import "sextant/internal/navigate/contract"

func manageIndex() *tool {
	return &tool{
		name:   contract.ToolManage,
		title:  "Create, sync or inspect an index",
		writes: true,
		about: "Track, rebuild, check or delete the index of a folder. Seldom needed: questions index what they " +
			"need, and no answer is stale. create: track a root; status: progress, coverage, services; sync; " +
			`reindex: build anew; clear: delete the index; repair: check and mend. Source files are never written. Example: {"action":"status","path":"/home/me/shop"}`,
		fields: append([]field{
			{name: "action", kind: text, values: []string{"create", "reindex", "sync", "status", "clear", "repair"},
				required: true, example: `"create"`},
			{name: "path", kind: text, place: true, about: "Absolute path of the root.", required: true,
				example: `"/home/me/project"`},
			{name: "force", kind: truth, about: "Go on where a preflight would stop.", hidden: true},
			{name: "allowUnnecessaryReindex", kind: truth, about: "Reindex although a sync would do.", hidden: true},
			{name: "customExtensions", kind: list, about: "Also index these, as text.", hidden: true,
				example: `[".tpl"]`},
			{name: "ignorePatterns", kind: list, about: "gitignore lines.", hidden: true, example: `["*.min.js"]`},
			{name: "detail", kind: text, about: "full: of status, with servers and coverage.", hidden: true,
				values: []string{"summary", "full"}},
			{name: "wait", kind: truth, about: "Answer when done."},
			{name: "deadlineMs", kind: whole, about: "Of wait.", hidden: true, min: 1, max: contract.MaxWait,
				byDef: contract.DefaultWait},
			{name: "zillizDropCollection", kind: ignored, hidden: true},
		}, delivery()...),
		request: func() contract.Request { return &contract.ManageRequest{} },
		handle:  handler[contract.ManageRequest](Service.Manage),
	}
}
