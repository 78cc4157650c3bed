package resolve

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Op is the form of an expression.
type Op uint8

const (
	OpUnknown  Op = iota // what the parser does not read
	OpName               // Name; also this, self, super, $x, @x
	OpMember             // X.Name; Sep tells ".", "?.", "->", "::", "?->", "&."
	OpCall               // X(Args); TypeArgs where written
	OpIndex              // X[Args]
	OpNew                // new Type(Args), Type{…} as a composite literal
	OpLiteral            // Name is "string", "number", "list", "map", "function", "tuple"; Args its elements
	OpCast               // X as Type, (Type) X, X.(Type)
	OpUnary              // Name X: "&", "*", "!", "await", "<-", "typeof", …
	OpBinary             // Args[0] Name Args[1]; "?:" has three Args
	OpGeneric            // X<TypeArgs> without a call
	OpSuffixed           // X with a marker of the extractor behind '#': Name is the marker
)

// Expr is an expression as parsed from the text that a fact or a call holds.
type Expr struct {
	Op       Op
	Name     string
	Sep      string
	X        *Expr
	Args     []*Expr
	Type     string // of OpNew and OpCast, as written
	TypeArgs []string
	Text     string // of an argument, as written: a type may stand there, as in make([]T, n)
	Label    string // of an argument: the name it is passed under; "{" of a function behind the parentheses
}

// Dialect is what of the expression syntax differs between languages.
type Dialect struct {
	Casts      bool // (Type) x
	Composites bool // Type{…}
	Assertions bool // x.(Type)
	Generics   bool // f<T>(x), new T<U>()
	Brackets   bool // f[T](x) instantiates: the index is kept as OpIndex, and [T]{…} is a literal
	Arrows     bool // x => …, |x| … are functions
	NewSuffix  bool // T.new is a construction (Ruby)
	Script     bool // JavaScript's keywords alone, and TypeScript's types behind as
	Blocks     bool // { … } is a function, and f { … } passes it
	Labels     bool // f(name = x) passes x under that name
	Infix      bool // x f y is the call x.f(y)
	Macros     bool // name!(…) is a macro, and "?" behind an operand unwraps (Rust)
	Words      bool // no keyword but Python's: func, new, out, move are names
	Plain      bool // no keyword leads an operand but new: function, out, move are names
}

// maxExpr bounds the text of an expression that is read.
const maxExpr = 4096

// ParseExpr reads an expression; it gives OpUnknown for what it cannot read, as
// a whole or in the operand concerned, and never fails. A marker of the
// extractor ("#each", "#0") at the end wraps the rest in OpSuffixed.
func ParseExpr(text string, d Dialect) *Expr {
	text = strings.TrimSpace(text)
	if len(text) > maxExpr || text == "" {
		return &Expr{}
	}
	if i := strings.LastIndexByte(text, '#'); i > 0 && text[i-1] != '.' && isMarker(text[i+1:]) { // this.#x is a private name
		return &Expr{Op: OpSuffixed, Name: text[i+1:], X: ParseExpr(text[:i], d)}
	}
	p := &exprParser{text: text, d: d}
	e := p.expr()
	if p.skip(); p.at < len(p.text) || p.bad {
		return &Expr{}
	}
	return e
}

