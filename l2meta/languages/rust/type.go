package rust

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// seenType is a type after its text was interpreted: a declaration of the workspace, traits that
// bound it, or an external type. The zero value is an unknown type.
type seenType struct {
	decl    resolve.Ref
	traits  []resolve.Ref  // bounds of a dyn or impl type, or of a type parameter
	partly  bool           // whether one of the bounds is external or unknown
	foreign string         // the base name of an external type: "Vec", "str", "(" for a tuple
	module  string         // the crate of the external type
	args    []resolve.Type // type arguments, of a declared type too
}

func (t seenType) known() bool {
	return t.decl.Valid() || len(t.traits) > 0 || t.foreign != ""
}

// peel removes references, pointers and lifetimes from the text of a type.
func peel(text string) string {
	for {
		before := text
		text = strings.TrimSpace(text)
		for _, p := range []string{"&", "mut ", "*const ", "*mut ", "ref "} {
			text = strings.TrimPrefix(text, p)
		}
		if strings.HasPrefix(text, "'") {
			if i := strings.IndexAny(text, " ,+"); i > 0 {
				text = text[i+1:]
			}
		}
		if strings.HasPrefix(text, "for<") {
			if i := strings.IndexByte(text, '>'); i > 0 {
				text = text[i+1:]
			}
		}
		if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") &&
			len(expr.SplitTypes(text[1:len(text)-1])) == 1 && !strings.HasSuffix(text, ",)") {
			text = text[1 : len(text)-1]
		}
		if text == before {
			return text
		}
	}
}

// maxAlias bounds the number of type aliases that are followed from one to the next.
const maxAlias = 12

// see interprets a type as written: it finds its declaration in the workspace, the traits that bound it, or
// its name in a library.
func see(w *resolve.World, t resolve.Type) seenType { return seeIn(w, t, maxAlias) }

func seeIn(w *resolve.World, t resolve.Type, depth int) seenType {
	text := peel(t.Text)
	if depth == 0 || text == "" || t.File == nil {
		return seenType{}
	}
	for _, p := range []string{"dyn ", "impl "} {
		if bounds, ok := strings.CutPrefix(text, p); ok {
			return bounded(w, t, splitBounds(bounds))
		}
	}
	if bounds := splitBounds(text); len(bounds) > 1 {
		return bounded(w, t, bounds)
	}
	if isPointer(text) {
		return seenType{foreign: "fn", module: "core"}
	}
	switch text[0] {
	case '(':
		return seenType{foreign: "(", module: "core", args: arguments(t, text[1:len(text)-1])}
	case '[':
		element, _, _ := strings.Cut(text[1:len(text)-1], ";")
		return seenType{foreign: "slice", module: "core", args: arguments(t, element)}
	case '<':
		return seenType{}
	}
	base, args := text, ""
	if i := strings.IndexByte(text, '<'); i > 0 && strings.HasSuffix(text, ">") {
		base, args = strings.TrimSuffix(text[:i], "::"), text[i+1:len(text)-1]
	}
	return named(w, t, resolve.SplitPath(base), arguments(t, args), depth)
}

// isPointer reports whether a type is a pointer to a function: unsafe fn(i32).
func isPointer(text string) bool {
	if rest, ok := strings.CutPrefix(text, "unsafe "); ok {
		text = strings.TrimSpace(rest)
	}
	if rest, ok := strings.CutPrefix(text, "extern "); ok {
		text = strings.TrimSpace(rest[strings.LastIndexByte(rest, '"')+1:])
	}
	return strings.HasPrefix(text, "fn(") || strings.HasPrefix(text, "fn (")
}

// splitBounds splits bounds at "+", without lifetimes and "?Sized".
func splitBounds(text string) (out []string) {
	depth, start := 0, 0
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" && s[0] != '\'' && s[0] != '?' {
			out = append(out, s)
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte("<([", c) >= 0:
			depth++
		case c == ')' || c == ']' || c == '>' && i > 0 && text[i-1] != '-':
			depth--
		case c == '+' && depth == 0:
			add(text[start:i])
			start = i + 1
		}
	}
	add(text[start:])
	return out
}

