package l2meta

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

func rustRules() *rules {
	return &rules{
		comments: []string{"line_comment", "block_comment"},
		mask:     rustMask,
		file:     func(w *walk, _ node) { w.state = &rustState{} },
		finish:   rustFinish,
		handlers: map[string]handler{
			"attribute_item":           rustAttribute,
			"mod_item":                 rustModule,
			"struct_item":              rustType,
			"union_item":               rustType,
			"enum_item":                rustType,
			"enum_variant":             rustVariant,
			"field_declaration":        rustField,
			"trait_item":               rustTrait,
			"associated_type":          rustAlias,
			"type_item":                rustAlias,
			"impl_item":                rustImpl,
			"function_item":            rustFunction,
			"function_signature_item":  rustFunction,
			"const_item":               rustValue,
			"static_item":              rustValue,
			"macro_definition":         rustMacro,
			"extern_crate_declaration": rustExternCrate,
			"use_declaration":          rustUse,
			"let_declaration":          rustLet,
			"let_condition":            rustCondition,
			"for_expression":           rustFor,
			"match_arm":                rustArm,
			"closure_expression":       rustClosure,
			"call_expression":          rustCall,
			"struct_expression":        rustStructLiteral,
			"macro_invocation":         rustMacroCall,
		},
	}
}

// rustState is what is known of one file while it is visited.
type rustState struct {
	attributes []node // those that may belong to the next item
	impls      []rustImplOf
}

// rustImplOf is one "impl Trait for Type", to be tied to the symbol of Type.
type rustImplOf struct {
	owner, typ, trait string
	at                node
	scope             int
}

func rustAttribute(w *walk, n node) {
	st := w.state.(*rustState)
	st.attributes = append(st.attributes, n)
}

// rustAttributes takes the attributes that stand right before item n, with
// nothing but comments between.
func rustAttributes(w *walk, n node) (out []node) {
	st := w.state.(*rustState)
	for i, a := range st.attributes {
		if w.parent(a) == w.parent(n) && rustLeadsTo(w, a, n) {
			out = append(out, st.attributes[i:]...)
			break
		}
	}
	st.attributes = st.attributes[:0]
	return out
}

func rustLeadsTo(w *walk, a, n node) bool {
	for a < n && (w.is(a, "attribute_item", "visibility_modifier") || w.isComment(a)) {
		a = node(w.nodes[a].next)
	}
	return a == n
}

// rustItem declares an item with its attributes, visibility, modifiers and
// documentation.
func rustItem(w *walk, d decl) int {
	n := d.node
	attributes := rustAttributes(w, n)
	for _, a := range attributes {
		d.annotations = append(d.annotations, w.line(a))
	}
	if len(attributes) > 0 {
		d.from, d.sig = attributes[0], n
		d.doc = rustDocBetween(w, attributes[0], n)
	}
	visibility := w.str(w.child(n, "visibility_modifier"))
	d.exported = d.exported || visibility == "pub"
	if visibility != "" {
		d.modifiers = append([]string{visibility}, d.modifiers...)
	}
	if d.kind == code.KindFunction || d.kind == code.KindMethod {
		if rustIsTest(w, attributes) {
			d.kind = code.KindTest
		}
	}
	s := w.declare(d)
	if w.out.Symbols[s].Doc == "" && w.is(d.body, "declaration_list", "block") {
		w.out.Symbols[s].Doc = rustInnerDoc(w, d.body)
	}
	rustDecorate(w, s, attributes)
	return s
}

