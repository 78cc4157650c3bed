package python

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// binding is one place that binds a name. Exactly one of symbol, imp, fact and parameter is set.
type binding struct {
	pos       int  // byte offset at which it takes effect
	elsewhere bool // whether the binding is in a function that declares the name global, and which may not have run
	symbol    int  // index of the symbol of a def or class; -1 for any other binding
	imp       *code.Import
	fact      *code.Fact
	parameter *code.Parameter // of the function with index owner
	owner     int
}

// table holds every binding of a file, by scope and name, in document order. A scope is the index
// of a function or class; -1 is the module.
type table struct {
	names  map[int]map[string][]binding
	blocks []*code.Fact // the blocks of code that may not run, such as the body of an if
	// attributes maps the index of a class and the name x to the assignments of self.x in its
	// methods.
	attributes map[int]map[string][]*code.Fact
	returns    map[int][]*code.Fact
	tests      map[string][]*code.Fact // by name, where isinstance says what class it has
}

func (t *table) of(scope int, name string) []binding { return t.names[scope][name] }

func (t *table) add(scope int, name string, b binding) {
	if t.names[scope] == nil {
		t.names[scope] = map[string][]binding{}
	}
	t.names[scope][name] = append(t.names[scope][name], b)
}

type tableKey struct{}

func names(f *resolve.File) *table {
	return resolve.Memo(f, tableKey{}, func() *table { return newPyTable(f) })
}

func newPyTable(f *resolve.File) *table {
	t := &table{names: map[int]map[string][]binding{}, attributes: map[int]map[string][]*code.Fact{},
		returns: map[int][]*code.Fact{}, tests: map[string][]*code.Fact{}}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if resolve.IsType(s.Kind) || s.Kind.Callable() || s.Kind == code.KindProperty {
			t.add(pyScope(f, s.Parent), s.Name, binding{pos: s.NameSpan.StartByte, symbol: i})
		}
		for p := range s.Parameters {
			t.add(i, s.Parameters[p].Name,
				binding{pos: s.NameSpan.EndByte, symbol: -1, parameter: &s.Parameters[p], owner: i})
		}
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.Name != "*" {
			t.add(pyScope(f, m.Scope), localName(m), binding{pos: m.Span.StartByte, symbol: -1, imp: m})
		}
	}
	for i := range f.AllFacts() {
		t.fact(f, &f.AllFacts()[i])
	}
	t.spreadGlobals()
	for _, names := range t.names {
		for _, list := range names {
			slices.SortStableFunc(list, func(a, b binding) int { return cmp.Compare(a.pos, b.pos) })
		}
	}
	return t
}

// spreadGlobals adds to the module's bindings of a name those in functions that declare the name
// global.
func (t *table) spreadGlobals() {
	for scope, names := range t.names {
		for name, list := range names {
			if outer, is := declaredOuter(list); scope < 0 || !is || outer != "global" {
				continue
			}
			for _, b := range list {
				if b.fact == nil || b.fact.Type != "global" {
					b.elsewhere = true
					t.add(-1, name, b)
				}
			}
		}
	}
}

func (t *table) fact(f *resolve.File, fact *code.Fact) {
	scope := pyScope(f, fact.Owner)
	switch fact.Kind {
	case code.FactBlock:
		t.blocks = append(t.blocks, fact)
	case code.FactNarrow:
		t.tests[fact.Name] = append(t.tests[fact.Name], fact)
	case code.FactReturn:
		t.returns[scope] = append(t.returns[scope], fact)
	case code.FactVar:
		if bareQualifier(fact.Type) {
			return // x: Final = User() states no type, so the assigned value determines it
		}
		t.add(scope, fact.Name, binding{pos: fact.Span.StartByte, symbol: -1, fact: fact})
	case code.FactAssign:
		t.add(scope, fact.Name, binding{pos: fact.Span.StartByte, symbol: -1, fact: fact})
		self, attribute, dotted := strings.Cut(fact.Name, ".")
		if class := methodOf(f, scope); dotted && class >= 0 && self == first(f, scope) &&
			!strings.Contains(attribute, ".") {
			if t.attributes[class] == nil {
				t.attributes[class] = map[string][]*code.Fact{}
			}
			t.attributes[class][attribute] = append(t.attributes[class][attribute], fact)
		}
	}
}

