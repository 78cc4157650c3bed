package typescript

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/typescript/rules"
	"sextant/l2meta/resolve"
)

// tsShape is a type after its text was interpreted. form says which of the other fields are set.
type tsShape struct {
	form form
	ref  resolve.Ref      // set if declared
	bind *resolve.Binding // binds the type parameters of a declared type; bindings of an object, as in Type
	name string           // name of a builtin, path of an object, or module of a foreign type
	args []resolve.Type   // arguments of a builtin, parts of a union or intersection, or parameters of a function
	// typ is the result type of a function, or the type as written of a literal or object.
	typ    resolve.Type
	value  resolve.Value  // the value of a valueType
	rest   bool           // whether the last parameter of a function takes all further arguments
	held   resolve.Value  // declaration of a function, if there is one
	origin resolve.Origin // origin of the values of a foreign type
	// without holds the keys that Omit removes, as written.
	without string
}

type form uint8

const (
	opaque       form = iota
	declared          // a class, interface, alias or enum of the workspace
	builtin           // string, Array<T>, Promise<T>, …
	foreign           // a type of a dependency
	union             // A | B
	intersection      // A & B
	literal           // { a: T }
	function          // (a: A) => R
	object            // an object literal; its keys are stored as facts, and as symbols below the symbol typ.Scope
	valueType         // typeof x: a class, function or module
)

// These texts cannot occur in source. They represent types that have no text of their own: "#ref"
// is the type declared by symbol Scope of File, "#class" that class itself, "#object path" an
// object literal.
const (
	refText    = "#ref"
	classText  = "#class"
	funcText   = "#function"
	heldText   = "#held" // a function returned by a call; it may be a different one each time
	objectText = "#object "
)

func refType(r resolve.Ref, b *resolve.Binding) resolve.Type {
	return resolve.Type{Text: refText, File: r.File, Scope: r.Index, Bind: b}
}

// instance returns a value of a type, or no value if the type is empty.
func instance(t resolve.Type, how resolve.Strategy) resolve.Value {
	if t.Text == "" || t.File == nil {
		return resolve.Value{}
	}
	return resolve.Value{Kind: resolve.Instance, Type: t, How: how}
}

// builtinType returns a type of the language's own library.
func builtinType(at *resolve.File, name string, args ...resolve.Type) resolve.Type {
	t := resolve.Type{Text: name, File: at, Scope: inLibrary}
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = "$" + strconv.Itoa(i)
		t.Bind = &resolve.Binding{Name: names[i], Type: a, Next: t.Bind}
	}
	if len(names) > 0 {
		t.Text += "<" + strings.Join(names, ", ") + ">"
	}
	return t
}

// typeOf returns the type of a value; false if it has none.
func typeOf(v resolve.Value) (resolve.Type, bool) {
	switch v.Kind {
	case resolve.Instance:
		return v.Type, v.Type.Text != ""
	case resolve.Class:
		return resolve.Type{Text: classText, File: v.Ref.File, Scope: v.Ref.Index, Bind: v.Type.Bind}, true
	case resolve.Function:
		return resolve.Type{Text: funcText, File: v.Ref.File, Scope: v.Ref.Index, Bind: v.Type.Bind}, true
	case resolve.Foreign: // the value has a type in library.txt
		return v.Type, v.Type.Scope == inLibrary && v.Type.Text != ""
	}
	return resolve.Type{}, false
}

// readType interprets a type. The form of a type that it cannot read is opaque.
func readType(w *resolve.World, t resolve.Type) tsShape {
	if t.Text == "" || t.File == nil || !w.Enter() {
		return tsShape{}
	}
	defer w.Leave()
	text := t.Text
	switch {
	case text == refText:
		return tsShape{form: declared, ref: resolve.Ref{File: t.File, Index: t.Scope}, bind: t.Bind}
	case text == classText:
		return tsShape{form: valueType,
			value: resolve.Value{Kind: resolve.Class, Ref: resolve.Ref{File: t.File, Index: t.Scope},
				Type: resolve.Type{Bind: t.Bind}}}
	case text == funcText:
		return tsShape{form: valueType,
			value: resolve.Value{Kind: resolve.Function, Ref: resolve.Ref{File: t.File, Index: t.Scope},
				Type: resolve.Type{Bind: t.Bind}}}
	case text == heldText:
		return tsShape{form: function, typ: t,
			held: resolve.Value{Kind: resolve.Function, Ref: resolve.Ref{File: t.File, Index: t.Scope},
				Type: resolve.Type{Bind: t.Bind}}}
	case strings.HasPrefix(text, objectText):
		return tsShape{form: object, name: text[len(objectText):], typ: t}
	}
	return readText(w, t, strings.TrimSpace(text))
}

