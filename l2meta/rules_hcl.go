package l2meta

func hclRules() *rules { return &rules{} }
