package ruby

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Hidden:   hiddenNames,
		File:     func(w *syntax.Walk, _ syntax.Node) { w.State = newRubyState(w) },
		Finish:   finish,
		Handlers: map[string]syntax.Handler{
			"class":                class,
			"module":               class,
			"singleton_class":      singleton,
			"method":               method,
			"singleton_method":     method,
			"alias":                alias,
			"assignment":           assign,
			"operator_assignment":  assign,
			"call":                 call,
			"super":                super,
			"identifier":           identifier,
			"block":                block,
			"do_block":             block,
			"lambda":               block,
			"exception_variable":   caught,
			"in_clause":            pattern,
			"for":                  rubyFor,
			"block_argument":       blockArgument,
			"undef":                func(*syntax.Walk, syntax.Node) {},
			"match_pattern":        match,
			"test_pattern":         match,
			"method_parameters":    func(*syntax.Walk, syntax.Node) {},
			"block_parameters":     func(*syntax.Walk, syntax.Node) {},
			"lambda_parameters":    func(*syntax.Walk, syntax.Node) {},
			"heredoc_beginning":    func(*syntax.Walk, syntax.Node) {},
			"hash_key_symbol":      func(*syntax.Walk, syntax.Node) {},
			"string_array":         func(*syntax.Walk, syntax.Node) {},
			"symbol_array":         func(*syntax.Walk, syntax.Node) {},
			"simple_symbol":        func(*syntax.Walk, syntax.Node) {},
			"instance_variable":    func(*syntax.Walk, syntax.Node) {},
			"class_variable":       func(*syntax.Walk, syntax.Node) {},
			"global_variable":      func(*syntax.Walk, syntax.Node) {},
			"uninterpreted":        func(*syntax.Walk, syntax.Node) {},
			"keyword_parameter":    func(*syntax.Walk, syntax.Node) {},
			"block_parameter":      func(*syntax.Walk, syntax.Node) {},
			"scope_resolution":     scope,
			"left_assignment_list": targets,
		},
	}
}

// state is the data that the rules keep while they walk one file.
type state struct {
	tests      bool   // whether the file's name is that of a test
	visibility string // the visibility of the following methods, such as private; "" by default
	singleton  bool   // inside "class << self" or "class << Owner"
	owner      string // "A.Owner" inside "class << A::Owner"; "" inside "class << self"
	// names in the open scopes, the innermost last; names before a nil entry are not visible
	locals  []map[string]bool
	hide    []hidden // method names that finish hides
	symbols []symbol // symbols that finish records
}

// hidden is the name of a method or constant to which a call such as `private :a` applies. word is
// the visibility, here private, and owner the index of the class or module with the call.
type hidden struct {
	owner      int
	name, word string
}

// symbol is an argument :name of a call that may call the method of that name. certain is set if
// the call does so whatever the name is, as send(:name) does. Otherwise the argument counts only
// if the file declares such a method.
type symbol struct {
	at       syntax.Node
	caller   int
	receiver string
	certain  bool
}

func newRubyState(w *syntax.Walk) *state {
	path := "/" + w.Out.Path
	base := code.Base(path)
	return &state{
		tests: strings.HasSuffix(base, "_test.rb") || strings.HasSuffix(base, "_spec.rb") ||
			strings.HasPrefix(base, "test_") ||
			strings.Contains(path, "/test/") || strings.Contains(path, "/spec/"),
		locals: []map[string]bool{{}},
	}
}

// finish applies calls such as "private :a" to the methods that they name. It records the symbols
// that name methods as references to these.
func finish(w *syntax.Walk) {
	makeNames(w)
	st := w.State.(*state)
	methods := map[string]bool{}
	for i := range w.Out.Symbols {
		s := &w.Out.Symbols[i]
		if s.Kind == code.KindMethod || s.Kind == code.KindFunction {
			methods[s.Name] = true
		}
	}
	for _, h := range st.hide {
		for i := range w.Out.Symbols {
			if s := &w.Out.Symbols[i]; s.Parent == h.owner && s.Name == h.name {
				s.Exported = h.word == "public"
				if !slices.Contains(s.Modifiers, h.word) {
					s.Modifiers = append(s.Modifiers, h.word)
				}
			}
		}
	}
	for _, r := range st.symbols {
		name := strings.TrimPrefix(w.Str(r.at), ":")
		if name == "" || !r.certain && !methods[name] {
			continue
		}
		start := w.End(r.at) - len(name)
		w.Out.Calls = append(w.Out.Calls, code.Call{
			Kind: code.CallReference, Callee: name, Receiver: r.receiver, Caller: r.caller,
			Span: w.Span(r.at), NameSpan: w.Lines.Span(start, w.End(r.at)),
		})
	}
}

