package rust

import (
	"iter"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// opaque is recorded as the value of a name that a pattern binds if the value cannot be
// described. The record is needed because the name shadows an outer one.
const opaque = "_"

// scope is the byte range in which the names of a pattern are visible.
type scope struct{ start, end int }

// bind records the names that a pattern binds, as visible in the byte range in. typ is the
// declared type and value the matched expression; each is "" if there is none. In let (a, b) =
// value, a is recorded as value#0. In a pattern with a struct or an enum variant V, V(x) or V {
// f: x }, x is recorded as V#0 or V.f.
func bind(w *syntax.Walk, pattern syntax.Node, typ, value string, in scope) {
	switch w.Kind(pattern) {
	case "identifier", "shorthand_field_identifier":
		rustName(w, pattern, typ, value, in)
	case "mut_pattern", "ref_pattern", "reference_pattern":
		bind(w, inner(w, pattern), strings.TrimPrefix(typ, "&"), value, in)
	case "captured_pattern":
		first := true
		for c := range w.Named(pattern) {
			if first {
				bind(w, c, typ, value, in)
			} else {
				bind(w, c, "", value, in)
			}
			first = false
		}
	case "tuple_pattern":
		bindTuple(w, pattern, typ, value, in)
	case "tuple_struct_pattern":
		bindVariant(w, pattern, value, in)
	case "struct_pattern":
		bindFields(w, pattern, in)
	case "or_pattern", "slice_pattern", "match_pattern":
		for c := range w.Named(pattern) {
			v := value
			if w.Is(pattern, "slice_pattern") {
				v = opaque
			}
			if c != w.Field(pattern, "condition") {
				bind(w, c, "", v, in)
			}
		}
	}
}

// inner returns the pattern x inside ref x, mut x or &x, which only tell how x is bound.
func inner(w *syntax.Walk, pattern syntax.Node) syntax.Node {
	inner := syntax.None
	for c := range w.Named(pattern) {
		if !w.Is(c, "mutable_specifier") {
			inner = c
		}
	}
	return inner
}

// rustName records a name that a pattern binds. It skips a name that looks like a constant or
// variant, because the pattern compares with that instead of binding it.
func rustName(w *syntax.Walk, name syntax.Node, typ, value string, in scope) {
	text := w.Str(name)
	if text == "" || text[0] >= 'A' && text[0] <= 'Z' {
		return
	}
	kind := code.FactVar
	if typ == "" || strings.Contains(typ, "_") && isHole(typ) {
		if kind, typ = code.FactAssign, value; typ == "" {
			typ = opaque
		}
	}
	w.Fact(kind, w.Encloser, text, typ, name)
	w.Out.Facts[len(w.Out.Facts)-1].Scope = [2]int{in.start, in.end}
}

// isHole reports whether a type is left to inference: _ or &_.
func isHole(typ string) bool { return strings.TrimLeft(typ, "& ") == "_" }

func bindTuple(w *syntax.Walk, pattern syntax.Node, typ, value string, in scope) {
	var types []string
	if inside, ok := strings.CutPrefix(typ, "("); ok && strings.HasSuffix(inside, ")") {
		types = splitTypes(inside[:len(inside)-1])
	}
	rest := false
	for i, c := range parts(w, pattern) {
		part := opaque
		if value != "" && value != opaque && !rest {
			part = code.PartMarker(i).After(value)
		}
		one := ""
		if i < len(types) && !rest {
			one = types[i]
		}
		bind(w, c, one, part, in)
		rest = rest || w.Is(c, "remaining_field_pattern")
	}
}

// parts yields the patterns in the parentheses of a pattern, with their positions: 1 and x for (_, x).
func parts(w *syntax.Walk, pattern syntax.Node) iter.Seq2[int, syntax.Node] {
	return func(yield func(int, syntax.Node) bool) {
		i := 0
		for c := range w.Tree.Children(pattern) {
			switch {
			case w.Is(c, ","):
				i++
			case w.IsNamed(c) && !w.IsComment(c) && !yield(i, c):
				return
			}
		}
	}
}

// splitTypes splits a list of types at its top-level commas.
func splitTypes(list string) (out []string) {
	depth, start := 0, 0
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '<' || c == '(' || c == '[':
			depth++
		case c == ')' || c == ']' || c == '>' && i > 0 && list[i-1] != '-':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(list[start:]))
}

// contents maps the names of variants to the markers that select their content: in Some(x) =
// value, x is value#some.
var contents = map[string]code.Marker{"Some": code.MarkSome, "Ok": code.MarkOk, "Err": code.MarkErr}

