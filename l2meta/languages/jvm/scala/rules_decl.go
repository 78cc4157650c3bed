package scala

import (
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

var kindOf = map[string]code.Kind{
	"class_definition": code.KindClass, "object_definition": code.KindClass, "package_object": code.KindClass,
	"trait_definition": code.KindTrait, "enum_definition": code.KindEnum,
}

// scalaEnd returns the node at which a definition ends: its end marker, or its last token, because
// the node of an indented body extends to the next line. 0 means the end of n.
func scalaEnd(w *syntax.Walk, n syntax.Node) syntax.Node {
	if end := w.After(n); w.Is(end, "end") {
		if name := w.After(end); name > 0 {
			return name
		}
	}
	if end := w.End(n); end > 0 && end <= len(w.Text) && syntax.IsSpace(w.Text[end-1]) {
		return w.LastToken(n)
	}
	return 0
}

func scalaType(w *syntax.Walk, n syntax.Node) {
	body := w.Field(n, "body")
	d := syntax.Decl{Kind: kindOf[w.Kind(n)], Node: n, To: scalaEnd(w, n), Name: w.Field(n, "name"), Body: max(body, 0)}
	d.Text = facts.Bare(w.Str(d.Name))
	annotations := modifiers(w, n, &d)
	s := scalaClass(w, n, d, annotations)
	w.Inside(s, body)
}

// scalaClass declares a type or an enum case, with its parameters and bases.
func scalaClass(w *syntax.Walk, n syntax.Node, d syntax.Decl, annotations []syntax.Node) int {
	d.Parameters = parameters(w, n)
	s := w.Declare(d)
	for _, a := range annotations {
		w.Inside(s, a)
	}
	w.Typed(s, d, n, syntax.None)
	parameterLists(w, s, n)
	bounds(w, s, n)
	w.As(s, func() {
		product := slices.Contains(d.Modifiers, "case") || w.Is(n, "full_enum_case")
		for list := range w.All(n, "class_parameters") {
			classParameters(w, list, product)
			product = false // only the first list of a case class declares members
		}
		bases(w, n, d.Kind)
	})
	return s
}

// classParameters declares the class parameters that are also members: those with val or var or, if
// product is set, all, as in the first list of a case class.
func classParameters(w *syntax.Walk, list syntax.Node, product bool) {
	class := w.Encloser
	for p := range w.Named(list) {
		if !w.Is(p, "class_parameter") {
			continue
		}
		value := w.Field(p, "default_value")
		if !product && !w.Has(p, "val") && !w.Has(p, "var") {
			w.Inside(class, value)
			continue
		}
		typ := w.Field(p, "type")
		d := syntax.Decl{Kind: code.KindProperty, Node: p, Name: w.Field(p, "name"), Returns: w.Line(typ)}
		d.Text = facts.Bare(w.Str(d.Name))
		annotations := modifiers(w, p, &d)
		w.Fact(code.FactField, class, d.Text, d.Returns, p)
		s := w.Declare(d)
		for _, a := range annotations {
			w.Inside(s, a)
		}
		w.Inside(class, value)
	}
}

// parameters returns the parameters in all lists of n.
func parameters(w *syntax.Walk, n syntax.Node) (out []code.Parameter) {
	for list := range w.Named(n) {
		if !w.Is(list, "parameters", "class_parameters") {
			continue
		}
		for p := range w.Named(list) {
			if !w.Is(p, "parameter", "class_parameter") {
				out = append(out, code.Parameter{Type: w.Line(p)}) // a using parameter may have no name
				continue
			}
			typ := w.Field(p, "type")
			out = append(out, code.Parameter{
				Name: facts.Bare(w.Str(w.Field(p, "name"))), Type: w.Line(typ),
				Default:  w.Line(w.Field(p, "default_value")),
				Variadic: w.Is(typ, "repeated_parameter_type"),
			})
		}
	}
	return out
}

// parameterLists records how many parameters of s are in each of its lists: one and one for
// def f(a: A)(implicit b: B). It records nothing for a single list, unless that is implicit or empty.
func parameterLists(w *syntax.Walk, s int, n syntax.Node) {
	var lists []code.ParameterList
	first := syntax.None
	for list := range w.Named(n) {
		if !w.Is(list, "parameters", "class_parameters") {
			continue
		}
		if first < 0 {
			first = list
		}
		lists = append(lists, code.ParameterList{
			Count: w.CountNamed(list), Implicit: w.Has(list, "implicit") || w.Has(list, "using"),
		})
	}
	if len(lists) != 1 || lists[0].Count == 0 || lists[0].Implicit {
		w.Fact(code.FactParam, s, "", code.ParameterLists(lists), first)
	}
}

// bounds records each type parameter of symbol s as an alias of its upper bound: T <: Order as T =
// Order.
func bounds(w *syntax.Walk, s int, n syntax.Node) {
	for list := range w.Named(n) {
		if !w.Is(list, "type_parameters") {
			continue
		}
		name := syntax.None
		for c := range w.Descendants(list) {
			if w.Is(c, "identifier") && w.Is(w.Parent(c), "type_parameters", "covariant_type_parameter",
				"contravariant_type_parameter") {
				name = c
				w.Fact(code.FactAlias, s, w.Str(name), facts.Unbounded, name)
			}
			if w.Is(c, "upper_bound") {
				typ := w.Field(c, "type")
				w.Fact(code.FactAlias, s, w.Str(name), w.Line(typ), typ)
			}
		}
	}
}

// bases records the types that a type extends. The first is the base, which may be
// constructed; the others are mixed in.
func bases(w *syntax.Walk, n syntax.Node, kind code.Kind) {
	clause := w.Field(n, "extend")
	if clause < 0 {
		clause = w.Child(n, "extends_clause")
	}
	fact := code.FactBase
	for c := range w.Named(clause) {
		if w.Is(c, "arguments", "block", "comment") {
			continue
		}
		w.Fact(fact, w.Encloser, "", w.Line(c), c)
		if args := w.After(c); w.Is(args, "arguments") {
			count := 0
			var lists []syntax.Node
			for ; w.Is(args, "arguments"); args = w.After(args) {
				count, lists = count+scalaArgs(w, args), append(lists, args)
			}
			name, receiver := typeName(w, c)
			w.Call(code.CallSuper, c, name, receiver, count)
			if name >= 0 {
				hands(w, name, "-", syntax.None, lists)
			}
		}
		if kind != code.KindTrait {
			fact = code.FactImpl
		}
	}
	for args := range w.Named(clause) {
		if w.Is(args, "arguments") {
			w.Visit(args)
		}
	}
	for c := range w.All(w.Field(n, "derive"), "type") {
		if w.IsNamed(c) {
			w.Fact(code.FactImpl, w.Encloser, "", w.Line(c), c)
		}
	}
}

func scalaCase(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindConstant, Node: n, To: scalaEnd(w, n), Name: w.Field(n, "name")}
	if p := w.Parent(n); w.CountNamed(p) == 1 {
		d.From = p // the span includes "case", unless several cases share it
	}
	annotations := modifiers(w, n, &d)
	if w.EnclosedBy(code.KindEnum) {
		w.Fact(code.FactField, w.Encloser, w.Str(d.Name), w.Out.Symbols[w.Encloser].Name, n)
	}
	scalaClass(w, n, d, annotations)
}

