package jvm

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// scalaSelf records the alias of this in a self-type, and the required type.
func scalaSelf(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "identifier")
	boundIn(w, w.Parent(n), w.Start(n), func() { w.Fact(code.FactAssign, w.Encloser, w.Str(name), "(n this)", name) })
	if typ := scalaMasked(w, name); typ != "" {
		for part := range strings.SplitSeq(typ, " with ") {
			w.Fact(code.FactVar, w.Encloser, "this", part, name)
		}
		return
	}
	for c := range w.Named(n) {
		switch {
		case c == name:
		case w.Is(c, "compound_type"):
			for part := range w.Named(c) {
				w.Fact(code.FactVar, w.Encloser, "this", w.Line(part), part)
			}
		default:
			w.Fact(code.FactVar, w.Encloser, "this", w.Line(c), c)
		}
	}
}

// scalaEnumerator records p <- e and p = e in a for expression.
func scalaEnumerator(w *syntax.Walk, n syntax.Node) {
	src := ""
	if arrow := w.Child(n, "<-", "←"); arrow >= 0 {
		src = "(each " + scalaTermText(w, max(w.After(arrow), 0)) + ")"
	} else if eq := w.Child(n, "="); eq >= 0 {
		src = scalaTermText(w, max(w.After(eq), 0))
	}
	if left := w.FirstNamed(n); src != "" && left >= 0 {
		scalaBound(w, w.Within(n, "for_expression"), w.End(n), left, src)
	}
	w.Children(n)
}

// scalaClause records the names that a case binds.
func scalaClause(w *syntax.Walk, n syntax.Node) {
	scalaBound(w, n, w.Start(n), w.Field(n, "pattern"), scalaScrutinee(w, w.Parent(n)))
	for c := range w.Named(n) {
		if c != w.Field(n, "pattern") {
			w.Visit(c)
		}
	}
}

// scalaScrutinee returns the term of the value that a block of cases matches.
func scalaScrutinee(w *syntax.Walk, block syntax.Node) string {
	switch p := w.Parent(block); {
	case w.Is(p, "match_expression"):
		return scalaTermText(w, w.Field(p, "value"))
	case w.Is(p, "catch_clause"):
		return `(new "Throwable")`
	}
	if taken := scalaTaken(w, block); taken != "" {
		return taken + " *)"
	}
	return scalaOpaque
}

// scalaLambda records the parameters of a function literal.
func scalaLambda(w *syntax.Walk, n syntax.Node) {
	list, taken := w.Field(n, "parameters"), scalaTaken(w, n)
	gets := func(i int) string {
		if taken == "" {
			return scalaOpaque
		}
		return taken + " " + strconv.Itoa(i) + ")"
	}
	boundIn(w, n, w.Start(n), func() {
		if w.Is(list, "identifier") && scalaMasked(w, list) != "" {
			w.Fact(code.FactVar, w.Encloser, kotlinBare(w.Str(list)), scalaMasked(w, list), list)
		} else if w.Is(list, "identifier") {
			w.Fact(code.FactAssign, w.Encloser, kotlinBare(w.Str(list)), gets(0), list)
		}
		i := 0
		for b := range w.Named(list) {
			name, typ := w.Field(b, "name"), w.Field(b, "type")
			if typ >= 0 {
				w.Fact(code.FactVar, w.Encloser, kotlinBare(w.Str(name)), w.Line(typ), name)
			} else if name >= 0 {
				w.Fact(code.FactAssign, w.Encloser, kotlinBare(w.Str(name)), gets(i), name)
			}
			i++
		}
	})
	w.Children(n)
}

// scalaHole records the value of a placeholder in a function such as _.f.
func scalaHole(w *syntax.Walk, n syntax.Node) {
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
	boundIn(w, n, w.Start(n), func() { w.Fact(code.FactAssign, w.Encloser, "_", taken+" "+strconv.Itoa(i)+")", n) })
}

// scalaArgs returns the number of arguments; a block counts as one. It returns -1 if there is a
// spread.
func scalaArgs(w *syntax.Walk, args syntax.Node) (count int) {
	if !w.Is(args, "arguments") {
		return 1
	}
	for a := range w.Named(args) {
		if w.Is(a, "ascription_expression") && w.Child(a, "repeated_parameter_type") >= 0 || w.Is(a, "postfix_expression") && strings.HasSuffix(w.Str(a), "*") {
			return -1
		}
		count++
	}
	return count
}

// scalaCallSite records f(x)(y) { … } as one call with the arguments of all lists.
func scalaCallSite(w *syntax.Walk, n syntax.Node) {
	fn, count, spread := n, 0, false
	var lists []syntax.Node
	for w.Is(fn, "call_expression") {
		list := w.Field(fn, "arguments")
		args := scalaArgs(w, list)
		count, spread, lists = count+args, spread || args < 0, append(lists, list)
		fn = w.Field(fn, "function")
	}
	if spread {
		count = -1
	}
	slices.Reverse(lists)
	scalaCallOf(w, n, fn, count, lists)
	scalaParts(w, n)
}

