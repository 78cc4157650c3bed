package syntax

import "sextant/internal/code"

// Read visits the whole tree and returns its facts. It returns an error if the rules exceed their
// step limit.
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