// given declares a given: a class if it has a body, given ord: Ordering[Order] with { … }, else a
// value. A given without a name is named after its type, given_Ordering_Order, as the compiler
// names it.
func given(w *syntax.Walk, n syntax.Node) {
	typ, body := syntax.None, w.Field(n, "body")
	for c := range w.All(n, "return_type") {
		if typ < 0 {
			typ = c
		}
	}
	d := syntax.Decl{Kind: code.KindClass, Node: n, To: scalaEnd(w, n), Name: w.Field(n, "name"), Body: max(body, 0),
		Returns: w.Line(typ)}
	if !w.Is(body, "with_template_body", "template_body") {
		d.Kind = code.KindProperty
		if w.Encloser < 0 {
			d.Kind = code.KindVariable
		}
	}
	if d.Name < 0 {
		d.Name = typ
		d.Text = "given_" + strings.Join(strings.FieldsFunc(w.Line(typ), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}), "_")
	}
	if d.Name < 0 {
		w.Children(n)
		return
	}
	annotations := modifiers(w, n, &d)
	d.Parameters = parameters(w, n)
	owner := w.Encloser
	s := w.Declare(d)
	for _, a := range annotations {
		w.Inside(s, a)
	}
	name := w.Out.Symbols[s].Name
	if d.Kind == code.KindClass {
		w.Fact(code.FactImpl, s, "", d.Returns, typ)
	} else {
		w.Fact(code.FactVar, owner, name, d.Returns, typ)
	}
	w.Inside(s, body)
}

