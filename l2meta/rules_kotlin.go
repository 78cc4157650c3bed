package l2meta

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
)

// kotlinRules reads Kotlin and its scripts. An object is a class; a companion
// without a name is called Companion, as the language calls it; the primary
// constructor is a part of its class, whose parameters it gives; a receiver of
// an extension is the parameter "this". What an object expression declares
// belongs to the symbol in which it is written.
func kotlinRules() *rules {
	return &rules{
		comments: []string{"line_comment", "block_comment"},
		file:     kotlinFile,
		finish:   kotlinFinish,
		handlers: map[string]handler{
			"package_header":              kotlinPackage,
			"import":                      kotlinImport,
			"class_declaration":           kotlinClass,
			"object_declaration":          kotlinClass,
			"companion_object":            kotlinClass,
			"enum_entry":                  kotlinEnumEntry,
			"type_alias":                  kotlinAlias,
			"function_declaration":        kotlinFunction,
			"secondary_constructor":       kotlinConstructor,
			"property_declaration":        kotlinProperty,
			"anonymous_function":          kotlinAnonymous,
			"lambda_literal":              kotlinLambda,
			"is_expression":               kotlinIs,
			"when_entry":                  kotlinEntry,
			"for_statement":               kotlinFor,
			"when_subject":                kotlinWhen,
			"catch_block":                 kotlinCatch,
			"call_expression":             kotlinCall,
			"infix_expression":            kotlinInfix,
			"binary_expression":           kotlinBinary,
			"callable_reference":          kotlinReference,
			"navigation_expression":       kotlinNavigation,
			"object_literal":              kotlinObjectLiteral,
			"constructor_delegation_call": kotlinDelegation,
			"annotation":                  kotlinAnnotation,
			"file_annotation":             kotlinAnnotation,
		},
	}
}

func kotlinFile(w *walk, n node) {
	kotlinReword(w)
	mend(w, n)
}

// kotlinMisread are the places that the grammar reads as something else, to
// the end of the file at worst. The first group is where: one byte becomes an
// "x", more become spaces.
var kotlinMisread = regexp.MustCompile(`(?m)\b(actual)[ \t]+constructor\b|` + // of a class header: not known
	`^[ \t]*(?:` +
	`(i)n[0-9_]` + // in1.f(): the operator "in", so that it joins the line above
	`|(g)et\([^)\n]` + // get(x): a getter, which has no parameters
	`|(s)et\([^)\n]*,` + // set(x, y): a setter, which has one
	`|([a-z])(?:pen|inal|bstract|verride|nternal|xternal|perator|uspend|ealed|nfix|nline|onst)[ \t]*[.=]` + // open = x: a modifier
	`|(w)here[ \t]*(?:[.=]|\?[.:]|!!)` + // where?.let {}: the constraints of a type parameter
	`|(context\([^()\n]*\))[ \t]*\r?$` + // context(x: T): not known
	`|@[\w.:]+(?:\([^()\n]*\))?[ \t]*(//.*)$)`) // a comment behind an annotation: the end of it

// kotlinReword parses a text again with other words of the same length where
// the grammar is known to misread it. What it makes of them may bear no error
// nodes, so mend would not see them.
func kotlinReword(w *walk) {
	if len(w.text) > mendLimit || w.errorNodes() > mendErrors {
		return
	}
	places := kotlinMisread.FindAllSubmatchIndex(w.text, -1)
	if len(places) == 0 {
		return
	}
	text := bytes.Clone(w.text)
	for _, at := range places {
		for g := 2; g < len(at); g += 2 {
			switch from, to := at[g], at[g+1]; {
			case from < 0:
			case to-from == 1:
				text[from] = 'x'
			default:
				copy(text[from:to], bytes.Repeat([]byte(" "), to-from))
			}
		}
	}
	if next, err := w.g.parseWithin(text, w.left); err == nil && next.badBytes() <= w.out.BadBytes {
		w.nodes, w.out.BadBytes = next.nodes, next.badBytes()
		w.docNodes = w.commentNodes()
	}
}

func kotlinPackage(w *walk, n node) {
	name := w.child(n, "qualified_identifier", "identifier")
	w.fact(code.FactPackage, -1, "", w.line(name), name)
}

func kotlinImport(w *walk, n node) {
	path := w.line(w.child(n, "qualified_identifier"))
	i := code.Import{Module: path}
	if w.has(n, "*") {
		i.Name = "*"
	} else if dot := strings.LastIndexByte(path, '.'); dot > 0 {
		i.Module, i.Name = path[:dot], kotlinBare(path[dot+1:])
	}
	i.Alias = kotlinBare(w.str(w.child(n, "identifier")))
	w.addImport(n, i)
}

