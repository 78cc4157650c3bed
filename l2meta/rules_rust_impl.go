package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// rustImpl visits the items of an implementation. It is no symbol itself: its
// items belong to the type by name, wherever that is declared.
func rustImpl(w *walk, n node) {
	attributes := rustAttributes(w, n)
	rustDecorate(w, w.encloser, attributes)
	typ, trait := w.field(n, "type"), w.field(n, "trait")
	if trait >= 0 && !w.has(n, "!") {
		st := w.state.(*rustState)
		st.impls = append(st.impls, rustImplOf{
			owner: join(w.ownerPath(""), rustTypeName(w, typ)), typ: w.line(typ), trait: w.line(trait), at: trait, scope: w.encloser,
		})
	}
	w.visit(w.field(n, "body"))
}

// rustFinish ties implementations to the types of this file; those of other
// files keep the name of the type.
func rustFinish(w *walk) {
	types := map[string]int{}
	for i, s := range w.out.Symbols {
		switch s.Kind {
		case code.KindStruct, code.KindEnum, code.KindTrait, code.KindType:
			types[s.QualifiedName] = i
		}
	}
	for _, i := range w.state.(*rustState).impls {
		if owner, ok := types[i.owner]; ok {
			w.fact(code.FactImpl, owner, "", i.trait, i.at)
			continue
		}
		w.fact(code.FactImpl, i.scope, i.typ, i.trait, i.at)
	}
}

// rustTypeName is the name that an implementation's items hang from: "Map" of
// "&'a mut collections::Map<K, V>", "Any" of "dyn Any + Send".
func rustTypeName(w *walk, typ node) string {
	switch w.kind(typ) {
	case "generic_type", "reference_type", "pointer_type":
		return rustTypeName(w, w.field(typ, "type"))
	case "scoped_type_identifier":
		return w.str(w.field(typ, "name"))
	case "dynamic_type", "abstract_type", "function_type":
		if t := w.field(typ, "trait"); t >= 0 {
			return rustTypeName(w, t)
		}
	case "higher_ranked_trait_bound":
		return rustTypeName(w, w.field(typ, "type"))
	case "bounded_type":
		for c := range w.named(typ) {
			return rustTypeName(w, c)
		}
	}
	return w.line(typ)
}

// rustImplement is the implementation that n is an item of, none otherwise.
func rustImplement(w *walk, n node) node {
	if p := w.parent(n); w.is(p, "declaration_list") && w.is(w.parent(p), "impl_item") {
		return w.parent(p)
	}
	return none
}

// rustMember gives an item of an implementation or a trait its owner and the
// visibility it has from there. It reports the type that Self stands for.
func rustMember(w *walk, d *decl) (self string) {
	if impl := rustImplement(w, d.node); impl >= 0 {
		typ := w.field(impl, "type")
		d.owner = join(w.ownerPath(""), rustTypeName(w, typ))
		d.exported = d.exported || w.field(impl, "trait") >= 0
		return w.line(typ)
	}
	if w.encloser >= 0 && w.out.Symbols[w.encloser].Kind == code.KindTrait {
		d.exported = d.exported || rustOwnerExported(w)
		return w.out.Symbols[w.encloser].Name
	}
	return ""
}

func rustFunction(w *walk, n node) {
	d := decl{kind: code.KindFunction, node: n, name: w.field(n, "name"), body: w.field(n, "body")}
	for c := range w.tree.children(w.child(n, "function_modifiers")) {
		d.modifiers = append(d.modifiers, w.line(c))
	}
	parameters, result := w.field(n, "parameters"), w.field(n, "return_type")
	self := rustMember(w, &d)
	var at []node
	d.parameters, at = rustParameters(w, parameters)
	if len(d.parameters) > 0 && d.parameters[0].Name == "self" {
		d.kind = code.KindMethod
	}
	d.returns = w.line(result)
	s := rustItem(w, d)
	for i, p := range d.parameters {
		switch {
		case p.Name == "self":
			w.fact(code.FactParam, s, "self", self, at[i])
		case rustIsName(p.Name):
			w.fact(code.FactParam, s, p.Name, p.Type, at[i])
		}
	}
	w.fact(code.FactResult, s, "", d.returns, result)
	if impl := rustImplement(w, n); impl >= 0 {
		trait := w.field(impl, "trait")
		w.fact(code.FactImpl, s, "", w.line(trait), trait)
		rustBounds(w, impl, s)
	}
	rustBounds(w, n, s)
	w.inside(s, d.body)
}

func rustIsName(pattern string) bool {
	return pattern != "" && pattern != "_" && !strings.ContainsAny(pattern, " (){}[]&|,:.")
}

// rustParameters reads a parameter list, with the node of each.
func rustParameters(w *walk, list node) (out []code.Parameter, at []node) {
	for p := range w.named(list) {
		var param code.Parameter
		switch w.kind(p) {
		case "attribute_item", "ERROR":
			continue
		case "self_parameter":
			param = code.Parameter{Name: "self", Type: strings.TrimSuffix(w.line(p), "self") + "Self"}
		case "variadic_parameter":
			param = code.Parameter{Name: w.line(w.field(p, "pattern")), Type: "...", Variadic: true}
		case "parameter":
			param = code.Parameter{Name: w.line(w.field(p, "pattern")), Type: w.line(w.field(p, "type"))}
		default: // a type alone, as in the traits of the 2015 edition
			param = code.Parameter{Type: w.line(p)}
		}
		out, at = append(out, param), append(at, p)
	}
	return out, at
}

// rustBounds records the type parameters of n, in order, and the traits that
// they are bound to: methods of a T: Trait are the trait's. "_" bounds nothing.
func rustBounds(w *walk, n node, s int) {
	bound := func(left, bounds node) {
		for b := range w.named(bounds) {
			if !w.is(b, "lifetime", "removed_trait_bound") && !w.is(left, "lifetime") {
				w.fact(code.FactAlias, s, w.line(left), w.line(b), b)
			}
		}
	}
	for p := range w.named(w.field(n, "type_parameters")) {
		if w.is(p, "optional_type_parameter") {
			p = w.field(p, "name")
		}
		switch {
		case w.is(p, "constrained_type_parameter"):
			if left := w.field(p, "left"); !w.is(left, "lifetime") {
				w.fact(code.FactAlias, s, w.str(left), "_", left)
			}
			bound(w.field(p, "left"), w.field(p, "bounds"))
		case w.is(p, "type_identifier"):
			w.fact(code.FactAlias, s, w.str(p), "_", p)
		case w.is(p, "type_parameter"):
			name := w.field(p, "name")
			w.fact(code.FactAlias, s, w.str(name), "_", name)
			bound(name, w.field(p, "bounds"))
		}
	}
	for p := range w.named(w.child(n, "where_clause")) {
		bound(w.field(p, "left"), w.field(p, "bounds"))
	}
}

func rustMacro(w *walk, n node) {
	d := decl{kind: code.KindMacro, node: n, name: w.field(n, "name")}
	for c := range w.tree.children(n) {
		if w.is(c, "{", "(", "[") {
			d.body = c
			break
		}
	}
	for _, a := range w.state.(*rustState).attributes {
		d.exported = d.exported || w.says(rustPath(w, a), "macro_export")
	}
	s := rustItem(w, d)
	if d.body > 0 {
		// The delimiters of the rules are tokens of the definition itself.
		w.out.Symbols[s].Body[1] = w.end(n)
	}
	outer := w.encloser
	w.encloser = s
	for r := range w.named(n) {
		if w.is(r, "macro_rule") {
			rustTokens(w, w.field(r, "right"))
		}
	}
	w.encloser = outer
}
