package l2meta

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
)

func rubyRules() *rules {
	return &rules{
		comments: []string{"comment"},
		file:     func(w *walk, _ node) { w.state = newRubyState(w) },
		finish:   rubyFinish,
		handlers: map[string]handler{
			"class":                rubyClass,
			"module":               rubyClass,
			"singleton_class":      rubySingleton,
			"method":               rubyMethod,
			"singleton_method":     rubyMethod,
			"alias":                rubyAlias,
			"assignment":           rubyAssign,
			"operator_assignment":  rubyAssign,
			"call":                 rubyCall,
			"super":                rubySuper,
			"identifier":           rubyIdentifier,
			"block":                rubyBlock,
			"do_block":             rubyBlock,
			"lambda":               rubyBlock,
			"exception_variable":   rubyBind,
			"in_clause":            rubyPattern,
			"for":                  rubyFor,
			"block_argument":       rubyBlockArgument,
			"undef":                func(*walk, node) {},
			"match_pattern":        rubyMatch,
			"test_pattern":         rubyMatch,
			"method_parameters":    func(*walk, node) {},
			"block_parameters":     func(*walk, node) {},
			"lambda_parameters":    func(*walk, node) {},
			"heredoc_beginning":    func(*walk, node) {},
			"hash_key_symbol":      func(*walk, node) {},
			"string_array":         func(*walk, node) {},
			"symbol_array":         func(*walk, node) {},
			"simple_symbol":        func(*walk, node) {},
			"instance_variable":    func(*walk, node) {},
			"class_variable":       func(*walk, node) {},
			"global_variable":      func(*walk, node) {},
			"uninterpreted":        func(*walk, node) {},
			"keyword_parameter":    func(*walk, node) {},
			"block_parameter":      func(*walk, node) {},
			"scope_resolution":     rubyScope,
			"left_assignment_list": rubyTargets,
		},
	}
}

// rubyState is what is known of one file while it is visited.
type rubyState struct {
	tests      bool // the file's name is that of a test
	visibility string
	singleton  bool              // inside "class << self"
	locals     []map[string]bool // of the scopes that are open; nil ends what is visible
	hide       []rubyHidden
	symbols    []rubySymbol
}

// rubyHidden is a name that "private :a" took back.
type rubyHidden struct {
	owner      int
	name, word string
}

// rubySymbol is :name, passed on to something that may call it.
type rubySymbol struct {
	at       node
	caller   int
	receiver string
	certain  bool
}

func newRubyState(w *walk) *rubyState {
	path := "/" + w.out.Path
	base := path[strings.LastIndexByte(path, '/')+1:]
	return &rubyState{
		tests: strings.HasSuffix(base, "_test.rb") || strings.HasSuffix(base, "_spec.rb") || strings.HasPrefix(base, "test_") ||
			strings.Contains(path, "/test/") || strings.Contains(path, "/spec/"),
		locals: []map[string]bool{{}},
	}
}

// rubyFinish hides what was made private by name, and settles which symbols
// are the names of methods.
func rubyFinish(w *walk) {
	st := w.state.(*rubyState)
	methods := map[string]bool{}
	for i := range w.out.Symbols {
		s := &w.out.Symbols[i]
		if s.Kind == code.KindMethod || s.Kind == code.KindFunction {
			methods[s.Name] = true
		}
	}
	for _, h := range st.hide {
		for i := range w.out.Symbols {
			if s := &w.out.Symbols[i]; s.Parent == h.owner && s.Name == h.name {
				s.Exported = h.word == "public"
				if !slices.Contains(s.Modifiers, h.word) {
					s.Modifiers = append(s.Modifiers, h.word)
				}
			}
		}
	}
	for _, r := range st.symbols {
		name := strings.TrimPrefix(w.str(r.at), ":")
		if name == "" || !r.certain && !methods[name] {
			continue
		}
		start := w.end(r.at) - len(name)
		w.out.Calls = append(w.out.Calls, code.Call{
			Kind: code.CallReference, Callee: name, Receiver: r.receiver, Caller: r.caller,
			Span: w.span(r.at), NameSpan: w.lines.Span(start, w.end(r.at)),
		})
	}
}

// rubyPath takes a constant path apart: "A::B::C" is C of owner "A.B".
func rubyPath(w *walk, n node) (owner string, name node) {
	if !w.is(n, "scope_resolution") {
		return "", n
	}
	scope := strings.ReplaceAll(w.line(w.field(n, "scope")), "::", ".")
	return strings.TrimPrefix(scope, "."), w.field(n, "name")
}