// kotlinBare is a name without the backquotes that let it hold any character.
func kotlinBare(name string) string { return strings.Trim(name, "`") }

// kotlinModifiers reads the modifiers of n into d and returns the nodes of its
// annotations.
func kotlinModifiers(w *walk, n node, d *decl) (annotations []node) {
	modifiers := w.child(n, "modifiers")
	d.exported = !kotlinIsLocal(w, n)
	for c := range w.named(modifiers) {
		if w.is(c, "annotation") {
			annotations = append(annotations, c)
			d.annotations = append(d.annotations, w.line(c))
			continue
		}
		if d.sig <= 0 {
			d.sig = c
		}
		word := w.str(c)
		d.modifiers = append(d.modifiers, word)
		if word == "private" || word == "internal" || word == "protected" {
			d.exported = false
		}
	}
	if d.sig <= 0 && len(annotations) > 0 {
		d.sig = w.after(modifiers)
	}
	return annotations
}

// kotlinIsLocal reports whether a declaration stands among the statements of a
// body, rather than in a file or a class.
func kotlinIsLocal(w *walk, n node) bool {
	p := w.parent(n)
	for w.is(p, "ERROR") {
		p = w.parent(p)
	}
	return !w.is(p, "source_file", "class_body", "enum_class_body", "class_parameters")
}

func kotlinAnnotate(w *walk, s int, annotations []node) {
	for _, a := range annotations {
		w.inside(s, a)
	}
}

// kotlinInert are annotations that only the compiler reads.
var kotlinInert = map[string]bool{
	"Suppress": true, "Deprecated": true, "JvmStatic": true, "JvmField": true, "JvmOverloads": true, "JvmName": true, "JvmInline": true,
	"JvmMultifileClass": true, "JvmDefault": true, "JvmSynthetic": true, "JvmSuppressWildcards": true, "JvmWildcard": true, "Throws": true,
	"OptIn": true, "PublishedApi": true, "UnsafeVariance": true, "Volatile": true, "Synchronized": true, "Transient": true, "Strictfp": true,
}

func kotlinAnnotation(w *walk, n node) {
	for c := range w.named(n) {
		made := w.is(c, "constructor_invocation")
		if !made && !w.is(c, "user_type") {
			continue
		}
		typ, args := c, none
		if made {
			typ, args = w.child(c, "user_type"), w.child(c, "value_arguments")
		}
		name, receiver := kotlinTypeName(w, typ)
		if !kotlinInert[w.str(name)] {
			w.callAs(code.CallDecorator, n, name, kotlinBare(w.str(name)), receiver, kotlinArgs(w, args))
		}
		w.children(args)
	}
}

// kotlinTypeName is the last name of a type and the text before it.
func kotlinTypeName(w *walk, typ node) (name node, receiver string) {
	first, before := none, none
	name = none
	for c := range w.named(typ) {
		if w.is(c, "identifier") {
			if first < 0 {
				first = c
			}
			before, name = name, c
		}
	}
	return name, w.between(first, before)
}

func kotlinClass(w *walk, n node) {
	d := decl{kind: code.KindClass, node: n, name: w.field(n, "name")}
	body := w.child(n, "class_body", "enum_class_body")
	d.body = max(body, 0)
	annotations := kotlinModifiers(w, n, &d)
	switch {
	case w.is(n, "companion_object"):
		d.modifiers = append(d.modifiers, "companion")
		if d.name < 0 {
			d.name, d.text = w.child(n, "object"), "Companion"
		}
	case w.has(n, "interface"):
		d.kind = code.KindInterface
		if w.has(n, "fun") {
			d.modifiers = append(d.modifiers, "fun")
		}
	case slices.Contains(d.modifiers, "enum"):
		d.kind = code.KindEnum
	}
	if w.has(n, "object") {
		d.modifiers = append(d.modifiers, "object")
	}
	if d.text == "" {
		d.text = kotlinBare(w.str(d.name))
	}
	primary := w.child(n, "primary_constructor")
	list := w.child(primary, "class_parameters")
	for p := range w.named(list) {
		if w.is(p, "class_parameter") {
			d.parameters = append(d.parameters, kotlinClassParameter(w, p))
		}
	}
	s := w.declare(d)
	kotlinAnnotate(w, s, annotations)
	var made decl
	kotlinAnnotate(w, s, kotlinModifiers(w, primary, &made))
	w.typed(s, d, list, none)
	kotlinBounds(w, s, n)
	w.as(s, func() {
		kotlinClassProperties(w, list)
		kotlinBases(w, n, d.kind)
	})
	w.inside(s, body)
}

