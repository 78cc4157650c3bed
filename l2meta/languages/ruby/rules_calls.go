package ruby

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// macros lists the class methods that declare members by name.
var macros = map[string]code.Kind{
	"attr_accessor": code.KindProperty, "attr_reader": code.KindProperty, "attr_writer": code.KindProperty,
	"attr":           code.KindProperty,
	"cattr_accessor": code.KindProperty, "cattr_reader": code.KindProperty, "cattr_writer": code.KindProperty,
	"mattr_accessor": code.KindProperty, "mattr_reader": code.KindProperty, "mattr_writer": code.KindProperty,
	"class_attribute": code.KindProperty, "thread_mattr_accessor": code.KindProperty,
	"thread_cattr_accessor": code.KindProperty,
	"has_many":              code.KindProperty, "has_one": code.KindProperty, "belongs_to": code.KindProperty,
	"has_and_belongs_to_many": code.KindProperty,
	"alias_method":            code.KindMethod, "define_method": code.KindMethod, "scope": code.KindMethod,
	"alias_attribute": code.KindProperty,
}

// one lists the macros of which only the first argument names a member: has_many :orders,
// dependent: :destroy.
var one = map[string]bool{
	"has_many": true, "has_one": true, "belongs_to": true, "has_and_belongs_to_many": true, "alias_method": true,
	"define_method": true,
	"scope":         true, "alias_attribute": true,
}

var groups = map[string]bool{"describe": true, "context": true, "feature": true, "it": true, "specify": true,
	"test": true, "scenario": true, "example": true, "xit": true, "fit": true}

func call(w *syntax.Walk, n syntax.Node) {
	method, receiver, args := w.Field(n, "method"), w.Field(n, "receiver"), w.Field(n, "arguments")
	block := w.Field(n, "block")
	name := w.Str(method)
	if w.Is(method, "super") {
		w.CallAs(code.CallSuper, n, method, superName(w), "", rubyArgs(w, args))
		w.Visit(args)
		w.Visit(block)
		return
	}
	if receiver < 0 && directive(w, n, name, args, block) {
		return
	}
	if test(w, n, name, receiver, args, block) {
		return
	}
	if receiver < 0 && route(w, n, name, args, block) {
		return
	}
	if receiver < 0 && inGroup(w) {
		fixture(w, n, name, args, block)
	}
	count := rubyArgs(w, args)
	if last, scope := constant(w, receiver); name == "new" && last >= 0 {
		w.Call(code.CallNew, n, last, scope, count)
	} else if w.Is(method, "identifier", "constant", "operator", "setter") {
		w.Call(code.CallPlain, n, method, receiver, count)
		sent(w, name, receiver, args)
	}
	w.Visit(receiver)
	w.Visit(args)
	w.Visit(block)
}

// constant splits "A::B" into its last name and its scope; both are syntax.None for other
// expressions.
func constant(w *syntax.Walk, n syntax.Node) (last, scope syntax.Node) {
	switch w.Kind(n) {
	case "constant":
		return n, syntax.None
	case "scope_resolution":
		return w.Field(n, "name"), w.Field(n, "scope")
	}
	return syntax.None, syntax.None
}

// rubyArgs returns the number of arguments, not counting a block; -1 if there is a splat.
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

// sent remembers, for finish, the method names that are passed as symbols: send(:x), method(:x),
// and arguments of class-level calls such as before_action :x.
func sent(w *syntax.Walk, name string, receiver, args syntax.Node) {
	st := w.State.(*state)
	certain := false
	switch name {
	case "send", "public_send", "__send__", "method", "instance_method", "try", "respond_to?":
		certain = name != "respond_to?"
	default:
		if !inClass(w) {
			return
		}
	}
	for a := range w.Named(args) {
		if w.Is(a, "simple_symbol") {
			st.symbols = append(st.symbols,
				symbol{at: a, caller: w.Encloser, receiver: w.Line(receiver), certain: certain})
			if certain {
				return
			}
		}
	}
}

