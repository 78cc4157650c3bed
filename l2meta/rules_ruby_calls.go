package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// rubyMacros are the class methods that declare members by name.
var rubyMacros = map[string]code.Kind{
	"attr_accessor": code.KindProperty, "attr_reader": code.KindProperty, "attr_writer": code.KindProperty, "attr": code.KindProperty,
	"cattr_accessor": code.KindProperty, "cattr_reader": code.KindProperty, "cattr_writer": code.KindProperty,
	"mattr_accessor": code.KindProperty, "mattr_reader": code.KindProperty, "mattr_writer": code.KindProperty,
	"class_attribute": code.KindProperty, "thread_mattr_accessor": code.KindProperty, "thread_cattr_accessor": code.KindProperty,
	"has_many": code.KindProperty, "has_one": code.KindProperty, "belongs_to": code.KindProperty, "has_and_belongs_to_many": code.KindProperty,
	"alias_method": code.KindMethod, "define_method": code.KindMethod, "scope": code.KindMethod, "alias_attribute": code.KindProperty,
}

// rubyOne are those of them that name one member, with more about it behind.
var rubyOne = map[string]bool{
	"has_many": true, "has_one": true, "belongs_to": true, "has_and_belongs_to_many": true, "alias_method": true, "define_method": true,
	"scope": true, "alias_attribute": true,
}

var rubyGroups = map[string]bool{"describe": true, "context": true, "feature": true, "it": true, "specify": true, "test": true, "scenario": true, "example": true, "xit": true, "fit": true}

func rubyCall(w *walk, n node) {
	method, receiver, args := w.field(n, "method"), w.field(n, "receiver"), w.field(n, "arguments")
	block := w.field(n, "block")
	name := w.str(method)
	if w.is(method, "super") {
		w.call(code.CallSuper, n, method, none, rubyArgs(w, args))
		w.visit(args)
		w.visit(block)
		return
	}
	if receiver < 0 && rubyDirective(w, n, name, args, block) {
		return
	}
	if rubyTest(w, n, name, receiver, args, block) {
		return
	}
	count := rubyArgs(w, args)
	if last, scope := rubyConstant(w, receiver); name == "new" && last >= 0 {
		w.call(code.CallNew, n, last, scope, count)
	} else if w.is(method, "identifier", "constant", "operator", "setter") {
		w.call(code.CallPlain, n, method, receiver, count)
		rubySent(w, name, receiver, args)
	}
	w.visit(receiver)
	w.visit(args)
	w.visit(block)
}

// rubyConstant takes "A::B" apart, none for what is no constant.
func rubyConstant(w *walk, n node) (last, scope node) {
	switch w.kind(n) {
	case "constant":
		return n, none
	case "scope_resolution":
		return w.field(n, "name"), w.field(n, "scope")
	}
	return none, none
}

// rubyArgs counts arguments; a block is none, and a splat hides the count.
func rubyArgs(w *walk, args node) int {
	count := 0
	for a := range w.named(args) {
		switch w.kind(a) {
		case "splat_argument", "hash_splat_argument", "forward_argument":
			return -1
		case "block_argument":
		default:
			count++
		}
	}
	return count
}

// rubySent notes method names that are handed over as symbols: send(:x),
// method(:x), and those of class-level calls such as before_action :x.
func rubySent(w *walk, name string, receiver, args node) {
	st := w.state.(*rubyState)
	certain := false
	switch name {
	case "send", "public_send", "__send__", "method", "instance_method", "try", "respond_to?":
		certain = name != "respond_to?"
	default:
		if !rubyInClass(w) {
			return
		}
	}
	for a := range w.named(args) {
		if w.is(a, "simple_symbol") {
			st.symbols = append(st.symbols, rubySymbol{at: a, caller: w.encloser, receiver: w.line(receiver), certain: certain})
			if certain {
				return
			}
		}
	}
}