func kotlinClassParameter(w *walk, p node) code.Parameter {
	out := code.Parameter{Name: kotlinBare(w.str(w.child(p, "identifier"))), Type: w.line(kotlinVariableType(w, p))}
	if eq := w.child(p, "="); eq >= 0 {
		out.Default = w.line(w.after(eq))
	}
	if strings.HasPrefix(w.line(w.child(p, "modifiers")), "vararg") {
		out.Variadic = true
	}
	return out
}

// kotlinClassProperties declares the parameters of a primary constructor that
// are properties too.
func kotlinClassProperties(w *walk, list node) {
	class := w.encloser
	for p := range w.named(list) {
		if !w.is(p, "class_parameter") {
			continue
		}
		param := kotlinClassParameter(w, p)
		value := none
		if eq := w.child(p, "="); eq >= 0 {
			value = w.after(eq)
		}
		if kotlinMutability(w, p) == nil {
			w.visit(w.child(p, "modifiers"))
			w.visit(value)
			continue
		}
		d := decl{kind: code.KindProperty, node: p, name: w.child(p, "identifier"), text: param.Name, returns: param.Type}
		annotations := kotlinModifiers(w, p, &d)
		d.modifiers = append(d.modifiers, kotlinMutability(w, p)...)
		w.fact(code.FactField, class, param.Name, param.Type, p)
		s := w.declare(d)
		kotlinAnnotate(w, s, annotations)
		w.inside(class, value)
	}
}

// kotlinBounds records type parameters as names for their bounds.
func kotlinBounds(w *walk, s int, n node) {
	for list := range w.named(n) {
		if !w.is(list, "type_parameters", "type_constraints") {
			continue
		}
		for p := range w.named(list) {
			name := w.child(p, "identifier")
			if bound := w.after(name); name >= 0 && bound > 0 && w.is(p, "type_parameter", "type_constraint") {
				if w.is(bound, ":") {
					bound = w.after(bound)
				}
				w.fact(code.FactAlias, s, w.str(name), w.line(bound), bound)
			} else if name >= 0 && w.is(p, "type_parameter") {
				w.fact(code.FactAlias, s, w.str(name), unbounded, p)
			}
		}
	}
}

// kotlinBases records what a class, object or object expression extends: a
// base class is constructed, an interface is not.
func kotlinBases(w *walk, n node, kind code.Kind) {
	made := code.CallSuper
	if w.is(n, "object_literal") {
		made = code.CallNew
	}
	for spec := range w.named(w.child(n, "delegation_specifiers")) {
		for c := range w.named(spec) {
			switch {
			case w.is(c, "constructor_invocation"):
				typ, args := w.child(c, "user_type"), w.child(c, "value_arguments")
				if kind != "" {
					w.fact(code.FactBase, w.encloser, "", w.line(typ), typ)
				}
				name, receiver := kotlinTypeName(w, typ)
				w.callAs(made, c, name, kotlinBare(w.str(name)), receiver, kotlinArgs(w, args))
				w.children(args)
			case kind == "":
				w.children(c)
			case w.is(c, "explicit_delegation"):
				w.fact(code.FactImpl, w.encloser, "", w.line(w.child(c, "user_type")), c)
				w.children(c)
			case kind == code.KindInterface:
				w.fact(code.FactBase, w.encloser, "", w.line(c), c)
			case w.is(c, "user_type", "function_type"):
				w.fact(code.FactImpl, w.encloser, "", w.line(c), c)
			}
		}
	}
}

// kotlinEnumEntry declares an entry, and the construction it stands for.
func kotlinEnumEntry(w *walk, n node) {
	args, body := w.child(n, "value_arguments"), w.child(n, "class_body")
	d := decl{kind: code.KindConstant, node: n, name: w.child(n, "identifier"), body: max(body, 0)}
	d.text = kotlinBare(w.str(d.name))
	annotations := kotlinModifiers(w, n, &d)
	d.exported = w.inExported()
	enum := ""
	if w.enclosedBy(code.KindEnum) {
		enum = w.out.Symbols[w.encloser].Name
	}
	w.fact(code.FactField, w.encloser, d.text, enum, n)
	s := w.declare(d)
	kotlinAnnotate(w, s, annotations)
	w.as(s, func() {
		if args >= 0 {
			w.callAs(code.CallNew, n, d.name, enum, "", kotlinArgs(w, args))
		}
		w.children(args)
		w.children(body)
	})
}

func kotlinAlias(w *walk, n node) {
	d := decl{kind: code.KindType, node: n, name: w.field(n, "type")}
	d.text = kotlinBare(w.str(d.name))
	annotations := kotlinModifiers(w, n, &d)
	s := w.declare(d)
	kotlinAnnotate(w, s, annotations)
	if eq := w.child(n, "="); eq >= 0 {
		w.fact(code.FactAlias, s, d.text, w.line(w.after(eq)), n)
	}
}
