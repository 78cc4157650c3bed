package rust

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// rustSeenType is a type as written, interpreted: a declaration of the
// workspace, traits that bound it, or a type from outside. The zero value is
// not known.
type rustSeenType struct {
	decl    resolve.Ref
	traits  []resolve.Ref // of dyn, impl and type parameters
	partly  bool          // some bound is from outside, or not known
	foreign string        // the base name of a type from outside: "Vec", "str", "(" for a tuple
	module  string        // where that is from
	args    []resolve.Type
}

func (t rustSeenType) known() bool {
	return t.decl.Valid() || len(t.traits) > 0 || t.foreign != ""
}

// rustPeel strips references, pointers and lifetimes from the text of a type.
func rustPeel(text string) string {
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
		if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && len(resolve.SplitTypes(text[1:len(text)-1])) == 1 && !strings.HasSuffix(text, ",)") {
			text = text[1 : len(text)-1]
		}
		if text == before {
			return text
		}
	}
}

// maxRustAlias bounds chains of aliases.
const maxRustAlias = 12

// rustSee interprets a type.
func rustSee(w *resolve.World, t resolve.Type) rustSeenType { return rustSeeIn(w, t, maxRustAlias) }

func rustSeeIn(w *resolve.World, t resolve.Type, depth int) rustSeenType {
	text := rustPeel(t.Text)
	if depth == 0 || text == "" || t.File == nil {
		return rustSeenType{}
	}
	for _, p := range []string{"dyn ", "impl "} {
		if bounds, ok := strings.CutPrefix(text, p); ok {
			return rustBounded(w, t, rustSplitBounds(bounds))
		}
	}
	if bounds := rustSplitBounds(text); len(bounds) > 1 {
		return rustBounded(w, t, bounds)
	}
	switch text[0] {
	case '(':
		return rustSeenType{foreign: "(", module: "core", args: rustArguments(t, text[1:len(text)-1])}
	case '[':
		element, _, _ := strings.Cut(text[1:len(text)-1], ";")
		return rustSeenType{foreign: "slice", module: "core", args: rustArguments(t, element)}
	case '<':
		return rustSeenType{}
	}
	base, args := text, ""
	if i := strings.IndexByte(text, '<'); i > 0 && strings.HasSuffix(text, ">") {
		base, args = strings.TrimSuffix(text[:i], "::"), text[i+1:len(text)-1]
	}
	return rustNamed(w, t, resolve.SplitPath(base), rustArguments(t, args), depth)
}