func arguments(t resolve.Type, list string) (out []resolve.Type) {
	for _, a := range expr.SplitTypes(list) {
		if a == "" || a[0] == '\'' {
			continue
		}
		if name, typ, ok := strings.Cut(a, "="); ok && !strings.ContainsAny(name, "<([") { // Item = T
			a = strings.TrimSpace(typ)
		}
		out = append(out, t.With(a))
	}
	return out
}

// bounded interprets a type of which only the bounds are known: the traits in "dyn A + B".
func bounded(w *resolve.World, t resolve.Type, bounds []string) (out seenType) {
	for _, b := range bounds {
		base, args, _ := strings.Cut(peel(b), "<")
		name := resolve.SplitPath(base)
		if len(name) > 0 && strings.HasPrefix(name[len(name)-1], "Fn") {
			return seenType{foreign: "fn", module: "core"}
		}
		defs := rustPath(w, placeOf(t.File, t.Scope), name, types)
		if len(defs) == 1 && defs[0].Ref.Valid() && defs[0].Ref.Symbol().Kind == code.KindTrait {
			out.traits = append(out.traits, defs[0].Ref)
			continue
		}
		out.partly = true
		switch base := name[max(0, len(name)-1):]; {
		case len(base) == 0:
		case len(bounds) == 1 && (base[0] == "Iterator" || base[0] == "IntoIterator" ||
			base[0] == "DoubleEndedIterator" || base[0] == "ExactSizeIterator"):
			return seenType{foreign: "Iter", module: "core", args: arguments(t, strings.TrimSuffix(args, ">"))}
		case len(bounds) == 1 && (base[0] == "Into" || base[0] == "AsRef"):
			return seenType{foreign: base[0], module: "core", args: arguments(t, strings.TrimSuffix(args, ">"))}
		case len(bounds) == 1 && base[0] == "Future":
			return seeIn(w, t.With(strings.TrimSpace(args[strings.IndexByte(args, '=')+1:max(0, len(args)-1)])), 3)
		}
	}
	if out.partly && len(out.traits) == 0 {
		return seenType{foreign: "impl", module: ""}
	}
	return out
}

// named interprets a type that is written as a path, such as collections::Map. It returns the zero
// seenType if the path is unknown.
func named(w *resolve.World, t resolve.Type, path []string, args []resolve.Type, depth int) seenType {
	if len(path) == 0 || path[0] == "_" {
		return seenType{}
	}
	if len(path) == 1 {
		if b, ok := t.Bind.Lookup(path[0]); ok {
			return seeIn(w, b, depth-1)
		}
		if bounds, ok := parameter(t, path[0]); ok {
			return bounded(w, t, bounds)
		}
	}
	if path[0] == "Self" {
		return selfPath(w, t, path, depth)
	}
	if _, ok := parameter(t, path[0]); ok {
		return seenType{}
	}
	defs := rustPath(w, placeOf(t.File, t.Scope), path, types)
	switch {
	case len(defs) > 1:
		return seenType{}
	case len(defs) == 0:
		if len(path) == 1 && prelude[path[0]] {
			return seenType{foreign: path[0], module: "std", args: args}
		}
		seen, _ := fromFacade(w, path, args)
		return seen
	case defs[0].Module != "":
		return seenType{foreign: path[len(path)-1], module: defs[0].Module, args: args}
	case !defs[0].Ref.Valid():
		return seenType{}
	}
	decl := defs[0].Ref
	switch decl.Symbol().Kind {
	case code.KindType:
		return seeAlias(w, decl, args, depth)
	case code.KindTrait:
		return seenType{traits: []resolve.Ref{decl}}
	}
	return seenType{decl: decl, args: args}
}