// constantPath splits a constant path: "A::B::C" is C of owner "A.B".
func constantPath(w *syntax.Walk, n syntax.Node) (owner string, name syntax.Node) {
	if !w.Is(n, "scope_resolution") {
		return "", n
	}
	scope := strings.ReplaceAll(w.Line(w.Field(n, "scope")), "::", ".")
	return strings.TrimPrefix(scope, "."), w.Field(n, "name")
}

// named returns the declaration of a class, module or constant whose name is a path: class A::B.
func named(w *syntax.Walk, kind code.Kind, n, path syntax.Node) syntax.Decl {
	owner, name := constantPath(w, path)
	if owner != "" {
		owner = syntax.Join(w.OwnerPath(""), owner)
	}
	return syntax.Decl{Kind: kind, Node: n, Name: name, Owner: owner, Exported: true}
}

func class(w *syntax.Walk, n syntax.Node) {
	kind := code.KindClass
	if w.Is(n, "module") {
		kind = code.KindModule
	}
	d := named(w, kind, n, w.Field(n, "name"))
	if d.Name < 0 {
		w.Children(n)
		return
	}
	d.Body = max(w.Field(n, "body"), 0)
	if w.Encloser >= 0 && strings.HasPrefix(w.Str(w.Field(n, "name")), "::") {
		d.Modifiers = append(d.Modifiers, "::")
	}
	if chosen(w, n) {
		d.Modifiers = append(d.Modifiers, "if")
	}
	s := declare(w, d)
	super := w.Field(n, "superclass")
	for base := range w.Named(super) {
		w.Fact(code.FactBase, s, "", w.Line(base), base)
		if !w.Is(base, "constant", "scope_resolution") {
			w.Visit(base)
		}
	}
	body(w, s, w.Field(n, "body"))
}

// chosen reports whether n is inside a conditional statement.
func chosen(w *syntax.Walk, n syntax.Node) bool {
	for p := w.Parent(n); p > 0; p = w.Parent(p) {
		switch w.Kind(p) {
		case "if", "unless", "if_modifier", "unless_modifier", "case":
			return true
		case "class", "module", "method":
			return false
		}
	}
	return false
}

// declare declares d. It ends the signature after the last part of the head, because the body may
// be missing or may start after comments.
func declare(w *syntax.Walk, d syntax.Decl) int {
	s := w.Declare(d)
	head := w.End(d.Name)
	for _, part := range []string{"superclass", "parameters"} {
		if p := w.Field(d.Node, part); p >= 0 {
			head = w.End(p)
		}
	}
	w.Out.Symbols[s].Signature = syntax.OneLine(w.Text[w.Out.Symbols[s].Span.StartByte:head])
	return s
}

// body visits the body of a class or module, which is a scope of its own.
func body(w *syntax.Walk, s int, body syntax.Node) {
	st := w.State.(*state)
	outer := *st
	st.visibility, st.singleton, st.owner = "", false, ""
	st.locals = append(st.locals, nil, map[string]bool{})
	w.Inside(s, body)
	st.visibility, st.singleton, st.owner, st.locals = outer.visibility, outer.singleton, outer.owner, outer.locals
}

func singleton(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*state)
	outer := *st
	st.visibility, st.singleton, st.owner = "", true, ""
	if value := w.Field(n, "value"); w.Is(value, "constant", "scope_resolution") {
		st.owner = strings.ReplaceAll(w.Line(value), "::", ".")
	}
	w.Visit(w.Field(n, "body"))
	st.visibility, st.singleton, st.owner = outer.visibility, outer.singleton, outer.owner
}

