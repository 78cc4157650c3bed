package syntax

import "sextant/internal/code"

// Reference is a name that is used as a value, such as save in f(save). Whether it denotes a
// function or a variable is known only after the whole file has been visited.
type Reference struct {
	Site, Name, Receiver Node
	Caller               int
}

// KeepReferences records as CallReference the references that may denote a function: a function of
// this file or an imported name, or a method of this file on a receiver. It drops the others, which
// are variables.
func (w *Walk) KeepReferences(refs []Reference) {
	if len(refs) == 0 {
		return
	}
	functions, methods, imported := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range w.Out.Symbols {
		switch s := &w.Out.Symbols[i]; s.Kind {
		case code.KindMethod:
			methods[s.Name] = true
		case code.KindFunction, code.KindComponent, code.KindHook:
			functions[s.Name] = true
		}
	}
	for _, i := range w.Out.Imports {
		switch {
		case i.Alias != "":
			imported[i.Alias] = true
		case i.Name != "":
			imported[i.Name] = true
		default:
			imported[i.Module] = true
		}
	}
	outer := w.Encloser
	for _, r := range refs {
		name := w.Str(r.Name)
		if r.Receiver < 0 && (functions[name] || imported[name]) ||
			r.Receiver >= 0 && (methods[name] || functions[name] || imported[w.Str(r.Receiver)]) {
			w.Encloser = r.Caller
			w.Call(code.CallReference, r.Site, r.Name, r.Receiver, 0)
		}
	}
	w.Encloser = outer
}
