package typescript

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// The result of a library function is external, unless the workspace passed in a value that the
// library may return: inject(Service) returns a Service, although inject is external.

// mayDeclare reports whether the workspace declares a value called name. A call of that name on the
// result of a library function may then refer to it.
func mayDeclare(w *resolve.World, name string) bool {
	type key struct{ name string }
	return resolve.Derive(w, key{name}, func() bool {
		rows, all := w.Named(name)
		for _, row := range rows {
			if row.Name == name && w.Family(row.Language) == familyName &&
				row.Kind != code.KindInterface && row.Kind != code.KindType &&
				row.Kind != code.KindTest {
				return true
			}
		}
		return !all
	})
}

// givenBack returns the origin of the result of a call of library function f: Handed if the result
// may be a value of the workspace that f received, else Outside.
func givenBack(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Origin {
	if f.Origin == resolve.Outside && !carriesAny(s, e.Args, e.TypeArgs) {
		return resolve.Outside
	}
	return resolve.Handed
}

// carriesAny reports whether arguments or type arguments bring in something of the workspace.
func carriesAny(s resolve.Scope, args []*expr.Expr, types []string) bool {
	for _, t := range types {
		if typeCarries(s.W, here(s).With(t)) {
			return true
		}
	}
	for _, a := range args {
		if carries(s, a) {
			return true
		}
	}
	return false
}

// carries reports whether an argument may be a value of the workspace, or contain one.
func carries(s resolve.Scope, e *expr.Expr) bool {
	if !s.W.Enter() {
		return true
	}
	defer s.W.Leave()
	if e.Op == expr.OpLiteral {
		switch e.Name {
		case "string", "number":
			return false
		case "list", "map":
			return carriesAny(s, e.Args, nil) || len(e.Args) == 0 && len(strings.Trim(e.Text, "{}[] \t\n")) > 0
		}
		return true
	}
	if e.Op == expr.OpName {
		switch e.Name {
		case "true", "false", "null", "undefined", "NaN", "Infinity":
			return false
		}
	}
	switch v := resolve.Eval(eval{}, s, e); v.Kind {
	case resolve.Foreign:
		return v.Origin != resolve.Outside
	case resolve.Instance:
		return typeCarries(s.W, v.Type)
	}
	return true
}

// typeCarries reports whether a value of a type may be an object of the workspace, or contain
// one.
func typeCarries(w *resolve.World, t resolve.Type) bool {
	switch strings.TrimSpace(t.Text) {
	case "any", "unknown", "never", "void", "undefined", "null", "object", "string", "number", "boolean":
		return false
	}
	if !w.Enter() {
		return true
	}
	defer w.Leave()
	switch shape := readType(w, t); shape.form {
	case builtin, foreign:
		return originOf(w, shape) != resolve.Outside
	case union, intersection:
		return anyCarries(w, shape.args)
	}
	return true
}

func anyCarries(w *resolve.World, types []resolve.Type) bool {
	for _, t := range types {
		if typeCarries(w, t) {
			return true
		}
	}
	return false
}

// originOf returns the origin of a value of a library type: Mocked<Service> may have the members of
// Service.
func originOf(w *resolve.World, shape tsShape) resolve.Origin {
	if anyCarries(w, shape.args) {
		return resolve.Handed
	}
	return shape.origin
}
