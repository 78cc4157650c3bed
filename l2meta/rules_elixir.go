package l2meta

func elixirRules() *rules { return &rules{} }
