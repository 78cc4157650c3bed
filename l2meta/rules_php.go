package l2meta

func phpRules() *rules { return &rules{} }
