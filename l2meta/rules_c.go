package l2meta

func cRules() *rules { return &rules{} }
