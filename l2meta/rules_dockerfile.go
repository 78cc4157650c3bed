package l2meta

func dockerfileRules() *rules { return &rules{} }
