package ruby

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

type rubyKind uint8

const (
	rubyUnknown rubyKind = iota
	rubyKnown            // an instance of class, or the class itself
	rubyForeign          // a constant that the workspace does not declare
	rubyNil
)

// rubyObject is what an expression gives.
type rubyObject struct {
	kind  rubyKind
	class string // full name; of a foreign one as written
	meta  bool   // the class itself, not an instance
	main  bool   // the object that runs a file
	how   resolve.Strategy
}

func (x rubyObject) same(y rubyObject) bool {
	return x.kind == y.kind && x.class == y.class && x.meta == y.meta
}

// self is what self is at p. A block may be run with another self: that is not
// written at the block, and not taken into account.
func (r rubyReader) self(p rubyPlace) rubyObject {
	method := rubyMethodAround(p.file, p.at)
	at := method
	if at < 0 {
		at = p.at
	}
	class := rubyClassAround(p.file, at)
	meta := true
	switch {
	case method >= 0:
		s := &p.file.Symbols[method]
		meta = slices.Contains(s.Modifiers, "self")
		if owner, ok := rubyOwner(p.file, method); ok {
			x := r.constant(rubyPlace{p.file, s.Parent, p.pos}, owner)
			x.how = resolve.SameType
			return x
		}
	case at >= 0:
		for i := at; i >= 0 && i != class; i = p.file.Symbols[i].Parent {
			if k := p.file.Symbols[i].Kind; k == code.KindTest || k == code.KindProperty {
				meta = false // test "x" do … end makes a method
			}
		}
	}
	if class < 0 {
		return r.topLevel(p)
	}
	return rubyObject{kind: rubyKnown, class: r.full(p.file.Ref(class)), meta: meta, how: resolve.SameType}
}

// topLevel is self outside of classes. The blocks of describe and it are
// methods of a subclass of Minitest::Spec: where the workspace adds to that
// class, they have what it adds.
func (r rubyReader) topLevel(p rubyPlace) rubyObject {
	for at := p.at; at >= 0; at = p.file.Symbols[at].Parent {
		if s := &p.file.Symbols[at]; s.Kind == code.KindTest && !rubyTestMethod(s) {
			for _, class := range []string{"Minitest.Spec", "MiniTest.Spec", "Minitest.Test"} {
				if len(r.declared(class)) > 0 {
					return rubyObject{kind: rubyKnown, class: class, how: resolve.SameType}
				}
			}
		}
	}
	return rubyObject{kind: rubyKnown, class: "Object", main: true, how: resolve.SameType}
}

// rubyOwner is A::B of "def A::B.m", where that is not the class around it.
func rubyOwner(f *resolve.File, method int) (string, bool) {
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
	rubyPath     = regexp.MustCompile(`^(::)?[A-Z]\w*(::[A-Z]\w*)*$`)
	rubyName     = regexp.MustCompile(`^[a-z_]\w*[?!]?$`)
	rubyInstance = regexp.MustCompile(`^@@?[A-Za-z_]\w*$`)
	rubyMemoised = regexp.MustCompile(`^@@?[A-Za-z_]\w* (\|\|)?= `)
)

// maxRubyDepth bounds how deep one expression is read.
const maxRubyDepth = 30

// value is what an expression gives at p.
func (r rubyReader) value(p rubyPlace, text string, depth int) rubyObject {
	text = strings.TrimSpace(text)
	if depth > maxRubyDepth || text == "" || len(text) > resolve.MaxExpr {
		return rubyObject{}
	}
	switch {
	case text == "self":
		return r.self(p)
	case text == "nil":
		return rubyObject{kind: rubyNil}
	case rubyPath.MatchString(text):
		return r.constant(p, text)
	case rubyInstance.MatchString(text):
		return r.instanceVariable(p, text)
	case rubyMemoised.MatchString(text):
		return r.value(p, text[len(rubyMemoised.FindString(text)):], depth+1)
	case text[0] == '(' && rubyClosing(text, 0) == len(text)-1:
		return r.value(p, text[1:len(text)-1], depth+1)
	}
	receiver, name, ok := rubySplit(text)
	switch {
	case !ok:
		return rubyObject{}
	case receiver == "":
		if x, bound := r.local(p, name); bound && name == text {
			return x
		}
		return r.sent(p, r.self(p), name, true, depth)
	}
	return r.sent(p, r.value(p, receiver, depth+1), name, false, depth)
}

