package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Mask:     mask,
		File:     func(w *syntax.Walk, _ syntax.Node) { w.State = &state{namespaces: map[string]bool{}} },
		Finish:   finish,
		Handlers: handlers(),
	}
}

// handlers returns the rules that C and C++ share.
func handlers() map[string]syntax.Handler {
	return map[string]syntax.Handler{
		"preproc_include":             include,
		"preproc_def":                 define,
		"preproc_function_def":        define,
		"function_definition":         function,
		"declaration":                 declaration,
		"type_definition":             typedef,
		"struct_specifier":            record,
		"union_specifier":             record,
		"enum_specifier":              enum,
		"enumerator":                  enumerator,
		"field_declaration":           cField,
		"call_expression":             call,
		"initializer_list":            initializer,
		"compound_literal_expression": literal,
		"assignment_expression": func(w *syntax.Walk, n syntax.Node) {
			reference(w, w.Field(n, "right"))
			giveAssigned(w, n)
			w.Children(n)
		},
		"initializer_pair": func(w *syntax.Walk, n syntax.Node) {
			reference(w, w.Field(n, "value"))
			w.Children(n)
		},
	}
}

// state is the data that the rules keep while they walk one file.
type state struct {
	references []syntax.Reference // names used as values, which may be functions
	namespaces map[string]bool    // qualified names of the namespaces declared so far
	// hidden is true inside of an anonymous namespace and in the private part of a class, where
	// declarations are not visible outside.
	hidden bool
}

func finish(w *syntax.Walk) {
	w.KeepReferences(w.State.(*state).references)
	keepGiven(w)
	hiddenByErrors(w)
}

// reference keeps a name that is used as a value, as it may be the name of a function.
func reference(w *syntax.Walk, n syntax.Node) {
	if w.Is(n, "pointer_expression") {
		n = w.Field(n, "argument")
	}
	st := w.State.(*state)
	switch w.Kind(n) {
	case "identifier":
		st.references = append(st.references,
			syntax.Reference{Site: n, Name: n, Receiver: syntax.None, Caller: w.Encloser})
	case "qualified_identifier":
		name, _ := split(w, n)
		st.references = append(st.references,
			syntax.Reference{Site: n, Name: name, Receiver: syntax.None, Caller: w.Encloser})
	}
}

func include(w *syntax.Walk, n syntax.Node) {
	path := w.Field(n, "path")
	module := strings.Trim(w.Str(path), "<>\" \t")
	if module != "" {
		w.AddImport(n, code.Import{Module: module, Name: "*"})
	}
}

// define declares a macro: one with parameters as a macro, one with a value as a constant. A macro
// belongs to no scope, even if it is written inside of one.
func define(w *syntax.Walk, n syntax.Node) {
	name, value := w.Field(n, "name"), w.Field(n, "value")
	d := syntax.Decl{Kind: code.KindMacro, Node: n, Name: name, Exported: true}
	if w.Is(n, "preproc_def") {
		if value < 0 && isGuard(w, n, name) {
			return
		}
		if value >= 0 {
			d.Kind = code.KindConstant
		}
	} else {
		d.Body = max(value, 0)
		for p := range w.Tree.Children(w.Field(n, "parameters")) {
			switch w.Kind(p) {
			case "identifier":
				d.Parameters = append(d.Parameters, code.Parameter{Name: w.Str(p)})
			case "...":
				d.Parameters = append(d.Parameters, code.Parameter{Name: "...", Variadic: true})
			}
		}
	}
	outer, prefix := w.Encloser, w.Prefix
	w.Encloser, w.Prefix = -1, ""
	hiddenByMacro(w, value, d.Parameters, d.Kind == code.KindMacro)
	s := w.Declare(d)
	w.Out.Symbols[s].Signature = strings.TrimRight(w.Out.Symbols[s].Signature, " \\")
	w.Encloser = s
	macroCalls(w, value)
	w.Encloser, w.Prefix = outer, prefix
}

// isGuard reports whether a macro without a value is the include guard of its header.
func isGuard(w *syntax.Walk, n, name syntax.Node) bool {
	p := w.Parent(n)
	return w.Is(p, "preproc_ifdef") && w.Has(p, "#ifndef") && w.Str(w.Field(p, "name")) == w.Str(name) &&
		int(w.Nodes[n].Next)+2 < int(w.Nodes[p].Next) // the guard encloses more than its own #define
}

