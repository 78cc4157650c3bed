package l2meta

func typescriptRules() *rules { return &rules{} }