// isMarker reports whether s is a marker: letters, or a number.
func isMarker(s string) bool {
	if s == "" {
		return false
	}
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

type exprParser struct {
	text  string
	at    int
	d     Dialect
	bad   bool
	depth int
}

func (p *exprParser) skip() {
	for p.at < len(p.text) {
		switch {
		case p.text[p.at] <= ' ':
			p.at++
		case strings.HasPrefix(p.text[p.at:], "/*"):
			end := strings.Index(p.text[p.at+2:], "*/")
			if end < 0 {
				p.at = len(p.text)
				return
			}
			p.at += end + 4
		case strings.HasPrefix(p.text[p.at:], "//") && strings.Contains(p.text[p.at:], "\n"):
			p.at += strings.IndexByte(p.text[p.at:], '\n')
		default:
			return
		}
	}
}

// peek reports whether s stands next, behind white space.
func (p *exprParser) peek(s string) bool {
	p.skip()
	return strings.HasPrefix(p.text[p.at:], s)
}

func (p *exprParser) take(s string) bool {
	if !p.peek(s) {
		return false
	}
	p.at += len(s)
	return true
}

// word takes a keyword: s with no name character behind it.
func (p *exprParser) word(s string) bool {
	if !p.peek(s) {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(p.text[p.at+len(s):]); isNameRune(r) {
		return false
	}
	p.at += len(s)
	return true
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// name takes an identifier, with the marks that some languages lead it with.
func (p *exprParser) name() string {
	p.skip()
	start := p.at
	for p.at < len(p.text) && (p.text[p.at] == '@' || p.text[p.at] == '#') && p.at-start < 2 {
		p.at++
	}
	from := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !isNameRune(r) {
			break
		}
		p.at += size
	}
	if p.at == from {
		p.at = start
		return ""
	}
	return p.text[start:p.at]
}

var binaryOperators = []string{"===", "!==", "<=>", "**", "??=", "??", "?:", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "//", "+", "-", "*", "/", "%", "<", ">", "|", "&", "^"}
var binaryWords = []string{"or", "and", "instanceof", "is", "in", "not in"}
var castWords = []string{"as?", "as!", "as", "satisfies"}

// expr reads operands joined by operators; precedence does not matter to who
// only asks what an operand is.
func (p *exprParser) expr() *Expr {
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

// startsName reports whether an identifier stands next.
func (p *exprParser) startsName() bool {
	p.skip()
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return p.at < len(p.text) && (r == '_' || unicode.IsLetter(r)) && !p.peek("else ")
}

func (p *exprParser) operator() string {
	for _, s := range castWords {
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "!") {
			if p.take(s) {
				return "cast"
			}
		} else if p.word(s) {
			return "cast"
		}
	}
	for _, s := range binaryWords {
		if p.word(s) {
			return s
		}
	}
	if p.peek("=>") || p.peek("->") {
		return ""
	}
	for _, s := range binaryOperators {
		if p.take(s) {
			return s
		}
	}
	if p.word("if") {
		return "if"
	}
	if p.take("?") {
		return "?"
	}
	return ""
}

var unaryWords = []string{"await", "typeof", "void", "delete", "yield", "not", "mut", "move", "ref", "out", "clone", "throw", "co_await"}
var pythonWords = []string{"await", "yield", "not"}
var unaryOperators = []string{"...", "<-", "&&", "**", "!", "~", "-", "+", "&", "*"}

func (p *exprParser) unary() *Expr {
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

func (p *exprParser) primary() *Expr {
	p.skip()
	if p.at >= len(p.text) {
		p.bad = true
		return &Expr{}
	}
	switch c := p.text[p.at]; {
	case c == '(':
		return p.paren()
	case c == '[':
		return p.list()
	case c == '{':
		p.balanced()
		if p.d.Blocks {
			return &Expr{Op: OpLiteral, Name: "function"}
		}
		return &Expr{Op: OpLiteral, Name: "map"}
	case c == '"' || c == '\'' || c == '`':
		return p.stringLiteral()
	case c >= '0' && c <= '9':
		return p.number()
	case c == '|' && p.d.Arrows:
		p.at = len(p.text)
		return &Expr{Op: OpLiteral, Name: "function"}
	}
	if p.d.Script && p.scriptFunction() {
		return &Expr{Op: OpLiteral, Name: "function"}
	}
	for _, s := range []string{"function", "lambda", "fn", "func", "fun", "async"} {
		if at := p.at; !p.d.Plain && !p.d.Script && p.word(s) {
			if r := strings.TrimLeft(p.text[p.at:], " "); s != "async" && (s == "lambda" || !p.d.Words) && (s != "fn" && s != "fun" || r != "" && strings.IndexByte("(|", r[0]) >= 0) {
				p.at = len(p.text)
				return &Expr{Op: OpLiteral, Name: "function"}
			}
			p.at = at
		}
	}
	if !p.d.Words && p.word("new") {
		return p.construction()
	}
	if p.d.Infix && p.word("if") {
		return p.choice()
	}
	return p.named()
}

// choice reads what follows "if" in Kotlin: (c) a else b.
func (p *exprParser) choice() *Expr {
	if !p.peek("(") {
		p.bad = true
		return &Expr{}
	}
	start := p.at
	p.balanced()
	c := &Expr{Text: p.text[start:p.at]}
	yes := p.expr()
	if !p.word("else") {
		p.bad = true
		return &Expr{}
	}
	return &Expr{Op: OpBinary, Name: "?:", Args: []*Expr{c, yes, p.expr()}}
}

// named reads a name, a prefixed string or a composite literal.
func (p *exprParser) named() *Expr {
	start := p.at
	global := p.take("::")
	if p.peek("\\") { // PHP: a name from the global namespace
		p.at++
		global = true
	}
	name := p.name()
	if name == "" {
		p.bad = true
		return &Expr{}
	}
	for p.at < len(p.text) && p.text[p.at] == '\\' { // PHP's qualified names
		p.at++
		name += "\\" + p.name()
	}
	if p.at < len(p.text) && len(name) <= 3 && (p.text[p.at] == '"' || p.text[p.at] == '\'') {
		return p.stringLiteral()
	}
	if p.d.Brackets && name == "map" && p.peek("[") {
		p.at = start
		return p.composite()
	}
	if p.d.Macros && p.peek("!") && !p.peek("!=") {
		p.take("!")
		p.balanced()
		return &Expr{Op: OpLiteral, Name: "macro"}
	}
	if p.d.Blocks && p.at < len(p.text) && p.text[p.at] == '@' { // this@Outer
		p.at++
		name += "@" + p.name()
	}
	e := &Expr{Op: OpName, Name: name}
	if global {
		e.Sep = "::"
	}
	if p.peek("=>") {
		p.at = len(p.text)
		return &Expr{Op: OpLiteral, Name: "function"}
	}
	return e
}

func (p *exprParser) stringLiteral() *Expr {
	start, quote := p.at, p.text[p.at]
	if rest := p.text[p.at:]; len(rest) >= 6 && (rest[:3] == `"""` || rest[:3] == `'''`) {
		if end := strings.Index(rest[3:], rest[:3]); end >= 0 {
			p.at += end + 6
			return &Expr{Op: OpLiteral, Name: "string"}
		}
	}
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case quote:
			p.at++
			return &Expr{Op: OpLiteral, Name: "string", Text: p.text[start:p.at]}
		}
	}
	p.bad = true
	return &Expr{}
}

func (p *exprParser) number() *Expr {
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		signed := (c == '+' || c == '-') && p.at > start && p.text[p.at-1]|0x20 == 'e' && !strings.HasPrefix(p.text[start:], "0x")
		if c == '.' && (p.at+1 >= len(p.text) || p.text[p.at+1] < '0' || p.text[p.at+1] > '9') || c != '.' && !signed && !isNameRune(rune(c)) {
			break
		}
		p.at++
	}
	return &Expr{Op: OpLiteral, Name: "number", Text: p.text[start:p.at]}
}

