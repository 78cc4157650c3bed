package typescript

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

var tsDialect = resolve.Dialect{Generics: true, Script: true}

// tsEval reads expressions of TypeScript and JavaScript.
type tsEval struct{}

func tsEvalText(s resolve.Scope, text string) resolve.Value {
	return resolve.Eval(tsEval{}, s, resolve.ParseExpr(text, tsDialect))
}

type tsFactKey struct {
	file  int64
	at    int
	start int
	text  string
}

// tsEvalAt is the value of the expression that a fact holds, in symbol at.
func tsEvalAt(w *resolve.World, f *resolve.File, at int, fact *code.Fact) resolve.Value {
	return resolve.Derive(w, tsFactKey{f.ID, at, fact.Span.StartByte, fact.Type}, func() resolve.Value {
		return tsEvalText(resolve.Scope{W: w, File: f, At: at, Pos: fact.Span.StartByte}, fact.Type)
	})
}

// tsFactValue is what a fact says of a name; path is where the keys of an
// object literal are found among the facts of its owner.
func tsFactValue(w *resolve.World, f *resolve.File, fact *code.Fact, path string) resolve.Value {
	switch {
	case fact.Kind == code.FactVar || fact.Kind == code.FactParam || fact.Kind == code.FactField:
		return tsInstance(resolve.Type{Text: fact.Type, File: f, Scope: fact.Owner}, resolve.TypedWritten)
	case fact.Kind == code.FactAlias:
		return tsEvalText(tsTop(w, f), fact.Type)
	case fact.Kind != code.FactAssign || fact.Type == "?":
		return resolve.Value{}
	case fact.Type == "{}":
		return tsInstance(resolve.Type{Text: tsObjectText + path, File: f, Scope: fact.Owner}, resolve.TypedValue)
	}
	return tsEvalAt(w, f, fact.Owner, fact)
}

// tsNameValue is what a name stands for that tsLookup found.
func tsNameValue(s resolve.Scope, n tsName, name string) resolve.Value {
	switch {
	case n.symbol.Valid() && n.symbol.Symbol().Kind.Callable() && n.assigned:
		return resolve.Value{}
	case n.symbol.Valid():
		return tsRefValue(s.W, n.symbol)
	case n.imp != nil:
		return tsImportValue(s.W, s.File, n.imp)
	case n.fact == nil:
		return resolve.Value{}
	}
	if n.fact.Kind == code.FactAssign && (n.fact.Type == "?" || n.fact.Type == "undefined") {
		return tsLaterValue(s, name)
	}
	return tsFactValue(s.W, s.File, n.fact, name)
}

// tsLaterValue is what the one assignment of a name gives it that is declared
// without a value.
func tsLaterValue(s resolve.Scope, name string) resolve.Value {
	if later := tsAssigned(s.File)[name]; len(later) == 1 {
		return tsFactValue(s.W, s.File, later[0], name)
	}
	return resolve.Value{}
}

// tsRefValue is what a symbol stands for.
func tsRefValue(w *resolve.World, r resolve.Ref) resolve.Value {
	if !r.Valid() {
		return resolve.Value{}
	}
	switch s := r.Symbol(); s.Kind {
	case code.KindClass, code.KindEnum:
		return resolve.Value{Kind: resolve.Class, Ref: r}
	case code.KindNamespace, code.KindModule:
		return resolve.Value{Kind: resolve.Module, Ref: r, Module: r.File.Path}
	case code.KindField, code.KindProperty:
		return tsField(w, r, nil)
	case code.KindConstant, code.KindVariable:
		return tsVariable(w, r)
	default:
		if s.Kind.Callable() {
			return resolve.Value{Kind: resolve.Function, Ref: r}
		}
	}
	return resolve.Value{}
}

// tsVariable is the value of a variable at the top of a file or namespace.
func tsVariable(w *resolve.World, r resolve.Ref) resolve.Value {
	s := r.Symbol()
	var assigned *code.Fact
	for _, fact := range r.File.FactsOf(s.Parent) {
		if fact.Name != s.Name {
			continue
		}
		if fact.Kind == code.FactVar {
			return tsFactValue(w, r.File, fact, s.Name)
		}
		if fact.Kind == code.FactAssign && assigned == nil {
			assigned = fact
		}
	}
	switch {
	case assigned == nil:
		return resolve.Value{}
	case assigned.Type == "{}":
		return tsInstance(resolve.Type{Text: tsObjectText, File: r.File, Scope: r.Index}, resolve.TypedValue)
	case assigned.Type == "?" || assigned.Type == "undefined":
		return tsLaterValue(resolve.Scope{W: w, File: r.File, At: s.Parent}, s.Name)
	}
	return tsFactValue(w, r.File, assigned, s.Name)
}

