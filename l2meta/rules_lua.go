package l2meta

func luaRules() *rules { return &rules{} }
