package cfamily

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// fieldOf returns the field called name of a class or its bases. It returns the zero Ref if the
// class declares it several times, as in the branches of an #if.
func fieldOf(w *resolve.World, class resolve.Ref, name string, depth int) (out resolve.Ref) {
	for _, i := range class.File.Children(class.Index) {
		if s := &class.File.Symbols[i]; s.Name == name && (s.Kind == code.KindField || s.Kind == code.KindConstant) {
			if out.Valid() {
				return resolve.Ref{}
			}
			out = class.File.Ref(i)
		}
	}
	if out.Valid() || depth == 0 {
		return out
	}
	for _, b := range bases(w, class) {
		if out = fieldOf(w, b, name, depth-1); out.Valid() {
			return out
		}
	}
	return out
}

// settleField resolves a call of a function-valued field to the field. If the class has no such
// field, or one that holds no function, the call is one of an unknown value.
func settleField(w *resolve.World, class resolve.Ref, name string, how resolve.Strategy) resolve.Verdict {
	if r := fieldOf(w, class, name, 6); r.Valid() && holdsFunction(w, r) {
		if how == "" {
			how = resolve.TypedWritten
		}
		return resolve.Resolved(r, how, "the field "+r.Symbol().QualifiedName+", which holds a function")
	}
	return resolve.ThroughValue("a field of that name")
}

// settlePointer resolves ops->read(x) in C, a call through a field that points to a function, to
// the field.
func settlePointer(s resolve.Scope, c *code.Call) resolve.Verdict {
	x := eval(s, expr.Parse(c.Receiver, dialect), maxExpr)
	class, ok := classOf(s.W, x, "?")
	if !ok {
		return resolve.ThroughValue("a member that points to a function")
	}
	return settleField(s.W, class, c.Callee, x.How)
}

func (Language) HoldsFunction(w *resolve.World, property resolve.Ref) bool {
	return property.Symbol().Kind == code.KindField && holdsFunction(w, property)
}

// holdsFunction reports whether a field has a function type: int (*read)(int), read_fn *read,
// std::function<int(int)> read.
func holdsFunction(w *resolve.World, field resolve.Ref) bool {
	return isFunctionType(w, resolve.Type{Text: field.Symbol().Returns, File: field.File, Scope: field.Symbol().Parent},
		6)
}

// isFunctionType reports whether t is a pointer to a function: int (*)(int), or a typedef of one.
func isFunctionType(w *resolve.World, t resolve.Type, depth int) bool {
	if strings.Contains(t.Text, "(") {
		return true
	}
	base, _, _ := takeType(t.Text)
	segments := resolve.SplitPath(base)
	if depth == 0 || len(segments) == 0 {
		return false
	}
	for _, r := range find(w, t.File, t.Scope, segments, func(r resolve.Ref) bool {
		return r.Symbol().Kind == code.KindType
	}) {
		for _, fact := range r.Facts() {
			if fact.Kind == code.FactAlias &&
				isFunctionType(w, resolve.Type{Text: fact.Type, File: r.File, Scope: r.Symbol().Parent}, depth-1) {
				return true
			}
		}
	}
	return false
}

// Given returns the field and the function that fact, the record of a store into a field, names:
// read and file_read for o->read = file_read, and for the initializers { .read = file_read } and {
// file_open, file_read }. A Ref is zero if it is unknown.
func (Language) Given(w *resolve.World, f *resolve.File, fact *code.Fact) (property, function resolve.Ref) {
	s := resolve.Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}
	if function = functionNamed(s, fact.Type); !function.Valid() {
		return
	}
	if typ, place, ok := code.CutPlace(fact.Name); ok {
		return placed(s, typ, place, function), function
	}
	e := expr.Parse(fact.Name, dialect)
	if e.Op != expr.OpMember {
		return
	}
	if class, ok := classOf(w, eval(s, e.X, maxExpr), "?"); ok {
		property = fieldOf(w, class, e.Name, 6)
	}
	return property, function
}

// functionNamed returns the function that a name in the scope of s refers to; the zero Ref if the
// name is a variable or unknown.
func functionNamed(s resolve.Scope, name string) resolve.Ref {
	segments := resolve.SplitPath(name)
	if len(segments) == 0 || len(segments) == 1 && local(s.File, s.At, s.Pos, name) != nil {
		return resolve.Ref{}
	}
	refs, strategy, how := callees(s, segments)
	if len(refs) == 0 || !isFunction(refs[0]) {
		return resolve.Ref{}
	}
	return verdict(s, refs, -1, strategy, how).Target
}

// placed returns the field of the record type typ at a position, such as the second field for
// file_read in struct ops files = { file_open, file_read }. It returns the zero Ref if there is
// no such field, or if the field cannot point to function.
func placed(s resolve.Scope, typ string, place code.Place, function resolve.Ref) resolve.Ref {
	at, ok := place.Index()
	class := see(s.W, resolve.Type{Text: typ, File: s.File, Scope: s.At}).class
	if !ok || !class.Valid() {
		return resolve.Ref{}
	}
	for _, i := range class.File.Children(class.Index) {
		if class.File.Symbols[i].Kind != code.KindField {
			continue
		}
		if at--; at < 0 {
			if r := class.File.Ref(i); takes(r.Symbol().Returns, function.Symbol()) {
				return r
			}
			break
		}
	}
	return resolve.Ref{}
}

// takes reports whether a function pointer of type typ may point to a function, judging by the
// number of parameters. It guards against wrong positions of fields, because #if and anonymous
// records shift them.
func takes(typ string, function *code.Symbol) bool {
	_, list, ok := strings.Cut(typ, ")")
	if list = strings.TrimSpace(list); !ok || !strings.HasPrefix(list, "(") || !strings.HasSuffix(list, ")") {
		return true
	}
	parameters := expr.SplitTypes(list[1 : len(list)-1])
	if len(parameters) == 1 && strings.TrimSpace(parameters[0]) == "void" {
		parameters = nil
	}
	return len(parameters) == len(function.Parameters)
}

// GivenBy returns the name of the record type that declares a field. Initializers of that type may
// set the field by position.
func (Language) GivenBy(_ *resolve.World, property resolve.Ref) []string {
	if p := property.Parent(); p.Valid() {
		return []string{p.Symbol().Name}
	}
	return nil
}
