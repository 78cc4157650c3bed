package l2meta

func kotlinRules() *rules { return &rules{} }
