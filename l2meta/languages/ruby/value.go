package ruby

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

type kind uint8

const (
	unknown      kind = iota
	known             // an instance of class, or the class itself
	foreign           // a constant that the workspace does not declare
	rubyNil           // nil
	standardType      // a library object; class is its type in the table
)

// object is the result of evaluating an expression.
type object struct {
	kind  kind
	class string // full name of the class; the name as written if the workspace does not declare it
	meta  bool   // whether the object is the class itself, not an instance
	main  bool   // whether it is the main object, in which the top level of a file runs
	how   resolve.Strategy
}

func (x object) same(y object) bool {
	return x.kind == y.kind && x.class == y.class && x.meta == y.meta
}

// self returns the value of self at p. A method may evaluate its block with another self. The
// text of the block does not show that, so it is ignored.
func (r reader) self(p place) object {
	method := methodAround(p.file, p.at)
	at := method
	if at < 0 {
		at = p.at
	}
	class := classAround(p.file, at)
	meta := true
	switch {
	case method >= 0:
		s := &p.file.Symbols[method]
		meta = slices.Contains(s.Modifiers, "self")
		if owner, ok := owner(p.file, method); ok {
			x := r.constant(place{p.file, s.Parent, p.pos}, owner)
			x.how = resolve.SameType
			return x
		}
	case at >= 0:
		for i := at; i >= 0 && i != class; i = p.file.Symbols[i].Parent {
			if k := p.file.Symbols[i].Kind; k == code.KindTest || k == code.KindProperty || k == code.KindRoute {
				meta = false // the blocks of test "x" do … end and get '/x' do … end run as instance methods
			}
		}
	}
	if class < 0 {
		return r.topLevel(p)
	}
	return object{kind: known, class: r.full(p.file.Ref(class)), meta: meta, how: resolve.SameType}
}

// topLevel returns self outside of classes. The blocks of describe and it are methods of a
// subclass of Minitest::Spec. So if the workspace extends that class, its methods are available
// there.
func (r reader) topLevel(p place) object {
	for at := p.at; at >= 0; at = p.file.Symbols[at].Parent {
		if s := &p.file.Symbols[at]; s.Kind == code.KindTest && !testMethod(s) {
			for _, class := range []string{"Minitest.Spec", "MiniTest.Spec", "Minitest.Test"} {
				if len(r.declared(class)) > 0 {
					return object{kind: known, class: class, how: resolve.SameType}
				}
			}
		}
	}
	return object{kind: known, class: "Object", main: true, how: resolve.SameType}
}

// owner returns the path A::B of a method "def A::B.m", unless A::B is the enclosing class. It
// returns false for other methods.
func owner(f *resolve.File, method int) (string, bool) {
	s := &f.Symbols[method]
	path := s.QualifiedName
	if s.Parent >= 0 {
		path = strings.TrimPrefix(path, f.Symbols[s.Parent].QualifiedName+".")
	}
	if path = strings.TrimSuffix(path, s.Name); path == "" || !slices.Contains(s.Modifiers, "self") {
		return "", false
	}
	owner := strings.ReplaceAll(strings.TrimSuffix(path, "."), ".", "::")
	return owner, rubyPath.MatchString(owner)
}

var (
	rubyPath = regexp.MustCompile(`^(::)?[A-Z]\w*(::[A-Z]\w*)*$`)
	rubyName = regexp.MustCompile(`^[a-z_]\w*[?!]?$`)
	instance = regexp.MustCompile(`^@@?[A-Za-z_]\w*$`)
	memoised = regexp.MustCompile(`^(@@?[A-Za-z_]\w*) (\|\|)?= `)
)

// maxDepth bounds the nesting of evaluations for one expression.
const maxDepth = 30

