package l2meta

import "sextant/internal/code"

// What the rule sets of class-based languages (C#, Java, Kotlin, PHP, Scala)
// ask of a tree alike.

// after is the sibling that follows n, comments left out; 0 without one.
func (w *walk) after(n node) node {
	if n < 0 {
		return 0
	}
	end := w.nodes[w.parent(n)].next
	for c := w.nodes[n].next; c < end; c = w.nodes[c].next {
		if !w.isComment(node(c)) {
			return node(c)
		}
	}
	return 0
}

// countNamed is how many named children n has: the arguments of a list.
func (w *walk) countNamed(n node) (count int) {
	for range w.named(n) {
		count++
	}
	return count
}

// as does do with s as the enclosing symbol.
func (w *walk) as(s int, do func()) {
	outer := w.encloser
	w.encloser = s
	do()
	w.encloser = outer
}

// enclosedBy reports whether the enclosing symbol is of one of the kinds.
func (w *walk) enclosedBy(kinds ...code.Kind) bool {
	for _, k := range kinds {
		if w.encloser >= 0 && w.out.Symbols[w.encloser].Kind == k {
			return true
		}
	}
	return false
}

// inExported reports whether the enclosing symbol is exported.
func (w *walk) inExported() bool {
	return w.encloser >= 0 && w.out.Symbols[w.encloser].Exported
}

// typed records what the parameters and the result of symbol s are.
func (w *walk) typed(s int, d decl, parameters, result node) {
	for _, p := range d.parameters {
		w.fact(code.FactParam, s, p.Name, p.Type, parameters)
	}
	w.fact(code.FactResult, s, "", d.returns, result)
}

// callAs is call for a callee that the text of its name node does not name,
// or a receiver that is more than one node.
func (w *walk) callAs(kind code.CallKind, site, name node, callee, receiver string, args int) {
	if name < 0 || callee == "" {
		return
	}
	w.call(kind, site, name, none, args)
	c := &w.out.Calls[len(w.out.Calls)-1]
	c.Callee, c.Receiver = callee, receiver
}

// between is the text from the start of a to the end of b, on one line.
func (w *walk) between(a, b node) string {
	if a < 0 || b < 0 || w.end(b) < w.start(a) {
		return ""
	}
	return oneLine(w.text[w.start(a):w.end(b)])
}

// inCallable reports whether the node at hand stands in the body of a function.
func (w *walk) inCallable() bool {
	return w.encloser >= 0 && w.out.Symbols[w.encloser].Kind.Callable()
}

// classAround is the nearest enclosing symbol that is a type, -1 without one.
func (w *walk) classAround() int {
	for s := w.encloser; s >= 0; s = w.out.Symbols[s].Parent {
		switch w.out.Symbols[s].Kind {
		case code.KindClass, code.KindTrait, code.KindEnum, code.KindInterface, code.KindStruct:
			return s
		}
	}
	return -1
}