// directive handles calls that declare, import or change visibility. It reports whether n was such
// a call and needs no further handling.
func directive(w *syntax.Walk, n syntax.Node, name string, args, block syntax.Node) bool {
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
		w.Call(code.CallPlain, n, w.Field(n, "method"), syntax.None, rubyArgs(w, args))
		return true
	case "autoload":
		module := w.Str(w.Find(args, "string_content"))
		if constant := strings.TrimPrefix(w.Str(first), ":"); w.Is(first, "simple_symbol") {
			if module == "" {
				module = constant // autoload :Name loads a file that is found by the constant's name
			}
			w.AddImport(n, code.Import{Module: module, Name: constant})
			w.Call(code.CallPlain, n, w.Field(n, "method"), syntax.None, rubyArgs(w, args))
			return true
		}
	case "include", "extend", "prepend":
		mix(w, name, args)
	case "private", "protected", "public", "module_function", "private_class_method", "private_constant":
		return visibility(w, n, name, args, first)
	}
	kind, declares := macros[name]
	if !declares || name == "scope" && !inClass(w) || // scope is also the call for a route: scope '/v2' do
		!inClass(w) && w.State.(*state).visibility == "" && w.Encloser >= 0 {
		return false
	}
	w.Call(code.CallPlain, n, w.Field(n, "method"), syntax.None, rubyArgs(w, args))
	members(w, n, name, kind, args, block)
	return true
}

// mix records the modules that a call of include, prepend or extend lists. A module that extends
// the class is a FactImpl. Any other is a FactBase with the name of the call, as the order of
// ancestors depends on it.
func mix(w *syntax.Walk, name string, args syntax.Node) {
	kind := code.FactBase
	if name == "extend" || w.State.(*state).singleton {
		kind = code.FactImpl
	}
	for a := range w.Named(args) {
		if w.Is(a, "constant", "scope_resolution", "self") {
			w.Fact(kind, w.Encloser, name, w.Line(a), a)
		}
	}
}

