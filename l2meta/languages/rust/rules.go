package rust

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func rustRules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"line_comment", "block_comment"},
		Mask:     rustMask,
		File:     func(w *syntax.Walk, _ syntax.Node) { w.State = &rustState{} },
		Finish:   rustFinish,
		Handlers: map[string]syntax.Handler{
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
	attributes []syntax.Node // those that may belong to the next item
	impls      []rustImplOf
}

// rustImplOf is one "impl Trait for Type", to be tied to the symbol of Type.
type rustImplOf struct {
	owner, typ, trait string
	at                syntax.Node
	scope             int
}

func rustAttribute(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*rustState)
	st.attributes = append(st.attributes, n)
}

// rustAttributes takes the attributes that stand right before item n, with
// nothing but comments between.
func rustAttributes(w *syntax.Walk, n syntax.Node) (out []syntax.Node) {
	st := w.State.(*rustState)
	for i, a := range st.attributes {
		if w.Parent(a) == w.Parent(n) && rustLeadsTo(w, a, n) {
			out = append(out, st.attributes[i:]...)
			break
		}
	}
	st.attributes = st.attributes[:0]
	return out
}

func rustLeadsTo(w *syntax.Walk, a, n syntax.Node) bool {
	for a < n && (w.Is(a, "attribute_item", "visibility_modifier") || w.IsComment(a)) {
		a = syntax.Node(w.Nodes[a].Next)
	}
	return a == n
}

// rustItem declares an item with its attributes, visibility, modifiers and
// documentation.
func rustItem(w *syntax.Walk, d syntax.Decl) int {
	n := d.Node
	attributes := rustAttributes(w, n)
	for _, a := range attributes {
		d.Annotations = append(d.Annotations, w.Line(a))
	}
	if len(attributes) > 0 {
		d.From, d.Sig = attributes[0], n
		d.Doc = rustDocBetween(w, attributes[0], n)
	}
	visibility := w.Str(w.Child(n, "visibility_modifier"))
	d.Exported = d.Exported || visibility == "pub"
	if visibility != "" {
		d.Modifiers = append([]string{visibility}, d.Modifiers...)
	}
	if d.Kind == code.KindFunction || d.Kind == code.KindMethod {
		if rustIsTest(w, attributes) {
			d.Kind = code.KindTest
		}
	}
	s := w.Declare(d)
	if w.Out.Symbols[s].Doc == "" && w.Is(d.Body, "declaration_list", "block") {
		w.Out.Symbols[s].Doc = rustInnerDoc(w, d.Body)
	}
	rustDecorate(w, s, attributes)
	return s
}

