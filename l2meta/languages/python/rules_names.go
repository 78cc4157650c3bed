package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// assignment declares the names that an assignment binds at the top level, in a class or on the
// first parameter of a method, and records their types and values.
func assignment(w *syntax.Walk, n syntax.Node) {
	left, typ, right := w.Field(n, "left"), w.Field(n, "type"), w.Field(n, "right")
	value := pythonAssigned(w, n, right)
	if w.Encloser < 0 && w.Says(left, "__all__") {
		all(w, value)
	}
	lambda := right
	for w.Is(lambda, "parenthesized_expression") {
		lambda++ // skips "("
		lambda = syntax.Node(w.Nodes[lambda].Next)
	}
	if w.Is(left, "identifier") && w.Is(lambda, "lambda") {
		pythonLambda(w, n, left, lambda)
		return
	}
	first := targets(w, n, left, typ, value, "")
	w.Visit(left)
	if first >= 0 && w.Out.Symbols[first].Parent == w.Encloser && right == value {
		w.Inside(first, typ, right)
		return
	}
	w.Visit(typ)
	w.Visit(right)
}

// pythonAssigned returns the value of the assignment n. For a chain, a = b = value, that is the
// last part. right is the node to the right of the first "=".
func pythonAssigned(w *syntax.Walk, n, right syntax.Node) syntax.Node {
	p := fileOf(w)
	if p.chained != n { // n is not the inner assignment of a chain
		p.assigned = right
		for w.Is(p.assigned, "assignment") {
			p.assigned = w.Field(p.assigned, "right")
		}
	}
	p.chained = right
	return p.assigned
}

// targets declares the names on the left side of an assignment, and returns the first new symbol or
// -1. part is the marker of the element of the value that the target receives, "#0" for a in a, b =
// f(), or "" for the whole value.
func targets(w *syntax.Walk, n, target, typ, value syntax.Node, part string) int {
	switch w.Kind(target) {
	case "identifier", "attribute":
		return pythonTarget(w, n, target, typ, value, part)
	case "list_splat_pattern":
		bind(w, target+2, pythonOpaque) // the name after "*"
		return targets(w, n, target+2, syntax.None, syntax.None, "")
	case "pattern_list", "tuple_pattern", "list_pattern":
		first, i, values := -1, 0, elements(w, value, part)
		if p := fileOf(w); p.pattern == 0 {
			p.pattern = target
			defer func() { p.pattern = 0 }()
		}
		for t := range w.Named(target) {
			element, of := value, code.PartMarker(i).After(part)
			if i < len(values) {
				element, of = values[i], ""
			}
			if s := targets(w, n, t, syntax.None, element, of); first < 0 {
				first = s
			}
			i++
		}
		return first
	}
	return -1
}

// elements returns the nodes x and y of a, b = x, y. It returns nil if the value is not written as a
// tuple or list, or if a splat, *xs, hides the positions of its elements.
func elements(w *syntax.Walk, value syntax.Node, part string) (out []syntax.Node) {
	if part != "" || !w.Is(value, "expression_list", "tuple", "list") {
		return nil
	}
	for e := range w.Named(value) {
		if w.Is(e, "list_splat") {
			return nil
		}
		out = append(out, e)
	}
	return out
}

// pythonTarget declares one target of an assignment, if the assignment is the first that binds
// the name. It returns the new symbol or -1.
func pythonTarget(w *syntax.Walk, n, target, typ, value syntax.Node, part string) int {
	kind, owner, name := code.KindVariable, w.Encloser, w.Str(target)
	if part == "" && (w.Is(target, "attribute") || inClass(w)) {
		giveAttribute(w, target, value)
	}
	switch {
	case w.Is(target, "identifier") && w.Encloser < 0 && isAlias(w.Str(typ)):
		return alias(w, n, target, value)
	case w.Is(target, "attribute"):
		class, ok := self(w, target)
		if !ok {
			if w.Is(w.Field(target, "object"), "identifier") {
				says(w, code.FactVar, owner, name, syntax.None, value, part, target)
			}
			return -1
		}
		says(w, code.FactField, class, w.Str(w.Field(target, "attribute")), typ, syntax.None, "", target)
		says(w, code.FactVar, w.Encloser, name, syntax.None, value, part, target)
		return field(w, n, target, typ, class)
	case w.Encloser >= 0 && !inClass(w):
		says(w, code.FactVar, owner, name, typ, value, part, target)
		return -1
	case inClass(w):
		kind = code.KindField
		says(w, code.FactField, owner, name, typ, value, part, target)
		inEnum := w.Out.Symbols[owner].Kind == code.KindEnum && value >= 0 && !strings.HasPrefix(name, "_")
		if inEnum || allCaps(name) {
			kind = code.KindConstant
		}
	default:
		says(w, code.FactVar, owner, name, typ, value, part, target)
		if allCaps(name) {
			kind = code.KindConstant
		}
	}
	if !pythonFirst(w, owner, name) {
		return -1
	}
	return w.Declare(syntax.Decl{Kind: kind, Node: n, Name: target, Returns: w.Line(typ), Exported: exported(w, name)})
}

