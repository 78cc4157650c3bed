package typescript

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/typescript/rules"
	"sextant/l2meta/resolve"
)

// Tests narrow the values in the code that they guard: in if (x instanceof A) { x.f() } the second
// x is an A. rules/narrow.go describes the facts that record tests.

// narrowings maps each path that a file tests, such as "order.state", to the facts of the tests.
func narrowings(f *resolve.File) map[string][]*code.Fact {
	type key struct{}
	return resolve.Memo(f, key{}, func() map[string][]*code.Fact {
		out := map[string][]*code.Fact{}
		for i := range f.AllFacts() {
			if fact := &f.AllFacts()[i]; fact.Kind == code.FactNarrow {
				out[fact.Name] = append(out[fact.Name], fact)
			}
		}
		return out
	})
}

// narrowedLast returns the set of names that end the tested paths in a file: state for order.state.
func narrowedLast(f *resolve.File) map[string]bool {
	type key struct{}
	return resolve.Memo(f, key{}, func() map[string]bool {
		out := map[string]bool{}
		for path := range narrowings(f) {
			if i := strings.LastIndexByte(path, '.'); i >= 0 {
				out[path[i+1:]] = true
			}
		}
		return out
	})
}

// chain returns the dotted path of a chain of members, "a.b.c"; "" for any other expression.
func chain(e *expr.Expr) string {
	switch e.Op {
	case expr.OpName:
		return e.Name
	case expr.OpMember:
		if of := chain(e.X); of != "" {
			return of + "." + e.Name
		}
	}
	return ""
}

// narrowed returns the value of a path such as order.state at s, narrowed by the tests around s. v
// is the value without these tests.
func narrowed(s resolve.Scope, path string, v resolve.Value) resolve.Value {
	name := rules.Root(path)
	for _, fact := range narrowings(s.File)[path] {
		if s.Pos < fact.Scope[0] || s.Pos >= fact.Scope[1] {
			continue
		}
		if _, hidden := s.Local.Lookup(name); hidden ||
			!local(s.File, name, s.Pos).Same(local(s.File, name, fact.Span.StartByte)) {
			continue // the test is about another variable of that name
		}
		v = tested(s, v, fact.Type)
	}
	return v
}

// tested returns v with only those parts of its type, a union, that pass a test such as "instanceof
// Order". If the test starts with "!", it returns v with the parts that fail it.
func tested(s resolve.Scope, v resolve.Value, test string) resolve.Value {
	if v.Kind == resolve.Class || v.Kind == resolve.Function || v.Kind == resolve.Module || !s.W.Enter() {
		return v
	}
	defer s.W.Leave()
	test, failed := strings.CutPrefix(test, "!")
	test, what, _ := strings.Cut(test, " ")
	switch test {
	case "typeof":
		return ofKinds(s, v, split(what, '|'), failed)
	case "instanceof":
		return ofType(s, v, objectsOf(s, what), failed)
	case "call":
		return ofType(s, v, madeSure(s, what), failed)
	case "self":
		return ofType(s, v, selfSure(s, v, what), failed)
	case "in":
		if !failed {
			return keepParts(s, v, resolve.Value{}, func(t resolve.Type) bool { return !lacks(s.W, t, what, 0) })
		}
	case "=":
		key, labels, _ := strings.Cut(what, " ")
		return ofLabels(s, v, key, split(labels, '|'), failed)
	}
	return v
}

// maxParts is the largest number of types that are read from a union. maxKept is the largest
// number to which a test narrows it.
const maxParts, maxKept = 100, 9

// unionParts appends the types in a union to out, without those that cannot be read. open reports
// that there are such types, or more than maxParts types.
func unionParts(w *resolve.World, t resolve.Type, out []resolve.Type) (parts []resolve.Type, open bool) {
	shape := readType(w, t)
	switch {
	case shape.form == opaque || len(out) > maxParts:
		return out, true
	case shape.form != union:
		return append(out, t), false
	}
	for _, a := range shape.args {
		var more bool
		out, more = unionParts(w, a, out)
		open = open || more
	}
	return out, open
}

// keepParts returns v with only those parts of its type, a union, for which kept returns true. If
// none are left, or the type is unknown, it returns fallback. It returns v itself if fallback is
// unknown as well, if a part cannot be read, or if more than maxKept parts are left.
func keepParts(s resolve.Scope, v, fallback resolve.Value, kept func(resolve.Type) bool) resolve.Value {
	t, ok := typeOf(v)
	if !ok {
		if fallback.Kind == resolve.Unknown {
			return v
		}
		return fallback
	}
	all, open := unionParts(s.W, t, nil)
	var parts []resolve.Type
	for _, part := range all {
		if kept(part) {
			parts = append(parts, part)
		}
	}
	switch {
	case len(parts) == 0 && fallback.Kind != resolve.Unknown:
		return fallback
	case open || len(parts) == 0 || len(parts) == len(all) || len(parts) > maxKept:
		return v
	case len(parts) == 1:
		return instance(parts[0], v.How).Via(resolve.TypedValue)
	}
	return instance(unionType(s.File, parts...), v.How).Via(resolve.TypedValue)
}

