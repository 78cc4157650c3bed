package golang

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// This file records the names that may be functions or methods taken as values. The second column shows the receiver
// and the name that are recorded:
//
//	sort.Slice(rows, less)            less
//	server{handle: s.serve}           s     serve
//	s.handle = api.Serve              api   Serve
//	return (*server).serve            (*server) serve
//	var parse = convert[int]          convert
//	queue <- s.flush                  s     flush
//
// Only the workspace tells a function from a variable or a field that another file declares. Names that the file
// itself declares as something else are left out.

// taken is a name that is used as a value.
type taken struct {
	name, receiver syntax.Node
	caller         int
}

// take records x, if it is a name in a place where a function may be handed on.
func take(w *syntax.Walk, x syntax.Node) {
	generic := false
	for w.Is(x, "parenthesized_expression", "index_expression", "type_instantiation_expression") {
		generic = generic || !w.Is(x, "parenthesized_expression")
		if x = w.FirstNamed(x); x < 0 {
			return
		}
	}
	t := taken{receiver: syntax.None, caller: w.Encloser}
	switch w.Kind(x) {
	case "identifier":
		t.name = x
	case "selector_expression":
		t.name, t.receiver = w.Field(x, "field"), w.Field(x, "operand")
		if generic && !w.Is(t.receiver, "identifier") {
			return // an element of a field: methods have no type arguments
		}
	case "type_identifier": // the grammar takes the f of f[int, string] for a type
		t.name = x
	case "qualified_type":
		t.name, t.receiver = w.Field(x, "name"), w.Field(x, "package")
	}
	if t.name <= 0 || !generic && w.Is(x, "type_identifier", "qualified_type") {
		return // another expression, or a type
	}
	state := stateOf(w)
	state.taken = append(state.taken, t)
}

// takeAll records the names in a list of expressions.
func takeAll(w *syntax.Walk, list syntax.Node) {
	for x := range w.Named(list) {
		take(w, x)
	}
}

// takeElements records the names in the elements of a composite literal.
func takeElements(w *syntax.Walk, body syntax.Node) {
	for c := range w.Named(body) {
		switch {
		case w.Is(c, "keyed_element"):
			take(w, element(w, c, "value"))
		case w.Is(c, "literal_element"):
			take(w, w.FirstNamed(c))
		default:
			take(w, c)
		}
	}
	w.Children(body)
}

// takeArguments records the names in the arguments of a call of fn.
func takeArguments(w *syntax.Walk, fn, args syntax.Node) {
	first := 0
	if w.Is(fn, "identifier") {
		switch name := w.Str(fn); {
		case name == "append":
			first = 1
		case noFunctions[name] || predeclaredTypes[name] && name != "any":
			return // len(rows), string(text)
		}
	}
	i := 0
	for a := range w.Named(args) {
		if i >= first && !clientMethod(w, a) {
			take(w, a)
		}
		i++
	}
}

// noFunctions holds the predeclared functions whose arguments are no functions.
var noFunctions = map[string]bool{"cap": true, "clear": true, "close": true, "complex": true, "copy": true,
	"delete": true, "imag": true, "len": true, "make": true, "max": true, "min": true, "new": true, "real": true}

// takeReturned records the names that a return statement returns. A result whose written type is no function type, as
// in func (s *server) Name() string { return s.name }, takes none.
func takeReturned(w *syntax.Walk, n syntax.Node) {
	results := []code.Parameter(nil)
	around := w.Field(w.Within(n, "func_literal", "function_declaration", "method_declaration"), "result")
	if w.Is(around, "parameter_list") {
		results = goParameters(w, around)
	} else if around >= 0 {
		results = []code.Parameter{{Type: text(w, around)}}
	}
	i := 0
	for list := range w.Named(n) {
		for x := range w.Named(list) {
			if i >= len(results) || mayBeFunction(results[i].Type) {
				take(w, x)
			}
			i++
		}
	}
	w.Children(n)
}

