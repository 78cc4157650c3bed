package l2meta

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

func cRules() *rules {
	return &rules{
		comments: []string{"comment"},
		mask:     cMask,
		file:     func(w *walk, _ node) { w.state = &cState{namespaces: map[string]bool{}} },
		finish:   cFinish,
		handlers: cHandlers(),
	}
}

// cHandlers are the rules that C shares with C++.
func cHandlers() map[string]handler {
	return map[string]handler{
		"preproc_include":      cInclude,
		"preproc_def":          cDefine,
		"preproc_function_def": cDefine,
		"function_definition":  cFunction,
		"declaration":          cDeclaration,
		"type_definition":      cTypedef,
		"struct_specifier":     cRecord,
		"union_specifier":      cRecord,
		"enum_specifier":       cEnum,
		"enumerator":           cEnumerator,
		"field_declaration":    cField,
		"call_expression":      cCall,
		"initializer_list":     cInitializer,
		"assignment_expression": func(w *walk, n node) {
			cReference(w, w.field(n, "right"))
			w.children(n)
		},
		"initializer_pair": func(w *walk, n node) {
			cReference(w, w.field(n, "value"))
			w.children(n)
		},
	}
}

// cState is what is known of one file while it is visited.
type cState struct {
	references []reference
	namespaces map[string]bool // by qualified name
	// hidden: what is declared is not visible outside: an anonymous namespace,
	// the private part of a class.
	hidden bool
}

func cFinish(w *walk) {
	w.keepReferences(w.state.(*cState).references)
	cHiddenByErrors(w)
}

// cReference notes a name that is passed on as a value.
func cReference(w *walk, n node) {
	if w.is(n, "pointer_expression") {
		n = w.field(n, "argument")
	}
	st := w.state.(*cState)
	switch w.kind(n) {
	case "identifier":
		st.references = append(st.references, reference{site: n, name: n, receiver: none, caller: w.encloser})
	case "qualified_identifier":
		name, _ := cSplit(w, n)
		st.references = append(st.references, reference{site: n, name: name, receiver: none, caller: w.encloser})
	}
}

func cInclude(w *walk, n node) {
	path := w.field(n, "path")
	module := strings.Trim(w.str(path), "<>\" \t")
	if module != "" {
		w.addImport(n, code.Import{Module: module, Name: "*"})
	}
}

// cDefine declares a macro: one with parameters is a macro, one with a value a
// constant. It stands in no scope, wherever it is written.
func cDefine(w *walk, n node) {
	name, value := w.field(n, "name"), w.field(n, "value")
	d := decl{kind: code.KindMacro, node: n, name: name, exported: true}
	if w.is(n, "preproc_def") {
		if value < 0 && cIsGuard(w, n, name) {
			return
		}
		if value >= 0 {
			d.kind = code.KindConstant
		}
	} else {
		d.body = max(value, 0)
		for p := range w.tree.children(w.field(n, "parameters")) {
			switch w.kind(p) {
			case "identifier":
				d.parameters = append(d.parameters, code.Parameter{Name: w.str(p)})
			case "...":
				d.parameters = append(d.parameters, code.Parameter{Name: "...", Variadic: true})
			}
		}
	}
	outer, prefix := w.encloser, w.prefix
	w.encloser, w.prefix = -1, ""
	cHiddenByMacro(w, value, d.parameters, d.kind == code.KindMacro)
	s := w.declare(d)
	w.out.Symbols[s].Signature = strings.TrimRight(w.out.Symbols[s].Signature, " \\")
	w.encloser = s
	cMacroCalls(w, value)
	w.encloser, w.prefix = outer, prefix
}

// cIsGuard reports whether a macro without a value guards its header.
func cIsGuard(w *walk, n, name node) bool {
	p := w.parent(n)
	return w.is(p, "preproc_ifdef") && w.has(p, "#ifndef") && w.str(w.field(p, "name")) == w.str(name) &&
		int(w.nodes[n].next)+2 < int(w.nodes[p].next) // more than itself is guarded
}

