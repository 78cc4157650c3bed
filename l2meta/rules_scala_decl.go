package l2meta

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sextant/internal/code"
)

var scalaKinds = map[string]code.Kind{
	"class_definition": code.KindClass, "object_definition": code.KindClass, "package_object": code.KindClass,
	"trait_definition": code.KindTrait, "enum_definition": code.KindEnum,
}

// scalaEnd is where a definition ends: at its end marker, or at its last token,
// as the node of an indented body runs on to the next line. 0 is its own end.
func scalaEnd(w *walk, n node) node {
	if end := w.after(n); w.is(end, "end") {
		if name := w.after(end); name > 0 {
			return name
		}
	}
	if end := w.end(n); end > 0 && end <= len(w.text) && isSpace(w.text[end-1]) {
		return w.lastToken(n)
	}
	return 0
}

func scalaType(w *walk, n node) {
	body := w.field(n, "body")
	d := decl{kind: scalaKinds[w.kind(n)], node: n, to: scalaEnd(w, n), name: w.field(n, "name"), body: max(body, 0)}
	d.text = kotlinBare(w.str(d.name))
	annotations := scalaModifiers(w, n, &d)
	s := scalaClass(w, n, d, annotations)
	w.inside(s, body)
}

// scalaClass declares a type or a case of an enumeration with its parameters
// and bases.
func scalaClass(w *walk, n node, d decl, annotations []node) int {
	d.parameters = scalaParameters(w, n)
	s := w.declare(d)
	for _, a := range annotations {
		w.inside(s, a)
	}
	w.typed(s, d, n, none)
	scalaLists(w, s, n)
	scalaBounds(w, s, n)
	w.as(s, func() {
		product := slices.Contains(d.modifiers, "case") || w.is(n, "full_enum_case")
		for list := range w.all(n, "class_parameters") {
			scalaClassParameters(w, list, product)
			product = false // of a case class the first list alone
		}
		scalaBases(w, n, d.kind)
	})
	return s
}

// scalaClassParameters declares those parameters that are members too: val,
// var and, where product, all.
func scalaClassParameters(w *walk, list node, product bool) {
	class := w.encloser
	for p := range w.named(list) {
		if !w.is(p, "class_parameter") {
			continue
		}
		value := w.field(p, "default_value")
		if !product && !w.has(p, "val") && !w.has(p, "var") {
			w.inside(class, value)
			continue
		}
		typ := w.field(p, "type")
		d := decl{kind: code.KindProperty, node: p, name: w.field(p, "name"), returns: w.line(typ)}
		d.text = kotlinBare(w.str(d.name))
		annotations := scalaModifiers(w, p, &d)
		w.fact(code.FactField, class, d.text, d.returns, p)
		s := w.declare(d)
		for _, a := range annotations {
			w.inside(s, a)
		}
		w.inside(class, value)
	}
}

// scalaParameters are the parameters of all lists of n.
func scalaParameters(w *walk, n node) (out []code.Parameter) {
	for list := range w.named(n) {
		if !w.is(list, "parameters", "class_parameters") {
			continue
		}
		for p := range w.named(list) {
			if !w.is(p, "parameter", "class_parameter") {
				out = append(out, code.Parameter{Type: w.line(p)}) // using, without a name
				continue
			}
			typ := w.field(p, "type")
			out = append(out, code.Parameter{
				Name: kotlinBare(w.str(w.field(p, "name"))), Type: w.line(typ), Default: w.line(w.field(p, "default_value")),
				Variadic: w.is(typ, "repeated_parameter_type"),
			})
		}
	}
	return out
}

// scalaLists records how the parameters of s are parted into lists, unless they
// are one that is given: "2 i1" of f(a, b)(implicit c), "0" of f().
func scalaLists(w *walk, s int, n node) {
	var lists []string
	first := none
	for list := range w.named(n) {
		if !w.is(list, "parameters", "class_parameters") {
			continue
		}
		if first < 0 {
			first = list
		}
		count := strconv.Itoa(w.countNamed(list))
		if w.has(list, "implicit") || w.has(list, "using") {
			count = "i" + count
		}
		lists = append(lists, count)
	}
	if len(lists) != 1 || lists[0] == "0" || lists[0][0] == 'i' {
		w.fact(code.FactParam, s, "", strings.Join(lists, " "), first)
	}
}

// scalaBounds records type parameters as names for their upper bounds.
func scalaBounds(w *walk, s int, n node) {
	for list := range w.named(n) {
		if !w.is(list, "type_parameters") {
			continue
		}
		name := none
		for c := range w.descendants(list) {
			if w.is(c, "identifier") && w.is(w.parent(c), "type_parameters", "covariant_type_parameter", "contravariant_type_parameter") {
				name = c
				w.fact(code.FactAlias, s, w.str(name), unbounded, name)
			}
			if w.is(c, "upper_bound") {
				typ := w.field(c, "type")
				w.fact(code.FactAlias, s, w.str(name), w.line(typ), typ)
			}
		}
	}
}