// rustDocBetween is the doc comment that stands among the attributes of an
// item, together with the one above them: both document it.
func rustDocBetween(w *syntax.Walk, first, n syntax.Node) string {
	var parts []string
	for c := first; c < n; c = syntax.Node(w.Nodes[c].Next) {
		if w.IsComment(c) && w.Find(c, "outer_doc_comment_marker") >= 0 {
			parts = append(parts, syntax.CommentText(w.Str(c)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	if above := w.DocBefore(w.Start(first)); above != "" {
		parts = append([]string{above}, parts...)
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// rustInnerDoc is the //! documentation at the start of a body.
func rustInnerDoc(w *syntax.Walk, body syntax.Node) string {
	var parts []string
	for c := range w.Tree.Children(body) {
		if w.IsNamed(c) && !w.IsComment(c) && !w.Is(c, "inner_attribute_item") {
			break
		}
		if w.IsComment(c) && w.Find(c, "inner_doc_comment_marker") >= 0 {
			parts = append(parts, syntax.CommentText(w.Str(c)))
		}
	}
	return syntax.Clip(strings.TrimSpace(strings.Join(parts, "\n")), code.MaxDocBytes)
}

// rustAttributePath is the path of an attribute: "tokio::test" of #[tokio::test(flavor = "x")].
func rustAttributePath(w *syntax.Walk, attribute syntax.Node) syntax.Node {
	return w.Child(w.Child(attribute, "attribute"), "identifier", "scoped_identifier")
}

// rustIsTest reports whether an attribute makes the function a test: the
// built-in ones, those of async runtimes (tokio::test), and those of test
// libraries, which by custom end in "_test".
func rustIsTest(w *syntax.Walk, attributes []syntax.Node) bool {
	for _, a := range attributes {
		path := w.Str(rustAttributePath(w, a))
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
func rustDecorate(w *syntax.Walk, s int, attributes []syntax.Node) {
	outer := w.Encloser
	w.Encloser = s
	defer func() { w.Encloser = outer }()
	for _, a := range attributes {
		path := rustAttributePath(w, a)
		text := w.Str(path)
		tree := w.Field(w.Child(a, "attribute"), "arguments")
		if text == "derive" && tree >= 0 {
			for _, t := range strings.Split(strings.Trim(w.Line(tree), "()"), ",") {
				w.Fact(code.FactImpl, s, "", strings.TrimSpace(t), a)
			}
		}
		if path < 0 || rustInert[text] || strings.HasPrefix(text, "clippy::") || strings.HasPrefix(text, "rustc_") {
			continue
		}
		name, receiver := rustSplit(w, path)
		w.Call(code.CallDecorator, a, name, receiver, rustTreeArgs(w, tree))
	}
}

// rustSplit takes a path apart into its last name and what stands before it.
func rustSplit(w *syntax.Walk, path syntax.Node) (name, receiver syntax.Node) {
	switch w.Kind(path) {
	case "scoped_identifier", "scoped_type_identifier":
		return w.Field(path, "name"), w.Field(path, "path")
	case "generic_type", "generic_type_with_turbofish":
		return rustSplit(w, w.Field(path, "type"))
	}
	return path, syntax.None
}

func rustModule(w *syntax.Walk, n syntax.Node) {
	body := w.Field(n, "body")
	s := rustItem(w, syntax.Decl{Kind: code.KindModule, Node: n, Name: w.Field(n, "name"), Body: body})
	if body < 0 {
		// "mod a;" is the file of the module, seen from here.
		w.AddImport(n, code.Import{Module: "self::" + w.Str(w.Field(n, "name"))})
		return
	}
	w.Inside(s, body)
}

func rustType(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindStruct, Node: n, Name: w.Field(n, "name"), Body: w.Field(n, "body")}
	if w.Is(n, "enum_item") {
		d.Kind = code.KindEnum
	}
	body := d.Body
	if w.Is(body, "ordered_field_declaration_list") {
		d.Body = 0 // the fields of a tuple struct are part of its signature
	}
	s := rustItem(w, d)
	rustBounds(w, n, s)
	rustTupleFields(w, s, body)
	w.Inside(s, body)
}

// rustTupleFields records the types of the fields 0, 1, … of a tuple.
func rustTupleFields(w *syntax.Walk, s int, body syntax.Node) {
	if !w.Is(body, "ordered_field_declaration_list") {
		return
	}
	i := 0
	for t := range w.All(body, "type") {
		w.Fact(code.FactField, s, strconv.Itoa(i), w.Line(t), t)
		i++
	}
}

func rustVariant(w *syntax.Walk, n syntax.Node) {
	body := w.Field(n, "body")
	d := syntax.Decl{Kind: code.KindConstant, Node: n, Name: w.Field(n, "name"), Exported: rustOwnerExported(w)}
	if w.Is(body, "field_declaration_list") {
		d.Body = body
	}
	s := rustItem(w, d)
	rustTupleFields(w, s, body)
	w.Inside(s, body, w.Field(n, "value"))
}

// rustOwnerExported reports whether the enclosing symbol is exported: a
// variant or a trait's item is seen wherever its type is.
func rustOwnerExported(w *syntax.Walk) bool {
	return w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Exported
}

func rustField(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	owner := w.Encloser
	d := syntax.Decl{Kind: code.KindField, Node: n, Name: w.Field(n, "name"), Returns: w.Line(typ)}
	// The fields of a variant are as visible as the variant.
	d.Exported = owner >= 0 && w.Out.Symbols[owner].Kind == code.KindConstant && w.Out.Symbols[owner].Exported
	rustItem(w, d)
	w.Fact(code.FactField, owner, w.Str(w.Field(n, "name")), w.Line(typ), typ)
}

func rustTrait(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindTrait, Node: n, Name: w.Field(n, "name"), Body: w.Field(n, "body")}
	if w.Has(n, "unsafe") {
		d.Modifiers = append(d.Modifiers, "unsafe")
	}
	s := rustItem(w, d)
	for b := range w.Named(w.Field(n, "bounds")) {
		if !w.Is(b, "lifetime") {
			w.Fact(code.FactBase, s, "", w.Line(b), b)
		}
	}
	rustBounds(w, n, s)
	w.Inside(s, d.Body)
}

// rustAlias declares "type A = B" and the associated types of traits.
func rustAlias(w *syntax.Walk, n syntax.Node) {
	if w.InCallable() && rustImplement(w, n) < 0 {
		w.Fact(code.FactAlias, w.Encloser, w.Str(w.Field(n, "name")), w.Line(w.Field(n, "type")), n)
		return
	}
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: w.Field(n, "name")}
	rustMember(w, &d)
	s := rustItem(w, d)
	typ := w.Field(n, "type")
	w.Fact(code.FactAlias, s, w.Str(d.Name), w.Line(typ), typ)
	rustBounds(w, n, s)
	for b := range w.Named(w.Field(n, "bounds")) {
		if !w.Is(b, "lifetime") {
			w.Fact(code.FactBase, s, "", w.Line(b), b)
		}
	}
}

// rustValue declares constants and statics; those of function bodies are
// locals, and "const _" has no name.
func rustValue(w *syntax.Walk, n syntax.Node) {
	name, typ, value := w.Field(n, "name"), w.Field(n, "type"), w.Field(n, "value")
	if w.InCallable() && rustImplement(w, n) < 0 || w.Says(name, "_") {
		w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(typ), typ)
		w.Visit(value)
		return
	}
	d := syntax.Decl{Kind: code.KindConstant, Node: n, Name: name, Returns: w.Line(typ)}
	if w.Is(n, "static_item") {
		d.Kind = code.KindVariable
		if w.Has(n, "mutable_specifier") {
			d.Modifiers = append(d.Modifiers, "mut")
		}
	}
	self := rustMember(w, &d)
	s := rustItem(w, d)
	if self == "" {
		w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(typ), typ)
	} else {
		w.Fact(code.FactVar, s, w.Str(name), w.Line(typ), typ)
	}
	w.Inside(s, value)
}
