package l2meta

func cppRules() *rules { return &rules{} }
