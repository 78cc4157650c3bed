package typescript

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

var dialect = expr.Dialect{Generics: true, Script: true}

// eval evaluates expressions of TypeScript and JavaScript.
type eval struct{}

func evalText(s resolve.Scope, text string) resolve.Value {
	return resolve.Eval(eval{}, s, expr.Parse(text, dialect))
}

type factKey struct {
	file  int64
	at    int
	start int
	text  string
}

// evalAt evaluates the expression in the fact, in the scope of the symbol with index at.
func evalAt(w *resolve.World, f *resolve.File, at int, fact *code.Fact) resolve.Value {
	return resolve.Derive(w, factKey{f.ID, at, fact.Span.StartByte, fact.Type}, func() resolve.Value {
		return evalText(resolve.Scope{W: w, File: f, At: at, Pos: fact.Span.StartByte}, fact.Type)
	})
}

// factValue returns the value of a name, which fact declares or assigns. For an object literal,
// path is the prefix of the names under which its keys are recorded: "options" for "options.retry".
func factValue(w *resolve.World, f *resolve.File, fact *code.Fact, path string) resolve.Value {
	switch {
	case fact.Kind == code.FactVar || fact.Kind == code.FactParam || fact.Kind == code.FactField:
		// a declared type: const isArray: typeof Array.isArray = …
		if of, ok := strings.CutPrefix(fact.Type, "typeof "); ok {
			if v := evalAt(w, f, fact.Owner, &code.Fact{Type: of, Span: fact.Span}); v.Kind == resolve.Foreign &&
				v.Type.Scope == inLibrary {
				return v
			}
		}
		return instance(resolve.Type{Text: fact.Type, File: f, Scope: fact.Owner}, resolve.TypedWritten)
	case fact.Kind == code.FactAlias:
		return evalText(top(w, f), fact.Type)
	case fact.Kind != code.FactAssign || fact.Type == "?":
		return resolve.Value{}
	case fact.Type == "{}":
		return instance(resolve.Type{Text: objectText + path, File: f, Scope: fact.Owner}, resolve.TypedValue)
	}
	return evalAt(w, f, fact.Owner, fact)
}

// nameValue returns the value of a name that lookup resolved.
func nameValue(s resolve.Scope, n name, name string) resolve.Value {
	switch {
	case n.symbol.Valid() && n.symbol.Symbol().Kind.Callable() && n.assigned:
		return resolve.Value{}
	case n.symbol.Valid():
		return refValue(s.W, n.symbol)
	case n.imp != nil:
		return importValue(s.W, s.File, n.imp)
	case n.fact == nil:
		return resolve.Value{}
	}
	if n.fact.Kind == code.FactAssign && (n.fact.Type == "?" || n.fact.Type == "undefined") {
		return laterValue(s, name)
	}
	return factValue(s.W, s.File, n.fact, name)
}

// laterValue returns the value of a name that is declared without one and assigned once.
func laterValue(s resolve.Scope, name string) resolve.Value {
	if later := assigned(s.File)[name]; len(later) == 1 {
		return factValue(s.W, s.File, later[0], name)
	}
	return resolve.Value{}
}

// refValue returns the value of a name that refers to symbol r.
func refValue(w *resolve.World, r resolve.Ref) resolve.Value {
	if !r.Valid() {
		return resolve.Value{}
	}
	switch s := r.Symbol(); s.Kind {
	case code.KindClass, code.KindEnum:
		return resolve.Value{Kind: resolve.Class, Ref: r}
	case code.KindNamespace, code.KindModule:
		return resolve.Value{Kind: resolve.Module, Ref: r, Module: r.File.Path}
	case code.KindField, code.KindProperty:
		return field(w, r, nil)
	case code.KindConstant, code.KindVariable:
		return variable(w, r)
	default:
		if s.Kind.Callable() {
			return resolve.Value{Kind: resolve.Function, Ref: r}
		}
	}
	return resolve.Value{}
}