// balanced passes a bracketed run and gives what stands between the brackets.
func (p *exprParser) balanced() string {
	start, depth := p.at, 0
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				p.at++
				return p.text[start+1 : p.at-1]
			}
		case '"', '\'', '`':
			if e := p.stringLiteral(); e.Op == OpUnknown {
				return ""
			}
			continue
		}
		p.at++
	}
	p.bad = true
	return ""
}

// paren reads (x), (x, y), (Type) x, and parameters of an arrow function.
func (p *exprParser) paren() *Expr {
	start := p.at
	inside := strings.TrimSpace(p.balanced())
	if p.bad {
		return &Expr{}
	}
	if p.peek("=>") || p.d.Arrows && p.peek("->") && !p.d.Composites {
		p.at = len(p.text)
		return &Expr{Op: OpLiteral, Name: "function"}
	}
	if p.d.Casts && (looksLikeType(inside) && p.startsOperand() || primitiveTypes[inside]) {
		return &Expr{Op: OpCast, Type: inside, X: p.unary()}
	}
	end := p.at
	p.at = start + 1
	args := p.arguments(")")
	p.at = end
	if len(args) == 1 {
		return args[0]
	}
	return &Expr{Op: OpLiteral, Name: "tuple", Args: args}
}

// primitiveTypes in parentheses are a cast whatever follows: (byte) -1.
var primitiveTypes = map[string]bool{"byte": true, "short": true, "char": true, "int": true, "long": true, "float": true, "double": true}