// primitives lists the results of typeof that belong to a single type.
var primitives = map[string]bool{"string": true, "number": true, "boolean": true, "bigint": true, "symbol": true}

// ofKinds returns v with only those parts of its type, a union, for which typeof gives one of the
// kinds. If failed is set, it keeps the parts for which typeof gives none of them.
func ofKinds(s resolve.Scope, v resolve.Value, kinds []string, failed bool) resolve.Value {
	otherwise := resolve.Value{}
	if len(kinds) == 1 && !failed {
		if primitives[kinds[0]] {
			return instance(builtinType(s.File, kinds[0]), resolve.TypedValue)
		} else if kinds[0] == "function" {
			otherwise = instance(builtinType(s.File, "Function"), resolve.TypedValue)
		}
	}
	return keepParts(s, v, otherwise, func(t resolve.Type) bool {
		kind := kindOf(s.W, t)
		if failed {
			return kind == "" || !slices.Contains(kinds, kind)
		}
		return kind == "" || slices.Contains(kinds, kind)
	})
}

// kindOf returns the result of typeof for a value of a type, or "" if it is unknown.
func kindOf(w *resolve.World, t resolve.Type) string {
	switch shape := readType(w, t); shape.form {
	case builtin:
		switch {
		case primitives[shape.name]:
			return shape.name
		case shape.name == "Function":
			return "function"
		case tableType(shape.name) != nil:
			return "object"
		}
	case declared:
		if k := shape.ref.Symbol().Kind; k == code.KindClass || k == code.KindInterface && !takesFunction(w, t) {
			return "object"
		}
	case literal, object:
		return "object"
	case function:
		return "function"
	case valueType:
		if shape.value.Kind != resolve.Module {
			return "function"
		}
	}
	return ""
}

// objectsOf returns an instance of the class that an expression names.
func objectsOf(s resolve.Scope, text string) resolve.Value {
	v := whole(s.W, evalText(s, text))
	switch v.Kind {
	case resolve.Class:
		return instance(refType(v.Ref, nil), resolve.TypedValue)
	case resolve.Foreign:
		if v.Type.Scope == inLibrary && v.Type.Text != "" {
			return constructed(s, v.Type, &expr.Expr{Op: expr.OpNew}, nil)
		}
		if v.Module != "builtin" {
			return resolve.Value{Kind: resolve.Foreign, Module: v.Module, Origin: max(v.Origin, resolve.Holder)}
		}
	}
	return resolve.Value{}
}

// madeSure returns a value of the type that a call of a type predicate establishes: Text for
// function isText(x): x is Text.
func madeSure(s resolve.Scope, text string) resolve.Value {
	v := whole(s.W, evalText(s, text))
	t := resolve.Type{}
	switch v.Kind {
	case resolve.Function:
		for _, r := range overloads(v.Ref) {
			for _, fact := range r.Facts() {
				if fact.Kind == code.FactResult && fact.Name == "" && len(r.Symbol().Parameters) > 0 {
					t = predicateType(resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index},
						r.Symbol().Parameters[0].Name)
				}
			}
			if t.Text != "" {
				break
			}
		}
	case resolve.Foreign:
		if all := signatures(s.W, v.Type.Text); v.Type.Scope == inLibrary && len(all) == 1 {
			t = predicateType(resolve.Type{Text: all[0].result, File: s.File, Scope: inLibrary, Bind: v.Type.Bind}, "_")
		}
	}
	return instance(t, resolve.TypedValue)
}

// selfSure returns a value of the type that a method without arguments establishes for its object:
// isText(): this is Text.
func selfSure(s resolve.Scope, v resolve.Value, method string) resolve.Value {
	t, ok := typeOf(v)
	if !ok {
		return resolve.Value{}
	}
	m := typeMember(s.W, t, method, 0)
	if m.Kind != resolve.Function || !m.Ref.Valid() {
		return resolve.Value{}
	}
	for _, fact := range m.Ref.Facts() {
		if fact.Kind == code.FactResult && fact.Name == "" {
			t := predicateType(resolve.Type{Text: fact.Type, File: m.Ref.File, Scope: m.Ref.Index}, "this")
			if t.Text != "" {
				return instance(t, resolve.TypedValue)
			}
		}
	}
	return resolve.Value{}
}

