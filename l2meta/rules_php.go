package l2meta

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
)

// phpRules reads PHP up to version 8.4, with the markup around it left out.
// Variables keep their "$" in facts and receivers, so that one is found by the
// other; properties are known without it, as they are asked for. What an
// anonymous class declares belongs to the symbol in which it is written.
func phpRules() *rules {
	return &rules{
		comments: []string{"comment"},
		file:     phpFile,
		handlers: map[string]handler{
			"namespace_definition":            phpNamespace,
			"namespace_use_declaration":       phpUse,
			"include_expression":              phpInclude,
			"include_once_expression":         phpInclude,
			"require_expression":              phpInclude,
			"require_once_expression":         phpInclude,
			"class_declaration":               phpType,
			"interface_declaration":           phpType,
			"trait_declaration":               phpType,
			"enum_declaration":                phpType,
			"use_declaration":                 phpTrait,
			"enum_case":                       phpCase,
			"const_declaration":               phpConst,
			"property_declaration":            phpProperty,
			"method_declaration":              phpFunction,
			"function_definition":             phpFunction,
			"anonymous_function":              phpClosure,
			"arrow_function":                  phpClosure,
			"assignment_expression":           phpAssign,
			"reference_assignment_expression": phpAssign,
			"foreach_statement":               phpForeach,
			"catch_clause":                    phpCatch,
			"if_statement":                    phpIf,
			"else_if_clause":                  phpIf,
			"else_clause":                     phpBlock,
			"case_statement":                  phpBlock,
			"default_statement":               phpBlock,
			"while_statement":                 phpBlock,
			"for_statement":                   phpBlock,
			"try_statement":                   phpBlock,
			"global_declaration":              phpGlobal,
			"conditional_expression":          phpChoice,
			"binary_expression":               phpBinary,
			"function_call_expression":        phpCall,
			"member_call_expression":          phpMemberCall,
			"nullsafe_member_call_expression": phpMemberCall,
			"scoped_call_expression":          phpScopedCall,
			"object_creation_expression":      phpNew,
			"attribute":                       phpAttribute,
			"comment":                         phpComment,
			"array_creation_expression":       phpArray,
		},
	}
}

func phpFile(w *walk, n node) {
	phpEnums(w)
	mend(w, n)
}

var (
	phpEnum      = regexp.MustCompile(`\benum\s+\w+[^{};()]*\{`)
	phpEnumConst = regexp.MustCompile(`(?m)^([ \t]*)((?:(?:public|private|protected|final)[ \t]+)*)const([ \t]+\w+[ \t]*=)`)
)