func looksLikeType(s string) bool {
	if s == "" || s == "this" || s == "self" {
		return false
	}
	for _, r := range s {
		if !isNameRune(r) && !strings.ContainsRune(".<>[],?*&: \\", r) {
			return false
		}
	}
	return true
}

// startsOperand reports whether what follows a parenthesis makes it a cast.
func (p *exprParser) startsOperand() bool {
	p.skip()
	if p.at >= len(p.text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return isNameRune(r) || r == '(' || r == '"' || r == '\''
}

func (p *exprParser) list() *Expr {
	if p.d.Brackets { // []T{…}, [3]T{…}, map[K]V{…} begin so
		at := p.at
		p.balanced()
		if !p.bad {
			if r := strings.TrimSpace(p.text[p.at:]); r != "" && r[0] != '.' && r[0] != '[' && r[0] != ')' {
				p.at = at
				return p.composite()
			}
		}
		p.at, p.bad = at, false
	}
	p.at++
	return &Expr{Op: OpLiteral, Name: "list", Args: p.arguments("]")}
}

// composite reads a literal that its type leads: everything up to its brace or
// parenthesis is the type.
func (p *exprParser) composite() *Expr {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != '{' && p.text[p.at] != '(' {
		if p.text[p.at] == '[' {
			p.balanced()
			continue
		}
		p.at++
	}
	if p.at >= len(p.text) {
		p.bad = true
		return &Expr{}
	}
	typ := strings.TrimSpace(p.text[start:p.at])
	p.balanced()
	return &Expr{Op: OpNew, Type: typ}
}

func (p *exprParser) construction() *Expr {
	typ := p.typeText()
	e := &Expr{Op: OpNew, Type: typ}
	if p.take("(") {
		e.Args = p.arguments(")")
	}
	if p.peek("{") {
		p.balanced()
	}
	if p.peek("[") && strings.HasSuffix(p.text, "]") {
		e.Type += "[]"
		p.balanced()
	}
	return e
}

// typeText takes the text of a type: names, qualifiers, arguments, array and
// null marks.
func (p *exprParser) typeText() string {
	p.skip()
	start := p.at
	for p.take("*") || p.take("&") || p.take("?") {
	}
	if p.peek("(") || p.peek("{") {
		p.balanced()
		return p.text[start:p.at]
	}
	for {
		if p.take("\\") || p.take("::") {
			continue
		}
		if p.name() == "" {
			break
		}
		if p.at < len(p.text) && p.text[p.at] == '<' {
			p.angles()
		}
		if !(p.take("::") || p.take("\\") || p.takeDot()) {
			break
		}
	}
	for strings.HasPrefix(p.text[p.at:], "[]") || strings.HasPrefix(p.text[p.at:], "?") && !strings.HasPrefix(p.text[p.at:], "?.") && !strings.HasPrefix(p.text[p.at:], "? ") {
		p.at++
		if p.text[p.at-1] == '[' {
			p.at++
		}
	}
	return strings.TrimSpace(p.text[start:p.at])
}

// takeDot takes a "." that a name follows.
func (p *exprParser) takeDot() bool {
	if p.at+1 < len(p.text) && p.text[p.at] == '.' {
		if r, _ := utf8.DecodeRuneInString(p.text[p.at+1:]); unicode.IsLetter(r) || r == '_' {
			p.at++
			return true
		}
	}
	return false
}

// angles passes <…> and gives what stands between; it takes nothing and gives
// false when the brackets do not close as those of type arguments do.
func (p *exprParser) angles() (string, bool) {
	start, depth := p.at, 0
	for i := p.at; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '<':
			depth++
		case c == '>' && p.text[i-1] != '-' && p.text[i-1] != '=':
			if depth--; depth == 0 {
				p.at = i + 1
				return p.text[start+1 : i], true
			}
		case c == ';' || c == '"' || c == '+' || c == '|' && i+1 < len(p.text) && p.text[i+1] == '|' || c == '&' && i+1 < len(p.text) && p.text[i+1] == '&':
			return "", false
		}
	}
	return "", false
}

