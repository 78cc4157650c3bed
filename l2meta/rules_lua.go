package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// luaRules declares functions under the tables they are assigned to, and the
// variables of the file's top level. The grammar counts the line break before
// a statement as part of it; luaDeclare starts behind it.
func luaRules() *rules {
	return &rules{
		comments: []string{"comment", "emmy_documentation"},
		handlers: map[string]handler{
			"function_statement":   luaFunction,
			"variable_declaration": luaVariable,
			"field":                luaField,
			"function_call":        luaCall,
		},
	}
}

// luaDeclare declares d and moves its start to its first code: past the
// documentation and the white space that the grammar puts before it.
func luaDeclare(w *walk, d decl, first node) int {
	s := w.declare(d)
	symbol := &w.out.Symbols[s]
	start := w.start(first)
	for start < symbol.Span.EndByte && isSpace(w.text[start]) {
		start++
	}
	symbol.Span = w.lines.Span(start, symbol.Span.EndByte)
	symbol.Doc = clip(w.docBefore(start), code.MaxDocBytes)
	end := symbol.Span.EndByte
	if d.body > 0 {
		end = w.start(d.body)
	}
	symbol.Signature = oneLine(w.text[start:max(start, end)])
	name := w.start(d.name)
	for name < w.end(d.name) && isSpace(w.text[name]) {
		name++
	}
	symbol.NameSpan = w.lines.Span(max(name, start), w.end(d.name))
	return s
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
	first := w.child(n, "local", "function_start")
	if name < 0 || first < 0 {
		w.children(n)
		return
	}
	owner, last, _ := luaName(w.str(name))
	d := decl{kind: code.KindFunction, node: n, name: name, text: last, owner: owner, body: w.child(n, "function_body"), exported: !w.has(n, "local")}
	if owner != "" {
		d.kind = code.KindMethod
	}
	d.parameters = luaParameters(w, n)
	w.inside(luaDeclare(w, d, first), w.child(n, "function_body"))
}

func luaParameters(w *walk, n node) (out []code.Parameter) {
	for p := range w.named(w.child(n, "parameter_list")) {
		out = append(out, code.Parameter{Name: strings.TrimSpace(w.str(p)), Variadic: w.is(p, "ellipsis")})
	}
	return out
}

func luaVariable(w *walk, n node) {
	name, value := w.field(n, "name"), w.field(n, "value")
	owner, last, _ := luaName(w.str(name))
	d := decl{node: n, name: name, text: last, owner: owner, exported: !w.has(n, "local"), kind: code.KindVariable}
	if w.is(value, "function") {
		d.kind, d.body, d.parameters = code.KindFunction, w.child(value, "function_body"), luaParameters(w, value)
	} else if w.encloser >= 0 || owner != "" {
		w.children(n) // a local, or a field set on the way
		return
	}
	if name < 0 || last == "" || strings.ContainsAny(last, "[]()\"' ") {
		w.children(n)
		return
	}
	first := w.child(n, "local")
	if first < 0 {
		first = name
	}
	s := luaDeclare(w, d, first)
	if w.is(value, "function_call") && w.str(w.field(value, "prefix")) == "require" {
		w.addImport(n, code.Import{Module: unquote(w.str(w.find(value, "string"))), Alias: last})
	}
	w.inside(s, value)
}

// luaField declares the functions of a table constructor.
func luaField(w *walk, n node) {
	name, value := w.field(n, "name"), w.field(n, "value")
	if !w.is(value, "function") || !w.is(name, "identifier") {
		w.children(n)
		return
	}
	s := luaDeclare(w, decl{kind: code.KindMethod, node: n, name: name, body: w.child(value, "function_body"), parameters: luaParameters(w, value), exported: true}, name)
	w.inside(s, value)
}

func luaCall(w *walk, n node) {
	var path []node
	for c := range w.tree.children(n) {
		if w.is(c, "function_call_paren") {
			break
		}
		if w.is(c, "identifier") {
			path = append(path, c)
		}
	}
	if len(path) > 0 {
		args := 0
		for range w.named(w.field(n, "args")) {
			args++
		}
		receiver := none
		if len(path) > 1 {
			receiver = path[len(path)-2]
		}
		w.call(code.CallPlain, n, path[len(path)-1], receiver, args)
	}
	w.children(n)
}