// rubyDirective handles calls that declare, import or change visibility; it
// reports whether n was one and is done.
func rubyDirective(w *walk, n node, name string, args, block node) bool {
	first := none
	for first = range w.named(args) {
		break
	}
	switch name {
	case "require", "require_relative", "load":
		module := w.str(w.child(first, "string_content"))
		if module == "" {
			return false
		}
		if name == "require_relative" && !strings.HasPrefix(module, ".") {
			module = "./" + module
		}
		w.addImport(n, code.Import{Module: module})
		return true
	case "autoload":
		module := w.str(w.find(args, "string_content"))
		if constant := strings.TrimPrefix(w.str(first), ":"); w.is(first, "simple_symbol") {
			if module == "" {
				module = constant // of a loader that finds files by name
			}
			w.addImport(n, code.Import{Module: module, Name: constant})
			return true
		}
	case "include", "extend", "prepend":
		rubyMix(w, name, args)
	case "private", "protected", "public", "module_function", "private_class_method", "private_constant":
		return rubyVisibility(w, n, name, args, first)
	}
	kind, declares := rubyMacros[name]
	if !declares || !rubyInClass(w) && w.state.(*rubyState).visibility == "" && w.encloser >= 0 {
		return false
	}
	w.call(code.CallPlain, n, w.field(n, "method"), none, rubyArgs(w, args))
	rubyMembers(w, n, name, kind, args, block)
	return true
}

// rubyMix records the modules that a class or its own object takes in. The
// order of ancestors needs to know a prepended one from an included one, and
// both from the superclass.
func rubyMix(w *walk, name string, args node) {
	kind := code.FactBase
	if name == "extend" || w.state.(*rubyState).singleton {
		kind = code.FactImpl
	}
	for a := range w.named(args) {
		if w.is(a, "constant", "scope_resolution", "self") {
			w.fact(kind, w.encloser, name, w.line(a), a)
		}
	}
}

func rubyMembers(w *walk, n node, name string, kind code.Kind, args, block node) {
	s := -1
	for a := range w.named(args) {
		if s >= 0 && rubyOne[name] {
			if name == "alias_method" || name == "alias_attribute" {
				w.fact(code.FactAlias, s, w.out.Symbols[s].Name, strings.TrimPrefix(w.line(a), ":"), a)
			}
			w.inside(s, a)
			continue
		}
		if w.is(a, "simple_symbol", "string") {
			if declared := rubyFromSymbol(w, n, a, kind); declared >= 0 {
				s = declared
				if strings.Contains(name, "attr") {
					w.out.Symbols[s].Modifiers = append(w.out.Symbols[s].Modifiers, name)
				}
			}
			continue
		}
		w.visit(a)
	}
	if s < 0 {
		w.visit(block)
		return
	}
	if block >= 0 {
		w.out.Symbols[s].Parameters, _ = rubyParameters(w, w.field(block, "parameters"))
		w.out.Symbols[s].Body = [2]int{w.start(block), w.end(block)}
		w.out.Symbols[s].Signature = strings.TrimSpace(oneLine(w.text[w.start(n):w.start(block)]))
	}
	w.inside(s, block)
}

// rubyVisibility handles "private" with names, definitions, or calls that
// define; without arguments the identifier's handler sees it.
func rubyVisibility(w *walk, n node, name string, args, first node) bool {
	st := w.state.(*rubyState)
	word := strings.TrimSuffix(strings.TrimSuffix(name, "_class_method"), "_constant")
	if first < 0 {
		return false
	}
	for a := range w.named(args) {
		switch w.kind(a) {
		case "method", "singleton_method":
			rubyDefine(w, a, n, word)
		case "simple_symbol", "string":
			st.hide = append(st.hide, rubyHidden{owner: w.encloser, name: strings.Trim(w.str(a), `:"'`), word: word})
		case "symbol_array", "string_array", "array":
			for c := range w.named(a) {
				st.hide = append(st.hide, rubyHidden{owner: w.encloser, name: strings.Trim(w.str(c), `:"'`), word: word})
			}
		default:
			outer := st.visibility
			st.visibility = word
			w.visit(a)
			st.visibility = outer
		}
	}
	return true
}

