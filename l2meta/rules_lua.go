package l2meta

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
)

// luaRules declares functions under the tables they are assigned to, and the
// variables of the file's top level.
func luaRules() *rules {
	return &rules{
		comments: []string{"comment"},
		mask:     luaMask,
		file:     luaTrim,
		handlers: map[string]handler{
			"function_statement":   luaFunction,
			"variable_declaration": luaVariable,
			"field":                luaField,
			"function_call":        luaCall,
		},
	}
}

// luaMask shows "---" to the parser as the start of a plain comment, and jumps
// as white space. The grammar parses annotations, fails on most of them, and
// counts those it knows as part of the function below.
func luaMask(text []byte) []byte {
	masked := bytes.ReplaceAll(text, []byte("---"), []byte("-- "))
	for _, at := range luaJumps.FindAllIndex(masked, -1) {
		blank(masked[at[0]:at[1]])
	}
	return masked
}

// luaJumps are goto and its labels, which the grammar does not know.
var luaJumps = regexp.MustCompile(`\bgoto[ \t]+[A-Za-z_]\w*|::[ \t]*[A-Za-z_]\w*[ \t]*::`)

// luaTrim moves the start of each node behind the line breaks that the grammar
// counts as part of it.
func luaTrim(w *walk, _ node) {
	for i := range w.nodes {
		n := &w.nodes[i]
		for n.start < n.end && isSpace(w.text[n.start]) {
			n.start++
		}
	}
}

// luaName splits "M.sub:method" into owner and last name.
func luaName(s string) (owner, name string, method bool) {
	s = strings.TrimSpace(s)
	i := strings.LastIndexAny(s, ".:")
	if i < 0 {
		return "", s, false
	}
	return strings.ReplaceAll(s[:i], ":", "."), s[i+1:], s[i] == ':'
}

func luaFunction(w *walk, n node) {
	name := w.field(n, "name")
	if name < 0 {
		w.children(n)
		return
	}
	owner, last, method := luaName(w.str(name))
	d := decl{
		kind: code.KindFunction, node: n, name: luaLast(w, name), text: last, owner: owner,
		body: w.child(n, "function_body"), parameters: luaParameters(w, n),
	}
	luaVisibility(w, n, &d)
	if owner != "" {
		d.kind = code.KindMethod
	}
	if !method && owner != "" {
		d.modifiers = append(d.modifiers, "static")
	}
	w.inside(w.declare(d), d.body)
}

// luaVisibility marks what is local to its file.
func luaVisibility(w *walk, n node, d *decl) {
	d.exported = !w.has(n, "local")
	if !d.exported {
		d.modifiers = append(d.modifiers, "local")
	}
}

// luaLast is the last identifier of a name in steps: "f" of M.f.
func luaLast(w *walk, name node) node {
	last := name
	for c := range w.named(name) {
		if w.is(c, "identifier") {
			last = c
		}
	}
	return last
}

func luaParameters(w *walk, n node) (out []code.Parameter) {
	for p := range w.named(w.child(n, "parameter_list")) {
		out = append(out, code.Parameter{Name: w.str(p), Variadic: w.is(p, "ellipsis")})
	}
	return out
}

// luaVariable reads a, b = x, y. Functions are declared wherever they are
// assigned to a name, other values at the top of the file.
func luaVariable(w *walk, n node) {
	var values []node
	for v := range w.all(n, "value") {
		if w.isNamed(v) {
			values = append(values, v)
		}
	}
	i := 0
	for name := range w.all(n, "name") {
		if !w.isNamed(name) {
			continue
		}
		value := none
		if i < len(values) {
			value = values[i]
		}
		if i > 0 && i == len(values) && strings.HasPrefix(w.line(values[i-1]), "pcall(require") {
			w.addImport(n, code.Import{Module: luaRequire(w, values[i-1]), Alias: w.str(name)})
		}
		i++
		luaAssign(w, n, name, value)
	}
	for ; i < len(values); i++ {
		w.visit(values[i])
	}
}

