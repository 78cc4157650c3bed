package mcp

import "sextant/internal/navigate/contract"

func manageIndex() *tool {
	return &tool{
		name:   contract.ToolManage,
		title:  "Create, sync or inspect an index",
		writes: true,
		about: "Index a codebase and manage its index. create: track a root and index it in the background (searchable while it runs); status: progress, coverage, services; sync: take up changes now (answers do so anyway); " +
			"reindex: build it anew; clear: forget the root and delete its index; repair: check and mend. Source files are never written.",
		fields: append([]field{
			{name: "action", kind: text, values: []string{"create", "reindex", "sync", "status", "clear", "repair"},
				required: true, example: `"create"`},
			pathField("Absolute path of the root."),
			{name: "force", kind: truth},
			{name: "allowUnnecessaryReindex", kind: truth},
			{name: "customExtensions", kind: list, about: "Further file extensions to index.", example: `[".tpl"]`},
			{name: "ignorePatterns", kind: list, about: "Further gitignore lines.", example: `["*.min.js"]`},
			{name: "detail", kind: text, about: "For status.", values: []string{"summary", "full"}},
			{name: "wait", kind: truth, about: "Answer when create, reindex or sync is done, within deadlineMs."},
			{name: "deadlineMs", kind: whole, min: 1, max: contract.MaxWait, byDef: contract.DefaultWait},
			{name: "zillizDropCollection", kind: ignored, hidden: true},
		}, delivery()...),
		request: func() contract.Request { return &contract.ManageRequest{} },
		handle:  handler[contract.ManageRequest](Service.Manage),
	}
}
