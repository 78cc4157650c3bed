package l2meta

import "sextant/internal/code"

// read visits the whole tree, unless that takes more steps than it may.
func (w *walk) read() (f code.File, err error) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case errWorkLimit:
			err = errWorkLimit
		default:
			panic(r)
		}
	}()
	if len(w.nodes) > 0 {
		if w.g.rules.file != nil {
			w.g.rules.file(w, 0)
		}
		w.children(0)
	}
	return w.done(), nil
}
