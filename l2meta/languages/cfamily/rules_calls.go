package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// tests lists the macros of test frameworks that define a test: TEST(Suite, Case) { … }.
var tests = map[string]bool{
	"TEST": true, "TEST_F": true, "TEST_P": true, "TYPED_TEST": true, "TYPED_TEST_P": true,
	"BOOST_AUTO_TEST_CASE":    true,
	"BOOST_FIXTURE_TEST_CASE": true, "FUZZ_TEST": true, "TEST_SUITE": true, "TEST_METHOD": true, "TEST_GROUP": true,
}

func function(w *syntax.Walk, n syntax.Node) {
	d := w.Field(n, "declarator")
	c := name(w, d)
	if c.name < 0 || c.function < 0 {
		w.Children(n)
		return
	}
	callable(w, n, d, c)
}

// callable declares the function of declarator d in n and visits its body. n is a definition, a
// prototype or the declaration of a member.
func callable(w *syntax.Walk, n, d syntax.Node, c cNamed) {
	f := syntax.Decl{Kind: code.KindFunction, Node: n, Modifiers: modifiers(w, n), Annotations: attributes(w, n)}
	f.Owner, f.Name, f.Text = cOwner(w, c.name)
	f.Body = max(w.Field(n, "body"), 0)
	if f.Body == 0 {
		f.Body = max(w.Child(n, "try_statement"), 0)
	}
	if from := template(w, n); from >= 0 {
		f.From = from
	}
	list := w.Field(c.function, "parameters")
	var at []syntax.Node
	f.Parameters, at = parameters(w, list)
	oldTypes(w, n, f.Parameters)
	f.Returns = cType(w, n, d)
	for v := range w.Named(c.function) {
		if w.Is(v, "virtual_specifier") || w.Is(v, "type_qualifier") && w.Says(v, "const") {
			f.Modifiers = append(f.Modifiers, w.Str(v))
		}
	}
	f.Exported = cVisible(w) && (!slices.Contains(f.Modifiers, "static") || inRecord(w))
	self := member(w, &f)
	if tests[w.Str(f.Name)] && w.Field(n, "type") < 0 && f.Body > 0 {
		f.Kind, f.Text, f.Parameters, f.Returns = code.KindTest, testName(f.Parameters), nil, ""
	}
	s := w.Declare(f)
	for i, p := range f.Parameters {
		if p.Name != "" && !p.Variadic {
			w.Fact(code.FactParam, s, p.Name, p.Type, at[i])
		}
	}
	if self != "" && !slices.Contains(f.Modifiers, "static") {
		w.Fact(code.FactParam, s, "this", self, f.Name)
	}
	if f.Returns != "void" {
		w.Fact(code.FactResult, s, "", f.Returns, c.function)
	}
	w.Inside(s, list)
	if init := w.Child(n, "field_initializer_list"); init >= 0 {
		w.Inside(s, init)
	}
	if f.Body > 0 {
		w.Inside(s, f.Body)
	}
}

