package syntax

import "sextant/internal/code"

// This file holds queries on a tree that the rule sets of class-based languages share (C#, Java,
// Kotlin, PHP, Scala).

// After returns the sibling that follows n, skipping comments; 0 if there is none.
func (w *Walk) After(n Node) Node {
	if n < 0 {
		return 0
	}
	end := w.Nodes[w.Parent(n)].Next
	for c := w.Nodes[n].Next; c < end; c = w.Nodes[c].Next {
		if !w.IsComment(Node(c)) {
			return Node(c)
		}
	}
	return 0
}

// CountNamed returns the number of named children of n, such as the arguments of a list.
func (w *Walk) CountNamed(n Node) (count int) {
	for range w.Named(n) {
		count++
	}
	return count
}

// As calls the function do. Meanwhile symbol s counts as the enclosing symbol: the parent of
// declarations and the caller of calls.
func (w *Walk) As(s int, do func()) {
	outer := w.Encloser
	w.Encloser = s
	do()
	w.Encloser = outer
}

// EnclosedBy reports whether the enclosing symbol is of one of the kinds.
func (w *Walk) EnclosedBy(kinds ...code.Kind) bool {
	for _, k := range kinds {
		if w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Kind == k {
			return true
		}
	}
	return false
}

// InExported reports whether the enclosing symbol is exported.
func (w *Walk) InExported() bool {
	return w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Exported
}

// Typed records the types of the parameters and of the result of symbol s.
func (w *Walk) Typed(s int, d Decl, parameters, result Node) {
	for _, p := range d.Parameters {
		w.Fact(code.FactParam, s, p.Name, p.Type, parameters)
	}
	w.Fact(code.FactResult, s, "", d.Returns, result)
}

// CallAs records a call whose callee is not the text of its name node, or whose receiver is more
// than one node. It records nothing without a name.
func (w *Walk) CallAs(kind code.CallKind, site, name Node, callee, receiver string, args int) {
	if name < 0 || callee == "" {
		return
	}
	w.Call(kind, site, name, None, args)
	c := &w.Out.Calls[len(w.Out.Calls)-1]
	c.Callee, c.Receiver = callee, receiver
}

// Between returns the text from the start of a to the end of b, on one line.
func (w *Walk) Between(a, b Node) string {
	if a < 0 || b < 0 || w.End(b) < w.Start(a) {
		return ""
	}
	return OneLine(w.Text[w.Start(a):w.End(b)])
}

// InCallable reports whether the enclosing symbol is a callable.
func (w *Walk) InCallable() bool {
	return w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Kind.Callable()
}

// ClassAround returns the nearest enclosing symbol that is a type; -1 if there is none.
func (w *Walk) ClassAround() int {
	for s := w.Encloser; s >= 0; s = w.Out.Symbols[s].Parent {
		switch w.Out.Symbols[s].Kind {
		case code.KindClass, code.KindTrait, code.KindEnum, code.KindInterface, code.KindStruct:
			return s
		}
	}
	return -1
}