// localName returns the name that an import binds: a of "import a.b".
func localName(m *code.Import) string {
	switch {
	case m.Alias != "":
		return m.Alias
	case m.Name != "":
		return m.Name
	}
	top, _, _ := strings.Cut(m.Module, ".")
	return top
}

// pyScope returns the nearest function, class or module in which a symbol's code binds names.
// Variables are symbols too, but no scopes. It returns -1 for the scope of the file.
func pyScope(f *resolve.File, at int) int {
	for at >= 0 {
		if k := f.Symbols[at].Kind; k.Callable() || k == code.KindProperty || resolve.IsType(k) && k != code.KindType {
			return at
		}
		at = f.Symbols[at].Parent
	}
	return -1
}

// methodOf returns the class that directly contains function i; -1 if there is none.
func methodOf(f *resolve.File, i int) int {
	if i < 0 || isClass(f, i) {
		return -1
	}
	if p := f.Symbols[i].Parent; p >= 0 && isClass(f, p) {
		return p
	}
	return -1
}

func isClass(f *resolve.File, i int) bool {
	return i >= 0 && resolve.IsType(f.Symbols[i].Kind) && f.Symbols[i].Kind != code.KindType
}

// first returns the name of the parameter that receives the object or the class in a method:
// "self". It returns "" for a static method, and for a method without such a parameter.
func first(f *resolve.File, i int) string {
	s := &f.Symbols[i]
	if len(s.Parameters) == 0 || s.Parameters[0].Variadic || slices.Contains(s.Modifiers, "static") {
		return ""
	}
	return s.Parameters[0].Name
}

// around returns the scope of the code at byte pos. at is the innermost symbol that encloses pos.
// Decorators, defaults, annotations and bases of a declaration belong to the enclosing scope. It
// returns -1 for the scope of the file.
func around(f *resolve.File, at, pos int) int {
	for at = pyScope(f, at); at >= 0; at = pyScope(f, f.Symbols[at].Parent) {
		if body := f.Symbols[at].Body; pos >= body[0] && pos < body[1] {
			return at
		}
	}
	return -1
}

// sure reports whether a binding at byte offset b has certainly run when the code at pos runs.
// That is so if each block around b that may be skipped, such as the body of an if, is also
// around pos.
func (t *table) sure(b, pos int) bool {
	for _, block := range t.blocks {
		in := block.Span.StartByte <= b && b < block.Span.EndByte
		if in && (pos < block.Span.StartByte || pos >= block.Span.EndByte) {
			return false
		}
	}
	return true
}

// reaching returns the bindings of flow that the code at pos, in the same scope, may see. flow
// holds the bindings of one name in one scope, in document order. The result begins with the last
// binding that has certainly run before pos, and contains the later ones that may have run. If
// none precedes pos, the result is all of flow, because code in a loop, or code called later, may
// follow any of them. Declarations of a type, x: T, are always included.
func reaching(f *resolve.File, flow []binding, pos int) (out []binding) {
	t, from, to := names(f), 0, 0
	for i, b := range flow {
		if declares(b) {
			out = append(out, b)
			continue
		}
		if b.pos >= pos {
			break
		}
		to = i + 1
		if !b.elsewhere && t.sure(b.pos, pos) {
			from = i
		}
	}
	if to == 0 {
		return flow
	}
	for _, b := range flow[from:to] {
		if !declares(b) {
			out = append(out, b)
		}
	}
	return out
}

// declares reports whether a binding only declares a type: x: T.
func declares(b binding) bool { return b.fact != nil && b.fact.Kind == code.FactVar }

// final returns the bindings of flow that code in another scope may see, because no later binding
// in flow is certain to replace them.
func final(f *resolve.File, flow []binding) []binding {
	return reaching(f, flow, 1<<62)
}

// lookup returns the value of name at s, and the scope that binds it; false if nothing in the file
// binds it.
func lookup(s resolve.Scope, name string) (v resolve.Value, scope int, bound bool) {
	t := names(s.File)
	here := around(s.File, s.At, s.Pos)
	for at := here; ; at = pyScope(s.File, s.File.Symbols[at].Parent) {
		if flow := t.of(at, name); len(flow) > 0 && (at == here || !isClass(s.File, at)) {
			if outer, is := declaredOuter(flow); is {
				if outer == "global" {
					v, bound = global(s.W, s.File, name)
					return v, -1, bound
				}
			} else if v, ok := pyBound(s, flow, at == here); ok {
				return v, at, true
			}
		}
		if at < 0 {
			break
		}
	}
	v, bound = starred(s.W, s.File, name)
	return v, -1, bound
}

