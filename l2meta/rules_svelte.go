package l2meta

func svelteRules() *rules { return &rules{} }
