package l2meta

func csharpRules() *rules { return &rules{} }
