package l2meta

func bashRules() *rules { return &rules{} }