// parameter returns the bounds of the type parameter called name that is in scope of t; ok is false
// if there is none.
func parameter(t resolve.Type, name string) (bounds []string, ok bool) {
	for at := t.Scope; at >= 0; at = t.File.Symbols[at].Parent {
		for _, fact := range t.File.FactsOf(at) {
			if fact.Kind == code.FactAlias && fact.Name == name && t.File.Symbols[at].Name != name {
				ok = true
				if fact.Type != "_" {
					bounds = append(bounds, splitBounds(fact.Type)...)
				}
			}
		}
		if ok {
			return bounds, true
		}
	}
	return nil, false
}

// selfPath interprets the types Self and Self::Item.
func selfPath(w *resolve.World, t resolve.Type, path []string, depth int) seenType {
	self, bound := t.Bind.Lookup("Self")
	if !bound {
		var ok bool
		if self, ok = rustSelf(w, t.File, t.Scope); !ok {
			return seenType{}
		}
	}
	if len(path) == 1 {
		if self.Text == "Self" {
			return seenType{}
		}
		return seeIn(w, self, depth-1)
	}
	if typ := seeIn(w, self, depth-1).decl; bound && len(path) == 2 && typ.Valid() &&
		typ.Symbol().Kind != code.KindTrait {
		return itsType(w, typ, path[1], depth)
	}
	owner := ownerPath(t.File, t.Scope)
	hits := t.File.Qualified(owner + "." + path[1])
	if len(path) == 2 && owner != "" && len(hits) == 1 && t.File.Symbols[hits[0]].Kind == code.KindType {
		return seeAlias(w, t.File.Ref(hits[0]), nil, depth)
	}
	return seenType{}
}

// itsType interprets T::Item for a type T: the associated type that an implementation for T defines. It
// returns the zero seenType if several do, or none.
func itsType(w *resolve.World, typ resolve.Ref, name string, depth int) seenType {
	var found []resolve.Ref
	rows, _ := w.Named(name)
	for _, row := range rows {
		if row.Language != "rust" || row.Kind != code.KindType {
			continue
		}
		if r := w.Ref(row); r.Valid() && r.Symbol().QualifiedName == typ.Symbol().QualifiedName+"."+name {
			if self, ok := rustSelf(w, r.File, r.Index); ok && see(w, self).decl == typ {
				found = append(found, r)
			}
		}
	}
	if len(found) != 1 {
		return seenType{}
	}
	return seeAlias(w, found[0], nil, depth)
}

// ownerPath returns the qualified name of the type that has the item around symbol. It returns ""
// if symbol is not in an item of an implementation or a trait.
func ownerPath(f *resolve.File, symbol int) string {
	if i := itemAt(f, symbol); i >= 0 {
		q := f.Symbols[i].QualifiedName
		return q[:max(0, strings.LastIndexByte(q, '.'))]
	}
	return ""
}

// itemAt returns the nearest symbol, i itself or one around it, that is a trait or an item of a
// trait or an implementation: for code inside a method, the method. It returns -1 if there is none.
func itemAt(f *resolve.File, i int) int {
	for ; i >= 0; i = f.Symbols[i].Parent {
		s := &f.Symbols[i]
		if isMember(f, i) || s.Kind == code.KindTrait {
			return i
		}
	}
	return -1
}

// isMember reports whether symbol i is an item of an implementation or a trait.
func isMember(f *resolve.File, i int) bool {
	s := &f.Symbols[i]
	owner := ""
	if s.Parent >= 0 {
		p := &f.Symbols[s.Parent]
		if p.Kind == code.KindTrait {
			return true
		}
		owner = p.QualifiedName + "."
	}
	return s.QualifiedName != owner+s.Name &&
		(s.Kind.Callable() || s.Kind == code.KindType || s.Kind == code.KindConstant)
}