// variable returns the value of a variable at the top of a file or namespace.
func variable(w *resolve.World, r resolve.Ref) resolve.Value {
	s := r.Symbol()
	var assigned *code.Fact
	for _, fact := range r.File.FactsOf(s.Parent) {
		if fact.Name != s.Name {
			continue
		}
		if fact.Kind == code.FactVar {
			return factValue(w, r.File, fact, s.Name)
		}
		if fact.Kind == code.FactAssign && assigned == nil {
			assigned = fact
		}
	}
	switch {
	case assigned == nil:
		return resolve.Value{}
	case assigned.Type == "{}":
		return instance(resolve.Type{Text: objectText, File: r.File, Scope: r.Index}, resolve.TypedValue)
	case assigned.Type == "?" || assigned.Type == "undefined":
		return laterValue(resolve.Scope{W: w, File: r.File, At: s.Parent}, s.Name)
	}
	return factValue(w, r.File, assigned, s.Name)
}

func (eval) Name(s resolve.Scope, e *expr.Expr) resolve.Value {
	switch e.Name {
	case "this":
		return this(s)
	case "super":
		return super(s)
	case "undefined", "null", "_":
		return resolve.Value{}
	case "true", "false":
		return instance(builtinType(s.File, "boolean"), resolve.TypedValue)
	}
	if v, ok := s.Local.Lookup(e.Name); ok {
		return v
	}
	n, ok := lookup(s, e.Name)
	if !ok {
		if v, found := autoImported(s.W, s.File, e.Name); found {
			return v
		}
		if e.Name == "exports" && isCommonJS(s.File) {
			return moduleValue(s.File)
		}
		if strings.HasPrefix(e.Name, "#") || declaredGlobally(s.W, e.Name) {
			return resolve.Value{}
		}
		return globalValue(s, e.Name)
	}
	return narrowed(s, e.Name, nameValue(s, n, e.Name))
}

// isCommonJS reports whether exports is the object that a file exports: a script that exports anything, or a
// TypeScript source that is compiled to one.
func isCommonJS(f *resolve.File) bool { return len(f.Exports) > 0 && !isESM(f) }

// declaredGlobally reports whether a file of the workspace may declare a name for all files: in a
// script without imports and exports, or in declare global. Interfaces that extend a library type
// do not count; see globalTypes.
func declaredGlobally(w *resolve.World, name string) bool {
	type key struct{ name string }
	return resolve.Derive(w, key{name}, func() bool {
		rows, all := w.Named(name)
		for _, row := range rows {
			if w.Family(row.Language) != familyName || row.Name != name {
				continue
			}
			f := w.ByID(row.FileID)
			if f == nil || row.Kind == code.KindMethod || row.Kind == code.KindProperty ||
				row.Kind == code.KindField || row.Kind == code.KindInterface ||
				isLocal(f, f.Ref(row.Index)) {
				continue
			}
			if row.Parent < 0 && !isModule(f) || strings.HasPrefix(row.QualifiedName, "global.") {
				return true
			}
		}
		return !all
	})
}

// isLocal reports whether a symbol without a parent is declared in a block, such as a in
// { const a = 1 }, so that only the block sees it.
func isLocal(f *resolve.File, r resolve.Ref) bool {
	for _, fact := range locals(f)[r.Symbol().Name] {
		if fact.Span.StartByte == r.Symbol().NameSpan.StartByte {
			return true
		}
	}
	return false
}

// this returns the value of "this" at s.
func this(s resolve.Scope) resolve.Value {
	for at := s.At; at >= 0; at = s.File.Symbols[at].Parent {
		if own := ownThis(s, at); own != nil && own.Type != "this" {
			return factValue(s.W, s.File, own, "this")
		} else if p := s.File.Symbols[at].Parent; own != nil && (p < 0 || s.File.Symbols[p].Kind != code.KindClass) {
			continue // in an arrow function, "this" is that of the code around it
		}
		switch sym := &s.File.Symbols[at]; sym.Kind {
		case code.KindMethod, code.KindConstructor, code.KindProperty, code.KindField, code.KindClass:
			return thisOf(s, at)
		case code.KindFunction:
			if sym.Parent < 0 {
				return instance(resolve.Type{Text: objectText, File: s.File, Scope: at}, "")
			}
		}
	}
	return resolve.Value{}
}

// ownThis returns the fact that binds "this" for the innermost function around s that has a "this"
// of its own, if that function is in the symbol with index at; nil otherwise.
func ownThis(s resolve.Scope, at int) (hit *code.Fact) {
	for _, fact := range locals(s.File)["this"] {
		if fact.Owner != at || s.Pos < fact.Scope[0] || s.Pos >= fact.Scope[1] {
			continue
		}
		if hit == nil || fact.Scope[1]-fact.Scope[0] < hit.Scope[1]-hit.Scope[0] {
			hit = fact
		}
	}
	return hit
}