// record declares a struct, union or class that has a body. The members of a record without a
// name belong to the enclosing declaration.
func record(w *syntax.Walk, n syntax.Node) {
	body, name := w.Field(n, "body"), w.Field(n, "name")
	if name < 0 {
		w.Children(n)
		return
	}
	if body < 0 {
		w.Children(name)
		return
	}
	d := syntax.Decl{Kind: code.KindStruct, Node: n, Name: name, Body: body, Exported: cVisible(w)}
	if w.Is(n, "class_specifier") {
		d.Kind = code.KindClass
	}
	recordBody(w, n, d)
}

func recordBody(w *syntax.Walk, n syntax.Node, d syntax.Decl) int {
	if from := template(w, n); from >= 0 {
		d.From = from
	}
	d.Owner, d.Name, d.Text = cOwner(w, d.Name)
	d.Annotations = attributes(w, n)
	if w.Child(n, "virtual_specifier") >= 0 {
		d.Modifiers = append(d.Modifiers, w.Line(w.Child(n, "virtual_specifier")))
	}
	s := w.Declare(d)
	for b := range w.Named(w.Child(n, "base_class_clause")) {
		if w.Is(b, "type_identifier", "qualified_identifier", "template_type", "dependent_type", "decltype") {
			w.Fact(code.FactBase, s, "", w.Line(b), b)
		}
	}
	st := w.State.(*state)
	hidden := st.hidden
	st.hidden = hidden || w.Is(n, "class_specifier")
	w.Inside(s, d.Body)
	st.hidden = hidden
	return s
}

// cVisible reports whether declarations at the current place are visible in other files.
func cVisible(w *syntax.Walk) bool { return !w.State.(*state).hidden && !w.InCallable() }

func enum(w *syntax.Walk, n syntax.Node) {
	body, name := w.Field(n, "body"), w.Field(n, "name")
	if body < 0 || name < 0 {
		w.Children(n)
		return
	}
	d := syntax.Decl{Kind: code.KindEnum, Node: n, Name: name, Body: body, Exported: cVisible(w),
		Annotations: attributes(w, n)}
	d.Owner, d.Name, d.Text = cOwner(w, name)
	w.Inside(w.Declare(d), body)
}

func enumerator(w *syntax.Walk, n syntax.Node) {
	s := w.Declare(syntax.Decl{Kind: code.KindConstant, Node: n, Name: w.Field(n, "name"), Exported: cVisible(w)})
	w.Inside(s, w.Field(n, "value"))
}

// typedef declares the names of a typedef. In typedef struct { … } node, *list, the first plain
// name, node, is the name of the record.
func typedef(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	anonymous := w.Is(typ, "struct_specifier", "union_specifier", "enum_specifier", "class_specifier") &&
		w.Field(typ, "name") < 0 && w.Field(typ, "body") >= 0
	if w.InCallable() {
		for d := range w.All(n, "declarator") {
			name := name(w, d).name
			w.Fact(code.FactAlias, w.Encloser, w.Str(name), aliased(w, n, d), name)
		}
		w.Children(n)
		return
	}
	if !anonymous {
		w.Visit(typ)
	}
	for d := range w.All(n, "declarator") {
		name := name(w, d).name
		if name < 0 {
			continue
		}
		if anonymous && w.Is(d, "type_identifier") {
			anonymous = false
			c := syntax.Decl{Kind: code.KindStruct, Node: n, Name: name, Body: w.Field(typ, "body"),
				Exported: cVisible(w)}
			if w.Is(typ, "enum_specifier") {
				c.Kind = code.KindEnum
				s := w.Declare(c)
				elide(w, s, n, typ)
				w.Inside(s, c.Body)
			} else {
				elide(w, recordBody(w, typ, c), n, typ)
			}
			continue
		}
		s := w.Declare(syntax.Decl{Kind: code.KindType, Node: n, Name: name, Exported: cVisible(w)})
		elide(w, s, n, typ)
		w.Fact(code.FactAlias, s, w.Str(name), aliased(w, n, d), name)
	}
	if anonymous {
		w.Visit(typ)
	}
}

// aliased returns the type of the name in declarator d of a typedef: "int (int fd)" for typedef int
// read_fn(int fd).
func aliased(w *syntax.Walk, n, d syntax.Node) string {
	typ := cType(w, n, d)
	if c := name(w, d); c.function >= 0 {
		typ += " " + w.Line(w.Field(c.function, "parameters"))
	}
	return typ
}

