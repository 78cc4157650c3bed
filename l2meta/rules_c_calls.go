package l2meta

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// cTests are the macros that define a test, with how many of their arguments
// name it.
var cTests = map[string]bool{
	"TEST": true, "TEST_F": true, "TEST_P": true, "TYPED_TEST": true, "TYPED_TEST_P": true, "BOOST_AUTO_TEST_CASE": true,
	"BOOST_FIXTURE_TEST_CASE": true, "FUZZ_TEST": true, "TEST_SUITE": true, "TEST_METHOD": true, "TEST_GROUP": true,
}

func cFunction(w *walk, n node) {
	d := w.field(n, "declarator")
	c := cName(w, d)
	if c.name < 0 || c.function < 0 {
		w.children(n)
		return
	}
	cCallable(w, n, d, c)
}

// cCallable declares the function of declarator d in n, a definition, a
// prototype or a member, and visits its body.
func cCallable(w *walk, n, d node, c cNamed) {
	f := decl{kind: code.KindFunction, node: n, modifiers: cModifiers(w, n), annotations: cAttributes(w, n)}
	f.owner, f.name, f.text = cOwner(w, c.name)
	f.body = max(w.field(n, "body"), 0)
	if f.body == 0 {
		f.body = max(w.child(n, "try_statement"), 0)
	}
	if from := cTemplate(w, n); from >= 0 {
		f.from = from
	}
	list := w.field(c.function, "parameters")
	var at []node
	f.parameters, at = cParameters(w, list)
	cOldTypes(w, n, f.parameters)
	f.returns = cType(w, n, d)
	for v := range w.named(c.function) {
		if w.is(v, "virtual_specifier") || w.is(v, "type_qualifier") && w.says(v, "const") {
			f.modifiers = append(f.modifiers, w.str(v))
		}
	}
	f.exported = cVisible(w) && (!slices.Contains(f.modifiers, "static") || cInRecord(w))
	self := cMember(w, &f)
	if cTests[w.str(f.name)] && w.field(n, "type") < 0 && f.body > 0 {
		f.kind, f.text, f.parameters, f.returns = code.KindTest, cTestName(f.parameters), nil, ""
	}
	s := w.declare(f)
	for i, p := range f.parameters {
		if p.Name != "" && !p.Variadic {
			w.fact(code.FactParam, s, p.Name, p.Type, at[i])
		}
	}
	if self != "" && !slices.Contains(f.modifiers, "static") {
		w.fact(code.FactParam, s, "this", self, f.name)
	}
	if f.returns != "void" {
		w.fact(code.FactResult, s, "", f.returns, c.function)
	}
	w.inside(s, list)
	if init := w.child(n, "field_initializer_list"); init >= 0 {
		w.inside(s, init)
	}
	if f.body > 0 {
		w.inside(s, f.body)
	}
}

// cTestName joins the names that a test macro is given: "Suite.Case".
func cTestName(params []code.Parameter) string {
	var parts []string
	for _, p := range params {
		parts = append(parts, strings.TrimSpace(p.Type+" "+p.Name))
	}
	if len(parts) > 2 {
		parts = parts[:2]
	}
	if len(parts) == 0 {
		return "test"
	}
	return strings.Join(parts, ".")
}

func cInRecord(w *walk) bool {
	if w.encloser < 0 {
		return false
	}
	k := w.out.Symbols[w.encloser].Kind
	return k == code.KindStruct || k == code.KindClass
}

// cMember settles whether a function is a member, and returns the type that
// "this" points to.
func cMember(w *walk, f *decl) string {
	class := ""
	switch {
	case cInRecord(w):
		if p := w.parent(f.node); w.is(p, "friend_declaration") {
			return ""
		}
		class = w.out.Symbols[w.encloser].QualifiedName
	case f.owner != "":
		if w.state.(*cState).namespaces[f.owner] {
			return ""
		}
		class = f.owner
	default:
		return ""
	}
	f.kind = code.KindMethod
	if w.is(f.name, "identifier", "field_identifier", "type_identifier") && class[strings.LastIndexByte(class, '.')+1:] == w.str(f.name) {
		f.kind = code.KindConstructor
		f.returns = ""
	}
	return class
}

// cSplit takes a name in an expression or a type apart into its last name and
// the node before it: "f" and "a::b" of "a::b::f<int>" (the receiver node is
// the innermost scope; see cScope for its full text).
func cSplit(w *walk, n node) (name, receiver node) {
	receiver = none
	for {
		switch w.kind(n) {
		case "qualified_identifier":
			receiver = w.field(n, "scope")
			n = w.field(n, "name")
		case "template_function", "template_type", "template_method":
			n = w.field(n, "name")
		case "dependent_name", "dependent_type", "type_descriptor":
			inner := none
			for inner = range w.named(n) {
				break
			}
			if inner < 0 {
				return none, none
			}
			if t := w.field(n, "type"); t >= 0 {
				inner = t
			}
			n = inner
		default:
			return n, receiver
		}
	}
}

