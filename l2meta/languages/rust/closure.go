package rust

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// literalParameter evaluates #param(#arg(f, i), j), parameter j of a closure that is argument i of a
// call of f: x in rows.each(|x| x.run()). It is of the type that f's parameter gives a function, or
// an element of an Option or an iterator.
func literalParameter(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	argument, j, ok := formParts(e, code.FormParameter)
	if !ok {
		return resolve.Value{}
	}
	f, i, ok := formParts(argument, code.FormArgument)
	if !ok {
		return resolve.Value{}
	}
	if f.Op == expr.OpGeneric {
		f = f.X
	}
	if f.Op != expr.OpMember || f.Sep != "." {
		if defs, self := callee(s, f.String()); len(defs) == 1 && defs[0].Ref.Valid() {
			return functionParameter(s.W, defs[0].Ref, self, i, j)
		}
		return resolve.Value{}
	}
	x := eval(s, f.X, depth)
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	found := method(s.W, x.Type, f.Name)
	if len(found.refs) == 1 {
		return functionParameter(s.W, found.refs[0], found.on, i+1, j)
	}
	seen := see(s.W, x.Type)
	at, ok := handed[seen.foreign][f.Name]
	if !ok || len(found.refs) > 0 || i > 0 || j > 0 || at >= len(seen.args) {
		return resolve.Value{}
	}
	return resolve.InstanceOf(seen.args[at], resolve.Weaker(x.How, resolve.TypedElement))
}

// formParts returns the arguments of a form: f and 0 of #arg(f, 0).
func formParts(e *expr.Expr, form code.Form) (of *expr.Expr, i int, ok bool) {
	if e.Op != expr.OpCall || e.X.Op != expr.OpName || e.X.Name != string(form) || len(e.Args) != 2 {
		return nil, 0, false
	}
	i, err := strconv.Atoi(e.Args[1].Text)
	return e.Args[0], i, err == nil
}

// functionParameter returns a value of the type of parameter j of the functions that parameter i of r
// accepts: an Order for fn each<F: FnMut(Order)>(f: F). self is the type of r's receiver.
func functionParameter(w *resolve.World, r resolve.Ref, self resolve.Type, i, j int) resolve.Value {
	parameters := r.Symbol().Parameters
	if len(parameters) > 0 && parameters[0].Name != "self" && r.Symbol().Kind == code.KindMethod || i >= len(parameters) {
		return resolve.Value{}
	}
	t := resolve.Type{Text: parameters[i].Type, File: r.File, Scope: r.Index}
	if self.File != nil {
		seen := see(w, self)
		t.Bind = resolve.Bind(ownParameters(r, seen), seen.args, nil)
		if seen.known() {
			t.Bind = &resolve.Binding{Name: "Self", Type: self, Next: t.Bind}
		}
	}
	text := peel(t.Text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "Box<"), ">")
	bounds, open := parameter(t, text)
	if !open {
		bounds = splitBounds(strings.TrimPrefix(strings.TrimPrefix(text, "impl "), "dyn "))
	}
	for _, b := range bounds {
		name, rest, ok := strings.Cut(b, "(")
		end := closing(rest)
		name = name[strings.LastIndexByte(name, ':')+1:]
		if !ok || end < 0 || name != "fn" && name != "Fn" && name != "FnMut" && name != "FnOnce" {
			continue
		}
		if types := expr.SplitTypes(rest[:end]); j < len(types) {
			return resolve.InstanceOf(t.With(types[j]), resolve.TypedElement)
		}
	}
	return resolve.Value{}
}

// closing returns the index of the bracket in text that closes one before it; -1 if there is none.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return -1
}

// handed maps a type of the standard library to the methods that hand a value of one of its type
// arguments to a closure, with the index of the argument: the T of an Option<T> in map.
var handed = map[string]map[string]int{
	"Option": handing(0, "map and_then filter inspect is_some_and is_none_or"),
	"Result": {"map": 0, "and_then": 0, "inspect": 0, "is_ok_and": 0, "map_err": 1, "unwrap_or_else": 1, "or_else": 1,
		"inspect_err": 1, "is_err_and": 1},
	"Iter": handing(0, "map for_each filter filter_map flat_map inspect any all find find_map position rposition "+
		"take_while skip_while map_while partition max_by_key min_by_key"),
}

func handing(i int, names string) map[string]int {
	out := map[string]int{}
	for _, name := range strings.Fields(names) {
		out[name] = i
	}
	return out
}