// phpEnums parses a text again with the constants of its enumerations as
// cases, which have the same place and length: the grammar does not know them
// and takes the rest of the enumeration for another file's.
func phpEnums(w *walk) {
	if w.out.BadBytes == 0 || len(w.text) > mendLimit || w.errorNodes() > mendErrors || !bytes.Contains(w.text, []byte("enum")) {
		return
	}
	text, changed := bytes.Clone(w.text), false
	for _, at := range phpEnum.FindAllIndex(text, -1) {
		depth, end := 1, at[1]
		for ; end < len(text) && depth > 0; end++ {
			switch text[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		body := text[at[1]:end]
		for _, m := range phpEnumConst.FindAllSubmatchIndex(body, -1) {
			copy(body[m[4]:m[5]], bytes.Repeat([]byte(" "), m[5]-m[4]))
			copy(body[m[5]:], "case ")
			changed = true
		}
	}
	if !changed {
		return
	}
	if next, err := w.g.parseWithin(text, w.left); err == nil && next.badBytes() < w.out.BadBytes {
		w.nodes, w.out.BadBytes = next.nodes, next.badBytes()
		w.docNodes = w.commentNodes()
	}
}

func phpNamespace(w *walk, n node) {
	name, body := w.field(n, "name"), w.field(n, "body")
	if w.inCallable() { // namespace\f() to a grammar that does not know it
		w.children(n)
		return
	}
	if body < 0 {
		w.fact(code.FactPackage, -1, "", w.line(name), name)
		return
	}
	if name < 0 { // namespace { … } is the global one
		w.children(body)
		return
	}
	s := w.declare(decl{kind: code.KindNamespace, node: n, name: name, text: w.line(name), body: body, exported: true})
	w.fact(code.FactPackage, s, "", w.line(name), name)
	w.inside(s, body)
}

// phpUse records use A\B, use A\{B, C as D} and use function A\f.
func phpUse(w *walk, n node) {
	prefix := w.line(w.child(n, "namespace_name"))
	group := w.field(n, "body")
	if group < 0 {
		group = n
	}
	for clause := range w.named(group) {
		if !w.is(clause, "namespace_use_clause") {
			continue
		}
		path := ""
		for c := range w.named(clause) {
			if w.is(c, "name", "qualified_name", "namespace_name") {
				path = strings.TrimPrefix(w.line(c), `\`)
				break
			}
		}
		if prefix != "" {
			path = prefix + `\` + path
		}
		i := code.Import{Module: path, Alias: w.str(w.field(clause, "alias"))}
		if last := strings.LastIndexByte(path, '\\'); last > 0 {
			i.Module, i.Name = path[:last], path[last+1:]
		}
		w.addImport(clause, i)
	}
}

// phpInclude records the file that is read in: its path, or the expression
// that makes it.
func phpInclude(w *walk, n node) {
	for c := range w.named(n) {
		path := w.line(c)
		if w.is(c, "string", "encapsed_string") {
			path = strings.Trim(path, `'"`)
		}
		w.addImport(n, code.Import{Module: path, Name: "*"})
	}
	w.children(n)
}

// phpModifiers reads attributes and modifiers of n into d and returns the
// attributes.
func phpModifiers(w *walk, n node, d *decl) (attributes node) {
	attributes = w.field(n, "attributes")
	d.exported = true
	for group := range w.named(attributes) {
		d.annotations = append(d.annotations, w.line(group))
	}
	if attributes >= 0 {
		d.sig = w.after(attributes)
	}
	for c := range w.named(n) {
		switch w.kind(c) {
		case "visibility_modifier", "static_modifier", "abstract_modifier", "final_modifier", "readonly_modifier", "var_modifier":
			word := w.line(c)
			d.modifiers = append(d.modifiers, word)
			if word == "private" || word == "protected" {
				d.exported = false
			}
		}
	}
	return attributes
}

// phpInert are attributes that only the engine reads.
var phpInert = map[string]bool{
	"Override": true, "Deprecated": true, "ReturnTypeWillChange": true, "SensitiveParameter": true, "AllowDynamicProperties": true, "Attribute": true,
}

func phpAttribute(w *walk, n node) {
	args := w.field(n, "parameters")
	for c := range w.named(n) {
		if name, receiver := phpSplit(w, c); !phpInert[w.str(name)] {
			w.callAs(code.CallDecorator, n, name, w.str(name), receiver, phpArgs(w, args))
		}
		break
	}
	w.children(args)
}

// phpSplit takes a qualified name apart into its last name and the namespace
// before it.
func phpSplit(w *walk, n node) (name node, receiver string) {
	if !w.is(n, "qualified_name") {
		return n, ""
	}
	name = none
	for c := range w.named(n) {
		if w.is(c, "name") {
			name = c
		}
	}
	if name < 0 {
		return none, ""
	}
	receiver = string(w.text[w.start(n):w.start(name)])
	if receiver == `\` { // \f: the global one
		return name, receiver
	}
	return name, strings.TrimRight(receiver, `\`)
}

var phpKinds = map[string]code.Kind{
	"class_declaration": code.KindClass, "interface_declaration": code.KindInterface, "trait_declaration": code.KindTrait, "enum_declaration": code.KindEnum,
}

func phpType(w *walk, n node) {
	body := w.field(n, "body")
	d := decl{kind: phpKinds[w.kind(n)], node: n, name: w.field(n, "name"), body: max(body, 0)}
	attributes := phpModifiers(w, n, &d)
	s := w.declare(d)
	for b := range w.named(w.child(n, "base_clause")) {
		w.fact(code.FactBase, s, "", w.line(b), b)
	}
	for b := range w.named(w.child(n, "class_interface_clause")) {
		w.fact(code.FactImpl, s, "", w.line(b), b)
	}
	w.inside(s, attributes, body)
}

// phpTrait records the traits that a class takes in, and the names that it
// gives to their methods.
func phpTrait(w *walk, n node) {
	for c := range w.named(n) {
		if w.is(c, "name", "qualified_name") {
			w.fact(code.FactBase, w.encloser, "", w.line(c), c)
		}
	}
	for as := range w.named(w.child(n, "use_list")) {
		if !w.is(as, "use_as_clause") {
			continue
		}
		first, last := none, none
		for c := range w.named(as) {
			if first < 0 {
				first = c
			}
			last = c
		}
		if w.is(last, "name") && last != first {
			w.fact(code.FactAlias, w.encloser, w.str(last), w.line(first), as)
		}
	}
}
