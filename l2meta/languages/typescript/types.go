package typescript

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// tsShape is a type as far as its text can be read.
type tsShape struct {
	form tsForm
	ref  resolve.Ref      // of tsDeclared
	bind *resolve.Binding // of tsDeclared: its type parameters; of tsObject: as in Type
	name string           // of tsBuiltin; the path of tsObject; the module of tsForeign
	args []resolve.Type   // of tsBuiltin, tsUnion, tsIntersection; parameters of tsFunction
	// result of tsFunction; what tsLiteral and tsObject are written in
	typ    resolve.Type
	value  resolve.Value  // of tsValueType
	rest   bool           // of tsFunction: the last parameter takes all that follow
	held   resolve.Value  // of tsFunction: the declaration where there is one
	origin resolve.Origin // of tsForeign: of the value whose type it is
	// without is the keys that Omit leaves out, as written.
	without string
}

type tsForm uint8

const (
	tsOpaque       tsForm = iota
	tsDeclared            // a class, interface, alias or enum of the workspace
	tsBuiltin             // string, Array<T>, Promise<T>, …
	tsForeign             // a type of a dependency
	tsUnion               //
	tsIntersection        //
	tsLiteral             // { a: T }
	tsFunction            // (a: A) => R
	tsObject              // an object literal: its keys are facts and symbols below name of typ.Scope
	tsValueType           // typeof x: a class, function or module
)

// Texts that no source holds stand for what has no text: "#ref" is the type
// that Scope of File declares, "#class" that class itself, "#object path" an
// object literal.
const (
	tsRefText    = "#ref"
	tsClassText  = "#class"
	tsFuncText   = "#function"
	tsHeldText   = "#held" // a function that a call gave: which one is not fixed
	tsObjectText = "#object "
)

func tsRefType(r resolve.Ref, b *resolve.Binding) resolve.Type {
	return resolve.Type{Text: tsRefText, File: r.File, Scope: r.Index, Bind: b}
}

// tsInstance is a value of a type.
func tsInstance(t resolve.Type, how resolve.Strategy) resolve.Value {
	if t.Text == "" || t.File == nil {
		return resolve.Value{}
	}
	return resolve.Value{Kind: resolve.Instance, Type: t, How: how}
}

// tsBuiltinType is a type of the language's own library.
func tsBuiltinType(at *resolve.File, name string, args ...resolve.Type) resolve.Type {
	t := resolve.Type{Text: name, File: at, Scope: -1}
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = "$" + string(rune('0'+i))
		t.Bind = &resolve.Binding{Name: names[i], Type: a, Next: t.Bind}
	}
	if len(names) > 0 {
		t.Text += "<" + strings.Join(names, ", ") + ">"
	}
	return t
}

// tsTypeOf is the type of a value.
func tsTypeOf(v resolve.Value) (resolve.Type, bool) {
	switch v.Kind {
	case resolve.Instance:
		return v.Type, v.Type.Text != ""
	case resolve.Class:
		return resolve.Type{Text: tsClassText, File: v.Ref.File, Scope: v.Ref.Index, Bind: v.Type.Bind}, true
	case resolve.Function:
		return resolve.Type{Text: tsFuncText, File: v.Ref.File, Scope: v.Ref.Index, Bind: v.Type.Bind}, true
	}
	return resolve.Type{}, false
}

// tsReadType reads a type.
func tsReadType(w *resolve.World, t resolve.Type) tsShape {
	if t.Text == "" || t.File == nil || !w.Enter() {
		return tsShape{}
	}
	defer w.Leave()
	text := t.Text
	switch {
	case text == tsRefText:
		return tsShape{form: tsDeclared, ref: resolve.Ref{File: t.File, Index: t.Scope}, bind: t.Bind}
	case text == tsClassText:
		return tsShape{form: tsValueType, value: resolve.Value{Kind: resolve.Class, Ref: resolve.Ref{File: t.File, Index: t.Scope}, Type: resolve.Type{Bind: t.Bind}}}
	case text == tsFuncText:
		return tsShape{form: tsValueType, value: resolve.Value{Kind: resolve.Function, Ref: resolve.Ref{File: t.File, Index: t.Scope}, Type: resolve.Type{Bind: t.Bind}}}
	case text == tsHeldText:
		return tsShape{form: tsFunction, typ: t, held: resolve.Value{Kind: resolve.Function, Ref: resolve.Ref{File: t.File, Index: t.Scope}, Type: resolve.Type{Bind: t.Bind}}}
	case strings.HasPrefix(text, tsObjectText):
		return tsShape{form: tsObject, name: text[len(tsObjectText):], typ: t}
	}
	return tsReadText(w, t, strings.TrimSpace(text))
}

