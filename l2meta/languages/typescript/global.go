package typescript

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// globalMember returns a member that the workspace adds to a library type: interface Window { … }
// in declare global, or in a script.
func globalMember(w *resolve.World, typ, name string) resolve.Value {
	added := globalTypes(w, typ)
	if box := boxes[typ]; box != "" { // "a".shout() of interface String
		added = append(slices.Clip(added), globalTypes(w, box)...)
	}
	for _, r := range added {
		if v := ownMember(w, r, nil, name); v.Kind != resolve.Unknown {
			return v
		}
	}
	return resolve.Value{}
}

// isModule reports whether a file is a module, whose names are not global: it imports or exports
// names.
func isModule(f *resolve.File) bool {
	for _, i := range f.Imports {
		if i.Scope < 0 && (i.Name != "" || i.Alias != "") {
			return true
		}
	}
	return len(f.Exports) > 0
}

// globalTypes returns the interfaces called name that the workspace declares globally.
func globalTypes(w *resolve.World, name string) []resolve.Ref {
	type key struct{ name string }
	return resolve.Derive(w, key{name}, func() (out []resolve.Ref) {
		rows, _ := w.Named(name)
		for _, row := range rows {
			if row.Kind != code.KindInterface || row.Name != name ||
				w.Family(row.Language) != familyName {
				continue
			}
			f := w.ByID(row.FileID)
			if f == nil {
				continue
			}
			if row.QualifiedName == "global."+name || row.Parent < 0 && !isModule(f) {
				out = append(out, f.Ref(row.Index))
			}
		}
		return out
	})
}

// jsxValue returns the value of a JSX element. Its type is the JSX.Element that the workspace
// declares; it returns no value if the workspace does not declare exactly one.
func jsxValue(s resolve.Scope) resolve.Value {
	type key struct{}
	ref := resolve.Derive(s.W, key{}, func() (hit resolve.Ref) {
		rows, all := s.W.Named("Element")
		for _, row := range rows {
			if row.QualifiedName != "JSX.Element" && row.QualifiedName != "global.JSX.Element" {
				continue
			}
			if hit.Valid() || !all {
				return resolve.Ref{} // there are several declarations
			}
			if f := s.W.ByID(row.FileID); f != nil {
				hit = f.Ref(row.Index)
			}
		}
		return hit
	})
	if !ref.Valid() {
		return resolve.Value{}
	}
	return instance(resolve.Type{Text: "Element", File: ref.File, Scope: ref.Symbol().Parent}, resolve.TypedValue)
}

// React's types and hooks return values of the types that the workspace passes to them:
// useState<Order>(…) gives an Order. They are so common that many calls in components would stay
// unresolved without the following rules.

// current is the name of the type of a React ref, { current: T }; T is its type argument.
const current = "#current"

func isComponentType(name string) bool {
	return name == "FC" || name == "FunctionComponent" || name == "VFC"
}

// foreignTypeMember returns the member called name of a type from a dependency.
func foreignTypeMember(w *resolve.World, shape tsShape, name string) resolve.Value {
	if shape.name == "react" && name == "current" && len(shape.args) == 1 &&
		strings.HasSuffix(shape.typ.Text, "RefObject") {
		return instance(shape.args[0], resolve.TypedElement)
	}
	return resolve.Value{Kind: resolve.Foreign, Module: shape.name, Origin: originOf(w, shape)}
}

// hookResult evaluates a call of one of React's own hooks.
func hookResult(s resolve.Scope, name string, e *expr.Expr) resolve.Value {
	given := func() (resolve.Type, bool) {
		if len(e.TypeArgs) == 1 {
			return here(s).With(e.TypeArgs[0]), true
		}
		if len(e.Args) == 0 {
			return resolve.Type{}, false
		}
		return typeOf(resolve.Eval(eval{}, s, e.Args[0]))
	}
	t, ok := given()
	if !ok {
		return resolve.Value{}
	}
	unknown := unknownType(s.File)
	switch name {
	case "useState":
		return instance(builtinType(s.File, "#tuple", t, unknown), resolve.TypedElement)
	case "useRef", "createRef":
		return instance(builtinType(s.File, current, t), resolve.TypedElement)
	case "createContext":
		return instance(builtinType(s.File, "#context", t), resolve.TypedElement)
	case "useContext", "use":
		if shape := readType(s.W, t); shape.form == builtin && shape.name == "#context" {
			return instance(shape.args[0], resolve.TypedElement)
		}
	}
	return resolve.Value{}
}
