package syntax

import (
	"bytes"
	"errors"
	"iter"
	"time"
)

// Node is an index into Tree.Nodes; None means that there is no such node.
type Node int32

const None Node = -1

// Tree is a parsed text. Its accessors accept None and return zero values for it, so that rules
// treat a missing part as empty.
type Tree struct {
	Grammar *Grammar
	Text    []byte
	Nodes   []flatNode
	Work    int // number of steps so far; see Step
	// Left is the remaining processor time for parsing the text, its embedded parts, and further
	// parses by rules.
	Left *time.Duration
}

// workLeast and WorkPerByte limit the steps of visiting a tree, in proportion to its nodes and
// the bytes of its text, because rules may look back, ahead and up repeatedly. Ordinary files
// take at most seven steps a byte; see TestRulesAreLinearSoak.
const (
	workLeast   = 1 << 24
	WorkPerByte = 500
)

var errWorkLimit = errors.New("its rules gave up")

// Step counts n steps: visited nodes, copied bytes. It panics with errWorkLimit if the number
// exceeds the limit.
func (t *Tree) Step(n int) {
	if t.Work += n; t.Work > workLeast+WorkPerByte*(len(t.Text)+len(t.Nodes)) {
		panic(errWorkLimit) // the method Read recovers the panic
	}
}

// Kind returns the node type of n; "ERROR" for an error node, "" for None.
func (t *Tree) Kind(n Node) string {
	if n < 0 {
		return ""
	}
	s := t.Nodes[n].symbol
	if int(s) >= len(t.Grammar.Kinds) {
		return "ERROR"
	}
	return t.Grammar.Kinds[s]
}

// Is reports whether n exists and is of one of the kinds.
func (t *Tree) Is(n Node, kinds ...string) bool {
	k := t.Kind(n)
	for _, want := range kinds {
		if k == want && n >= 0 {
			return true
		}
	}
	return false
}

// IsNamed reports whether n exists and is a named node, no token.
func (t *Tree) IsNamed(n Node) bool { return n >= 0 && t.Nodes[n].flags&flagNamed != 0 }

// Start returns the byte offset at which n starts; 0 for None.
func (t *Tree) Start(n Node) int {
	if n < 0 {
		return 0
	}
	return int(t.Nodes[n].Start)
}

// End returns the byte offset after n; 0 for None.
func (t *Tree) End(n Node) int {
	if n < 0 {
		return 0
	}
	return int(t.Nodes[n].End)
}

// Str returns the text of n; "" for None.
func (t *Tree) Str(n Node) string {
	if n < 0 {
		return ""
	}
	text := t.Text[t.Nodes[n].Start:t.Nodes[n].End]
	t.Step(len(text))
	return string(text)
}

// Says reports whether n exists and its text equals text.
func (t *Tree) Says(n Node, text string) bool {
	return n >= 0 && t.End(n)-t.Start(n) == len(text) && string(t.Text[t.Start(n):t.End(n)]) == text
}

// Head returns the text of n, cut at 4*MaxLine bytes. That is enough for any name, path or option.
func (t *Tree) Head(n Node) string {
	if n < 0 {
		return ""
	}
	text := t.Text[t.Start(n):min(t.End(n), t.Start(n)+4*MaxLine)]
	t.Step(len(text))
	return string(text)
}

// Line returns the text of n with white space collapsed, cut at MaxLine bytes.
func (t *Tree) Line(n Node) string {
	if n < 0 {
		return ""
	}
	text := t.Text[t.Start(n):t.End(n)]
	t.Step(min(len(text), 4*MaxLine))
	return OneLine(text)
}

// Parent returns the parent of n; None for the root and for None.
func (t *Tree) Parent(n Node) Node {
	if n < 0 {
		return None
	}
	t.Step(1)
	return Node(t.Nodes[n].parent)
}

// Children yields all children of n, including tokens.
func (t *Tree) Children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n < 0 {
			return
		}
		for c, end := n+1, Node(t.Nodes[n].Next); c < end; c = Node(t.Nodes[c].Next) {
			if t.Step(1); !yield(c) {
				return
			}
		}
	}
}