// arguments reads a comma-separated list up to close. An argument that cannot
// be read is OpUnknown; the others stand.
func (p *exprParser) arguments(closing string) (args []*Expr) {
	for !p.bad {
		if p.take(closing) {
			return args
		}
		start := p.at
		p.passArgument(closing)
		end := p.at
		if p.bad {
			return args
		}
		text := strings.TrimSpace(p.text[start:end])
		if text != "" {
			a := argument(text, p.d, p.depth)
			if label, value, ok := strings.Cut(text, " = "); ok && p.d.Labels && isIdentifier(label) {
				a = argument(value, p.d, p.depth)
				a.Label = label
			}
			a.Text = text
			args = append(args, a)
		}
		p.take(",")
	}
	return args
}

func isIdentifier(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !isNameRune(r) })
}

// argument parses the text of one argument.
func argument(text string, d Dialect, depth int) *Expr {
	p := &exprParser{text: text, d: d, depth: depth + 1}
	e := p.expr()
	if p.skip(); p.at < len(p.text) || p.bad {
		return &Expr{}
	}
	return e
}

// passArgument moves to the comma or the bracket that ends an argument.
func (p *exprParser) passArgument(closing string) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ',' || strings.HasPrefix(p.text[p.at:], closing):
			return
		case c == '(' || c == '[' || c == '{':
			p.balanced()
			if p.bad {
				return
			}
			continue
		case c == '"' || c == '`' || c == '\'':
			if p.stringLiteral(); p.bad {
				return
			}
			continue
		case c == '<' && p.d.Generics:
			if _, ok := p.angles(); ok {
				continue
			}
		}
		p.at++
	}
	p.bad = true
}

// postfix reads what hangs behind an operand.
func (p *exprParser) postfix(e *Expr) *Expr {
	for !p.bad {
		p.skip()
		rest := p.text[p.at:]
		switch {
		case p.d.Assertions && strings.HasPrefix(rest, ".("):
			p.at++
			e = &Expr{Op: OpCast, X: e, Type: strings.TrimSpace(p.balanced())}
		case strings.HasPrefix(rest, "("):
			p.at++
			e = p.call(e, nil)
		case strings.HasPrefix(rest, "?.(") || strings.HasPrefix(rest, "?.["):
			p.at += 2
		case strings.HasPrefix(rest, "["):
			p.at++
			e = &Expr{Op: OpIndex, X: e, Args: p.arguments("]")}
		case p.d.Composites && strings.HasPrefix(rest, "{") && typeLike(e):
			p.balanced()
			e = &Expr{Op: OpNew, Type: e.String()}
		case p.d.Blocks && strings.HasPrefix(rest, "{") && (typeLike(e) || e.Op == OpCall || p.d.Infix && e.Op == OpMember):
			start := p.at
			p.balanced()
			if e.Op != OpCall {
				e = &Expr{Op: OpCall, X: e}
			}
			e.Args = append(e.Args, &Expr{Op: OpLiteral, Name: "function", Text: p.text[start:p.at], Label: "{"})
		case p.d.Generics && (strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, "::<")):
			if !p.generic(&e) {
				return e
			}
		default:
			next, ok := p.member(e)
			if !ok {
				return e
			}
			e = next
		}
	}
	return e
}

