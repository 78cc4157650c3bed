package l2meta

func javaRules() *rules { return &rules{} }
