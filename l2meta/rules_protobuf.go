package l2meta

func protobufRules() *rules { return &rules{} }
