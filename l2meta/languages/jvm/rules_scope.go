package jvm

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// boundIn runs say, and lets what it binds hold from the byte from on to the
// end of block.
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

// thisIn records what "this" is in the body of an anonymous class.
func thisIn(w *syntax.Walk, body syntax.Node, typ string, at syntax.Node) {
	if body >= 0 {
		boundIn(w, body, w.Start(body), func() { w.Fact(code.FactVar, w.Encloser, "this", typ, at) })
	}
}

// unbounded is the bound of a type parameter that has none.
const unbounded = "?"

// trailingLambda is the number of a function literal that stands behind the
// arguments of a call: it is passed for the last parameter.
const trailingLambda = 99

// literalOf returns what parameter i of the function literal at argument a is given
// by the call around it; "?" when it is no argument of a call.
func literalOf(argument int, i string) string {
	if argument < 0 {
		return "?"
	}
	return "?#p" + strconv.Itoa(argument) + "q" + i
}

// maxArgumentText bounds the text of one argument that is kept, in bytes: what
// tells overloads apart is short.
const maxArgumentText = 80

// passes records what a call hands over: its type arguments, "" for none, the
// texts of its arguments, and of the function literal behind them.
func passes(w *syntax.Walk, name syntax.Node, typeArguments string, texts []string, behind string) {
	if len(texts)+len(behind) > 0 && name >= 0 {
		w.Fact(code.FactArguments, w.Encloser, "", strings.TrimSpace(typeArguments+"("+strings.Join(texts, ", ")+") "+behind), name)
	}
}

// argumentTexts returns the arguments of a list as far as their types may be read
// from them: short expressions as written, of others what short makes of them.
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
