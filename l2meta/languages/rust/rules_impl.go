package rust

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// impl visits the items of an implementation, impl T { … }. The implementation is no symbol itself: its
// items are recorded under the name of T, even if another file declares T.
func impl(w *syntax.Walk, n syntax.Node) {
	attributes := attributes(w, n)
	decorate(w, w.Encloser, attributes)
	typ, trait := w.Field(n, "type"), w.Field(n, "trait")
	if trait >= 0 && !w.Has(n, "!") {
		st := w.State.(*state)
		st.impls = append(st.impls, implOf{
			owner: syntax.Join(w.OwnerPath(""), typeName(w, typ)), typ: w.Line(typ), trait: w.Line(trait),
			at:    w.Span(trait),
			scope: w.Encloser,
		})
	}
	w.Visit(w.Field(n, "body"))
}

// finish attaches each "impl Trait for Type" of this file to the symbol of Type, if this file declares it.
// Otherwise it records the implementation with the name of the type.
func finish(w *syntax.Walk) {
	keepGiven(w)
	types := map[string]int{}
	for i, s := range w.Out.Symbols {
		switch s.Kind {
		case code.KindStruct, code.KindEnum, code.KindTrait, code.KindType:
			types[s.QualifiedName] = i
		}
	}
	for _, i := range w.State.(*state).impls {
		if owner, ok := types[i.owner]; ok {
			w.Out.Facts = append(w.Out.Facts, code.Fact{Kind: code.FactImpl, Owner: owner, Type: i.trait, Span: i.at})
			continue
		}
		w.Out.Facts = append(w.Out.Facts,
			code.Fact{Kind: code.FactImpl, Owner: i.scope, Name: i.typ, Type: i.trait, Span: i.at})
	}
}

// typeName returns the name under which an implementation's items are recorded: "Map" for "&'a mut
// collections::Map<K, V>", "Any" for "dyn Any + Send".
func typeName(w *syntax.Walk, typ syntax.Node) string {
	switch w.Kind(typ) {
	case "generic_type", "reference_type", "pointer_type":
		return typeName(w, w.Field(typ, "type"))
	case "scoped_type_identifier":
		return w.Str(w.Field(typ, "name"))
	case "dynamic_type", "abstract_type", "function_type":
		if t := w.Field(typ, "trait"); t >= 0 {
			return typeName(w, t)
		}
	case "higher_ranked_trait_bound":
		return typeName(w, w.Field(typ, "type"))
	case "bounded_type":
		for c := range w.Named(typ) {
			return typeName(w, c)
		}
	}
	return w.Line(typ)
}

// implementation is an "impl Trait for Type" around an item. Its texts are as written: an item in the
// braces of a macro call is a node of another tree (see macroItems).
type implementation struct {
	owner, self string // the qualified name of Type, and Type
	trait       string // "" for the implementation of a type alone
	at          code.Span
	bounds      []code.Fact // the bounds of its type parameters; without an owner
}

// implement returns the implementation that contains item n, nil if there is none.
func implement(w *syntax.Walk, n syntax.Node) *implementation {
	p := w.Parent(n)
	switch {
	case w.Is(p, "source_file"):
		return w.State.(*state).within
	case !w.Is(p, "declaration_list") || !w.Is(w.Parent(p), "impl_item"):
		return nil
	}
	impl := w.Parent(p)
	typ, trait := w.Field(impl, "type"), w.Field(impl, "trait")
	out := &implementation{owner: syntax.Join(w.OwnerPath(""), typeName(w, typ)), self: w.Line(typ)}
	if trait >= 0 {
		out.trait, out.at = w.Line(trait), w.Span(trait)
	}
	facts := len(w.Out.Facts)
	bounds(w, impl, -1)
	out.bounds = slices.Clone(w.Out.Facts[facts:])
	w.Out.Facts = w.Out.Facts[:facts]
	return out
}

// describe records for symbol s, an item of the implementation, which trait it implements and how type
// parameters are bound.
func (i *implementation) describe(w *syntax.Walk, s int) {
	if i.trait != "" {
		w.Out.Facts = append(w.Out.Facts, code.Fact{Kind: code.FactImpl, Owner: s, Type: i.trait, Span: i.at})
	}
	for _, b := range i.bounds {
		b.Owner = s
		w.Out.Facts = append(w.Out.Facts, b)
	}
}

// member sets the owner of an item in an implementation or a trait: T for impl T { … }. It marks
// the item as exported if the trait makes it visible. It returns the Self type as written; "" for
// any other item.
func member(w *syntax.Walk, d *syntax.Decl) (self string) {
	if impl := implement(w, d.Node); impl != nil {
		d.Owner = impl.owner
		d.Exported = d.Exported || impl.trait != ""
		return impl.self
	}
	if w.Encloser >= 0 && w.Out.Symbols[w.Encloser].Kind == code.KindTrait {
		d.Exported = d.Exported || ownerExported(w)
		return w.Out.Symbols[w.Encloser].Name
	}
	return ""
}

