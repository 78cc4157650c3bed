package typescript

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Result evaluates a call. The value of a declared function's call has its result type, or the
// type of its return statements.
func (eval) Result(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	if form, ok := formOf(e); ok {
		return expected(s, form, e)
	}
	if e.X.Op == expr.OpName {
		switch e.X.Name {
		case "import", "require":
			return loaded(s, e)
		case "super":
			return resolve.Value{}
		}
	}
	f = whole(s.W, f)
	switch f.Kind {
	case resolve.Function:
		return callResult(s, f, e)
	case resolve.Instance:
		if shape := readType(s.W, f.Type); shape.held.Kind == resolve.Function {
			return callResult(s, shape.held, e)
		} else if shape.form == function {
			return instance(shape.typ, resolve.TypedResult).Via(f.How)
		} else if shape.form == declared {
			return signatureResult(s, shape, e)
		} else if shape.form == foreign {
			return resolve.Value{Kind: resolve.Foreign, Module: shape.name, Origin: originOf(s.W, shape).Given()}
		} else if shape.form == valueType && shape.value.Kind == resolve.Function {
			return callResult(s, shape.value, e)
		}
	case resolve.Foreign:
		return libraryResult(s, f, e)
	}
	return resolve.Value{}
}

// loaded evaluates import("m") and require("m").
func loaded(s resolve.Scope, e *expr.Expr) resolve.Value {
	if len(e.Args) == 0 {
		return resolve.Value{}
	}
	spec := strings.Trim(e.Args[0].Text, "\"'`")
	switch m := tsResolve(s.W, s.File, spec); {
	case spec == e.Args[0].Text:
	case m.Foreign != "":
		return resolve.Value{Kind: resolve.Foreign, Module: m.Foreign}
	case m.File != nil:
		return moduleValue(m.File) // await import("m") gives the module as well
	}
	return resolve.Value{}
}

// meant returns the declarations of an overloaded function to which a call may refer, judging by
// the number of arguments and by their types where these are plain. Without overloads it returns r
// alone.
func meant(s resolve.Scope, r resolve.Ref, e *expr.Expr) (out []resolve.Ref) {
	all := overloads(r)
	if len(all) == 1 {
		return all
	}
	var declared []resolve.Ref
	for _, o := range all {
		if o.Symbol().Body[1] == 0 {
			declared = append(declared, o)
		}
	}
	if len(declared) > 0 {
		all = declared
	}
	var counted []resolve.Ref
	for _, o := range all {
		least, most := arity(o)
		if len(e.Args) < least || len(e.Args) > most || len(e.TypeArgs) > len(parameters(o)) {
			continue
		}
		if len(e.TypeArgs) > 0 && len(e.TypeArgs) == len(parameters(o)) {
			return []resolve.Ref{o}
		}
		counted = append(counted, o)
	}
	for _, o := range counted {
		fit := accepts(s, formalsOfFunction(o), e.Args)
		if fit == no {
			continue
		}
		if !slices.ContainsFunc(out, func(p resolve.Ref) bool { return p.Symbol().Returns == o.Symbol().Returns }) {
			out = append(out, o)
		}
		if fit == yes {
			break
		}
	}
	return out
}

func overloads(r resolve.Ref) (out []resolve.Ref) {
	s := r.Symbol()
	for _, i := range r.File.Qualified(s.QualifiedName) {
		if o := &r.File.Symbols[i]; o.Kind == s.Kind && (o.Parent == s.Parent || s.Parent >= 0 &&
			isTypeKind(r.File.Symbols[s.Parent].Kind) && slices.Contains(merged(r.File.Ref(s.Parent)), o.Parent)) {
			out = append(out, r.File.Ref(i))
		}
	}
	if len(out) > 1 && s.Body[1] > 0 { // functions of the same name in several blocks are not overloads
		bodies := 0
		for _, o := range out {
			if o.Symbol().Body[1] > 0 {
				bodies++
			}
		}
		if bodies > 1 {
			return []resolve.Ref{r}
		}
	}
	return out
}

// arity returns the least and the greatest number of arguments of a function.
func arity(r resolve.Ref) (least, most int) {
	for _, p := range r.Symbol().Parameters {
		if p.Variadic {
			return least, 1 << 20
		}
		most++
		if p.Default == "" && !optional(r, p.Name) {
			least = most
		}
	}
	return least, most
}

