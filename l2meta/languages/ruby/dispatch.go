package ruby

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Implementations returns the methods with r's name in subclasses of r's class, and in the classes that include it. A
// class that prepends it declares no other method that runs in its place.
func (Language) Implementations(w *resolve.World, r resolve.Ref) []resolve.Ref {
	reader := reader{w}
	class := classAround(r.File, r.Symbol().Parent)
	if class < 0 {
		return nil
	}
	full := reader.full(r.File.Ref(class))
	var out []resolve.Ref
	for _, sub := range reader.below(full) {
		for _, m := range membersOf(r.Symbol()) {
			if !reader.precedes(full, sub) {
				out = append(out, reader.members(sub)[m]...)
			}
		}
	}
	return out
}

// precedes reports whether a module comes before a class in the lookup order of the class, which prepends it.
func (r reader) precedes(module, class string) bool {
	for _, s := range r.steps(object{kind: known, class: class}) {
		if s.class == module || s.class == class {
			return s.class == module
		}
	}
	return false
}

// Overridden returns the methods with r's name in the ancestors of r's class.
func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	reader := reader{w}
	class := classAround(r.File, r.Symbol().Parent)
	if class < 0 {
		return nil
	}
	full := reader.full(r.File.Ref(class))
	for _, m := range membersOf(r.Symbol()) {
		for _, s := range reader.steps(object{kind: known, class: full, meta: m.meta}) {
			if s.unknown == "" && s.class != full {
				out = append(out, reader.members(s.class)[member{m.name, s.meta}]...)
			}
		}
	}
	return out
}

func (Language) Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	reader := reader{w}
	full := reader.full(class)
	m := reader.find(place{class.File, class.Index, class.Symbol().NameSpan.StartByte},
		object{kind: known, class: full}, "initialize")
	if class.Symbol().Kind != code.KindClass || !m.ref.Valid() || m.step.class == full {
		return nil
	}
	return []resolve.Ref{m.ref}
}

func (Language) Heirs(w *resolve.World, t resolve.Ref) (out []resolve.Ref) {
	reader := reader{w}
	for _, sub := range reader.below(reader.full(t)) {
		out = append(out, reader.declared(sub)...)
	}
	return out
}

// on returns v, the result of resolving a call of method m on x. If the class of x inherits m,
// the result gets that class as the class of the receiver.
func (r reader) on(x object, m found, v resolve.Verdict) resolve.Verdict {
	if all := r.declared(x.class); m.step.class != x.class && len(all) > 0 {
		return v.On(all[0])
	}
	return v
}

var dialect = expr.Dialect{NewSuffix: true}

// made reports whether the exact class of an expression's value is known. That is so for C.new,
// and for a local variable that is only assigned such a value.
func (r reader) made(p place, receiver string) bool {
	return resolve.MadeHere(p.file, p.at, expr.Parse(receiver, dialect), dialect,
		func(_, _ int, e *expr.Expr) bool {
			return e.Op == expr.OpNew && rubyPath.MatchString(e.Type)
		})
}

func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	reader := reader{w}
	class := classAround(impl.File, impl.Symbol().Parent)
	if class < 0 {
		return true
	}
	a, b := reader.full(receiver), reader.full(impl.File.Ref(class))
	of := append([]string{a}, reader.below(a)...)
	return slices.ContainsFunc(append([]string{b}, reader.below(b)...), func(sub string) bool {
		return slices.Contains(of, sub)
	})
}

func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string {
	s := r.Symbol()
	switch s.Kind {
	case code.KindConstructor:
		if s.Parent >= 0 {
			return []string{s.Name, r.File.Symbols[s.Parent].Name, "new"}
		}
	case code.KindClass:
		return []string{s.Name, "new"}
	case code.KindProperty:
		return []string{s.Name, s.Name + "="}
	case code.KindMethod:
		if s.Name == "new" && s.Parent >= 0 { // a singleton method def self.new, which T.new calls
			return []string{s.Name, r.File.Symbols[s.Parent].Name}
		}
		if s.Name == performs {
			return append([]string{s.Name}, enqueuing...)
		}
	}
	return []string{s.Name}
}

// maxBelow bounds the number of subclasses that are listed for a class.
const maxBelow = 500

type belowKey string

// below returns the full names of the classes that have the given class among their ancestors,
// nearest first.
func (r reader) below(class string) []string {
	return resolve.Derive(r.w, belowKey(class), func() []string {
		out := []string{class}
		for i := 0; i < len(out) && len(out) < maxBelow; i++ {
			for _, id := range r.w.Extending(out[i][strings.LastIndexByte(out[i], '.')+1:]) {
				f := r.w.Peer(id, "ruby")
				if f == nil {
					continue
				}
				for _, sub := range r.heirs(f, out[i]) {
					if !slices.Contains(out, sub) {
						out = append(out, sub)
					}
				}
			}
		}
		return out[1:]
	})
}

// heirs returns the classes in f that name the given class as superclass, or include or prepend it.
func (r reader) heirs(f *resolve.File, class string) (out []string) {
	for i := range f.AllFacts() {
		fact := &f.AllFacts()[i]
		if fact.Kind != code.FactBase || fact.Owner < 0 {
			continue
		}
		at := fact.Owner
		if fact.Name == "" {
			at = f.Symbols[fact.Owner].Parent
		}
		if x := r.constant(place{f, at, fact.Span.StartByte}, fact.Type); x.kind == known && x.class == class {
			out = append(out, r.full(f.Ref(fact.Owner)))
		}
	}
	return out
}
