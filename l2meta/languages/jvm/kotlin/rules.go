package kotlin

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// rules returns the extraction rules for Kotlin and its scripts. An object is a class. A companion
// without a name is called Companion, as in the language. The primary constructor is not a symbol;
// its parameters are those of its class. The receiver of an extension is a parameter called "this".
// The members of an object expression belong to the enclosing symbol.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Mask:     mask,
		Comments: []string{"line_comment", "block_comment"},
		Hidden:   map[string]func(*syntax.Walk, syntax.Node) bool{},
		File:     file,
		Finish:   finish,
		Handlers: map[string]syntax.Handler{
			"package_header":              kotlinPackage,
			"import":                      kotlinImport,
			"class_declaration":           kotlinClass,
			"object_declaration":          kotlinClass,
			"companion_object":            kotlinClass,
			"enum_entry":                  enumEntry,
			"type_alias":                  alias,
			"function_declaration":        function,
			"secondary_constructor":       constructor,
			"property_declaration":        kotlinProperty,
			"anonymous_function":          anonymous,
			"lambda_literal":              kotlinLambda,
			"is_expression":               is,
			"when_entry":                  entry,
			"for_statement":               kotlinFor,
			"when_subject":                when,
			"catch_block":                 catch,
			"call_expression":             kotlinCall,
			"infix_expression":            infix,
			"binary_expression":           binary,
			"callable_reference":          reference,
			"navigation_expression":       navigation,
			"identifier":                  bareAccess,
			"object_literal":              objectLiteral,
			"constructor_delegation_call": delegation,
			"assignment":                  assignment,
			"annotation":                  kotlinAnnotation,
			"file_annotation":             kotlinAnnotation,
		},
	}
}

func file(w *syntax.Walk, n syntax.Node) {
	reword(w)
	syntax.Mend(w, n)
}

// misread matches lines that the grammar misreads, at worst up to the end of the file. The
// non-empty group is the text to change: a single byte becomes an "x", several become spaces.
var misread = regexp.MustCompile(`^[ \t]*(?:` +
	`(i)n[0-9_]` + // in1.f(): read as the operator "in", which joins the line to the one above
	`|(g)et\([^)\n]` + // get(x): read as a getter, which has no parameters
	`|(s)et\([^)\n]*,` + // set(x, y): read as a setter, which has one parameter
	// open = x: read as a modifier
	`|([a-z])(?:pen|inal|bstract|verride|nternal|xternal|perator|uspend|ealed|nfix|nline|onst)[ \t]*[.=]` +
	`|(w)here[ \t]*(?:[.=]|\?[.:]|!!)` + // where?.let {}: read as the constraints of a type parameter
	`|(context\([^()\n]*\))[ \t]*\r?$` + // context(x: T): unsupported
	`|@[\w.:]+(?:\([^()\n]*\))?[ \t]*(//.*)$)`) // a comment after an annotation: read as the end of the annotation

// actual matches a class header that the grammar does not support: class A actual constructor().
var actual = regexp.MustCompile(`\b(actual)[ \t]+constructor\b`)