// scalaBases records what a type extends: the first type is the base, which
// may be constructed, the others are mixed in.
func scalaBases(w *walk, n node, kind code.Kind) {
	clause := w.field(n, "extend")
	if clause < 0 {
		clause = w.child(n, "extends_clause")
	}
	fact := code.FactBase
	for c := range w.named(clause) {
		if w.is(c, "arguments", "block", "comment") {
			continue
		}
		w.fact(fact, w.encloser, "", w.line(c), c)
		if args := w.after(c); w.is(args, "arguments") {
			count := 0
			var lists []node
			for ; w.is(args, "arguments"); args = w.after(args) {
				count, lists = count+scalaArgs(w, args), append(lists, args)
			}
			name, receiver := scalaTypeName(w, c)
			w.call(code.CallSuper, c, name, receiver, count)
			if name >= 0 {
				scalaHands(w, name, "-", none, lists)
			}
		}
		if kind != code.KindTrait {
			fact = code.FactImpl
		}
	}
	for args := range w.named(clause) {
		if w.is(args, "arguments") {
			w.visit(args)
		}
	}
	for c := range w.all(w.field(n, "derive"), "type") {
		if w.isNamed(c) {
			w.fact(code.FactImpl, w.encloser, "", w.line(c), c)
		}
	}
}

func scalaCase(w *walk, n node) {
	d := decl{kind: code.KindConstant, node: n, to: scalaEnd(w, n), name: w.field(n, "name")}
	if p := w.parent(n); w.countNamed(p) == 1 {
		d.from = p // "case" is a part of it, unless it is shared
	}
	annotations := scalaModifiers(w, n, &d)
	if w.enclosedBy(code.KindEnum) {
		w.fact(code.FactField, w.encloser, w.str(d.name), w.out.Symbols[w.encloser].Name, n)
	}
	scalaClass(w, n, d, annotations)
}

