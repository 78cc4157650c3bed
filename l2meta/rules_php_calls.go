package l2meta

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// phpClosure records the types of the parameters of a closure, within which
// alone they hold. One without a type is recorded as "?": it hides another.
func phpClosure(w *walk, n node) {
	list := w.field(n, "parameters")
	for _, p := range phpParameters(w, list) {
		if p.Type == "" {
			p.Type = "?"
		}
		w.fact(code.FactVar, w.encloser, p.Name, p.Type, list)
		phpHolds(w, n)
	}
	w.children(n)
}

// phpHolds gives the last fact the bytes in which it holds: those of n.
func phpHolds(w *walk, n node) {
	w.out.Facts[len(w.out.Facts)-1].Scope = [2]int{w.start(n), w.end(n)}
}

// phpBlock notes code of the enclosing function that need not run.
func phpBlock(w *walk, n node) {
	body := n
	if w.is(n, "while_statement", "for_statement", "try_statement") {
		body = w.field(n, "body")
	}
	phpNote(w, n, body)
	w.children(n)
}

// phpNote notes body, which is part of the statement n, as a block.
func phpNote(w *walk, n, body node) {
	word, _, _ := strings.Cut(w.kind(n), "_")
	w.fact(code.FactBlock, w.encloser, "", word, body)
}

// phpIf notes the block of a condition, and within it what the condition says
// a variable is an instance of.
func phpIf(w *walk, n node) {
	body := w.field(n, "body")
	phpNote(w, n, body)
	phpInstances(w, w.field(n, "condition"), body)
	if phpLeaves(w, body) {
		phpElse(w, n)
	}
	w.children(n)
}

// phpLeaves reports whether a block ends by leaving what is around it.
func phpLeaves(w *walk, block node) bool {
	last := none
	for c := range w.named(block) {
		if !w.isComment(c) {
			last = c
		}
	}
	if w.is(last, "expression_statement") {
		last = w.firstNamed(last)
	}
	return w.is(last, "return_statement", "throw_expression", "continue_statement", "break_statement", "exit_statement")
}

// phpElse records what holds behind "if (!$x instanceof T) { return; }", up to
// the end of the block around.
func phpElse(w *walk, n node) {
	denied := phpInner(w, w.field(n, "condition"))
	if !w.is(denied, "unary_op_expression") || !w.has(denied, "!") || !w.is(w.parent(n), "compound_statement") {
		return
	}
	condition := phpInner(w, w.firstNamed(denied))
	if !w.has(condition, "instanceof") {
		return
	}
	before := len(w.out.Facts)
	phpInstances(w, condition, n)
	for i := before; i < len(w.out.Facts); i++ {
		w.out.Facts[i].Scope = [2]int{w.end(n), w.end(w.parent(n))}
	}
}

// phpInner is an expression without the parentheses around it.
func phpInner(w *walk, n node) node {
	for w.is(n, "parenthesized_expression") {
		n = w.firstNamed(n)
	}
	return n
}

// phpInstances records "$x instanceof T" of a condition that holds in body.
func phpInstances(w *walk, condition, body node) {
	condition = phpInner(w, condition)
	if body < 0 || !w.is(condition, "binary_expression") {
		return
	}
	left, right := w.field(condition, "left"), w.field(condition, "right")
	switch {
	case w.has(condition, "&&") || w.has(condition, "and"):
		phpInstances(w, left, body)
		phpInstances(w, right, body)
	case w.has(condition, "instanceof") && w.is(left, "variable_name") && w.is(right, "name", "qualified_name"):
		w.fact(code.FactVar, w.encloser, w.str(left), w.line(right), left)
		phpHolds(w, body)
	}
}

// phpChoice is phpIf for c ? a : b.
func phpChoice(w *walk, n node) {
	phpInstances(w, w.field(n, "condition"), w.field(n, "body"))
	w.children(n)
}

// phpBinary is phpIf for a && b: in b, what a says holds.
func phpBinary(w *walk, n node) {
	if w.has(n, "&&") || w.has(n, "and") {
		phpInstances(w, w.field(n, "left"), w.field(n, "right"))
	}
	w.children(n)
}

// phpGlobal notes that a name is that of a variable of the whole program.
func phpGlobal(w *walk, n node) {
	for c := range w.named(n) {
		w.fact(code.FactVar, w.encloser, w.str(c), "?", c)
	}
}

// phpSays records what a variable, a list of them or a property of $this is
// given.
func phpSays(w *walk, left node, text string, at node) {
	switch w.kind(left) {
	case "variable_name":
		w.fact(code.FactAssign, w.encloser, w.str(left), text, left)
		if closure := w.within(left, "anonymous_function", "method_declaration", "function_definition"); w.is(closure, "anonymous_function") {
			phpHolds(w, closure)
		}
	case "by_ref":
		for c := range w.named(left) {
			phpSays(w, c, text, at)
		}
	case "list_literal":
		phpSaysAll(w, left, text)
	case "member_access_expression":
		if class := w.classAround(); class >= 0 && w.says(w.field(left, "object"), "$this") {
			w.fact(code.FactAssign, class, w.str(w.field(left, "name")), text, left)
		}
	}
}

