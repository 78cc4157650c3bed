package golang

import (
	"bytes"
	"strings"

	"sextant/l2meta/syntax"
)

// maxGoText bounds an expression or a type that a fact holds, in bytes: a
// chain of fifty calls has some 2,000. A longer one says nothing.
const maxGoText = 4096

// goState is what the rules remember through the walk of a file.
type goState struct {
	stated stated
	given  []givenTo
	long   map[int]int // where expressions start → from which end on they are too long to write
}

func stateOf(w *syntax.Walk) *goState {
	state, ok := w.State.(*goState)
	if !ok {
		state = &goState{}
		w.State = state
	}
	return state
}

// text returns an expression or a type on one line, which parses as what it
// stands for: without comments, bodies of functions and elements of composite
// literals, none of which matters to its type; "" for none.
func text(w *syntax.Walk, n syntax.Node) string {
	if n < 0 {
		return ""
	}
	state := stateOf(w)
	if from := state.long[w.Start(n)]; from > 0 && w.End(n) >= from {
		return ""
	}
	var b strings.Builder
	if from, ok := write(w, &b, n); !ok {
		if state.long == nil {
			state.long = map[int]int{}
		}
		state.long[w.Start(n)] = from
		return ""
	}
	text := string(bytes.Join(bytes.Fields([]byte(b.String())), []byte(" ")))
	if len(text) > maxGoText {
		return ""
	}
	return text
}

// write writes n, unless it is much longer than it may be: then it is the
// byte offset up to which that much was found. In a chain a.b().b()… all links
// start alike, so those that end behind that offset are too long as well.
func write(w *syntax.Walk, b *strings.Builder, n syntax.Node) (from int, ok bool) {
	at := w.Start(n)
	for i, end := n, syntax.Node(w.Nodes[n].Next); i < end; {
		w.Step(1)
		if b.Len()+w.Start(i)-at > 2*maxGoText {
			return w.Start(i), false
		}
		put := short(w, i)
		if put == nil {
			i++
			continue
		}
		b.Write(w.Text[at:w.Start(i)])
		put(b)
		at, i = w.End(i), syntax.Node(w.Nodes[i].Next)
	}
	b.Write(w.Text[at:w.End(n)])
	return 0, true
}

// short writes a node that is not written as it stands; nil for any other.
func short(w *syntax.Walk, i syntax.Node) func(*strings.Builder) {
	switch {
	case w.IsComment(i):
		return func(b *strings.Builder) { b.WriteByte(' ') }
	case w.Is(i, "literal_value"), w.Is(i, "block") && w.Is(w.Parent(i), "func_literal"):
		return func(b *strings.Builder) { b.WriteString("{}") }
	case w.Is(i, "field_declaration_list"):
		return func(b *strings.Builder) { members(w, b, i) }
	case w.Is(i, "interface_type"):
		return func(b *strings.Builder) { b.WriteString("interface"); members(w, b, i) }
	}
	return nil
}

// members writes the members of a struct or an interface, on one line.
func members(w *syntax.Walk, b *strings.Builder, list syntax.Node) {
	b.WriteByte('{')
	first := true
	for m := range w.Named(list) {
		if !first {
			b.WriteString("; ")
		}
		first = false
		write(w, b, m)
	}
	b.WriteByte('}')
}