// rubyTest declares a test or a group of tests, named by its title.
func rubyTest(w *walk, n node, name string, receiver, args, block node) bool {
	st := w.state.(*rubyState)
	if !st.tests || block < 0 || !rubyGroups[name] || receiver >= 0 && !w.says(receiver, "RSpec") {
		return false
	}
	first := none
	for first = range w.named(args) {
		break
	}
	title := w.line(first)
	if w.is(first, "string") {
		title = w.str(w.child(first, "string_content"))
	}
	if title == "" {
		title = name
	}
	d := decl{kind: code.KindTest, node: n, name: w.field(n, "method"), text: clip(title, maxLine), body: block}
	s := w.declare(d)
	w.inside(s, args, block)
	return true
}

func rubySuper(w *walk, n node) { w.call(code.CallSuper, n, n, none, -1) } // hands on all arguments

// rubyIdentifier is a bare name: a local variable where one of that name was
// assigned before, else a call, as Ruby itself reads it.
func rubyIdentifier(w *walk, n node) {
	st := w.state.(*rubyState)
	name := w.str(n)
	switch name {
	case "private", "protected", "public", "module_function":
		if rubyInClass(w) && w.is(w.parent(n), "body_statement") {
			st.visibility = name
			return
		}
	case "__FILE__", "__LINE__", "__method__", "__dir__", "_":
		return
	}
	if !rubyIsLocal(st, name) && !w.is(w.parent(n), "ERROR") {
		w.call(code.CallPlain, n, n, none, 0)
	}
}

func rubyIsLocal(st *rubyState, name string) bool {
	for i := len(st.locals) - 1; i >= 0 && st.locals[i] != nil; i-- {
		if st.locals[i][name] {
			return true
		}
	}
	return false
}

// rubyBlock opens a scope that sees the one around it.
func rubyBlock(w *walk, n node) {
	st := w.state.(*rubyState)
	locals := map[string]bool{"it": true, "_1": true, "_2": true}
	params := w.field(n, "parameters")
	for p := range w.descendants(params) {
		if w.is(p, "identifier") {
			locals[w.str(p)] = true
			w.fact(code.FactVar, w.encloser, w.str(p), rubyUnknown, p)
			w.out.Facts[len(w.out.Facts)-1].Scope = [2]int{w.start(n), w.end(n)}
		}
	}
	st.locals = append(st.locals, locals)
	w.visit(w.field(n, "body"))
	st.locals = st.locals[:len(st.locals)-1]
}

// rubyUnknown is the type of a variable that takes what is not written beside
// it: a block's parameter, a pattern's part.
const rubyUnknown = "?"

// rubyBind makes locals of all names in n.
func rubyBind(w *walk, n node) {
	st := w.state.(*rubyState)
	here := st.locals[len(st.locals)-1]
	for c := range w.descendants(n) {
		if w.is(c, "identifier") || w.is(c, "hash_key_symbol") && w.field(w.parent(c), "value") < 0 {
			here[w.str(c)] = true
			w.fact(code.FactVar, w.encloser, w.str(c), rubyUnknown, c)
		}
	}
}

func rubyPattern(w *walk, n node) {
	rubyBind(w, w.field(n, "pattern"))
	w.visit(w.field(n, "guard"))
	w.visit(w.field(n, "body"))
}

func rubyMatch(w *walk, n node) {
	w.visit(w.field(n, "value"))
	rubyBind(w, w.field(n, "pattern"))
}

func rubyFor(w *walk, n node) {
	pattern := w.field(n, "pattern")
	if w.is(pattern, "identifier") {
		rubyBindOne(w, pattern)
		w.fact(code.FactVar, w.encloser, w.str(pattern), rubyUnknown, pattern)
	}
	rubyBind(w, pattern)
	w.visit(w.field(n, "value"))
	w.visit(w.field(n, "body"))
}

// rubyBlockArgument is &:name or &method(:name): a method handed over.
func rubyBlockArgument(w *walk, n node) {
	for a := range w.named(n) {
		if w.is(a, "simple_symbol") {
			st := w.state.(*rubyState)
			st.symbols = append(st.symbols, rubySymbol{at: a, caller: w.encloser, certain: true})
			return
		}
	}
	w.children(n)
}

func rubyScope(w *walk, n node) {
	if s := w.field(n, "scope"); !w.is(s, "constant") {
		w.visit(s)
	}
}
