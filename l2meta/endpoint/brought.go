package endpoint

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

type broughtKey struct {
	file int64
	expr string
}

// brought returns the callable that an import brings to f under the name expr, or that a module exports which expr
// requires. It returns the zero Ref if there is none, or if several imports bring different ones.
func (ws *workspace) brought(f *resolve.File, expr string) resolve.Ref {
	return resolve.Derive(ws.w, broughtKey{f.ID, expr}, func() (only resolve.Ref) {
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
		return only
	})
}

// originsOf returns the origins of the only name in an expression, of the member of a module that it names, or of the
// module that it requires.
func (ws *workspace) originsOf(f *resolve.File, expr string) (out []origin) {
	parts := words(expr)
	if len(parts) == 0 || len(parts) > 2 {
		return nil
	}
	if _, rest, ok := strings.Cut(expr, "require("); ok && parts[0].text == "require" {
		module, _, _ := strings.Cut(rest, ")")
		out = ws.required(f, strings.Trim(module, "\"'`"))
	} else if strings.ContainsAny(expr, "([{") || len(f.Named(parts[0].text)) > 0 {
		return nil // the name is the file's own
	} else {
		out = ws.origins(f, parts[0].text)
	}
	if len(parts) == 2 {
		for i := range out {
			if out[i].name != "" {
				return nil // a member of an object
			}
			out[i].name = parts[1].text
		}
	}
	return out
}

// exportedCallable returns the callable that a module exports under a name, by default if the name is "".
func exportedCallable(o origin) resolve.Ref {
	name := o.name
	for i := range o.file.Exports {
		if e := &o.file.Exports[i]; e.Module == "" && (e.Name == name || name == "" && e.Name == "default") {
			name = e.Local
			break
		}
	}
	if name == "" {
		return resolve.Ref{}
	}
	only := -1
	for _, i := range o.file.Named(name) {
		if !o.file.Symbols[i].Kind.Callable() || o.file.Symbols[i].Parent >= 0 {
			continue
		}
		if only >= 0 {
			return resolve.Ref{}
		}
		only = i
	}
	if only < 0 || o.file.Class == code.ClassTest {
		return resolve.Ref{}
	}
	return o.file.Ref(only)
}
