package l2meta

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
)

// scalaBinds hands emit each name that a pattern binds in a value that is term
// src: the term that it is, or the type that the pattern demands.
func scalaBinds(w *walk, p node, src string, emit func(name node, term string, typ node)) {
	switch w.kind(p) {
	case "identifier":
		if r, n := utf8.DecodeRuneInString(w.str(p)); n > 0 && r != '`' && !unicode.IsUpper(r) && r != '_' {
			emit(p, src, none)
		}
	case "typed_pattern":
		if name := w.field(p, "pattern"); w.is(name, "identifier") {
			emit(name, "", w.field(p, "type"))
		}
	case "capture_pattern":
		inner := w.field(p, "pattern")
		switch typ := w.field(inner, "type"); {
		case w.is(inner, "typed_pattern"):
			emit(w.field(p, "name"), "", typ)
		case w.is(inner, "case_class_pattern"):
			emit(w.field(p, "name"), "(as "+scalaQuoted(w, typ)+" "+src+")", none)
		case w.is(inner, "repeat_pattern"), strings.HasSuffix(w.str(inner), "*"):
			emit(w.field(p, "name"), scalaOpaque, none)
		default:
			emit(w.field(p, "name"), src, none)
		}
		scalaBinds(w, inner, src, emit)
	case "tuple_pattern":
		i := 0
		for c := range w.named(p) {
			scalaBinds(w, c, "(nth "+strconv.Itoa(i)+" "+src+")", emit)
			i++
		}
	case "case_class_pattern":
		scalaTakesApart(w, p, w.field(p, "type"), src, emit)
	case "infix_pattern":
		op := w.field(p, "operator")
		head := `(un "` + kotlinBare(w.str(op)) + `" `
		scalaBinds(w, w.field(p, "left"), head+"0 2 "+src+")", emit)
		scalaBinds(w, w.field(p, "right"), head+"1 2 "+src+")", emit)
	case "alternative_pattern", "interpolated_string_expression", "given_pattern", "named_tuple_pattern":
		for c := range w.named(p) {
			scalaBinds(w, c, scalaOpaque, emit)
		}
	}
}

func scalaTakesApart(w *walk, p, typ node, src string, emit func(name node, term string, typ node)) {
	var parts []node
	for c := range w.all(p, "pattern") {
		if w.isNamed(c) {
			parts = append(parts, c)
		}
	}
	for i, c := range parts {
		scalaBinds(w, c, "(un "+scalaQuoted(w, typ)+" "+strconv.Itoa(i)+" "+strconv.Itoa(len(parts))+" "+src+")", emit)
	}
}

// scalaBound records what a pattern binds, from byte from on within block.
func scalaBound(w *walk, block node, from int, p node, src string) {
	boundIn(w, block, from, func() {
		scalaBinds(w, p, src, func(name node, term string, typ node) {
			if typ >= 0 {
				w.fact(code.FactVar, w.encloser, kotlinBare(w.str(name)), w.line(typ), name)
				return
			}
			if len(term) > maxScalaTerm {
				term = scalaOpaque
			}
			w.fact(code.FactAssign, w.encloser, kotlinBare(w.str(name)), term, name)
		})
	})
}