// Named yields the named children of n, without comments.
func (t *Tree) Named(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := range t.Children(n) {
			if t.IsNamed(c) && !t.IsComment(c) && !yield(c) {
				return
			}
		}
	}
}

// Descendants yields the nodes below n in pre-order.
func (t *Tree) Descendants(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n < 0 {
			return
		}
		for c, end := n+1, Node(t.Nodes[n].Next); c < end; c++ {
			if t.Step(1); !yield(c) {
				return
			}
		}
	}
}

// Field returns the first child of n in the named field; None if there is none.
func (t *Tree) Field(n Node, name string) Node {
	id := t.Grammar.Named[name]
	for c := range t.Children(n) {
		if id != 0 && t.Nodes[c].Field == id {
			return c
		}
	}
	return None
}

// All yields the children of n in the named field.
func (t *Tree) All(n Node, name string) iter.Seq[Node] {
	id := t.Grammar.Named[name]
	return func(yield func(Node) bool) {
		for c := range t.Children(n) {
			if id != 0 && t.Nodes[c].Field == id && !yield(c) {
				return
			}
		}
	}
}

// Child returns the first child of n of one of the kinds; None if there is none.
func (t *Tree) Child(n Node, kinds ...string) Node {
	for c := range t.Children(n) {
		if t.Is(c, kinds...) {
			return c
		}
	}
	return None
}

// Find returns the first descendant of n of one of the kinds; None if there is none.
func (t *Tree) Find(n Node, kinds ...string) Node {
	for c := range t.Descendants(n) {
		if t.Is(c, kinds...) {
			return c
		}
	}
	return None
}

// Within returns the nearest ancestor of n of one of the kinds; None if there is none.
func (t *Tree) Within(n Node, kinds ...string) Node {
	for p := t.Parent(n); p >= 0; p = t.Parent(p) {
		if t.Is(p, kinds...) {
			return p
		}
	}
	return None
}

// Has reports whether n has a child of a kind, which may be a token such as "static".
func (t *Tree) Has(n Node, kind string) bool { return t.Child(n, kind) >= 0 }

// IsComment reports whether n, which must exist, is a comment.
func (t *Tree) IsComment(n Node) bool {
	s := t.Nodes[n].symbol
	return int(s) < len(t.Grammar.comments) && t.Grammar.comments[s]
}

// BadBytes returns the number of bytes under error nodes, plus one for each missing node. Nodes
// that the grammar recognised within an error node do not count.
func (t *Tree) BadBytes() (bad int) {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case n.symbol == errorSymbol:
			bad += int(n.End - n.Start)
			for c := range t.Children(Node(i)) {
				if t.IsNamed(c) {
					bad -= int(t.Nodes[c].End - t.Nodes[c].Start)
				}
			}
		case n.flags&flagMissing != 0:
			bad++
		}
	}
	return bad
}

// MaxLine is the largest length in bytes of a signature or another one-line rendering.
const MaxLine = 500

// OneLine returns text with each run of white space replaced by one space. It cuts a longer text
// to MaxLine bytes between runes, ending in "…".
func OneLine(text []byte) string {
	if len(text) > 4*MaxLine {
		text = text[:4*MaxLine]
	}
	text = bytes.TrimSpace(text)
	if len(text) <= MaxLine && isOneLine(text) {
		return string(text)
	}
	out := bytes.Join(bytes.Fields(text), []byte(" "))
	if len(out) <= MaxLine {
		return string(out)
	}
	cut := MaxLine - len("…")
	for cut > 0 && out[cut]&0xc0 == 0x80 {
		cut--
	}
	return string(out[:cut]) + "…"
}

// isOneLine reports whether the only white space of a trimmed ASCII text is single spaces.
func isOneLine(text []byte) bool {
	for i, c := range text {
		if c < ' ' || c >= 0x80 || c == ' ' && text[i-1] == ' ' {
			return false
		}
	}
	return true
}