func tsReadText(w *resolve.World, t resolve.Type, text string) tsShape {
	for { // comments between the parts of a type
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
	if at := tsArrow(text); at >= 0 {
		return tsReadFunction(t, text, at)
	}
	if parts := tsSplit(text, '|'); len(parts) > 1 {
		return tsReadUnion(w, t, parts)
	}
	if parts := tsSplit(text, '&'); len(parts) > 1 {
		return tsShape{form: tsIntersection, args: tsWithAll(t, parts)}
	}
	if text == "" {
		return tsShape{}
	}
	if strings.HasSuffix(text, "]") {
		return tsReadBracketed(w, t, text)
	}
	switch c := text[0]; {
	case c == '(' && tsClosing(text, 0) == len(text)-1:
		return tsReadType(w, t.With(text[1:len(text)-1]))
	case c == '{':
		return tsShape{form: tsLiteral, typ: t.With(text)}
	case c == '"' || c == '\'' || c == '`':
		return tsShape{form: tsBuiltin, name: "string"}
	case c >= '0' && c <= '9' || c == '-':
		return tsShape{form: tsBuiltin, name: "number"}
	}
	for _, k := range []string{"typeof ", "keyof ", "infer ", "abstract new", "new ", "new("} {
		if strings.HasPrefix(text, k) {
			if k == "typeof " {
				return tsTypeofShape(w, t, strings.TrimSpace(text[len(k):]))
			}
			return tsShape{}
		}
	}
	if strings.Contains(text, " extends ") || strings.Contains(text, " is ") {
		if strings.Contains(text, " is ") {
			return tsShape{form: tsBuiltin, name: "boolean"}
		}
		return tsShape{}
	}
	return tsReadNamed(w, t, text)
}

// tsReadUnion reads a union, null and undefined left out.
func tsReadUnion(w *resolve.World, t resolve.Type, parts []string) tsShape {
	var kept []string
	for _, p := range parts {
		if p != "undefined" && p != "null" && p != "void" && p != "never" && p != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) == 1 {
		return tsReadType(w, t.With(kept[0]))
	}
	return tsShape{form: tsUnion, args: tsWithAll(t, kept)}
}

func tsWithAll(t resolve.Type, texts []string) []resolve.Type {
	out := make([]resolve.Type, len(texts))
	for i, text := range texts {
		out[i] = t.With(text)
	}
	return out
}

// tsReadBracketed reads T[], [A, B] and T["key"].
func tsReadBracketed(w *resolve.World, t resolve.Type, text string) tsShape {
	open := tsOpening(text, len(text)-1)
	if open < 0 {
		return tsShape{}
	}
	inside := strings.TrimSpace(text[open+1 : len(text)-1])
	before := strings.TrimSpace(text[:open])
	switch {
	case before == "":
		return tsShape{form: tsBuiltin, name: "#tuple", args: tsWithAll(t, tsTupleParts(inside))}
	case inside == "":
		return tsShape{form: tsBuiltin, name: "Array", args: []resolve.Type{t.With(before)}}
	case inside == "number":
		return tsReadType(w, tsElement(w, t.With(before)))
	}
	if key := strings.Trim(inside, `"'`); key != inside {
		s := resolve.Scope{W: w, File: t.File, At: t.Scope}
		v := tsMember(s, tsInstance(t.With(before), resolve.TypedElement), key)
		if typ, ok := tsTypeOf(v); ok {
			return tsReadType(w, typ)
		}
	}
	return tsShape{}
}

// tsReadFunction reads (a: A) => R, at being where the arrow stands.
func tsReadFunction(t resolve.Type, text string, at int) tsShape {
	head := strings.TrimSpace(text[:at])
	if strings.HasPrefix(head, "new ") || strings.HasPrefix(head, "new(") || strings.HasPrefix(head, "abstract ") {
		return tsShape{}
	}
	open := strings.IndexByte(head, '(')
	if open < 0 || !strings.HasSuffix(head, ")") {
		return tsShape{}
	}
	s := tsShape{form: tsFunction, typ: t.With(strings.TrimSpace(text[at+2:]))}
	for _, p := range resolve.SplitTypes(head[open+1 : len(head)-1]) {
		_, typ, _ := strings.Cut(p, ":")
		if strings.HasPrefix(p, "this:") || strings.HasPrefix(p, "this :") {
			continue
		}
		s.rest = strings.HasPrefix(p, "...")
		s.args = append(s.args, t.With(strings.TrimSpace(typ)))
	}
	return s
}

// tsTypeofShape reads typeof x.
func tsTypeofShape(w *resolve.World, t resolve.Type, text string) tsShape {
	s := resolve.Scope{W: w, File: t.File, At: t.Scope, Pos: tsPosOf(t)}
	v := tsEvalText(s, text)
	switch v.Kind {
	case resolve.Instance:
		return tsReadType(w, v.Type)
	case resolve.Class, resolve.Function, resolve.Module:
		return tsShape{form: tsValueType, value: v}
	case resolve.Foreign:
		return tsShape{form: tsForeign, name: v.Module, origin: v.Origin}
	}
	return tsShape{}
}

// tsPosOf is a place within the symbol that a type is written in.
func tsPosOf(t resolve.Type) int {
	if t.Scope >= 0 {
		return t.File.Symbols[t.Scope].Span.StartByte
	}
	return -1
}

// tsReadNamed reads Name<Args>.
func tsReadNamed(w *resolve.World, t resolve.Type, text string) tsShape {
	name, args := text, []resolve.Type(nil)
	if i := strings.IndexByte(text, '<'); i >= 0 && strings.HasSuffix(text, ">") {
		name, args = strings.TrimSpace(text[:i]), tsWithAll(t, resolve.SplitTypes(text[i+1:len(text)-1]))
	}
	if bound, ok := t.Bind.Lookup(name); ok && len(args) == 0 {
		return tsReadType(w, bound)
	}
	if strings.HasPrefix(name, "import(") {
		return tsImportShape(w, t, name, args)
	}
	if at, fact := tsTypeParameter(t, name); fact != nil {
		if fact.Type == "unknown" {
			return tsShape{}
		}
		return tsReadType(w, resolve.Type{Text: fact.Type, File: t.File, Scope: at, Bind: t.Bind})
	}
	e := tsTypeNamed(w, t.File, t.Scope, name)
	switch {
	case e.Foreign != "":
		return tsShape{form: tsForeign, name: e.Foreign, args: args, typ: t.With(name[strings.LastIndexByte(name, '.')+1:])}
	case e.ref.Valid():
		return tsDeclaredShape(w, t, e.ref, args)
	case e.absent:
		return tsLibraryShape(w, t, name, args)
	}
	return tsShape{}
}

// tsImportShape reads import("m").Name<Args>.
func tsImportShape(w *resolve.World, t resolve.Type, text string, args []resolve.Type) tsShape {
	spec, rest, ok := strings.Cut(text[len("import("):], ")")
	m := tsResolve(w, t.File, strings.Trim(strings.TrimSpace(spec), `"'`))
	name := strings.TrimPrefix(rest, ".")
	switch {
	case !ok:
	case m.Foreign != "":
		return tsShape{form: tsForeign, name: m.Foreign, args: args, typ: t.With(name)}
	case m.File != nil && tsIsName(name):
		if e := tsEntityType(w, tsExport(w, m.File, name)); e.ref.Valid() {
			return tsDeclaredShape(w, t, e.ref, args)
		}
	}
	return tsShape{}
}

// tsTypeParameter is the type parameter of that name of what encloses t.
func tsTypeParameter(t resolve.Type, name string) (int, *code.Fact) {
	for at := t.Scope; at >= 0; at = t.File.Symbols[at].Parent {
		for _, fact := range t.File.FactsOf(at) {
			if fact.Kind == code.FactAlias && fact.Name == name && name != t.File.Symbols[at].Name {
				return at, fact
			}
		}
	}
	return -1, nil
}

// tsParameters is the names of the type parameters of a declaration, merged
// declarations and overloads aside.
func tsParameters(r resolve.Ref) (names []string) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name != r.Symbol().Name {
			names = append(names, fact.Name)
		}
	}
	return names
}

// tsDeclaredShape is a class, interface, enum or alias of the workspace. An
// alias is what it stands for, unless that is an object type, whose members
// are the alias's.
func tsDeclaredShape(w *resolve.World, t resolve.Type, r resolve.Ref, args []resolve.Type) tsShape {
	bind := resolve.Bind(tsParameters(r), args, nil)
	s := tsShape{form: tsDeclared, ref: r, bind: bind}
	if r.Symbol().Kind != code.KindType {
		return s
	}
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name == r.Symbol().Name {
			if strings.HasPrefix(strings.TrimSpace(fact.Type), "{") && tsClosing(strings.TrimSpace(fact.Type), 0) == len(strings.TrimSpace(fact.Type))-1 {
				return s
			}
			inner := tsReadType(w, resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index, Bind: bind})
			if inner.form == tsIntersection || inner.form == tsUnion {
				inner.ref = r // object types among its parts have their members there
			}
			return inner
		}
	}
	return s
}
