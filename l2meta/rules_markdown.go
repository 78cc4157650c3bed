package l2meta

func markdownRules() *rules { return &rules{} }