// predicateType returns T for "x is T", and an empty type for a predicate about another name.
func predicateType(t resolve.Type, name string) resolve.Type {
	of, is, ok := strings.Cut(t.Text, " is ")
	if of = strings.TrimSpace(strings.TrimPrefix(of, "asserts ")); !ok || of != name {
		return resolve.Type{}
	}
	return t.With(strings.TrimSpace(is))
}

// ofType returns v with only those parts of its type, a union, that are also of the type of want.
// If failed is set, it keeps the other parts.
func ofType(s resolve.Scope, v, want resolve.Value, failed bool) resolve.Value {
	t, ok := typeOf(want)
	switch {
	case want.Kind == resolve.Foreign && !ok && !failed && v.Kind != resolve.Instance:
		return want
	case !ok:
		return v
	}
	wants, open := unionParts(s.W, t, nil)
	isOne := func(part resolve.Type) bool {
		return slices.ContainsFunc(wants, func(one resolve.Type) bool { return isA(s.W, part, one, 0) })
	}
	if failed {
		if open {
			return v
		}
		return keepParts(s, v, resolve.Value{}, func(part resolve.Type) bool { return !isOne(part) })
	}
	return keepParts(s, v, want, isOne)
}

// isA reports whether a value of type t is also of type want: both have the same declaration, or t
// derives from want.
func isA(w *resolve.World, t, want resolve.Type, depth int) bool {
	a, b := readType(w, t), readType(w, want)
	if depth > maxBases || !w.Enter() {
		return false
	}
	defer w.Leave()
	switch {
	case a.form == builtin && b.form == builtin:
		if a.name == "#tuple" {
			a.name = "Array"
		}
		typ := tableType(a.name)
		return a.name == b.name || b.name == "#tuple" && a.name == "Array" ||
			typ != nil && slices.Contains(standard.Lineage(typ), b.name)
	case b.form == builtin && b.name == "Function":
		return a.form == function || a.form == valueType && a.value.Kind != resolve.Module
	case a.form != declared || b.form != declared && b.form != builtin:
		return false
	case b.form == declared && a.ref.File == b.ref.File && a.ref.Symbol().QualifiedName == b.ref.Symbol().QualifiedName:
		return true
	}
	for _, i := range merged(a.ref) {
		for _, fact := range a.ref.File.FactsOf(i) {
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl {
				continue
			}
			base := resolve.Type{Text: fact.Type, File: a.ref.File, Scope: i, Bind: a.bind}
			shape := readType(w, base)
			if fact.Kind == code.FactBase {
				shape = tsBase(w, base, a.ref)
			}
			if shape.form == declared && shape.ref != a.ref && isA(w, refType(shape.ref, shape.bind), want, depth+1) ||
				shape.form == builtin && isA(w, builtinType(a.ref.File, shape.name, shape.args...), want, depth+1) {
				return true
			}
		}
	}
	return false
}

// ofLabels returns v with only those parts of its type, a union, whose member called key is one of
// several literals or enum members, as in shape.kind === "circle". If failed is set, it keeps the
// other parts.
func ofLabels(s resolve.Scope, v resolve.Value, key string, labels []string, failed bool) resolve.Value {
	for i := range labels {
		labels[i] = label(labels[i])
	}
	return keepParts(s, v, resolve.Value{}, func(part resolve.Type) bool {
		t, ok := typeOf(typeMember(s.W, part, key, 0))
		if !ok {
			return failed || !lacks(s.W, part, key, 0)
		}
		may, must := false, true // whether the part may be, and whether it must be, one of the labels
		for _, is := range split(t.Text, '|') {
			is = label(is)
			may = may || is == "" || slices.ContainsFunc(labels, func(l string) bool { return !apart(l, is) })
			must = must && is != "" && slices.Contains(labels, is)
		}
		return failed && !must || !failed && may
	})
}

// label returns a literal or an enum member in a form that can be compared: 'a' and "a" are equal.
// It returns "" for any other type.
func label(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
	case strings.IndexByte("\"'`", text[0]) >= 0:
		return `"` + strings.Trim(text, "\"'`")
	case text[0] >= '0' && text[0] <= '9' || text == "true" || text == "false":
		return text
	case strings.Contains(text, ".") && isDotted(text):
		return text
	}
	return ""
}

// apart reports whether two labels are known to have different values. A label is the text of a
// literal, or of an enum member such as State.Open.
func apart(a, b string) bool {
	if a == "" || b == "" || a == b {
		return false
	}
	i, j := strings.LastIndexByte(a, '.'), strings.LastIndexByte(b, '.')
	if a[0] == '"' || b[0] == '"' || i < 0 || j < 0 {
		// a literal and an enum member may be equal, because the value of the member is unknown
		return a[0] == '"' && b[0] == '"' || i < 0 && j < 0
	}
	return a[:i] == b[:j] // different members of one enum differ
}
