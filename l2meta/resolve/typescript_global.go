package resolve

import (
	"strings"

	"sextant/internal/code"
)

// tsGlobalMember is a member that the workspace adds to a type of the library:
// interface Window { … } in declare global, or in a script.
func tsGlobalMember(w *World, typ, name string) Value {
	for _, r := range tsGlobalTypes(w, typ) {
		if v := tsOwnMember(w, r, nil, name); v.Kind != Unknown {
			return v
		}
	}
	return Value{}
}

// tsIsModule reports whether the names of a file are its own: it imports or
// exports some.
func tsIsModule(f *File) bool {
	for _, i := range f.Imports {
		if i.Scope < 0 && (i.Name != "" || i.Alias != "") {
			return true
		}
	}
	return len(f.Exports) > 0
}

// tsGlobalTypes is the interfaces of that name that hold in all files.
func tsGlobalTypes(w *World, name string) []Ref {
	type key struct{ name string }
	return Derive(w, key{name}, func() (out []Ref) {
		rows, _ := w.Named(name)
		for _, row := range rows {
			if row.Symbol.Kind != code.KindInterface || row.Symbol.Name != name || Family(row.Language) != "typescript" {
				continue
			}
			f := w.ByID(row.FileID)
			if f == nil {
				continue
			}
			if row.Symbol.QualifiedName == "global."+name || row.Symbol.Parent < 0 && !tsIsModule(f) {
				out = append(out, f.Ref(row.Index))
			}
		}
		return out
	})
}

// React's types that hand on a type of the workspace: so common that calls in
// a component are not known without them.

// tsCurrent is the type of a ref: { current: T }.
const tsCurrent = "#current"

func tsIsComponentType(name string) bool {
	return name == "FC" || name == "FunctionComponent" || name == "VFC"
}

// tsForeignTypeMember is a member of a type of a dependency.
func tsForeignTypeMember(w *World, shape tsShape, name string) Value {
	if shape.name == "react" && name == "current" && len(shape.args) == 1 && strings.HasSuffix(shape.typ.Text, "RefObject") {
		return tsInstance(shape.args[0], TypedElement)
	}
	return Value{Kind: Foreign, Module: shape.name, Origin: tsOriginOf(w, shape)}
}

// tsHookResult is what one of React's own hooks gives.
func tsHookResult(s Scope, name string, e *Expr) Value {
	given := func() (Type, bool) {
		if len(e.TypeArgs) == 1 {
			return tsHere(s).With(e.TypeArgs[0]), true
		}
		if len(e.Args) == 0 {
			return Type{}, false
		}
		return tsTypeOf(Eval(tsEval{}, s, e.Args[0]))
	}
	t, ok := given()
	if !ok {
		return Value{}
	}
	unknown := Type{Text: "unknown", File: s.File, Scope: -1}
	switch name {
	case "useState":
		return tsInstance(tsBuiltinType(s.File, "#tuple", t, unknown), TypedElement)
	case "useRef", "createRef":
		return tsInstance(tsBuiltinType(s.File, tsCurrent, t), TypedElement)
	case "createContext":
		return tsInstance(tsBuiltinType(s.File, "#context", t), TypedElement)
	case "useContext", "use":
		if shape := tsReadType(s.W, t); shape.form == tsBuiltin && shape.name == "#context" {
			return tsInstance(shape.args[0], TypedElement)
		}
	}
	return Value{}
}