func function(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindFunction, Node: n, Name: w.Field(n, "name"), Body: w.Field(n, "body")}
	for c := range w.Tree.Children(w.Child(n, "function_modifiers")) {
		d.Modifiers = append(d.Modifiers, w.Line(c))
	}
	parameters, result := w.Field(n, "parameters"), w.Field(n, "return_type")
	self := member(w, &d)
	var at []syntax.Node
	d.Parameters, at = rustParameters(w, parameters)
	if len(d.Parameters) > 0 && d.Parameters[0].Name == "self" {
		d.Kind = code.KindMethod
	}
	d.Returns = w.Line(result)
	s := item(w, d)
	for i, p := range d.Parameters {
		switch {
		case p.Name == "self":
			w.Fact(code.FactParam, s, "self", self, at[i])
		case isName(p.Name):
			w.Fact(code.FactParam, s, p.Name, p.Type, at[i])
		case d.Body >= 0: // fn show((a, _): (K, V), Pair(_, b): Pair)
			w.As(s, func() {
				bind(w, w.Field(at[i], "pattern"), p.Type, "", scope{w.Start(d.Body), w.End(d.Body)})
			})
		}
	}
	w.Fact(code.FactResult, s, "", d.Returns, result)
	if impl := implement(w, n); impl != nil {
		impl.describe(w, s)
	}
	bounds(w, n, s)
	w.Inside(s, d.Body)
}

func isName(pattern string) bool {
	return pattern != "" && pattern != "_" && !strings.ContainsAny(pattern, " (){}[]&|,:.")
}

// rustParameters returns the parameters of a list, with the node of each.
func rustParameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter, at []syntax.Node) {
	for p := range w.Named(list) {
		var param code.Parameter
		switch w.Kind(p) {
		case "attribute_item", "ERROR":
			continue
		case "self_parameter":
			param = code.Parameter{Name: "self", Type: strings.TrimSuffix(w.Line(p), "self") + "Self"}
		case "variadic_parameter":
			param = code.Parameter{Name: w.Line(w.Field(p, "pattern")), Type: "...", Variadic: true}
		case "parameter":
			param = code.Parameter{Name: w.Line(w.Field(p, "pattern")), Type: w.Line(w.Field(p, "type"))}
		default: // a parameter without a name, as in traits of the 2015 edition
			param = code.Parameter{Type: w.Line(p)}
		}
		out, at = append(out, param), append(at, p)
	}
	return out, at
}

// bounds records the type parameters of n, in order, and the traits that bound them. So a method
// that is called on a T with the bound T: Trait is found in Trait. Each parameter is recorded
// with "_" first, then with each bound.
func bounds(w *syntax.Walk, n syntax.Node, s int) {
	bound := func(left, bounds syntax.Node) {
		for b := range w.Named(bounds) {
			if !w.Is(b, "lifetime", "removed_trait_bound") && !w.Is(left, "lifetime") {
				w.Fact(code.FactAlias, s, w.Line(left), w.Line(b), b)
			}
		}
	}
	for p := range w.Named(w.Field(n, "type_parameters")) {
		if w.Is(p, "optional_type_parameter") {
			p = w.Field(p, "name")
		}
		switch {
		case w.Is(p, "constrained_type_parameter"):
			if left := w.Field(p, "left"); !w.Is(left, "lifetime") {
				w.Fact(code.FactAlias, s, w.Str(left), "_", left)
			}
			bound(w.Field(p, "left"), w.Field(p, "bounds"))
		case w.Is(p, "type_identifier"):
			w.Fact(code.FactAlias, s, w.Str(p), "_", p)
		case w.Is(p, "type_parameter"):
			name := w.Field(p, "name")
			w.Fact(code.FactAlias, s, w.Str(name), "_", name)
			bound(name, w.Field(p, "bounds"))
		}
	}
	for p := range w.Named(w.Child(n, "where_clause")) {
		bound(w.Field(p, "left"), w.Field(p, "bounds"))
	}
}

func macro(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindMacro, Node: n, Name: w.Field(n, "name")}
	for c := range w.Tree.Children(n) {
		if w.Is(c, "{", "(", "[") {
			d.Body = c
			break
		}
	}
	for _, a := range w.State.(*state).attributes {
		d.Exported = d.Exported || w.Says(attributePath(w, a), "macro_export")
	}
	s := item(w, d)
	if d.Body > 0 {
		// The grammar has no node for the braces around the rules, so the body ends where the
		// definition ends.
		w.Out.Symbols[s].Body[1] = w.End(n)
	}
	outer := w.Encloser
	w.Encloser = s
	for r := range w.Named(n) {
		if w.Is(r, "macro_rule") {
			rustTokens(w, w.Field(r, "right"))
		}
	}
	w.Encloser = outer
}