func declaredOuter(flow []binding) (statement string, is bool) {
	for _, b := range flow {
		if b.fact != nil && b.fact.Kind == code.FactAssign && (b.fact.Type == "global" || b.fact.Type == "nonlocal") {
			return b.fact.Type, true
		}
	}
	return "", false
}

// pyBound returns the value that a name has at s by the bindings of flow, which are in one scope.
// same means that s is in that scope. It returns false if the bindings apply only elsewhere, such
// as inside a comprehension.
func pyBound(s resolve.Scope, flow []binding, same bool) (resolve.Value, bool) {
	var plain []binding
	var inner *code.Fact
	for _, b := range flow {
		if b.fact == nil || b.fact.Scope[1] == 0 {
			plain = append(plain, b)
			continue
		}
		in := s.Pos >= b.fact.Scope[0] && s.Pos < b.fact.Scope[1]
		if in && (inner == nil || b.fact.Scope[0] >= inner.Scope[0]) {
			inner = b.fact
		}
	}
	if inner != nil {
		return assigned(s.W, s.File, inner), true
	}
	if len(plain) == 0 {
		return resolve.Value{}, false
	}
	if same {
		return settleFlow(s, reaching(s.File, plain, s.Pos)), true
	}
	return settleFinal(s, final(s.File, plain)), true
}

// settleFinal returns the value of a name for code in another scope, such as a function that reads
// a global. There a declared type wins over assignments.
func settleFinal(s resolve.Scope, flow []binding) resolve.Value {
	for _, b := range flow {
		if declares(b) {
			if v := value(s, b); v.Kind != resolve.Unknown {
				return v
			}
		}
	}
	return settleFlow(s, flow)
}

// oneOf returns the last of several functions, if every binding of flow declares a function; false
// for any other flow. The How of the result is resolve.Alternative, because a condition chooses
// between the functions.
func oneOf(f *resolve.File, flow []binding) (resolve.Value, bool) {
	for _, b := range flow {
		if b.symbol < 0 || !resolve.Dispatchable(&f.Symbols[b.symbol]) || resolve.IsType(f.Symbols[b.symbol].Kind) {
			return resolve.Value{}, false
		}
	}
	if len(flow) < 2 {
		return resolve.Value{}, false
	}
	return resolve.Value{Kind: resolve.Function, Ref: f.Ref(flow[len(flow)-1].symbol), How: resolve.Alternative}, true
}

// settleFlow returns the common value of bindings. A binding to None is ignored, because it only
// means that the value may be missing; a declared type has precedence over unknown values. If all
// bindings are functions, of which a condition chooses one, it returns the last.
func settleFlow(s resolve.Scope, flow []binding) resolve.Value {
	if v, ok := oneOf(s.File, flow); ok {
		return v
	}
	var declared, v resolve.Value
	known, any := true, false
	for _, b := range flow {
		if b.imp != nil && b.imp.Name != "" && pyModule(s.W, s.File, b.imp.Module).key == key(s.File) && len(flow) > 1 {
			continue // a module that imports itself is not evaluated again
		}
		x := value(s, b)
		switch {
		case declares(b):
			declared = x
		case isNone(x):
		case x.Kind == resolve.Unknown && len(flow) == 1:
			return x // its Type may list several classes
		case x.Kind == resolve.Unknown:
			known = false
		case !any:
			v, any = x, true
		default:
			both, ok := combined(v, x)
			known = known && ok
			v = both.Via(x.How)
		}
	}
	if any && known && (v.Kind != resolve.Foreign || declared.Kind == resolve.Unknown) {
		return v
	}
	return declared
}

// combined returns the value of a name whose value may be a or b. It returns a foreign value if
// both are foreign. It returns the container if one is a container with known elements and the
// other is an empty literal. It returns false for any other pair.
func combined(a, b resolve.Value) (resolve.Value, bool) {
	switch {
	case same(a, b), a.Kind == resolve.Foreign && b.Kind == resolve.Foreign:
		return a, true
	case ofContainer(a, b):
		return a, true
	case ofContainer(b, a):
		return b, true
	}
	return a, false
}

// ofContainer reports whether a is a container with known elements, and b a foreign value of the
// same kind: dict[str, User] and {}.
func ofContainer(a, b resolve.Value) bool {
	head, _ := container(a)
	return b.Kind == resolve.Foreign && containers[head] != 0 && b.Module == "builtins."+strings.ToLower(head)
}

