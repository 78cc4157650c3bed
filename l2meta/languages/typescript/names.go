package typescript

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// name is the result of resolving a name: a local binding, a symbol, an import, or none of them for
// a global.
type name struct {
	fact   *code.Fact
	symbol resolve.Ref
	imp    *code.Import
	// assigned is set if a later assignment in the file gives the name another value.
	assigned bool
}

// locals maps each name to the facts that bind it in a part of the file only. They have a Scope,
// such as a block or a function.
func locals(f *resolve.File) map[string][]*code.Fact {
	type key struct{}
	return resolve.Memo(f, key{}, func() map[string][]*code.Fact {
		out := map[string][]*code.Fact{}
		for i := range f.AllFacts() {
			if fact := &f.AllFacts()[i]; fact.Scope[1] > 0 && fact.Kind != code.FactNarrow {
				out[fact.Name] = append(out[fact.Name], fact)
			}
		}
		return out
	})
}

// assigned maps each name to the facts of the assignments to it after its declaration.
func assigned(f *resolve.File) map[string][]*code.Fact {
	type key struct{}
	return resolve.Memo(f, key{}, func() map[string][]*code.Fact {
		out := map[string][]*code.Fact{}
		for i := range f.AllFacts() {
			fact := &f.AllFacts()[i]
			if name, ok := strings.CutSuffix(fact.Name, "="); ok && name != "" {
				out[name] = append(out[name], fact)
			}
		}
		return out
	})
}

// local returns the innermost binding of name that is in scope at pos, or nil.
func local(f *resolve.File, name string, pos int) (hit *code.Fact) {
	for _, fact := range locals(f)[name] {
		if pos < fact.Scope[0] || pos >= fact.Scope[1] {
			continue
		}
		if hit == nil || fact.Scope[1]-fact.Scope[0] < hit.Scope[1]-hit.Scope[0] {
			hit = fact
		}
	}
	return hit
}

// lookup resolves a name as a value; ok is false for a global.
func lookup(s resolve.Scope, name string) (n name, ok bool) {
	n.fact = local(s.File, name, s.Pos)
	for _, later := range assigned(s.File)[name] {
		n.assigned = n.assigned || local(s.File, name, later.Span.StartByte).Same(n.fact)
	}
	if n.fact != nil {
		n.symbol = declaredBy(s.File, n.fact)
		return n, true
	}
	for at := s.At; at >= 0; at = s.File.Symbols[at].Parent {
		if k := s.File.Symbols[at].Kind; k != code.KindNamespace && k != code.KindModule {
			continue
		}
		if n.symbol = valueNamed(s.File, membersOf(s.File, at), name); n.symbol.Valid() {
			return n, true
		}
	}
	if n.symbol = valueNamed(s.File, s.File.Children(-1), name); n.symbol.Valid() {
		return n, true
	}
	if n.imp = imported(s.File, s.At, name); n.imp != nil {
		return n, true
	}
	for _, fact := range s.File.FactsOf(-1) {
		if fact.Kind == code.FactAlias && fact.Name == name {
			n.fact = fact
			return n, true
		}
	}
	return n, false
}

// declaredBy returns the function or class that a binding declares: the symbol with its name at the
// same position. It returns the zero Ref for other bindings.
func declaredBy(f *resolve.File, fact *code.Fact) resolve.Ref {
	if fact.Type == "undefined" {
		return resolve.Ref{}
	}
	for _, i := range f.Named(fact.Name) {
		if s := &f.Symbols[i]; s.NameSpan.StartByte == fact.Span.StartByte &&
			(s.Kind.Callable() || s.Kind == code.KindClass) {
			return f.Ref(i)
		}
	}
	return resolve.Ref{}
}

// membersOf returns the symbols in a namespace, including those in declarations of the same file
// that TypeScript merges with it.
func membersOf(f *resolve.File, at int) (out []int) {
	for _, i := range f.Qualified(f.Symbols[at].QualifiedName) {
		if k := f.Symbols[i].Kind; k == code.KindNamespace || k == code.KindModule {
			out = append(out, f.Children(i)...)
		}
	}
	return out
}

// valueNamed returns the symbol called name that is a value. Of several it prefers the
// implementation of an overloaded function, and a class to declarations that are merged with it.
func valueNamed(f *resolve.File, symbols []int, name string) (hit resolve.Ref) {
	for _, i := range symbols {
		s := &f.Symbols[i]
		if s.Name != name || !isValue(s) {
			continue
		}
		if !hit.Valid() || better(s, hit.Symbol()) {
			hit = f.Ref(i)
		}
	}
	return hit
}

