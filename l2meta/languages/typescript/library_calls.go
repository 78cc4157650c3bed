package typescript

import (
	"slices"
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// librarySignature is an overload of a function in library.txt.
type librarySignature struct {
	generics []generic
	params   []parameterText
	result   string
}

type generic struct{ name, keyOf, fallback string }

type parameterText struct {
	text           string // type of the parameter; "" if it does not affect the result
	optional, rest bool
}

// signatures parses the overloads of a function in library.txt.
func signatures(w *resolve.World, text string) []librarySignature {
	type key struct{ text string }
	return resolve.Derive(w, key{text}, func() (out []librarySignature) {
		for _, part := range split(inParens(text), '&') {
			if sig, ok := readSignature(inParens(part)); ok {
				out = append(out, sig)
			}
		}
		return out
	})
}

// readSignature parses "<K extends keyof M, U = D>(_: A, _?: B, ..._: C[]) => R". ok is false for other texts.
func readSignature(text string) (sig librarySignature, ok bool) {
	if end := genericsEnd(text); end > 0 {
		for _, g := range expr.SplitTypes(text[1:end]) {
			g, fallback, _ := strings.Cut(g, " = ")
			name, bound, _ := strings.Cut(g, " extends ")
			keyOf, _ := strings.CutPrefix(bound, "keyof ")
			sig.generics = append(sig.generics, generic{name, keyOf, fallback})
		}
		text = text[end+1:]
	}
	end := -1
	if strings.HasPrefix(text, "(") {
		end = closing(text, 0)
	}
	if end < 0 {
		return sig, false
	}
	for _, p := range expr.SplitTypes(text[1:end]) {
		head, typ, _ := strings.Cut(p, ":")
		sig.params = append(sig.params,
			parameterText{strings.TrimSpace(typ), strings.HasSuffix(head, "?"), strings.HasPrefix(head, "...")})
	}
	sig.result, ok = strings.CutPrefix(strings.TrimSpace(text[end+1:]), "=>")
	sig.result = strings.TrimSpace(sig.result)
	return sig, ok
}

// genericsEnd returns the index of the ">" that ends the type parameters of a signature, or -1.
func genericsEnd(text string) int {
	if !strings.HasPrefix(text, "<") {
		return -1
	}
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '<':
			depth++
		case c == '>' && text[i-1] != '=':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// callOf evaluates a call of a function, or of a callable object, in library.txt.
func callOf(s resolve.Scope, f resolve.Type, e *expr.Expr) resolve.Value {
	if !isFunctionType(f.Text) {
		var ok bool
		if f, ok = tableMember(s.W, readType(s.W, f), "()", f); !ok {
			return resolve.Value{}
		}
	}
	return overloadResult(s, f, e, withAll(here(s), e.TypeArgs))
}

// constructed evaluates new C(…), where C is a class of library.txt.
func constructed(s resolve.Scope, class resolve.Type, e *expr.Expr, typeArgs []resolve.Type) resolve.Value {
	f, ok := tableMember(s.W, readType(s.W, class), "new", class)
	if !ok {
		return resolve.Value{}
	}
	return overloadResult(s, f, e, typeArgs)
}

// maxOverloads is the largest number of overloads whose result types are combined into a union.
const maxOverloads = 4

// overloadResult evaluates a call of a function of type f. If the arguments do not distinguish the
// overloads, the result is the union of the overloads' results.
func overloadResult(s resolve.Scope, f resolve.Type, e *expr.Expr, typeArgs []resolve.Type) resolve.Value {
	var results []resolve.Type
	all := signatures(s.W, f.Text)
	for _, sig := range all {
		if !sig.takes(len(e.Args), len(typeArgs), len(all) == 1) || sig.narrows(s, e) ||
			len(all) > 1 && sig.refuted(s, f, e) {
			continue
		}
		bind, exact := sig.bind(s, f, e, typeArgs)
		if !bind.ok {
			continue
		}
		if v := sig.handedBack(s, e); v.Kind != resolve.Unknown && len(results) == 0 {
			return v
		}
		r := resolve.Type{Text: sig.result, File: s.File, Scope: inLibrary, Bind: bind.list}
		if exact { // the arguments determine all type parameters
			results = nil
		}
		if !slices.ContainsFunc(results, func(o resolve.Type) bool { return o.Text == r.Text }) {
			results = append(results, r)
		}
		if exact {
			break
		}
	}
	if len(results) == 0 || len(results) > maxOverloads {
		return resolve.Value{}
	}
	t := results[0]
	if len(results) > 1 {
		t = unionType(s.File, results...)
	}
	if readType(s.W, t).form == opaque {
		return resolve.Value{}
	}
	return instance(boundTo(t), resolve.TypedElement)
}

// unionType returns the union of types.
func unionType(at *resolve.File, types ...resolve.Type) resolve.Type {
	t := builtinType(at, "", types...)
	t.Text = strings.ReplaceAll(strings.Trim(t.Text, "<>"), ", ", " | ")
	return t
}

// takes reports whether a signature accepts the numbers of arguments and type arguments. If alone
// is set, the function has no other signature; then any number of arguments is accepted, because
// library.txt omits the parameters that do not affect the result.
func (sig *librarySignature) takes(args, typeArgs int, alone bool) bool {
	least, most := 0, len(sig.params)
	for i, p := range sig.params {
		if p.rest {
			most = args
		} else if !p.optional {
			least = i + 1
		}
	}
	return typeArgs <= len(sig.generics) && (alone || args >= least && args <= most)
}

// narrows reports whether a signature requires a type predicate as an argument, filter((x): x is
// T => …), although it is not known that the call passes one.
func (sig *librarySignature) narrows(s resolve.Scope, e *expr.Expr) bool {
	for i, p := range sig.params {
		if !strings.Contains(p.text, " is ") {
			continue
		}
		if i >= len(e.Args) {
			return true
		}
		r, ok := functionResult(s, e.Args[i], nil)
		return !ok || !strings.Contains(r.Text, " is ")
	}
	return false
}

// handedBack returns the argument that a function returns unchanged: Object.freeze(x), Object.assign(x, y).
func (sig *librarySignature) handedBack(s resolve.Scope, e *expr.Expr) resolve.Value {
	if len(sig.generics) == 0 || len(sig.params) == 0 || len(e.Args) == 0 ||
		sig.params[0].text != sig.generics[0].name {
		return resolve.Value{}
	}
	if r, name := sig.result, sig.generics[0].name; r != name && r != "Readonly<"+name+">" &&
		!strings.HasPrefix(r, name+" & ") {
		return resolve.Value{}
	}
	return heldBy(resolve.Eval(eval{}, s, e.Args[0]))
}

type bindings struct {
	list *resolve.Binding
	ok   bool
}

// bind binds the type parameters of a signature to the type arguments of a call, to the types of
// its arguments, or to their defaults. b.ok is false if an argument shows that the call uses
// another overload; exact reports that the call determines all type parameters.
func (sig *librarySignature) bind(s resolve.Scope, f resolve.Type, e *expr.Expr,
	typeArgs []resolve.Type) (b bindings, exact bool) {
	b, exact = bindings{f.Bind, true}, len(sig.generics) > 0 || sig.says(e)
	for i, g := range sig.generics {
		t, ok := resolve.Type{}, false
		switch {
		case i < len(typeArgs) && g.keyOf != "" && label(typeArgs[i].Text) == "": // querySelector<HTMLElement>(…)
			return bindings{}, false
		case i < len(typeArgs):
			t, ok = typeArgs[i], true
		case g.keyOf != "":
			if t, ok = keyArgument(sig, s, g, e); !ok {
				return bindings{}, false
			}
		default:
			t, ok = sig.infer(s, resolve.Type{File: s.File, Scope: inLibrary, Bind: b.list}, g.name, e)
		}
		exact = exact && ok
		if !ok && g.fallback != "" {
			t, ok = resolve.Type{Text: g.fallback, File: s.File, Scope: inLibrary, Bind: b.list}, true
		}
		if !ok {
			t = unknownType(s.File) // binds it to an unknown type, which hides an outer type parameter of that name
		}
		b.list = &resolve.Binding{Name: g.name, Type: t, Next: b.list}
	}
	return b, exact
}

// says reports whether the arguments equal all string literals that the parameters require:
// getContext("2d") for the overload of "2d". It returns false if no parameter requires one.
func (sig *librarySignature) says(e *expr.Expr) bool {
	told := false
	for i, p := range sig.params {
		if strings.HasPrefix(p.text, `"`) {
			if told = i < len(e.Args) && label(e.Args[i].Text) == label(p.text); !told {
				return false
			}
		}
	}
	return told
}

// contradicts reports whether an argument differs from the string literal that a parameter
// requires: getContext("webgl") for the overload of "2d".
func (sig *librarySignature) contradicts(e *expr.Expr) bool {
	for i, p := range sig.params {
		if strings.HasPrefix(p.text, `"`) && i < len(e.Args) {
			if is := label(e.Args[i].Text); strings.HasPrefix(is, `"`) && is != label(p.text) {
				return true
			}
		}
	}
	return false
}

// keyArgument returns the argument that is a key of the library type g.keyOf, as a literal type:
// "button" for querySelector("button"), whose type parameter is K extends keyof
// HTMLElementTagNameMap. It returns false if there is none.
func keyArgument(sig *librarySignature, s resolve.Scope, g generic, e *expr.Expr) (resolve.Type, bool) {
	for i, p := range sig.params {
		if p.text != g.name || i >= len(e.Args) {
			continue
		}
		text := e.Args[i].Text
		key := strings.Trim(text, "\"'`")
		if _, ok := standard.Member(g.keyOf, key); ok && key != text {
			return resolve.Type{Text: `"` + key + `"`, File: s.File, Scope: inLibrary}, true
		}
	}
	return resolve.Type{}, false
}

// infer returns the type of the type parameter called name that the arguments of e determine; false if they do not.
// ctx has the scope and the bindings of the types in the signature.
func (sig *librarySignature) infer(s resolve.Scope, ctx resolve.Type, name string,
	e *expr.Expr) (resolve.Type, bool) {
	for i, p := range sig.params {
		if i >= len(e.Args) || !hasWord(p.text, name) {
			continue
		}
		if a := e.Args[i]; a.Op != expr.OpUnary || a.Name != "..." {
			if t, ok := inferArgument(s, ctx.With(p.text), name, a); ok {
				return t, true
			}
		}
	}
	return resolve.Type{}, false
}

func inferArgument(s resolve.Scope, p resolve.Type, name string, arg *expr.Expr) (resolve.Type, bool) {
	if t, ok, is := inferResult(s, name, p, arg); is {
		return t, ok
	}
	t, ok := typeOf(heldBy(resolve.Eval(eval{}, s, arg)))
	if !ok {
		return resolve.Type{}, false
	}
	return unify(s.W, p, t, name)
}

// inferResult infers the type parameter called name from the result of a function that is passed
// as arg: for once<T>(f: () => T), the call once(() => order.total) gives T the type of
// order.total. p is the type of the parameter that receives arg; applies reports whether p is a
// function type whose result mentions the type parameter.
func inferResult(s resolve.Scope, name string, p resolve.Type, arg *expr.Expr) (t resolve.Type, ok, applies bool) {
	for _, part := range split(inParens(p.Text), '|') {
		part = inParens(part)
		if arrow(part) < 0 {
			continue
		}
		if shape := readFunction(p, part, arrow(part)); hasWord(shape.typ.Text, name) {
			r, ok := functionResult(s, arg, shape.args)
			if !ok {
				return resolve.Type{}, false, true
			}
			t, ok = unify(s.W, shape.typ, r, name)
			return t, ok, true
		}
	}
	return resolve.Type{}, false, false
}

// unify returns the type that the type parameter called name must be, so that pattern equals t:
// the element type of t for the pattern T[], the promised type for T | PromiseLike<T>, t itself
// for T. It returns false if there is no such type.
func unify(w *resolve.World, pattern, t resolve.Type, name string) (resolve.Type, bool) {
	if !w.Enter() {
		return resolve.Type{}, false
	}
	defer w.Leave()
	whole := false
	for _, part := range split(inParens(pattern.Text), '|') {
		if part = inParens(part); part == name {
			whole = true
		} else if hasWord(part, name) {
			if hit, ok := unifyPart(w, pattern.With(part), t, name); ok {
				return hit, true
			}
		}
	}
	return t, whole && readType(w, t).form != opaque
}

func unifyPart(w *resolve.World, pattern, t resolve.Type, name string) (resolve.Type, bool) {
	text := pattern.Text
	switch head, args := library.Split(text); {
	case strings.HasPrefix(text, "_ is "):
		_, is, ok := strings.Cut(t.Text, " is ")
		return t.With(is), ok
	case strings.HasSuffix(text, "[]"):
		e := listElement(w, t)
		if e.Text == "" {
			return e, false
		}
		return unify(w, pattern.With(text[:len(text)-2]), e, name)
	case text[0] == '[':
		shape := readType(w, t)
		for i, p := range tupleParts(text[1 : len(text)-1]) {
			if shape.form == builtin && shape.name == "#tuple" && i < len(shape.args) && hasWord(p, name) {
				return unify(w, pattern.With(p), shape.args[i], name)
			}
		}
	case head == "PromiseLike" || head == "Promise":
		if shape := readType(w, t); shape.form == builtin && (shape.name == "Promise" || shape.name == "PromiseLike") &&
			len(shape.args) == 1 {
			return unify(w, pattern.With(args[0]), shape.args[0], name)
		}
	case head == "Record":
		if shape := readType(w, t); shape.form == builtin && shape.name == "Record" && len(args) == 2 {
			return unify(w, pattern.With(args[1]), shape.args[1], name)
		}
	case len(args) > 0 && listTypes[head]:
		if e := listElement(w, t); e.Text != "" {
			return unify(w, pattern.With(args[0]), e, name)
		}
	}
	return resolve.Type{}, false
}

// listTypes lists the parameter types that accept any value with elements.
var listTypes = map[string]bool{
	"Iterable": true, "AsyncIterable": true, "ArrayLike": true, "ConcatArray": true, "ReadonlyArray": true,
	"Array": true, "Iterator": true, "Set": true, "ReadonlySet": true,
}

// listElement returns the element type of t. It does not treat a string as a list of strings.
func listElement(w *resolve.World, t resolve.Type) resolve.Type {
	if shape := readType(w, t); shape.form == builtin && shape.name == "string" {
		return resolve.Type{}
	}
	return tsElement(w, t)
}

// expectedArgument returns a value of the type that a function or class in library.txt expects as its
// argument i. e is the call, or nil.
func expectedArgument(s resolve.Scope, f resolve.Type, i int, e *expr.Expr) resolve.Value {
	if !isFunctionType(f.Text) {
		made := functionOf(s.W, f)
		if made.Text == "" {
			return resolve.Value{}
		}
		f = made
	}
	var types []resolve.Type
	for _, sig := range signatures(s.W, f.Text) {
		t, exact := f, false
		if e != nil {
			if !sig.takes(len(e.Args), 0, false) || sig.refuted(s, f, e) {
				continue
			}
			b := bindings{}
			if b, exact = sig.bind(s, f, e, nil); !b.ok {
				continue
			}
			t.Bind = b.list
		}
		if t.Text = sig.parameter(i); t.Text == "" || slices.ContainsFunc(types, func(o resolve.Type) bool {
			return o.Text == t.Text
		}) {
			continue
		}
		if types = append(types, t.With(inParens(t.Text))); exact {
			return instance(t, resolve.TypedElement)
		}
	}
	switch len(types) {
	case 0:
		return resolve.Value{}
	case 1:
		return instance(types[0], resolve.TypedElement)
	}
	all := builtinType(s.File, "", types...)
	all.Text = strings.ReplaceAll(strings.Trim(all.Text, "<>"), ", ", " & ")
	return instance(all, resolve.TypedElement)
}

// functionOf returns the function type of an object in library.txt: of its constructor or its call signature.
func functionOf(w *resolve.World, t resolve.Type) resolve.Type {
	shape := readType(w, t)
	for _, key := range []string{"new", "()"} {
		if f, ok := tableMember(w, shape, key, t); ok {
			return f
		}
	}
	return resolve.Type{}
}

// parameter returns the text of the type of parameter i; "" if there is none. A rest parameter
// takes all indexes from its own on.
func (sig *librarySignature) parameter(i int) string {
	if last := len(sig.params) - 1; last >= 0 && sig.params[last].rest {
		i = min(i, last)
	}
	if i >= len(sig.params) {
		return ""
	}
	return sig.params[i].text
}

// hintedCall returns a call of two arguments for which only hint is known, such as reduce(f, []):
// argument i is an unknown function, and hint is the other argument.
func hintedCall(i int, hint *expr.Expr) *expr.Expr {
	args := []*expr.Expr{hint, hint}
	args[i] = &expr.Expr{}
	return &expr.Expr{Op: expr.OpCall, X: &expr.Expr{}, Args: args}
}

// refuted reports whether an argument is known not to have the parameter's type: reduce((a: T, b:
// T) => T, first: T) does not accept a Map as first.
func (sig *librarySignature) refuted(s resolve.Scope, f resolve.Type, e *expr.Expr) bool {
	if sig.contradicts(e) {
		return true
	}
	for i, p := range sig.params {
		if i >= len(e.Args) || p.rest || p.text == "" || arrow(inParens(p.text)) >= 0 ||
			slices.ContainsFunc(sig.generics, func(g generic) bool { return hasWord(p.text, g.name) }) {
			continue
		}
		want := readType(s.W, resolve.Type{Text: p.text, File: s.File, Scope: inLibrary, Bind: f.Bind})
		t, ok := typeOf(resolve.Eval(eval{}, s, e.Args[i]))
		if !ok || want.form != builtin && want.form != declared {
			continue
		}
		if is := readType(s.W, t); is.form == builtin &&
			(want.form == declared || is.name != want.name && is.name != "#tuple") ||
			is.form == declared && want.form == builtin {
			return true
		}
	}
	return false
}
