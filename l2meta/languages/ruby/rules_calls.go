package ruby

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
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

func rubyCall(w *syntax.Walk, n syntax.Node) {
	method, receiver, args := w.Field(n, "method"), w.Field(n, "receiver"), w.Field(n, "arguments")
	block := w.Field(n, "block")
	name := w.Str(method)
	if w.Is(method, "super") {
		w.Call(code.CallSuper, n, method, syntax.None, rubyArgs(w, args))
		w.Visit(args)
		w.Visit(block)
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
		w.Call(code.CallNew, n, last, scope, count)
	} else if w.Is(method, "identifier", "constant", "operator", "setter") {
		w.Call(code.CallPlain, n, method, receiver, count)
		rubySent(w, name, receiver, args)
	}
	w.Visit(receiver)
	w.Visit(args)
	w.Visit(block)
}

// rubyConstant takes "A::B" apart, none for what is no constant.
func rubyConstant(w *syntax.Walk, n syntax.Node) (last, scope syntax.Node) {
	switch w.Kind(n) {
	case "constant":
		return n, syntax.None
	case "scope_resolution":
		return w.Field(n, "name"), w.Field(n, "scope")
	}
	return syntax.None, syntax.None
}

// rubyArgs counts arguments; a block is none, and a splat hides the count.
func rubyArgs(w *syntax.Walk, args syntax.Node) int {
	count := 0
	for a := range w.Named(args) {
		switch w.Kind(a) {
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
func rubySent(w *syntax.Walk, name string, receiver, args syntax.Node) {
	st := w.State.(*rubyState)
	certain := false
	switch name {
	case "send", "public_send", "__send__", "method", "instance_method", "try", "respond_to?":
		certain = name != "respond_to?"
	default:
		if !rubyInClass(w) {
			return
		}
	}
	for a := range w.Named(args) {
		if w.Is(a, "simple_symbol") {
			st.symbols = append(st.symbols, rubySymbol{at: a, caller: w.Encloser, receiver: w.Line(receiver), certain: certain})
			if certain {
				return
			}
		}
	}
}

// rubyDirective handles calls that declare, import or change visibility; it
// reports whether n was one and is done.
func rubyDirective(w *syntax.Walk, n syntax.Node, name string, args, block syntax.Node) bool {
	first := syntax.None
	for first = range w.Named(args) {
		break
	}
	switch name {
	case "require", "require_relative", "load":
		module := w.Str(w.Child(first, "string_content"))
		if module == "" {
			return false
		}
		if name == "require_relative" && !strings.HasPrefix(module, ".") {
			module = "./" + module
		}
		w.AddImport(n, code.Import{Module: module})
		return true
	case "autoload":
		module := w.Str(w.Find(args, "string_content"))
		if constant := strings.TrimPrefix(w.Str(first), ":"); w.Is(first, "simple_symbol") {
			if module == "" {
				module = constant // of a loader that finds files by name
			}
			w.AddImport(n, code.Import{Module: module, Name: constant})
			return true
		}
	case "include", "extend", "prepend":
		rubyMix(w, name, args)
	case "private", "protected", "public", "module_function", "private_class_method", "private_constant":
		return rubyVisibility(w, n, name, args, first)
	}
	kind, declares := rubyMacros[name]
	if !declares || !rubyInClass(w) && w.State.(*rubyState).visibility == "" && w.Encloser >= 0 {
		return false
	}
	w.Call(code.CallPlain, n, w.Field(n, "method"), syntax.None, rubyArgs(w, args))
	rubyMembers(w, n, name, kind, args, block)
	return true
}

// rubyMix records the modules that a class or its own object takes in. The
// order of ancestors needs to know a prepended one from an included one, and
// both from the superclass.
func rubyMix(w *syntax.Walk, name string, args syntax.Node) {
	kind := code.FactBase
	if name == "extend" || w.State.(*rubyState).singleton {
		kind = code.FactImpl
	}
	for a := range w.Named(args) {
		if w.Is(a, "constant", "scope_resolution", "self") {
			w.Fact(kind, w.Encloser, name, w.Line(a), a)
		}
	}
}

func rubyMembers(w *syntax.Walk, n syntax.Node, name string, kind code.Kind, args, block syntax.Node) {
	s := -1
	for a := range w.Named(args) {
		if s >= 0 && rubyOne[name] {
			if name == "alias_method" || name == "alias_attribute" {
				w.Fact(code.FactAlias, s, w.Out.Symbols[s].Name, strings.TrimPrefix(w.Line(a), ":"), a)
			}
			w.Inside(s, a)
			continue
		}
		if w.Is(a, "simple_symbol", "string") {
			if declared := rubyFromSymbol(w, n, a, kind); declared >= 0 {
				s = declared
				if strings.Contains(name, "attr") {
					w.Out.Symbols[s].Modifiers = append(w.Out.Symbols[s].Modifiers, name)
				}
			}
			continue
		}
		w.Visit(a)
	}
	if s < 0 {
		w.Visit(block)
		return
	}
	if block >= 0 {
		w.Out.Symbols[s].Parameters, _ = rubyParameters(w, w.Field(block, "parameters"))
		w.Out.Symbols[s].Body = [2]int{w.Start(block), w.End(block)}
		w.Out.Symbols[s].Signature = strings.TrimSpace(syntax.OneLine(w.Text[w.Start(n):w.Start(block)]))
	}
	w.Inside(s, block)
}

// rubyVisibility handles "private" with names, definitions, or calls that
// define; without arguments the identifier's handler sees it.
func rubyVisibility(w *syntax.Walk, n syntax.Node, name string, args, first syntax.Node) bool {
	st := w.State.(*rubyState)
	word := strings.TrimSuffix(strings.TrimSuffix(name, "_class_method"), "_constant")
	if first < 0 {
		return false
	}
	for a := range w.Named(args) {
		switch w.Kind(a) {
		case "method", "singleton_method":
			rubyDefine(w, a, n, word)
		case "simple_symbol", "string":
			st.hide = append(st.hide, rubyHidden{owner: w.Encloser, name: strings.Trim(w.Str(a), `:"'`), word: word})
		case "symbol_array", "string_array", "array":
			for c := range w.Named(a) {
				st.hide = append(st.hide, rubyHidden{owner: w.Encloser, name: strings.Trim(w.Str(c), `:"'`), word: word})
			}
		default:
			outer := st.visibility
			st.visibility = word
			w.Visit(a)
			st.visibility = outer
		}
	}
	return true
}

// rubyTest declares a test or a group of tests, named by its title.
func rubyTest(w *syntax.Walk, n syntax.Node, name string, receiver, args, block syntax.Node) bool {
	st := w.State.(*rubyState)
	if !st.tests || block < 0 || !rubyGroups[name] || receiver >= 0 && !w.Says(receiver, "RSpec") {
		return false
	}
	first := syntax.None
	for first = range w.Named(args) {
		break
	}
	title := w.Line(first)
	if w.Is(first, "string") {
		title = w.Str(w.Child(first, "string_content"))
	}
	if title == "" {
		title = name
	}
	d := syntax.Decl{Kind: code.KindTest, Node: n, Name: w.Field(n, "method"), Text: syntax.Clip(title, syntax.MaxLine), Body: block}
	s := w.Declare(d)
	w.Inside(s, args, block)
	return true
}

func rubySuper(w *syntax.Walk, n syntax.Node) { w.Call(code.CallSuper, n, n, syntax.None, -1) } // hands on all arguments

// rubyIdentifier is a bare name: a local variable where one of that name was
// assigned before, else a call, as Ruby itself reads it.
func rubyIdentifier(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*rubyState)
	name := w.Str(n)
	switch name {
	case "private", "protected", "public", "module_function":
		if rubyInClass(w) && w.Is(w.Parent(n), "body_statement") {
			st.visibility = name
			return
		}
	case "__FILE__", "__LINE__", "__method__", "__dir__", "_":
		return
	}
	if !rubyIsLocal(st, name) && !w.Is(w.Parent(n), "ERROR") {
		w.Call(code.CallPlain, n, n, syntax.None, 0)
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
func rubyBlock(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*rubyState)
	locals := map[string]bool{"it": true, "_1": true, "_2": true}
	params := w.Field(n, "parameters")
	for p := range w.Descendants(params) {
		if w.Is(p, "identifier") {
			locals[w.Str(p)] = true
			w.Fact(code.FactVar, w.Encloser, w.Str(p), rubyUnknown, p)
			w.Out.Facts[len(w.Out.Facts)-1].Scope = [2]int{w.Start(n), w.End(n)}
		}
	}
	st.locals = append(st.locals, locals)
	w.Visit(w.Field(n, "body"))
	st.locals = st.locals[:len(st.locals)-1]
}

// rubyUnknown is the type of a variable that takes what is not written beside
// it: a block's parameter, a pattern's part.
const rubyUnknown = "?"

// rubyBind makes locals of all names in n.
func rubyBind(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*rubyState)
	here := st.locals[len(st.locals)-1]
	for c := range w.Descendants(n) {
		if w.Is(c, "identifier") || w.Is(c, "hash_key_symbol") && w.Field(w.Parent(c), "value") < 0 {
			here[w.Str(c)] = true
			w.Fact(code.FactVar, w.Encloser, w.Str(c), rubyUnknown, c)
		}
	}
}

func rubyPattern(w *syntax.Walk, n syntax.Node) {
	rubyBind(w, w.Field(n, "pattern"))
	w.Visit(w.Field(n, "guard"))
	w.Visit(w.Field(n, "body"))
}

func rubyMatch(w *syntax.Walk, n syntax.Node) {
	w.Visit(w.Field(n, "value"))
	rubyBind(w, w.Field(n, "pattern"))
}

func rubyFor(w *syntax.Walk, n syntax.Node) {
	pattern := w.Field(n, "pattern")
	if w.Is(pattern, "identifier") {
		rubyBindOne(w, pattern)
		w.Fact(code.FactVar, w.Encloser, w.Str(pattern), rubyUnknown, pattern)
	}
	rubyBind(w, pattern)
	w.Visit(w.Field(n, "value"))
	w.Visit(w.Field(n, "body"))
}

// rubyBlockArgument is &:name or &method(:name): a method handed over.
func rubyBlockArgument(w *syntax.Walk, n syntax.Node) {
	for a := range w.Named(n) {
		if w.Is(a, "simple_symbol") {
			st := w.State.(*rubyState)
			st.symbols = append(st.symbols, rubySymbol{at: a, caller: w.Encloser, certain: true})
			return
		}
	}
	w.Children(n)
}

func rubyScope(w *syntax.Walk, n syntax.Node) {
	if s := w.Field(n, "scope"); !w.Is(s, "constant") {
		w.Visit(s)
	}
}
