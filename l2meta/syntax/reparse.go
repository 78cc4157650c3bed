package syntax

// Reparse parses the bytes from start to end, a part that the grammar leaves as tokens, as a text
// of the same language. If fits accepts the tree, Reparse visits it in place of those tokens, as
// a part of the enclosing symbol, and returns true. Otherwise it leaves the walk as it is.
//
// Nodes of one tree mean nothing in the other: rules that keep nodes in State must not use them
// across a call of Reparse.
func (w *Walk) Reparse(start, end int, fits func(t *Tree) bool) bool {
	t, err := w.Grammar.ParseWithin(w.Text[start:end], w.Left)
	if err != nil || len(t.Nodes) == 0 {
		return false
	}
	t.moveTo(w.Text, start)
	if !fits(t) {
		return false
	}
	t.Work = w.Work // the steps in both trees count towards one limit
	outer, comments := w.Tree, w.DocNodes
	defer func() {
		outer.Work = t.Work
		w.Tree, w.DocNodes = outer, comments
	}()
	w.Tree, w.DocNodes = t, t.CommentNodes()
	w.Children(0)
	return true
}
