package php

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

var dialect = expr.Dialect{Casts: true}

// evaluator evaluates PHP expressions. If the expression is the name of a method, the value has
// the kind resolve.Function; Module is the method's name and Type the type of its receiver.
type evaluator struct{ w *resolve.World }

func eval(s resolve.Scope, w *resolve.World, e *expr.Expr) resolve.Value {
	return resolve.Eval(evaluator{w}, s, e)
}

// this returns the type "self" as it is written within class r: the class itself.
func this(r resolve.Ref) resolve.Type {
	return resolve.Type{Text: "self", File: r.File, Scope: r.Index}
}

// alternatives returns the types that a written type names: Order and Invoice for
// "?Order|Invoice|int". It omits scalars and null, which cannot be receivers.
func alternatives(text string) (types []string) {
	for _, t := range split(strings.TrimPrefix(strings.TrimSpace(text), "?"), '|') {
		t = strings.TrimPrefix(strings.Trim(t, " ()"), "?")
		if !scalar[strings.ToLower(head(t))] && t != "" {
			types = append(types, t)
		}
	}
	return types
}

// scalar lists the types without methods.
var scalar = map[string]bool{
	"null": true, "false": true, "true": true, "bool": true, "boolean": true, "int": true, "integer": true,
	"float": true, "double": true, "string": true, "void": true,
	"never": true, "class-string": true, "non-empty-string": true, "positive-int": true, "numeric-string": true,
	"scalar": true, "resource": true, "literal-string": true,
}

// head returns a type without its arguments: "array" for "array<int, Order>".
func head(t string) string {
	head, _, _ := strings.Cut(t, "<")
	head, _, _ = strings.Cut(head, "{")
	return head
}

