package l2meta

func yamlRules() *rules { return &rules{} }
