package l2meta

func pythonRules() *rules { return &rules{} }
