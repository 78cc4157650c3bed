package elixir

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// imports records a statement that names a module:
//
//	alias A.B, as: C     C is A.B
//	alias A.{B, C}       B is A.B, C is A.C
//	import A, only: [f: 1]
//	require A, as: B
//	use A, :controller   calls the macro A.__using__, whose quote is expanded here
func imports(w *syntax.Walk, n syntax.Node, keyword string, first syntax.Node) {
	if w.Is(first, "dot") && w.Is(w.Field(first, "right"), "tuple") {
		head := moduleText(w, w.Field(first, "left"))
		for name := range w.Named(w.Field(first, "right")) {
			imported(w, n, keyword, head+"."+w.Line(name))
		}
		return
	}
	if first < 0 {
		return
	}
	imported(w, n, keyword, moduleText(w, first))
	w.Children(w.Child(n, "arguments")) // use A, option: f(x)
}

// imported records one module that an alias, import, require or use names.
func imported(w *syntax.Walk, n syntax.Node, keyword, module string) {
	arguments := w.Child(n, "arguments")
	options := w.Child(arguments, "keywords")
	switch keyword {
	case "import":
		for _, name := range brought(w, options) {
			w.AddImport(n, code.Import{Module: module, Name: name})
		}
		return
	case "use":
		chosen := ""
		if atom := w.Child(arguments, "atom"); atom >= 0 {
			chosen = strings.TrimPrefix(w.Head(atom), ":")
		}
		w.Fact(code.FactBase, w.Encloser, chosen, module, n)
		w.Out.Calls = append(w.Out.Calls, code.Call{Kind: code.CallPlain, Callee: using, Receiver: module, Args: 1,
			Caller: w.Encloser, Span: w.Span(n), NameSpan: w.Span(w.Field(n, "target"))})
	default:
		local := ""
		for pair := range w.Named(options) {
			if isKey(w, pair, "as") {
				local = w.Line(w.Field(pair, "value"))
			}
		}
		if local == "" && keyword == "alias" {
			local = module[strings.LastIndexByte(module, '.')+1:]
		}
		if local == "" {
			break
		}
		w.Fact(code.FactAlias, w.Encloser, local, module, n)
		if !strings.HasSuffix(module, "."+local) {
			w.AddImport(n, code.Import{Module: module, Alias: local})
			return
		}
	}
	w.AddImport(n, code.Import{Module: module})
}

// using is the name of the macro that a use statement calls.
const using = "__using__"

// brought returns the names that an import statement makes available: f and g for only: [f: 1, g:
// 2], and "*" for all names of the module. For except: [f: 1, g: 2] it returns "* f/1 g/2", which
// means all but these.
func brought(w *syntax.Walk, options syntax.Node) (names []string) {
	for pair := range w.Named(options) {
		list := w.Child(w.Field(pair, "value"), "keywords")
		switch {
		case isKey(w, pair, "only") && w.Is(w.Field(pair, "value"), "list"):
			for f := range w.Named(list) {
				names = append(names, key(w, f))
			}
			return names
		case isKey(w, pair, "except"):
			all := "*"
			for f := range w.Named(list) {
				all += " " + key(w, f) + "/" + w.Line(w.Field(f, "value"))
			}
			return []string{all}
		}
	}
	return []string{"*"}
}

// key returns the key of a pair: "f" of f: 1.
func key(w *syntax.Walk, pair syntax.Node) string {
	return strings.TrimSuffix(strings.TrimSpace(w.Head(w.Field(pair, "key"))), ":")
}

// dependency records a library on which the project depends according to mix.exs: {:plug, "~>
// 1.0"}.
func dependency(w *syntax.Walk, n syntax.Node) {
	if name := w.FirstNamed(n); code.Base(w.Out.Path) == "mix.exs" && w.Is(name, "atom") {
		w.Fact(code.FactField, -1, dependencies+strings.TrimPrefix(w.Head(name), ":"), "library", n)
	}
	w.Children(n)
}

// dependencies is the prefix of the names of the facts that record the libraries of mix.exs.
const dependencies = "/deps/"
