package l2meta

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
)

// scalaSelf records the other name of this, and the type that it is required
// to have.
func scalaSelf(w *walk, n node) {
	name := w.child(n, "identifier")
	boundIn(w, w.parent(n), w.start(n), func() { w.fact(code.FactAssign, w.encloser, w.str(name), "(n this)", name) })
	if typ := scalaMasked(w, name); typ != "" {
		for part := range strings.SplitSeq(typ, " with ") {
			w.fact(code.FactVar, w.encloser, "this", part, name)
		}
		return
	}
	for c := range w.named(n) {
		switch {
		case c == name:
		case w.is(c, "compound_type"):
			for part := range w.named(c) {
				w.fact(code.FactVar, w.encloser, "this", w.line(part), part)
			}
		default:
			w.fact(code.FactVar, w.encloser, "this", w.line(c), c)
		}
	}
}

// scalaEnumerator records p <- e and p = e of a for.
func scalaEnumerator(w *walk, n node) {
	src := ""
	if arrow := w.child(n, "<-", "←"); arrow >= 0 {
		src = "(each " + scalaTerm(w, max(w.after(arrow), 0)) + ")"
	} else if eq := w.child(n, "="); eq >= 0 {
		src = scalaTerm(w, max(w.after(eq), 0))
	}
	if left := w.firstNamed(n); src != "" && left >= 0 {
		scalaBound(w, w.within(n, "for_expression"), w.end(n), left, src)
	}
	w.children(n)
}

// scalaClause records the names that a case binds.
func scalaClause(w *walk, n node) {
	scalaBound(w, n, w.start(n), w.field(n, "pattern"), scalaScrutinee(w, w.parent(n)))
	for c := range w.named(n) {
		if c != w.field(n, "pattern") {
			w.visit(c)
		}
	}
}

// scalaScrutinee is the value whose cases a block tells apart.
func scalaScrutinee(w *walk, block node) string {
	switch p := w.parent(block); {
	case w.is(p, "match_expression"):
		return scalaTerm(w, w.field(p, "value"))
	case w.is(p, "catch_clause"):
		return `(new "Throwable")`
	}
	if taken := scalaTaken(w, block); taken != "" {
		return taken + " *)"
	}
	return scalaOpaque
}

// scalaLambda records the parameters of a function literal.
func scalaLambda(w *walk, n node) {
	list, taken := w.field(n, "parameters"), scalaTaken(w, n)
	gets := func(i int) string {
		if taken == "" {
			return scalaOpaque
		}
		return taken + " " + strconv.Itoa(i) + ")"
	}
	boundIn(w, n, w.start(n), func() {
		if w.is(list, "identifier") && scalaMasked(w, list) != "" {
			w.fact(code.FactVar, w.encloser, kotlinBare(w.str(list)), scalaMasked(w, list), list)
		} else if w.is(list, "identifier") {
			w.fact(code.FactAssign, w.encloser, kotlinBare(w.str(list)), gets(0), list)
		}
		i := 0
		for b := range w.named(list) {
			name, typ := w.field(b, "name"), w.field(b, "type")
			if typ >= 0 {
				w.fact(code.FactVar, w.encloser, kotlinBare(w.str(name)), w.line(typ), name)
			} else if name >= 0 {
				w.fact(code.FactAssign, w.encloser, kotlinBare(w.str(name)), gets(i), name)
			}
			i++
		}
	})
	w.children(n)
}

// scalaHole records what a placeholder of a function stands for.
func scalaHole(w *walk, n node) {
	held := scalaHolds(w, n)
	if held < 0 {
		return
	}
	taken, i := scalaTaken(w, held), 0
	if taken == "" {
		return
	}
	for _, hole := range scalaHoles(w, held) {
		if hole == n {
			break
		}
		if scalaHolds(w, hole) == held {
			i++
		}
	}
	boundIn(w, n, w.start(n), func() { w.fact(code.FactAssign, w.encloser, "_", taken+" "+strconv.Itoa(i)+")", n) })
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
	var lists []node
	for w.is(fn, "call_expression") {
		list := w.field(fn, "arguments")
		args := scalaArgs(w, list)
		count, spread, lists = count+args, spread || args < 0, append(lists, list)
		fn = w.field(fn, "function")
	}
	if spread {
		count = -1
	}
	slices.Reverse(lists)
	scalaCallOf(w, n, fn, count, lists)
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

func scalaCallOf(w *walk, site, fn node, args int, lists []node) {
	types := none
	if w.is(fn, "generic_function") {
		types = w.field(fn, "type_arguments")
		fn = w.field(fn, "function")
	}
	switch w.kind(fn) {
	case "identifier", "operator_identifier":
		kind := code.CallPlain
		if w.says(fn, "this") {
			kind = code.CallSuper
		}
		w.callAs(kind, site, fn, kotlinBare(w.str(fn)), "", args)
		scalaHands(w, fn, "-", types, lists)
	case "field_expression":
		kind, name, value := code.CallPlain, w.field(fn, "field"), w.field(fn, "value")
		receiver := w.line(value)
		if receiver == "super" || strings.HasPrefix(receiver, "super[") || strings.HasSuffix(receiver, ".super") {
			kind = code.CallSuper
		}
		w.callAs(kind, site, name, kotlinBare(w.str(name)), receiver, args)
		scalaHands(w, name, scalaTerm(w, value), types, lists)
	}
}

// scalaGeneric records f[T] without arguments, which is a call.
func scalaGeneric(w *walk, n node) {
	if !w.says(w.field(n, "function"), "super") {
		scalaCallOf(w, n, n, 0, nil)
	}
	scalaParts(w, n)
}

// scalaInfix records the calls of a row of operators, where its last stands.
// "new A with B { … }" is one to the grammar.
func scalaInfix(w *walk, n node) {
	if !w.is(w.parent(n), "infix_expression") || w.field(w.parent(n), "left") != n {
		scalaOperators(w, n).record(w, n)
	}
	left, right := w.field(n, "left"), w.field(n, "right")
	if w.says(w.field(n, "operator"), "with") {
		w.visit(left)
		w.visit(w.field(right, "arguments"))
		return
	}
	scalaReference(w, right)
	w.visit(left)
	w.visit(right)
}

// scalaPostfix records x f, and notes f _ as a function taken as a value.
func scalaPostfix(w *walk, n node) {
	first := w.firstNamed(n)
	if op := w.after(first); scalaIsPostfix(w, op) {
		w.callAs(code.CallPlain, n, op, kotlinBare(w.str(op)), w.line(first), 0)
		scalaHands(w, op, scalaTerm(w, first), none, nil)
	} else {
		scalaReference(w, first)
	}
	w.visit(first)
}

func scalaNew(w *walk, n node) {
	count := 0
	var lists []node
	for args := range w.all(n, "arguments") {
		count, lists = count+scalaArgs(w, args), append(lists, args)
	}
	first := w.firstNamed(n)
	if name, receiver := scalaTypeName(w, first); name >= 0 {
		w.call(code.CallNew, n, name, receiver, count)
		scalaHands(w, name, "-", none, lists)
	}
	if first >= 0 {
		thisIn(w, w.child(n, "template_body"), w.line(first), first)
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
		scalaHandsTerm(w, id, `(call (new "StringContext") () ())`)
	}
	w.children(n)
}