// optional reports whether a parameter may be omitted.
func optional(r resolve.Ref, name string) bool {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactParam && fact.Name == name {
			return strings.HasSuffix(fact.Type, "| undefined")
		}
	}
	return false
}

// callResult evaluates a call of a declared function.
func callResult(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	var results []resolve.Value
	for _, r := range meant(s, f.Ref, e) {
		results = append(results, resultOf(s, r, f, e))
	}
	return anyOf(s.W, f.Ref.File, results)
}

// resultOf evaluates a call of one declaration of a function.
func resultOf(s resolve.Scope, r resolve.Ref, f resolve.Value, e *expr.Expr) resolve.Value {
	for _, fact := range r.Facts() {
		if fact.Kind != code.FactResult || fact.Name != "" {
			continue
		}
		bind := infer(s, r, f.Type.Bind, e)
		return instance(resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index, Bind: bind},
			resolve.TypedResult).Via(f.How)
	}
	v := heldBy(inferred(s.W, r)).Via(f.How)
	if v.Kind == resolve.Instance && v.Type.File == r.File && v.Type.Scope == r.Index && v.Type.Text != heldText {
		v.Type.Bind = infer(s, r, v.Type.Bind, e)
	}
	return v
}

// heldBy returns v as the result of a call. A function becomes an Instance that holds the function,
// because each call may return a different one.
func heldBy(v resolve.Value) resolve.Value {
	if v.Kind != resolve.Function {
		return v
	}
	return instance(resolve.Type{Text: heldText, File: v.Ref.File, Scope: v.Ref.Index, Bind: v.Type.Bind}, v.How)
}

// inferred returns the result of a function without a declared result type, if all its return
// statements agree.
func inferred(w *resolve.World, r resolve.Ref) resolve.Value {
	type key struct {
		file  int64
		index int
	}
	return resolve.Derive(w, key{r.File.ID, r.Index}, func() (hit resolve.Value) {
		var results []resolve.Value
		for _, fact := range r.Facts() {
			if fact.Name != "return" || fact.Type == "undefined" {
				continue
			}
			v := factValue(w, r.File, fact, "return")
			if len(results) > 0 && v.Kind == resolve.Foreign && !same(results[0], v) {
				v = resolve.Value{} // the function returns different values
			}
			results = append(results, v)
		}
		hit = anyOf(w, r.File, results)
		if name := byKind(r); name != "" && (hit.Kind == resolve.Unknown || name != "Promise") {
			return instance(builtinType(r.File, name, unknownType(r.File)), resolve.TypedResult)
		}
		if hit.Kind == resolve.Unknown || !slices.Contains(r.Symbol().Modifiers, "async") {
			return hit.Via(resolve.TypedResult)
		}
		t, ok := typeOf(awaited(w, hit))
		if !ok {
			return hit // await does not change a module or a foreign value
		}
		return instance(builtinType(r.File, "Promise", t), resolve.TypedResult)
	})
}

// byKind returns the library type that a function returns because it is async or a generator:
// Promise for an async one. It returns "" for any other function.
func byKind(r resolve.Ref) string {
	s := r.Symbol()
	async := slices.Contains(s.Modifiers, "async")
	switch {
	case s.Body[1] == 0:
	case slices.Contains(s.Modifiers, "*") && async:
		return "AsyncGenerator"
	case slices.Contains(s.Modifiers, "*"):
		return "Generator"
	case async:
		return "Promise"
	}
	return ""
}

// infer binds the type parameters of a call to its type arguments, or to the types of its
// arguments.
func infer(s resolve.Scope, r resolve.Ref, outer *resolve.Binding, e *expr.Expr) *resolve.Binding {
	names := parameters(r)
	if len(names) == 0 {
		return outer
	}
	if len(e.TypeArgs) > 0 {
		return resolve.Bind(names, withAll(here(s), e.TypeArgs), outer)
	}
	bind := outer
	for _, name := range names {
		for i, p := range r.Symbol().Parameters {
			if i >= len(e.Args) || p.Variadic {
				break
			}
			written := resolve.Type{Text: p.Type, File: r.File, Scope: r.Index, Bind: bind}
			if t, ok := inferFrom(s, name, written, e.Args[i]); ok {
				bind = &resolve.Binding{Name: name, Type: t, Next: bind}
				break
			}
		}
	}
	return bind
}

