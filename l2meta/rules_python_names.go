package l2meta

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
)

// pythonAssignment declares the names that an assignment binds where it
// stands at the top, in a class or on the first parameter of a method, and
// records what it says of their types.
func pythonAssignment(w *walk, n node) {
	left, typ, right := w.field(n, "left"), w.field(n, "type"), w.field(n, "right")
	value := pythonAssigned(w, n, right)
	if w.encloser < 0 && w.says(left, "__all__") {
		pythonAll(w, value)
	}
	lambda := right
	for w.is(lambda, "parenthesized_expression") {
		lambda++ // "("
		lambda = node(w.nodes[lambda].next)
	}
	if w.is(left, "identifier") && w.is(lambda, "lambda") {
		pythonLambda(w, n, left, lambda)
		return
	}
	first := pythonTargets(w, n, left, typ, value, "")
	w.visit(left)
	if first >= 0 && w.out.Symbols[first].Parent == w.encloser && right == value {
		w.inside(first, typ, right)
		return
	}
	w.visit(typ)
	w.visit(right)
}

// pythonAssigned is the value of the assignment n, of a = b = value the last
// part; what stands right of the first "=" is right.
func pythonAssigned(w *walk, n, right node) node {
	p := pythonFileOf(w)
	if p.chained != n { // not the rest of a chain whose value is known
		p.assigned = right
		for w.is(p.assigned, "assignment") {
			p.assigned = w.field(p.assigned, "right")
		}
	}
	p.chained = right
	return p.assigned
}

// pythonTargets declares what the left side of an assignment binds, and
// returns the first new symbol or -1. part says which element of the value
// the target gets, "" for all of it.
func pythonTargets(w *walk, n, target, typ, value node, part string) int {
	switch w.kind(target) {
	case "identifier", "attribute":
		return pythonTarget(w, n, target, typ, value, part)
	case "list_splat_pattern":
		pythonBind(w, target+2, pythonOpaque) // behind "*"
		return pythonTargets(w, n, target+2, none, none, "")
	case "pattern_list", "tuple_pattern", "list_pattern":
		first, i, values := -1, 0, pythonElements(w, value, part)
		for t := range w.named(target) {
			element, of := value, part+"#"+strconv.Itoa(i)
			if i < len(values) {
				element, of = values[i], ""
			}
			if s := pythonTargets(w, n, t, none, element, of); first < 0 {
				first = s
			}
			i++
		}
		return first
	}
	return -1
}

// pythonElements are the values of a, b = value when they are written apart;
// nil when they are not, or a splat hides which is which.
func pythonElements(w *walk, value node, part string) (out []node) {
	if part != "" || !w.is(value, "expression_list", "tuple", "list") {
		return nil
	}
	for e := range w.named(value) {
		if w.is(e, "list_splat") {
			return nil
		}
		out = append(out, e)
	}
	return out
}

// pythonTarget declares one target of an assignment if it is a declaration,
// and returns the new symbol or -1.
func pythonTarget(w *walk, n, target, typ, value node, part string) int {
	kind, owner, name := code.KindVariable, w.encloser, w.str(target)
	switch {
	case w.is(target, "identifier") && w.encloser < 0 && pythonIsAlias(w.str(typ)):
		return pythonAlias(w, n, target, value)
	case w.is(target, "attribute"):
		class, ok := pythonSelf(w, target)
		if !ok {
			if w.is(w.field(target, "object"), "identifier") {
				pythonSays(w, code.FactVar, owner, name, none, value, part, target)
			}
			return -1
		}
		pythonSays(w, code.FactField, class, w.str(w.field(target, "attribute")), typ, none, "", target)
		pythonSays(w, code.FactVar, w.encloser, name, none, value, part, target)
		return pythonField(w, n, target, typ, class)
	case w.encloser >= 0 && !pythonInClass(w):
		pythonSays(w, code.FactVar, owner, name, typ, value, part, target)
		return -1
	case pythonInClass(w):
		kind = code.KindField
		pythonSays(w, code.FactField, owner, name, typ, value, part, target)
		inEnum := w.out.Symbols[owner].Kind == code.KindEnum && value >= 0 && !strings.HasPrefix(name, "_")
		if inEnum || allCaps(name) {
			kind = code.KindConstant
		}
	default:
		pythonSays(w, code.FactVar, owner, name, typ, value, part, target)
		if allCaps(name) {
			kind = code.KindConstant
		}
	}
	if !pythonFirst(w, owner, name) {
		return -1
	}
	return w.declare(decl{kind: kind, node: n, name: target, returns: w.line(typ), exported: pythonExported(w, name)})
}