// phpSaysAll is phpSays for the variables of a list: the i-th gets "e#i", the
// one with a key "e#key".
func phpSaysAll(w *walk, list node, text string) {
	i, key := 0, ""
	var last node
	for c := range w.tree.children(list) {
		switch {
		case w.is(c, ","):
			i++
		case w.is(c, "=>"):
			key = unquote(w.line(last))
		case w.isNamed(c) && !w.is(w.after(c), "=>"):
			part := key
			if part == "" {
				part = strconv.Itoa(i)
			}
			phpSays(w, c, text+"#"+part, c)
			key = ""
		}
		last = c
	}
}

func phpAssign(w *walk, n node) {
	right := w.field(n, "right")
	phpSays(w, w.field(n, "left"), w.line(right), n)
	w.children(n)
}

func phpForeach(w *walk, n node) {
	var over, each node
	as := false
	for c := range w.tree.children(n) {
		switch {
		case w.is(c, "as"):
			as = true
		case !w.isNamed(c) || w.isComment(c):
		case !as:
			over = c
		case each == 0:
			each = c
		}
	}
	if w.is(each, "pair") {
		for c := range w.named(each) {
			each = c
		}
	}
	if over > 0 && each > 0 {
		phpSays(w, each, w.line(over)+"#each", each)
	}
	phpNote(w, n, w.field(n, "body"))
	w.children(n)
}

func phpCatch(w *walk, n node) {
	name := w.field(n, "name")
	if name >= 0 {
		w.fact(code.FactVar, w.encloser, w.str(name), w.line(w.field(n, "type")), name)
		phpHolds(w, n)
	}
	phpNote(w, n, n)
	w.children(n)
}

// phpArgs counts arguments, -1 with an unpacked one.
func phpArgs(w *walk, list node) (count int) {
	for a := range w.named(list) {
		if w.child(a, "variadic_unpacking") >= 0 || w.is(a, "variadic_unpacking") {
			return -1
		}
		count++
	}
	return count
}

// phpCallOf records a call, or with f(...) a reference to the function.
func phpCallOf(w *walk, kind code.CallKind, n, name, args node, receiver string) {
	count := phpArgs(w, args)
	if first := w.firstNamed(args); count == 1 && (w.is(first, "variadic_placeholder") || w.is(first+1, "variadic_placeholder")) {
		kind, count = code.CallReference, 0
	}
	w.callAs(kind, n, name, w.str(name), receiver, count)
}

// phpConstructs are parts of the language that look like functions.
var phpConstructs = map[string]bool{"isset": true, "empty": true, "eval": true, "unset": true, "exit": true, "die": true}

func phpCall(w *walk, n node) {
	fn, args := w.field(n, "function"), w.field(n, "arguments")
	if w.is(fn, "name", "qualified_name") && !phpConstructs[strings.ToLower(w.str(fn))] {
		name, receiver := phpSplit(w, fn)
		phpDefine(w, n, w.str(fn), args)
		phpCallOf(w, code.CallPlain, n, name, args, receiver)
	}
	w.children(n)
}

// phpDefine declares the constant that define("NAME", …) makes.
func phpDefine(w *walk, n node, fn string, args node) {
	if !strings.EqualFold(strings.TrimPrefix(fn, `\`), "define") {
		return
	}
	for a := range w.named(args) {
		if name := w.find(a, "string_content"); w.is(a+1, "string", "encapsed_string") && name >= 0 {
			w.declare(decl{kind: code.KindConstant, node: n, name: name, exported: true})
		}
		return
	}
}

func phpMemberCall(w *walk, n node) {
	if name := w.field(n, "name"); w.is(name, "name") {
		phpCallOf(w, code.CallPlain, n, name, w.field(n, "arguments"), w.line(w.field(n, "object")))
	}
	w.children(n)
}

func phpScopedCall(w *walk, n node) {
	kind, scope := code.CallPlain, w.line(w.field(n, "scope"))
	if scope == "parent" {
		kind = code.CallSuper
	}
	if name := w.field(n, "name"); w.is(name, "name") {
		phpCallOf(w, kind, n, name, w.field(n, "arguments"), scope)
	}
	w.children(n)
}

// phpNew records new T(…); an anonymous class constructs its base.
func phpNew(w *walk, n node) {
	args := w.child(n, "arguments")
	for c := range w.named(n) {
		switch {
		case w.is(c, "name", "qualified_name", "relative_scope"):
			name, receiver := phpSplit(w, c)
			w.callAs(code.CallNew, n, name, w.str(name), receiver, phpArgs(w, args))
		case w.is(c, "anonymous_class"):
			for b := range w.named(w.child(c, "base_clause")) {
				name, receiver := phpSplit(w, b)
				w.callAs(code.CallNew, n, name, w.str(name), receiver, phpArgs(w, w.child(c, "arguments")))
			}
		}
		break
	}
	w.children(n)
}

// phpArray records [$this, 'name'] and [T::class, 'name'], by which PHP hands
// a method over.
func phpArray(w *walk, n node) {
	var parts []node
	for e := range w.named(n) {
		parts = append(parts, e+1)
		if len(parts) > 2 || w.countNamed(e) != 1 {
			parts = nil
			break
		}
	}
	if len(parts) == 2 && w.is(parts[1], "string", "encapsed_string") {
		object, name := w.line(parts[0]), w.child(parts[1], "string_content")
		class, ok := strings.CutSuffix(object, "::class")
		if (ok || object == "$this") && name >= 0 && w.countNamed(parts[1]) == 1 {
			w.callAs(code.CallReference, n, name, w.str(name), class, 0)
		}
	}
	w.children(n)
}