// cRecord declares a struct, union or class that has a body, or is declared
// ahead without one. An anonymous one belongs to the declaration it stands in.
func cRecord(w *walk, n node) {
	body, name := w.field(n, "body"), w.field(n, "name")
	if name < 0 {
		w.children(n)
		return
	}
	if body < 0 {
		w.children(name)
		return
	}
	d := decl{kind: code.KindStruct, node: n, name: name, body: body, exported: cVisible(w)}
	if w.is(n, "class_specifier") {
		d.kind = code.KindClass
	}
	cRecordBody(w, n, d)
}

func cRecordBody(w *walk, n node, d decl) int {
	if from := cTemplate(w, n); from >= 0 {
		d.from = from
	}
	d.owner, d.name, d.text = cOwner(w, d.name)
	d.annotations = cAttributes(w, n)
	if w.child(n, "virtual_specifier") >= 0 {
		d.modifiers = append(d.modifiers, w.line(w.child(n, "virtual_specifier")))
	}
	s := w.declare(d)
	for b := range w.named(w.child(n, "base_class_clause")) {
		if w.is(b, "type_identifier", "qualified_identifier", "template_type", "dependent_type", "decltype") {
			w.fact(code.FactBase, s, "", w.line(b), b)
		}
	}
	st := w.state.(*cState)
	hidden := st.hidden
	st.hidden = hidden || w.is(n, "class_specifier")
	w.inside(s, d.body)
	st.hidden = hidden
	return s
}

// cVisible reports whether what is declared here is seen from other files.
func cVisible(w *walk) bool { return !w.state.(*cState).hidden && !w.inCallable() }

func cEnum(w *walk, n node) {
	body, name := w.field(n, "body"), w.field(n, "name")
	if body < 0 || name < 0 {
		w.children(n)
		return
	}
	d := decl{kind: code.KindEnum, node: n, name: name, body: body, exported: cVisible(w), annotations: cAttributes(w, n)}
	d.owner, d.name, d.text = cOwner(w, name)
	w.inside(w.declare(d), body)
}

func cEnumerator(w *walk, n node) {
	s := w.declare(decl{kind: code.KindConstant, node: n, name: w.field(n, "name"), exported: cVisible(w)})
	w.inside(s, w.field(n, "value"))
}

// cTypedef declares the names of a typedef; the first plain one of an
// anonymous record or enum is its name.
func cTypedef(w *walk, n node) {
	typ := w.field(n, "type")
	anonymous := w.is(typ, "struct_specifier", "union_specifier", "enum_specifier", "class_specifier") &&
		w.field(typ, "name") < 0 && w.field(typ, "body") >= 0
	if w.inCallable() {
		for d := range w.all(n, "declarator") {
			name := cName(w, d).name
			w.fact(code.FactAlias, w.encloser, w.str(name), cType(w, n, d), name)
		}
		w.children(n)
		return
	}
	if !anonymous {
		w.visit(typ)
	}
	for d := range w.all(n, "declarator") {
		name := cName(w, d).name
		if name < 0 {
			continue
		}
		if anonymous && w.is(d, "type_identifier") {
			anonymous = false
			c := decl{kind: code.KindStruct, node: n, name: name, body: w.field(typ, "body"), exported: cVisible(w)}
			if w.is(typ, "enum_specifier") {
				c.kind = code.KindEnum
				s := w.declare(c)
				cElide(w, s, n, typ)
				w.inside(s, c.body)
			} else {
				cElide(w, cRecordBody(w, typ, c), n, typ)
			}
			continue
		}
		s := w.declare(decl{kind: code.KindType, node: n, name: name, exported: cVisible(w)})
		cElide(w, s, n, typ)
		w.fact(code.FactAlias, s, w.str(name), cType(w, n, d), name)
	}
	if anonymous {
		w.visit(typ)
	}
}

// cElide leaves the body of a record out of the signature of what is declared
// with it: "typedef struct node *list".
func cElide(w *walk, s int, n, typ node) {
	body := w.field(typ, "body")
	if body < 0 {
		return
	}
	head, tail := oneLine(w.text[w.start(n):w.start(body)]), oneLine(w.text[w.end(body):w.end(n)])
	w.out.Symbols[s].Signature = strings.TrimRight(head+" "+tail, " ;,=")
}

