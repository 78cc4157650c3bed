package l2meta

func (w *walk) firstNamed(n node) node {
	for c := range w.named(n) {
		return c
	}
	return none
}

// hasWord reports whether word is the text of a child of n.
func (w *walk) hasWord(n node, word string) bool {
	for c := range w.tree.children(n) {
		if w.str(c) == word {
			return true
		}
	}
	return false
}

// lastToken is the last leaf of n that is neither a comment nor empty.
func (w *walk) lastToken(n node) node {
	for i := node(w.nodes[n].next) - 1; i > n; i-- {
		if leaf := node(w.nodes[i].next) == i+1; leaf && w.end(i) > w.start(i) && !w.isComment(i) {
			return i
		}
	}
	return n
}