// scalaParts visits the parts of a call except the names in its function.
func scalaParts(w *syntax.Walk, fn syntax.Node) {
	switch w.Kind(fn) {
	case "call_expression":
		scalaParts(w, w.Field(fn, "function"))
		w.Visit(w.Field(fn, "arguments"))
	case "generic_function":
		scalaParts(w, w.Field(fn, "function"))
	case "field_expression":
		w.Visit(w.Field(fn, "value"))
	default:
		w.Visit(fn)
	}
}

func scalaCallOf(w *syntax.Walk, site, fn syntax.Node, args int, lists []syntax.Node) {
	types := syntax.None
	if w.Is(fn, "generic_function") {
		types = w.Field(fn, "type_arguments")
		fn = w.Field(fn, "function")
	}
	switch w.Kind(fn) {
	case "identifier", "operator_identifier":
		kind := code.CallPlain
		if w.Says(fn, "this") {
			kind = code.CallSuper
		}
		w.CallAs(kind, site, fn, kotlinBare(w.Str(fn)), "", args)
		scalaHands(w, fn, "-", types, lists)
	case "field_expression":
		kind, name, value := code.CallPlain, w.Field(fn, "field"), w.Field(fn, "value")
		receiver := w.Line(value)
		if receiver == "super" || strings.HasPrefix(receiver, "super[") || strings.HasSuffix(receiver, ".super") {
			kind = code.CallSuper
		}
		w.CallAs(kind, site, name, kotlinBare(w.Str(name)), receiver, args)
		scalaHands(w, name, scalaTermText(w, value), types, lists)
	}
}

// scalaGeneric records f[T] without arguments, which is a call.
func scalaGeneric(w *syntax.Walk, n syntax.Node) {
	if !w.Says(w.Field(n, "function"), "super") {
		scalaCallOf(w, n, n, 0, nil)
	}
	scalaParts(w, n)
}

// scalaInfix records the calls in a row of infix operators, once per row. The grammar also parses
// "new A with B { … }" as such a row.
func scalaInfix(w *syntax.Walk, n syntax.Node) {
	if !w.Is(w.Parent(n), "infix_expression") || w.Field(w.Parent(n), "left") != n {
		scalaOperators(w, n).record(w, n)
	}
	left, right := w.Field(n, "left"), w.Field(n, "right")
	if w.Says(w.Field(n, "operator"), "with") {
		w.Visit(left)
		w.Visit(w.Field(right, "arguments"))
		return
	}
	scalaReferenceAt(w, right)
	w.Visit(left)
	w.Visit(right)
}

// scalaPostfix records the call x f, and notes f _ as a function used as a value.
func scalaPostfix(w *syntax.Walk, n syntax.Node) {
	first := w.FirstNamed(n)
	if op := w.After(first); scalaIsPostfix(w, op) {
		w.CallAs(code.CallPlain, n, op, kotlinBare(w.Str(op)), w.Line(first), 0)
		scalaHands(w, op, scalaTermText(w, first), syntax.None, nil)
	} else {
		scalaReferenceAt(w, first)
	}
	w.Visit(first)
}

func scalaNew(w *syntax.Walk, n syntax.Node) {
	count := 0
	var lists []syntax.Node
	for args := range w.All(n, "arguments") {
		count, lists = count+scalaArgs(w, args), append(lists, args)
	}
	first := w.FirstNamed(n)
	if name, receiver := scalaTypeName(w, first); name >= 0 {
		w.Call(code.CallNew, n, name, receiver, count)
		scalaHands(w, name, "-", syntax.None, lists)
	}
	if first >= 0 {
		thisIn(w, w.Child(n, "template_body"), w.Line(first), first)
	}
	for c := range w.Named(n) {
		if w.Is(c, "arguments", "template_body", "block") {
			w.Visit(c)
		}
	}
}

// scalaField notes r.f without arguments, since f may be a function.
func scalaField(w *syntax.Walk, n syntax.Node) {
	scalaReferenceAt(w, n)
	w.Visit(w.Field(n, "value"))
}

// scalaArguments notes the bare names among arguments.
func scalaArguments(w *syntax.Walk, n syntax.Node) {
	for a := range w.Named(n) {
		if w.Is(a, "identifier") {
			scalaReferenceAt(w, a)
		}
	}
	w.Children(n)
}

func scalaReferenceAt(w *syntax.Walk, value syntax.Node) {
	st := w.State.(*scalaFile)
	switch w.Kind(value) {
	case "identifier":
		st.refs = append(st.refs, syntax.Reference{Site: value, Name: value, Receiver: syntax.None, Caller: w.Encloser})
	case "field_expression":
		if !w.Is(w.Parent(value), "infix_expression") {
			st.refs = append(st.refs, syntax.Reference{Site: value, Name: w.Field(value, "field"), Receiver: w.Field(value, "value"), Caller: w.Encloser})
		}
	}
}

// scalaInterpolated records id"…" as a call of id, a member of StringContext.
func scalaInterpolated(w *syntax.Walk, n syntax.Node) {
	id, count := w.Field(n, "interpolator"), 0
	for c := range w.Named(n) {
		if w.Is(c, "interpolated_string") {
			count = w.CountNamed(c)
		}
	}
	w.CallAs(code.CallPlain, n, id, w.Str(id), "StringContext", count)
	scalaHandsTerm(w, id, "(call (k StringContext) () ())")
	w.Children(n)
}
