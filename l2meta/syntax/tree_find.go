package syntax

// FirstNamed returns the first named child of n; None if there is none.
func (w *Walk) FirstNamed(n Node) Node {
	for c := range w.Named(n) {
		return c
	}
	return None
}

// HasWord reports whether a child of n has the text word.
func (w *Walk) HasWord(n Node, word string) bool {
	for c := range w.Tree.Children(n) {
		if w.Str(c) == word {
			return true
		}
	}
	return false
}

// LastToken returns the last leaf of n that is neither a comment nor empty; n if there is none.
func (w *Walk) LastToken(n Node) Node {
	for i := Node(w.Nodes[n].Next) - 1; i > n; i-- {
		if leaf := Node(w.Nodes[i].Next) == i+1; leaf && w.End(i) > w.Start(i) && !w.IsComment(i) {
			return i
		}
	}
	return n
}
