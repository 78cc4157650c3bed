package l2meta

func htmlRules() *rules { return &rules{} }