// extension visits the methods of an extension, each with the receiver as its parameter
// "this".
func extension(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*file)
	outer := st.receiver
	for _, p := range parameters(w, n) {
		if p.Name != "" {
			st.receiver = p
			break
		}
	}
	for c := range w.All(n, "body") {
		w.Visit(c)
	}
	st.receiver = outer
}

func scalaAlias(w *syntax.Walk, n syntax.Node) {
	typ := syntax.None
	for c := range w.All(n, "type") {
		typ = c
	}
	name := w.Field(n, "name")
	if isLocal(w, n) {
		w.Fact(code.FactAlias, w.Encloser, w.Str(name), w.Line(typ), n)
		return
	}
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: name}
	annotations := modifiers(w, n, &d)
	s := w.Declare(d)
	for _, a := range annotations {
		w.Inside(s, a)
	}
	w.Fact(code.FactAlias, s, w.Str(name), w.Line(typ), typ)
	for bound := range w.All(n, "bound") {
		if w.Is(bound, "upper_bound") {
			w.Fact(code.FactBase, s, "", w.Line(w.Field(bound, "type")), bound)
		}
	}
}

func functionDeclaration(w *syntax.Walk, n syntax.Node) {
	body, result := w.Field(n, "body"), w.Field(n, "return_type")
	d := syntax.Decl{Kind: code.KindFunction, Node: n, To: scalaEnd(w, n), Name: w.Field(n, "name"), Body: max(body, 0),
		Returns: w.Line(result)}
	d.Text = facts.Bare(w.Str(d.Name))
	annotations := modifiers(w, n, &d)
	if class := w.ClassAround(); class >= 0 && !isLocal(w, n) || w.Is(w.Parent(n), "template_body") && w.Encloser >= 0 {
		d.Kind = code.KindMethod
		if d.Text == "this" && class >= 0 {
			d.Kind, d.Text = code.KindConstructor, w.Out.Symbols[class].Name
		}
	}
	for _, a := range annotations {
		if name, _ := typeName(w, w.Field(a, "name")); w.Says(name, "Test") {
			d.Kind = code.KindTest
		}
	}
	if d.Kind == code.KindMethod && w.EnclosedBy(code.KindNamespace) {
		d.Kind = code.KindFunction
	}
	d.Parameters = parameters(w, n)
	d.Computed = d.Kind != code.KindConstructor && w.Child(n, "parameters") < 0
	s := w.Declare(d)
	for _, a := range annotations {
		w.Inside(s, a)
	}
	if r := w.State.(*file).receiver; r.Name != "" && w.Within(n, "extension_definition") >= 0 {
		w.Fact(code.FactParam, s, "this", r.Type, d.Name)
		w.Fact(code.FactParam, s, r.Name, r.Type, d.Name)
	}
	w.Typed(s, d, n, result)
	parameterLists(w, s, n)
	bounds(w, s, n)
	if result < 0 && body >= 0 && d.Kind != code.KindConstructor {
		term := "(k Unit)" // the result of a procedure, def f { … }, is Unit
		if w.Has(n, "=") {
			term = termText(w, body)
		}
		w.Fact(code.FactReturn, s, "", term, body)
	}
	for list := range w.Named(n) {
		if w.Is(list, "parameters") {
			for p := range w.Named(list) {
				w.Inside(s, w.Field(p, "default_value"))
			}
		}
	}
	w.Inside(s, body)
}

