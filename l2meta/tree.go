package l2meta

import (
	"bytes"
	"errors"
	"iter"
	"time"
)

// node is an index into tree.nodes; none is "no such node".
type node int32

const none node = -1

// tree is a parsed text. Its accessors take none and answer with zero values,
// so rules read a missing part as empty.
type tree struct {
	g     *grammar
	text  []byte
	nodes []flatNode
	work  int // steps that reading the tree has taken
	// left is what is left of the processor time for parsing the text, its
	// embedded parts, and what rules show the parser of it again.
	left *time.Duration
}

// Reading a tree is ended that takes far more steps than the tree has nodes
// and the text bytes: rules look back, ahead, and up. Ordinary files take
// seven steps a byte and less; see TestRulesAreLinearSoak.
const (
	workLeast   = 1 << 24
	workPerByte = 500
)

var errWorkLimit = errors.New("its rules gave up")

// step counts n steps: nodes looked at, bytes copied.
func (t *tree) step(n int) {
	if t.work += n; t.work > workLeast+workPerByte*(len(t.text)+len(t.nodes)) {
		panic(errWorkLimit) // Extract recovers it
	}
}

func (t *tree) kind(n node) string {
	if n < 0 {
		return ""
	}
	s := t.nodes[n].symbol
	if int(s) >= len(t.g.kinds) {
		return "ERROR"
	}
	return t.g.kinds[s]
}

func (t *tree) is(n node, kinds ...string) bool {
	k := t.kind(n)
	for _, want := range kinds {
		if k == want && n >= 0 {
			return true
		}
	}
	return false
}

func (t *tree) isNamed(n node) bool { return n >= 0 && t.nodes[n].flags&flagNamed != 0 }

func (t *tree) start(n node) int {
	if n < 0 {
		return 0
	}
	return int(t.nodes[n].start)
}

func (t *tree) end(n node) int {
	if n < 0 {
		return 0
	}
	return int(t.nodes[n].end)
}

func (t *tree) str(n node) string {
	if n < 0 {
		return ""
	}
	text := t.text[t.nodes[n].start:t.nodes[n].end]
	t.step(len(text))
	return string(text)
}

// says reports whether n is there and its text is exactly this.
func (t *tree) says(n node, text string) bool {
	return n >= 0 && t.end(n)-t.start(n) == len(text) && string(t.text[t.start(n):t.end(n)]) == text
}

// head is the text of n, cut at 4*maxLine bytes: enough of what is a name, a
// path or an option if it is any.
func (t *tree) head(n node) string {
	if n < 0 {
		return ""
	}
	text := t.text[t.start(n):min(t.end(n), t.start(n)+4*maxLine)]
	t.step(len(text))
	return string(text)
}

// line is the text of n with its white space collapsed, cut at maxLine bytes.
func (t *tree) line(n node) string {
	if n < 0 {
		return ""
	}
	text := t.text[t.start(n):t.end(n)]
	t.step(min(len(text), 4*maxLine))
	return oneLine(text)
}

func (t *tree) parent(n node) node {
	if n < 0 {
		return none
	}
	t.step(1)
	return node(t.nodes[n].parent)
}

// children are all children of n, tokens included.
func (t *tree) children(n node) iter.Seq[node] {
	return func(yield func(node) bool) {
		if n < 0 {
			return
		}
		for c, end := n+1, node(t.nodes[n].next); c < end; c = node(t.nodes[c].next) {
			if t.step(1); !yield(c) {
				return
			}
		}
	}
}

// named are the named children of n, comments left out.
func (t *tree) named(n node) iter.Seq[node] {
	return func(yield func(node) bool) {
		for c := range t.children(n) {
			if t.isNamed(c) && !t.isComment(c) && !yield(c) {
				return
			}
		}
	}
}

// descendants are the nodes below n in pre-order.
func (t *tree) descendants(n node) iter.Seq[node] {
	return func(yield func(node) bool) {
		if n < 0 {
			return
		}
		for c, end := n+1, node(t.nodes[n].next); c < end; c++ {
			if t.step(1); !yield(c) {
				return
			}
		}
	}
}

// field is the first child of n in the named field, none without one.
func (t *tree) field(n node, name string) node {
	id := t.g.named[name]
	for c := range t.children(n) {
		if id != 0 && t.nodes[c].field == id {
			return c
		}
	}
	return none
}

// all are the children of n in the named field.
func (t *tree) all(n node, name string) iter.Seq[node] {
	id := t.g.named[name]
	return func(yield func(node) bool) {
		for c := range t.children(n) {
			if id != 0 && t.nodes[c].field == id && !yield(c) {
				return
			}
		}
	}
}

// child is the first child of n of one of the kinds, none without one.
func (t *tree) child(n node, kinds ...string) node {
	for c := range t.children(n) {
		if t.is(c, kinds...) {
			return c
		}
	}
	return none
}

// find is the first descendant of n of one of the kinds, none without one.
func (t *tree) find(n node, kinds ...string) node {
	for c := range t.descendants(n) {
		if t.is(c, kinds...) {
			return c
		}
	}
	return none
}

// within is the nearest ancestor of n of one of the kinds, none without one.
func (t *tree) within(n node, kinds ...string) node {
	for p := t.parent(n); p >= 0; p = t.parent(p) {
		if t.is(p, kinds...) {
			return p
		}
	}
	return none
}

// has reports whether n has a child of the kind, tokens included: "static".
func (t *tree) has(n node, kind string) bool { return t.child(n, kind) >= 0 }

func (t *tree) isComment(n node) bool {
	s := t.nodes[n].symbol
	return int(s) < len(t.g.comments) && t.g.comments[s]
}

// badBytes is how much of the text stands under error nodes and outside what
// was recognised within them.
func (t *tree) badBytes() (bad int) {
	for i := range t.nodes {
		n := &t.nodes[i]
		switch {
		case n.symbol == errorSymbol:
			bad += int(n.end - n.start)
			for c := range t.children(node(i)) {
				if t.isNamed(c) {
					bad -= int(t.nodes[c].end - t.nodes[c].start)
				}
			}
		case n.flags&flagMissing != 0:
			bad++
		}
	}
	return bad
}

// maxLine bounds a signature or another one-line rendering, in bytes.
const maxLine = 500

// oneLine collapses white space; a text over maxLine is cut between runes and
// ends in "…".
func oneLine(text []byte) string {
	if len(text) > 4*maxLine {
		text = text[:4*maxLine]
	}
	out := bytes.Join(bytes.Fields(text), []byte(" "))
	if len(out) <= maxLine {
		return string(out)
	}
	cut := maxLine - len("…")
	for cut > 0 && out[cut]&0xc0 == 0x80 {
		cut--
	}
	return string(out[:cut]) + "…"
}
