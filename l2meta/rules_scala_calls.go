package l2meta

import (
	"strings"
	"unicode"

	"sextant/internal/code"
)

// scalaSelf records the other name of this, and the type that it is required
// to have.
func scalaSelf(w *walk, n node) {
	name := w.child(n, "identifier")
	w.fact(code.FactAssign, w.encloser, w.str(name), "this", name)
	for c := range w.named(n) {
		if c != name {
			w.fact(code.FactVar, w.encloser, "this", w.line(c), c)
		}
	}
}

// scalaEnumerator records p <- e and p = e of a for.
func scalaEnumerator(w *walk, n node) {
	w.boundIn(w.within(n, "for_expression"), w.start(n), func() { scalaGenerated(w, n) })
	w.children(n)
}

func scalaGenerated(w *walk, n node) {
	left := n + 1
	if arrow := w.child(n, "<-", "←"); arrow >= 0 {
		for _, one := range scalaPattern(w, left, "#each", nil) {
			scalaSays(w, w.encloser, code.FactVar, one, none, max(w.after(arrow), 1))
		}
	} else if eq := w.child(n, "="); eq >= 0 {
		for _, one := range scalaPattern(w, left, "", nil) {
			scalaSays(w, w.encloser, code.FactVar, one, none, max(w.after(eq), 1))
		}
	}
}

// scalaTyped records the name that case x: T binds.
func scalaTyped(w *walk, n node) {
	if name := w.field(n, "pattern"); w.is(name, "identifier") && !w.is(w.parent(n), "val_definition", "var_definition") {
		w.boundIn(w.within(n, "case_clause"), w.start(n), func() {
			w.fact(code.FactVar, w.encloser, w.str(name), w.line(w.field(n, "type")), name)
		})
	}
}

// scalaClause records the names that a case binds without a type: they hide
// others.
func scalaClause(w *walk, n node) {
	w.boundIn(n, w.start(n), func() {
		for _, one := range scalaPattern(w, w.field(n, "pattern"), "?", nil) {
			if name := w.str(one.name); one.typ < 0 && name != "_" && !unicode.IsUpper([]rune(name)[0]) {
				w.fact(code.FactAssign, w.encloser, kotlinBare(name), "?", one.name)
			}
		}
	})
	w.children(n)
}

// scalaLambda records the parameters of a function literal.
func scalaLambda(w *walk, n node) {
	list := w.field(n, "parameters")
	w.boundIn(n, w.start(n), func() {
		if w.is(list, "identifier") {
			w.fact(code.FactAssign, w.encloser, w.str(list), "?", list)
		}
		for b := range w.named(list) {
			name, typ := w.field(b, "name"), w.field(b, "type")
			if typ >= 0 {
				w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), typ)
			} else if name >= 0 {
				w.fact(code.FactAssign, w.encloser, w.str(name), "?", name)
			}
		}
	})
	w.children(n)
}

// scalaArgs counts what is passed: a block is one argument; -1 with a spread.
func scalaArgs(w *walk, args node) (count int) {
	if !w.is(args, "arguments") {
		return 1
	}
	for a := range w.named(args) {
		if w.is(a, "ascription_expression") && w.child(a, "repeated_parameter_type") >= 0 || w.is(a, "postfix_expression") && strings.HasSuffix(w.str(a), "*") {
			return -1
		}
		count++
	}
	return count
}

// scalaCall records f(x)(y) { … } as one call with the arguments of all lists.
func scalaCall(w *walk, n node) {
	fn, count, spread := n, 0, false
	for w.is(fn, "call_expression") {
		args := scalaArgs(w, w.field(fn, "arguments"))
		count, spread = count+args, spread || args < 0
		fn = w.field(fn, "function")
	}
	if spread {
		count = -1
	}
	scalaCallOf(w, n, fn, count)
	scalaParts(w, n)
}

// scalaParts visits the parts of a call but for the names in its function.
func scalaParts(w *walk, fn node) {
	switch w.kind(fn) {
	case "call_expression":
		scalaParts(w, w.field(fn, "function"))
		w.visit(w.field(fn, "arguments"))
	case "generic_function":
		scalaParts(w, w.field(fn, "function"))
	case "field_expression":
		w.visit(w.field(fn, "value"))
	default:
		w.visit(fn)
	}
}