func readText(w *resolve.World, t resolve.Type, text string) tsShape {
	for { // skip comments between the parts of a type
		from := strings.Index(text, "/*")
		to := strings.Index(text[max(from, 0):], "*/")
		if from < 0 || to < 0 {
			break
		}
		text = text[:from] + text[from+to+2:]
	}
	text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "readonly "), "asserts "), "unique ")
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "|") || strings.HasPrefix(text, "&") {
		text = strings.TrimSpace(text[1:])
	}
	if at := arrow(text); at >= 0 {
		return readFunction(t, text, at)
	}
	if yes, no, ok := cutConditional(text); ok {
		return readUnion(w, t, []string{yes, no})
	}
	if parts := split(text, '|'); len(parts) > 1 {
		return readUnion(w, t, parts)
	}
	if parts := split(text, '&'); len(parts) > 1 {
		return tsShape{form: intersection, args: withAll(t, parts)}
	}
	if text == "" {
		return tsShape{}
	}
	if strings.HasSuffix(text, "]") {
		return readBracketed(w, t, text)
	}
	switch c := text[0]; {
	case c == '(' && closing(text, 0) == len(text)-1:
		return readType(w, t.With(text[1:len(text)-1]))
	case c == '{':
		if of, ok := mappedOf(text); ok {
			return readType(w, t.With(of))
		}
		return tsShape{form: literal, typ: t.With(text)}
	case c == '"' || c == '\'' || c == '`':
		return tsShape{form: builtin, name: "string"}
	case c >= '0' && c <= '9' || c == '-':
		return tsShape{form: builtin, name: "number"}
	}
	for _, k := range []string{"typeof ", "keyof ", "infer ", "abstract new", "new ", "new("} {
		if strings.HasPrefix(text, k) {
			if k == "typeof " && t.Scope == inLibrary {
				return tsShape{form: builtin, name: text}
			}
			if k == "typeof " {
				return typeofShape(w, t, strings.TrimSpace(text[len(k):]))
			}
			return tsShape{}
		}
	}
	if strings.Contains(text, " extends ") || strings.Contains(text, " is ") {
		if strings.Contains(text, " is ") {
			return tsShape{form: builtin, name: "boolean"}
		}
		return tsShape{}
	}
	return readNamed(w, t, text)
}

// readUnion interprets a union, without null and undefined.
func readUnion(w *resolve.World, t resolve.Type, parts []string) tsShape {
	var kept []string
	for _, p := range parts {
		if to, ok := t.Bind.Lookup(p); ok && to.Text == "never" {
			continue
		}
		if p != "undefined" && p != "null" && p != "void" && p != "never" && p != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) == 1 {
		return readType(w, t.With(kept[0]))
	}
	return tsShape{form: union, args: withAll(t, kept)}
}

func withAll(t resolve.Type, texts []string) []resolve.Type {
	out := make([]resolve.Type, len(texts))
	for i, text := range texts {
		out[i] = t.With(text)
	}
	return out
}

// readBracketed interprets T[], [A, B] and T["key"].
func readBracketed(w *resolve.World, t resolve.Type, text string) tsShape {
	open := opening(text, len(text)-1)
	if open < 0 {
		return tsShape{}
	}
	inside := strings.TrimSpace(text[open+1 : len(text)-1])
	before := strings.TrimSpace(text[:open])
	switch {
	case before == "":
		return tsShape{form: builtin, name: "#tuple", args: withAll(t, tupleParts(inside))}
	case inside == "":
		return tsShape{form: builtin, name: "Array", args: []resolve.Type{t.With(before)}}
	case inside == "number":
		return readType(w, tsElement(w, t.With(before)))
	}
	if bound, ok := t.Bind.Lookup(inside); ok {
		inside = bound.Text
	}
	if key := strings.Trim(inside, `"'`); key != inside {
		s := resolve.Scope{W: w, File: t.File, At: t.Scope}
		v := member(s, instance(t.With(before), resolve.TypedElement), key)
		if typ, ok := typeOf(v); ok {
			return readType(w, typ)
		}
	} else if t.Scope == inLibrary && strings.HasSuffix(before, "EventMap") {
		return tsShape{form: builtin, name: "Event"} // the name of the event determines its kind, and is unknown here
	}
	return tsShape{}
}

// readFunction interprets (a: A) => R; at is the index of the arrow.
func readFunction(t resolve.Type, text string, at int) tsShape {
	head := strings.TrimSpace(text[:at])
	if strings.HasPrefix(head, "new ") || strings.HasPrefix(head, "new(") || strings.HasPrefix(head, "abstract ") {
		return tsShape{}
	}
	if end := genericsEnd(head); end > 0 {
		head = strings.TrimSpace(head[end+1:])
	}
	open := strings.IndexByte(head, '(')
	if open < 0 || !strings.HasSuffix(head, ")") {
		return tsShape{}
	}
	s := tsShape{form: function, typ: t.With(strings.TrimSpace(text[at+2:]))}
	for _, p := range expr.SplitTypes(head[open+1 : len(head)-1]) {
		_, typ, _ := strings.Cut(p, ":")
		if strings.HasPrefix(p, "this:") || strings.HasPrefix(p, "this :") {
			continue
		}
		s.rest = strings.HasPrefix(p, "...")
		s.args = append(s.args, t.With(strings.TrimSpace(typ)))
	}
	return s
}

