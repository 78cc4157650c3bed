package l2meta

func scalaRules() *rules { return &rules{} }
