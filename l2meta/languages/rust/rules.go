package rust

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"line_comment", "block_comment"},
		Mask:     mask,
		File:     func(w *syntax.Walk, _ syntax.Node) { w.State = &state{blocks: map[int]bool{}} },
		Finish:   finish,
		Handlers: map[string]syntax.Handler{
			"attribute_item":           attribute,
			"mod_item":                 rustModule,
			"struct_item":              rustType,
			"union_item":               rustType,
			"enum_item":                rustType,
			"enum_variant":             rustVariant,
			"field_declaration":        field,
			"trait_item":               trait,
			"associated_type":          alias,
			"type_item":                alias,
			"impl_item":                impl,
			"function_item":            function,
			"function_signature_item":  function,
			"const_item":               value,
			"static_item":              value,
			"macro_definition":         macro,
			"extern_crate_declaration": externCrate,
			"use_declaration":          use,
			"let_declaration":          let,
			"let_condition":            condition,
			"for_expression":           rustFor,
			"match_arm":                arm,
			"closure_expression":       closure,
			"call_expression":          call,
			"struct_expression":        structLiteral,
			"assignment_expression":    assignment,
			"macro_invocation":         macroCall,
		},
	}
}

// state is the data that the rules keep while they walk one file.
type state struct {
	attributes []syntax.Node   // attributes that may belong to the next item
	impls      []implOf        // implementations of traits read so far
	blocks     map[int]bool    // the offsets of the blocks that are recorded as scopes of items
	depth      int             // the number of macro calls around the current node; see macroItems
	within     *implementation // around the items of a macro call that are being read
}

// implOf is an "impl Trait for Type", kept until it can be attached to the symbol of Type. owner
// is the qualified name of Type. typ and trait are as written, and scope is the index of the
// symbol around the implementation.
type implOf struct {
	owner, typ, trait string
	at                code.Span
	scope             int
}

func attribute(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*state)
	st.attributes = append(st.attributes, n)
}

// attributes returns the attributes directly before item n, with only comments in between, and
// removes them from the state.
func attributes(w *syntax.Walk, n syntax.Node) (out []syntax.Node) {
	st := w.State.(*state)
	for i, a := range st.attributes {
		if w.Parent(a) == w.Parent(n) && leadsTo(w, a, n) {
			out = append(out, st.attributes[i:]...)
			break
		}
	}
	st.attributes = st.attributes[:0]
	return out
}

func leadsTo(w *syntax.Walk, a, n syntax.Node) bool {
	for a < n && (w.Is(a, "attribute_item", "visibility_modifier") || w.IsComment(a)) {
		a = syntax.Node(w.Nodes[a].Next)
	}
	return a == n
}

// item declares an item with its attributes, visibility, modifiers and documentation.
func item(w *syntax.Walk, d syntax.Decl) int {
	n := d.Node
	innerBlock(w, n)
	attributes := attributes(w, n)
	for _, a := range attributes {
		d.Annotations = append(d.Annotations, w.Line(a))
	}
	if len(attributes) > 0 {
		d.From, d.Sig = attributes[0], n
		d.Doc = docBetween(w, attributes[0], n)
	}
	visibility := w.Str(w.Child(n, "visibility_modifier"))
	d.Exported = d.Exported || visibility == "pub"
	if visibility != "" {
		d.Modifiers = append([]string{visibility}, d.Modifiers...)
	}
	if d.Kind == code.KindFunction || d.Kind == code.KindMethod {
		if isTest(w, attributes) {
			d.Kind = code.KindTest
		}
	}
	s := w.Declare(d)
	if w.Out.Symbols[s].Doc == "" && w.Is(d.Body, "declaration_list", "block") {
		w.Out.Symbols[s].Doc = innerDoc(w, d.Body)
	}
	decorate(w, s, attributes)
	return s
}