// split splits text at a separator outside of brackets.
func split(text string, separator byte) (out []string) {
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte("<({[", c) >= 0:
			depth++
		case strings.IndexByte(">)}]", c) >= 0:
			depth--
		case c == separator && depth == 0:
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

// classOf returns the class that text names, where text is one member of the union type t. It
// returns the zero class if text names no class, such as array.
func classOf(w *resolve.World, t resolve.Type, text string) class {
	generic := head(text)
	switch strings.ToLower(generic) {
	case "self", "static", "$this":
		if bound, ok := t.Bind.Lookup("static"); ok && !strings.EqualFold(text, "self") {
			// a nullable type, ?Order, means Order here
			if receivers := alternatives(bound.Text); len(receivers) == 1 {
				return classOf(w, bound, receivers[0])
			}
			return class{}
		}
	case "array", "iterable", "mixed", "object", "callable", "?", "list", "closure":
		return class{}
	}
	// Names with a hyphen are the documentation's own, such as non-empty-list.
	if strings.HasSuffix(text, "]") || strings.ContainsAny(generic, " -$") && !strings.HasPrefix(text, "$this") {
		return class{}
	}
	c := classNamed(w, resolve.Scope{W: w, File: t.File, At: t.Scope}, generic)
	if !c.foreign {
		return c
	}
	if bound, ok := t.Bind.Lookup(text); ok && text != "static" {
		if types := alternatives(bound.Text); len(types) == 1 {
			return classOf(w, bound, types[0])
		}
		return class{}
	}
	if bound, ok := templateBound(t, text); ok {
		if bound == "?" {
			return class{}
		}
		return classNamed(w, resolve.Scope{W: w, File: t.File, At: t.Scope}, bound)
	}
	return c
}

// templateBound returns the class that bounds the type parameter called name, as in "@template T
// of Order". It returns "?" if no class bounds it. It returns false if the documentation of no
// declaration around t has such a type parameter.
func templateBound(t resolve.Type, name string) (bound string, ok bool) {
	for at := t.Scope; at >= 0; at = t.File.Symbols[at].Parent {
		for _, fact := range t.File.FactsOf(at) {
			if fact.Kind == code.FactAlias && fact.Name == name && inHead(t.File.Ref(at), fact) {
				return fact.Type, true
			}
		}
	}
	return "", false
}

// inHead reports whether a FactAlias describes a type parameter. Other aliases in a class
// describe the method of a trait, which the body of the class renames.
func inHead(r resolve.Ref, alias *code.Fact) bool {
	return alias.Span.StartByte <= r.Symbol().NameSpan.StartByte
}

func instance(t resolve.Type, how resolve.Strategy) resolve.Value {
	return resolve.Value{Kind: resolve.Instance, Type: t, How: how}
}

// Name evaluates $this, $x and the name of a class, as in Order::find().
func (p evaluator) Name(s resolve.Scope, e *expr.Expr) resolve.Value {
	if e.Name == "$this" {
		if r := around(s); r.Valid() {
			return instance(this(r), resolve.TypedWritten)
		}
		return p.anonymous(s)
	}
	if strings.HasPrefix(e.Name, "$") {
		return p.variable(s, e.Name)
	}
	name := e.Name
	if e.Sep == "::" {
		name = `\` + strings.TrimPrefix(name, `\`)
	}
	switch c := classNamed(p.w, s, name); {
	case c.known():
		return resolve.Value{Kind: resolve.Class, Ref: c.ref, Type: this(c.ref)}
	case c.foreign && name != "parent":
		// the name of a function, or of a class outside the workspace
		return resolve.Value{Kind: resolve.Function, Module: c.name}
	case c.foreign:
		return resolve.Value{Kind: resolve.Foreign, Module: c.name}
	}
	return resolve.Value{}
}

// anonymous evaluates $this within an anonymous class as unknown, because no declared type has its
// members.
func (evaluator) anonymous(resolve.Scope) resolve.Value { return resolve.Value{} }

type variableKey struct {
	file      int64
	owner     int
	name      string
	facts     int // number of facts that reaching returns
	firstByte int
}

// variable returns the value that a variable has at s: the common value of all assignments that may
// be the last before s.
func (p evaluator) variable(s resolve.Scope, name string) resolve.Value {
	owner := variableOwner(s.File, s.At)
	facts := reaching(s.File, owner, name, s.Pos)
	// the variable may be captured: function () use ($x)
	for len(facts) == 0 && owner >= 0 && s.File.Symbols[owner].Kind == code.KindRoute {
		owner = variableOwner(s.File, s.File.Symbols[owner].Parent)
		facts = reaching(s.File, owner, name, s.Pos)
	}
	if len(facts) == 0 {
		return resolve.Value{}
	}
	key := variableKey{s.File.ID, owner, name, len(facts), facts[0].Span.StartByte}
	return resolve.Derive(p.w, key, func() (out resolve.Value) {
		for _, fact := range facts {
			v, empty := p.given(s.File, owner, fact)
			switch {
			case empty:
				continue
			case v.Kind != resolve.Instance:
				return resolve.Value{}
			case out.Kind == resolve.Instance && !p.same(out.Type, v.Type):
				return resolve.Value{}
			}
			out = v.Via(out.How)
		}
		return out
	})
}

// variableOwner returns the symbol whose variables the code of symbol i uses: the nearest enclosing
// symbol with variables of its own. The global variables of a file with several namespaces belong to the
// namespace that assigns them.
func variableOwner(f *resolve.File, i int) int {
	for i >= 0 && !f.Symbols[i].Kind.Callable() && f.Symbols[i].Kind != code.KindProperty &&
		f.Symbols[i].Kind != code.KindNamespace {
		i = f.Symbols[i].Parent
	}
	return i
}

// same reports whether two types name the same class, or are the same as written.
func (p evaluator) same(a, b resolve.Type) bool {
	x, y := alternatives(a.Text), alternatives(b.Text)
	if len(x) != 1 || len(y) != 1 {
		return a == b
	}
	c, d := classOf(p.w, a, x[0]), classOf(p.w, b, y[0])
	return c == d && (c.known() || c.foreign) || a == b
}

// given evaluates a fact that records an assignment to a variable or its declared type. empty
// reports that the fact assigns null or false, which does not show the type of the variable.
func (p evaluator) given(f *resolve.File, owner int, fact *code.Fact) (v resolve.Value, empty bool) {
	if fact.Kind != code.FactAssign {
		return instance(resolve.Type{Text: fact.Type, File: f, Scope: fact.Owner}, resolve.TypedWritten), false
	}
	if strings.EqualFold(fact.Type, "null") || strings.EqualFold(fact.Type, "false") {
		return resolve.Value{}, true
	}
	return eval(resolve.Scope{W: p.w, File: f, At: owner, Pos: fact.Span.StartByte}, p.w,
		expr.Parse(fact.Type, dialect)), false
}

// reaching returns the facts that may determine a variable at byte pos, in code of the symbol
// owner: its assignments and declared types. First come those before pos, the nearest first, back
// to a declared type or to the last assignment that has certainly run. Then follow the
// assignments after pos in a loop around pos.
func reaching(f *resolve.File, owner int, name string, pos int) (out []*code.Fact) {
	var before, behind []*code.Fact
	var blocks []*code.Fact
	for _, fact := range f.FactsOf(owner) {
		switch {
		case fact.Kind == code.FactBlock:
			blocks = append(blocks, fact)
		case fact.Name != name || fact.Kind != code.FactParam && fact.Kind != code.FactVar &&
			fact.Kind != code.FactAssign:
		case fact.Scope[1] > 0 && (pos < fact.Scope[0] || pos >= fact.Scope[1]):
		case fact.Span.StartByte < pos && !(fact.Kind == code.FactAssign && within(fact, pos)):
			before = append(before, fact)
		case fact.Kind == code.FactAssign && fact.Span.StartByte > pos:
			behind = append(behind, fact)
		}
	}
	slices.SortStableFunc(before, func(a, b *code.Fact) int { return from(b) - from(a) })
	for i, fact := range before {
		if told := i + 1; fact.Kind == code.FactAssign && told < len(before) && tells(before[told], fact) {
			// a comment right before the assignment states its type: /** @var T $x */
			return append(out, before[told])
		}
		out = append(out, fact)
		if fact.Kind != code.FactAssign || mustRun(blocks, fact.Span.StartByte, pos) {
			break
		}
	}
	for _, fact := range behind {
		for _, b := range blocks {
			if loops[b.Type] && in(b, pos) && in(b, fact.Span.StartByte) {
				out = append(out, fact)
				break
			}
		}
	}
	return out
}

// loops lists the keywords of the blocks that may run again.
var loops = map[string]bool{"for": true, "foreach": true, "while": true, "do": true}

// tells reports whether a documentation comment states the type of the assignment right after it.
func tells(doc, assign *code.Fact) bool {
	return doc.Kind == code.FactVar && doc.Scope[1] == 0 && doc.Span.EndLine+1 >= assign.Span.StartLine &&
		doc.Span.StartByte < assign.Span.StartByte
}

// from returns the byte offset from which a recorded assignment or type of a variable applies.
func from(f *code.Fact) int {
	if f.Kind == code.FactVar && f.Scope[1] > 0 {
		return max(f.Scope[0], f.Span.StartByte)
	}
	return f.Span.StartByte
}

// within reports whether pos is in the value that a fact assigns, where the variable does not hold
// it yet. In foreach ($list as $x) { $x->run(); } the value is before the variable.
func within(fact *code.Fact, pos int) bool {
	return !strings.Contains(fact.Type, code.MarkEach.After("")) && pos < fact.Span.EndByte+len(" = ")+len(fact.Type)
}

func in(b *code.Fact, pos int) bool { return b.Span.StartByte <= pos && pos < b.Span.EndByte }

// mustRun reports whether the code at byte start has run whenever byte pos is reached: each block
// that contains start and may be skipped, such as the body of an if, also contains pos. The body of
// a do loop is not skipped.
func mustRun(blocks []*code.Fact, start, pos int) bool {
	return !slices.ContainsFunc(blocks, func(b *code.Fact) bool {
		return b.Type != "do" && in(b, start) && !in(b, pos)
	})
}

// Result evaluates f(…), $x->f(…) and A::f(…) by the declared or documented result.
func (p evaluator) Result(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	switch {
	case e.X.Op == expr.OpName && !strings.HasPrefix(e.X.Name, "$"):
		name := e.X.Name
		if e.X.Sep == "::" {
			name = `\` + strings.TrimPrefix(name, `\`)
		}
		if r, _, _ := functionNamed(p.w, s, name); r.Valid() {
			v := p.returns(r, resolve.Type{})
			v.Type.Bind = p.inferred(s, r, e, v.Type.Bind)
			return v.Via(resolve.TypedResult)
		}
	case e.X.Op == expr.OpMember:
		x := resolve.Value{Type: f.Type, How: f.How}
		if f.Kind == resolve.Instance { // f was evaluated as a property, so the method of that name is looked up
			x = resolve.Eval(p, s, e.X.X)
		}
		if found := member(p.w, x.Type, e.X.Name); found.ok {
			v := p.returns(found.Ref, x.Type)
			v.Type.Bind = p.inferred(s, found.Ref, e, v.Type.Bind)
			return v.Via(resolve.TypedResult).Via(x.How)
		}
	}
	return resolve.Value{}
}

// returns evaluates the result of a function or method by its declared type. A result type static
// or $this is the type of the receiver.
func (p evaluator) returns(r resolve.Ref, receiver resolve.Type) resolve.Value {
	for _, fact := range r.Facts() {
		if fact.Kind != code.FactResult {
			continue
		}
		switch strings.ToLower(fact.Type) {
		case "$this", "static", "?static", "static|null":
			if receiver.File != nil {
				return instance(receiver, resolve.TypedResult)
			}
		}
		t := resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index}
		if receiver.File != nil {
			t.Bind = &resolve.Binding{Name: "static", Type: receiver}
			// its own T hides that of the class
			t.Bind.Next = except(argumentsOf(p.w, r.Parent(), receiver), templateNames(r))
		}
		return instance(t, resolve.TypedResult)
	}
	return resolve.Value{}
}

func (p evaluator) Index(s resolve.Scope, x resolve.Value, _ *expr.Expr) resolve.Value {
	return p.each(x)
}

func (p evaluator) Construct(s resolve.Scope, e *expr.Expr) resolve.Value {
	name := strings.TrimSpace(e.Type)
	if name == "" || strings.HasPrefix(name, "$") || strings.HasPrefix(name, "class") {
		return resolve.Value{}
	}
	return instance(resolve.Type{Text: name, File: s.File, Scope: s.At}, resolve.TypedValue)
}

func (evaluator) Cast(resolve.Scope, resolve.Value, *expr.Expr) resolve.Value {
	return resolve.Value{}
}

func (evaluator) Unary(_ resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if e.Name == "clone" || e.Name == "&" {
		return x
	}
	return resolve.Value{}
}

func (evaluator) Literal(resolve.Scope, *expr.Expr) resolve.Value { return resolve.Value{} }

// Binary evaluates $a ?? $b and $c ? $a : $b if both sides have the same type, or one side is
// null.
func (p evaluator) Binary(s resolve.Scope, e *expr.Expr) (out resolve.Value) {
	if e.Name != "??" && e.Name != "?:" {
		return resolve.Value{}
	}
	for _, a := range e.Args[len(e.Args)-2:] {
		if a.Op == expr.OpName && strings.EqualFold(a.Name, "null") {
			continue
		}
		v := eval(s, p.w, a)
		if v.Kind != resolve.Instance || out.Kind == resolve.Instance && !p.same(out.Type, v.Type) {
			return resolve.Value{}
		}
		out = v
	}
	return out
}

func (p evaluator) Marked(_ resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if e.Marker() == code.MarkEach {
		return p.each(x)
	}
	if _, ok := e.Marker().Part(); ok {
		return p.each(x)
	}
	return resolve.Value{}
}

// each evaluates an element of x, by the element type that the type of x states: Order for Order[].
func (p evaluator) each(x resolve.Value) resolve.Value {
	if x.Kind != resolve.Instance || x.Type.File == nil {
		return resolve.Value{}
	}
	var out resolve.Value
	for _, t := range alternatives(x.Type.Text) {
		v := p.element(x.Type, t)
		if v.Kind != resolve.Instance || out.Kind == resolve.Instance && out.Type != v.Type {
			return resolve.Value{}
		}
		out = v
	}
	return out.Via(resolve.TypedElement)
}

// element returns the value of $x in foreach ($xs as $x) and of $xs[0]. text is the type of $xs:
// Order[], array<int, Order>, or a class, whose getIterator() or current() tells the type.
func (p evaluator) element(t resolve.Type, text string) resolve.Value {
	if element, ok := strings.CutSuffix(text, "[]"); ok {
		return instance(t.With(strings.Trim(element, "()")), resolve.TypedElement)
	}
	head := strings.ToLower(strings.TrimPrefix(head(text), `\`))
	if open := strings.IndexByte(text, '<'); open > 0 && strings.HasSuffix(text, ">") &&
		(holds[head] || !classOf(p.w, t, text).known()) {
		args := expr.SplitTypes(text[open+1 : len(text)-1])
		return instance(t.With(args[min(len(args)-1, 1)]), resolve.TypedElement)
	}
	c := classOf(p.w, t, text)
	if !c.known() {
		return resolve.Value{}
	}
	for _, name := range []string{"getIterator", "current"} {
		if found := methodOf(p.w, c.ref, name, 0); found.ok {
			v := p.returns(found.Ref, t.With(text))
			if name == "current" {
				return v
			}
			return p.each(v)
		}
	}
	return resolve.Value{}
}

// holds lists the types whose last type argument is their element type.
var holds = map[string]bool{
	"array": true, "list": true, "iterable": true, "non-empty-array": true, "non-empty-list": true, "traversable": true,
	"iterator": true, "iteratoraggregate": true,
	"generator": true, "arrayobject": true, "arrayiterator": true, "splobjectstorage": true,
}
