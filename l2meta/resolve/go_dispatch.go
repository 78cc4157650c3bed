package resolve

func (golang) implementations(w *World, r Ref) []Ref { return nil }

func (golang) overridden(w *World, r Ref) []Ref { return nil }
