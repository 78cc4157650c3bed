package l2meta

func tomlRules() *rules { return &rules{} }
