package golang

import (
	"bytes"
	"strings"

	"sextant/l2meta/syntax"
)

// maxGoText is the length in bytes of the longest expression or type that is recorded in a fact. A
// chain of fifty calls has about 2,000.
const maxGoText = 4096

// goState is the value of Walk.State during the walk of a Go file.
type goState struct {
	stated stated
	given  []givenTo
	taken  []taken
	// maps a start offset to an end offset: an expression that starts there and ends at that end or
	// later is too long
	long map[int]int
}

func stateOf(w *syntax.Walk) *goState {
	state, ok := w.State.(*goState)
	if !ok {
		state = &goState{}
		w.State = state
	}
	return state
}

// text returns an expression or a type as a text on one line that parses to an equivalent one. It
// omits comments, bodies of functions and elements of composite literals, which do not affect the
// type. It returns "" if n is None, or if the text would be too long.
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

// write writes the text of n to b and returns true. If the text is much longer than maxGoText, it
// stops and returns false with the byte offset that it reached. All links of a chain a.b().b()… start
// at the same byte, so those that end after that offset are too long as well.
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

// short returns a function that writes node i in a shorter form than the source text, such as
// func(){} for a function literal; nil if i has no shorter form.
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