// inferFrom returns the type of the type parameter called name, for example T, if arg is passed to
// a parameter whose type is T, T[], Promise<T>, a function type with the result T, or a union with
// one of these. It also infers T if arg is a class and the type has T as its only argument, such as
// Type<T>. It returns false if the argument does not determine it.
func inferFrom(s resolve.Scope, name string, written resolve.Type, arg *expr.Expr) (resolve.Type, bool) {
	if !strings.Contains(written.Text, name) {
		return resolve.Type{}, false
	}
	if t, ok, is := inferResult(s, name, written, arg); is {
		return t, ok
	}
	if arg.Op == expr.OpLiteral && arg.Name == "map" || arg.Text == "_" { // its own type, whatever the bound of the parameter
		return unknownType(s.File), slices.Contains(split(written.Text, '|'), name)
	}
	v := resolve.Eval(eval{}, s, arg)
	t, ok := typeOf(v)
	if !ok {
		return resolve.Type{}, false
	}
	for _, part := range split(written.Text, '|') {
		switch {
		case part == name:
			return t, true
		case part == name+"[]" || part == "Array<"+name+">" || part == "readonly "+name+"[]" ||
			part == "Iterable<"+name+">":
			return tsElement(s.W, t), true
		case part == "Promise<"+name+">":
			t, ok := typeOf(awaited(s.W, v))
			return t, ok
		case strings.HasSuffix(part, "<"+name+">") && v.Kind == resolve.Class:
			return refType(v.Ref, nil), true
		}
	}
	return resolve.Type{}, false
}

// formOf returns the form that e calls, such as #arg(f, 0): a function that the extractor writes
// and that no source text contains. It returns false for any other expression.
func formOf(e *expr.Expr) (code.Form, bool) {
	if e.Op != expr.OpCall || e.X.Op != expr.OpName {
		return "", false
	}
	return code.FormOf(e.X.Name)
}

// expected evaluates a form that the extractor writes for a parameter or a loop variable: #arg(f,
// 0), the value that f expects as argument 0; #param(f, 0), its parameter 0; #each(x), an element
// of x.
func expected(s resolve.Scope, form code.Form, e *expr.Expr) resolve.Value {
	if len(e.Args) == 0 {
		return resolve.Value{}
	}
	v := resolve.Eval(eval{}, s, e.Args[0])
	if form == code.FormEach {
		return each(s, v)
	}
	if len(e.Args) < 2 {
		return resolve.Value{}
	}
	i, err := strconv.Atoi(e.Args[1].Text)
	if err != nil || len(e.Args) > 3 {
		return resolve.Value{}
	}
	if form == code.FormArgument {
		if v := whole(s.W, v); v.Kind == resolve.Foreign && v.Type.Scope == inLibrary && len(e.Args) == 3 {
			return expectedArgument(s, v.Type, i, hintedCall(i, e.Args[2]))
		}
		return argument(s, whole(s.W, v), i)
	}
	t, ok := typeOf(v)
	if v.Kind == resolve.Foreign && !ok {
		v.Origin = resolve.Handed
		return v
	}
	if !ok {
		return resolve.Value{}
	}
	return parameter(s, t, i)
}

// constructors returns the constructors that a class declares or inherits.
func constructors(w *resolve.World, class resolve.Ref, depth int) (out []resolve.Ref) {
	for _, i := range class.File.Children(class.Index) {
		if class.File.Symbols[i].Kind == code.KindConstructor {
			out = append(out, class.File.Ref(i))
		}
	}
	if len(out) > 0 || depth > maxBases {
		return out
	}
	for _, fact := range class.Facts() {
		if fact.Kind != code.FactBase {
			continue
		}
		if shape := tsBase(w, resolve.Type{Text: fact.Type, File: class.File, Scope: class.Index}, class); shape.form ==
			declared && shape.ref != class {
			return constructors(w, shape.ref, depth+1)
		}
	}
	return nil
}