func inClass(w *syntax.Walk) bool {
	if w.Encloser < 0 {
		return false
	}
	k := w.Out.Symbols[w.Encloser].Kind
	return k == code.KindClass || k == code.KindModule
}

// inGroup reports whether the enclosing symbol is a group of tests. Its block opens no scope of constants: in
// "describe Order do LIMIT = 3", LIMIT belongs to the class around the group, or to Object.
func inGroup(w *syntax.Walk) bool {
	return w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Kind == code.KindTest
}

func method(w *syntax.Walk, n syntax.Node) { define(w, n, 0, "") }

// define declares a method. If its definition is the argument of a call, as in "private def f",
// from is that call and visibility its name.
func define(w *syntax.Walk, n, from syntax.Node, visibility string) {
	st := w.State.(*state)
	d := syntax.Decl{Kind: code.KindMethod, Node: n, From: from, Name: w.Field(n, "name"),
		Body: max(w.Field(n, "body"), 0)}
	if d.Name < 0 {
		w.Children(n)
		return
	}
	if visibility == "" {
		visibility = st.visibility
	}
	if visibility != "" {
		d.Modifiers = append(d.Modifiers, visibility)
	}
	name := w.Str(d.Name)
	switch object := w.Field(n, "object"); {
	case object >= 0:
		d.Modifiers = append([]string{}, "self")
		visibility = "" // private does not apply to singleton methods
		if owner := strings.ReplaceAll(w.Line(object), "::", "."); owner != "self" &&
			(w.Encloser < 0 || w.Out.Symbols[w.Encloser].Name != owner) {
			d.Owner = syntax.Join(w.OwnerPath(""), owner)
		}
	case st.singleton:
		d.Modifiers = append(d.Modifiers, "self")
		if st.owner != "" && (w.Encloser < 0 || w.Out.Symbols[w.Encloser].Name != st.owner) {
			d.Owner = syntax.Join(w.OwnerPath(""), st.owner)
		}
	case name == "initialize" && inClass(w):
		d.Kind = code.KindConstructor
	case !inClass(w) && !(w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Kind == code.KindTest):
		d.Kind = code.KindFunction
	case strings.HasPrefix(name, "test_") && st.tests:
		d.Kind = code.KindTest
	}
	switch blockAround(w, n) {
	case "", "included", "prepended", "class_eval", "module_eval", "class_exec", "module_exec":
	case "class_methods":
		d.Modifiers = append(d.Modifiers, "self")
	default:
		d.Modifiers = append(d.Modifiers, "block")
	}
	d.Exported = visibility == "" || visibility == "public" || visibility == "module_function"
	var at []syntax.Node
	d.Parameters, at = parameters(w, w.Field(n, "parameters"))
	s := declare(w, d)
	locals := map[string]bool{}
	for i, p := range d.Parameters {
		locals[strings.Trim(p.Name, "*&:")] = true
		w.Fact(code.FactParam, s, p.Name, p.Type, at[i])
	}
	st.locals = append(st.locals, nil, locals)
	outer := st.visibility
	st.visibility = ""
	for _, p := range at {
		w.Inside(s, w.Field(p, "value"))
	}
	w.Inside(s, w.Field(n, "body"))
	result(w, s, w.Field(n, "body"))
	st.visibility = outer
	st.locals = st.locals[:len(st.locals)-2]
}

// blockAround returns the name of the method that is called with the innermost block around n:
// class_methods for class_methods do … end. It returns "" if no block is between n and the symbol
// around n. A method defined in a block belongs to the object for which the called method evaluates
// the block.
func blockAround(w *syntax.Walk, n syntax.Node) string {
	start := -1
	if w.Encloser >= 0 {
		start = w.Out.Symbols[w.Encloser].Span.StartByte
	}
	for p := w.Parent(n); p > 0 && w.Start(p) > start; p = w.Parent(p) {
		if !w.Is(p, "block", "do_block") {
			continue
		}
		call := w.Parent(p)
		if holder := w.Parent(call); w.Start(call) == start || w.Is(holder, "assignment") && w.Start(holder) == start {
			return ""
		}
		if receiver := w.Field(call, "receiver"); receiver >= 0 && !w.Says(receiver, "self") {
			return w.Str(receiver) + "." + w.Str(w.Field(call, "method"))
		}
		return w.Str(w.Field(call, "method"))
	}
	return ""
}

