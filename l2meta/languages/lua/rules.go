package lua

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rules declares functions under the tables that they are assigned to, and the variables at the top
// level of the file.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Mask:     mask,
		File:     trim,
		Handlers: map[string]syntax.Handler{
			"function_statement":   function,
			"variable_declaration": variable,
			"field":                field,
			"function_call":        call,
		},
	}
}

// mask changes the text that the parser sees. The grammar parses annotations after "---": it fails
// on most, and treats the others as a part of the function below them. So mask turns "---" into the
// start of a plain comment. It also blanks goto statements and labels.
func mask(text []byte) []byte {
	masked := bytes.ReplaceAll(text, []byte("---"), []byte("-- "))
	for _, at := range jumps.FindAllIndex(masked, -1) {
		syntax.Blank(masked[at[0]:at[1]])
	}
	return masked
}

// jumps matches goto statements and labels, which the grammar does not support.
var jumps = regexp.MustCompile(`\bgoto[ \t]+[A-Za-z_]\w*|::[ \t]*[A-Za-z_]\w*[ \t]*::`)

// trim moves the start of each node past the line breaks that the grammar includes in it.
func trim(w *syntax.Walk, _ syntax.Node) {
	for i := range w.Nodes {
		n := &w.Nodes[i]
		for n.Start < n.End && syntax.IsSpace(w.Text[n.Start]) {
			n.Start++
		}
	}
}

// luaName splits "M.sub:method" into owner "M.sub" and last name "method"; method reports whether
// ":" separates them.
func luaName(s string) (owner, name string, method bool) {
	s = strings.TrimSpace(s)
	i := strings.LastIndexAny(s, ".:")
	if i < 0 {
		return "", s, false
	}
	return strings.ReplaceAll(s[:i], ":", "."), s[i+1:], s[i] == ':'
}

func function(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	if name < 0 {
		w.Children(n)
		return
	}
	owner, last, method := luaName(w.Str(name))
	d := syntax.Decl{
		Kind: code.KindFunction, Node: n, Name: luaLast(w, name), Text: last, Owner: owner,
		Body: w.Child(n, "function_body"), Parameters: parameters(w, n),
	}
	visibility(w, n, &d)
	if owner != "" {
		d.Kind = code.KindMethod
	}
	if !method && owner != "" {
		d.Modifiers = append(d.Modifiers, "static")
	}
	w.Inside(w.Declare(d), d.Body)
}

// visibility marks local declarations as not exported.
func visibility(w *syntax.Walk, n syntax.Node, d *syntax.Decl) {
	d.Exported = !w.Has(n, "local")
	if !d.Exported {
		d.Modifiers = append(d.Modifiers, "local")
	}
}

// luaLast returns the last identifier of a dotted name: "f" of M.f.
func luaLast(w *syntax.Walk, name syntax.Node) syntax.Node {
	last := name
	for c := range w.Named(name) {
		if w.Is(c, "identifier") {
			last = c
		}
	}
	return last
}

func parameters(w *syntax.Walk, n syntax.Node) (out []code.Parameter) {
	for p := range w.Named(w.Child(n, "parameter_list")) {
		out = append(out, code.Parameter{Name: w.Str(p), Variadic: w.Is(p, "ellipsis")})
	}
	return out
}

// variable declares the names in a, b = x, y. Functions are declared wherever they are assigned,
// other values only at the top level of the file.
func variable(w *syntax.Walk, n syntax.Node) {
	var values []syntax.Node
	for v := range w.All(n, "value") {
		if w.IsNamed(v) {
			values = append(values, v)
		}
	}
	i := 0
	for name := range w.All(n, "name") {
		if !w.IsNamed(name) {
			continue
		}
		value := syntax.None
		if i < len(values) {
			value = values[i]
		}
		if i > 0 && i == len(values) && strings.HasPrefix(w.Line(values[i-1]), "pcall(require") {
			w.AddImport(n, code.Import{Module: require(w, values[i-1]), Alias: w.Str(name)})
		}
		i++
		assign(w, n, name, value)
	}
	for ; i < len(values); i++ {
		w.Visit(values[i])
	}
}