// isAlias reports whether an annotation makes the value a type alias.
func isAlias(annotation string) bool {
	return annotation == "TypeAlias" || strings.HasSuffix(annotation, ".TypeAlias")
}

// alias declares name: TypeAlias = value, and type name = value. It returns the index of the
// symbol, -1 if the name is declared already.
func alias(w *syntax.Walk, n, name, value syntax.Node) int {
	if !pythonFirst(w, w.Encloser, w.Str(name)) {
		return -1
	}
	s := w.Declare(syntax.Decl{Kind: code.KindType, Node: n, Name: name, Exported: exported(w, w.Str(name))})
	w.Fact(code.FactAlias, s, w.Str(name), w.Line(value), value)
	return s
}

// pythonFirst reports whether name has not been declared in scope so far, and marks it as
// declared.
func pythonFirst(w *syntax.Walk, scope int, name string) bool {
	key := pythonName{scope, name}
	if fileOf(w).declared[key] {
		return false
	}
	fileOf(w).declared[key] = true
	return true
}

// self returns the class whose attribute an assignment to target sets, for self.x = 1 in a method
// whose first parameter is self; false for any other target.
func self(w *syntax.Walk, target syntax.Node) (class int, ok bool) {
	if w.Encloser < 0 {
		return -1, false
	}
	method := &w.Out.Symbols[w.Encloser]
	class = method.Parent
	if class < 0 || !method.Kind.Callable() && method.Kind != code.KindProperty || len(method.Parameters) == 0 {
		return -1, false
	}
	if k := w.Out.Symbols[class].Kind; k != code.KindClass && k != code.KindEnum {
		return -1, false
	}
	first := method.Parameters[0]
	return class, !first.Variadic && !slices.Contains(method.Modifiers, "static") &&
		w.Str(w.Field(target, "object")) == first.Name
}

// field declares an attribute that a method assigns on its object: self.x = 1. It returns the index
// of the symbol, -1 if the class has one of that name already.
func field(w *syntax.Walk, n, target, typ syntax.Node, class int) int {
	name := w.Field(target, "attribute")
	if !pythonFirst(w, class, w.Str(name)) {
		return -1
	}
	outer := w.Encloser
	w.Encloser = class
	s := w.Declare(syntax.Decl{Kind: code.KindField, Node: n, Name: name, Returns: w.Line(typ),
		Exported: exported(w, w.Str(name))})
	w.Encloser = outer
	return s
}

// says records the declared type typ of a name and its assigned value; either may be missing.
// part is a code.Marker that selects the part of the value that the name receives, such as an
// element, or "".
func says(w *syntax.Walk, kind code.FactKind, owner int, name string, typ, value syntax.Node,
	part string, at syntax.Node) {
	w.Fact(kind, owner, name, w.Line(typ), at)
	if value >= 0 {
		if pattern := fileOf(w).pattern; pattern > 0 {
			at = pattern // x, y = y, x evaluates all of y, x before it binds x
		}
		w.Fact(code.FactAssign, owner, name, pythonValue(w, value)+part, at)
	}
}

// pythonLambda declares a lambda that is assigned to a name as a function: f = lambda x: x.
func pythonLambda(w *syntax.Walk, n, name, lambda syntax.Node) {
	kind := code.KindFunction
	if inClass(w) {
		kind = code.KindMethod
	}
	params, typ := w.Field(lambda, "parameters"), w.Field(n, "type")
	if w.Encloser < 0 || inClass(w) {
		fileOf(w).declared[pythonName{w.Encloser, w.Str(name)}] = true
	}
	s := w.Declare(syntax.Decl{
		Kind: kind, Node: n, Name: name, Body: max(w.Field(lambda, "body"), 0), Parameters: parameters(w, params),
		Exported: exported(w, w.Str(name)),
	})
	w.Inside(s, typ, params, w.Field(lambda, "body"))
}

// augmented records additions to the exported names: __all__ += […].
func augmented(w *syntax.Walk, n syntax.Node) {
	if w.Encloser < 0 && w.Says(w.Field(n, "left"), "__all__") {
		all(w, w.Field(n, "right"))
	}
	w.Children(n)
}

// all records the names in __all__ as exports. If __all__ is not a list or tuple but computed,
// base.__all__ + ["x"], all names without a leading underscore count as exported as well.
func all(w *syntax.Walk, list syntax.Node) {
	p := fileOf(w)
	if p.public == nil && w.Is(list, "list", "tuple") {
		p.public = map[string]bool{}
	}
	for c := range w.Descendants(list) {
		if w.Is(c, "string") {
			name := stringText(w, c)
			if p.public != nil {
				p.public[name] = true
			}
			w.Export(c, code.Export{Name: name, Local: name})
		}
	}
}