func better(a, b *code.Symbol) bool {
	rank := func(s *code.Symbol) int {
		switch {
		case s.Kind == code.KindClass:
			return 4
		case (s.Kind == code.KindVariable || s.Kind == code.KindConstant) && !isConst(s):
			return 3 // the variable may get a function later
		case s.Kind.Callable() && s.Body[1] > 0:
			return 2
		case s.Kind.Callable():
			return 1
		}
		return 0
	}
	return rank(a) > rank(b)
}

func isConst(s *code.Symbol) bool { return slices.Contains(s.Modifiers, "const") }

func isValue(s *code.Symbol) bool {
	switch s.Kind {
	case code.KindClass, code.KindEnum, code.KindConstant, code.KindVariable, code.KindNamespace:
		return true
	case code.KindMethod: // f.name = function … declares a member of f, not a name in scope
		return !strings.Contains(s.QualifiedName, ".") || s.Parent >= 0
	}
	return s.Kind.Callable() && s.Kind != code.KindTest
}

// imported returns the import that binds name in the scope of the symbol with index at; nil if
// there is none.
func imported(f *resolve.File, at int, name string) *code.Import {
	for i := range f.Imports {
		imp := &f.Imports[i]
		if importName(imp) != name {
			continue
		}
		for around := at; ; around = f.Symbols[around].Parent {
			if around == imp.Scope {
				return imp
			}
			if around < 0 {
				break
			}
		}
	}
	return nil
}

func importName(i *code.Import) string {
	if i.Alias != "" {
		return i.Alias
	}
	return i.Name
}

// entity is an export of a module: a local name of File, all of File (Whole), or something outside
// of the workspace.
type entity struct {
	File    *resolve.File
	Local   string
	Name    string // name under which it is exported
	Whole   bool
	Foreign string
	found   bool
}

type exportKey struct {
	file int64
	name string
}

// export returns the entity that f exports as name, possibly through re-exports.
func export(w *resolve.World, f *resolve.File, name string) entity {
	return resolve.Derive(w, exportKey{f.ID, name}, func() entity { return findExport(w, f, name) })
}

// findExport returns the entity that f exports as name: by export { a as name }, export { name }
// from "./b", export * as name from "./b", or, as an export of ./b, by export * from "./b".
func findExport(w *resolve.World, f *resolve.File, name string) entity {
	var passed *code.Export
	stars := 0
	for i := range f.Exports {
		e := &f.Exports[i]
		if e.Name == "*" && e.Module != "" {
			stars++
			passed = e
		}
		if e.Name != name || name == "*" {
			continue
		}
		if e.Module == "" {
			return entity{File: f, Local: e.Local, Name: name, found: true}
		}
		m := tsResolve(w, f, e.Module)
		switch {
		case m.Foreign != "":
			return entity{Foreign: m.Foreign, found: true}
		case m.File == nil:
			return entity{}
		case e.Local == "*":
			return entity{File: m.File, Whole: true, found: true}
		}
		return export(w, m.File, e.Local)
	}
	if name == "default" { // module.exports = require("./x") re-exports the whole module
		if stars == 1 && len(f.Exports) == 1 {
			if m := tsResolve(w, f, passed.Module); m.File != nil {
				return export(w, m.File, name)
			}
		}
		return entity{}
	}
	return starred(w, f, name)
}

// starred looks up a name in the modules that f re-exports as a whole.
func starred(w *resolve.World, f *resolve.File, name string) (out entity) {
	for i := range f.Exports {
		e := &f.Exports[i]
		if e.Name != "*" || e.Module == "" {
			continue
		}
		m := tsResolve(w, f, e.Module)
		if m.Foreign != "" && !out.found {
			out = entity{Foreign: m.Foreign, found: true}
		}
		if m.File == nil {
			continue
		}
		hit := export(w, m.File, name)
		if !hit.found || hit.Foreign != "" {
			continue
		}
		if out.File != nil && (out.File != hit.File || out.Local != hit.Local) {
			return entity{} // an ambiguous name is not exported
		}
		out = hit
	}
	return out
}

// top returns the top-level scope of a file.
func top(w *resolve.World, f *resolve.File) resolve.Scope {
	return resolve.Scope{W: w, File: f, At: -1, Pos: -1}
}

