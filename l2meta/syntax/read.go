package syntax

import "sextant/internal/code"

// Read visits the whole tree, unless that takes more steps than it may.
func (w *Walk) Read() (f code.File, err error) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case errWorkLimit:
			err = errWorkLimit
		default:
			panic(r)
		}
	}()
	if len(w.Nodes) > 0 {
		if w.Grammar.Rules.File != nil {
			w.Grammar.Rules.File(w, 0)
		}
		w.Children(0)
	}
	return w.done(), nil
}