// pythonIsAlias reports whether an annotation says that the value is a type.
func pythonIsAlias(annotation string) bool {
	return annotation == "TypeAlias" || strings.HasSuffix(annotation, ".TypeAlias")
}

// pythonAlias declares name: TypeAlias = value, and type name = value.
func pythonAlias(w *walk, n, name, value node) int {
	if !pythonFirst(w, w.encloser, w.str(name)) {
		return -1
	}
	s := w.declare(decl{kind: code.KindType, node: n, name: name, exported: pythonExported(w, w.str(name))})
	w.fact(code.FactAlias, s, w.str(name), w.line(value), value)
	return s
}

// pythonFirst reports whether name is declared for the first time in scope.
func pythonFirst(w *walk, scope int, name string) bool {
	key := pythonName{scope, name}
	if pythonFileOf(w).declared[key] {
		return false
	}
	pythonFileOf(w).declared[key] = true
	return true
}

// pythonSelf is the class whose attribute a target is: "self.x" right in a
// method whose first parameter is self.
func pythonSelf(w *walk, target node) (class int, ok bool) {
	if w.encloser < 0 {
		return -1, false
	}
	method := &w.out.Symbols[w.encloser]
	class = method.Parent
	if class < 0 || !method.Kind.Callable() && method.Kind != code.KindProperty || len(method.Parameters) == 0 {
		return -1, false
	}
	if k := w.out.Symbols[class].Kind; k != code.KindClass && k != code.KindEnum {
		return -1, false
	}
	first := method.Parameters[0]
	return class, !first.Variadic && !slices.Contains(method.Modifiers, "static") && w.str(w.field(target, "object")) == first.Name
}

// pythonField declares an attribute that a method assigns on its object.
func pythonField(w *walk, n, target, typ node, class int) int {
	name := w.field(target, "attribute")
	if !pythonFirst(w, class, w.str(name)) {
		return -1
	}
	outer := w.encloser
	w.encloser = class
	s := w.declare(decl{kind: code.KindField, node: n, name: name, returns: w.line(typ), exported: pythonExported(w, w.str(name))})
	w.encloser = outer
	return s
}

// pythonSays records the declared type of a name, and the value it is assigned.
func pythonSays(w *walk, kind code.FactKind, owner int, name string, typ, value node, part string, at node) {
	w.fact(kind, owner, name, w.line(typ), at)
	if value >= 0 {
		w.fact(code.FactAssign, owner, name, pythonValue(w, value)+part, at)
	}
}

// pythonLambda declares a function that is written as a lambda with a name.
func pythonLambda(w *walk, n, name, lambda node) {
	kind := code.KindFunction
	if pythonInClass(w) {
		kind = code.KindMethod
	}
	params, typ := w.field(lambda, "parameters"), w.field(n, "type")
	if w.encloser < 0 || pythonInClass(w) {
		pythonFileOf(w).declared[pythonName{w.encloser, w.str(name)}] = true
	}
	s := w.declare(decl{
		kind: kind, node: n, name: name, body: max(w.field(lambda, "body"), 0), parameters: pythonParameters(w, params),
		exported: pythonExported(w, w.str(name)),
	})
	w.inside(s, typ, params, w.field(lambda, "body"))
}