// scalaValue declares the names of a val or var, and records the types and values of local ones.
func scalaValue(w *syntax.Walk, n syntax.Node) {
	typ, value := w.Field(n, "type"), w.Field(n, "value")
	owner := w.Encloser
	if isLocal(w, n) {
		facts.BoundIn(w, w.Parent(n), w.Start(n), func() {
			says(w, n, owner, code.FactVar)
			made(w, n, value)
		})
		for c := range w.Named(n) {
			w.Visit(c)
		}
		return
	}
	d := syntax.Decl{Node: n, To: scalaEnd(w, n), Returns: w.Line(typ)}
	annotations := modifiers(w, n, &d)
	kind, fact := code.KindProperty, code.FactField
	if owner < 0 || w.EnclosedBy(code.KindNamespace) {
		kind, fact = code.KindVariable, code.FactVar
	}
	if slices.Contains(d.Modifiers, "final") && slices.Contains(d.Modifiers, "val") {
		kind = code.KindConstant
	}
	d.Body = max(w.Find(value, "template_body", "block", "case_block", "indented_block"), 0)
	if w.Is(value, "block", "case_block", "indented_block") {
		d.Body = value
	}
	first := -1
	for _, name := range scalaNames(w, n) {
		d.Kind, d.Name, d.Text = kind, name, facts.Bare(w.Str(name))
		if s := w.Declare(d); first < 0 {
			first = s
		}
	}
	says(w, n, owner, fact)
	if first < 0 {
		first = owner
	}
	for _, a := range annotations {
		w.Inside(first, a)
	}
	w.Inside(first, value)
}

// made records that a local val is initialized with a new object: val a = new Order. It skips
// anonymous classes.
func made(w *syntax.Walk, n, value syntax.Node) {
	class := w.Child(value, "type_identifier", "generic_type", "stable_type_identifier")
	if names := scalaNames(w, n); w.Is(n, "val_definition") && len(names) == 1 && w.Is(value, "instance_expression") &&
		class >= 0 && w.Find(value, "template_body") < 0 {
		w.Made(names[0], "new "+w.Line(class)+"()")
	}
}

// scalaNames returns the names that a val or var binds.
func scalaNames(w *syntax.Walk, n syntax.Node) (out []syntax.Node) {
	for name := range w.All(n, "name") {
		if w.Is(name, "identifier") {
			out = append(out, name)
		}
	}
	switch pattern := w.Field(n, "pattern"); {
	case w.Is(pattern, "identifier"):
		out = append(out, pattern)
	case w.Is(pattern, "identifiers"):
		out = slices.AppendSeq(out, w.Named(pattern))
	case pattern >= 0:
		binds(w, pattern, opaque, func(name syntax.Node, _ string, _ syntax.Node) { out = append(out, name) })
	}
	return out
}

// says records the types or, without declared types, the values of the names that a val or var binds.
// fact is the kind under which a declared type is recorded, such as code.FactField.
func says(w *syntax.Walk, n syntax.Node, owner int, fact code.FactKind) {
	typ, value, pattern := w.Field(n, "type"), w.Field(n, "value"), w.Field(n, "pattern")
	src := opaque
	if value >= 0 {
		src = termText(w, value)
	}
	if w.Is(pattern, "identifier", "identifiers") || pattern < 0 {
		for _, name := range scalaNames(w, n) {
			if typ >= 0 {
				w.Fact(fact, owner, facts.Bare(w.Str(name)), w.Line(typ), name)
			} else {
				w.Fact(code.FactAssign, owner, facts.Bare(w.Str(name)), src, name)
			}
		}
		return
	}
	if typ >= 0 {
		src = "(as " + quoted(w, typ) + " " + src + ")"
	}
	binds(w, pattern, src, func(name syntax.Node, term string, typ syntax.Node) {
		if typ >= 0 {
			w.Fact(fact, owner, facts.Bare(w.Str(name)), w.Line(typ), name)
		} else if len(term) <= maxScalaTerm {
			w.Fact(code.FactAssign, owner, facts.Bare(w.Str(name)), term, name)
		}
	})
}