// typeofShape interprets typeof x.
func typeofShape(w *resolve.World, t resolve.Type, text string) tsShape {
	s := resolve.Scope{W: w, File: t.File, At: t.Scope, Pos: posOf(t)}
	v := evalText(s, text)
	switch v.Kind {
	case resolve.Instance:
		return readType(w, v.Type)
	case resolve.Class, resolve.Function, resolve.Module:
		return tsShape{form: valueType, value: v}
	case resolve.Foreign:
		return tsShape{form: foreign, name: v.Module, origin: v.Origin}
	}
	return tsShape{}
}

// posOf returns an offset inside the symbol in which a type is written. It returns -1 for a type
// outside of symbols.
func posOf(t resolve.Type) int {
	if t.Scope >= 0 {
		return t.File.Symbols[t.Scope].Span.StartByte
	}
	return -1
}

// readNamed interprets Name<Args>.
func readNamed(w *resolve.World, t resolve.Type, text string) tsShape {
	name, args := text, []resolve.Type(nil)
	if i := strings.IndexByte(text, '<'); i >= 0 && strings.HasSuffix(text, ">") {
		name, args = strings.TrimSpace(text[:i]), withAll(t, expr.SplitTypes(text[i+1:len(text)-1]))
	}
	if bound, ok := t.Bind.Lookup(name); ok && len(args) == 0 {
		return readType(w, bound)
	}
	if t.Scope == inLibrary {
		return libraryNamed(w, t, name, args)
	}
	if strings.HasPrefix(name, "import(") {
		return importShape(w, t, name, args)
	}
	if at, fact := typeParameter(t, name); fact != nil {
		if fact.Type == "unknown" {
			return tsShape{}
		}
		return readType(w, resolve.Type{Text: fact.Type, File: t.File, Scope: at, Bind: t.Bind})
	}
	if !isDotted(name) {
		return tsShape{}
	}
	e := typeNamed(w, t.File, t.Scope, name)
	switch {
	case e.Foreign != "":
		return tsShape{form: foreign, name: e.Foreign, args: args,
			typ: t.With(name[strings.LastIndexByte(name, '.')+1:])}
	case e.ref.Valid():
		return declaredShape(w, t, e.ref, args)
	case e.absent:
		return libraryShape(w, t, name, args)
	}
	return tsShape{}
}

// importShape interprets import("m").Name<Args>.
func importShape(w *resolve.World, t resolve.Type, text string, args []resolve.Type) tsShape {
	spec, rest, ok := strings.Cut(text[len("import("):], ")")
	m := tsResolve(w, t.File, strings.Trim(strings.TrimSpace(spec), `"'`))
	name := strings.TrimPrefix(rest, ".")
	switch {
	case !ok:
	case m.Foreign != "":
		return tsShape{form: foreign, name: m.Foreign, args: args, typ: t.With(name)}
	case m.File != nil && isName(name):
		if e := entityType(w, export(w, m.File, name)); e.ref.Valid() {
			return declaredShape(w, t, e.ref, args)
		}
	}
	return tsShape{}
}

// typeParameter returns the fact that declares the type parameter called name in a declaration
// around t, with the index of the declaration. The fact is nil if there is none.
func typeParameter(t resolve.Type, name string) (int, *code.Fact) {
	for at := t.Scope; at >= 0; at = t.File.Symbols[at].Parent {
		for _, fact := range t.File.FactsOf(at) {
			if fact.Kind == code.FactAlias && fact.Name == name && name != t.File.Symbols[at].Name {
				return at, fact
			}
		}
	}
	return -1, nil
}

// parameters returns the names of the type parameters of a declaration, without those of merged
// declarations and overloads.
func parameters(r resolve.Ref) (names []string) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name != r.Symbol().Name {
			names = append(names, fact.Name)
		}
	}
	return names
}

// declaredShape interprets a class, interface, enum or alias of the workspace. An alias is
// replaced by its type, unless that is an object type. The members of an object type are recorded
// as members of the alias.
func declaredShape(w *resolve.World, t resolve.Type, r resolve.Ref, args []resolve.Type) tsShape {
	bind := resolve.Bind(parameters(r), args, nil)
	s := tsShape{form: declared, ref: r, bind: bind}
	if r.Symbol().Kind != code.KindType {
		return s
	}
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name == r.Symbol().Name {
			if of, ok := mappedOf(fact.Type); ok {
				return readType(w, resolve.Type{Text: of, File: r.File, Scope: r.Index, Bind: bind})
			}
			if strings.HasPrefix(strings.TrimSpace(fact.Type), "{") &&
				closing(strings.TrimSpace(fact.Type), 0) == len(strings.TrimSpace(fact.Type))-1 {
				return s
			}
			// Readonly<{ … }> has the members of its argument
			if head, _, ok := strings.Cut(fact.Type, "{"); ok && rules.IsCut(fact.Type) && wrappers[strings.TrimSuffix(head, "<")] {
				return s
			}
			inner := readType(w, resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index, Bind: bind})
			if inner.form == intersection || inner.form == union {
				inner.ref = r // the members of its object types are symbols of the alias
			}
			return inner
		}
	}
	return s
}