// testName joins the names in the arguments of a test macro: "Suite.Case".
func testName(params []code.Parameter) string {
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

func inRecord(w *syntax.Walk) bool {
	if w.Encloser < 0 {
		return false
	}
	k := w.Out.Symbols[w.Encloser].Kind
	return k == code.KindStruct || k == code.KindClass
}

// member sets f.Kind if the function is a member, and returns the class to which "this" points; ""
// if it is no member.
func member(w *syntax.Walk, f *syntax.Decl) string {
	class := ""
	switch {
	case inRecord(w):
		if p := w.Parent(f.Node); w.Is(p, "friend_declaration") {
			return ""
		}
		class = w.Out.Symbols[w.Encloser].QualifiedName
	case f.Owner != "":
		if w.State.(*state).namespaces[f.Owner] {
			return ""
		}
		class = f.Owner
	default:
		return ""
	}
	f.Kind = code.KindMethod
	if w.Is(f.Name, "identifier", "field_identifier", "type_identifier") &&
		class[strings.LastIndexByte(class, '.')+1:] == w.Str(f.Name) {
		f.Kind = code.KindConstructor
		f.Returns = ""
	}
	return class
}

// split splits a name in an expression or type into its last name and the node before it: "f" and
// "b" for "a::b::f<int>".
func split(w *syntax.Walk, n syntax.Node) (name, receiver syntax.Node) {
	receiver = syntax.None
	for {
		switch w.Kind(n) {
		case "qualified_identifier":
			receiver = w.Field(n, "scope")
			n = w.Field(n, "name")
		case "template_function", "template_type", "template_method":
			n = w.Field(n, "name")
		case "dependent_name", "dependent_type", "type_descriptor":
			inner := syntax.None
			for inner = range w.Named(n) {
				break
			}
			if inner < 0 {
				return syntax.None, syntax.None
			}
			if t := w.Field(n, "type"); t >= 0 {
				inner = t
			}
			n = inner
		default:
			return n, receiver
		}
	}
}

// count returns the number of arguments of a call, or -1 if one of them expands a parameter pack:
// f(args...).
func count(w *syntax.Walk, args syntax.Node) int {
	count := 0
	for a := range w.Named(args) {
		if w.Is(a, "parameter_pack_expansion") {
			return -1
		}
		count++
	}
	return count
}

func call(w *syntax.Walk, n syntax.Node) {
	fn, args := w.Field(n, "function"), w.Field(n, "arguments")
	for w.Is(fn, "parenthesized_expression", "pointer_expression") {
		inner := w.Field(fn, "argument")
		if inner < 0 {
			for inner = range w.Named(fn) {
				break
			}
		}
		fn = inner
	}
	count := count(w, args)
	switch w.Kind(fn) {
	case "identifier":
		before := len(w.Out.Calls)
		w.Call(code.CallPlain, n, fn, syntax.None, count)
		if len(w.Out.Calls) > before { // the two bytes before f in (*f)(x) are not those of ::f(x)
			w.Out.Calls[before].Span = w.Lines.Span(w.Start(fn), w.End(n))
		}
	case "qualified_identifier", "template_function":
		name, receiver := split(w, fn)
		if !strings.HasSuffix(w.Str(name), "_cast") { // static_cast<T>(x)
			w.Call(code.CallPlain, n, name, receiver, count)
			scope(w, fn, name)
		}
	case "field_expression":
		field := w.Field(fn, "field")
		name, class := split(w, field)
		if class < 0 {
			w.Call(code.CallPlain, n, name, w.Field(fn, "argument"), count)
			break
		}
		before := len(w.Out.Calls)
		w.Call(code.CallPlain, n, name, class, count)
		scope(w, field, name)
		if len(w.Out.Calls) > before { // p->Base::run() is Base::run(), whatever p is
			w.Out.Calls[before].Span = w.Lines.Span(w.Start(field), w.End(n))
		}
	case "subscript_expression":
		name := w.Field(fn, "argument") // handlers[i](x)
		receiver := syntax.None
		if w.Is(name, "field_expression") {
			name, receiver = w.Field(name, "field"), w.Field(name, "argument")
		}
		if w.Is(name, "identifier", "field_identifier") {
			w.Call(code.CallPlain, n, name, receiver, count)
		}
	}
	for a := range w.Named(args) {
		reference(w, a)
	}
	w.Children(n)
}

// scope sets the receiver of the last recorded call to the whole text before its name: "a::b" for
// "a::b::f". The nodes of such a path nest to the right, so no node spans "a::b".
func scope(w *syntax.Walk, whole, name syntax.Node) {
	if name < 0 || len(w.Out.Calls) == 0 {
		return
	}
	scope := syntax.OneLine(w.Text[w.Start(whole):w.Start(name)])
	scope = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(scope, "template")), "::")
	w.Out.Calls[len(w.Out.Calls)-1].Receiver = strings.TrimSpace(scope)
}

func initializer(w *syntax.Walk, n syntax.Node) {
	for c := range w.Named(n) {
		reference(w, c)
	}
	w.Children(n)
}

// literal records the functions in a compound literal: (struct ops){ .read = file_read }.
func literal(w *syntax.Walk, n syntax.Node) {
	if typ := w.Field(w.Field(n, "type"), "type"); typ >= 0 && w.Field(w.Field(n, "type"), "declarator") < 0 {
		giveMembers(w, typeName(w, typ), "", w.Field(n, "value"))
	}
	w.Children(n)
}

// macroCalls records the calls in the text of a macro, which the grammar does not parse: names
// before a parenthesis, with the receiver before "." or "->".
func macroCalls(w *syntax.Walk, value syntax.Node) {
	if value < 0 {
		return
	}
	m := &masker{text: w.Text[:w.End(value)]}
	for i := w.Start(value); i < w.End(value); {
		switch b := w.Text[i]; {
		case b == '/' && i+1 < len(m.text) && m.text[i+1] == '*':
			i = after(m.text, i+2, "*/")
		case b == '/' && i+1 < len(m.text) && m.text[i+1] == '/':
			i = len(m.text)
		case syntax.IsIdentByte(b) || b == '"' || b == '\'' || b == '(' || b == ')' || b == ',' || b == '.' ||
			b == '-' || b == '>' || b == ':':
			i = m.token(i, false)
		default:
			i++
		}
	}
	for i, t := range m.tokens {
		if t.kind != 'i' || m.at(i+1).kind != '(' || controls[m.word(t)] || declares[m.word(t)] {
			continue
		}
		close := m.closes(i + 1)
		if close < 0 {
			continue
		}
		c := code.Call{Callee: m.word(t), Caller: w.Encloser, NameSpan: w.Lines.Span(t.start, t.end)}
		from := t.start
		if p := m.at(i - 1); p.kind == '.' && m.at(i-2).kind == 'i' {
			from = m.at(i - 2).start
			c.Receiver = m.word(m.at(i - 2))
		} else if p.kind == '>' && m.at(i-2).kind == '-' && m.at(i-3).kind == 'i' {
			from = m.at(i - 3).start
			c.Receiver = m.word(m.at(i - 3))
		}
		c.Args = m.arguments(i+1, close)
		c.Span = w.Lines.Span(from, m.tokens[close].end)
		w.Out.Calls = append(w.Out.Calls, c)
	}
}

// arguments returns the number of arguments between the parentheses at open and close.
func (m *masker) arguments(open, close int) int {
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