func scalaCallOf(w *walk, site, fn node, args int) {
	if w.is(fn, "generic_function") {
		fn = w.field(fn, "function")
	}
	switch w.kind(fn) {
	case "identifier", "operator_identifier":
		kind := code.CallPlain
		if w.str(fn) == "this" {
			kind = code.CallSuper
		}
		w.callAs(kind, site, fn, kotlinBare(w.str(fn)), "", args)
	case "field_expression":
		kind, name, value := code.CallPlain, w.field(fn, "field"), w.field(fn, "value")
		receiver := w.line(value)
		if receiver == "super" || strings.HasPrefix(receiver, "super[") || strings.HasSuffix(receiver, ".super") {
			kind = code.CallSuper
		}
		w.callAs(kind, site, name, kotlinBare(w.str(name)), receiver, args)
	}
}

// scalaGeneric records f[T] without arguments, which is a call.
func scalaGeneric(w *walk, n node) {
	if w.str(w.field(n, "function")) != "super" {
		scalaCallOf(w, n, n, 0)
	}
	scalaParts(w, n)
}

// scalaPlain are operators of numbers, strings and truth values, which say
// nothing of who is called.
var scalaPlain = map[string]bool{
	"+": true, "-": true, "*": true, "/": true, "%": true, "==": true, "!=": true, "<": true, ">": true, "<=": true, ">=": true, "&&": true, "||": true,
	"&": true, "|": true, "^": true, "<<": true, ">>": true, ">>>": true, "+=": true, "-=": true, "*=": true, "/=": true, "|=": true, "&=": true,
	"eq": true, "ne": true, "->": true,
}

// scalaInfix records a f b; an operator that ends in a colon is called on its
// right side. "new A with B { … }" is one to the grammar.
func scalaInfix(w *walk, n node) {
	op, left, right := w.field(n, "operator"), w.field(n, "left"), w.field(n, "right")
	name := w.str(op)
	switch {
	case name == "with":
		w.visit(left)
		w.visit(w.field(right, "arguments"))
		return
	case scalaPlain[name]:
	case strings.HasSuffix(name, ":"):
		w.call(code.CallPlain, n, op, right, 1)
	default:
		count := 1
		if w.is(right, "tuple_expression") {
			count = w.countNamed(right)
		} else if w.is(right, "unit") {
			count = 0
		}
		w.callAs(code.CallPlain, n, op, kotlinBare(name), w.line(left), count)
	}
	scalaReference(w, right)
	w.visit(left)
	w.visit(right)
}

// scalaPostfix records x f, and notes f _ as a function taken as a value.
func scalaPostfix(w *walk, n node) {
	first := w.firstNamed(n)
	op := w.after(first)
	if w.str(op) == "_" || op <= 0 {
		scalaReference(w, first)
	} else if w.is(op, "identifier") {
		w.callAs(code.CallPlain, n, op, kotlinBare(w.str(op)), w.line(first), 0)
	}
	w.visit(first)
}

func scalaNew(w *walk, n node) {
	count := 0
	for args := range w.all(n, "arguments") {
		count += scalaArgs(w, args)
	}
	for c := range w.named(n) {
		if name, receiver := scalaTypeName(w, c); name >= 0 {
			w.call(code.CallNew, n, name, receiver, count)
		}
		break
	}
	if first := w.firstNamed(n); first >= 0 {
		w.thisIn(w.child(n, "template_body"), w.line(first), first)
	}
	for c := range w.named(n) {
		if w.is(c, "arguments", "template_body", "block") {
			w.visit(c)
		}
	}
}

// scalaField notes r.f without arguments: f may be a function.
func scalaField(w *walk, n node) {
	scalaReference(w, n)
	w.visit(w.field(n, "value"))
}

// scalaArguments notes the bare names that are passed.
func scalaArguments(w *walk, n node) {
	for a := range w.named(n) {
		if w.is(a, "identifier") {
			scalaReference(w, a)
		}
	}
	w.children(n)
}

func scalaReference(w *walk, value node) {
	st := w.state.(*scalaFile)
	switch w.kind(value) {
	case "identifier":
		st.refs = append(st.refs, reference{site: value, name: value, receiver: none, caller: w.encloser})
	case "field_expression":
		if !w.is(w.parent(value), "infix_expression") {
			st.refs = append(st.refs, reference{site: value, name: w.field(value, "field"), receiver: w.field(value, "value"), caller: w.encloser})
		}
	}
}

// scalaInterpolated records id"…" as a call of id, but for the standard ones.
func scalaInterpolated(w *walk, n node) {
	switch id := w.field(n, "interpolator"); w.str(id) {
	case "s", "f", "raw":
	default:
		count := 0
		for c := range w.descendants(n) {
			if w.is(c, "interpolation") {
				count++
			}
		}
		w.call(code.CallPlain, n, id, none, count)
	}
	w.children(n)
}
