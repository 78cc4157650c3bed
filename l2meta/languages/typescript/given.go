package typescript

import (
	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// holds reports whether a symbol is a property of an interface or an object type that has no
// getter or setter: onDone in interface Props { onDone: () => void }.
func holds(s *code.Symbol) bool { return s.Kind == code.KindProperty && s.Body[1] == 0 }

func (Language) HoldsFunction(w *resolve.World, property resolve.Ref) bool {
	p := property.Parent()
	if !p.Valid() || classField(p, property.Symbol().Name) == property {
		return p.Valid()
	}
	if p.Symbol().Kind != code.KindInterface && p.Symbol().Kind != code.KindType {
		return false
	}
	if property.Symbol().Kind == code.KindMethod {
		return true
	}
	for _, fact := range p.Facts() {
		if fact.Kind == code.FactField && fact.Name == property.Symbol().Name {
			t := resolve.Type{Text: fact.Type, File: property.File, Scope: p.Index}
			return readType(w, t).form == foreign || holdsCallable(w, t)
		}
	}
	return false
}

// holdsCallable reports whether a property of type t may hold a function: t is a function type or
// typeof f, for example.
func holdsCallable(w *resolve.World, t resolve.Type) bool {
	shape := readType(w, t)
	return shape.form == valueType && shape.value.Kind == resolve.Function || takesFunction(w, t)
}

// Given returns the property and the function that a FactGiven names: onDone and save for {
// onDone: save }, where an object with that property is expected, and for o.onDone = save. A Ref
// is zero if it is unknown.
func (Language) Given(w *resolve.World, f *resolve.File, fact *code.Fact) (property, function resolve.Ref) {
	s := resolve.Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}
	v := evalText(s, fact.Name)
	if property = v.Property; !property.Valid() && v.Kind == resolve.Function && v.Ref.Symbol().Body[1] == 0 {
		property = implementation(v.Ref)
	}
	if !property.Valid() {
		property = givenField(s, fact.Name)
	}
	if !property.Valid() {
		return
	}
	if fact.Type == "" {
		return property, declaredAt(f, l2meta.LastOfPath(fact.Name), fact.Span.StartByte)
	}
	if v := whole(w, evalText(s, fact.Type)); v.Kind == resolve.Function {
		function = implementation(v.Ref)
	}
	return property, function
}

// declaredAt returns the function called name that is declared in f and whose name begins at byte
// start of the file. It returns the zero Ref if there is none.
func declaredAt(f *resolve.File, name string, start int) resolve.Ref {
	for _, i := range f.Named(name) {
		if s := &f.Symbols[i]; s.NameSpan.StartByte == start && s.Kind.Callable() {
			return f.Ref(i)
		}
	}
	return resolve.Ref{}
}