// docBetween returns the doc comments among the attributes of an item, joined with those above the
// attributes. It returns "" if there are none among them.
func docBetween(w *syntax.Walk, first, n syntax.Node) string {
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

// innerDoc returns the //! documentation at the start of a body.
func innerDoc(w *syntax.Walk, body syntax.Node) string {
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

// attributePath returns the path of an attribute: "tokio::test" of #[tokio::test(flavor = "x")].
func attributePath(w *syntax.Walk, attribute syntax.Node) syntax.Node {
	return w.Child(w.Child(attribute, "attribute"), "identifier", "scoped_identifier")
}

// isTest reports whether an attribute makes the function a test: a built-in one, one of an async
// runtime (tokio::test), or one of a test library, whose name ends in "_test" by convention.
func isTest(w *syntax.Walk, attributes []syntax.Node) bool {
	for _, a := range attributes {
		path := w.Str(attributePath(w, a))
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

// inert lists attributes that only the compiler or a derive macro reads. They call no macro.
var inert = map[string]bool{
	"allow": true, "arg": true, "automatically_derived": true, "bench": true, "cfg": true, "cfg_attr": true,
	"clap": true, "cold": true,
	"command": true, "default": true, "deny": true, "deprecated": true, "derive": true, "doc": true, "error": true,
	"expect": true, "export_name": true,
	"forbid": true, "from": true, "global_allocator": true, "ignore": true, "inline": true, "link": true,
	"link_name":    true,
	"link_section": true, "macro_export": true, "macro_use": true, "must_use": true, "no_mangle": true,
	"non_exhaustive": true,
	"panic_handler":  true, "path": true, "proc_macro": true, "proc_macro_attribute": true, "proc_macro_derive": true,
	"repr": true, "rustfmt": true,
	"rustfmt::skip": true, "serde": true, "should_panic": true, "source": true, "stable": true, "target_feature": true,
	"test":         true,
	"track_caller": true, "unsafe": true, "unstable": true, "used": true, "value": true, "warn": true,
}

// decorate records attribute macros as calls. It records the traits in #[derive(…)] as
// implemented.
func decorate(w *syntax.Walk, s int, attributes []syntax.Node) {
	outer := w.Encloser
	w.Encloser = s
	defer func() { w.Encloser = outer }()
	for _, a := range attributes {
		path := attributePath(w, a)
		text := w.Str(path)
		tree := w.Field(w.Child(a, "attribute"), "arguments")
		if text == "derive" && tree >= 0 {
			for _, t := range strings.Split(strings.Trim(w.Line(tree), "()"), ",") {
				w.Fact(code.FactImpl, s, "", strings.TrimSpace(t), a)
			}
		}
		if path < 0 || inert[text] || strings.HasPrefix(text, "clippy::") || strings.HasPrefix(text, "rustc_") {
			continue
		}
		name, receiver := split(w, path)
		w.Call(code.CallDecorator, a, name, receiver, treeArgs(w, tree))
	}
}

// split splits a path into its last name and its qualifier: b and a for a::b.
func split(w *syntax.Walk, path syntax.Node) (name, receiver syntax.Node) {
	switch w.Kind(path) {
	case "scoped_identifier", "scoped_type_identifier":
		return w.Field(path, "name"), w.Field(path, "path")
	case "generic_type", "generic_type_with_turbofish":
		return split(w, w.Field(path, "type"))
	}
	return path, syntax.None
}

func rustModule(w *syntax.Walk, n syntax.Node) {
	body := w.Field(n, "body")
	s := item(w, syntax.Decl{Kind: code.KindModule, Node: n, Name: w.Field(n, "name"), Body: body})
	if body < 0 {
		// "mod a;" imports the file of the module.
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
		d.Body = 0 // the fields of a tuple struct belong to its signature
	}
	s := item(w, d)
	bounds(w, n, s)
	tupleFields(w, s, body)
	w.Inside(s, body)
}

// tupleFields records the types of the fields 0, 1, … of a tuple.
func tupleFields(w *syntax.Walk, s int, body syntax.Node) {
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
	d := syntax.Decl{Kind: code.KindConstant, Node: n, Name: w.Field(n, "name"), Exported: ownerExported(w)}
	if w.Is(body, "field_declaration_list") {
		d.Body = body
	}
	s := item(w, d)
	tupleFields(w, s, body)
	w.Inside(s, body, w.Field(n, "value"))
}

// ownerExported reports whether the enclosing symbol is exported. Enum variants and items of traits
// are as visible as their type.
func ownerExported(w *syntax.Walk) bool {
	return w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Exported
}

func field(w *syntax.Walk, n syntax.Node) {
	typ := w.Field(n, "type")
	owner := w.Encloser
	d := syntax.Decl{Kind: code.KindField, Node: n, Name: w.Field(n, "name"), Returns: w.Line(typ)}
	// The fields of a variant are as visible as the variant.
	d.Exported = owner >= 0 && w.Out.Symbols[owner].Kind == code.KindConstant && w.Out.Symbols[owner].Exported
	item(w, d)
	w.Fact(code.FactField, owner, w.Str(w.Field(n, "name")), w.Line(typ), typ)
}

func trait(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindTrait, Node: n, Name: w.Field(n, "name"), Body: w.Field(n, "body")}
	if w.Has(n, "unsafe") {
		d.Modifiers = append(d.Modifiers, "unsafe")
	}
	s := item(w, d)
	for b := range w.Named(w.Field(n, "bounds")) {
		if !w.Is(b, "lifetime") {
			w.Fact(code.FactBase, s, "", w.Line(b), b)
		}
	}
	bounds(w, n, s)
	w.Inside(s, d.Body)
}

// alias declares "type A = B" and the associated types of traits.
func alias(w *syntax.Walk, n syntax.Node) {
	if w.InCallable() && implement(w, n) == nil {
		w.Fact(code.FactAlias, w.Encloser, w.Str(w.Field(n, "name")), w.Line(w.Field(n, "type")), n)
		return
	}
	d := syntax.Decl{Kind: code.KindType, Node: n, Name: w.Field(n, "name")}
	member(w, &d)
	s := item(w, d)
	typ := w.Field(n, "type")
	w.Fact(code.FactAlias, s, w.Str(d.Name), w.Line(typ), typ)
	bounds(w, n, s)
	for b := range w.Named(w.Field(n, "bounds")) {
		if !w.Is(b, "lifetime") {
			w.Fact(code.FactBase, s, "", w.Line(b), b)
		}
	}
}

// value declares constants and statics. It records those in function bodies as local variables.
// It skips "const _", which has no name.
func value(w *syntax.Walk, n syntax.Node) {
	name, typ, value := w.Field(n, "name"), w.Field(n, "type"), w.Field(n, "value")
	if w.InCallable() && implement(w, n) == nil || w.Says(name, "_") {
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
	self := member(w, &d)
	s := item(w, d)
	if self == "" {
		w.Fact(code.FactVar, w.Encloser, w.Str(name), w.Line(typ), typ)
	} else {
		w.Fact(code.FactVar, s, w.Str(name), w.Line(typ), typ)
	}
	w.Inside(s, value)
}
