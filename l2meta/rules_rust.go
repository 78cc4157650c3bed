package l2meta

func rustRules() *rules { return &rules{} }
