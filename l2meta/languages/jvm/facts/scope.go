// Package facts holds code that the extraction of Java, Kotlin and Scala shares. It records the
// scope of names, the arguments of calls, and the parameters of function literals. It also lists
// the names of library types that both extraction and resolution need. A fact is a statement
// about the code that extraction records, such as "x has type T".
package facts

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// BoundIn calls say, which records facts. It limits the scope of these facts to the range from
// byte offset start to the end of node block. If block is negative, their scope stays unlimited.
func BoundIn(w *syntax.Walk, block syntax.Node, start int, say func()) {
	first := len(w.Out.Facts)
	say()
	if block < 0 {
		return
	}
	for i := first; i < len(w.Out.Facts); i++ {
		w.Out.Facts[i].Scope = [2]int{start, max(start, w.End(block))}
	}
}

// ThisIn records the type of "this" in the body of an anonymous class.
func ThisIn(w *syntax.Walk, body syntax.Node, typ string, at syntax.Node) {
	if body >= 0 {
		BoundIn(w, body, w.Start(body), func() { w.Fact(code.FactVar, w.Encloser, "this", typ, at) })
	}
}

// Unbounded is recorded as the bound of a type parameter that declares none, such as T in class
// Box<T>.
const Unbounded = "?"

// TrailingLambda is recorded as the argument position of a function literal that follows the
// parentheses of a call, f(1) { … }. The literal is passed for the last parameter, whose position
// is not known here.
const TrailingLambda = 99

// LiteralOf returns the text that is recorded as the value of parameter i of a function literal.
// It says that a call passes the value to the literal; argument is the literal's position among
// the arguments of that call. It returns "?" if argument is negative, because then the literal is
// no argument.
func LiteralOf(argument int, i string) string {
	if argument < 0 {
		return "?"
	}
	return code.LiteralParameter(argument, i)
}

// MaxArgumentText bounds the length in bytes of an argument's recorded text. Arguments whose type
// is evident to the resolver are rarely longer.
const MaxArgumentText = 80

// Passes records the arguments of the call whose callee's name is at node name, as one text. For
// f<T>(a) { … } it consists of the type arguments "<T>" ("" for none), the texts [a], and behind,
// the literal that follows the parentheses. It records nothing for a call without any of these.
func Passes(w *syntax.Walk, name syntax.Node, typeArguments string, texts []string, behind string) {
	if len(typeArguments)+len(texts)+len(behind) > 0 && name >= 0 {
		w.Fact(code.FactArguments, w.Encloser, "",
			strings.TrimSpace(typeArguments+"("+strings.Join(texts, ", ")+") "+behind), name)
	}
}

// ArgumentTexts returns the text of each argument in list, for Passes. The function short may return a
// shorter text for an argument; if it returns "", the text is the source on one line. A text longer than
// MaxArgumentText is replaced by "?".
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