// result records the values that a method returns: those of its last statement and of its return
// statements.
func result(w *syntax.Walk, s int, body syntax.Node) {
	last := body
	if w.Is(body, "body_statement") {
		for c := range w.Named(body) {
			if !w.Is(c, "comment") {
				last = c
			}
		}
	}
	if w.Is(last, "return") {
		last = syntax.None
	}
	w.Fact(code.FactReturn, s, "", syntax.Clip(w.Line(last), syntax.MaxLine), last)
	for r := range w.Descendants(body) {
		if w.Is(r, "return") && !w.Is(w.Parent(r), "return") { // not the keyword in it
			w.Fact(code.FactReturn, s, "", cmp.Or(w.Line(w.Child(r, "argument_list")), "nil"), r)
		}
	}
}

// parameters returns the parameters of a list and their nodes. The marker of a rest, keyword-rest
// or block parameter is part of its name: "*args".
func parameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter, at []syntax.Node) {
	for p := range w.Named(list) {
		param := code.Parameter{Name: w.Str(w.Field(p, "name"))}
		switch w.Kind(p) {
		case "identifier", "forward_parameter":
			param.Name = w.Str(p)
			param.Variadic = param.Name == "..."
		case "optional_parameter":
			param.Default = w.Line(w.Field(p, "value"))
		case "keyword_parameter":
			param.Name += ":"
			param.Default = w.Line(w.Field(p, "value"))
		case "splat_parameter":
			param.Name, param.Variadic = "*"+param.Name, true
		case "hash_splat_parameter":
			param.Name, param.Variadic = "**"+param.Name, true
		case "block_parameter":
			param.Name = "&" + param.Name
		default: // a destructured parameter, (a, b), or ** nil
			param.Name = w.Line(p)
		}
		out, at = append(out, param), append(at, p)
	}
	return out, at
}

// alias declares the new name of a method.
func alias(w *syntax.Walk, n syntax.Node) {
	name, old := w.Field(n, "name"), w.Field(n, "alias")
	if w.Is(name, "identifier", "setter", "operator", "constant") {
		d := syntax.Decl{Kind: code.KindMethod, Node: n, Name: name, Exported: true}
		if w.State.(*state).singleton {
			d.Modifiers = append(d.Modifiers, "self")
		}
		s := w.Declare(d)
		w.Fact(code.FactAlias, s, w.Str(name), w.Line(old), old)
	} else if w.Is(name, "simple_symbol") {
		if s := fromSymbol(w, n, name, code.KindMethod); s >= 0 {
			w.Fact(code.FactAlias, s, w.Out.Symbols[s].Name, strings.TrimPrefix(w.Line(old), ":"), old)
		}
	}
}

// fromSymbol declares the name in a symbol or string argument of call n: x for attr_reader :x. It
// returns the index of the declared symbol, or -1 if the text is no name.
func fromSymbol(w *syntax.Walk, n, symbol syntax.Node, kind code.Kind) int {
	text, at := strings.TrimPrefix(w.Str(symbol), ":"), symbol
	if w.Is(symbol, "string") {
		at = w.Child(symbol, "string_content")
		text = w.Str(at)
	}
	if text == "" || at < 0 || !syntax.IsIdentByte(text[0]) && !strings.ContainsAny(text[:1], "[=<>!+-*/%") {
		return -1
	}
	st := w.State.(*state)
	d := syntax.Decl{Kind: kind, Node: n, Name: at, Text: text, Exported: st.visibility == "" ||
		st.visibility == "public"}
	if st.visibility != "" {
		d.Modifiers = append(d.Modifiers, st.visibility)
	}
	if st.singleton {
		d.Modifiers = append(d.Modifiers, "self")
	}
	s := w.Declare(d)
	span := &w.Out.Symbols[s].NameSpan
	*span = w.Lines.Span(w.End(at)-len(text), w.End(at))
	return s
}
