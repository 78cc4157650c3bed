package l2meta

import (
	"strings"

	"sextant/internal/code"
)

func rustExternCrate(w *walk, n node) {
	i := code.Import{Module: w.str(w.field(n, "name")), Alias: w.str(w.field(n, "alias"))}
	w.addImport(n, i)
	if w.has(n, "visibility_modifier") {
		w.export(n, code.Export{Name: rustVisibleName(i), Module: i.Module})
	}
}

// rustUse takes a use declaration apart into one import for each name; a
// visible one is also an export.
func rustUse(w *walk, n node) {
	rustAttributes(w, n)
	visible := w.has(n, "visibility_modifier")
	rustUseClause(w, w.field(n, "argument"), "", func(at node, i code.Import) {
		w.addImport(at, i)
		if visible {
			w.export(at, code.Export{Name: rustVisibleName(i), Local: i.Name, Module: i.Module})
		}
	})
}

// rustVisibleName is the name that an import is seen under.
func rustVisibleName(i code.Import) string {
	switch {
	case i.Alias != "":
		return i.Alias
	case i.Name != "":
		return i.Name
	}
	return i.Module[strings.LastIndexByte(i.Module, ':')+1:]
}

func rustUseClause(w *walk, n node, prefix string, emit func(node, code.Import)) {
	switch w.kind(n) {
	case "use_list":
		for c := range w.named(n) {
			rustUseClause(w, c, prefix, emit)
		}
	case "scoped_use_list":
		path := prefix
		if p := w.field(n, "path"); p >= 0 {
			path = rustJoin(prefix, w.line(p))
		}
		rustUseClause(w, w.field(n, "list"), path, emit)
	case "use_wildcard":
		path := prefix
		for c := range w.named(n) {
			path = rustJoin(prefix, w.line(c))
		}
		emit(n, code.Import{Module: path, Name: "*"})
	case "use_as_clause":
		i := rustImported(rustJoin(prefix, w.line(w.field(n, "path"))))
		i.Alias = w.str(w.field(n, "alias"))
		emit(n, i)
	default:
		if n >= 0 && !w.is(n, "ERROR") {
			emit(n, rustImported(rustJoin(prefix, w.line(n))))
		}
	}
}

func rustJoin(prefix, path string) string {
	if len(prefix) > maxPath { // use a::{a::{a::{…
		return prefix
	}
	if prefix == "" {
		return path
	}
	return prefix + "::" + path
}

// rustImported splits a path into module and name: "a::b" imports b of a,
// "a::self" is a itself.
func rustImported(path string) code.Import {
	if module, ok := strings.CutSuffix(path, "::self"); ok {
		return code.Import{Module: module}
	}
	if i := strings.LastIndex(path, "::"); i > 0 {
		return code.Import{Module: path[:i], Name: path[i+2:]}
	}
	return code.Import{Module: path}
}