// value returns the value of the expression text at p; the zero object if it is unknown. depth is
// the number of evaluations around this one.
func (r reader) value(p place, text string, depth int) object {
	text = strings.TrimSpace(text)
	if depth > maxDepth || text == "" || len(text) > expr.MaxBytes {
		return object{}
	}
	switch {
	case text == "self":
		return r.self(p)
	case text == "nil":
		return object{kind: rubyNil}
	case globals[text] != "":
		return ofStandard(globals[text])
	case rubyPath.MatchString(text):
		return r.constant(p, text)
	case instance.MatchString(text):
		return r.instanceVariable(p, text)
	case memoised.MatchString(text):
		return r.memoised(p, text, depth)
	case text[0] == '(' && closing(text, 0) == len(text)-1:
		return r.value(p, text[1:len(text)-1], depth+1)
	}
	if x, ok := literal(text); ok {
		return x
	}
	if x, ok := r.fabricated(p, text); ok {
		return x
	}
	if sides := either(text); len(sides) > 1 {
		var all []given
		for _, side := range sides {
			all = append(all, given{p, side})
		}
		return r.agreed(all, r.self(p))
	}
	receiver, name, ok := split(text)
	switch {
	case !ok:
		return object{}
	case receiver == "":
		if x, bound := r.local(p, name); bound && name == text {
			return x
		}
		if x, ok := r.expected(p, text, name); ok {
			return x
		}
		return r.sent(p, r.self(p), name, true, depth)
	}
	return r.sent(p, r.value(p, receiver, depth+1), name, false, depth)
}

// memoised evaluates an assignment to an instance variable that is used as an expression. "@x ||=
// A.new" has the value of @x, which another method may have set.
func (r reader) memoised(p place, text string, depth int) object {
	m := memoised.FindStringSubmatch(text)
	if m[2] != "" && strings.HasPrefix(text[len(m[0]):], "begin ") { // its last expression is recorded for the variable
		return r.instanceVariable(p, m[1])
	}
	x := r.value(p, text[len(m[0]):], depth+1)
	if m[2] == "" || x.kind != known && x.kind != standardType {
		return x
	}
	self := r.self(p)
	if self.kind != known || self.main || !r.variable(self, m[1]).same(x) && !r.isDefault(self, m[1], x) {
		return object{}
	}
	return x
}

// sent returns the value of a call of the method called name on x. bare is set if the call is
// written without a receiver.
func (r reader) sent(p place, x object, name string, bare bool, depth int) object {
	typ, ofLibrary := standardOf(x)
	if ofLibrary && x.kind != known {
		if m := r.added(p, typ, name); m.ref.Valid() {
			return r.result(object{kind: known, class: m.step.class, how: resolve.TypedValue}, m.ref)
		} else if m.twice {
			return object{}
		}
		return standardResult(typ, name)
	}
	if x.kind == foreign && x.class == rspec && !x.meta {
		return x // receive(:f).with(1)
	}
	if x.kind != known {
		return object{}
	}
	m := r.find(p, x, name)
	switch {
	case m.ref.Valid():
		return r.result(x, m.ref)
	case m.twice:
		return object{}
	case m.library != "" && name != "new":
		return standardResult(m.library, name)
	case name == "new" && x.meta && !core[x.class]:
		return object{kind: known, class: x.class, how: resolve.TypedValue}
	case name == "class" && !bare && !x.meta:
		return object{kind: known, class: x.class, meta: true, how: x.how}
	case name == "instance" && x.meta && r.singleton(x.class):
		return object{kind: known, class: x.class, how: resolve.TypedValue}
	case !bare && (name == "freeze" || name == "dup" || name == "clone" || name == "tap" || name == "itself"):
		return x
	case ofLibrary && m.unknown == "":
		return standardResult(typ, name)
	}
	if r.configures(x, name) {
		return x.via(resolve.TypedResult)
	}
	return r.record(x, name)
}

// singleton reports whether a class includes the library's Singleton.
func (r reader) singleton(class string) bool {
	return slices.ContainsFunc(r.declared(class), func(d resolve.Ref) bool {
		return slices.ContainsFunc(d.Facts(), func(f *code.Fact) bool {
			return f.Kind == code.FactBase && strings.TrimPrefix(f.Type, "::") == "Singleton"
		})
	})
}

type resultKey struct {
	file   int64
	method int
	class  string
	meta   bool
}