// rubyNamed makes a declaration of a class or module with that name.
func rubyNamed(w *walk, kind code.Kind, n, path node) decl {
	owner, name := rubyPath(w, path)
	if owner != "" {
		owner = join(w.ownerPath(""), owner)
	}
	return decl{kind: kind, node: n, name: name, owner: owner, exported: true}
}

func rubyClass(w *walk, n node) {
	kind := code.KindClass
	if w.is(n, "module") {
		kind = code.KindModule
	}
	d := rubyNamed(w, kind, n, w.field(n, "name"))
	if d.name < 0 {
		w.children(n)
		return
	}
	d.body = max(w.field(n, "body"), 0)
	if w.encloser >= 0 && strings.HasPrefix(w.str(w.field(n, "name")), "::") {
		d.modifiers = append(d.modifiers, "::")
	}
	s := rubyDeclare(w, d)
	super := w.field(n, "superclass")
	for base := range w.named(super) {
		w.fact(code.FactBase, s, "", w.line(base), base)
		if !w.is(base, "constant", "scope_resolution") {
			w.visit(base)
		}
	}
	rubyBody(w, s, w.field(n, "body"))
}

// rubyDeclare is declare, with the signature ended behind the last part of the
// head: a body may be missing, or start behind comments.
func rubyDeclare(w *walk, d decl) int {
	s := w.declare(d)
	head := w.end(d.name)
	for _, part := range []string{"superclass", "parameters"} {
		if p := w.field(d.node, part); p >= 0 {
			head = w.end(p)
		}
	}
	w.out.Symbols[s].Signature = oneLine(w.text[w.out.Symbols[s].Span.StartByte:head])
	return s
}

// rubyBody visits the body of a class or module: a scope of its own.
func rubyBody(w *walk, s int, body node) {
	st := w.state.(*rubyState)
	outer := *st
	st.visibility, st.singleton = "", false
	st.locals = append(st.locals, nil, map[string]bool{})
	w.inside(s, body)
	st.visibility, st.singleton, st.locals = outer.visibility, outer.singleton, outer.locals
}

func rubySingleton(w *walk, n node) {
	st := w.state.(*rubyState)
	visibility, singleton := st.visibility, st.singleton
	st.visibility, st.singleton = "", true
	w.visit(w.field(n, "body"))
	st.visibility, st.singleton = visibility, singleton
}

func rubyInClass(w *walk) bool {
	if w.encloser < 0 {
		return false
	}
	k := w.out.Symbols[w.encloser].Kind
	return k == code.KindClass || k == code.KindModule
}

func rubyMethod(w *walk, n node) { rubyDefine(w, n, 0, "") }

// rubyDefine declares a method; from is the "private" before it with that
// visibility.
func rubyDefine(w *walk, n, from node, visibility string) {
	st := w.state.(*rubyState)
	d := decl{kind: code.KindMethod, node: n, from: from, name: w.field(n, "name"), body: max(w.field(n, "body"), 0)}
	if d.name < 0 {
		w.children(n)
		return
	}
	if visibility == "" {
		visibility = st.visibility
	}
	if visibility != "" {
		d.modifiers = append(d.modifiers, visibility)
	}
	name := w.str(d.name)
	switch object := w.field(n, "object"); {
	case object >= 0:
		d.modifiers = append([]string{}, "self")
		visibility = "" // private does not reach singleton methods
		if owner := strings.ReplaceAll(w.line(object), "::", "."); owner != "self" && (w.encloser < 0 || w.out.Symbols[w.encloser].Name != owner) {
			d.owner = join(w.ownerPath(""), owner)
		}
	case st.singleton:
		d.modifiers = append(d.modifiers, "self")
	case name == "initialize" && rubyInClass(w):
		d.kind = code.KindConstructor
	case !rubyInClass(w) && !(w.encloser >= 0 && w.out.Symbols[w.encloser].Kind == code.KindTest):
		d.kind = code.KindFunction
	case strings.HasPrefix(name, "test_") && st.tests:
		d.kind = code.KindTest
	}
	switch rubyBlockAround(w, n) {
	case "", "included", "prepended", "class_eval", "module_eval", "class_exec", "module_exec":
	case "class_methods":
		d.modifiers = append(d.modifiers, "self")
	default:
		d.modifiers = append(d.modifiers, "block")
	}
	d.exported = visibility == "" || visibility == "public" || visibility == "module_function"
	var at []node
	d.parameters, at = rubyParameters(w, w.field(n, "parameters"))
	s := rubyDeclare(w, d)
	locals := map[string]bool{}
	for i, p := range d.parameters {
		locals[strings.Trim(p.Name, "*&:")] = true
		w.fact(code.FactParam, s, p.Name, p.Type, at[i])
	}
	st.locals = append(st.locals, nil, locals)
	outer := st.visibility
	st.visibility = ""
	for _, p := range at {
		w.inside(s, w.field(p, "value"))
	}
	w.inside(s, w.field(n, "body"))
	rubyResult(w, s, w.field(n, "body"))
	st.visibility = outer
	st.locals = st.locals[:len(st.locals)-2]
}