func typeAlias(w *syntax.Walk, n syntax.Node) {
	var parts []syntax.Node
	for c := range w.Named(n) {
		parts = append(parts, c)
	}
	if len(parts) != 2 || w.Text[w.Start(parts[0])] == '(' { // an attribute of another expression: type(x).y = z
		w.Children(n)
		return
	}
	name := w.Find(parts[0], "identifier")
	if name < 0 {
		return
	}
	if s := alias(w, n, name, parts[1]); s >= 0 {
		w.Inside(s, parts[1])
	}
}

func pythonImport(w *syntax.Walk, n syntax.Node) {
	for c := range w.All(n, "name") {
		i := code.Import{Module: w.Line(c), TypeOnly: fileOf(w).typeOnly}
		if w.Is(c, "aliased_import") {
			i.Module, i.Alias = w.Line(w.Field(c, "name")), w.Str(w.Field(c, "alias"))
		}
		w.AddImport(c, i)
	}
}

func pythonFrom(w *syntax.Walk, n syntax.Node) {
	module := strings.ReplaceAll(w.Line(w.Field(n, "module_name")), " ", "")
	if w.Is(n, "future_import_statement") {
		module = "__future__"
	}
	for c := range w.All(n, "name") {
		i := code.Import{Module: module, Name: w.Line(c), TypeOnly: fileOf(w).typeOnly}
		if w.Is(c, "aliased_import") {
			i.Name, i.Alias = w.Line(w.Field(c, "name")), w.Str(w.Field(c, "alias"))
		}
		w.AddImport(c, i)
	}
	if c := w.Child(n, "wildcard_import"); c >= 0 {
		w.AddImport(c, code.Import{Module: module, Name: "*", TypeOnly: fileOf(w).typeOnly})
	}
}

// named records an assignment expression, name := value.
func named(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	says(w, code.FactVar, w.Encloser, w.Str(name), syntax.None, w.Field(n, "value"), "", name)
	w.Children(n)
}

func call(w *syntax.Walk, n syntax.Node) {
	args := w.Field(n, "arguments")
	name, receiver := callee(w, w.Field(n, "function"))
	kind := code.CallPlain
	if w.Is(receiver, "call") && w.Says(w.Field(receiver, "function"), "super") {
		kind = code.CallSuper
	}
	w.Call(kind, n, name, receiver, pythonArgs(w, args))
	giveArguments(w, w.Field(n, "function"), name, args)
	for a := range w.Named(args) {
		if w.Is(a, "keyword_argument") {
			a = w.Field(a, "value")
		}
		if name, receiver := callee(w, a); name >= 0 {
			p := fileOf(w)
			p.refs = append(p.refs, syntax.Reference{Site: a, Name: name, Receiver: receiver, Caller: w.Encloser})
		}
	}
	w.Children(n)
}

// attributeAccess records a read or an assignment of x.name, because either may run the code of a
// property. It skips callees, decorators, types and del statements.
func attributeAccess(w *syntax.Walk, n syntax.Node) {
	parent := w.Parent(n)
	switch name, x := w.Field(n, "attribute"), w.Field(n, "object"); {
	case w.Is(parent, "call") && w.Field(parent, "function") == n,
		w.Is(parent, "decorator", "type", "delete_statement"):
	case w.Is(parent, "assignment") && w.Field(parent, "left") == n, w.Is(parent, "pattern_list", "tuple_pattern"):
		w.Access(name, x, true)
	case w.Is(parent, "augmented_assignment") && w.Field(parent, "left") == n:
		w.Access(name, x, false)
		w.Access(name, x, true)
	default:
		w.Access(name, x, false)
	}
	w.Children(n)
}

// callee returns the last name of a callee and the node before it: f and a.b for a.b.f. A node is
// syntax.None if there is none.
func callee(w *syntax.Walk, fn syntax.Node) (name, receiver syntax.Node) {
	switch w.Kind(fn) {
	case "identifier":
		return fn, syntax.None
	case "attribute":
		return w.Field(fn, "attribute"), w.Field(fn, "object")
	}
	return syntax.None, syntax.None
}

// pythonArgs returns the number of arguments; -1 if a splat, *xs or **kw, hides it. A generator, as
// in any(x for x in xs), is one argument.
func pythonArgs(w *syntax.Walk, args syntax.Node) (count int) {
	if w.Is(args, "generator_expression") {
		return 1
	}
	for a := range w.Named(args) {
		if w.Is(a, "list_splat", "dictionary_splat", "parenthesized_list_splat") {
			return -1
		}
		count++
	}
	return count
}
