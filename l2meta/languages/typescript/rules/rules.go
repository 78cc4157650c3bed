// Package rules reads TypeScript, JavaScript and the scripts of Svelte components: declarations,
// calls and types. It resolves nothing.
//
// These make the languages difficult. A bundler may write a file, and a chain of calls in it, of
// any length, so texts are cut and nothing is visited twice. The grammar parses a member that
// starts with a bracket as a continuation of the line before. A function is often named by the
// variable to which it is assigned, or the call to which it is passed.
package rules

import (
	"bytes"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// Rules reads TypeScript, TSX and JavaScript: three grammars with common node types. A function is
// a symbol if it has a name: its own, or that of the variable, property or member to which it is
// assigned. Other variables are symbols only at the top of a file or a namespace; fields and
// members are symbols of the types that they belong to.
func Rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment", "html_comment"},
		Hidden:   hiddenNames,
		Mask:     mask,
		File:     start,
		Finish:   finish,
		Handlers: map[string]syntax.Handler{
			"function_declaration":           tsFunction,
			"generator_function_declaration": tsFunction,
			"function_signature":             tsFunction,
			"function_expression":            functionValue,
			"generator_function":             functionValue,
			"arrow_function":                 functionValue,

			"class_declaration":          class,
			"abstract_class_declaration": class,
			"class":                      class,
			"class_body":                 classBody,
			"class_static_block":         staticBlock,
			"method_definition":          method,
			"method_signature":           method,
			"abstract_method_signature":  method,
			"public_field_definition":    tsField,
			"field_definition":           tsField,
			"property_signature":         tsField,
			"formal_parameters":          formalParameters,
			"decorator": func(w *syntax.Walk, n syntax.Node) {
				tsDecorators(w, w.Encloser, []syntax.Node{n})
			},

			"interface_declaration":  tsInterface,
			"type_alias_declaration": typeAlias,
			"enum_declaration":       enum,
			"internal_module":        namespace,
			"module":                 namespace,
			"ambient_declaration":    ambient,
			"statement_block":        block,

			"variable_declarator":   tsVariable,
			"assignment_expression": assignment,
			"object":                tsObject,
			"array":                 array,
			"for_in_statement":      forIn,
			"catch_clause":          catch,
			"return_statement":      tsReturn,
			"call_signature":        signature,
			"index_signature":       indexSignature,
			"construct_signature":   signature,

			"import_statement":     tsImport,
			"import_alias":         importAlias,
			"export_statement":     tsExport,
			"expression_statement": expression,

			"call_expression":          call,
			"member_expression":        memberAccess,
			"new_expression":           tsNew,
			"jsx_opening_element":      jsxElement,
			"jsx_self_closing_element": jsxElement,
		},
	}
}

// file is the data that the rules keep while they walk one file.
type file struct {
	scope
	test     bool                        // whether the path is that of a test file
	dts      bool                        // whether it is a declaration file, whose implementation is elsewhere
	js       bool                        // whether it is JavaScript, in which the assignment of a field declares it
	module   bool                        // whether it has a top-level import or export: its names are not global
	exported map[string]bool             // local names that an export statement names
	fields   map[tsName]bool             // fields declared so far, in JavaScript
	pending  []syntax.Node               // decorators before the current member
	inner    syntax.Node                 // the function in a wrapper, memo(f), whose symbol is declared already
	results  map[int]int                 // number of results recorded for a symbol
	refs     []syntax.Reference          // arguments of calls that may be functions
	routes   map[syntax.Node]inlineRoute // functions that handle a route
}

// scope is the part of the state that a node changes for its descendants only.
type scope struct {
	local   bool   // inside a function body, where variables are not symbols
	ambient bool   // inside a declaration that begins with "declare"
	path    string // names of the variables and keys between the enclosing symbol and an object literal
	params  bool   // inside a parameter list, where members of object types belong to no symbol
	fn      bound  // the innermost function
	block   bound  // the innermost block
	result  string // expression for a value of the declared result type of the function; "" if unknown
	returns int    // symbol whose results the return statements here give; -1 if none
	context string // expression for the place that receives the current function or object; "" if unknown
}

type tsName struct {
	scope int
	name  string
}

func newTSFile(path string) *file {
	lower := strings.ToLower(path)
	t := &file{exported: map[string]bool{}, fields: map[tsName]bool{}, results: map[int]int{}}
	t.returns = -1
	t.dts = strings.HasSuffix(lower, ".d.ts") || strings.HasSuffix(lower, ".d.mts") ||
		strings.HasSuffix(lower, ".d.cts")
	t.js = strings.HasSuffix(lower, "js") || strings.HasSuffix(lower, ".jsx")
	t.ambient = t.dts
	for _, part := range []string{".test.", ".spec.", "__tests__/", "/test/", "/tests/", ".e2e-"} {
		t.test = t.test || strings.Contains("/"+lower, part)
	}
	return t
}