// cCount is the number of arguments, -1 when a pack hides it.
func cCount(w *walk, args node) int {
	count := 0
	for a := range w.named(args) {
		if w.is(a, "parameter_pack_expansion") {
			return -1
		}
		count++
	}
	return count
}

func cCall(w *walk, n node) {
	fn, args := w.field(n, "function"), w.field(n, "arguments")
	for w.is(fn, "parenthesized_expression", "pointer_expression") {
		inner := w.field(fn, "argument")
		if inner < 0 {
			for inner = range w.named(fn) {
				break
			}
		}
		fn = inner
	}
	count := cCount(w, args)
	switch w.kind(fn) {
	case "identifier":
		w.call(code.CallPlain, n, fn, none, count)
	case "qualified_identifier", "template_function":
		name, receiver := cSplit(w, fn)
		if !strings.HasSuffix(w.str(name), "_cast") { // static_cast<T>(x)
			w.call(code.CallPlain, n, name, receiver, count)
			cScope(w, fn, name)
		}
	case "field_expression":
		name, _ := cSplit(w, w.field(fn, "field"))
		w.call(code.CallPlain, n, name, w.field(fn, "argument"), count)
	case "subscript_expression":
		name := w.field(fn, "argument") // handlers[i](x)
		receiver := none
		if w.is(name, "field_expression") {
			name, receiver = w.field(name, "field"), w.field(name, "argument")
		}
		if w.is(name, "identifier", "field_identifier") {
			w.call(code.CallPlain, n, name, receiver, count)
		}
	}
	for a := range w.named(args) {
		cReference(w, a)
	}
	w.children(n)
}

// cScope gives the call that was just recorded all of its scope: the nodes of
// "a::b::f" nest to the right, and a name has no node for "a::b".
func cScope(w *walk, whole, name node) {
	if name < 0 || len(w.out.Calls) == 0 {
		return
	}
	scope := oneLine(w.text[w.start(whole):w.start(name)])
	scope = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(scope, "template")), "::")
	w.out.Calls[len(w.out.Calls)-1].Receiver = strings.TrimSpace(scope)
}

func cInitializer(w *walk, n node) {
	for c := range w.named(n) {
		cReference(w, c)
	}
	w.children(n)
}

// cMacroCalls finds calls in the text of a macro, which the grammar leaves as
// it is: a name before a parenthesis, and what stands before "." or "->".
func cMacroCalls(w *walk, value node) {
	if value < 0 {
		return
	}
	m := &cMasker{text: w.text[:w.end(value)]}
	for i := w.start(value); i < w.end(value); {
		switch b := w.text[i]; {
		case b == '/' && i+1 < len(m.text) && m.text[i+1] == '*':
			i = after(m.text, i+2, "*/")
		case b == '/' && i+1 < len(m.text) && m.text[i+1] == '/':
			i = len(m.text)
		case isIdentByte(b) || b == '"' || b == '\'' || b == '(' || b == ')' || b == ',' || b == '.' || b == '-' || b == '>' || b == ':':
			i = m.token(i, false)
		default:
			i++
		}
	}
	for i, t := range m.tokens {
		if t.kind != 'i' || m.at(i+1).kind != '(' || cControls[m.word(t)] || cDeclares[m.word(t)] {
			continue
		}
		close := m.closes(i + 1)
		if close < 0 {
			continue
		}
		c := code.Call{Callee: m.word(t), Caller: w.encloser, NameSpan: w.lines.Span(t.start, t.end)}
		from := t.start
		if p := m.at(i - 1); p.kind == '.' && m.at(i-2).kind == 'i' {
			from = m.at(i - 2).start
			c.Receiver = m.word(m.at(i - 2))
		} else if p.kind == '>' && m.at(i-2).kind == '-' && m.at(i-3).kind == 'i' {
			from = m.at(i - 3).start
			c.Receiver = m.word(m.at(i - 3))
		}
		c.Args = m.arguments(i+1, close)
		c.Span = w.lines.Span(from, m.tokens[close].end)
		w.out.Calls = append(w.out.Calls, c)
	}
}

// arguments counts the arguments between the parentheses at open and close.
func (m *cMasker) arguments(open, close int) int {
	if close == open+1 {
		return 0
	}
	count, depth := 1, 0
	for _, t := range m.tokens[open+1 : close] {
		switch t.kind {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				count++
			}
		}
	}
	return count
}
