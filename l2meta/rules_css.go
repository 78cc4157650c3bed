package l2meta

func cssRules() *rules { return &rules{} }