// result returns the value of a call of a method on x: the common value of all expressions that the
// method returns.
func (r reader) result(x object, method resolve.Ref) object {
	return resolve.Derive(r.w, resultKey{method.File.ID, method.Index, x.class, x.meta}, func() object {
		s := method.Symbol()
		if s.Kind == code.KindProperty {
			return r.variable(x, variableOf(s)).via(resolve.TypedResult)
		}
		return r.returned(method, x).via(resolve.TypedResult)
	})
}

// variableOf returns the variable that an attribute reads: @x for attr_reader :x, @@x for cattr_reader :x.
func variableOf(s *code.Symbol) string {
	if slices.ContainsFunc(s.Modifiers, ofClassAndInstance) {
		return "@@" + s.Name
	}
	return "@" + s.Name
}

// returned returns the common value of what a member returns, called on x.
func (r reader) returned(member resolve.Ref, x object) object {
	var all []given
	for _, f := range member.Facts() {
		if f.Kind == code.FactReturn {
			all = append(all, given{place{member.File, member.Index, member.Symbol().Span.EndByte}, f.Type})
		}
	}
	return r.agreed(all, x)
}

// given is the text of an expression with the place at which to evaluate it.
type given struct {
	place place
	text  string
}

// agreed returns the common value of several expressions, ignoring nil. An expression "self" has
// the value x.
func (r reader) agreed(all []given, x object) (out object) {
	for _, g := range all {
		y := x
		if g.text != "self" || x.kind != known {
			y = r.value(g.place, g.text, 0)
		}
		switch {
		case y.kind == rubyNil:
		case y.kind != known && y.kind != standardType || out.kind != unknown && !out.same(y):
			return object{}
		default:
			out = y
		}
	}
	return out
}

func (x object) via(s resolve.Strategy) object {
	x.how = s
	return x
}

// local returns the value of a local variable at p; bound reports whether there is one. All
// assigned values must agree.
func (r reader) local(p place, name string) (x object, bound bool) {
	for at := p.at; ; at = p.file.Symbols[at].Parent {
		if at >= 0 {
			for _, param := range p.file.Symbols[at].Parameters {
				if strings.Trim(param.Name, "*&:") == name {
					return rest(param.Name), true
				}
			}
		}
		if x, bound = r.given(place{p.file, at, p.pos}, name); bound {
			return x, true
		}
		// A test group or a route is a block, so its code sees the variables of the outer scope.
		if at < 0 || p.file.Symbols[at].Kind != code.KindRoute && p.file.Symbols[at].Kind != code.KindTest ||
			testMethod(&p.file.Symbols[at]) {
			return object{}, false
		}
	}
}

// rest returns the value of a parameter for the remaining arguments: *args, **options.
func rest(param string) object {
	switch {
	case strings.HasPrefix(param, "**"):
		return ofStandard("Hash")
	case strings.HasPrefix(param, "*"):
		return ofStandard("Array")
	}
	return object{}
}

type localKey struct {
	file int64
	at   int
	name string
}

// given returns the common value of the assignments to a local variable in the symbol p.at. bound
// is false if the variable is not assigned there.
func (r reader) given(p place, name string) (x object, bound bool) {
	var all []given
	for _, f := range p.file.FactsOf(p.at) {
		switch {
		case f.Name != name || f.Kind != code.FactAssign && f.Kind != code.FactVar:
		case f.Scope == [2]int{}:
			all = append(all, given{place{p.file, p.at, f.Span.StartByte}, f.Type})
		case f.Scope[0] <= p.pos && p.pos < f.Scope[1]:
			return object{}, true // a block parameter has no known value
		}
	}
	if len(all) == 0 {
		return object{}, false
	}
	return resolve.Derive(r.w, localKey{p.file.ID, p.at, name}, func() object { return r.agreed(all, object{}) }), true
}

// innermost returns the innermost symbol around byte pos, beginning with the symbol outer, which
// contains pos.
func innermost(f *resolve.File, outer, pos int) int {
	for {
		inner := -1
		for _, i := range f.Children(outer) {
			if s := f.Symbols[i].Span; s.StartByte <= pos && pos < s.EndByte {
				inner = i
			}
		}
		if inner < 0 {
			return outer
		}
		outer = inner
	}
}