func bindVariant(w *syntax.Walk, pattern syntax.Node, value string, in scope) {
	typ := w.Field(pattern, "type")
	rest := false
	for i, c := range parts(w, pattern) {
		if c == typ {
			continue
		}
		part := code.PartMarker(i).After(w.Line(typ))
		if marker, ok := contents[w.Str(typ)]; ok {
			if part = opaque; value != "" && value != opaque {
				part = marker.After(value)
			}
		}
		if rest {
			part = opaque
		}
		bind(w, c, "", part, in)
		rest = rest || w.Is(c, "remaining_field_pattern")
	}
}

func bindFields(w *syntax.Walk, pattern syntax.Node, in scope) {
	typ := w.Line(w.Field(pattern, "type"))
	for c := range w.Named(pattern) {
		if !w.Is(c, "field_pattern") {
			continue
		}
		name, inner := w.Field(c, "name"), w.Field(c, "pattern")
		if inner < 0 {
			inner = name
		}
		bind(w, inner, "", typ+"."+w.Str(name), in)
	}
}

// let records the names of a let statement, in scope from its end to the end of the enclosing
// block.
func let(w *syntax.Walk, n syntax.Node) {
	in := scope{w.End(n), w.End(n)}
	if p := w.Parent(n); p >= 0 {
		in.end = w.End(p)
	}
	bind(w, w.Field(n, "pattern"), w.Line(w.Field(n, "type")), w.Line(w.Field(n, "value")), in)
	w.Children(n)
}

// condition records the names of "if let" and "while let", in scope to the end of the guarded
// block.
func condition(w *syntax.Walk, n syntax.Node) {
	guarded := w.Parent(n)
	for w.Is(guarded, "let_chain") {
		guarded = w.Parent(guarded)
	}
	in := scope{w.End(n), w.End(guarded)}
	for _, part := range []string{"consequence", "body"} {
		if body := w.Field(guarded, part); body >= 0 {
			in.end = w.End(body)
		}
	}
	bind(w, w.Field(n, "pattern"), "", w.Line(w.Field(n, "value")), in)
	w.Children(n)
}

func rustFor(w *syntax.Walk, n syntax.Node) {
	body := w.Field(n, "body")
	if body >= 0 {
		bind(w, w.Field(n, "pattern"), "", code.MarkEach.After(w.Line(w.Field(n, "value"))),
			scope{w.Start(body), w.End(body)})
	}
	w.Children(n)
}

func arm(w *syntax.Walk, n syntax.Node) {
	value := ""
	if m := w.Parent(w.Parent(n)); w.Is(m, "match_expression") {
		value = w.Line(w.Field(m, "value"))
	}
	bind(w, w.Field(n, "pattern"), "", value, scope{w.Start(n), w.End(n)})
	w.Children(n)
}

// closure records the parameters of a closure as local names: x for |x| x.run(). The
// function called with the closure decides the type of a parameter without one; see literalParameter.
func closure(w *syntax.Walk, n syntax.Node) {
	in := scope{w.Start(n), w.End(n)}
	given, i := givenTo(w, n), -1
	for p := range w.Named(w.Field(n, "parameters")) {
		if w.IsComment(p) || w.Is(p, "attribute_item") {
			continue
		}
		i++
		typ, value := "", ""
		if w.Is(p, "parameter") {
			p, typ = w.Field(p, "pattern"), w.Line(w.Field(p, "type"))
		} else if given != "" {
			value = code.FormParameter.Of(given, strconv.Itoa(i))
		}
		bind(w, p, typ, value, in)
	}
	w.Visit(w.Field(n, "body"))
}

// maxGivenText bounds the text of a function that is called with a closure, in bytes. All links of a
// chain repeat the text before them.
const maxGivenText = 300

// givenTo returns the form of the argument that closure n is: #arg(rows.each, 0) in rows.each(|x| …).
// It returns "" for a closure that is no argument.
func givenTo(w *syntax.Walk, n syntax.Node) string {
	list := w.Parent(n)
	call := w.Parent(list)
	f := w.Field(call, "function")
	if !w.Is(list, "arguments") || !w.Is(call, "call_expression") || w.End(f)-w.Start(f) > maxGivenText {
		return ""
	}
	i := 0
	for a := range w.Named(list) {
		if a == n {
			return code.FormArgument.Of(w.Line(f), strconv.Itoa(i))
		}
		if !w.IsComment(a) && !w.Is(a, "attribute_item") {
			i++
		}
	}
	return ""
}