// entityValue returns the value of an export: the class, function or variable, or the module. It is
// unknown if no such export was found.
func entityValue(w *resolve.World, e entity) resolve.Value {
	switch {
	case !e.found:
		return resolve.Value{}
	case e.Foreign != "":
		return resolve.Value{Kind: resolve.Foreign, Module: e.Foreign}
	case e.Whole:
		return moduleValue(e.File)
	}
	s := top(w, e.File)
	if e.Local != "" {
		if n, ok := lookup(s, e.Local); ok {
			if v := nameValue(s, n, e.Local); v.Kind != resolve.Unknown {
				return v
			}
		}
	}
	for _, fact := range e.File.FactsOf(-1) {
		if fact.Name == "exports."+e.Name && fact.Kind != code.FactNarrow {
			v := factValue(w, e.File, fact, e.Name)
			if inner := wrapped(s, fact); v.Kind == resolve.Unknown || v.Kind == resolve.Foreign && inner.Ref.Valid() {
				return inner
			}
			return v
		}
	}
	if e.Local != "" && strings.Contains(e.Local, ".") {
		return evalText(s, e.Local)
	}
	return resolve.Value{}
}

// wrapped returns the function of the file that fact passes to a wrapper: Row for export default observer(Row), save
// for export default traced({ name: "save" })(save). The result of a wrapper runs the function. It returns no
// value for other expressions, also for calls with further arguments, except for the comparison in React's
// memo(Row, same).
func wrapped(s resolve.Scope, fact *code.Fact) resolve.Value {
	if fact.Kind != code.FactAssign {
		return resolve.Value{}
	}
	e := expr.Parse(fact.Type, dialect)
	if e.Op != expr.OpCall || len(e.Args) == 0 || e.Args[0].Op != expr.OpName ||
		len(e.Args) > 1 && (len(e.Args) > 2 || e.X.Name != "memo") {
		return resolve.Value{}
	}
	n, ok := lookup(s, e.Args[0].Name)
	if !ok || !n.symbol.Valid() || n.assigned || !n.symbol.Symbol().Kind.Callable() {
		return resolve.Value{}
	}
	return refValue(s.W, n.symbol).Via(resolve.TypedResult)
}

func moduleValue(f *resolve.File) resolve.Value {
	return resolve.Value{Kind: resolve.Module, Ref: resolve.Ref{File: f, Index: -1}, Module: f.Path}
}

// importValue returns the value of an imported name. It returns no value if files import the name
// from each other in a cycle and none declares it.
func importValue(w *resolve.World, f *resolve.File, imp *code.Import) resolve.Value {
	type key struct {
		file         int64
		module, name string
	}
	return resolve.Derive(w, key{f.ID, imp.Module, imp.Name}, func() resolve.Value { return findImport(w, f, imp) })
}

// findImport evaluates the name that an import binds: import { a }, import a, import * as a.
// Without a default export, import a is the exports object of CommonJS.
func findImport(w *resolve.World, f *resolve.File, imp *code.Import) resolve.Value {
	m := tsResolve(w, f, imp.Module)
	switch {
	case m.Foreign != "":
		return resolve.Value{Kind: resolve.Foreign, Module: m.Foreign,
			Type: resolve.Type{Text: "#foreign " + imp.Name, File: f, Scope: -1}}
	case m.File == nil:
		return resolve.Value{}
	case imp.Name == "*" || imp.Name == "":
		return moduleValue(m.File)
	case imp.Name == "default":
		e := export(w, m.File, "default")
		if !e.found { // the value is the exports object of CommonJS
			return moduleValue(m.File)
		}
		// If export = N and the namespace N has a default export, the value is that export.
		if own := export(w, m.File, e.Local+".default"); own.found {
			e = own
		}
		return entityValue(w, e)
	}
	v := resolve.Value{}
	for i, step := range strings.Split(imp.Name, ".") {
		if i == 0 {
			v = moduleMember(w, m.File, step)
			continue
		}
		v = member(top(w, f), v, step)
	}
	return v
}

// moduleMember returns the value of a module's export called name, or a member of the object that a
// CommonJS module exports as a whole.
func moduleMember(w *resolve.World, f *resolve.File, name string) resolve.Value {
	if e := export(w, f, name); e.found {
		return entityValue(w, e)
	}
	if e := export(w, f, "default"); e.found && !isESM(f) {
		return member(top(w, f), entityValue(w, e), name)
	}
	return resolve.Value{}
}

// isESM reports whether a file exports by export statements alone. TypeScript sources do;
// JavaScript and declaration files may use CommonJS.
func isESM(f *resolve.File) bool {
	return !script(f.Path) && !declaration(f.Path)
}

// whole returns the value of a module that is used as a value itself: its default export, as in
// CommonJS. It returns any other value unchanged.
func whole(w *resolve.World, v resolve.Value) resolve.Value {
	if v.Kind != resolve.Module || v.Ref.Index >= 0 || v.Ref.File == nil {
		return v
	}
	if e := export(w, v.Ref.File, "default"); e.found && !e.Whole {
		return entityValue(w, e)
	}
	return v
}
