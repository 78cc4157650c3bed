package rust

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// opaque is the value of a name that a pattern binds to something that is
// not readable: it hides what had the name before.
const opaque = "_"

// scope is where the names of a pattern hold, in bytes.
type scope struct{ start, end int }

// bind records what a pattern binds: typ is the written type, value the
// expression that is taken apart, both "" when there is none. What a name gets
// is written as an expression: "e#0" is the first element of a tuple, "e#some",
// "e#ok" and "e#err" the content of the variant of Option or Result, "V#0" and
// "V.f" a field of the struct or variant V.
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

// inner returns the pattern in a pattern that says how it binds.
func inner(w *syntax.Walk, pattern syntax.Node) syntax.Node {
	inner := syntax.None
	for c := range w.Named(pattern) {
		if !w.Is(c, "mutable_specifier") {
			inner = c
		}
	}
	return inner
}

// rustName records one bound name. A name that reads as a constant's or a
// variant's is matched, not bound.
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

// isHole reports whether a type is left to inference.
func isHole(typ string) bool { return strings.TrimLeft(typ, "& ") == "_" }

func bindTuple(w *syntax.Walk, pattern syntax.Node, typ, value string, in scope) {
	var types []string
	if inside, ok := strings.CutPrefix(typ, "("); ok && strings.HasSuffix(inside, ")") {
		types = splitTypes(inside[:len(inside)-1])
	}
	i, rest := 0, false
	for c := range w.Named(pattern) {
		part := opaque
		if value != "" && value != opaque && !rest {
			part = value + "#" + strconv.Itoa(i)
		}
		one := ""
		if i < len(types) && !rest {
			one = types[i]
		}
		bind(w, c, one, part, in)
		rest = rest || w.Is(c, "remaining_field_pattern")
		i++
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

// contents are the variants whose content is known from the type matched.
var contents = map[string]string{"Some": "#some", "Ok": "#ok", "Err": "#err"}

func bindVariant(w *syntax.Walk, pattern syntax.Node, value string, in scope) {
	typ := w.Field(pattern, "type")
	i, rest := 0, false
	for c := range w.Named(pattern) {
		if c == typ {
			continue
		}
		part := w.Line(typ) + "#" + strconv.Itoa(i)
		if marker, ok := contents[w.Str(typ)]; ok {
			if part = opaque; value != "" && value != opaque {
				part = value + marker
			}
		}
		if rest {
			part = opaque
		}
		bind(w, c, "", part, in)
		rest = rest || w.Is(c, "remaining_field_pattern")
		i++
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

// let binds from behind the statement to the end of the block around it.
func let(w *syntax.Walk, n syntax.Node) {
	in := scope{w.End(n), w.End(n)}
	if p := w.Parent(n); p >= 0 {
		in.end = w.End(p)
	}
	bind(w, w.Field(n, "pattern"), w.Line(w.Field(n, "type")), w.Line(w.Field(n, "value")), in)
	w.Children(n)
}

// condition binds "if let" and "while let" to the end of the block that
// the condition guards.
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
		bind(w, w.Field(n, "pattern"), "", w.Line(w.Field(n, "value"))+"#each", scope{w.Start(body), w.End(body)})
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

// closure binds parameters; those without a type are not readable.
func closure(w *syntax.Walk, n syntax.Node) {
	in := scope{w.Start(n), w.End(n)}
	for p := range w.Named(w.Field(n, "parameters")) {
		typ := ""
		if w.Is(p, "parameter") {
			p, typ = w.Field(p, "pattern"), w.Line(w.Field(p, "type"))
		}
		bind(w, p, typ, "", in)
	}
	w.Visit(w.Field(n, "body"))
}