// rustSplitBounds splits bounds at "+", lifetimes and "?Sized" left out.
func rustSplitBounds(text string) (out []string) {
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

func rustArguments(t resolve.Type, list string) (out []resolve.Type) {
	for _, a := range resolve.SplitTypes(list) {
		if a == "" || a[0] == '\'' {
			continue
		}
		if _, typ, ok := strings.Cut(a, "="); ok { // Item = T
			a = strings.TrimSpace(typ)
		}
		out = append(out, t.With(a))
	}
	return out
}

// rustBounded is the type that is only known to implement traits.
func rustBounded(w *resolve.World, t resolve.Type, bounds []string) (out rustSeenType) {
	for _, b := range bounds {
		base, args, _ := strings.Cut(rustPeel(b), "<")
		name := resolve.SplitPath(base)
		if len(name) > 0 && strings.HasPrefix(name[len(name)-1], "Fn") {
			return rustSeenType{foreign: "fn", module: "core"}
		}
		defs := rustPath(w, rustPlaceOf(t.File, t.Scope), name, rustTypes)
		if len(defs) == 1 && defs[0].Ref.Valid() && defs[0].Ref.Symbol().Kind == code.KindTrait {
			out.traits = append(out.traits, defs[0].Ref)
			continue
		}
		out.partly = true
		switch base := name[max(0, len(name)-1):]; {
		case len(base) == 0:
		case len(bounds) == 1 && (base[0] == "Iterator" || base[0] == "IntoIterator" || base[0] == "DoubleEndedIterator" || base[0] == "ExactSizeIterator"):
			return rustSeenType{foreign: "Iter", module: "core", args: rustArguments(t, strings.TrimSuffix(args, ">"))}
		case len(bounds) == 1 && (base[0] == "Into" || base[0] == "AsRef"):
			return rustSeenType{foreign: base[0], module: "core", args: rustArguments(t, strings.TrimSuffix(args, ">"))}
		case len(bounds) == 1 && base[0] == "Future":
			return rustSeeIn(w, t.With(strings.TrimSpace(args[strings.IndexByte(args, '=')+1:max(0, len(args)-1)])), 3)
		}
	}
	if out.partly && len(out.traits) == 0 {
		return rustSeenType{foreign: "impl", module: ""}
	}
	return out
}

// rustNamed interprets the path of a type.
func rustNamed(w *resolve.World, t resolve.Type, path []string, args []resolve.Type, depth int) rustSeenType {
	if len(path) == 0 || path[0] == "_" {
		return rustSeenType{}
	}
	if len(path) == 1 {
		if b, ok := t.Bind.Lookup(path[0]); ok {
			return rustSeeIn(w, b, depth-1)
		}
		if bounds, ok := rustParameter(t, path[0]); ok {
			return rustBounded(w, t, bounds)
		}
	}
	if path[0] == "Self" {
		return rustSelfPath(w, t, path, depth)
	}
	if _, ok := rustParameter(t, path[0]); ok {
		return rustSeenType{}
	}
	defs := rustPath(w, rustPlaceOf(t.File, t.Scope), path, rustTypes)
	switch {
	case len(defs) > 1:
		return rustSeenType{}
	case len(defs) == 0:
		if len(path) == 1 && rustPrelude[path[0]] {
			return rustSeenType{foreign: path[0], module: "std", args: args}
		}
		return rustSeenType{}
	case defs[0].Module != "":
		return rustSeenType{foreign: path[len(path)-1], module: defs[0].Module, args: args}
	case !defs[0].Ref.Valid():
		return rustSeenType{}
	}
	decl := defs[0].Ref
	switch decl.Symbol().Kind {
	case code.KindType:
		return rustSeeAlias(w, decl, args, depth)
	case code.KindTrait:
		return rustSeenType{traits: []resolve.Ref{decl}}
	}
	return rustSeenType{decl: decl, args: args}
}

// rustParameter is the bounds of a type parameter around the place of t.
func rustParameter(t resolve.Type, name string) (bounds []string, ok bool) {
	for at := t.Scope; at >= 0; at = t.File.Symbols[at].Parent {
		for _, fact := range t.File.FactsOf(at) {
			if fact.Kind == code.FactAlias && fact.Name == name && t.File.Symbols[at].Name != name {
				ok = true
				if fact.Type != "_" {
					bounds = append(bounds, rustSplitBounds(fact.Type)...)
				}
			}
		}
		if ok {
			return bounds, true
		}
	}
	return nil, false
}

// rustSelfPath interprets Self and Self::Item.
func rustSelfPath(w *resolve.World, t resolve.Type, path []string, depth int) rustSeenType {
	self, ok := t.Bind.Lookup("Self")
	if !ok {
		if self, ok = rustSelf(w, t.File, t.Scope); !ok {
			return rustSeenType{}
		}
	}
	if len(path) == 1 {
		if self.Text == "Self" {
			return rustSeenType{}
		}
		return rustSeeIn(w, self, depth-1)
	}
	owner := rustOwnerPath(t.File, t.Scope)
	hits := t.File.Qualified(owner + "." + path[1])
	if len(path) == 2 && owner != "" && len(hits) == 1 && t.File.Symbols[hits[0]].Kind == code.KindType {
		return rustSeeAlias(w, t.File.Ref(hits[0]), nil, depth)
	}
	return rustSeenType{}
}

// rustOwnerPath is the qualified name of the type that the item around at hangs from.
func rustOwnerPath(f *resolve.File, at int) string {
	if i := rustItemAt(f, at); i >= 0 {
		q := f.Symbols[i].QualifiedName
		return q[:max(0, strings.LastIndexByte(q, '.'))]
	}
	return ""
}

// rustItemAt is the outermost function around at: the method itself for code
// within one.
func rustItemAt(f *resolve.File, at int) int {
	for ; at >= 0; at = f.Symbols[at].Parent {
		s := &f.Symbols[at]
		if rustIsMember(f, at) || s.Kind == code.KindTrait {
			return at
		}
	}
	return -1
}

// rustIsMember reports whether symbol i is an item of an implementation or a trait.
func rustIsMember(f *resolve.File, i int) bool {
	s := &f.Symbols[i]
	owner := ""
	if s.Parent >= 0 {
		p := &f.Symbols[s.Parent]
		if p.Kind == code.KindTrait {
			return true
		}
		owner = p.QualifiedName + "."
	}
	return s.QualifiedName != owner+s.Name && (s.Kind.Callable() || s.Kind == code.KindType || s.Kind == code.KindConstant)
}

// rustSelf is what Self means around symbol at.
func rustSelf(w *resolve.World, f *resolve.File, at int) (resolve.Type, bool) {
	i := rustItemAt(f, at)
	if i < 0 {
		for ; at >= 0; at = f.Symbols[at].Parent {
			if resolve.IsType(f.Symbols[at].Kind) {
				return resolve.Type{Text: f.Symbols[at].Name, File: f, Scope: f.Symbols[at].Parent}, true
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
	owner := rustOwnerPath(f, i)
	return resolve.Type{Text: owner[strings.LastIndexByte(owner, '.')+1:], File: f, Scope: f.Symbols[i].Parent}, owner != ""
}

// rustSeeAlias interprets a type alias, its parameters bound to args. Those
// that are not recorded are the names in the aliased type that mean nothing
// else, in order.
func rustSeeAlias(w *resolve.World, alias resolve.Ref, args []resolve.Type, depth int) rustSeenType {
	for _, fact := range alias.Facts() {
		if fact.Kind != code.FactAlias || fact.Name != alias.Symbol().Name {
			continue
		}
		t := resolve.Type{Text: fact.Type, File: alias.File, Scope: alias.Index}
		if len(args) > 0 {
			t.Bind = resolve.Bind(rustParameters(alias), args, nil)
		}
		return rustSeeIn(w, t, depth-1)
	}
	var bounds []string
	for _, fact := range alias.Facts() {
		if fact.Kind == code.FactBase {
			bounds = append(bounds, fact.Type)
		}
	}
	if len(bounds) == 0 {
		return rustSeenType{}
	}
	return rustBounded(w, resolve.Type{File: alias.File, Scope: alias.Index}, bounds)
}

// rustParameters is the type parameters of a declaration, in order.
func rustParameters(r resolve.Ref) (out []string) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && fact.Name != r.Symbol().Name && !slices.Contains(out, fact.Name) {
			out = append(out, fact.Name)
		}
	}
	return out
}

// rustOf is the type from outside of that name with these arguments.
func rustOf(name string, args ...resolve.Type) resolve.Type {
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

// rustFieldOf is the type of a field of what t is.
func rustFieldOf(w *resolve.World, t resolve.Type, name string) (resolve.Type, bool) {
	for range 4 {
		seen := rustSee(w, t)
		switch {
		case seen.decl.Valid():
			return rustDeclaredField(seen, name)
		case seen.foreign == "(":
			if i, err := strconv.Atoi(name); err == nil && i < len(seen.args) {
				return seen.args[i], true
			}
			return resolve.Type{}, false
		case rustDerefs[seen.foreign] && len(seen.args) > 0:
			t = seen.args[len(seen.args)-1]
		default:
			return resolve.Type{}, false
		}
	}
	return resolve.Type{}, false
}

func rustDeclaredField(seen rustSeenType, name string) (resolve.Type, bool) {
	for _, fact := range seen.decl.Facts() {
		if fact.Kind == code.FactField && fact.Name == name {
			t := resolve.Type{Text: fact.Type, File: seen.decl.File, Scope: seen.decl.Index}
			t.Bind = resolve.Bind(rustParameters(seen.decl), seen.args, nil)
			return t, true
		}
	}
	return resolve.Type{}, false
}
