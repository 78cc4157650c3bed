package resolve

import (
	"strings"

	"sextant/internal/code"
)

// What a library gives is the library's, unless the workspace handed it
// something that it may hand back: inject(Service) gives a Service, though
// inject is declared outside.

// tsMayDeclare reports whether a file of the root declares a value of that
// name, which a call of something handed back may mean.
func tsMayDeclare(w *World, name string) bool {
	type key struct{ name string }
	return Derive(w, key{name}, func() bool {
		rows, all := w.Named(name)
		for _, row := range rows {
			if row.Symbol.Name == name && Family(row.Language) == "typescript" && row.Symbol.Kind != code.KindInterface && row.Symbol.Kind != code.KindType && row.Symbol.Kind != code.KindTest {
				return true
			}
		}
		return !all
	})
}

// tsGivenBack is the origin of what a call of something foreign gives.
func tsGivenBack(s Scope, f Value, e *Expr) Origin {
	if f.Origin == Outside && !tsCarriesAny(s, e.Args, e.TypeArgs) {
		return Outside
	}
	return Handed
}

// tsCarriesAny reports whether arguments or type arguments hand something of
// the workspace over.
func tsCarriesAny(s Scope, args []*Expr, types []string) bool {
	for _, t := range types {
		if tsTypeCarries(s.W, tsHere(s).With(t)) {
			return true
		}
	}
	for _, a := range args {
		if tsCarries(s, a) {
			return true
		}
	}
	return false
}

// tsCarries reports whether an argument may be of the workspace, or give
// something of it.
func tsCarries(s Scope, e *Expr) bool {
	if !s.W.Enter() {
		return true
	}
	defer s.W.Leave()
	if e.Op == OpLiteral {
		switch e.Name {
		case "string", "number":
			return false
		case "list", "map":
			return tsCarriesAny(s, e.Args, nil) || len(e.Args) == 0 && len(strings.Trim(e.Text, "{}[] \t\n")) > 0
		}
		return true
	}
	if e.Op == OpName {
		switch e.Name {
		case "true", "false", "null", "undefined", "NaN", "Infinity":
			return false
		}
	}
	switch v := Eval(tsEval{}, s, e); v.Kind {
	case Foreign:
		return v.Origin != Outside
	case Instance:
		return tsTypeCarries(s.W, v.Type)
	}
	return true
}

// tsTypeCarries reports whether a value of a type may be of the workspace, or
// give something of it.
func tsTypeCarries(w *World, t Type) bool {
	switch strings.TrimSpace(t.Text) {
	case "any", "unknown", "never", "void", "undefined", "null", "object", "string", "number", "boolean":
		return false
	}
	if !w.Enter() {
		return true
	}
	defer w.Leave()
	switch shape := tsReadType(w, t); shape.form {
	case tsBuiltin, tsForeign:
		return tsOriginOf(w, shape) != Outside
	case tsUnion, tsIntersection:
		return tsAnyCarries(w, shape.args)
	}
	return true
}

func tsAnyCarries(w *World, types []Type) bool {
	for _, t := range types {
		if tsTypeCarries(w, t) {
			return true
		}
	}
	return false
}

// tsOriginOf is the origin of a value of a library's type: Mocked<Service> may
// have the members of Service.
func tsOriginOf(w *World, shape tsShape) Origin {
	if tsAnyCarries(w, shape.args) {
		return Handed
	}
	return shape.origin
}