func (tsEval) Name(s resolve.Scope, e *resolve.Expr) resolve.Value {
	switch e.Name {
	case "this":
		return tsThis(s)
	case "super":
		return tsSuper(s)
	case "undefined", "null", "_":
		return resolve.Value{}
	}
	n, ok := tsLookup(s, e.Name)
	if !ok {
		if strings.HasPrefix(e.Name, "#") || tsDeclaredGlobally(s.W, e.Name) {
			return resolve.Value{}
		}
		return resolve.Value{Kind: resolve.Foreign, Module: "builtin", Type: resolve.Type{Text: "#global " + e.Name, File: s.File, Scope: -1}}
	}
	return tsNameValue(s, n, e.Name)
}

// tsDeclaredGlobally reports whether a file of the root may declare a name for
// all others: a script without imports and exports, or declare global.
func tsDeclaredGlobally(w *resolve.World, name string) bool {
	type key struct{ name string }
	return resolve.Derive(w, key{name}, func() bool {
		rows, all := w.Named(name)
		for _, row := range rows {
			if resolve.Family(row.Language) != "typescript" || row.Symbol.Name != name {
				continue
			}
			f := w.ByID(row.FileID)
			if f == nil || row.Symbol.Kind == code.KindMethod || row.Symbol.Kind == code.KindProperty || row.Symbol.Kind == code.KindField {
				continue
			}
			if row.Symbol.Parent < 0 && !tsIsModule(f) || strings.HasPrefix(row.Symbol.QualifiedName, "global.") {
				return true
			}
		}
		return !all
	})
}

// tsThis is the object whose member encloses s.
func tsThis(s resolve.Scope) resolve.Value {
	for at := s.At; at >= 0; at = s.File.Symbols[at].Parent {
		if own := tsOwnThis(s, at); own != nil && own.Type != "this" {
			return tsFactValue(s.W, s.File, own, "this")
		} else if p := s.File.Symbols[at].Parent; own != nil && (p < 0 || s.File.Symbols[p].Kind != code.KindClass) {
			continue // an arrow function, which has what is around it
		}
		switch sym := &s.File.Symbols[at]; sym.Kind {
		case code.KindMethod, code.KindConstructor, code.KindProperty, code.KindField, code.KindClass:
			return tsThisOf(s, at)
		case code.KindFunction:
			if sym.Parent < 0 {
				return tsInstance(resolve.Type{Text: tsObjectText, File: s.File, Scope: at}, "")
			}
		}
	}
	return resolve.Value{}
}

// tsOwnThis is what symbol at says of "this" at s: of the innermost function in
// it that has its own, or that has none.
func tsOwnThis(s resolve.Scope, at int) (hit *code.Fact) {
	for _, fact := range tsLocals(s.File)["this"] {
		if fact.Owner != at || s.Pos < fact.Scope[0] || s.Pos >= fact.Scope[1] {
			continue
		}
		if hit == nil || fact.Scope[1]-fact.Scope[0] < hit.Scope[1]-hit.Scope[0] {
			hit = fact
		}
	}
	return hit
}

// tsThisOf is what "this" is in member at of a class or an object.
func tsThisOf(s resolve.Scope, at int) resolve.Value {
	f := s.File
	sym := &f.Symbols[at]
	if sym.Kind == code.KindClass {
		return tsInstance(tsRefType(f.Ref(at), nil), "")
	}
	if p := sym.Parent; p >= 0 && f.Symbols[p].Kind == code.KindClass {
		for _, m := range sym.Modifiers {
			if m == "static" {
				return resolve.Value{Kind: resolve.Class, Ref: f.Ref(p)}
			}
		}
		return tsInstance(tsRefType(f.Ref(p), nil), "")
	}
	around := strings.TrimSuffix(sym.QualifiedName, "."+sym.Name)
	if around == sym.QualifiedName {
		return resolve.Value{}
	}
	if sym.Parent < 0 {
		return tsNamedObject(f, around)
	}
	path := strings.TrimPrefix(strings.TrimPrefix(around, f.Symbols[sym.Parent].QualifiedName), ".")
	if path == "" && f.Symbols[sym.Parent].Kind.Callable() {
		path = "return"
	}
	return tsInstance(resolve.Type{Text: tsObjectText + path, File: f, Scope: sym.Parent}, "")
}

// tsNamedObject is the object that a name at the top of a file stands for,
// whose members are assigned one by one.
func tsNamedObject(f *resolve.File, name string) resolve.Value {
	for _, i := range f.Qualified(name) {
		switch s := &f.Symbols[i]; {
		case s.Kind == code.KindClass:
			return tsInstance(tsRefType(f.Ref(i), nil), "")
		case s.Kind.Callable() || s.Kind == code.KindConstant || s.Kind == code.KindVariable:
			return tsInstance(resolve.Type{Text: tsObjectText, File: f, Scope: i}, "")
		}
	}
	return tsInstance(resolve.Type{Text: tsObjectText + name, File: f, Scope: -1}, "")
}

