package lookup

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// A handler may have another name where it is registered than where it is declared:
//
//	app.post("/orders", require("./api/create"));  // module.exports = handleCreate
//	import show from "./api/show";                 // export default handleShow
//	from handlers import remove as remove_order
//	app.get("/csv", reports.csv.all);              // export const csv = { all: allAsCsv }

type broughtKey struct {
	file int64
	expr string
}

// Brought returns the callable that f imports under the name expr, or that a module exports which
// expr requires. It returns the zero Ref if there is none, or if several imports bind the name to
// different callables.
func (ws *Workspace) Brought(f *resolve.File, expr string) resolve.Ref {
	return resolve.Derive(ws.World, broughtKey{f.ID, expr}, func() (only resolve.Ref) {
		for _, o := range ws.originsOf(f, expr) {
			ref := exportedCallable(o)
			if !ref.Valid() {
				continue
			}
			if only.Valid() && only != ref {
				return resolve.Ref{}
			}
			only = ref
		}
		if !only.Valid() {
			only = ws.inObject(f, expr)
		}
		return only
	})
}

// inObject returns the callable that the member of an object in the file f or in a module names: allAsCsv for
// reports.csv.all after export const csv = { all: allAsCsv }. It returns the zero Ref if there is none.
func (ws *Workspace) inObject(f *resolve.File, expr string) resolve.Ref {
	parts := Words(expr)
	if len(parts) < 2 || strings.ContainsAny(expr, "([{\"'`") {
		return resolve.Ref{}
	}
	member, object := parts[len(parts)-1].Text, parts[:len(parts)-1]
	var from []Origin
	switch {
	case len(object) == 1 && len(f.Named(object[0].Text)) > 0:
		from = []Origin{{File: f, Name: object[0].Text}}
	case len(object) == 1:
		from = ws.Origins(f, object[0].Text)
	case len(object) == 2:
		for _, o := range ws.Origins(f, object[0].Text) {
			if o.Name == "" {
				from = append(from, Origin{File: o.File, Name: object[1].Text})
			}
		}
	}
	for _, o := range from {
		for _, i := range o.File.Named(o.Name) {
			if value := memberOf(o.File, i, member); value != "" {
				return ws.Named(o.File, value)
			}
		}
	}
	return resolve.Ref{}
}

// memberOf returns the name that the only object of a constant has as the value of a member; "" if there is none.
func memberOf(f *resolve.File, constant int, member string) string {
	if s := &f.Symbols[constant]; s.Kind.Callable() || s.Parent >= 0 {
		return ""
	}
	for _, fact := range f.FactsOf(constant) {
		if fact.Kind == code.FactAssign && fact.Name == member && fact.Type != member && len(Words(fact.Type)) == 1 &&
			!strings.ContainsAny(fact.Type, "([{\"'`") {
			return fact.Type
		}
	}
	return ""
}

// originsOf returns the origins of the only name in an expression, of the member of a module that it names, or of the
// module that it requires.
func (ws *Workspace) originsOf(f *resolve.File, expr string) (out []Origin) {
	parts := Words(expr)
	if len(parts) == 0 || len(parts) > 2 {
		return nil
	}
	if _, rest, ok := strings.Cut(expr, "require("); ok && parts[0].Text == "require" {
		module, _, _ := strings.Cut(rest, ")")
		out = ws.Required(f, strings.Trim(module, "\"'`"))
	} else if strings.ContainsAny(expr, "([{") || len(f.Named(parts[0].Text)) > 0 {
		return nil // the file itself declares the name
	} else {
		out = ws.Origins(f, parts[0].Text)
	}
	if len(parts) == 2 {
		for i := range out {
			if out[i].Name != "" {
				return nil // the expression is a member of an object
			}
			out[i].Name = parts[1].Text
		}
	}
	return out
}

// exportedCallable returns the callable that a module exports under a name; for the name "", the
// default export.
func exportedCallable(o Origin) resolve.Ref {
	name := o.Name
	for i := range o.File.Exports {
		if e := &o.File.Exports[i]; e.Module == "" && (e.Name == name || name == "" && e.Name == "default") {
			name = e.Local
			break
		}
	}
	if name == "" {
		return resolve.Ref{}
	}
	only := -1
	for _, i := range o.File.Named(name) {
		if !o.File.Symbols[i].Kind.Callable() || o.File.Symbols[i].Parent >= 0 {
			continue
		}
		if only >= 0 {
			return resolve.Ref{}
		}
		only = i
	}
	if only < 0 || o.File.Class == code.ClassTest {
		return resolve.Ref{}
	}
	return o.File.Ref(only)
}