func members(w *syntax.Walk, n syntax.Node, name string, kind code.Kind, args, block syntax.Node) {
	s, first := -1, w.FirstNamed(args)
	for a := range w.Named(args) {
		if s >= 0 && one[name] {
			if name == "alias_method" || name == "alias_attribute" {
				w.Fact(code.FactAlias, s, w.Out.Symbols[s].Name, strings.TrimPrefix(w.Line(a), ":"), a)
			}
			w.Inside(s, a)
			continue
		}
		if w.Is(a, "simple_symbol", "string") && (a == first || !one[name]) {
			if declared := fromSymbol(w, n, a, kind); declared >= 0 {
				s = declared
				switch {
				case strings.Contains(name, "attr"):
					w.Out.Symbols[s].Modifiers = append(w.Out.Symbols[s].Modifiers, name)
				case name == "scope": // scope :recent declares a class method that returns a relation of the class
					w.Out.Symbols[s].Modifiers = append(w.Out.Symbols[s].Modifiers, "self")
					w.Fact(code.FactReturn, s, "", "self", a)
				default:
					associate(w, s, name, args)
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
		w.Out.Symbols[s].Parameters, _ = parameters(w, w.Field(block, "parameters"))
		w.Out.Symbols[s].Body = [2]int{w.Start(block), w.End(block)}
		w.Out.Symbols[s].Signature = strings.TrimSpace(syntax.OneLine(w.Text[w.Start(n):w.Start(block)]))
	}
	w.Inside(s, block)
}

// associate records the value of the association s of Active Record. For belongs_to :owner,
// class_name: "User" it is a User object. For has_many :comments it is the class Comment, because
// a relation has the class methods of its record.
func associate(w *syntax.Walk, s int, macro string, args syntax.Node) {
	class := w.Out.Symbols[s].Name
	switch macro {
	case "has_many", "has_and_belongs_to_many":
		class = classNamed(singular(class))
	case "has_one", "belongs_to":
		class = classNamed(class)
	default:
		return
	}
	for a := range w.Named(args) {
		switch strings.Trim(w.Str(w.Field(a, "key")), ":") {
		case "class_name":
			class = strings.Trim(w.Str(w.Field(a, "value")), `"':`)
		case "polymorphic", "source":
			return
		}
	}
	if macro == "has_one" || macro == "belongs_to" {
		class += ".new"
	}
	w.Fact(code.FactReturn, s, "", class, args)
}

// visibility handles private and similar calls with arguments: names, definitions, or calls that
// define methods. Without arguments it reports false, and identifier handles the word.
func visibility(w *syntax.Walk, n syntax.Node, name string, args, first syntax.Node) bool {
	st := w.State.(*state)
	word := strings.TrimSuffix(strings.TrimSuffix(name, "_class_method"), "_constant")
	if first < 0 {
		return false
	}
	for a := range w.Named(args) {
		switch w.Kind(a) {
		case "method", "singleton_method":
			define(w, a, n, word)
			if name == "private_class_method" { // private_class_method def self.f
				st.hide = append(st.hide, hidden{owner: w.Encloser, name: w.Str(w.Field(a, "name")), word: word})
			}
		case "simple_symbol", "string":
			st.hide = append(st.hide, hidden{owner: w.Encloser, name: strings.Trim(w.Str(a), `:"'`), word: word})
		case "symbol_array", "string_array", "array":
			for c := range w.Named(a) {
				st.hide = append(st.hide, hidden{owner: w.Encloser, name: strings.Trim(w.Str(c), `:"'`), word: word})
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

// test declares a test or a group of tests, named by its title. It reports whether n is one.
func test(w *syntax.Walk, n syntax.Node, name string, receiver, args, block syntax.Node) bool {
	st := w.State.(*state)
	if !st.tests || block < 0 || !groups[name] || receiver >= 0 && !w.Says(receiver, "RSpec") {
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
	d := syntax.Decl{Kind: code.KindTest, Node: n, Name: w.Field(n, "method"),
		Text: syntax.Clip(title, syntax.MaxLine), Body: block}
	s := w.Declare(d)
	if w.Is(first, "constant", "scope_resolution") {
		w.Fact(code.FactAssign, s, "described_class", w.Line(first), first)
		w.Fact(code.FactAssign, s, "subject", w.Line(first)+".new", first)
	}
	w.Inside(s, args, block)
	return true
}

// super records super without arguments, which passes on all arguments of the method.
func super(w *syntax.Walk, n syntax.Node) { w.CallAs(code.CallSuper, n, n, superName(w), "", -1) }

// superName returns the name of the method that super calls: that of the method around it. Outside of a
// method it returns "super".
func superName(w *syntax.Walk) string {
	for s := w.Encloser; s >= 0; s = w.Out.Symbols[s].Parent {
		switch w.Out.Symbols[s].Kind {
		case code.KindMethod, code.KindConstructor, code.KindFunction:
			return w.Out.Symbols[s].Name
		case code.KindClass, code.KindModule:
			return "super"
		}
	}
	return "super"
}

// identifier visits a bare name. As in Ruby, it is a local variable if one of that name was
// assigned before, and else a call.
func identifier(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*state)
	name := w.Str(n)
	switch name {
	case "private", "protected", "public", "module_function":
		if inClass(w) && w.Is(w.Parent(n), "body_statement") {
			st.visibility = name
			return
		}
	case "__FILE__", "__LINE__", "__method__", "__dir__", "_":
		return
	}
	if !isLocal(st, name) && !w.Is(w.Parent(n), "ERROR") {
		w.Call(code.CallPlain, n, n, syntax.None, 0)
	}
}

func isLocal(st *state, name string) bool {
	for i := len(st.locals) - 1; i >= 0 && st.locals[i] != nil; i-- {
		if st.locals[i][name] {
			return true
		}
	}
	return false
}

// block opens a scope for the parameters and local variables of a block. The scopes around the
// block stay visible.
func block(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*state)
	locals := map[string]bool{"it": true, "_1": true, "_2": true}
	params := w.Field(n, "parameters")
	for p := range w.Descendants(params) {
		if w.Is(p, "identifier") && !inDefault(w, p, params) {
			locals[w.Str(p)] = true
			w.Fact(code.FactVar, w.Encloser, w.Str(p), rubyUnknown, p)
			w.Out.Facts[len(w.Out.Facts)-1].Scope = [2]int{w.Start(n), w.End(n)}
		}
	}
	st.locals = append(st.locals, locals)
	for p := range w.Named(params) {
		w.Visit(w.Field(p, "value"))
	}
	w.Visit(w.Field(n, "body"))
	st.locals = st.locals[:len(st.locals)-1]
}

// inDefault reports whether n is in the default of a parameter of list: b in |a = b|.
func inDefault(w *syntax.Walk, n, list syntax.Node) bool {
	for ; n != list; n = w.Parent(n) {
		if w.Field(w.Parent(n), "value") == n {
			return true
		}
	}
	return false
}

// rubyUnknown is the type of a variable whose value is not written next to it: a block parameter,
// or a part of a pattern.
const rubyUnknown = "?"

// bind records all names in n as local variables, but not those that a pattern compares with: in ^limit.
func bind(w *syntax.Walk, n syntax.Node) {
	st := w.State.(*state)
	here := st.locals[len(st.locals)-1]
	for c := range w.Descendants(n) {
		if w.Is(w.Parent(c), "variable_reference_pattern") {
			continue
		}
		if w.Is(c, "identifier") || w.Is(c, "hash_key_symbol") && w.Field(w.Parent(c), "value") < 0 {
			here[w.Str(c)] = true
			w.Fact(code.FactVar, w.Encloser, w.Str(c), rubyUnknown, c)
		}
	}
}

// caught records the variable of a rescue clause: an instance of the class that the clause names,
// or of StandardError.
func caught(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "identifier")
	if target := w.Child(n, "call"); target >= 0 { // rescue => self.error
		setter(w, target)
		return
	}
	if name < 0 {
		return
	}
	class := "StandardError"
	if list := w.Field(w.Parent(n), "exceptions"); list >= 0 {
		class = w.Line(list)
	}
	bindOne(w, name)
	if !rubyPath.MatchString(class) {
		w.Fact(code.FactVar, w.Encloser, w.Str(name), rubyUnknown, name)
		return
	}
	w.Fact(code.FactAssign, w.Encloser, w.Str(name), class+".new", name)
}

func pattern(w *syntax.Walk, n syntax.Node) {
	bind(w, w.Field(n, "pattern"))
	w.Visit(w.Field(n, "guard"))
	w.Visit(w.Field(n, "body"))
}

func match(w *syntax.Walk, n syntax.Node) {
	w.Visit(w.Field(n, "value"))
	bind(w, w.Field(n, "pattern"))
}

func rubyFor(w *syntax.Walk, n syntax.Node) {
	pattern := w.Field(n, "pattern")
	if w.Is(pattern, "identifier") {
		bindOne(w, pattern)
		w.Fact(code.FactVar, w.Encloser, w.Str(pattern), rubyUnknown, pattern)
	}
	bind(w, pattern)
	w.Visit(w.Field(n, "value"))
	w.Visit(w.Field(n, "body"))
}

// blockArgument records &:name and &method(:name), a method passed as a block.
func blockArgument(w *syntax.Walk, n syntax.Node) {
	for a := range w.Named(n) {
		if w.Is(a, "simple_symbol") {
			st := w.State.(*state)
			st.symbols = append(st.symbols, symbol{at: a, caller: w.Encloser, certain: true})
			return
		}
	}
	w.Children(n)
}

func scope(w *syntax.Walk, n syntax.Node) {
	if s := w.Field(n, "scope"); !w.Is(s, "constant") {
		w.Visit(s)
	}
}