// tsSuper is the base of the class around s.
func tsSuper(s resolve.Scope) resolve.Value {
	this := tsThis(s)
	class, static := this.Ref, this.Kind == resolve.Class
	if this.Kind == resolve.Instance && this.Type.Text == tsRefText {
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
		case shape.form == tsForeign:
			return resolve.Value{Kind: resolve.Foreign, Module: shape.name, Origin: min(tsOriginOf(s.W, shape), resolve.Holder)}
		case shape.form == tsObject:
			return tsInstance(shape.typ, resolve.TypedWritten)
		case shape.form != tsDeclared:
		case static:
			return resolve.Value{Kind: resolve.Class, Ref: shape.ref}
		default:
			return tsInstance(tsRefType(shape.ref, shape.bind), resolve.TypedWritten)
		}
	}
	return resolve.Value{}
}

func (tsEval) Member(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	return tsMember(s, x, e.Name)
}

func (tsEval) Index(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	if len(e.Args) != 1 {
		return resolve.Value{}
	}
	text := e.Args[0].Text
	if key := strings.Trim(text, "\"'`"); key != text && key != "" {
		return tsMember(s, x, key)
	}
	t, ok := tsTypeOf(x)
	if x.Kind == resolve.Foreign {
		x.Origin = x.Origin.Given()
		return x
	}
	if !ok {
		return resolve.Value{}
	}
	if i, err := strconv.Atoi(text); err == nil {
		if shape := tsReadType(s.W, t); shape.form == tsBuiltin && shape.name == "#tuple" && i < len(shape.args) {
			return tsInstance(shape.args[i], resolve.TypedElement)
		}
	}
	return tsInstance(tsElement(s.W, t), resolve.TypedElement).Via(x.How)
}

func (tsEval) Construct(s resolve.Scope, e *resolve.Expr) resolve.Value {
	callee := resolve.ParseExpr(e.Type, tsDialect)
	v := tsWhole(s.W, resolve.Eval(tsEval{}, s, callee))
	switch v.Kind {
	case resolve.Class:
		var args []resolve.Type
		if callee.Op == resolve.OpGeneric {
			args = tsWithAll(tsHere(s), callee.TypeArgs)
		}
		return tsInstance(tsRefType(v.Ref, resolve.Bind(tsParameters(v.Ref), args, nil)), resolve.TypedValue)
	case resolve.Function: // a constructor function
		return tsInstance(resolve.Type{Text: tsObjectText, File: v.Ref.File, Scope: v.Ref.Index}, resolve.TypedValue)
	case resolve.Foreign:
		if name, ok := strings.CutPrefix(v.Type.Text, "#global "); ok {
			var args []resolve.Type
			if callee.Op == resolve.OpGeneric {
				args = tsWithAll(tsHere(s), callee.TypeArgs)
			}
			return tsInstance(tsBuiltinType(s.File, name, args...), resolve.TypedValue)
		}
		if v.Origin == resolve.Outside && tsCarriesAny(s, e.Args, tsTypeArgs(callee)) {
			v.Origin = resolve.Holder
		}
		return v
	}
	return resolve.Value{}
}

func tsTypeArgs(callee *resolve.Expr) []string {
	if callee.Op == resolve.OpGeneric {
		return callee.TypeArgs
	}
	return nil
}

// tsHere is the context of types written at s.
func tsHere(s resolve.Scope) resolve.Type { return resolve.Type{File: s.File, Scope: s.At} }

func (tsEval) Cast(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	if e.Type == "const" || e.Type == "" {
		return x
	}
	return tsInstance(tsHere(s).With(e.Type), resolve.TypedWritten)
}

func (tsEval) Unary(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	switch e.Name {
	case "await":
		return tsAwaited(s.W, x)
	case "!", "typeof", "-", "+", "~", "delete", "void":
		return tsInstance(tsBuiltinType(s.File, "boolean"), resolve.TypedValue)
	case "?", "yield":
		return resolve.Value{}
	}
	return x
}