// sent is what a method gives that is sent to x.
func (r rubyReader) sent(p rubyPlace, x rubyObject, name string, bare bool, depth int) rubyObject {
	if x.kind != rubyKnown {
		return rubyObject{}
	}
	m := r.find(p, x, name)
	switch {
	case m.ref.Valid():
		return r.result(x, m.ref)
	case m.twice:
		return rubyObject{}
	case name == "new" && x.meta && !rubyCore[x.class]:
		return rubyObject{kind: rubyKnown, class: x.class, how: resolve.TypedValue}
	case name == "class" && !bare && !x.meta:
		return rubyObject{kind: rubyKnown, class: x.class, meta: true, how: x.how}
	case name == "instance" && x.meta && r.singleton(x.class):
		return rubyObject{kind: rubyKnown, class: x.class, how: resolve.TypedValue}
	case !bare && (name == "freeze" || name == "dup" || name == "clone" || name == "tap" || name == "itself"):
		return x
	}
	return rubyObject{}
}

// singleton reports whether a class includes Singleton of the library.
func (r rubyReader) singleton(class string) bool {
	return slices.ContainsFunc(r.declared(class), func(d resolve.Ref) bool {
		return slices.ContainsFunc(d.Facts(), func(f *code.Fact) bool {
			return f.Kind == code.FactBase && strings.TrimPrefix(f.Type, "::") == "Singleton"
		})
	})
}

type rubyResultKey struct {
	file   int64
	method int
	class  string
	meta   bool
}

// result is what a method of x gives back, where all it returns is the same.
func (r rubyReader) result(x rubyObject, method resolve.Ref) rubyObject {
	return resolve.Derive(r.w, rubyResultKey{method.File.ID, method.Index, x.class, x.meta}, func() rubyObject {
		s := method.Symbol()
		if s.Kind == code.KindProperty {
			return r.variable(x.class, "@"+s.Name).via(resolve.TypedResult)
		}
		var all []rubyGiven
		for _, f := range method.Facts() {
			if f.Kind == code.FactReturn {
				all = append(all, rubyGiven{rubyPlace{method.File, method.Index, s.Span.EndByte}, f.Type})
			}
		}
		return r.agreed(all, x).via(resolve.TypedResult)
	})
}

// rubyGiven is an expression in its place.
type rubyGiven struct {
	place rubyPlace
	text  string
}

// agreed is what all of some expressions give, nil left out; "self" is x.
func (r rubyReader) agreed(all []rubyGiven, x rubyObject) (out rubyObject) {
	for _, g := range all {
		y := x
		if g.text != "self" || x.kind != rubyKnown {
			y = r.value(g.place, g.text, 0)
		}
		switch {
		case y.kind == rubyNil:
		case y.kind != rubyKnown || out.kind == rubyKnown && !out.same(y):
			return rubyObject{}
		default:
			out = y
		}
	}
	return out
}

func (x rubyObject) via(s resolve.Strategy) rubyObject {
	x.how = s
	return x
}

// local is what a local variable holds at p; bound says that there is one of
// that name. All that it is given must agree.
func (r rubyReader) local(p rubyPlace, name string) (x rubyObject, bound bool) {
	for at := p.at; ; at = p.file.Symbols[at].Parent {
		if at >= 0 {
			for _, param := range p.file.Symbols[at].Parameters {
				if strings.Trim(param.Name, "*&:") == name {
					return rubyObject{}, true
				}
			}
		}
		if x, bound = r.given(rubyPlace{p.file, at, p.pos}, name); bound {
			return x, true
		}
		// A group of tests is a block: it sees what is around it.
		if at < 0 || p.file.Symbols[at].Kind != code.KindTest || rubyTestMethod(&p.file.Symbols[at]) {
			return rubyObject{}, false
		}
	}
}

type rubyLocalKey struct {
	file int64
	at   int
	name string
}

// given is what the assignments of symbol p.at to a local variable agree on.
func (r rubyReader) given(p rubyPlace, name string) (x rubyObject, bound bool) {
	var all []rubyGiven
	for _, f := range p.file.FactsOf(p.at) {
		switch {
		case f.Name != name || f.Kind != code.FactAssign && f.Kind != code.FactVar:
		case f.Scope == [2]int{}:
			all = append(all, rubyGiven{rubyPlace{p.file, p.at, f.Span.StartByte}, f.Type})
		case f.Scope[0] <= p.pos && p.pos < f.Scope[1]:
			return rubyObject{}, true // a block's parameter
		}
	}
	if len(all) == 0 {
		return rubyObject{}, false
	}
	return resolve.Derive(r.w, rubyLocalKey{p.file.ID, p.at, name}, func() rubyObject { return r.agreed(all, rubyObject{}) }), true
}

