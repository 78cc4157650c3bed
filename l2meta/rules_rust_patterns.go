package l2meta

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// rustOpaque is the value of a name that a pattern binds to something that is
// not readable: it hides what had the name before.
const rustOpaque = "_"

// rustScope is where the names of a pattern hold, in bytes.
type rustScope struct{ start, end int }

// rustBind records what a pattern binds: typ is the written type, value the
// expression that is taken apart, both "" when there is none. What a name gets
// is written as an expression: "e#0" is the first element of a tuple, "e#some",
// "e#ok" and "e#err" the content of the variant of Option or Result, "V#0" and
// "V.f" a field of the struct or variant V.
func rustBind(w *walk, pattern node, typ, value string, in rustScope) {
	switch w.kind(pattern) {
	case "identifier", "shorthand_field_identifier":
		rustName(w, pattern, typ, value, in)
	case "mut_pattern", "ref_pattern", "reference_pattern":
		rustBind(w, rustInner(w, pattern), strings.TrimPrefix(typ, "&"), value, in)
	case "captured_pattern":
		first := true
		for c := range w.named(pattern) {
			if first {
				rustBind(w, c, typ, value, in)
			} else {
				rustBind(w, c, "", value, in)
			}
			first = false
		}
	case "tuple_pattern":
		rustBindTuple(w, pattern, typ, value, in)
	case "tuple_struct_pattern":
		rustBindVariant(w, pattern, value, in)
	case "struct_pattern":
		rustBindFields(w, pattern, in)
	case "or_pattern", "slice_pattern", "match_pattern":
		for c := range w.named(pattern) {
			v := value
			if w.is(pattern, "slice_pattern") {
				v = rustOpaque
			}
			if c != w.field(pattern, "condition") {
				rustBind(w, c, "", v, in)
			}
		}
	}
}

// rustInner is the pattern in a pattern that says how it binds.
func rustInner(w *walk, pattern node) node {
	inner := none
	for c := range w.named(pattern) {
		if !w.is(c, "mutable_specifier") {
			inner = c
		}
	}
	return inner
}

// rustName records one bound name. A name that reads as a constant's or a
// variant's is matched, not bound.
func rustName(w *walk, name node, typ, value string, in rustScope) {
	text := w.str(name)
	if text == "" || text[0] >= 'A' && text[0] <= 'Z' {
		return
	}
	kind := code.FactVar
	if typ == "" || strings.Contains(typ, "_") && rustIsHole(typ) {
		if kind, typ = code.FactAssign, value; typ == "" {
			typ = rustOpaque
		}
	}
	w.fact(kind, w.encloser, text, typ, name)
	w.out.Facts[len(w.out.Facts)-1].Scope = [2]int{in.start, in.end}
}

// rustIsHole reports whether a type is left to inference.
func rustIsHole(typ string) bool { return strings.TrimLeft(typ, "& ") == "_" }

func rustBindTuple(w *walk, pattern node, typ, value string, in rustScope) {
	var types []string
	if inside, ok := strings.CutPrefix(typ, "("); ok && strings.HasSuffix(inside, ")") {
		types = rustSplitTypes(inside[:len(inside)-1])
	}
	i, rest := 0, false
	for c := range w.named(pattern) {
		part := rustOpaque
		if value != "" && value != rustOpaque && !rest {
			part = value + "#" + strconv.Itoa(i)
		}
		one := ""
		if i < len(types) && !rest {
			one = types[i]
		}
		rustBind(w, c, one, part, in)
		rest = rest || w.is(c, "remaining_field_pattern")
		i++
	}
}

// rustSplitTypes splits a list of types at its top-level commas.
func rustSplitTypes(list string) (out []string) {
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

// rustContents are the variants whose content is known from the type matched.
var rustContents = map[string]string{"Some": "#some", "Ok": "#ok", "Err": "#err"}

func rustBindVariant(w *walk, pattern node, value string, in rustScope) {
	typ := w.field(pattern, "type")
	i, rest := 0, false
	for c := range w.named(pattern) {
		if c == typ {
			continue
		}
		part := w.line(typ) + "#" + strconv.Itoa(i)
		if marker, ok := rustContents[w.str(typ)]; ok {
			if part = rustOpaque; value != "" && value != rustOpaque {
				part = value + marker
			}
		}
		if rest {
			part = rustOpaque
		}
		rustBind(w, c, "", part, in)
		rest = rest || w.is(c, "remaining_field_pattern")
		i++
	}
}

func rustBindFields(w *walk, pattern node, in rustScope) {
	typ := w.line(w.field(pattern, "type"))
	for c := range w.named(pattern) {
		if !w.is(c, "field_pattern") {
			continue
		}
		name, inner := w.field(c, "name"), w.field(c, "pattern")
		if inner < 0 {
			inner = name
		}
		rustBind(w, inner, "", typ+"."+w.str(name), in)
	}
}

// rustLet binds from behind the statement to the end of the block around it.
func rustLet(w *walk, n node) {
	in := rustScope{w.end(n), w.end(n)}
	if p := w.parent(n); p >= 0 {
		in.end = w.end(p)
	}
	rustBind(w, w.field(n, "pattern"), w.line(w.field(n, "type")), w.line(w.field(n, "value")), in)
	w.children(n)
}

// rustCondition binds "if let" and "while let" to the end of the block that
// the condition guards.
func rustCondition(w *walk, n node) {
	guarded := w.parent(n)
	for w.is(guarded, "let_chain") {
		guarded = w.parent(guarded)
	}
	in := rustScope{w.end(n), w.end(guarded)}
	for _, part := range []string{"consequence", "body"} {
		if body := w.field(guarded, part); body >= 0 {
			in.end = w.end(body)
		}
	}
	rustBind(w, w.field(n, "pattern"), "", w.line(w.field(n, "value")), in)
	w.children(n)
}

func rustFor(w *walk, n node) {
	body := w.field(n, "body")
	if body >= 0 {
		rustBind(w, w.field(n, "pattern"), "", w.line(w.field(n, "value"))+"#each", rustScope{w.start(body), w.end(body)})
	}
	w.children(n)
}

func rustArm(w *walk, n node) {
	value := ""
	if m := w.parent(w.parent(n)); w.is(m, "match_expression") {
		value = w.line(w.field(m, "value"))
	}
	rustBind(w, w.field(n, "pattern"), "", value, rustScope{w.start(n), w.end(n)})
	w.children(n)
}

// rustClosure binds parameters; those without a type are not readable.
func rustClosure(w *walk, n node) {
	in := rustScope{w.start(n), w.end(n)}
	for p := range w.named(w.field(n, "parameters")) {
		typ := ""
		if w.is(p, "parameter") {
			p, typ = w.field(p, "pattern"), w.line(w.field(p, "type"))
		}
		rustBind(w, p, typ, "", in)
	}
	w.visit(w.field(n, "body"))
}
