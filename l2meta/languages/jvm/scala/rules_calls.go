package scala

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// self records a self-type, trait A { me: B => … }: me is another name for "this", and "this" has
// the type B, too.
func self(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "identifier")
	facts.BoundIn(w, w.Parent(n), w.Start(n), func() {
		w.Fact(code.FactAssign, w.Encloser, w.Str(name), "(n this)", name)
	})
	if typ := masked(w, name); typ != "" {
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

// enumerator records the names that p <- e and p = e bind in a for expression. They are in scope
// from the end of e on, because a guard may follow: x <- xs if x.ok.
func enumerator(w *syntax.Walk, n syntax.Node) {
	src, value := "", generated(w, n)
	if value >= 0 {
		src = "(each " + termText(w, value) + ")"
	} else if eq := w.Child(n, "="); eq >= 0 {
		value = max(w.After(eq), 0)
		src = termText(w, value)
	}
	if left := w.FirstNamed(n); src != "" && left >= 0 {
		scalaBound(w, w.Within(n, "for_expression"), w.End(value), left, src)
	}
	w.Children(n)
}

// scalaClause records the names that the pattern of a case binds.
func scalaClause(w *syntax.Walk, n syntax.Node) {
	scalaBound(w, n, w.Start(n), w.Field(n, "pattern"), scrutinee(w, w.Parent(n)))
	for c := range w.Named(n) {
		if c != w.Field(n, "pattern") {
			w.Visit(c)
		}
	}
}

// scrutinee returns the value that a block of cases matches, as a term (see rules_terms.go): (n x) for
// x match { case … }, the argument that f passes for f { case … }, or (?) if it is unknown.
func scrutinee(w *syntax.Walk, block syntax.Node) string {
	switch p := w.Parent(block); {
	case w.Is(p, "match_expression"):
		return termText(w, w.Field(p, "value"))
	case w.Is(p, "catch_clause"):
		return `(new "Throwable")`
	}
	if taken := scalaTaken(w, block); taken != "" {
		return taken + " *)"
	}
	return opaque
}

// lambda records the parameters of a function literal.
func lambda(w *syntax.Walk, n syntax.Node) {
	list, taken := w.Field(n, "parameters"), scalaTaken(w, n)
	gets := func(i int) string {
		if taken == "" {
			return opaque
		}
		return taken + " " + strconv.Itoa(i) + ")"
	}
	facts.BoundIn(w, n, w.Start(n), func() {
		if w.Is(list, "identifier") && masked(w, list) != "" {
			w.Fact(code.FactVar, w.Encloser, facts.Bare(w.Str(list)), masked(w, list), list)
		} else if w.Is(list, "identifier") {
			w.Fact(code.FactAssign, w.Encloser, facts.Bare(w.Str(list)), gets(0), list)
		}
		i := 0
		for b := range w.Named(list) {
			name, typ := w.Field(b, "name"), w.Field(b, "type")
			if typ >= 0 {
				w.Fact(code.FactVar, w.Encloser, facts.Bare(w.Str(name)), w.Line(typ), name)
			} else if name >= 0 {
				w.Fact(code.FactAssign, w.Encloser, facts.Bare(w.Str(name)), gets(i), name)
			}
			i++
		}
	})
	w.Children(n)
}

// scalaHole records the value of a placeholder "_" in a function such as _.f: the value that the
// call passes to that function.
func scalaHole(w *syntax.Walk, n syntax.Node) {
	held := holds(w, n)
	if held < 0 {
		return
	}
	taken, i := scalaTaken(w, held), 0
	if taken == "" {
		return
	}
	for _, hole := range holes(w, held) {
		if hole == n {
			break
		}
		if holds(w, hole) == held {
			i++
		}
	}
	facts.BoundIn(w, n, w.Start(n), func() {
		w.Fact(code.FactAssign, w.Encloser, "_", taken+" "+strconv.Itoa(i)+")", n)
	})
}

// scalaArgs returns the number of arguments in a list; a block counts as one. It returns -1 if an
// argument is a sequence that is spread: xs: _*.
func scalaArgs(w *syntax.Walk, args syntax.Node) (count int) {
	if !w.Is(args, "arguments") {
		return 1
	}
	for a := range w.Named(args) {
		if w.Is(a, "ascription_expression") && w.Child(a, "repeated_parameter_type") >= 0 ||
			w.Is(a, "postfix_expression") && strings.HasSuffix(w.Str(a), "*") {
			return -1
		}
		count++
	}
	return count
}

// callSite records f(x)(y) { … } as one call, whose arguments are those of all lists.
func callSite(w *syntax.Walk, n syntax.Node) {
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
	callOf(w, n, fn, count, lists)
	scalaParts(w, n)
}

// scalaParts visits the parts of a call, except the name of the called function, because that is
// recorded with the call.
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

func callOf(w *syntax.Walk, site, fn syntax.Node, args int, lists []syntax.Node) {
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
		w.CallAs(kind, site, fn, facts.Bare(w.Str(fn)), "", args)
		hands(w, fn, "-", types, lists)
	case "field_expression":
		kind, name, value := code.CallPlain, w.Field(fn, "field"), w.Field(fn, "value")
		receiver := w.Line(value)
		if receiver == "super" || strings.HasPrefix(receiver, "super[") || strings.HasSuffix(receiver, ".super") {
			kind = code.CallSuper
		}
		w.CallAs(kind, site, name, facts.Bare(w.Str(name)), receiver, args)
		hands(w, name, termText(w, value), types, lists)
	}
}

