// Package expr parses expressions of many languages from their texts, as facts and calls hold them:
//
//	order.items[0].total(tax)   the call of total on an index of a member of order
//
// It knows no grammar. One parser reads the forms that languages share, and a Dialect switches on those that
// only some have. The difficulty is that the same text means different things in them: f<T>(x) is a call or
// two comparisons, and { … } a function, a literal or a block.
//
// Parse never fails. A form that it does not know becomes OpUnknown, so a resolver leaves such a call open.
package expr

import (
	"strings"

	"sextant/internal/code"
)

// Op is the form of an expression.
type Op uint8

const (
	OpUnknown Op = iota // not understood by the parser
	OpName              // Name; also this, self, super, $x, @x
	OpMember            // X.Name; Sep is ".", "?.", "->", "::", "?->" or "&."
	OpCall              // X(Args); TypeArgs if written
	OpIndex             // X[Args]
	OpNew               // new Type(Args), Type{…} as a composite literal
	// OpLiteral is a literal: Name is its kind, such as "string", "number", "list", "map",
	// "function", "tuple" or "macro"; Args are the elements.
	OpLiteral
	OpCast     // X as Type, (Type) X, X.(Type)
	OpUnary    // Name X: "&", "*", "!", "await", "<-", "typeof", …
	OpBinary   // Args[0] Name Args[1]; "?:" has three Args
	OpGeneric  // X<TypeArgs> without a call
	OpSuffixed // X followed by a marker of the extractor; Name is the code.Marker
)

// Expr is an expression, parsed from the text of a fact or a call.
type Expr struct {
	Op       Op
	Name     string
	Sep      string
	X        *Expr
	Args     []*Expr
	Type     string // type of an OpNew and OpCast, as written; prefix of a string literal
	TypeArgs []string
	Text     string // text of an argument, as written; it may be a type, as in make([]T, n)
	Label    string // name of an argument, as in f(name = x); "{" for a function block after the call
}

// Dialect says how the expression syntax of a language differs from that of others.
type Dialect struct {
	Casts      bool // (Type) x is a cast
	Composites bool // Type{…} is a literal
	Assertions bool // x.(Type) is a cast
	Generics   bool // f<T>(x) and new T<U>() have type arguments
	Brackets   bool // f[T](x) instantiates: the index becomes an OpIndex, and [T]{…} is a literal
	Arrows     bool // x => …, |x| … are functions
	NewSuffix  bool // T.new is a construction (Ruby)
	Script     bool // the only keyword operators are JavaScript's, and x as T takes a TypeScript type
	Blocks     bool // { … } is a function, and f { … } passes it
	Labels     bool // f(name = x) passes x under that name
	Infix      bool // x f y is the call x.f(y)
	Macros     bool // name!(…) is a macro, and a postfix "?" unwraps a value (Rust)
	Words      bool // the only keyword operators are Python's; func, new, out, move are names
	Plain      bool // no keyword operators but new; function, out, move are names
}

// MaxBytes is the length in bytes above which an expression is not parsed.
const MaxBytes = 4096

// Parse parses an expression. It never fails: it returns OpUnknown for an expression, or for an
// argument, that it cannot parse. The extractor may have appended a marker, such as "#each" for an
// element of the value. The result is then an OpSuffixed around the expression before the marker.
func Parse(text string, d Dialect) *Expr {
	text = strings.TrimSpace(text)
	if len(text) > MaxBytes || text == "" {
		return &Expr{}
	}
	if value, m, ok := code.CutMarker(text); ok {
		return &Expr{Op: OpSuffixed, Name: string(m), X: Parse(value, d)}
	}
	p := &parser{text: text, d: d}
	e := p.expr()
	if p.skip(); p.at < len(p.text) || p.bad {
		return &Expr{}
	}
	return e
}

// Marker returns the marker of e, which must be an OpSuffixed: "each" for rows#each, an element of
// rows.
func (e *Expr) Marker() code.Marker { return code.Marker(e.Name) }

type parser struct {
	text  string
	at    int
	d     Dialect
	bad   bool
	depth int
}

