package l2meta

import (
	"cmp"
	"strings"

	"sextant/internal/code"
)

// DefaultExport is the name of an export for which each importer chooses its own name.
const DefaultExport = "default"

// Default is a name that a file gives to the default export of a module.
type Default struct {
	Name   string // DefaultExport if the file re-exports it as its own default
	Number int    // n for Facts.Imports[n], len(Facts.Imports)+n for Facts.Exports[n]
}

// Module returns the name of the module as f writes it, such as "./a".
func (d Default) Module(f *code.File) string {
	if d.Number < len(f.Imports) {
		return f.Imports[d.Number].Module
	}
	return f.Exports[d.Number-len(f.Imports)].Module
}

// ModuleStep returns the last step of the name of a module or of a path, in lower case and without anything behind
// its first dot: "page" of "@/views/Page.vue", and "." of ".." and "./".
func ModuleStep(name string) string {
	name, _, _ = strings.Cut(name, "?")
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	step, _, _ := strings.Cut(name, ".")
	return cmp.Or(step, ".")
}

// pathStep returns the last step of the name of a module; false for a name that is no path, such as that of a package
// of Rust or PHP.
func pathStep(module string) (step string, ok bool) {
	if module == "" || strings.ContainsAny(module, `:\`) {
		return "", false
	}
	return ModuleStep(module), true
}

// Defaults returns the names that the file gives to default exports:
//
//	import save from "./a"            save
//	const save = require("./a")       save, where it is called or passed on
//	export { default as save } from "./a"
//	exports.save = require("./a")     save
//	module.exports = require("./a")   DefaultExport
func Defaults(f *code.File) (out []Default) {
	used := map[string]bool{}
	for i := range f.Calls {
		used[f.Calls[i].Callee] = used[f.Calls[i].Callee] || f.Calls[i].Receiver == ""
	}
	for i := range f.Exports {
		used[f.Exports[i].Local] = true
	}
	for i := range f.Facts {
		if k := f.Facts[i].Kind; k == code.FactAssign || k == code.FactGiven {
			used[f.Facts[i].Type] = true
		}
	}
	for n, i := range f.Imports {
		if i.Alias != "" && (i.Name == DefaultExport || (i.Name == "" || i.Name == "*") && used[i.Alias]) {
			out = append(out, Default{i.Alias, n})
		}
	}
	for n, e := range f.Exports {
		switch {
		case e.Module == "":
		case e.Local == DefaultExport || e.Local == "*":
			out = append(out, Default{e.Name, len(f.Imports) + n})
		case e.Name == "*" && len(f.Exports) == 1:
			out = append(out, Default{DefaultExport, len(f.Imports)})
		}
	}
	return out
}