// cField declares the members of a record.
func cField(w *walk, n node) {
	typ := w.field(n, "type")
	if w.encloser < 0 || w.inCallable() {
		w.children(n)
		return
	}
	owner, last := w.encloser, -1
	for d := range w.all(n, "declarator") {
		c := cName(w, d)
		if c.name < 0 {
			continue
		}
		if c.function >= 0 {
			cCallable(w, n, d, c)
			continue
		}
		f := decl{kind: code.KindField, node: n, name: c.name, returns: cType(w, n, d), exported: cVisible(w), annotations: cAttributes(w, n)}
		f.modifiers = cModifiers(w, n)
		if from := cTemplate(w, n); from >= 0 {
			f.from = from
		}
		if cIsConstant(w, n, d) {
			f.kind = code.KindConstant
		}
		last = w.declare(f)
		cElide(w, last, n, typ)
		w.fact(code.FactField, owner, w.str(c.name), f.returns, c.name)
	}
	if last >= 0 && w.field(typ, "name") < 0 {
		w.inside(last, typ) // an anonymous record is the type of its field
	} else {
		w.visit(typ)
	}
	for v := range w.all(n, "default_value") {
		w.inside(last, v)
	}
	for c := range w.named(n) {
		if w.is(c, "initializer_list", "argument_list", "bitfield_clause") {
			w.inside(last, c)
		}
	}
}

// cIsConstant reports whether a variable is written never to change.
func cIsConstant(w *walk, n, declarator node) bool {
	for q := range w.named(n) {
		if w.is(q, "type_qualifier") {
			switch w.str(q) {
			case "constexpr", "constinit":
				return true
			case "const":
				if !w.is(cInner(w, declarator), "pointer_declarator", "reference_declarator") {
					return true
				}
			}
		}
	}
	p := cInner(w, declarator)
	return w.is(p, "pointer_declarator") && w.says(w.child(p, "type_qualifier"), "const")
}

// cInner is a declarator without its initializer and array bounds.
func cInner(w *walk, d node) node {
	for w.is(d, "init_declarator", "array_declarator") {
		d = w.field(d, "declarator")
	}
	return d
}

// cDeclaration declares prototypes and variables; inside a function it is a
// statement about locals.
func cDeclaration(w *walk, n node) {
	if w.inCallable() {
		cLocals(w, n)
		return
	}
	typ := w.field(n, "type")
	last, anonymous := -1, w.is(typ, "struct_specifier", "union_specifier", "enum_specifier") && w.field(typ, "name") < 0
	if !anonymous {
		w.visit(typ)
	}
	for d := range w.all(n, "declarator") {
		c := cName(w, d)
		switch {
		case c.name < 0:
			w.visit(d)
		case c.function >= 0 && !w.is(d, "init_declarator") || cIsPure(w, d, c):
			cCallable(w, n, d, c)
		default:
			last = cVariable(w, n, d, c)
		}
	}
	if anonymous {
		outer := w.encloser
		if last >= 0 {
			w.encloser = last
		}
		w.visit(typ)
		w.encloser = outer
	}
}

// cIsPure reports whether a function is initialized with 0: pure virtual,
// where the grammar took a class for a block.
func cIsPure(w *walk, d node, c cNamed) bool {
	return c.function >= 0 && w.says(w.field(d, "value"), "0")
}

func cVariable(w *walk, n, d node, c cNamed) int {
	owner, name, text := cOwner(w, c.name)
	typ := cType(w, n, d)
	v := decl{
		kind: code.KindVariable, node: n, name: name, text: text, owner: owner, returns: typ,
		modifiers: cModifiers(w, n), annotations: cAttributes(w, n),
	}
	if from := cTemplate(w, n); from >= 0 {
		v.from = from
	}
	if cIsConstant(w, n, d) {
		v.kind = code.KindConstant
	}
	v.exported = cVisible(w) && !slices.Contains(v.modifiers, "static")
	value := w.field(d, "value")
	if w.is(value, "lambda_expression") {
		v.kind, v.body = code.KindFunction, max(w.field(value, "body"), 0)
	}
	s := w.declare(v)
	cElide(w, s, n, w.field(n, "type"))
	cTyped(w, w.encloser, name, typ, value)
	cReference(w, value)
	w.inside(s, d)
	return s
}

