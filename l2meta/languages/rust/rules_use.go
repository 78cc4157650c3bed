package rust

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func externCrate(w *syntax.Walk, n syntax.Node) {
	i := code.Import{Module: w.Str(w.Field(n, "name")), Alias: w.Str(w.Field(n, "alias"))}
	w.AddImport(n, i)
	if w.Has(n, "visibility_modifier") {
		w.Export(n, code.Export{Name: visibleName(i), Module: i.Module})
	}
}

// use records a use declaration as one import for each name. A public one is also an export.
func use(w *syntax.Walk, n syntax.Node) {
	attributes(w, n)
	innerBlock(w, n)
	visible := w.Has(n, "visibility_modifier")
	useClause(w, w.Field(n, "argument"), "", func(at syntax.Node, i code.Import) {
		w.AddImport(at, i)
		if visible {
			w.Export(at, code.Export{Name: visibleName(i), Local: i.Name, Module: i.Module})
		}
	})
}

// innerBlock records as a FactBlock the block of a function in which an item or a use declaration n is, unless
// that is the body of the function: its name is visible there alone.
func innerBlock(w *syntax.Walk, n syntax.Node) {
	around := w.Parent(n)
	if !w.Is(around, "block") || w.Is(w.Parent(around), "function_item") {
		return
	}
	st := w.State.(*state)
	if at := w.Start(around); !st.blocks[at] {
		st.blocks[at] = true
		w.Fact(code.FactBlock, w.Encloser, "", "block", around)
	}
}

// visibleName returns the name that an import binds: c for use a::b as c, b for use a::b.
func visibleName(i code.Import) string {
	switch {
	case i.Alias != "":
		return i.Alias
	case i.Name != "":
		return i.Name
	}
	return i.Module[strings.LastIndexByte(i.Module, ':')+1:]
}

func useClause(w *syntax.Walk, n syntax.Node, prefix string, emit func(syntax.Node, code.Import)) {
	switch w.Kind(n) {
	case "use_list":
		for c := range w.Named(n) {
			useClause(w, c, prefix, emit)
		}
	case "scoped_use_list":
		path := prefix
		if p := w.Field(n, "path"); p >= 0 {
			path = join(prefix, w.Line(p))
		}
		useClause(w, w.Field(n, "list"), path, emit)
	case "use_wildcard":
		path := prefix
		for c := range w.Named(n) {
			path = join(prefix, w.Line(c))
		}
		emit(n, code.Import{Module: path, Name: "*"})
	case "use_as_clause":
		i := rustImported(join(prefix, w.Line(w.Field(n, "path"))))
		i.Alias = w.Str(w.Field(n, "alias"))
		emit(n, i)
	default:
		if n >= 0 && !w.Is(n, "ERROR") {
			emit(n, rustImported(join(prefix, w.Line(n))))
		}
	}
}

func join(prefix, path string) string {
	if len(prefix) > syntax.MaxPath { // bounds the length of nested paths: use a::{a::{a::{…
		return prefix
	}
	if prefix == "" {
		return path
	}
	return prefix + "::" + path
}

// rustImported splits a path into module and name: "a::b" imports b from a, "a::self" imports a
// itself.
func rustImported(path string) code.Import {
	if module, ok := strings.CutSuffix(path, "::self"); ok {
		return code.Import{Module: module}
	}
	if i := strings.LastIndex(path, "::"); i > 0 {
		return code.Import{Module: path[:i], Name: path[i+2:]}
	}
	return code.Import{Module: path}
}
