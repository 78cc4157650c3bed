package php

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// templateNames returns the names of the type parameters in the documentation of a class or a function, in order.
func templateNames(r resolve.Ref) (names []string) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name != extendsTag && inHead(r, fact) {
			names = append(names, fact.Name)
		}
	}
	return names
}

// maxGenerics bounds the chain of bases through which type arguments are passed on.
const maxGenerics = 4

// argumentsOf binds the type parameters of a class to the arguments that a receiver's type states, or the
// bases of its class: T of class Oven to Rye for an Oven<Rye>, and for a class with "@extends Oven<Rye>". It
// returns nil if none are stated.
func argumentsOf(w *resolve.World, declaring resolve.Ref, receiver resolve.Type) *resolve.Binding {
	if receiver.File == nil || !declaring.Valid() || len(templateNames(declaring)) == 0 {
		return nil
	}
	types := alternatives(receiver.Text)
	if len(types) != 1 {
		return nil
	}
	c := classOf(w, receiver, types[0])
	if !c.known() {
		return nil
	}
	return boundIn(w, c.ref, typeArguments(receiver, types[0]), declaring, 0)
}

// except returns the bindings of b whose name is none of names.
func except(b *resolve.Binding, names []string) *resolve.Binding {
	if b == nil || len(names) == 0 {
		return b
	}
	rest := except(b.Next, names)
	if slices.Contains(names, b.Name) {
		return rest
	}
	return &resolve.Binding{Name: b.Name, Type: b.Type, Next: rest}
}

// typeArguments returns the arguments of a type as written: Rye of Oven<Rye>.
func typeArguments(t resolve.Type, text string) (args []resolve.Type) {
	open := strings.IndexByte(text, '<')
	if open < 0 || !strings.HasSuffix(text, ">") {
		return nil
	}
	for _, arg := range expr.SplitTypes(text[open+1 : len(text)-1]) {
		args = append(args, t.With(arg))
	}
	return args
}

// boundIn binds the type parameters of the class declaring, where class, which is it or derives from it, has
// the type arguments args.
func boundIn(w *resolve.World, class resolve.Ref, args []resolve.Type, declaring resolve.Ref,
	depth int) *resolve.Binding {
	names := templateNames(class)
	var bind *resolve.Binding
	if len(args) == len(names) {
		bind = resolve.Bind(names, args, nil)
	}
	if class == declaring || depth > maxGenerics {
		return bind
	}
	for _, fact := range class.Facts() {
		if fact.Kind != code.FactAlias || fact.Name != extendsTag {
			continue
		}
		t := resolve.Type{Text: fact.Type, File: class.File, Scope: class.Index, Bind: bind}
		base := classOf(w, t, fact.Type)
		if !base.known() || base.ref == class {
			continue
		}
		if bind := boundIn(w, base.ref, typeArguments(t, fact.Type), declaring, depth+1); bind != nil {
			return bind
		}
	}
	return nil
}

// inferred binds the type parameters of a function r to the types of the arguments in e that are passed for
// them: T to Rye in make(Rye::class) for "@param class-string<T> $class". next are further bindings.
func (p evaluator) inferred(s resolve.Scope, r resolve.Ref, e *expr.Expr, next *resolve.Binding) *resolve.Binding {
	for _, name := range templateNames(r) {
		for i, param := range r.Symbol().Parameters {
			if i >= len(e.Args) || param.Variadic {
				break
			}
			if t, ok := p.givenFor(s, r, param.Name, name, e.Args[i]); ok {
				next = &resolve.Binding{Name: name, Type: t, Next: next}
				break
			}
		}
	}
	return next
}

// givenFor returns the type of an argument for a parameter of r whose type is the type parameter called
// template, or the name of a class of that type.
func (p evaluator) givenFor(s resolve.Scope, r resolve.Ref, parameter, template string,
	arg *expr.Expr) (resolve.Type, bool) {
	for _, fact := range r.Facts() {
		if fact.Kind != code.FactParam || fact.Name != parameter {
			continue
		}
		switch strings.TrimPrefix(fact.Type, "?") {
		case template, template + "|null", "null|" + template:
			v := eval(s, p.w, arg)
			return v.Type, v.Kind == resolve.Instance
		case "class-string<" + template + ">":
			if arg.Op == expr.OpMember && arg.Sep == "::" && arg.Name == "class" {
				v := eval(s, p.w, arg.X)
				return v.Type, v.Kind == resolve.Class && v.Ref.Valid()
			}
		}
	}
	return resolve.Type{}, false
}
