package jvm

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// boundIn runs say, and limits the scope of the facts that it records from the byte from to the end
// of block.
func boundIn(w *syntax.Walk, block syntax.Node, from int, say func()) {
	first := len(w.Out.Facts)
	say()
	if block < 0 {
		return
	}
	for i := first; i < len(w.Out.Facts); i++ {
		w.Out.Facts[i].Scope = [2]int{from, max(from, w.End(block))}
	}
}

// thisIn records the type of "this" in the body of an anonymous class.
func thisIn(w *syntax.Walk, body syntax.Node, typ string, at syntax.Node) {
	if body >= 0 {
		boundIn(w, body, w.Start(body), func() { w.Fact(code.FactVar, w.Encloser, "this", typ, at) })
	}
}

// unbounded is the recorded bound of a type parameter without a bound.
const unbounded = "?"

// trailingLambda is the argument number of a function literal after the arguments of a call. It is
// passed for the last parameter.
const trailingLambda = 99

// literalOf returns the value that the enclosing call passes to parameter i of the function literal
// at position argument; "?" if the literal is no argument of a call.
func literalOf(argument int, i string) string {
	if argument < 0 {
		return "?"
	}
	return "?#p" + strconv.Itoa(argument) + "q" + i
}

// maxArgumentText bounds the recorded text of an argument, in bytes. Text that distinguishes
// overloads is short.
const maxArgumentText = 80

// passes records the arguments of a call: its type arguments ("" for none), the texts of its
// arguments, and the function literal after them.
func passes(w *syntax.Walk, name syntax.Node, typeArguments string, texts []string, behind string) {
	if len(texts)+len(behind) > 0 && name >= 0 {
		w.Fact(code.FactArguments, w.Encloser, "", strings.TrimSpace(typeArguments+"("+strings.Join(texts, ", ")+") "+behind), name)
	}
}

// argumentTexts returns the arguments of a list, as far as they affect overload resolution: short
// expressions as written, others as shortened by short.
func argumentTexts(w *syntax.Walk, list syntax.Node, short func(n syntax.Node) string) (texts []string) {
	for a := range w.Named(list) {
		text := short(a)
		if text == "" {
			text = w.Line(a)
		}
		if len(text) > maxArgumentText {
			text = "?"
		}
		texts = append(texts, text)
	}
	return texts
}