// mayBeFunction reports whether a function can be a value of a type, by the type's text.
func mayBeFunction(typ string) bool {
	for _, other := range []string{"*", "[", "map[", "chan ", "<-chan ", "struct{"} {
		if strings.HasPrefix(typ, other) {
			return false
		}
	}
	return typ == "any" || !predeclaredTypes[typ]
}

func takeSent(w *syntax.Walk, n syntax.Node) {
	take(w, w.Field(n, "value"))
	w.Children(n)
}

// keepTaken records the names of take that may be functions. It drops local variables, names that the file declares
// as something else, and fields of a struct of the file: s.name in a method of the struct that declares name.
func keepTaken(w *syntax.Walk) {
	state := stateOf(w)
	if len(state.taken) == 0 {
		return
	}
	f := newScopes(w)
	for _, t := range state.taken {
		name := w.Str(t.name)
		if t.receiver < 0 {
			if !constants[name] && !f.isValue(name) && f.binder(name, w.Start(t.name)) == nil {
				w.Take(t.name, "", t.caller)
			}
			continue
		}
		receiver := ""
		if w.Is(t.receiver, "identifier", "package_identifier") {
			receiver = w.Str(t.receiver)
			if f.hasField(f.binder(receiver, w.Start(t.receiver)), name) {
				continue
			}
		} else {
			receiver = text(w, t.receiver)
		}
		if receiver != "" {
			w.Take(t.name, receiver, t.caller)
		}
	}
}

// constants holds the predeclared names of values, and the blank name.
var constants = map[string]bool{"nil": true, "true": true, "false": true, "iota": true, "_": true}

// scopes answers questions about the declarations of a file whose walk is over.
type scopes struct {
	locals map[string][]*code.Fact // facts about the variables of functions, by name
	top    map[string]bool         // names declared at package level → whether one of them is a function
	fields map[string]bool         // "T.name" for each field of a struct at package level
}

func newScopes(w *syntax.Walk) *scopes {
	f := &scopes{map[string][]*code.Fact{}, map[string]bool{}, map[string]bool{}}
	for i := range w.Out.Facts {
		switch x := &w.Out.Facts[i]; x.Kind {
		case code.FactParam, code.FactVar, code.FactAssign:
			if x.Scope[1] > x.Scope[0] {
				f.locals[x.Name] = append(f.locals[x.Name], x)
			}
		}
	}
	for i := range w.Out.Symbols {
		switch s := &w.Out.Symbols[i]; {
		case s.Parent < 0 && s.Kind != code.KindMethod:
			f.top[s.Name] = f.top[s.Name] || s.Kind.Callable()
		case s.Kind == code.KindField && w.Out.Symbols[s.Parent].Parent < 0:
			f.fields[s.QualifiedName] = true
		}
	}
	return f
}

// isValue reports whether the package level of the file declares a name, and not as a function.
func (f *scopes) isValue(name string) bool {
	callable, declared := f.top[name]
	return declared && !callable
}

// binder returns the innermost fact about the local variable that a name denotes at a byte offset; nil if there is
// none.
func (f *scopes) binder(name string, at int) (best *code.Fact) {
	for _, x := range f.locals[name] {
		if x.Scope[0] <= at && at < x.Scope[1] && (best == nil || x.Scope[0] >= best.Scope[0]) {
			best = x
		}
	}
	return best
}

// hasField reports whether the type of a variable is a struct of the file that declares the field name. A type that
// has the field has no method of that name.
func (f *scopes) hasField(variable *code.Fact, name string) bool {
	if variable == nil {
		return false
	}
	typ := variable.Type
	if variable.Kind == code.FactAssign { // x := &T{}
		value, composite := strings.CutSuffix(strings.TrimPrefix(typ, "&"), "{}")
		if !composite {
			return false
		}
		typ = value
	}
	typ = baseType(typ)
	_, shadowed := f.locals[typ]
	return !shadowed && f.fields[typ+"."+name]
}