// same reports whether two values have the same members.
func same(a, b resolve.Value) bool {
	if a.Kind != b.Kind || a.Ref != b.Ref {
		return false
	}
	if a.Kind == resolve.Instance && !a.Ref.Valid() {
		return a.Type.Text == b.Type.Text && a.Type.File == b.Type.File
	}
	return a.Module == b.Module
}

// value returns the value that a binding gives to its name.
func value(s resolve.Scope, b binding) resolve.Value {
	switch {
	case b.symbol >= 0:
		return symbolValue(s.W, s.File.Ref(b.symbol))
	case b.imp != nil:
		return importValue(s.W, s.File, b.imp)
	case b.parameter != nil:
		return parameter(s.W, s.File, b.owner, b.parameter)
	case b.fact.Kind == code.FactVar:
		return typed(s.W, resolve.Type{Text: b.fact.Type, File: s.File, Scope: b.fact.Owner}).Via(resolve.TypedWritten)
	}
	return assigned(s.W, s.File, b.fact)
}

// symbolValue returns the value of a name that refers to declaration r. For a property it is the
// result of the getter.
func symbolValue(w *resolve.World, r resolve.Ref) resolve.Value {
	switch {
	case r.Symbol().Kind == code.KindType:
		for _, fact := range r.Facts() {
			if fact.Kind == code.FactAlias {
				return aliased(w, resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index})
			}
		}
		return resolve.Value{}
	case resolve.IsType(r.Symbol().Kind):
		return resolve.Value{Kind: resolve.Class, Ref: r}
	case r.Symbol().Kind == code.KindProperty:
		return result(w, resolve.Value{Kind: resolve.Function, Ref: r})
	}
	return resolve.Value{Kind: resolve.Function, Ref: r}
}

// importValue evaluates the name that an import binds.
func importValue(w *resolve.World, f *resolve.File, m *code.Import) resolve.Value {
	switch {
	case m.Name != "":
		return from(w, f, m.Module, m.Name)
	case m.Alias != "":
		return importedModule(pyModule(w, f, m.Module), m.Module)
	}
	top, _, _ := strings.Cut(m.Module, ".")
	whole := pyModule(w, f, m.Module)
	if whole.inside { // a source root that has all of a.b.c is preferred to one that only has a
		up := strings.Count(m.Module, ".")
		key := whole.key
		for range up {
			key = code.Dir(key)
		}
		return resolve.Value{Kind: resolve.Module, Module: key}
	}
	return importedModule(pyModule(w, f, top), top)
}

func importedModule(m imported, name string) resolve.Value {
	switch {
	case m.inside:
		return resolve.Value{Kind: resolve.Module, Module: m.key}
	case m.foreign:
		return resolve.Value{Kind: resolve.Foreign, Module: name}
	}
	return resolve.Value{}
}

// from evaluates "from module import name".
func from(w *resolve.World, f *resolve.File, module, name string) resolve.Value {
	m := pyModule(w, f, module)
	switch {
	case m.foreign:
		return resolve.Value{Kind: resolve.Foreign, Module: module + "." + name}
	case !m.inside:
		return resolve.Value{}
	}
	if m.key == key(f) {
		// In __init__.py, "from . import x" is the submodule, because nothing else is bound yet.
		if sub := strings.TrimPrefix(m.key+"/"+name, "/"); exists(w, sub) {
			return resolve.Value{Kind: resolve.Module, Module: sub}
		}
	}
	return moduleMember(w, m.key, name)
}

type assignKey struct {
	file  int64
	index int
	kind  code.FactKind
	name  string
	value string // tells the two names of _, _ = x, y apart
}

// assigned evaluates the value that a name gets by an assignment, which fact records.
func assigned(w *resolve.World, f *resolve.File, fact *code.Fact) resolve.Value {
	tuple := strings.HasSuffix(fact.Type, ",)") // a comma makes a tuple of one element: (Name,) is not (Name)
	if fact.Type == pythonOpaque || fact.Type == "lambda" || tuple {
		return resolve.Value{}
	}
	return resolve.Derive(w, assignKey{f.ID, fact.Span.StartByte, fact.Kind, fact.Name, fact.Type}, func() resolve.Value {
		at := resolve.Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}
		return resolve.Eval(Language{}, at, expr.Parse(fact.Type, dialect))
	})
}