// cTyped records the type of a variable, or with "auto" what it is assigned.
func cTyped(w *walk, owner int, name node, typ string, value node) {
	if strings.Contains(typ, "auto") || typ == "" {
		w.fact(code.FactAssign, owner, w.str(name), w.line(value), name)
		return
	}
	w.fact(code.FactVar, owner, w.str(name), typ, name)
}

// cConstructs records "T x(a, b);" as the construction of a local, which the
// grammar takes for a prototype: every parameter is a bare name, or a call of
// one without arguments.
func cConstructs(w *walk, n, d node, c cNamed) bool {
	typ, list := w.field(n, "type"), w.field(c.function, "parameters")
	if w.out.Language != "cpp" || d != c.function || !w.is(c.name, "identifier") || !w.is(typ, "type_identifier", "qualified_identifier", "template_type") {
		return false
	}
	count := 0
	var called []node
	for p := range w.named(list) {
		t, f := w.field(p, "type"), w.field(p, "declarator")
		if !w.is(p, "parameter_declaration") || !w.is(t, "type_identifier", "qualified_identifier") {
			return false
		}
		switch {
		case w.line(p) == w.line(t):
		case w.is(f, "abstract_function_declarator") && w.line(f) == "()":
			called = append(called, t)
		default:
			return false
		}
		count++
	}
	if count == 0 {
		return false
	}
	cHolds(w, n, w.end(d), func() { w.fact(code.FactVar, w.encloser, w.str(c.name), w.line(typ), c.name) })
	name, receiver := cSplit(w, typ)
	w.call(code.CallNew, d, name, receiver, count)
	if last := len(w.out.Calls) - 1; last >= 0 {
		w.out.Calls[last].Span = w.lines.Span(w.start(typ), w.end(d))
	}
	for _, t := range called {
		name, receiver := cSplit(w, t)
		w.call(code.CallPlain, w.parent(t), name, receiver, 0)
		cScope(w, t, name)
	}
	return true
}

// cHolds makes the facts that record states hold from offset start to the end
// of the block or the statement around n.
func cHolds(w *walk, n node, start int, record func()) {
	facts := len(w.out.Facts)
	record()
	block := w.within(n, "compound_statement", "for_statement", "for_range_loop", "if_statement", "while_statement", "switch_statement",
		"lambda_expression", "catch_clause", "function_definition")
	for i := range w.out.Facts[facts:] {
		w.out.Facts[facts+i].Scope = [2]int{start, max(start, w.end(block))}
	}
}

// cLocals records the types of local variables. In C++ one that is
// initialized in parentheses or braces is constructed.
func cLocals(w *walk, n node) {
	for d := range w.all(n, "declarator") {
		c := cName(w, d)
		if c.name >= 0 && c.function >= 0 && cConstructs(w, n, d, c) {
			continue
		}
		if c.name < 0 || c.function >= 0 && !w.is(d, "init_declarator") {
			continue
		}
		value := w.field(d, "value")
		cHolds(w, n, w.end(d), func() { cTyped(w, w.encloser, c.name, cType(w, n, d), value) })
		cReference(w, value)
		if typ := w.field(n, "type"); w.is(value, "argument_list") || w.is(value, "initializer_list") && !w.has(d, "=") {
			if w.is(typ, "type_identifier", "qualified_identifier", "template_type") {
				name, receiver := cSplit(w, typ)
				w.call(code.CallNew, d, name, receiver, cCount(w, value))
				last := &w.out.Calls[len(w.out.Calls)-1]
				last.Span = w.lines.Span(w.start(typ), w.end(d))
			}
		}
	}
	w.children(n)
}
