package l2meta

import "sextant/internal/code"

// reference is a name that stands where a value is passed on: it may be a
// function handed over, or any variable. The whole file tells which.
type reference struct {
	site, name, receiver node
	caller               int
}

// keepReferences records as CallReference those references that name a
// function of this file or an imported name, or a method of this file on an
// object: the rest are variables.
func (w *walk) keepReferences(refs []reference) {
	if len(refs) == 0 {
		return
	}
	functions, methods, imported := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range w.out.Symbols {
		switch s := &w.out.Symbols[i]; s.Kind {
		case code.KindMethod:
			methods[s.Name] = true
		case code.KindFunction, code.KindComponent, code.KindHook:
			functions[s.Name] = true
		}
	}
	for _, i := range w.out.Imports {
		switch {
		case i.Alias != "":
			imported[i.Alias] = true
		case i.Name != "":
			imported[i.Name] = true
		default:
			imported[i.Module] = true
		}
	}
	outer := w.encloser
	for _, r := range refs {
		name := w.str(r.name)
		if r.receiver < 0 && (functions[name] || imported[name]) || r.receiver >= 0 && (methods[name] || functions[name] || imported[w.str(r.receiver)]) {
			w.encloser = r.caller
			w.call(code.CallReference, r.site, r.name, r.receiver, 0)
		}
	}
	w.encloser = outer
}