func start(w *syntax.Walk, _ syntax.Node) {
	w.State = newTSFile(w.Out.Path)
	typeImports(w)
}

func ts(w *syntax.Walk) *file { return w.State.(*file) }

// inside visits nodes as parts of symbol s, after change has adapted the scope to them. It restores
// the scope afterwards.
func inside(w *syntax.Walk, s int, change func(*scope), nodes ...syntax.Node) {
	t := ts(w)
	outer := t.scope
	t.path, t.params, t.context = "", false, ""
	change(&t.scope)
	w.Inside(s, nodes...)
	t.scope = outer
}

// children visits the children of n, after change has adapted the scope to them. It restores the
// scope afterwards.
func children(w *syntax.Walk, n syntax.Node, change func(*scope)) {
	t := ts(w)
	outer := t.scope
	t.context = ""
	change(&t.scope)
	w.Children(n)
	t.scope = outer
}

func inType(s *scope) { s.local, s.returns = false, -1 }
func inValue(*scope)  {}

// inFunction returns the change of scope for the body of function fn. Its return statements are
// recorded as results of symbol s, unless s is -1.
func inFunction(w *syntax.Walk, fn syntax.Node, s int) func(*scope) {
	in, result := boundIn(w, fn), expectedResult(w, fn)
	return func(t *scope) {
		t.local, t.ambient, t.fn, t.block, t.returns, t.result = true, false, in, in, s, result
	}
}

// finish sets which symbols are exported. Before it runs, Exported only says whether a symbol is
// visible wherever its parent is visible.
func finish(w *syntax.Walk) {
	t := ts(w)
	global := t.dts && !t.module
	for i := range w.Out.Symbols {
		s := &w.Out.Symbols[i]
		if s.Parent >= 0 {
			s.Exported = s.Exported && w.Out.Symbols[s.Parent].Exported
			continue
		}
		top, _, _ := strings.Cut(s.QualifiedName, ".")
		s.Exported = s.Kind != code.KindTest && (s.Exported || global || t.exported[top])
	}
	w.KeepReferences(t.refs)
	keepGiven(w)
	narrow(w)
	slices.SortStableFunc(w.Out.Imports, func(a, b code.Import) int { return a.Span.StartByte - b.Span.StartByte })
}

// tsOuter returns the outermost statement that only wraps the declaration n: "export", "declare",
// or a variable statement with a single variable; 0 if there is none. exported is set if an export
// statement is around n, and isDefault if it is "export default".
func tsOuter(w *syntax.Walk, n syntax.Node) (outer syntax.Node, exported, isDefault bool) {
	p := w.Parent(n)
	if w.Is(n, "variable_declarator") {
		if !w.Is(p, "lexical_declaration", "variable_declaration") {
			return 0, false, false
		}
		alone := 0
		for c := range w.Named(p) {
			if w.Is(c, "variable_declarator") {
				alone++
			}
			if alone > 1 {
				break // stops at the list of variables, because a statement may declare thousands
			}
		}
		n, p = p, w.Parent(p)
		if alone == 1 {
			outer = n
		} else {
			for w.Is(p, "export_statement", "ambient_declaration") {
				exported = exported || w.Is(p, "export_statement")
				p = w.Parent(p)
			}
			return 0, exported, false
		}
	}
	for w.Is(p, "export_statement", "ambient_declaration", "expression_statement") {
		if w.Is(p, "expression_statement") && !w.Is(n, "internal_module", "module") {
			break
		}
		if w.Is(p, "export_statement") {
			exported, isDefault = true, w.Has(p, "default")
		}
		outer, p = p, w.Parent(p)
	}
	return outer, exported, isDefault
}