// rustSelf returns the type that Self means at a symbol: T in impl T { … }, the trait in a trait. ok is false
// if there is none.
func rustSelf(w *resolve.World, f *resolve.File, symbol int) (resolve.Type, bool) {
	i := itemAt(f, symbol)
	if i < 0 {
		for ; symbol >= 0; symbol = f.Symbols[symbol].Parent {
			if resolve.IsType(f.Symbols[symbol].Kind) {
				return resolve.Type{Text: f.Symbols[symbol].Name, File: f, Scope: f.Symbols[symbol].Parent}, true
			}
		}
		return resolve.Type{}, false
	}
	if f.Symbols[i].Kind == code.KindTrait {
		return resolve.Type{Text: f.Symbols[i].Name, File: f, Scope: f.Symbols[i].Parent}, true
	}
	for _, fact := range f.FactsOf(i) {
		if fact.Kind == code.FactParam && fact.Name == "self" {
			return resolve.Type{Text: fact.Type, File: f, Scope: i}, true
		}
	}
	owner := ownerPath(f, i)
	return resolve.Type{Text: owner[strings.LastIndexByte(owner, '.')+1:], File: f, Scope: f.Symbols[i].Parent},
		owner != ""
}

// seeAlias interprets a type alias, type Orders<T> = Vec<T>, with its parameters bound to args. An associated
// type without a value, type Item: Trait, is interpreted by its bounds.
func seeAlias(w *resolve.World, alias resolve.Ref, args []resolve.Type, depth int) seenType {
	for _, fact := range alias.Facts() {
		if fact.Kind != code.FactAlias || fact.Name != alias.Symbol().Name {
			continue
		}
		t := resolve.Type{Text: fact.Type, File: alias.File, Scope: alias.Index}
		if len(args) > 0 {
			t.Bind = resolve.Bind(parameters(alias), args, nil)
		}
		return seeIn(w, t, depth-1)
	}
	var bounds []string
	for _, fact := range alias.Facts() {
		if fact.Kind == code.FactBase {
			bounds = append(bounds, fact.Type)
		}
	}
	if len(bounds) == 0 {
		return seenType{}
	}
	return bounded(w, resolve.Type{File: alias.File, Scope: alias.Index}, bounds)
}

// parameters returns the type parameters of a declaration, in order.
func parameters(r resolve.Ref) (out []string) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name != r.Symbol().Name && !slices.Contains(out, fact.Name) {
			out = append(out, fact.Name)
		}
	}
	return out
}

// of returns the type of the standard library called name with these type arguments: std::Option<T> for
// of("Option", t).
func of(name string, args ...resolve.Type) resolve.Type {
	t := resolve.Type{Text: "std::" + name}
	names := make([]string, len(args))
	for i, a := range args {
		if a.File != nil {
			t.File, t.Scope = a.File, a.Scope
		}
		names[i] = "$" + strconv.Itoa(i)
		t.Bind = &resolve.Binding{Name: names[i], Type: a, Next: t.Bind}
	}
	if len(names) > 0 {
		t.Text += "<" + strings.Join(names, ", ") + ">"
	}
	return t
}

// fieldOf returns the type of a field of type t; ok is false if it is unknown.
func fieldOf(w *resolve.World, t resolve.Type, name string) (resolve.Type, bool) {
	for range 4 {
		seen := see(w, t)
		switch {
		case seen.decl.Valid():
			return declaredField(seen, name)
		case seen.foreign == "(":
			if i, err := strconv.Atoi(name); err == nil && i < len(seen.args) {
				return seen.args[i], true
			}
			return resolve.Type{}, false
		case derefs[seen.foreign] && len(seen.args) > 0:
			t = seen.args[len(seen.args)-1]
		default:
			return resolve.Type{}, false
		}
	}
	return resolve.Type{}, false
}

func declaredField(seen seenType, name string) (resolve.Type, bool) {
	for _, fact := range seen.decl.Facts() {
		if fact.Kind == code.FactField && fact.Name == name {
			t := resolve.Type{Text: fact.Type, File: seen.decl.File, Scope: seen.decl.Index}
			t.Bind = resolve.Bind(parameters(seen.decl), seen.args, nil)
			return t, true
		}
	}
	return resolve.Type{}, false
}