func (p *exprParser) call(f *Expr, typeArgs []string) *Expr {
	e := &Expr{Op: OpCall, X: f, TypeArgs: typeArgs, Args: p.arguments(")")}
	if p.d.NewSuffix && f.Op == OpMember && f.Name == "new" {
		return &Expr{Op: OpNew, Type: f.X.String(), Args: e.Args}
	}
	return e
}

// generic reads <T> behind an operand when a call, a member or the end follows.
func (p *exprParser) generic(e **Expr) bool {
	at := p.at
	p.take("::")
	text, ok := p.angles()
	if !ok || !(p.peek("(") || p.peek("::") || p.peek(".") || p.peek("{") || p.at == len(p.text)) {
		p.at = at
		return false
	}
	args := SplitTypes(text)
	if p.take("(") {
		*e = p.call(*e, args)
		return true
	}
	*e = &Expr{Op: OpGeneric, X: *e, TypeArgs: args}
	return true
}

var separators = []string{"?->", "?.", "!!.", "!.", "&.", "->", "::", "."}

// member reads a separator and a name, or a mark that asserts or unwraps.
func (p *exprParser) member(e *Expr) (*Expr, bool) {
	for _, s := range separators {
		if !strings.HasPrefix(p.text[p.at:], s) {
			continue
		}
		at := p.at
		p.at += len(s)
		if s == "." && strings.HasPrefix(p.text[p.at:], ".") { // a range
			p.at = at
			return e, false
		}
		if p.word("await") {
			return &Expr{Op: OpUnary, Name: "await", X: e}, true
		}
		if name := p.name(); name != "" {
			m := &Expr{Op: OpMember, X: e, Name: name, Sep: s}
			if p.d.NewSuffix && name == "new" && !p.peek("(") {
				return &Expr{Op: OpNew, Type: e.String()}, true
			}
			return m, true
		}
		p.at = at
		return e, false
	}
	rest := p.text[p.at:]
	switch {
	case p.d.Macros && strings.HasPrefix(rest, "?"):
		p.at++
		return &Expr{Op: OpUnary, Name: "?", X: e}, true
	case strings.HasPrefix(rest, "!!"):
		p.at += 2
		return e, true
	case strings.HasPrefix(rest, "!") && !strings.HasPrefix(rest, "!="):
		p.at++
		return e, true
	case rest == "?" || strings.HasPrefix(rest, "?."), strings.HasPrefix(rest, "?)"), strings.HasPrefix(rest, "?;"), strings.HasPrefix(rest, "??") && p.d.Arrows && p.d.Composites:
		p.at++
		return &Expr{Op: OpUnary, Name: "?", X: e}, true
	}
	return e, false
}

// typeLike reports whether e reads as the name of a type: what stands before a
// brace and is one.
func typeLike(e *Expr) bool {
	switch e.Op {
	case OpName:
		return true
	case OpMember, OpIndex, OpGeneric:
		return typeLike(e.X)
	}
	return false
}

// String is e as source text, as far as names and types go: "a.b" of a member
// chain; "" for what is no chain of names.
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

// SplitTypes splits type arguments or parameters at their top-level commas.
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