// misreadAt returns the byte ranges of the text that the grammar would misread, which the groups of
// the regular expressions misread and actual match.
func misreadAt(text []byte) (places [][2]int) {
	add := func(start int, match []int) {
		for g := 2; g < len(match); g += 2 {
			if match[g] >= 0 {
				places = append(places, [2]int{start + match[g], start + match[g+1]})
			}
		}
	}
	if bytes.Contains(text, []byte("actual")) {
		for _, match := range actual.FindAllSubmatchIndex(text, -1) {
			add(0, match)
		}
	}
	for start := 0; start < len(text); {
		line := text[start:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		if mayMisread(bytes.TrimLeft(line, " \t")) {
			add(start, misread.FindSubmatchIndex(line))
		}
		start += len(line) + 1
	}
	return places
}

// mayMisread reports whether the regular expression misread may match a line, given without its
// indentation. The check is cheap, and false for most lines.
func mayMisread(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	if line[0] == '@' {
		return bytes.Contains(line, []byte("//"))
	}
	word := 0
	for word < len(line) && line[word] >= 'a' && line[word] <= 'z' {
		word++
	}
	if word < 2 || word == len(line) {
		return false
	}
	switch line[word] {
	case '(':
		return string(line[:word]) == "get" || string(line[:word]) == "set" || string(line[:word]) == "context"
	case ' ', '\t', '.', '=', '?', '!':
		return word > 3
	}
	return string(line[:word]) == "in"
}

// reword replaces text that the grammar misreads by other text of the same length and parses again.
// The misread text may have no error nodes, so that syntax.Mend would not find it.
func reword(w *syntax.Walk) {
	if len(w.Text) > syntax.MendLimit || w.ErrorNodes() > syntax.MendErrors {
		return
	}
	places := misreadAt(w.Text)
	if len(places) == 0 {
		return
	}
	text := bytes.Clone(w.Text)
	for _, at := range places {
		if from, to := at[0], at[1]; to-from == 1 {
			text[from] = 'x'
		} else {
			copy(text[from:to], bytes.Repeat([]byte(" "), to-from))
		}
	}
	if next, err := w.Grammar.ParseWithin(text, w.Left); err == nil && next.BadBytes() <= w.Out.BadBytes {
		w.Nodes, w.Out.BadBytes = next.Nodes, next.BadBytes()
		w.DocNodes = w.CommentNodes()
	}
}

func kotlinPackage(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "qualified_identifier", "identifier")
	w.Fact(code.FactPackage, -1, "", w.Line(name), name)
}

func kotlinImport(w *syntax.Walk, n syntax.Node) {
	path := w.Line(w.Child(n, "qualified_identifier"))
	i := code.Import{Module: path}
	if w.Has(n, "*") {
		i.Name = "*"
	} else if dot := strings.LastIndexByte(path, '.'); dot > 0 {
		i.Module, i.Name = path[:dot], facts.Bare(path[dot+1:])
	}
	i.Alias = facts.Bare(w.Str(w.Child(n, "identifier")))
	w.AddImport(n, i)
}

// kotlinModifiers reads the modifiers of n into d and returns the nodes of its annotations.
func kotlinModifiers(w *syntax.Walk, n syntax.Node, d *syntax.Decl) (annotations []syntax.Node) {
	modifiers := w.Child(n, "modifiers")
	d.Exported = !isLocal(w, n)
	for c := range w.Named(modifiers) {
		if w.Is(c, "annotation") {
			annotations = append(annotations, c)
			d.Annotations = append(d.Annotations, w.Line(c))
			continue
		}
		if d.Sig <= 0 {
			d.Sig = c
		}
		word := w.Str(c)
		d.Modifiers = append(d.Modifiers, word)
		if word == "private" || word == "internal" || word == "protected" {
			d.Exported = false
		}
	}
	if d.Sig <= 0 && len(annotations) > 0 {
		d.Sig = w.After(modifiers)
	}
	return annotations
}

// isLocal reports whether a declaration is a statement in a body, rather than a member of a
// file or class.
func isLocal(w *syntax.Walk, n syntax.Node) bool {
	p := w.Parent(n)
	for w.Is(p, "ERROR") {
		p = w.Parent(p)
	}
	return !w.Is(p, "source_file", "class_body", "enum_class_body", "class_parameters")
}

func annotate(w *syntax.Walk, s int, annotations []syntax.Node) {
	for _, a := range annotations {
		w.Inside(s, a)
	}
}

// inert lists annotations that only the compiler uses, and that are not recorded as calls.
var inert = map[string]bool{
	"Suppress": true, "Deprecated": true, "JvmStatic": true, "JvmField": true, "JvmOverloads": true, "JvmName": true,
	"JvmInline":         true,
	"JvmMultifileClass": true, "JvmDefault": true, "JvmSynthetic": true, "JvmSuppressWildcards": true,
	"JvmWildcard": true, "Throws": true,
	"OptIn": true, "PublishedApi": true, "UnsafeVariance": true, "Volatile": true, "Synchronized": true,
	"Transient": true, "Strictfp": true,
}