// rubyBlockAround is the method that is called with the innermost block between
// n and the symbol around it, "" where there is none: what is defined in a
// block belongs to what the block is for.
func rubyBlockAround(w *walk, n node) string {
	start := -1
	if w.encloser >= 0 {
		start = w.out.Symbols[w.encloser].Span.StartByte
	}
	for p := w.parent(n); p > 0 && w.start(p) > start; p = w.parent(p) {
		if !w.is(p, "block", "do_block") {
			continue
		}
		call := w.parent(p)
		if holder := w.parent(call); w.start(call) == start || w.is(holder, "assignment") && w.start(holder) == start {
			return ""
		}
		if receiver := w.field(call, "receiver"); receiver >= 0 && !w.says(receiver, "self") {
			return w.str(receiver) + "." + w.str(w.field(call, "method"))
		}
		return w.str(w.field(call, "method"))
	}
	return ""
}

// rubyResult records what a method gives back: its last statement's value, and
// those of its returns.
func rubyResult(w *walk, s int, body node) {
	last := body
	if w.is(body, "body_statement") {
		for c := range w.named(body) {
			if !w.is(c, "comment") {
				last = c
			}
		}
	}
	if w.is(last, "return") {
		last = none
	}
	w.fact(code.FactReturn, s, "", clip(w.line(last), maxLine), last)
	for r := range w.descendants(body) {
		if w.is(r, "return") {
			w.fact(code.FactReturn, s, "", cmp.Or(w.line(w.child(r, "argument_list")), "nil"), r)
		}
	}
}

// rubyParameters reads a parameter list. The marker of a rest, keyword-rest or
// block parameter is part of its name.
func rubyParameters(w *walk, list node) (out []code.Parameter, at []node) {
	for p := range w.named(list) {
		param := code.Parameter{Name: w.str(w.field(p, "name"))}
		switch w.kind(p) {
		case "identifier", "forward_parameter":
			param.Name = w.str(p)
			param.Variadic = param.Name == "..."
		case "optional_parameter":
			param.Default = w.line(w.field(p, "value"))
		case "keyword_parameter":
			param.Name += ":"
			param.Default = w.line(w.field(p, "value"))
		case "splat_parameter":
			param.Name, param.Variadic = "*"+param.Name, true
		case "hash_splat_parameter":
			param.Name, param.Variadic = "**"+param.Name, true
		case "block_parameter":
			param.Name = "&" + param.Name
		default: // (a, b), ** nil
			param.Name = w.line(p)
		}
		out, at = append(out, param), append(at, p)
	}
	return out, at
}

// rubyAlias declares the new name of a method.
func rubyAlias(w *walk, n node) {
	name, old := w.field(n, "name"), w.field(n, "alias")
	if w.is(name, "identifier", "setter", "operator", "constant") {
		d := decl{kind: code.KindMethod, node: n, name: name, exported: true}
		if w.state.(*rubyState).singleton {
			d.modifiers = append(d.modifiers, "self")
		}
		s := w.declare(d)
		w.fact(code.FactAlias, s, w.str(name), w.line(old), old)
	} else if w.is(name, "simple_symbol") {
		rubyFromSymbol(w, n, name, code.KindMethod)
	}
}

// rubyFromSymbol declares what a symbol or string names, in call n.
func rubyFromSymbol(w *walk, n, symbol node, kind code.Kind) int {
	text, at := strings.TrimPrefix(w.str(symbol), ":"), symbol
	if w.is(symbol, "string") {
		at = w.child(symbol, "string_content")
		text = w.str(at)
	}
	if text == "" || at < 0 || !isIdentByte(text[0]) && !strings.ContainsAny(text[:1], "[=<>!+-*/%") {
		return -1
	}
	st := w.state.(*rubyState)
	d := decl{kind: kind, node: n, name: at, text: text, exported: st.visibility == "" || st.visibility == "public"}
	if st.visibility != "" {
		d.modifiers = append(d.modifiers, st.visibility)
	}
	if st.singleton {
		d.modifiers = append(d.modifiers, "self")
	}
	s := w.declare(d)
	span := &w.out.Symbols[s].NameSpan
	*span = w.lines.Span(w.end(at)-len(text), w.end(at))
	return s
}