// instanceVariable is what @name holds in the class around p.
func (r rubyReader) instanceVariable(p rubyPlace, name string) rubyObject {
	self := r.self(p)
	if self.kind != rubyKnown || self.main {
		return rubyObject{}
	}
	return r.variable(self.class, name)
}

type rubyVariableKey struct{ class, name string }

// variable is what all assignments to an instance variable agree on, in a class
// and its ancestors.
func (r rubyReader) variable(class, name string) rubyObject {
	return resolve.Derive(r.w, rubyVariableKey{class, name}, func() rubyObject {
		var all []rubyGiven
		for _, s := range r.steps(rubyObject{kind: rubyKnown, class: class}) {
			for _, d := range r.declared(s.class) {
				for _, f := range d.Facts() {
					if f.Kind == code.FactAssign && f.Name == name {
						at := rubyInnermost(d.File, d.Index, f.Span.StartByte)
						all = append(all, rubyGiven{rubyPlace{d.File, at, f.Span.StartByte}, f.Type})
					}
				}
			}
		}
		return r.agreed(all, rubyObject{})
	})
}

// rubyInnermost is the symbol below at, or at itself, that a byte lies in.
func rubyInnermost(f *resolve.File, at, pos int) int {
	for {
		inner := -1
		for _, i := range f.Children(at) {
			if s := f.Symbols[i].Span; s.StartByte <= pos && pos < s.EndByte {
				inner = i
			}
		}
		if inner < 0 {
			return at
		}
		at = inner
	}
}

// rubySplit takes a call apart: the receiver, "" for none, and the method's
// name. Arguments and a block at the end are passed over.
func rubySplit(text string) (receiver, name string, ok bool) {
	head := rubyHead(text)
	dot := rubyLastDot(head)
	if dot < 0 {
		return "", head, rubyName.MatchString(head)
	}
	name = strings.TrimSpace(head[dot+1:])
	receiver = strings.TrimSuffix(strings.TrimSpace(head[:dot]), "&")
	return receiver, name, rubyName.MatchString(name) && receiver != ""
}

// rubyHead is text without the arguments and the block at its end.
func rubyHead(text string) string {
	if strings.HasSuffix(text, " end") {
		if text = rubyBeforeDo(text); text == "" {
			return ""
		}
	}
	for {
		last := text[len(text)-1]
		if last != ')' && last != '}' {
			return text
		}
		start := rubyOpening(text)
		if start <= 0 {
			return text
		}
		text = strings.TrimSpace(text[:start])
	}
}

// rubyBeforeDo is what stands before the first "do" outside of brackets.
func rubyBeforeDo(text string) string {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			if i = rubyClosing(text, i); i < 0 {
				return ""
			}
		case '"', '\'':
			if i = rubyQuoted(text, i); i < 0 {
				return ""
			}
		case ' ':
			if strings.HasPrefix(text[i:], " do ") {
				return text[:i]
			}
		}
	}
	return ""
}

// rubyOpening is where the bracket opens that ends text; -1 where none does.
func rubyOpening(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			end := rubyClosing(text, i)
			if end < 0 {
				return -1
			}
			if end == len(text)-1 {
				return i
			}
			i = end
		case '"', '\'':
			if i = rubyQuoted(text, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// rubyClosing is where the bracket at open closes; -1 where it does not.
func rubyClosing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			if i = rubyQuoted(text, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// rubyQuoted is where the string at open ends; -1 where it does not.
func rubyQuoted(text string, open int) int {
	for i := open + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[open]:
			return i
		}
	}
	return -1
}

// rubyLastDot is the last "." outside of brackets, -1 where there is none or
// where text is more than a chain of calls.
func rubyLastDot(text string) int {
	dot := -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(' || c == '{' || c == '[':
			if i = rubyClosing(text, i); i < 0 {
				return -1
			}
		case c == '.':
			dot = i
		case c == ' ' && i+1 < len(text) && text[i+1] != '.' && text[i+1] != '&' && text[i+1] != '{' && (i == 0 || text[i-1] != '.'):
			return -1
		}
	}
	return dot
}
