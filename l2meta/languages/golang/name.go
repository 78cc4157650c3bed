package golang

import (
	"go/ast"
	"go/parser"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// reader evaluates Go names, types and expressions in a World, which is the index at one
// generation.
type reader struct {
	w        *resolve.World
	packages packages
}

func newReader(w *resolve.World) *reader { return &reader{w, packages{w}} }

// enter begins a nested evaluation, which the caller must end by calling leave. It returns false if
// the context has ended or the evaluation of the call site has reached its limit of steps; then the
// caller must not call leave.
func (g *reader) enter() bool { return g.w.Err() == nil && g.w.Enter() }

func (g *reader) leave() { g.w.Leave() }

// place is the position of an expression or a type, at which its names are resolved.
type place struct {
	file   *resolve.File
	symbol int // index of the innermost symbol that encloses the position; -1 at file level
	pos    int // byte offset
	bind   *binding
}

// binding binds a type parameter to its type argument. next holds the other bindings.
type binding struct {
	name string
	typ  goType
	next *binding
}

func (b *binding) lookup(name string) (goType, bool) {
	for ; b != nil; b = b.next {
		if b.name == name {
			return b.typ, true
		}
	}
	return goType{}, false
}

// valueKind is the kind of a value.
type valueKind uint8

const (
	nothing     valueKind = iota // the value is unknown; reason may say why
	packageName                  // the package pkg, as in fmt.Println
	typeName                     // the type typ, as in T(x)
	instance                     // a value of type typ
	function                     // the declared function or method ref
	builtin                      // the predeclared function name
	goOutside                    // a declaration of package module, outside the workspace
)

// value is the value of an expression. A field with "of kind" in its comment is set only for values
// of that kind.
type value struct {
	kind     valueKind
	pkg      *goPackage
	typ      goType   // of goOutside: the signature of a function, if known
	open     []string // of goOutside: the type parameters of the signature
	ref      resolve.Ref
	bind     *binding         // of function: type arguments of its receiver
	name     string           // of builtin
	module   string           // of goOutside
	how      resolve.Strategy // the weakest strategy that determined the value
	depth    int              // of a member: the number of embeddings that promote it
	imported bool             // found through a dot import
	field    resolve.Ref      // of instance: the field of a declared struct that it was read from
	reason   string           // of nothing
}

// why returns the reason why v is unknown, or fallback if v has no reason.
func (v value) why(fallback string) string {
	if v.reason != "" {
		return v.reason
	}
	return fallback
}

func (v value) via(s resolve.Strategy) value {
	v.how = resolve.Weaker(v.how, s)
	return v
}

func unknownFor(reason string) value { return value{reason: reason} }

// textKey is the key under which a file keeps the parsed form of a text.
type textKey string

type parsed struct{ x ast.Expr }

// parse parses the text of an expression or a type. It returns nil if the text is neither.
func parse(f *resolve.File, text string) ast.Expr {
	return resolve.Memo(f, textKey(text), func() parsed {
		if rest, ok := strings.CutPrefix(text, "..."); ok {
			text = "[]" + rest // a variadic parameter has a slice type in the body
		}
		x, err := parser.ParseExpr(text)
		if err != nil {
			return parsed{}
		}
		return parsed{x}
	}).x
}

// local returns the fact that declares the local variable called name at p: the one with the
// innermost scope. It returns nil if there is none, or if a type declared in a narrower scope
// shadows it.
func (g *reader) local(p place, name string) (best *code.Fact) {
	for at := p.symbol; at >= 0; at = p.file.Symbols[at].Parent {
		for _, fact := range binders(p.file, at, name) {
			if fact.Scope[0] <= p.pos && p.pos < fact.Scope[1] && (best == nil || fact.Scope[0] >= best.Scope[0]) {
				best = fact
			}
		}
	}
	if best != nil && localType(p, name) > best.Scope[0] {
		return nil
	}
	return best
}

// binderKey is the key under which the result of binders is stored: the index of a symbol.
type binderKey int

// binders returns the facts that declare or assign the local variable called name in the symbol
// with index at. For index -1 it returns those of the package-level variable.
func binders(f *resolve.File, at int, name string) []*code.Fact {
	return resolve.Memo(f, binderKey(at), func() map[string][]*code.Fact {
		by := map[string][]*code.Fact{}
		for _, fact := range f.FactsOf(at) {
			switch fact.Kind {
			case code.FactParam, code.FactVar, code.FactAssign:
				by[fact.Name] = append(by[fact.Name], fact)
			}
		}
		return by
	})[name]
}

// localType returns the byte offset of the local type called name that is visible at p: the last
// one declared before p in a function around p. It returns -1 if there is none.
func localType(p place, name string) (start int) {
	start = -1
	for _, i := range p.file.Named(name) {
		if s := &p.file.Symbols[i]; isLocalType(p, i) && s.NameSpan.StartByte > start {
			start = s.NameSpan.StartByte
		}
	}
	return start
}

// isLocalType reports whether symbol i is a type declared before p in a function around p.
func isLocalType(p place, i int) bool {
	s := &p.file.Symbols[i]
	if !resolve.IsType(s.Kind) || s.Parent < 0 || s.NameSpan.StartByte > p.pos {
		return false
	}
	for at := p.symbol; at >= 0; at = p.file.Symbols[at].Parent {
		if at == s.Parent {
			return p.file.Symbols[at].Span.EndByte > p.pos
		}
	}
	return false
}

// receiver returns the fact that records the receiver of a method, the only parameter before the
// method's name; nil if there is none.
func receiver(f *resolve.File, method int) *code.Fact {
	s := &f.Symbols[method]
	for _, fact := range f.FactsOf(method) {
		if fact.Kind == code.FactParam && fact.Span.EndByte <= s.NameSpan.StartByte {
			return fact
		}
	}
	return nil
}

// name returns the value of an identifier at p. It looks for a declaration from the innermost scope
// outwards: local variables, local types and type parameters, the package, the file's imports,
// predeclared names.
func (g *reader) name(p place, name string) value {
	if name == "_" {
		return value{}
	}
	if fact := g.local(p, name); fact != nil {
		return g.bound(p.file, fact)
	}
	if t, ok := g.localTypeName(p, name); ok {
		return value{kind: typeName, typ: t}
	}
	own := g.packages.own(p.file)
	if v, found := g.declared(p.file, own, name); found {
		return v
	}
	if v, found := g.packages.imported(p.file, name); found {
		return v
	}
	if v, found := g.dotImported(p.file, name); found {
		return v
	}
	switch {
	case predeclaredTypes[name]:
		return value{kind: typeName, typ: goType{kind: predeclared, name: name}}
	case predeclaredFuncs[name]:
		return value{kind: builtin, name: name}
	case name == "true" || name == "false":
		return value{kind: instance, typ: goType{kind: predeclared, name: "bool"}}
	case name == "iota":
		return value{kind: instance, typ: goType{kind: predeclared, name: "int"}}
	}
	return value{}
}

var predeclaredTypes = resolve.Words("any bool byte comparable complex64 complex128 error float32 float64 int int8 " +
	"int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr")
var predeclaredFuncs = resolve.Words(
	"append cap clear close complex copy delete imag len make max min new panic print println real recover")

// boundKey is the key under which the result of bound is stored.
type boundKey struct {
	file *resolve.File
	fact *code.Fact
}

// bound returns the value of a variable; fact records its declaration or an assignment to it.
func (g *reader) bound(f *resolve.File, fact *code.Fact) value {
	return resolve.Derive(g.w, boundKey{f, fact}, func() value {
		p := place{file: f, symbol: fact.Owner, pos: fact.Span.StartByte}
		if fact.Kind != code.FactAssign {
			if t := g.typ(p, parse(f, fact.Type)); t.kind != unknown {
				return value{kind: instance, typ: t}.via(resolve.TypedWritten)
			}
			return unknownFor("the type " + fact.Type + " is not known")
		}
		return g.assigned(p, fact.Type)
	})
}

func (g *reader) receiverOf(f *resolve.File, symbol int) *code.Fact {
	if symbol < 0 || f.Symbols[symbol].Kind != code.KindMethod {
		return nil
	}
	return receiver(f, symbol)
}

// assigned returns the value of a variable to which the expression text is assigned: a function
// becomes a value of function type. text may end in a marker for a part of the value, such as
// "rows#each" for an element of rows.
func (g *reader) assigned(p place, text string) value {
	text, marker, _ := code.CutMarker(text)
	x := parse(p.file, text)
	if x == nil {
		return unknownFor("the value of a variable cannot be read")
	}
	v := g.asValue(g.eval(p, x))
	switch marker {
	case code.MarkKey, code.MarkEach:
		return g.ranged(v, marker)
	}
	i, _ := marker.Part()
	return g.nth(v, i)
}
