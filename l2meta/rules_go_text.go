package l2meta

import (
	"bytes"
	"strings"
)

// maxGoText bounds an expression or a type that a fact holds, in bytes: a
// chain of fifty calls has some 2,000. A longer one says nothing.
const maxGoText = 4096

// goState is what the rules remember through the walk of a file.
type goState struct {
	stated goStated
	long   map[int]int // where expressions start → from which end on they are too long to write
}

func goStateOf(w *walk) *goState {
	state, ok := w.state.(*goState)
	if !ok {
		state = &goState{}
		w.state = state
	}
	return state
}

// goText is an expression or a type on one line, which parses as what it
// stands for: without comments, bodies of functions and elements of composite
// literals, none of which matters to its type; "" for none.
func goText(w *walk, n node) string {
	if n < 0 {
		return ""
	}
	state := goStateOf(w)
	if from := state.long[w.start(n)]; from > 0 && w.end(n) >= from {
		return ""
	}
	var b strings.Builder
	if from, ok := goWrite(w, &b, n); !ok {
		if state.long == nil {
			state.long = map[int]int{}
		}
		state.long[w.start(n)] = from
		return ""
	}
	text := string(bytes.Join(bytes.Fields([]byte(b.String())), []byte(" ")))
	if len(text) > maxGoText {
		return ""
	}
	return text
}

// goWrite writes n, unless it is much longer than it may be: then it is the
// byte offset up to which that much was found. In a chain a.b().b()… all links
// start alike, so those that end behind that offset are too long as well.
func goWrite(w *walk, b *strings.Builder, n node) (from int, ok bool) {
	at := w.start(n)
	for i, end := n, node(w.nodes[n].next); i < end; {
		w.step(1)
		if b.Len()+w.start(i)-at > 2*maxGoText {
			return w.start(i), false
		}
		put := goShort(w, i)
		if put == nil {
			i++
			continue
		}
		b.Write(w.text[at:w.start(i)])
		put(b)
		at, i = w.end(i), node(w.nodes[i].next)
	}
	b.Write(w.text[at:w.end(n)])
	return 0, true
}

// goShort writes a node that is not written as it stands; nil for any other.
func goShort(w *walk, i node) func(*strings.Builder) {
	switch {
	case w.isComment(i):
		return func(b *strings.Builder) { b.WriteByte(' ') }
	case w.is(i, "literal_value"), w.is(i, "block") && w.is(w.parent(i), "func_literal"):
		return func(b *strings.Builder) { b.WriteString("{}") }
	case w.is(i, "field_declaration_list"):
		return func(b *strings.Builder) { goMembers(w, b, i) }
	case w.is(i, "interface_type"):
		return func(b *strings.Builder) { b.WriteString("interface"); goMembers(w, b, i) }
	}
	return nil
}

// goMembers writes the members of a struct or an interface, on one line.
func goMembers(w *walk, b *strings.Builder, list node) {
	b.WriteByte('{')
	first := true
	for m := range w.named(list) {
		if !first {
			b.WriteString("; ")
		}
		first = false
		goWrite(w, b, m)
	}
	b.WriteByte('}')
}
