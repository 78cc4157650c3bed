package l2meta

func swiftRules() *rules { return &rules{} }