// tsAwaited is what await gives of a value.
func tsAwaited(w *resolve.World, x resolve.Value) resolve.Value {
	if x.Kind == resolve.Foreign {
		x.Origin = x.Origin.Given()
	}
	if x.Kind != resolve.Instance {
		return x
	}
	switch shape := tsReadType(w, x.Type); {
	case shape.form == tsBuiltin && (shape.name == "Promise" || shape.name == "PromiseLike"):
		if len(shape.args) == 1 {
			return tsInstance(shape.args[0], x.How)
		}
		return resolve.Value{}
	case shape.form == tsUnion && len(shape.args) == 2: // T | Promise<T>
		a, b := tsReadType(w, shape.args[0]), tsReadType(w, shape.args[1])
		if b.form == tsBuiltin && b.name == "Promise" && len(b.args) == 1 {
			return tsInstance(b.args[0], x.How)
		}
		if a.form == tsBuiltin && a.name == "Promise" && len(a.args) == 1 {
			return tsInstance(a.args[0], x.How)
		}
		return resolve.Value{}
	}
	return x
}

func (tsEval) Literal(s resolve.Scope, e *resolve.Expr) resolve.Value {
	switch e.Name {
	case "string", "number":
		return tsInstance(tsBuiltinType(s.File, e.Name), resolve.TypedValue)
	case "list":
		return tsListValue(s, e)
	}
	return resolve.Value{}
}

// tsListValue is an array literal: of one element type, where its elements
// agree, and of each as a tuple.
func tsListValue(s resolve.Scope, e *resolve.Expr) resolve.Value {
	var types []resolve.Type
	for _, a := range e.Args {
		v := resolve.Value{}
		if a.Op != resolve.OpUnary || a.Name != "..." {
			v = resolve.Eval(tsEval{}, s, a)
		}
		t, ok := tsTypeOf(v)
		if !ok {
			t = resolve.Type{Text: "unknown", File: s.File, Scope: -1}
		}
		types = append(types, t)
	}
	if len(types) == 0 || len(types) > 9 {
		return tsInstance(tsBuiltinType(s.File, "Array"), resolve.TypedValue)
	}
	return tsInstance(tsBuiltinType(s.File, "#tuple", types...), resolve.TypedValue)
}

func (tsEval) Binary(s resolve.Scope, e *resolve.Expr) resolve.Value {
	h := tsEval{}
	switch e.Name {
	case "||", "??":
		a, b := resolve.Eval(h, s, e.Args[0]), resolve.Eval(h, s, e.Args[1])
		switch {
		case a.Kind == resolve.Unknown || tsAlike(s.W, a, b):
			return b
		case b.Kind == resolve.Unknown:
			return a
		}
		return tsEither(s, a, b)
	case "&&":
		return resolve.Eval(h, s, e.Args[1])
	case "?:":
		a, b := resolve.Eval(h, s, e.Args[1]), resolve.Eval(h, s, e.Args[2])
		if c := e.Args[0]; c.Op == resolve.OpBinary && c.Name == "instanceof" && c.Args[0].String() == e.Args[1].String() && c.Args[0].String() != "" {
			if class := resolve.Eval(h, s, c.Args[1]); class.Kind == resolve.Class {
				a = tsInstance(tsRefType(class.Ref, nil), resolve.TypedValue)
			}
		}
		switch {
		case tsAlike(s.W, a, b) && a.Kind != resolve.Unknown:
			return a
		case tsIsNothing(e.Args[1]):
			return b
		case tsIsNothing(e.Args[2]) || tsSame(a, b):
			return a
		}
		return tsEither(s, a, b)
	case "instanceof", "in", "==", "===", "!=", "!==", "<", ">", "<=", ">=":
		return tsInstance(tsBuiltinType(s.File, "boolean"), resolve.TypedValue)
	}
	return tsInstance(tsBuiltinType(s.File, "number"), resolve.TypedValue)
}

// tsEither is a value of one of two types.
func tsEither(s resolve.Scope, a, b resolve.Value) resolve.Value {
	x, okA := tsTypeOf(a)
	y, okB := tsTypeOf(b)
	if !okA || !okB {
		return resolve.Value{}
	}
	t := resolve.Type{Text: "$0 | $1", File: s.File, Scope: -1}
	t.Bind = &resolve.Binding{Name: "$0", Type: x, Next: &resolve.Binding{Name: "$1", Type: y}}
	return tsInstance(t, resolve.Weaker(a.How, b.How))
}

func tsIsNothing(e *resolve.Expr) bool {
	return e.Op == resolve.OpName && (e.Name == "undefined" || e.Name == "null")
}

func (tsEval) Marked(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	if e.Name != "each" {
		return resolve.Value{}
	}
	return tsEach(s, x)
}

// tsEach is an element of what is iterated over.
func tsEach(s resolve.Scope, x resolve.Value) resolve.Value {
	if x.Kind == resolve.Foreign {
		x.Origin = x.Origin.Given()
		return x
	}
	if t, ok := tsTypeOf(x); ok {
		return tsInstance(tsElement(s.W, t), resolve.TypedElement).Via(x.How)
	}
	return resolve.Value{}
}
