package l3lsp

func playOwner([]string) {}