// declare completes a declaration from the statements and decorators around it, declares it, and
// visits its decorators.
func declare(w *syntax.Walk, d syntax.Decl) int {
	outer, exported, _ := tsOuter(w, d.Node)
	t := ts(w)
	if outer > 0 {
		d.From = outer
	}
	decorators := t.pending
	t.pending = nil
	if len(decorators) > 0 {
		d.From = decorators[0]
	}
	whole := max(outer, 0)
	for _, part := range []syntax.Node{whole, d.Node} {
		if part == 0 || part == d.Node && whole == d.Node {
			continue
		}
		for c := range w.Tree.Children(part) {
			if w.Is(c, "decorator") {
				decorators = append(decorators, c)
			} else if d.Sig == 0 && len(decorators) > 0 && !w.IsComment(c) {
				d.Sig = c
			}
		}
	}
	if len(decorators) == 0 {
		d.Sig = 0
	}
	for _, c := range decorators {
		d.Annotations = append(d.Annotations, w.Line(c))
	}
	statement := outer
	if list := w.Parent(d.Node); outer == 0 && w.Is(d.Node, "variable_declarator") &&
		w.Is(list, "lexical_declaration", "variable_declaration") {
		statement, _, _ = tsOuter(w, list) // the variable is one of several in its statement
		statement = max(statement, 0)
		if statement == 0 {
			statement = list
		}
		if w.FirstNamed(list) == d.Node {
			d.Doc = w.DocBefore(w.Start(statement))
		}
	}
	d.Modifiers = append(modifiers(w, statement), modifiers(w, d.Node)...)
	d.Exported = d.Exported || exported || t.ambient && w.Encloser >= 0 && !t.local
	s := w.Declare(d)
	tsDecorators(w, s, decorators)
	return s
}

// modifiers returns the keywords before the name of n, such as async or static, or those before the
// name in its statement, such as const.
func modifiers(w *syntax.Walk, n syntax.Node) (out []string) {
	if n <= 0 {
		return nil
	}
	for c := range w.Tree.Children(n) {
		switch k := w.Kind(c); k {
		case "export", "default", "declare", "abstract", "async", "static", "readonly", "get", "set", "const", "let",
			"var", "accessor", "*":
			out = append(out, k)
		case "accessibility_modifier", "override_modifier":
			out = append(out, w.Str(c))
		case "lexical_declaration", "variable_declaration", "ambient_declaration":
			return append(out, modifiers(w, c)...)
		}
		if f := w.Nodes[c].Field; f != 0 &&
			(f == w.Grammar.Named["name"] || f == w.Grammar.Named["property"] || f == w.Grammar.Named["value"] ||
				f == w.Grammar.Named["declaration"]) {
			if !w.Is(c, "ambient_declaration") {
				break
			}
		}
	}
	return out
}

// unwrap returns the expression inside parentheses and type assertions.
func unwrap(w *syntax.Walk, n syntax.Node) syntax.Node {
	for {
		switch w.Kind(n) {
		case "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression":
			inner := syntax.None
			for c := range w.Named(n) {
				inner = c
				break
			}
			if inner < 0 {
				return n
			}
			n = inner
		case "type_assertion":
			last := n
			for c := range w.Named(n) {
				last = c
			}
			if last == n {
				return n
			}
			n = last
		default:
			return n
		}
	}
}

// tsType returns the type in a type annotation, without the ":".
func tsType(w *syntax.Walk, annotation syntax.Node) string {
	return strings.TrimSpace(strings.TrimPrefix(typeLine(w, annotation), ":"))
}

// typeLine returns a type on one line: without comments, and with semicolons between members of
// object types that are only separated by line breaks.
func typeLine(w *syntax.Walk, n syntax.Node) string {
	if n < 0 || !strings.Contains(w.Str(n), "\n") {
		return w.Line(n)
	}
	return syntax.OneLine(typeText(w, n))
}

// typeText returns the same text as typeLine, but with its line breaks.
func typeText(w *syntax.Walk, n syntax.Node) []byte {
	type edit struct{ from, to int }
	var edits []edit // from == to inserts a semicolon, otherwise the text in between is removed
	for i := n + 1; i < syntax.Node(w.Nodes[n].Next); i++ {
		switch {
		case w.IsComment(i):
			edits = append(edits, edit{w.Start(i), w.End(i)})
		case w.Is(i, "property_signature", "method_signature", "call_signature", "construct_signature",
			"index_signature"):
			rest := bytes.TrimSpace(w.Text[w.End(i):w.End(n)])
			if len(rest) > 0 && bytes.IndexByte([]byte(";,}"), rest[0]) < 0 {
				edits = append(edits, edit{w.End(i), w.End(i)})
			}
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := w.Start(n)
	for _, e := range edits {
		if e.from < at {
			continue
		}
		out = append(out, w.Text[at:e.from]...)
		if at = e.to; e.from == e.to {
			out = append(out, ';')
		}
	}
	return append(out, w.Text[at:w.End(n)]...)
}

// text returns a property name without quotation marks.
func text(w *syntax.Walk, name syntax.Node) string {
	if w.Is(name, "string") {
		return syntax.Unquote(w.Str(name))
	}
	return w.Line(name)
}