// generic records f[T], which is a call in spite of having no arguments.
func generic(w *syntax.Walk, n syntax.Node) {
	if !w.Says(w.Field(n, "function"), "super") {
		callOf(w, n, n, 0, nil)
	}
	scalaParts(w, n)
}

// infix records the calls in an expression with infix operators, such as a + b * c, once for the whole
// expression. The grammar also parses "new A with B { … }" as the operator "with", which is no call.
func infix(w *syntax.Walk, n syntax.Node) {
	if !w.Is(w.Parent(n), "infix_expression") || w.Field(w.Parent(n), "left") != n {
		operators(w, n).record(w, n)
	}
	left, right := w.Field(n, "left"), w.Field(n, "right")
	if w.Says(w.Field(n, "operator"), "with") {
		w.Visit(left)
		w.Visit(w.Field(right, "arguments"))
		return
	}
	referenceAt(w, right)
	w.Visit(left)
	w.Visit(right)
}

// postfix records the call x f, which means x.f. The grammar also parses f _ as such an expression; then
// postfix adds f to file.refs, as a function that may be used as a value.
func postfix(w *syntax.Walk, n syntax.Node) {
	first := w.FirstNamed(n)
	if op := w.After(first); isPostfix(w, op) {
		w.CallAs(code.CallPlain, n, op, facts.Bare(w.Str(op)), w.Line(first), 0)
		hands(w, op, termText(w, first), syntax.None, nil)
	} else {
		referenceAt(w, first)
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
	if name, receiver := typeName(w, first); name >= 0 {
		w.Call(code.CallNew, n, name, receiver, count)
		hands(w, name, "-", syntax.None, lists)
	}
	if first >= 0 {
		facts.ThisIn(w, w.Child(n, "template_body"), w.Line(first), first)
	}
	for c := range w.Named(n) {
		if w.Is(c, "arguments", "template_body", "block") {
			w.Visit(c)
		}
	}
}

// field adds r.f, a selection without arguments, to file.refs, the names that finish looks at: f may be a
// function.
func field(w *syntax.Walk, n syntax.Node) {
	referenceAt(w, n)
	w.Visit(w.Field(n, "value"))
}

// arguments adds each bare name among the arguments of a call to file.refs, the names that finish looks
// at: the name may be a function, as parse in xs.map(parse).
func arguments(w *syntax.Walk, n syntax.Node) {
	for a := range w.Named(n) {
		if w.Is(a, "identifier") {
			referenceAt(w, a)
		}
	}
	w.Children(n)
}

// reading lists the kinds of syntax nodes in which a bare name is read. A function without
// parameter lists is called by its name alone.
var reading = []string{"assignment_expression", "block", "case_clause", "function_definition",
	"if_expression", "indented_block",
	"interpolation", "lambda_expression", "match_expression", "parenthesized_expression", "prefix_expression",
	"return_expression",
	"throw_expression", "tuple_expression", "val_definition", "var_definition", "while_expression"}

// bareName adds a bare name to file.refs, the names that finish looks at, if an expression reads it: the
// name may be a function.
func bareName(w *syntax.Walk, n syntax.Node) {
	switch parent := w.Parent(n); {
	case w.Is(parent, "infix_expression", "field_expression") && parent+1 == n,
		w.Is(parent, reading...) && w.Field(parent, "name") != n && w.Field(parent, "pattern") != n &&
			w.Field(parent, "left") != n:
		referenceAt(w, n)
	}
}

func referenceAt(w *syntax.Walk, value syntax.Node) {
	st := w.State.(*file)
	switch w.Kind(value) {
	case "identifier":
		st.refs = append(st.refs, syntax.Reference{Site: value, Name: value, Receiver: syntax.None, Caller: w.Encloser})
	case "field_expression":
		st.refs = append(st.refs, syntax.Reference{Site: value, Name: w.Field(value, "field"),
			Receiver: w.Field(value, "value"), Caller: w.Encloser})
	}
}

// interpolated records id"…" as a call of id, a member of StringContext.
func interpolated(w *syntax.Walk, n syntax.Node) {
	id, count := w.Field(n, "interpolator"), 0
	for c := range w.Named(n) {
		if w.Is(c, "interpolated_string") {
			count = w.CountNamed(c)
		}
	}
	w.CallAs(code.CallPlain, n, id, w.Str(id), "StringContext", count)
	handsTerm(w, id, "(call (k StringContext) () ())")
	w.Children(n)
}