func luaAssign(w *walk, n, name, value node) {
	owner, last, _ := luaName(w.str(name))
	d := decl{node: n, name: luaLast(w, name), text: last, owner: owner, kind: code.KindVariable}
	luaVisibility(w, n, &d)
	if module := luaRequire(w, value); module != "" && !strings.HasPrefix(w.line(value), "pcall") {
		w.addImport(n, code.Import{Module: module, Alias: last})
	}
	w.fact(code.FactAssign, w.encloser, strings.TrimSpace(w.str(name)), w.line(value), name)
	function := w.is(value, "function")
	plain := last != "" && !strings.ContainsAny(w.str(name), "[]()\"' \n")
	if !plain || !function && w.encloser >= 0 {
		w.visit(name)
		w.visit(value)
		return
	}
	if !function {
		if owner != "" {
			d.kind = code.KindField
		}
		w.inside(w.declare(d), value)
		return
	}
	d.kind, d.body, d.parameters = code.KindFunction, w.child(value, "function_body"), luaParameters(w, value)
	if owner != "" {
		d.kind = code.KindMethod
	}
	w.inside(w.declare(d), d.body)
}

// luaRequire is the module of require "m", also behind pcall.
func luaRequire(w *walk, value node) string {
	if !w.is(value, "function_call") {
		return ""
	}
	text := w.line(value)
	if !strings.HasPrefix(text, "require") && !strings.HasPrefix(text, "pcall(require,") {
		return ""
	}
	return strings.Trim(w.str(w.find(value, "string_argument", "string")), "\"'[]")
}

// luaField declares the functions of a table constructor, and the tables within
// one that is not a function's own.
func luaField(w *walk, n node) {
	name, value := w.field(n, "name"), w.field(n, "value")
	named := w.is(name, "identifier") && !w.tooDeep()
	if named && w.is(value, "tableconstructor") && w.encloser >= 0 && !w.out.Symbols[w.encloser].Kind.Callable() {
		w.inside(w.declare(decl{kind: code.KindField, node: n, name: name, exported: true}), value)
		return
	}
	if !named || !w.is(value, "function") {
		w.children(n)
		return
	}
	s := w.declare(decl{
		kind: code.KindMethod, node: n, name: name, body: w.child(value, "function_body"), parameters: luaParameters(w, value), exported: true,
	})
	w.inside(s, w.child(value, "function_body"))
}

// luaCall reads a.b:c(x). The callee's steps are children of the call itself.
func luaCall(w *walk, n node) {
	first, before, part, last := none, none, none, none
	for c := range w.tree.children(n) {
		if w.is(c, "function_call_paren", "function_arguments", "string_argument", "table_argument") {
			break
		}
		if first < 0 {
			first = c
		}
		if w.is(c, "identifier") {
			last = c
		}
		if w.isNamed(c) && !w.is(c, "self_call_colon") {
			before, part = part, c
		}
	}
	if last >= 0 && w.str(last) != "" {
		luaSite(w, n, first, before, last)
	}
	w.children(n)
}

func luaSite(w *walk, n, first, before, last node) {
	args, spread := 0, false
	for a := range w.tree.children(w.field(n, "args")) {
		if args == 0 || w.is(a, ",") { // the steps of a.b are arguments of their own in the tree
			args++
		}
		spread = w.is(a, "ellipsis")
	}
	if spread {
		args = -1
	}
	if w.is(w.field(n, "args"), "string_argument", "table_argument") {
		args = 1
	}
	w.call(code.CallPlain, n, last, none, args)
	if before >= 0 && w.start(first) < w.start(last) {
		site := &w.out.Calls[len(w.out.Calls)-1]
		site.Receiver = strings.TrimRight(oneLine(w.text[w.start(first):w.start(last)]), ".: ")
	}
	if w.encloser < 0 || before < 0 {
		if module := luaRequire(w, n); module != "" && !w.is(w.parent(n), "variable_declaration") {
			w.addImport(n, code.Import{Module: module})
		}
	}
}
