package scala

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// binds calls emit for each name that pattern p binds, with the term of its value (see rules_terms.go), or
// with the node of the type that the pattern requires. src is the term of the value that p matches: for
// case (a, b) with src (n x), the term of a is (nth 0 (n x)).
func binds(w *syntax.Walk, p syntax.Node, src string, emit func(name syntax.Node, term string, typ syntax.Node)) {
	switch w.Kind(p) {
	case "identifier":
		if r, n := utf8.DecodeRuneInString(w.Str(p)); n > 0 && r != '`' && !unicode.IsUpper(r) && r != '_' {
			emit(p, src, syntax.None)
		}
	case "typed_pattern":
		if name := w.Field(p, "pattern"); w.Is(name, "identifier") {
			emit(name, "", w.Field(p, "type"))
		}
	case "capture_pattern":
		inner := w.Field(p, "pattern")
		switch typ := w.Field(inner, "type"); {
		case w.Is(inner, "typed_pattern"):
			emit(w.Field(p, "name"), "", typ)
		case w.Is(inner, "case_class_pattern"):
			emit(w.Field(p, "name"), "(as "+quoted(w, typ)+" "+src+")", syntax.None)
		case w.Is(inner, "repeat_pattern"), strings.HasSuffix(w.Str(inner), "*"):
			emit(w.Field(p, "name"), opaque, syntax.None)
		default:
			emit(w.Field(p, "name"), src, syntax.None)
		}
		binds(w, inner, src, emit)
	case "tuple_pattern":
		i := 0
		for c := range w.Named(p) {
			binds(w, c, "(nth "+strconv.Itoa(i)+" "+src+")", emit)
			i++
		}
	case "case_class_pattern":
		takesApart(w, p, w.Field(p, "type"), src, emit)
	case "infix_pattern":
		op := w.Field(p, "operator")
		head := `(un "` + facts.Bare(w.Str(op)) + `" `
		binds(w, w.Field(p, "left"), head+"0 2 "+src+")", emit)
		binds(w, w.Field(p, "right"), head+"1 2 "+src+")", emit)
	case "alternative_pattern", "interpolated_string_expression", "given_pattern", "named_tuple_pattern":
		for c := range w.Named(p) {
			binds(w, c, opaque, emit)
		}
	}
}

func takesApart(w *syntax.Walk, p, typ syntax.Node, src string,
	emit func(name syntax.Node, term string, typ syntax.Node)) {
	var parts []syntax.Node
	for c := range w.All(p, "pattern") {
		if w.IsNamed(c) {
			parts = append(parts, c)
		}
	}
	for i, c := range parts {
		binds(w, c, "(un "+quoted(w, typ)+" "+strconv.Itoa(i)+" "+strconv.Itoa(len(parts))+" "+src+")", emit)
	}
}

// scalaBound records the names that pattern p binds. They are in scope from byte offset start to the end of
// node block. src is the value that p matches, as a term (see rules_terms.go).
func scalaBound(w *syntax.Walk, block syntax.Node, start int, p syntax.Node, src string) {
	facts.BoundIn(w, block, start, func() {
		binds(w, p, src, func(name syntax.Node, term string, typ syntax.Node) {
			if typ >= 0 {
				w.Fact(code.FactVar, w.Encloser, facts.Bare(w.Str(name)), w.Line(typ), name)
				return
			}
			if len(term) > maxScalaTerm {
				term = opaque
			}
			w.Fact(code.FactAssign, w.Encloser, facts.Bare(w.Str(name)), term, name)
		})
	})
}
