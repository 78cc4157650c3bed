// Package facts holds what the rules of Java, Kotlin and Scala record alike: the scope of names, the
// arguments of calls, the parameters of function literals. It also knows the names of library types
// that both extraction and resolution ask about.
package facts

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// BoundIn runs say, and limits the scope of the facts that it records from the byte from to the end
// of block.
func BoundIn(w *syntax.Walk, block syntax.Node, from int, say func()) {
	first := len(w.Out.Facts)
	say()
	if block < 0 {
		return
	}
	for i := first; i < len(w.Out.Facts); i++ {
		w.Out.Facts[i].Scope = [2]int{from, max(from, w.End(block))}
	}
}

// ThisIn records the type of "this" in the body of an anonymous class.
func ThisIn(w *syntax.Walk, body syntax.Node, typ string, at syntax.Node) {
	if body >= 0 {
		BoundIn(w, body, w.Start(body), func() { w.Fact(code.FactVar, w.Encloser, "this", typ, at) })
	}
}

// Unbounded is the recorded bound of a type parameter without a bound.
const Unbounded = "?"

// TrailingLambda is the argument number of a function literal after the arguments of a call. It is
// passed for the last parameter.
const TrailingLambda = 99

// LiteralOf returns the value that the enclosing call passes to parameter i of the function literal
// at position argument; "?" if the literal is no argument of a call.
func LiteralOf(argument int, i string) string {
	if argument < 0 {
		return "?"
	}
	return code.LiteralParameter(argument, i)
}

// MaxArgumentText bounds the recorded text of an argument, in bytes. Text that distinguishes
// overloads is short.
const MaxArgumentText = 80

// Passes records the arguments of a call: its type arguments ("" for none), the texts of its
// arguments, and the function literal after them.
func Passes(w *syntax.Walk, name syntax.Node, typeArguments string, texts []string, behind string) {
	if len(texts)+len(behind) > 0 && name >= 0 {
		w.Fact(code.FactArguments, w.Encloser, "",
			strings.TrimSpace(typeArguments+"("+strings.Join(texts, ", ")+") "+behind), name)
	}
}

// ArgumentTexts returns the arguments of a list, as far as they affect overload resolution: short
// expressions as written, others as shortened by short.
func ArgumentTexts(w *syntax.Walk, list syntax.Node, short func(n syntax.Node) string) (texts []string) {
	for a := range w.Named(list) {
		text := short(a)
		if text == "" {
			text = w.Line(a)
		}
		if len(text) > MaxArgumentText {
			text = "?"
		}
		texts = append(texts, text)
	}
	return texts
}

// Bare returns a name without its backquotes.
func Bare(name string) string { return strings.Trim(name, "`") }