func kotlinAnnotation(w *syntax.Walk, n syntax.Node) {
	for c := range w.Named(n) {
		made := w.Is(c, "constructor_invocation")
		if !made && !w.Is(c, "user_type") {
			continue
		}
		typ, args := c, syntax.None
		if made {
			typ, args = w.Child(c, "user_type"), w.Child(c, "value_arguments")
		}
		name, receiver := typeName(w, typ)
		if !inert[w.Str(name)] {
			w.CallAs(code.CallDecorator, n, name, facts.Bare(w.Str(name)), receiver, kotlinArgs(w, args))
		}
		w.Children(args)
	}
}

// typeName returns the last name of a type and the text before it: C and a.b for a.b.C.
func typeName(w *syntax.Walk, typ syntax.Node) (name syntax.Node, receiver string) {
	first, before := syntax.None, syntax.None
	name = syntax.None
	for c := range w.Named(typ) {
		if w.Is(c, "identifier") {
			if first < 0 {
				first = c
			}
			before, name = name, c
		}
	}
	return name, w.Between(first, before)
}

func kotlinClass(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindClass, Node: n, Name: w.Field(n, "name")}
	body := w.Child(n, "class_body", "enum_class_body")
	d.Body = max(body, 0)
	annotations := kotlinModifiers(w, n, &d)
	switch {
	case w.Is(n, "companion_object"):
		d.Modifiers = append(d.Modifiers, "companion")
		if d.Name < 0 {
			d.Name, d.Text = w.Child(n, "object"), "Companion"
		}
	case w.Has(n, "interface"):
		d.Kind = code.KindInterface
		if w.Has(n, "fun") {
			d.Modifiers = append(d.Modifiers, "fun")
		}
	case slices.Contains(d.Modifiers, "enum"):
		d.Kind = code.KindEnum
	}
	if w.Has(n, "object") {
		d.Modifiers = append(d.Modifiers, "object")
	}
	if d.Text == "" {
		d.Text = facts.Bare(w.Str(d.Name))
	}
	primary := w.Child(n, "primary_constructor")
	list := w.Child(primary, "class_parameters")
	for p := range w.Named(list) {
		if w.Is(p, "class_parameter") {
			d.Parameters = append(d.Parameters, classParameter(w, p))
		}
	}
	s := w.Declare(d)
	annotate(w, s, annotations)
	var made syntax.Decl
	annotate(w, s, kotlinModifiers(w, primary, &made))
	w.Typed(s, d, list, syntax.None)
	bounds(w, s, n)
	w.As(s, func() {
		classProperties(w, list)
		kotlinBases(w, n, d.Kind)
	})
	w.Inside(s, body)
}

func classParameter(w *syntax.Walk, p syntax.Node) code.Parameter {
	out := code.Parameter{Name: facts.Bare(w.Str(w.Child(p, "identifier"))), Type: w.Line(variableType(w, p))}
	if eq := w.Child(p, "="); eq >= 0 {
		out.Default = w.Line(w.After(eq))
	}
	if strings.HasPrefix(w.Line(w.Child(p, "modifiers")), "vararg") {
		out.Variadic = true
	}
	return out
}

// classProperties declares the parameters of a primary constructor that are also properties.
func classProperties(w *syntax.Walk, list syntax.Node) {
	class := w.Encloser
	for p := range w.Named(list) {
		if !w.Is(p, "class_parameter") {
			continue
		}
		param := classParameter(w, p)
		value := syntax.None
		if eq := w.Child(p, "="); eq >= 0 {
			value = w.After(eq)
		}
		if mutability(w, p) == nil {
			w.Visit(w.Child(p, "modifiers"))
			w.Visit(value)
			continue
		}
		d := syntax.Decl{Kind: code.KindProperty, Node: p, Name: w.Child(p, "identifier"), Text: param.Name,
			Returns: param.Type}
		annotations := kotlinModifiers(w, p, &d)
		d.Modifiers = append(d.Modifiers, mutability(w, p)...)
		w.Fact(code.FactField, class, param.Name, param.Type, p)
		s := w.Declare(d)
		annotate(w, s, annotations)
		w.Inside(class, value)
	}
}