// elide removes the body of a record from the signature of symbol s: "typedef struct node *list".
func elide(w *syntax.Walk, s int, n, typ syntax.Node) {
	body := w.Field(typ, "body")
	if body < 0 {
		return
	}
	head, tail := syntax.OneLine(w.Text[w.Start(n):w.Start(body)]), syntax.OneLine(w.Text[w.End(body):w.End(n)])
	w.Out.Symbols[s].Signature = strings.TrimRight(head+" "+tail, " ;,=")
}

// cField declares the fields and member functions in a declaration inside of a record.
func cField(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	if w.Encloser < 0 || w.InCallable() {
		w.Children(n)
		return
	}
	owner, last := w.Encloser, -1
	for d := range w.All(n, "declarator") {
		c := name(w, d)
		if c.name < 0 {
			continue
		}
		if c.function >= 0 {
			callable(w, n, d, c)
			continue
		}
		f := syntax.Decl{Kind: code.KindField, Node: n, Name: c.name, Returns: cType(w, n, d), Exported: cVisible(w),
			Annotations: attributes(w, n)}
		f.Modifiers = modifiers(w, n)
		if from := template(w, n); from >= 0 {
			f.From = from
		}
		if isConstant(w, n, d) {
			f.Kind = code.KindConstant
		}
		last = w.Declare(f)
		elide(w, last, n, typ)
		w.Fact(code.FactField, owner, w.Str(c.name), f.Returns, c.name)
	}
	if last >= 0 && w.Field(typ, "name") < 0 {
		w.Inside(last, typ) // an anonymous record is the type of its field
	} else {
		w.Visit(typ)
	}
	for v := range w.All(n, "default_value") {
		w.Inside(last, v)
	}
	for c := range w.Named(n) {
		if w.Is(c, "initializer_list", "argument_list", "bitfield_clause") {
			w.Inside(last, c)
		}
	}
}

// isConstant reports whether a variable is declared as constant.
func isConstant(w *syntax.Walk, n, declarator syntax.Node) bool {
	for q := range w.Named(n) {
		if w.Is(q, "type_qualifier") {
			switch w.Str(q) {
			case "constexpr", "constinit":
				return true
			case "const":
				if !w.Is(inner(w, declarator), "pointer_declarator", "reference_declarator") {
					return true
				}
			}
		}
	}
	p := inner(w, declarator)
	return w.Is(p, "pointer_declarator") && w.Says(w.Child(p, "type_qualifier"), "const")
}

// inner returns the declarator inside of an initializer and array bounds: x of x[3] = {1}.
func inner(w *syntax.Walk, d syntax.Node) syntax.Node {
	for w.Is(d, "init_declarator", "array_declarator") {
		d = w.Field(d, "declarator")
	}
	return d
}

// declaration declares prototypes and variables. Inside a function it records local variables
// instead.
func declaration(w *syntax.Walk, n syntax.Node) {
	if w.InCallable() {
		locals(w, n)
		return
	}
	typ := w.Field(n, "type")
	last, anonymous := -1, w.Is(typ, "struct_specifier", "union_specifier", "enum_specifier") &&
		w.Field(typ, "name") < 0
	if !anonymous {
		w.Visit(typ)
	}
	for d := range w.All(n, "declarator") {
		c := name(w, d)
		switch {
		case c.name < 0:
			w.Visit(d)
		case c.function >= 0 && !w.Is(d, "init_declarator") || isPure(w, d, c):
			callable(w, n, d, c)
		default:
			last = variable(w, n, d, c)
		}
	}
	if anonymous {
		outer := w.Encloser
		if last >= 0 {
			w.Encloser = last
		}
		w.Visit(typ)
		w.Encloser = outer
	}
}

// isPure reports whether a declarator is a pure virtual function, f() = 0. It is needed where the
// grammar parsed a class as a block, and so the function as a variable.
func isPure(w *syntax.Walk, d syntax.Node, c cNamed) bool {
	return c.function >= 0 && w.Says(w.Field(d, "value"), "0")
}

func variable(w *syntax.Walk, n, d syntax.Node, c cNamed) int {
	owner, name, text := cOwner(w, c.name)
	typ := cType(w, n, d)
	v := syntax.Decl{
		Kind: code.KindVariable, Node: n, Name: name, Text: text, Owner: owner, Returns: typ,
		Modifiers: modifiers(w, n), Annotations: attributes(w, n),
	}
	if from := template(w, n); from >= 0 {
		v.From = from
	}
	if isConstant(w, n, d) {
		v.Kind = code.KindConstant
	}
	v.Exported = cVisible(w) && !slices.Contains(v.Modifiers, "static")
	value := w.Field(d, "value")
	if w.Is(value, "lambda_expression") {
		v.Kind, v.Body = code.KindFunction, max(w.Field(value, "body"), 0)
	}
	s := w.Declare(v)
	elide(w, s, n, w.Field(n, "type"))
	typed(w, w.Encloser, name, typ, value)
	reference(w, value)
	giveInitial(w, w.Field(n, "type"), d, value)
	w.Inside(s, d)
	return s
}

