package l2meta

import "sextant/internal/code"

// DefaultExport is the name of an export for which each importer chooses its own name.
const DefaultExport = "default"

// Default is a name that a file gives to the default export of a module.
type Default struct {
	Name   string // DefaultExport if the file re-exports it as its own default
	Number int    // index into Facts.Imports, then, from len(Imports) on, into Facts.Exports
}

// Defaults returns the names that the file gives to default exports:
//
//	import save from "./a"            save
//	const save = require("./a")       save, where it is called or passed on
//	export { default as save } from "./a"
//	exports.save = require("./a")     save
//	module.exports = require("./a")   DefaultExport
func (f *Facts) Defaults() []Default { return defaults(f.Imports, f.Exports, f.Calls(), f.Facts()) }

func defaults(imports []code.Import, exports []code.Export, calls []code.Call, facts []code.Fact) (out []Default) {
	used := map[string]bool{}
	for i := range calls {
		used[calls[i].Callee] = used[calls[i].Callee] || calls[i].Receiver == ""
	}
	for i := range exports {
		used[exports[i].Local] = true
	}
	for i := range facts {
		if k := facts[i].Kind; k == code.FactAssign || k == code.FactGiven {
			used[facts[i].Type] = true
		}
	}
	for n, i := range imports {
		if i.Alias != "" && (i.Name == DefaultExport || (i.Name == "" || i.Name == "*") && used[i.Alias]) {
			out = append(out, Default{i.Alias, n})
		}
	}
	for n, e := range exports {
		switch {
		case e.Module == "":
		case e.Local == DefaultExport || e.Local == "*":
			out = append(out, Default{e.Name, len(imports) + n})
		case e.Name == "*" && len(exports) == 1:
			out = append(out, Default{DefaultExport, len(imports)})
		}
	}
	return out
}