// expr parses operands joined by operators. It ignores precedence, because resolution needs only
// the operands.
func (p *parser) expr() *Expr {
	if p.depth++; p.depth > 60 {
		p.bad = true
		return &Expr{}
	}
	defer func() { p.depth-- }()
	e := p.unary()
	for !p.bad {
		switch op := p.operator(); {
		case op == "cast":
			e = &Expr{Op: OpCast, X: e, Type: p.castType()}
		case op == "satisfies": // TypeScript: the value keeps its own type
			p.castType()
		case op == "?":
			yes := p.expr()
			if !p.take(":") {
				p.bad = true
				return e
			}
			e = &Expr{Op: OpBinary, Name: "?:", Args: []*Expr{e, yes, p.expr()}}
		case op == "if": // Python: a if c else b
			c := p.expr()
			if !p.word("else") {
				p.bad = true
				return e
			}
			e = &Expr{Op: OpBinary, Name: "?:", Args: []*Expr{c, e, p.expr()}}
		case op != "":
			e = &Expr{Op: OpBinary, Name: op, Args: []*Expr{e, p.unary()}}
		case p.d.Infix && p.startsName():
			f := &Expr{Op: OpMember, X: e, Name: p.name(), Sep: "."}
			e = &Expr{Op: OpCall, X: f, Args: []*Expr{p.unary()}}
		default:
			return e
		}
	}
	return e
}

var unaryWords = []string{"await", "typeof", "void", "delete", "yield", "not", "mut", "move", "ref", "out", "clone",
	"throw", "co_await"}
var pythonWords = []string{"await", "yield", "not"}
var unaryOperators = []string{"...", "<-", "&&", "**", "!", "~", "-", "+", "&", "*"}

func (p *parser) unary() *Expr {
	words := unaryWords
	switch {
	case p.d.Script:
		words = scriptWords
	case p.d.Words:
		words = pythonWords
	case p.d.Plain:
		words = nil
	}
	for _, s := range words {
		if at := p.at; p.word(s) {
			if p.skip(); p.at < len(p.text) && strings.IndexByte(".,)=?", p.text[p.at]) < 0 {
				return &Expr{Op: OpUnary, Name: s, X: p.unary()}
			}
			p.at = at
		}
	}
	for _, s := range unaryOperators {
		if p.take(s) {
			return &Expr{Op: OpUnary, Name: s, X: p.unary()}
		}
	}
	return p.postfix(p.primary())
}

// typeLike reports whether e can be the type of a composite literal: T, p.T, T[U].
func typeLike(e *Expr) bool {
	switch e.Op {
	case OpName:
		return true
	case OpMember, OpIndex, OpGeneric:
		return typeLike(e.X)
	}
	return false
}

// String returns e as source text if it is a chain of names and types, such as "a.b"; "" otherwise.
func (e *Expr) String() string {
	switch e.Op {
	case OpName:
		if e.Sep != "" && !strings.HasPrefix(e.Name, "\\") && strings.Contains(e.Name, "\\") {
			return "\\" + e.Name
		}
		return e.Name
	case OpMember:
		if x := e.X.String(); x != "" {
			return x + e.Sep + e.Name
		}
	case OpGeneric:
		if x := e.X.String(); x != "" {
			return x + "<" + strings.Join(e.TypeArgs, ", ") + ">"
		}
	case OpIndex:
		if x := e.X.String(); x != "" {
			args := make([]string, len(e.Args))
			for i, a := range e.Args {
				args[i] = a.String()
			}
			return x + "[" + strings.Join(args, ", ") + "]"
		}
	case OpUnary:
		if x := e.X.String(); x != "" && (e.Name == "*" || e.Name == "&") {
			return e.Name + x
		}
	}
	return ""
}

// SplitTypes splits type arguments or parameters at their top-level commas: "A, B<C, D>" into "A"
// and "B<C, D>".
func SplitTypes(text string) (out []string) {
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte("<[({", c) >= 0:
			depth++
		case c == '>' && i > 0 && (text[i-1] == '-' || text[i-1] == '='):
		case strings.IndexByte(">])}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	if last := strings.TrimSpace(text[start:]); last != "" {
		out = append(out, last)
	}
	return out
}