// thisOf returns the value of "this" in the symbol with index at: a class, or a member of a class
// or of an object.
func thisOf(s resolve.Scope, at int) resolve.Value {
	f := s.File
	sym := &f.Symbols[at]
	if sym.Kind == code.KindClass {
		return instance(refType(f.Ref(at), nil), "")
	}
	if p := sym.Parent; p >= 0 && f.Symbols[p].Kind == code.KindClass {
		for _, m := range sym.Modifiers {
			if m == "static" {
				return resolve.Value{Kind: resolve.Class, Ref: f.Ref(p)}
			}
		}
		return instance(refType(f.Ref(p), nil), "")
	}
	around := strings.TrimSuffix(sym.QualifiedName, "."+sym.Name)
	if around == sym.QualifiedName {
		return resolve.Value{}
	}
	if sym.Parent < 0 {
		return namedObject(f, around)
	}
	path := strings.TrimPrefix(strings.TrimPrefix(around, f.Symbols[sym.Parent].QualifiedName), ".")
	if path == "" && f.Symbols[sym.Parent].Kind.Callable() {
		path = "return"
	}
	return instance(resolve.Type{Text: objectText + path, File: f, Scope: sym.Parent}, "")
}

// namedObject returns the object that a top-level name of a file refers to, if its members are
// assigned one by one: Cart for Cart.prototype.add = function () {…}.
func namedObject(f *resolve.File, name string) resolve.Value {
	for _, i := range f.Qualified(name) {
		switch s := &f.Symbols[i]; {
		case s.Kind == code.KindClass:
			return instance(refType(f.Ref(i), nil), "")
		case s.Kind.Callable() || s.Kind == code.KindConstant || s.Kind == code.KindVariable:
			return instance(resolve.Type{Text: objectText, File: f, Scope: i}, "")
		}
	}
	return instance(resolve.Type{Text: objectText + name, File: f, Scope: -1}, "")
}

// super returns the base of the class around s.
func super(s resolve.Scope) resolve.Value {
	this := this(s)
	class, static := this.Ref, this.Kind == resolve.Class
	if this.Kind == resolve.Instance && this.Type.Text == refText {
		class = resolve.Ref{File: this.Type.File, Index: this.Type.Scope}
	}
	if !class.Valid() {
		return resolve.Value{}
	}
	for _, fact := range class.Facts() {
		if fact.Kind != code.FactBase {
			continue
		}
		switch shape := tsBase(s.W, resolve.Type{Text: fact.Type, File: class.File, Scope: class.Index}, class); {
		case shape.form == foreign:
			return resolve.Value{Kind: resolve.Foreign, Module: shape.name,
				Origin: min(originOf(s.W, shape), resolve.Holder)}
		case shape.form == builtin:
			return resolve.Value{Kind: resolve.Foreign, Module: "builtin",
				Type: builtinType(class.File, shape.name, shape.args...)}
		case shape.form == object:
			return instance(shape.typ, resolve.TypedWritten)
		case shape.form != declared:
		case static:
			return resolve.Value{Kind: resolve.Class, Ref: shape.ref}
		default:
			return instance(refType(shape.ref, shape.bind), resolve.TypedWritten)
		}
	}
	return resolve.Value{}
}

// Member evaluates x.name, narrowed by the tests around it: if (a.b) { a.b.c() }. module.exports is the
// module of the file.
func (eval) Member(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if s.Local != nil {
		if path := chain(e); path != "" {
			if v, ok := s.Local.Lookup(path); ok {
				return v
			}
		}
	}
	if e.Name == "exports" && x.Kind == resolve.Foreign && chain(e) == "module.exports" && isCommonJS(s.File) {
		return moduleValue(s.File)
	}
	v := member(s, x, e.Name)
	if narrowedLast(s.File)[e.Name] {
		if path := chain(e); path != "" {
			return narrowed(s, path, v)
		}
	}
	return v
}