// pythonAugmented reads __all__ += […].
func pythonAugmented(w *walk, n node) {
	if w.encloser < 0 && w.says(w.field(n, "left"), "__all__") {
		pythonAll(w, w.field(n, "right"))
	}
	w.children(n)
}

// pythonAll records the names of an __all__ as exports. What is not a string
// in it (another module's list) leaves the file's own names to their spelling.
func pythonAll(w *walk, list node) {
	p := pythonFileOf(w)
	if p.public == nil && w.is(list, "list", "tuple") {
		p.public = map[string]bool{}
	}
	for c := range w.descendants(list) {
		if w.is(c, "string") {
			name := pythonStringText(w, c)
			if p.public != nil {
				p.public[name] = true
			}
			w.export(c, code.Export{Name: name, Local: name})
		}
	}
}

func pythonTypeAlias(w *walk, n node) {
	var parts []node
	for c := range w.named(n) {
		parts = append(parts, c)
	}
	if len(parts) != 2 || w.text[w.start(parts[0])] == '(' { // type(x).y = z
		w.children(n)
		return
	}
	name := w.find(parts[0], "identifier")
	if name < 0 {
		return
	}
	if s := pythonAlias(w, n, name, parts[1]); s >= 0 {
		w.inside(s, parts[1])
	}
}

func pythonImport(w *walk, n node) {
	for c := range w.all(n, "name") {
		i := code.Import{Module: w.line(c), TypeOnly: pythonFileOf(w).typeOnly}
		if w.is(c, "aliased_import") {
			i.Module, i.Alias = w.line(w.field(c, "name")), w.str(w.field(c, "alias"))
		}
		w.addImport(c, i)
	}
}

func pythonFrom(w *walk, n node) {
	module := strings.ReplaceAll(w.line(w.field(n, "module_name")), " ", "")
	if w.is(n, "future_import_statement") {
		module = "__future__"
	}
	for c := range w.all(n, "name") {
		i := code.Import{Module: module, Name: w.line(c), TypeOnly: pythonFileOf(w).typeOnly}
		if w.is(c, "aliased_import") {
			i.Name, i.Alias = w.line(w.field(c, "name")), w.str(w.field(c, "alias"))
		}
		w.addImport(c, i)
	}
	if c := w.child(n, "wildcard_import"); c >= 0 {
		w.addImport(c, code.Import{Module: module, Name: "*", TypeOnly: pythonFileOf(w).typeOnly})
	}
}

// pythonNamed reads name := value.
func pythonNamed(w *walk, n node) {
	name := w.field(n, "name")
	pythonSays(w, code.FactVar, w.encloser, w.str(name), none, w.field(n, "value"), "", name)
	w.children(n)
}

func pythonCall(w *walk, n node) {
	args := w.field(n, "arguments")
	name, receiver := pythonCallee(w, w.field(n, "function"))
	kind := code.CallPlain
	if w.is(receiver, "call") && w.says(w.field(receiver, "function"), "super") {
		kind = code.CallSuper
	}
	w.call(kind, n, name, receiver, pythonArgs(w, args))
	for a := range w.named(args) {
		if w.is(a, "keyword_argument") {
			a = w.field(a, "value")
		}
		if name, receiver := pythonCallee(w, a); name >= 0 {
			p := pythonFileOf(w)
			p.refs = append(p.refs, reference{a, name, receiver, w.encloser})
		}
	}
	w.children(n)
}

// pythonCallee is the last name of a callee and what stands before it.
func pythonCallee(w *walk, fn node) (name, receiver node) {
	switch w.kind(fn) {
	case "identifier":
		return fn, none
	case "attribute":
		return w.field(fn, "attribute"), w.field(fn, "object")
	}
	return none, none
}

// pythonArgs counts arguments; -1 with a splat. A generator is one argument.
func pythonArgs(w *walk, args node) (count int) {
	if w.is(args, "generator_expression") {
		return 1
	}
	for a := range w.named(args) {
		if w.is(a, "list_splat", "dictionary_splat", "parenthesized_list_splat") {
			return -1
		}
		count++
	}
	return count
}