func assign(w *syntax.Walk, n, name, value syntax.Node) {
	owner, last, _ := luaName(w.Str(name))
	d := syntax.Decl{Node: n, Name: luaLast(w, name), Text: last, Owner: owner, Kind: code.KindVariable}
	visibility(w, n, &d)
	if module := require(w, value); module != "" && !strings.HasPrefix(w.Line(value), "pcall") {
		w.AddImport(n, code.Import{Module: module, Alias: last})
	}
	w.Fact(code.FactAssign, w.Encloser, strings.TrimSpace(w.Str(name)), w.Line(value), name)
	function := w.Is(value, "function")
	plain := last != "" && !strings.ContainsAny(w.Str(name), "[]()\"' \n")
	if !plain || !function && w.Encloser >= 0 {
		w.Visit(name)
		w.Visit(value)
		return
	}
	if !function {
		if owner != "" {
			d.Kind = code.KindField
		}
		w.Inside(w.Declare(d), value)
		return
	}
	d.Kind, d.Body, d.Parameters = code.KindFunction, w.Child(value, "function_body"), parameters(w, value)
	if owner != "" {
		d.Kind = code.KindMethod
	}
	w.Inside(w.Declare(d), d.Body)
}

// require returns the module that an expression loads: m for require "m" and for pcall(require,
// "m"). It returns "" for any other expression.
func require(w *syntax.Walk, value syntax.Node) string {
	if !w.Is(value, "function_call") {
		return ""
	}
	text := w.Line(value)
	if !strings.HasPrefix(text, "require") && !strings.HasPrefix(text, "pcall(require,") {
		return ""
	}
	return strings.Trim(w.Str(w.Find(value, "string_argument", "string")), "\"'[]")
}

// field declares the functions of a table constructor. It also declares nested tables, unless the
// table is inside a function.
func field(w *syntax.Walk, n syntax.Node) {
	name, value := w.Field(n, "name"), w.Field(n, "value")
	named := w.Is(name, "identifier") && !w.TooDeep()
	if named && w.Is(value, "tableconstructor") && w.Encloser >= 0 && !w.Out.Symbols[w.Encloser].Kind.Callable() {
		w.Inside(w.Declare(syntax.Decl{Kind: code.KindField, Node: n, Name: name, Exported: true}), value)
		return
	}
	if !named || !w.Is(value, "function") {
		w.Children(n)
		return
	}
	s := w.Declare(syntax.Decl{
		Kind: code.KindMethod, Node: n, Name: name, Body: w.Child(value, "function_body"),
		Parameters: parameters(w, value), Exported: true,
	})
	w.Inside(s, w.Child(value, "function_body"))
}

// call records a.b:c(x). In the tree, the parts of the callee are children of the call.
func call(w *syntax.Walk, n syntax.Node) {
	first, before, part, last := syntax.None, syntax.None, syntax.None, syntax.None
	for c := range w.Tree.Children(n) {
		if w.Is(c, "function_call_paren", "function_arguments", "string_argument", "table_argument") {
			break
		}
		if first < 0 {
			first = c
		}
		if w.Is(c, "identifier") {
			last = c
		}
		if w.IsNamed(c) && !w.Is(c, "self_call_colon") {
			before, part = part, c
		}
	}
	if last >= 0 && w.Str(last) != "" {
		site(w, n, first, before, last)
	}
	w.Children(n)
}

func site(w *syntax.Walk, n, first, before, last syntax.Node) {
	args, spread := 0, false
	for a := range w.Tree.Children(w.Field(n, "args")) {
		if args == 0 || w.Is(a, ",") { // the grammar makes the parts of a.b separate arguments
			args++
		}
		spread = w.Is(a, "ellipsis")
	}
	if spread {
		args = -1
	}
	if w.Is(w.Field(n, "args"), "string_argument", "table_argument") {
		args = 1
	}
	w.Call(code.CallPlain, n, last, syntax.None, args)
	if before >= 0 && w.Start(first) < w.Start(last) {
		site := &w.Out.Calls[len(w.Out.Calls)-1]
		site.Receiver = strings.TrimRight(syntax.OneLine(w.Text[w.Start(first):w.Start(last)]), ".: ")
	}
	if w.Encloser < 0 || before < 0 {
		if module := require(w, n); module != "" && !w.Is(w.Parent(n), "variable_declaration") {
			w.AddImport(n, code.Import{Module: module})
		}
	}
}