// scalaGiven declares a given: with a body a class, else a value. One without
// a name is named for its type, as the compiler does.
func scalaGiven(w *walk, n node) {
	typ, body := none, w.field(n, "body")
	for c := range w.all(n, "return_type") {
		if typ < 0 {
			typ = c
		}
	}
	d := decl{kind: code.KindClass, node: n, to: scalaEnd(w, n), name: w.field(n, "name"), body: max(body, 0), returns: w.line(typ)}
	if !w.is(body, "with_template_body", "template_body") {
		d.kind = code.KindProperty
		if w.encloser < 0 {
			d.kind = code.KindVariable
		}
	}
	if d.name < 0 {
		d.name = typ
		d.text = "given_" + strings.Join(strings.FieldsFunc(w.line(typ), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "_")
	}
	if d.name < 0 {
		w.children(n)
		return
	}
	annotations := scalaModifiers(w, n, &d)
	d.parameters = scalaParameters(w, n)
	owner := w.encloser
	s := w.declare(d)
	for _, a := range annotations {
		w.inside(s, a)
	}
	name := w.out.Symbols[s].Name
	if d.kind == code.KindClass {
		w.fact(code.FactImpl, s, "", d.returns, typ)
	} else {
		w.fact(code.FactVar, owner, name, d.returns, typ)
	}
	w.inside(s, body)
}

// scalaExtension visits the methods of an extension, each with the receiver
// as its parameter "this".
func scalaExtension(w *walk, n node) {
	st := w.state.(*scalaFile)
	outer := st.receiver
	for _, p := range scalaParameters(w, n) {
		if p.Name != "" {
			st.receiver = p
			break
		}
	}
	for c := range w.all(n, "body") {
		w.visit(c)
	}
	st.receiver = outer
}

func scalaAlias(w *walk, n node) {
	typ := none
	for c := range w.all(n, "type") {
		typ = c
	}
	name := w.field(n, "name")
	if scalaIsLocal(w, n) {
		w.fact(code.FactAlias, w.encloser, w.str(name), w.line(typ), n)
		return
	}
	d := decl{kind: code.KindType, node: n, name: name}
	annotations := scalaModifiers(w, n, &d)
	s := w.declare(d)
	for _, a := range annotations {
		w.inside(s, a)
	}
	w.fact(code.FactAlias, s, w.str(name), w.line(typ), typ)
	for bound := range w.all(n, "bound") {
		if w.is(bound, "upper_bound") {
			w.fact(code.FactBase, s, "", w.line(w.field(bound, "type")), bound)
		}
	}
}

func scalaFunction(w *walk, n node) {
	body, result := w.field(n, "body"), w.field(n, "return_type")
	d := decl{kind: code.KindFunction, node: n, to: scalaEnd(w, n), name: w.field(n, "name"), body: max(body, 0), returns: w.line(result)}
	d.text = kotlinBare(w.str(d.name))
	annotations := scalaModifiers(w, n, &d)
	if class := w.classAround(); class >= 0 && !scalaIsLocal(w, n) || w.is(w.parent(n), "template_body") && w.encloser >= 0 {
		d.kind = code.KindMethod
		if d.text == "this" && class >= 0 {
			d.kind, d.text = code.KindConstructor, w.out.Symbols[class].Name
		}
	}
	for _, a := range annotations {
		if name, _ := scalaTypeName(w, w.field(a, "name")); w.says(name, "Test") {
			d.kind = code.KindTest
		}
	}
	if d.kind == code.KindMethod && w.enclosedBy(code.KindNamespace) {
		d.kind = code.KindFunction
	}
	d.parameters = scalaParameters(w, n)
	s := w.declare(d)
	for _, a := range annotations {
		w.inside(s, a)
	}
	if r := w.state.(*scalaFile).receiver; r.Name != "" && w.within(n, "extension_definition") >= 0 {
		w.fact(code.FactParam, s, "this", r.Type, d.name)
		w.fact(code.FactParam, s, r.Name, r.Type, d.name)
	}
	w.typed(s, d, n, result)
	scalaLists(w, s, n)
	scalaBounds(w, s, n)
	if result < 0 && body >= 0 && d.kind != code.KindConstructor {
		term := "(k Unit)" // def f { … }
		if w.has(n, "=") {
			term = scalaTerm(w, body)
		}
		w.fact(code.FactReturn, s, "", term, body)
	}
	for list := range w.named(n) {
		if w.is(list, "parameters") {
			for p := range w.named(list) {
				w.inside(s, w.field(p, "default_value"))
			}
		}
	}
	w.inside(s, body)
}

// scalaValue declares the names of a val or var, and records what is said of
// local ones.
func scalaValue(w *walk, n node) {
	typ, value := w.field(n, "type"), w.field(n, "value")
	owner := w.encloser
	if scalaIsLocal(w, n) {
		boundIn(w, w.parent(n), w.start(n), func() {
			scalaSays(w, n, owner, code.FactVar)
			scalaMade(w, n, value)
		})
		for c := range w.named(n) {
			w.visit(c)
		}
		return
	}
	d := decl{node: n, to: scalaEnd(w, n), returns: w.line(typ)}
	annotations := scalaModifiers(w, n, &d)
	kind, fact := code.KindProperty, code.FactField
	if owner < 0 || w.enclosedBy(code.KindNamespace) {
		kind, fact = code.KindVariable, code.FactVar
	}
	if slices.Contains(d.modifiers, "final") && slices.Contains(d.modifiers, "val") {
		kind = code.KindConstant
	}
	d.body = max(w.find(value, "template_body", "block", "case_block", "indented_block"), 0)
	if w.is(value, "block", "case_block", "indented_block") {
		d.body = value
	}
	first := -1
	for _, name := range scalaNames(w, n) {
		d.kind, d.name, d.text = kind, name, kotlinBare(w.str(name))
		if s := w.declare(d); first < 0 {
			first = s
		}
	}
	scalaSays(w, n, owner, fact)
	if first < 0 {
		first = owner
	}
	for _, a := range annotations {
		w.inside(first, a)
	}
	w.inside(first, value)
}

// scalaMade records that a local val is given a new object: of a class, not of
// one that is written right there.
func scalaMade(w *walk, n, value node) {
	class := w.child(value, "type_identifier", "generic_type", "stable_type_identifier")
	if names := scalaNames(w, n); w.is(n, "val_definition") && len(names) == 1 && w.is(value, "instance_expression") && class >= 0 && w.find(value, "template_body") < 0 {
		w.made(names[0], "new "+w.line(class)+"()")
	}
}

// scalaNames are the names that a value's definition binds.
func scalaNames(w *walk, n node) (out []node) {
	for name := range w.all(n, "name") {
		if w.is(name, "identifier") {
			out = append(out, name)
		}
	}
	switch pattern := w.field(n, "pattern"); {
	case w.is(pattern, "identifier"):
		out = append(out, pattern)
	case w.is(pattern, "identifiers"):
		out = slices.AppendSeq(out, w.named(pattern))
	case pattern >= 0:
		scalaBinds(w, pattern, scalaOpaque, func(name node, _ string, _ node) { out = append(out, name) })
	}
	return out
}

// scalaSays records the types of the names that a value's definition binds, or
// what they are given.
func scalaSays(w *walk, n node, owner int, fact code.FactKind) {
	typ, value, pattern := w.field(n, "type"), w.field(n, "value"), w.field(n, "pattern")
	src := scalaOpaque
	if value >= 0 {
		src = scalaTerm(w, value)
	}
	if w.is(pattern, "identifier", "identifiers") || pattern < 0 {
		for _, name := range scalaNames(w, n) {
			if typ >= 0 {
				w.fact(fact, owner, kotlinBare(w.str(name)), w.line(typ), name)
			} else {
				w.fact(code.FactAssign, owner, kotlinBare(w.str(name)), src, name)
			}
		}
		return
	}
	if typ >= 0 {
		src = "(as " + scalaQuoted(w, typ) + " " + src + ")"
	}
	scalaBinds(w, pattern, src, func(name node, term string, typ node) {
		if typ >= 0 {
			w.fact(fact, owner, kotlinBare(w.str(name)), w.line(typ), name)
		} else if len(term) <= maxScalaTerm {
			w.fact(code.FactAssign, owner, kotlinBare(w.str(name)), term, name)
		}
	})
}
