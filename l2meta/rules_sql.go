package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// sqlRules declares what CREATE statements make, and the columns of tables.
func sqlRules() *rules {
	return &rules{
		comments: []string{"comment", "marginalia"},
		handlers: map[string]handler{
			"create_table":             sqlCreate(code.KindStruct),
			"create_view":              sqlCreate(code.KindStruct),
			"create_materialized_view": sqlCreate(code.KindStruct),
			"create_function":          sqlCreate(code.KindFunction),
			"create_type":              sqlCreate(code.KindType),
			"create_trigger":           sqlCreate(code.KindFunction),
			"create_index":             sqlIndex,
			"column_definition":        sqlColumn,
		},
	}
}

func sqlCreate(kind code.Kind) handler {
	return func(w *walk, n node) {
		ref := w.child(n, "object_reference")
		name := w.field(ref, "name")
		if name < 0 {
			w.children(n)
			return
		}
		body := w.child(n, "column_definitions", "function_body", "create_query")
		d := decl{kind: kind, node: n, name: name, text: sqlName(w.str(name)), owner: sqlName(w.str(w.field(ref, "schema"))), body: body, exported: true}
		for p := range w.named(w.child(n, "function_arguments")) {
			arg, typ, _ := strings.Cut(w.line(p), " ")
			d.parameters = append(d.parameters, code.Parameter{Name: arg, Type: typ})
		}
		s := w.declare(d)
		w.inside(s, w.child(n, "column_definitions"))
	}
}

// sqlName strips the quotes of any dialect.
func sqlName(s string) string { return strings.Trim(s, "\"`[]") }

func sqlIndex(w *walk, n node) {
	if name := w.field(n, "column"); name >= 0 {
		w.declare(decl{kind: code.KindConfig, node: n, name: name, text: sqlName(w.str(name)), exported: true})
	}
}

func sqlColumn(w *walk, n node) {
	name := w.field(n, "name")
	if name < 0 || w.encloser < 0 {
		return
	}
	w.declare(decl{kind: code.KindField, node: n, name: name, text: sqlName(w.str(name)), returns: w.line(w.field(n, "type")), exported: true})
}
