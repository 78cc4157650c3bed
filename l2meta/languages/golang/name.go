package golang

import (
	"go/ast"
	"go/parser"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// goReader reads Go names, types and expressions in a world.
type goReader struct{ w *resolve.World }

// enter counts a step down; false where the work on one call site is beyond its
// bound. Each enter that gives true is followed by a leave.
func (g *goReader) enter() bool { return g.w.Err() == nil && g.w.Enter() }

func (g *goReader) leave() { g.w.Leave() }

// goPlace is where an expression or a type is written: names in it mean what
// they mean there.
type goPlace struct {
	file   *resolve.File
	symbol int // innermost symbol around it, -1 at file level
	pos    int // byte offset
	bind   *goBinding
}

// goBinding gives a type parameter its argument.
type goBinding struct {
	name string
	typ  goType
	next *goBinding
}

func (b *goBinding) lookup(name string) (goType, bool) {
	for ; b != nil; b = b.next {
		if b.name == name {
			return b.typ, true
		}
	}
	return goType{}, false
}

// goValueKind is what an expression stands for.
type goValueKind uint8

const (
	goNothing     goValueKind = iota // not known; reason may say why
	goPackageName                    // pkg
	goTypeName                       // typ
	goInstance                       // a value of type typ
	goFunction                       // the declared function or method ref
	goBuiltin                        // the predeclared function name
	goOutside                        // something of package module, which is not in the workspace
)

type goValue struct {
	kind     goValueKind
	pkg      *goPackage
	typ      goType   // of goOutside too, where its signature is known
	open     []string // of goOutside: the type parameters of that signature
	ref      resolve.Ref
	bind     *goBinding       // of goFunction: type arguments of its receiver
	name     string           // of goBuiltin
	module   string           // of goOutside
	how      resolve.Strategy // the weakest step that it rests on
	depth    int              // of a member: how many embeddings it was promoted through
	imported bool             // comes by a dot import
	reason   string           // of goNothing
}

// why is the reason for which v is not known, or that one.
func (v goValue) why(otherwise string) string {
	if v.reason != "" {
		return v.reason
	}
	return otherwise
}

func (v goValue) via(s resolve.Strategy) goValue {
	v.how = resolve.Weaker(v.how, s)
	return v
}

func goUnknownFor(reason string) goValue { return goValue{reason: reason} }

// goTextKey keys what a text of a file parses to.
type goTextKey string

type goParsed struct{ x ast.Expr }

// goParse reads an expression or a type; nil for what is none.
func goParse(f *resolve.File, text string) ast.Expr {
	return resolve.Memo(f, goTextKey(text), func() goParsed {
		if rest, ok := strings.CutPrefix(text, "..."); ok {
			text = "[]" + rest // a variadic parameter is a slice in the body
		}
		x, err := parser.ParseExpr(text)
		if err != nil {
			return goParsed{}
		}
		return goParsed{x}
	}).x
}

// local is the fact that binds a name at p inside of functions: that of the
// innermost scope around p. It is nil when none does, or when a type that is
// declared further in hides it.
func (g *goReader) local(p goPlace, name string) (best *code.Fact) {
	for at := p.symbol; at >= 0; at = p.file.Symbols[at].Parent {
		for _, fact := range goBinders(p.file, at, name) {
			if fact.Scope[0] <= p.pos && p.pos < fact.Scope[1] && (best == nil || fact.Scope[0] >= best.Scope[0]) {
				best = fact
			}
		}
	}
	if best != nil && goLocalType(p, name) > best.Scope[0] {
		return nil
	}
	return best
}

// goBinderKey is the facts of one symbol, by name.
type goBinderKey int

// goBinders is the facts of symbol at that bind the local name.
func goBinders(f *resolve.File, at int, name string) []*code.Fact {
	return resolve.Memo(f, goBinderKey(at), func() map[string][]*code.Fact {
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

// goLocalType is where a type of that name is declared in the functions around
// p and before it, -1 when none is.
func goLocalType(p goPlace, name string) (start int) {
	start = -1
	for _, i := range p.file.Named(name) {
		if s := &p.file.Symbols[i]; goIsLocalType(p, i) && s.NameSpan.StartByte > start {
			start = s.NameSpan.StartByte
		}
	}
	return start
}

// goIsLocalType reports whether symbol i is a type declared in a function
// around p, before it.
func goIsLocalType(p goPlace, i int) bool {
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

// goReceiver is the fact that binds the receiver of a method: its first
// parameter fact, in document order the last that stands before its name.
func goReceiver(f *resolve.File, method int) *code.Fact {
	s := &f.Symbols[method]
	for _, fact := range f.FactsOf(method) {
		if fact.Kind == code.FactParam && fact.Span.EndByte <= s.NameSpan.StartByte {
			return fact
		}
	}
	return nil
}

// name is what an identifier stands for at p, from the innermost scope out:
// locals and type parameters, the package, the file's imports, what Go predeclares.
func (g *goReader) name(p goPlace, name string) goValue {
	if name == "_" {
		return goValue{}
	}
	if fact := g.local(p, name); fact != nil {
		return g.bound(p.file, fact)
	}
	if t, ok := g.localTypeName(p, name); ok {
		return goValue{kind: goTypeName, typ: t}
	}
	own := g.ownPackage(p.file)
	if v, found := g.declared(p.file, own, name); found {
		return v
	}
	if v, found := g.imported(p.file, name); found {
		return v
	}
	if v, found := g.dotImported(p.file, name); found {
		return v
	}
	switch {
	case goPredeclaredTypes[name]:
		return goValue{kind: goTypeName, typ: goType{kind: goPredeclared, name: name}}
	case goPredeclaredFuncs[name]:
		return goValue{kind: goBuiltin, name: name}
	case name == "true" || name == "false":
		return goValue{kind: goInstance, typ: goType{kind: goPredeclared, name: "bool"}}
	case name == "iota":
		return goValue{kind: goInstance, typ: goType{kind: goPredeclared, name: "int"}}
	}
	return goValue{}
}

var goPredeclaredTypes = goSet("any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr")
var goPredeclaredFuncs = goSet("append cap clear close complex copy delete imag len make max min new panic print println real recover")

func goSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// goBoundKey is the value of a fact of a file.
type goBoundKey struct {
	file *resolve.File
	fact *code.Fact
}

// bound is the value of the name that a fact binds.
func (g *goReader) bound(f *resolve.File, fact *code.Fact) goValue {
	return resolve.Derive(g.w, goBoundKey{f, fact}, func() goValue {
		p := goPlace{file: f, symbol: fact.Owner, pos: fact.Span.StartByte}
		if fact.Kind != code.FactAssign {
			if t := g.typ(p, goParse(f, fact.Type)); t.kind != goUnknown {
				return goValue{kind: goInstance, typ: t}.via(resolve.TypedWritten)
			}
			return goUnknownFor("the type " + fact.Type + " is not known")
		}
		return g.assigned(p, fact.Type)
	})
}

func (g *goReader) receiverOf(f *resolve.File, symbol int) *code.Fact {
	if symbol < 0 || f.Symbols[symbol].Kind != code.KindMethod {
		return nil
	}
	return goReceiver(f, symbol)
}

// assigned is the value of an expression, as a variable that it is assigned to
// has it: an untyped constant gets its type, a function is a value.
func (g *goReader) assigned(p goPlace, text string) goValue {
	marker := ""
	if i := strings.LastIndexByte(text, '#'); i > 0 && resolve.IsMarker(text[i+1:]) {
		text, marker = text[:i], text[i+1:]
	}
	x := goParse(p.file, text)
	if x == nil {
		return goUnknownFor("the value of a variable cannot be read")
	}
	v := g.asValue(g.eval(p, x))
	switch marker {
	case "key", "each":
		return g.ranged(v, marker)
	}
	return g.nth(v, goOrdinal(marker))
}

func goOrdinal(marker string) (n int) {
	for _, c := range marker {
		n = n*10 + int(c-'0')
	}
	return n
}
