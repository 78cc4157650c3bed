package l2meta

func rubyRules() *rules { return &rules{} }
