package python

import (
	"strconv"
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// copied evaluates copy(x), which has the type of x, and list(x), sorted(x) and the like, which
// give a list of the elements of x.
func (p Language) copied(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	v := resolve.Eval(p, s, e.Args[0])
	if strings.HasPrefix(f.Module, "copy.") {
		return v
	}
	if x := elementText(v); x != "" {
		return resolve.Value{Kind: resolve.Instance, Type: v.Type.With("list[" + x + "]"), How: v.How}
	}
	return resolve.Value{Kind: resolve.Foreign, Module: "builtins.list"}
}

func (p Language) enumerated(s resolve.Scope, e *expr.Expr) resolve.Value {
	v := resolve.Eval(p, s, e.Args[0])
	if x := elementText(v); x != "" {
		return resolve.Value{Kind: resolve.Instance, Type: v.Type.With("list[tuple[int, " + x + "]]"), How: v.How}
	}
	return resolve.Value{Kind: resolve.Foreign, Module: "builtins.enumerate"}
}

// elementText returns the element type of a container, as written; "" if v is no container or the
// type is unknown.
func elementText(v resolve.Value) string {
	name, args := container(v)
	if kind := containers[name]; len(args) == 0 || kind != 1 && kind != -1 ||
		(name == "tuple" || name == "Tuple") && !(len(args) == 2 && args[1] == "...") {
		return ""
	}
	return args[0]
}

// zipped evaluates zip(xs, ys), whose elements are tuples of an element of each.
func (p Language) zipped(s resolve.Scope, e *expr.Expr) resolve.Value {
	t := resolve.Type{File: s.File, Scope: s.At}
	var parts []string
	for i, a := range e.Args {
		switch {
		case strings.HasPrefix(a.Text, "*"):
			return resolve.Value{Kind: resolve.Foreign, Module: "builtins.zip"}
		case a.Op == expr.OpUnknown:
			continue // strict=True
		}
		name := "$" + strconv.Itoa(i)
		parts = append(parts, name)
		if of := writtenAs(element(s.W, resolve.Eval(p, s, a))); of.Text != "" {
			t.Bind = &resolve.Binding{Name: name, Type: of, Next: t.Bind}
		}
	}
	if t.Bind == nil {
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins.zip"}
	}
	return resolve.Value{Kind: resolve.Instance, Type: t.With("list[tuple[" + strings.Join(parts, ", ") + "]]"),
		How: resolve.TypedElement}
}

// writtenAs returns the type of an object; a Type without text if it has none that can be written.
func writtenAs(v resolve.Value) resolve.Type {
	if v.Kind != resolve.Instance || v.Module != "" && v.Ref.Valid() {
		return resolve.Type{}
	}
	return v.Type
}

// extreme evaluates max(xs) and min(xs), an element of xs, and max(x, y), one of the arguments. A
// default, max(xs, default=x), must have the same type, or be None.
func (p Language) extreme(s resolve.Scope, e *expr.Expr) (out resolve.Value) {
	var plain []*expr.Expr
	var all []resolve.Value
	for _, a := range e.Args {
		value, isDefault := strings.CutPrefix(strings.ReplaceAll(a.Text, " ", ""), "default=")
		switch {
		case strings.HasPrefix(a.Text, "*"):
			return resolve.Value{}
		case isDefault && value != "None":
			all = append(all, resolve.Eval(p, s, expr.Parse(value, dialect)))
		case a.Op != expr.OpUnknown:
			plain = append(plain, a)
		}
	}
	for _, a := range plain {
		v := resolve.Eval(p, s, a)
		if len(plain) == 1 {
			v = element(s.W, v)
		}
		all = append(all, v)
	}
	for i, v := range all {
		if v.Kind == resolve.Unknown || i > 0 && !same(out, v) {
			return resolve.Value{}
		}
		out = v
	}
	return out
}