// rustDocBetween is the doc comment that stands among the attributes of an
// item, together with the one above them: both document it.
func rustDocBetween(w *walk, first, n node) string {
	var parts []string
	for c := first; c < n; c = node(w.nodes[c].next) {
		if w.isComment(c) && w.find(c, "outer_doc_comment_marker") >= 0 {
			parts = append(parts, commentText(w.str(c)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	if above := w.docBefore(w.start(first)); above != "" {
		parts = append([]string{above}, parts...)
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// rustInnerDoc is the //! documentation at the start of a body.
func rustInnerDoc(w *walk, body node) string {
	var parts []string
	for c := range w.tree.children(body) {
		if w.isNamed(c) && !w.isComment(c) && !w.is(c, "inner_attribute_item") {
			break
		}
		if w.isComment(c) && w.find(c, "inner_doc_comment_marker") >= 0 {
			parts = append(parts, commentText(w.str(c)))
		}
	}
	return clip(strings.TrimSpace(strings.Join(parts, "\n")), code.MaxDocBytes)
}

// rustPath is the path of an attribute: "tokio::test" of #[tokio::test(flavor = "x")].
func rustPath(w *walk, attribute node) node {
	return w.child(w.child(attribute, "attribute"), "identifier", "scoped_identifier")
}

// rustIsTest reports whether an attribute makes the function a test: the
// built-in ones, those of async runtimes (tokio::test), and those of test
// libraries, which by custom end in "_test".
func rustIsTest(w *walk, attributes []node) bool {
	for _, a := range attributes {
		path := w.str(rustPath(w, a))
		last := path[strings.LastIndexByte(path, ':')+1:]
		switch last {
		case "test", "bench", "rstest", "test_case", "quickcheck":
			return true
		}
		if strings.HasSuffix(last, "_test") {
			return true
		}
	}
	return false
}

// rustInert are attributes that the compiler or the derive macro of a type
// reads: they call nothing.
var rustInert = map[string]bool{
	"allow": true, "arg": true, "automatically_derived": true, "bench": true, "cfg": true, "cfg_attr": true, "clap": true, "cold": true,
	"command": true, "default": true, "deny": true, "deprecated": true, "derive": true, "doc": true, "error": true, "expect": true, "export_name": true,
	"forbid": true, "from": true, "global_allocator": true, "ignore": true, "inline": true, "link": true, "link_name": true,
	"link_section": true, "macro_export": true, "macro_use": true, "must_use": true, "no_mangle": true, "non_exhaustive": true,
	"panic_handler": true, "path": true, "proc_macro": true, "proc_macro_attribute": true, "proc_macro_derive": true, "repr": true, "rustfmt": true,
	"rustfmt::skip": true, "serde": true, "should_panic": true, "source": true, "stable": true, "target_feature": true, "test": true,
	"track_caller": true, "unsafe": true, "unstable": true, "used": true, "value": true, "warn": true,
}

// rustDecorate records attribute macros as calls, and derived traits as
// implemented.
func rustDecorate(w *walk, s int, attributes []node) {
	outer := w.encloser
	w.encloser = s
	defer func() { w.encloser = outer }()
	for _, a := range attributes {
		path := rustPath(w, a)
		text := w.str(path)
		tree := w.field(w.child(a, "attribute"), "arguments")
		if text == "derive" && tree >= 0 {
			for _, t := range strings.Split(strings.Trim(w.line(tree), "()"), ",") {
				w.fact(code.FactImpl, s, "", strings.TrimSpace(t), a)
			}
		}
		if path < 0 || rustInert[text] || strings.HasPrefix(text, "clippy::") || strings.HasPrefix(text, "rustc_") {
			continue
		}
		name, receiver := rustSplit(w, path)
		w.call(code.CallDecorator, a, name, receiver, rustTreeArgs(w, tree))
	}
}

// rustSplit takes a path apart into its last name and what stands before it.
func rustSplit(w *walk, path node) (name, receiver node) {
	switch w.kind(path) {
	case "scoped_identifier", "scoped_type_identifier":
		return w.field(path, "name"), w.field(path, "path")
	case "generic_type", "generic_type_with_turbofish":
		return rustSplit(w, w.field(path, "type"))
	}
	return path, none
}

func rustModule(w *walk, n node) {
	body := w.field(n, "body")
	s := rustItem(w, decl{kind: code.KindModule, node: n, name: w.field(n, "name"), body: body})
	if body < 0 {
		// "mod a;" is the file of the module, seen from here.
		w.addImport(n, code.Import{Module: "self::" + w.str(w.field(n, "name"))})
		return
	}
	w.inside(s, body)
}

func rustType(w *walk, n node) {
	d := decl{kind: code.KindStruct, node: n, name: w.field(n, "name"), body: w.field(n, "body")}
	if w.is(n, "enum_item") {
		d.kind = code.KindEnum
	}
	body := d.body
	if w.is(body, "ordered_field_declaration_list") {
		d.body = 0 // the fields of a tuple struct are part of its signature
	}
	s := rustItem(w, d)
	rustBounds(w, n, s)
	rustTupleFields(w, s, body)
	w.inside(s, body)
}

// rustTupleFields records the types of the fields 0, 1, … of a tuple.
func rustTupleFields(w *walk, s int, body node) {
	if !w.is(body, "ordered_field_declaration_list") {
		return
	}
	i := 0
	for t := range w.all(body, "type") {
		w.fact(code.FactField, s, strconv.Itoa(i), w.line(t), t)
		i++
	}
}

func rustVariant(w *walk, n node) {
	body := w.field(n, "body")
	d := decl{kind: code.KindConstant, node: n, name: w.field(n, "name"), exported: rustOwnerExported(w)}
	if w.is(body, "field_declaration_list") {
		d.body = body
	}
	s := rustItem(w, d)
	rustTupleFields(w, s, body)
	w.inside(s, body, w.field(n, "value"))
}

// rustOwnerExported reports whether the enclosing symbol is exported: a
// variant or a trait's item is seen wherever its type is.
func rustOwnerExported(w *walk) bool {
	return w.encloser >= 0 && w.out.Symbols[w.encloser].Exported
}

func rustField(w *walk, n node) {
	typ := w.field(n, "type")
	owner := w.encloser
	d := decl{kind: code.KindField, node: n, name: w.field(n, "name"), returns: w.line(typ)}
	// The fields of a variant are as visible as the variant.
	d.exported = owner >= 0 && w.out.Symbols[owner].Kind == code.KindConstant && w.out.Symbols[owner].Exported
	rustItem(w, d)
	w.fact(code.FactField, owner, w.str(w.field(n, "name")), w.line(typ), typ)
}

func rustTrait(w *walk, n node) {
	d := decl{kind: code.KindTrait, node: n, name: w.field(n, "name"), body: w.field(n, "body")}
	if w.has(n, "unsafe") {
		d.modifiers = append(d.modifiers, "unsafe")
	}
	s := rustItem(w, d)
	for b := range w.named(w.field(n, "bounds")) {
		if !w.is(b, "lifetime") {
			w.fact(code.FactBase, s, "", w.line(b), b)
		}
	}
	rustBounds(w, n, s)
	w.inside(s, d.body)
}

// rustAlias declares "type A = B" and the associated types of traits.
func rustAlias(w *walk, n node) {
	if w.inCallable() && rustImplement(w, n) < 0 {
		w.fact(code.FactAlias, w.encloser, w.str(w.field(n, "name")), w.line(w.field(n, "type")), n)
		return
	}
	d := decl{kind: code.KindType, node: n, name: w.field(n, "name")}
	rustMember(w, &d)
	s := rustItem(w, d)
	typ := w.field(n, "type")
	w.fact(code.FactAlias, s, w.str(d.name), w.line(typ), typ)
	rustBounds(w, n, s)
	for b := range w.named(w.field(n, "bounds")) {
		if !w.is(b, "lifetime") {
			w.fact(code.FactBase, s, "", w.line(b), b)
		}
	}
}

// rustValue declares constants and statics; those of function bodies are
// locals, and "const _" has no name.
func rustValue(w *walk, n node) {
	name, typ, value := w.field(n, "name"), w.field(n, "type"), w.field(n, "value")
	if w.inCallable() && rustImplement(w, n) < 0 || w.says(name, "_") {
		w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), typ)
		w.visit(value)
		return
	}
	d := decl{kind: code.KindConstant, node: n, name: name, returns: w.line(typ)}
	if w.is(n, "static_item") {
		d.kind = code.KindVariable
		if w.has(n, "mutable_specifier") {
			d.modifiers = append(d.modifiers, "mut")
		}
	}
	self := rustMember(w, &d)
	s := rustItem(w, d)
	if self == "" {
		w.fact(code.FactVar, w.encloser, w.str(name), w.line(typ), typ)
	} else {
		w.fact(code.FactVar, s, w.str(name), w.line(typ), typ)
	}
	w.inside(s, value)
}
