package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// settleField resolves the call of an attribute that holds a function to the field that declares the
// attribute: self.done(1) to the field done of the class, if a method assigns self.done, or if the
// class declares done: Callable[[int], None].
func settleField(s resolve.Scope, x resolve.Value, m found, name string) resolve.Verdict {
	owner := memberOf(s.W, x, name).owner
	if field := fieldOf(owner, name); field.Valid() && (Language{}).HoldsFunction(s.W, field) {
		m.owner = owner
		return resolve.Resolved(field, step(s, x, m),
			"the attribute "+field.Symbol().QualifiedName+", which holds a function").On(x.Ref)
	}
	return resolve.ThroughValue("an attribute that is called")
}

// fieldOf returns the field called name that a class or one of its methods declares; the zero Ref
// if there is none.
func fieldOf(class resolve.Ref, name string) resolve.Ref {
	return class.Member(name, code.KindField)
}

// mayBeCalled reports whether a call such as self.done(1) may resolve to the field that declares
// attribute m, here done. That is so if any function may be stored in the field: the value of the
// attribute is unknown, a Callable, or a function that a method assigned.
func mayBeCalled(m found, name string) bool {
	switch m.value.Kind {
	case resolve.Function:
		return held(m, name)
	case resolve.Instance:
		head, _ := container(m.value)
		return head == "Callable"
	}
	return m.value.Kind == resolve.Unknown
}

// HoldsFunction reports whether a field of a class may hold a function. A field that is declared to
// hold a class, such as kind: type[User], does not.
func (Language) HoldsFunction(_ *resolve.World, property resolve.Ref) bool {
	p := property.Parent()
	if property.Symbol().Kind != code.KindField || !p.Valid() || !isClass(p.File, p.Index) {
		return false
	}
	head, _ := pyHead(unquote(property.Symbol().Returns))
	last := head[strings.LastIndexByte(head, '.')+1:]
	return last != "type" && last != "Type"
}

// Given returns the field and the function of a FactGiven, which records that a function is
// stored in a field. It returns done and save for self.done = save, for done = save in a class,
// and for Job(save) if Job.__init__ assigns its argument to self.done. A Ref is zero if it is
// unknown.
func (p Language) Given(w *resolve.World, f *resolve.File, fact *code.Fact) (property, function resolve.Ref) {
	s := resolve.Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}
	v := resolve.Eval(p, s, expr.Parse(fact.Type, dialect))
	if v.Kind != resolve.Function || !v.Ref.Valid() || !v.Ref.Symbol().Kind.Callable() {
		return
	}
	if called, place, ok := code.CutPlace(fact.Name); ok {
		return passed(s, expr.Parse(called, dialect), place), v.Ref
	}
	e := expr.Parse(fact.Name, dialect)
	switch {
	case e.Op == expr.OpMember:
		property = fieldOf(memberOf(w, resolve.Eval(p, s, e.X), e.Name).owner, e.Name)
	case isClass(f, fact.Owner):
		property = fieldOf(f.Ref(fact.Owner), fact.Name)
	}
	return property, v.Ref
}

// passed returns the field in which a function or class stores an argument: Job.done for Job(save),
// if Job.__init__ assigns its first argument to self.done. called is the callee; place is the
// argument's position or keyword. passed returns the zero Ref if there is no such field.
func passed(s resolve.Scope, called *expr.Expr, place code.Place) resolve.Ref {
	v, bound := resolve.Eval(Language{}, s, called), 0
	if v.Kind == resolve.Class {
		m := member(s.W, pyOrder(s.W, v.Ref), "__init__")
		if m.value.Kind != resolve.Function {
			return writtenFor(s.W, v.Ref, place)
		}
		v, bound = m.value, 1
	} else if called.Op == expr.OpMember && resolve.Eval(Language{}, s, called.X).Kind == resolve.Instance {
		bound = 1
	}
	if v.Kind != resolve.Function || !v.Ref.Valid() || methodOf(v.Ref.File, v.Ref.Index) < 0 {
		return resolve.Ref{}
	}
	name, keyword := place.Name()
	if !keyword {
		parameters := v.Ref.Symbol().Parameters
		i, ok := place.Index()
		if i += bound; !ok || i >= len(parameters) ||
			slices.ContainsFunc(parameters[:i+1], func(p code.Parameter) bool { return p.Variadic }) {
			return resolve.Ref{}
		}
		name = parameters[i].Name
	}
	return keeping(v.Ref, name)
}

// keeping returns the field to which a method assigns its parameter, as in self.done = done and
// self.done = done or noop. If there are several such fields, it returns the first.
func keeping(method resolve.Ref, parameter string) (field resolve.Ref) {
	class, first := method.Parent(), 0
	for attribute, facts := range names(class.File).attributes[class.Index] {
		for _, fact := range facts {
			value, _, _ := strings.Cut(fact.Type, " ")
			start := fact.Span.StartByte
			if pyScope(class.File, fact.Owner) == method.Index && value == parameter &&
				(!field.Valid() || start < first) {
				field, first = fieldOf(class, attribute), start
			}
		}
	}
	return field
}

// writtenFor returns the field that an argument sets when a dataclass is constructed; the zero Ref
// if there is none. The fields of bases come first, so a position identifies a field only in a
// class without bases.
func writtenFor(w *resolve.World, class resolve.Ref, place code.Place) resolve.Ref {
	if !isDataclass(class) {
		return resolve.Ref{}
	}
	name, keyword := place.Name()
	if keyword {
		for _, b := range pyOrder(w, class) {
			if field := fieldOf(b.ref, name); field.Valid() {
				return field
			}
		}
		return resolve.Ref{}
	}
	at, ok := place.Index()
	if !ok || len(pyBases(class)) > 0 {
		return resolve.Ref{}
	}
	for _, fact := range class.Facts() {
		if fact.Kind != code.FactField || fact.Type == "" || strings.Contains(fact.Type, "ClassVar") ||
			isMethodFact(class, fact) {
			continue
		}
		if at--; at < 0 {
			return fieldOf(class, fact.Name)
		}
	}
	return resolve.Ref{}
}

// isMethodFact reports whether a method, rather than the class, declares the type of an attribute:
// self.x: int = 0.
func isMethodFact(class resolve.Ref, fact *code.Fact) bool {
	for _, i := range class.File.Children(class.Index) {
		s := &class.File.Symbols[i]
		if s.Kind.Callable() && s.Span.StartByte <= fact.Span.StartByte && fact.Span.StartByte < s.Span.EndByte {
			return true
		}
	}
	return false
}

// GivenBy returns the names of callees whose arguments may become the value of a field. These are
// the methods that assign the field. If the constructor assigns it, they are the class and its
// subclasses, "__init__" and "cls".
func (Language) GivenBy(w *resolve.World, property resolve.Ref) (out []string) {
	class := property.Parent()
	if !class.Valid() {
		return nil
	}
	constructs := isDataclass(class)
	for _, fact := range names(class.File).attributes[class.Index][property.Symbol().Name] {
		switch s := &class.File.Symbols[pyScope(class.File, fact.Owner)]; {
		case s.Kind == code.KindConstructor:
			constructs = true
		case s.Kind.Callable():
			out = append(out, s.Name)
		}
	}
	if constructs {
		out = append(out, class.Symbol().Name, "__init__", "cls")
		for _, sub := range subclasses(w, class) {
			out = append(out, sub.Symbol().Name)
		}
	}
	return out
}