// bounds records each type parameter of symbol s as an alias of its bound: T : Order as T = Order.
func bounds(w *syntax.Walk, s int, n syntax.Node) {
	for list := range w.Named(n) {
		if !w.Is(list, "type_parameters", "type_constraints") {
			continue
		}
		for p := range w.Named(list) {
			name := w.Child(p, "identifier")
			if bound := w.After(name); name >= 0 && bound > 0 && w.Is(p, "type_parameter", "type_constraint") {
				if w.Is(bound, ":") {
					bound = w.After(bound)
				}
				w.Fact(code.FactAlias, s, w.Str(name), w.Line(bound), bound)
			} else if name >= 0 && w.Is(p, "type_parameter") {
				w.Fact(code.FactAlias, s, w.Str(name), facts.Unbounded, p)
			}
		}
	}
}

// kotlinBases records the types that a class, object or object expression extends. For a base class
// it also records the call of its constructor; an interface has none.
func kotlinBases(w *syntax.Walk, n syntax.Node, kind code.Kind) {
	made := code.CallSuper
	if w.Is(n, "object_literal") {
		made = code.CallNew
	}
	for spec := range w.Named(w.Child(n, "delegation_specifiers")) {
		for c := range w.Named(spec) {
			switch {
			case w.Is(c, "constructor_invocation"):
				typ, args := w.Child(c, "user_type"), w.Child(c, "value_arguments")
				if kind != "" {
					w.Fact(code.FactBase, w.Encloser, "", w.Line(typ), typ)
				}
				name, receiver := typeName(w, typ)
				w.CallAs(made, c, name, facts.Bare(w.Str(name)), receiver, kotlinArgs(w, args))
				w.Children(args)
			case kind == "":
				w.Children(c)
			case w.Is(c, "explicit_delegation"):
				w.Fact(code.FactImpl, w.Encloser, "", w.Line(w.Child(c, "user_type")), c)
				w.Children(c)
			case kind == code.KindInterface:
				w.Fact(code.FactBase, w.Encloser, "", w.Line(c), c)
			case w.Is(c, "user_type", "function_type"):
				w.Fact(code.FactImpl, w.Encloser, "", w.Line(c), c)
			}
		}
	}
}

// enumEntry declares an enum entry, and records the constructor call that it implies.
func enumEntry(w *syntax.Walk, n syntax.Node) {
	args, body := w.Child(n, "value_arguments"), w.Child(n, "class_body")
	d := syntax.Decl{Kind: code.KindConstant, Node: n, Name: w.Child(n, "identifier"), Body: max(body, 0)}
	d.Text = facts.Bare(w.Str(d.Name))
	annotations := kotlinModifiers(w, n, &d)
	d.Exported = w.InExported()
	enum := ""
	if w.EnclosedBy(code.KindEnum) {
		enum = w.Out.Symbols[w.Encloser].Name
	}
	w.Fact(code.FactField, w.Encloser, d.Text, enum, n)
	s := w.Declare(d)
	annotate(w, s, annotations)
	w.As(s, func() {
		if args >= 0 {
			w.CallAs(code.CallNew, n, d.Name, enum, "", kotlinArgs(w, args))
		}
		w.Children(args)
		w.Children(body)
	})
}

func alias(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: w.Field(n, "type")}
	d.Text = facts.Bare(w.Str(d.Name))
	annotations := kotlinModifiers(w, n, &d)
	s := w.Declare(d)
	annotate(w, s, annotations)
	if eq := w.Child(n, "="); eq >= 0 {
		w.Fact(code.FactAlias, s, d.Text, w.Line(w.After(eq)), n)
	}
}
