package l2meta

func sqlRules() *rules { return &rules{} }