// typed records the type of a variable of symbol owner. For "auto" it records the expression that
// initializes the variable.
func typed(w *syntax.Walk, owner int, name syntax.Node, typ string, value syntax.Node) {
	if strings.Contains(typ, "auto") || typ == "" {
		w.Fact(code.FactAssign, owner, w.Str(name), w.Line(value), name)
		return
	}
	w.Fact(code.FactVar, owner, w.Str(name), typ, name)
}

// constructs records "T x(a, f());" as the construction of a local variable, and f() as a call. The
// grammar parses the line as a prototype whose parameters have the types a and f(). It returns
// false for any other declaration.
func constructs(w *syntax.Walk, n, d syntax.Node, c cNamed) bool {
	typ, list := w.Field(n, "type"), w.Field(c.function, "parameters")
	if w.Out.Language != "cpp" || d != c.function || !w.Is(c.name, "identifier") ||
		!w.Is(typ, "type_identifier", "qualified_identifier", "template_type") {
		return false
	}
	count := 0
	var called []syntax.Node
	for p := range w.Named(list) {
		t, f := w.Field(p, "type"), w.Field(p, "declarator")
		if !w.Is(p, "parameter_declaration") || !w.Is(t, "type_identifier", "qualified_identifier") {
			return false
		}
		switch {
		case w.Line(p) == w.Line(t):
		case w.Is(f, "abstract_function_declarator") && w.Line(f) == "()":
			called = append(called, t)
		default:
			return false
		}
		count++
	}
	if count == 0 {
		return false
	}
	holds(w, n, w.End(d), func() { w.Fact(code.FactVar, w.Encloser, w.Str(c.name), w.Line(typ), c.name) })
	name, receiver := split(w, typ)
	w.Call(code.CallNew, d, name, receiver, count)
	if last := len(w.Out.Calls) - 1; last >= 0 {
		w.Out.Calls[last].Span = w.Lines.Span(w.Start(typ), w.End(d))
	}
	for _, t := range called {
		name, receiver := split(w, t)
		w.Call(code.CallPlain, w.Parent(t), name, receiver, 0)
		scope(w, t, name)
	}
	return true
}

// holds calls record, which records facts about local variables. It limits the scope of these
// facts to the range from byte offset start to the end of the block or statement around n.
func holds(w *syntax.Walk, n syntax.Node, start int, record func()) {
	facts := len(w.Out.Facts)
	record()
	block := w.Within(n, "compound_statement", "for_statement", "for_range_loop", "if_statement", "while_statement",
		"switch_statement", "lambda_expression", "catch_clause", "function_definition")
	for i := range w.Out.Facts[facts:] {
		w.Out.Facts[facts+i].Scope = [2]int{start, max(start, w.End(block))}
	}
}

// locals records the types of local variables. In C++, initialization in parentheses or braces is a
// construction.
func locals(w *syntax.Walk, n syntax.Node) {
	for d := range w.All(n, "declarator") {
		c := name(w, d)
		if c.name >= 0 && c.function >= 0 && constructs(w, n, d, c) {
			continue
		}
		if c.name < 0 || c.function >= 0 && !w.Is(d, "init_declarator") {
			continue
		}
		value := w.Field(d, "value")
		if value < 0 { // if (auto *job = find())
			value = w.Field(n, "value")
		}
		holds(w, n, w.End(d), func() { typed(w, w.Encloser, c.name, cType(w, n, d), value) })
		reference(w, value)
		giveInitial(w, w.Field(n, "type"), d, value)
		if typ := w.Field(n, "type"); w.Is(value, "argument_list") ||
			w.Is(value, "initializer_list") && !w.Has(d, "=") {
			if w.Is(typ, "type_identifier", "qualified_identifier", "template_type") {
				name, receiver := split(w, typ)
				w.Call(code.CallNew, d, name, receiver, count(w, value))
				last := &w.Out.Calls[len(w.Out.Calls)-1]
				last.Span = w.Lines.Span(w.Start(typ), w.End(d))
			}
		}
	}
	w.Children(n)
}