// Index evaluates x["name"] as x.name, x[0] as the first element of a tuple, and x[i] as any
// element.
func (eval) Index(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if len(e.Args) != 1 {
		return resolve.Value{}
	}
	text := e.Args[0].Text
	if key := strings.Trim(text, "\"'`"); key != text && key != "" {
		return member(s, x, key)
	}
	t, ok := typeOf(x)
	if x.Kind == resolve.Foreign && !ok {
		x.Origin = x.Origin.Given()
		return x
	}
	if !ok {
		return resolve.Value{}
	}
	if i, err := strconv.Atoi(text); err == nil {
		if at := tuplePlace(s.W, t, i); at.Kind != resolve.Unknown {
			return at
		}
	}
	at := indexed(s.W, t)
	if at.Text == "" {
		at = tsElement(s.W, t)
	}
	return instance(at, resolve.TypedElement).Via(x.How)
}

// Construct evaluates new C<T>(…), of a class, a constructor function or a library's class.
func (eval) Construct(s resolve.Scope, e *expr.Expr) resolve.Value {
	callee := expr.Parse(e.Type, dialect)
	v := whole(s.W, resolve.Eval(eval{}, s, callee))
	switch v.Kind {
	case resolve.Class:
		var args []resolve.Type
		if callee.Op == expr.OpGeneric {
			args = withAll(here(s), callee.TypeArgs)
		}
		return instance(refType(v.Ref, resolve.Bind(parameters(v.Ref), args, nil)), resolve.TypedValue)
	case resolve.Function: // a function that is called with new
		return instance(resolve.Type{Text: objectText, File: v.Ref.File, Scope: v.Ref.Index}, resolve.TypedValue)
	case resolve.Foreign:
		args := withAll(here(s), typeArgs(callee))
		if v.Type.Scope == inLibrary && v.Type.Text != "" {
			return constructed(s, v.Type, e, args)
		}
		if name, ok := strings.CutPrefix(v.Type.Text, "#global "); ok {
			return instance(builtinType(s.File, name, args...), resolve.TypedValue)
		}
		if v.Origin == resolve.Outside && carriesAny(s, e.Args, typeArgs(callee)) {
			v.Origin = resolve.Holder
		}
		return v
	}
	return resolve.Value{}
}

func typeArgs(callee *expr.Expr) []string {
	if callee.Op == expr.OpGeneric {
		return callee.TypeArgs
	}
	return nil
}

// here returns an empty Type with the file and the scope of s, for types that are written there.
func here(s resolve.Scope) resolve.Type { return resolve.Type{File: s.File, Scope: s.At} }

func (eval) Cast(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if e.Type == "const" || e.Type == "" {
		return x
	}
	return instance(here(s).With(e.Type), resolve.TypedWritten)
}

func (eval) Unary(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	switch e.Name {
	case "await":
		return awaited(s.W, x)
	case "!", "delete":
		return instance(builtinType(s.File, "boolean"), resolve.TypedValue)
	case "typeof":
		return instance(builtinType(s.File, "string"), resolve.TypedValue)
	case "-", "+", "~", "++", "--":
		return instance(builtinType(s.File, "number"), resolve.TypedValue)
	case "?", "yield", "void":
		return resolve.Value{}
	}
	return x
}

// awaited evaluates await x.
func awaited(w *resolve.World, x resolve.Value) resolve.Value {
	if x.Kind == resolve.Foreign {
		x.Origin = x.Origin.Given()
	}
	if x.Kind != resolve.Instance {
		return x
	}
	switch shape := readType(w, x.Type); {
	case shape.form == builtin && (shape.name == "Promise" || shape.name == "PromiseLike"):
		if len(shape.args) == 1 && shape.args[0].Text != "unknown" {
			return instance(shape.args[0], x.How)
		}
		return resolve.Value{}
	case shape.form == union: // a union with a promise: T | Promise<T>
		var parts []resolve.Value
		for _, part := range shape.args {
			parts = append(parts, awaited(w, instance(part, x.How)))
		}
		return anyOf(w, x.Type.File, parts)
	}
	return x
}

func (eval) Marked(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if e.Marker() != code.MarkEach {
		return resolve.Value{}
	}
	return each(s, x)
}

// each returns an element of an iterated value.
func each(s resolve.Scope, x resolve.Value) resolve.Value {
	if t, ok := typeOf(x); ok {
		return instance(tsElement(s.W, t), resolve.TypedElement).Via(x.How)
	}
	if x.Kind == resolve.Foreign {
		x.Origin = x.Origin.Given()
		return x
	}
	return resolve.Value{}
}
