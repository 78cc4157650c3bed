package resolve

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// rustDialect is Rust's expressions.
var rustDialect = Dialect{Composites: true, Generics: true, Arrows: true, Macros: true}

// rustEval is the type of the value that e is at s; the zero Value when it is
// not known.
func rustEval(s Scope, e *Expr, depth int) Value {
	if e == nil || depth == 0 {
		return Value{}
	}
	switch e.Op {
	case OpName:
		return rustNameValue(s, e, depth)
	case OpGeneric:
		return rustEval(s, e.X, depth-1)
	case OpMember:
		if e.Sep == "::" {
			return rustPathValue(s, e)
		}
		x := rustEval(s, e.X, depth-1)
		if t, ok := rustFieldOf(s.W, x.Type, e.Name); ok && x.Kind == Instance {
			return Value{Kind: Instance, Type: t, How: Weaker(x.How, TypedWritten)}
		}
	case OpCall:
		return rustCallValue(s, e, depth-1)
	case OpNew:
		return InstanceOf(Type{Text: e.Type, File: s.File, Scope: s.At}, TypedValue)
	case OpCast:
		return InstanceOf(Type{Text: e.Type, File: s.File, Scope: s.At}, TypedWritten)
	case OpUnary:
		return rustUnary(s, e, depth-1)
	case OpIndex:
		return rustIndex(s, e, depth-1)
	case OpLiteral:
		if e.Name == "string" {
			return InstanceOf(Type{Text: "std::str", File: s.File, Scope: -1}, TypedValue)
		}
	case OpSuffixed:
		return rustMarked(s, e, depth-1)
	}
	return Value{}
}

// maxRustExpr bounds how deep values rest on each other.
const maxRustExpr = 24

// rustLocal is the fact that binds a local name at an offset of f: the
// innermost, of those the last.
func rustLocal(f *File, at, pos int, name string) *code.Fact {
	owner := f.Callable(at)
	if owner < 0 {
		owner = at
	}
	return f.BlockLocal(owner, pos, name)
}

func rustNameValue(s Scope, e *Expr, depth int) Value {
	fact := rustLocal(s.File, s.At, s.Pos, e.Name)
	if fact == nil {
		return rustPathValue(s, e)
	}
	owner := s.File.Callable(s.At)
	if owner < 0 {
		owner = s.At
	}
	if fact.Kind != code.FactAssign {
		if fact.Name == "self" {
			return rustSelfValue(s, owner)
		}
		return InstanceOf(Type{Text: fact.Type, File: s.File, Scope: owner}, TypedWritten)
	}
	inner := s
	inner.At, inner.Pos = owner, fact.Scope[0]-1
	return rustEval(inner, ParseExpr(fact.Type, rustDialect), depth-1)
}

// rustSelfValue is self in a method: Self for the code of a trait.
func rustSelfValue(s Scope, owner int) Value {
	if t, ok := rustSelf(s.W, s.File, owner); ok {
		return InstanceOf(t, SameType)
	}
	return Value{}
}

// rustPathValue is the value that a path names: a constant, a static, a unit
// struct, a variant.
func rustPathValue(s Scope, e *Expr) Value {
	segments := SplitPath(e.String())
	if len(segments) == 0 {
		return Value{}
	}
	if segments[0] == "Self" {
		if t, ok := rustSelf(s.W, s.File, s.At); ok && len(segments) <= 2 {
			return rustOwnPath(s, t, segments)
		}
		return Value{}
	}
	defs := rustPath(s.W, rustPlaceOf(s.File, s.At), segments, rustValues)
	if len(defs) != 1 || !defs[0].Ref.Valid() {
		return Value{}
	}
	return rustDeclaredValue(defs[0].Ref)
}

// rustOwnPath is Self, Self::VARIANT or Self::CONST.
func rustOwnPath(s Scope, self Type, segments []string) Value {
	seen := rustSee(s.W, self)
	if len(segments) == 1 || !seen.decl.Valid() {
		return InstanceOf(self, TypedValue)
	}
	for _, d := range rustVariant(seen.decl, segments[1]) {
		if d.Ref.Valid() {
			return InstanceOf(self, TypedValue)
		}
	}
	return Value{}
}

func rustDeclaredValue(r Ref) Value {
	sym := r.Symbol()
	switch sym.Kind {
	case code.KindStruct:
		return InstanceOf(Type{Text: sym.Name, File: r.File, Scope: sym.Parent}, TypedValue)
	case code.KindConstant, code.KindVariable:
		if p := sym.Parent; p >= 0 && r.File.Symbols[p].Kind == code.KindEnum {
			return InstanceOf(Type{Text: r.File.Symbols[p].Name, File: r.File, Scope: r.File.Symbols[p].Parent}, TypedValue)
		}
		for _, fact := range append(r.Facts(), r.File.FactsOf(sym.Parent)...) {
			if fact.Kind == code.FactVar && fact.Name == sym.Name {
				return InstanceOf(Type{Text: fact.Type, File: r.File, Scope: sym.Parent}, TypedWritten)
			}
		}
	case code.KindFunction, code.KindMethod, code.KindTest:
		return Value{Kind: Function, Ref: r}
	}
	return Value{}
}

func rustUnary(s Scope, e *Expr, depth int) Value {
	x := rustEval(s, e.X, depth)
	if x.Kind != Instance {
		return Value{}
	}
	switch e.Name {
	case "&", "&&", "mut", "await":
		return x
	case "*":
		if seen := rustSee(s.W, x.Type); rustDerefs[seen.foreign] && len(seen.args) > 0 {
			x.Type = seen.args[len(seen.args)-1]
		}
		return x
	case "?":
		if seen := rustSee(s.W, x.Type); (seen.foreign == "Option" || seen.foreign == "Result") && len(seen.args) > 0 {
			return InstanceOf(seen.args[0], Weaker(x.How, TypedElement))
		}
	}
	return Value{}
}

func rustIndex(s Scope, e *Expr, depth int) Value {
	x := rustEval(s, e.X, depth)
	if x.Kind != Instance || len(e.Args) != 1 {
		return Value{}
	}
	if strings.Contains(e.Args[0].Text, "..") {
		return x
	}
	for range 3 {
		seen := rustSee(s.W, x.Type)
		switch {
		case len(seen.args) == 0:
			return Value{}
		case rustDerefs[seen.foreign]:
			x.Type = seen.args[len(seen.args)-1]
			continue
		case rustMethods[seen.foreign]["pop"] != rustShape{} || rustMethods[seen.foreign]["first"].wrap == "Option":
			return InstanceOf(seen.args[0], Weaker(x.How, TypedElement))
		case rustMethods[seen.foreign]["entry"].wrap == "Entry" && len(seen.args) > 1:
			return InstanceOf(seen.args[1], Weaker(x.How, TypedElement))
		}
		return Value{}
	}
	return Value{}
}

// rustMarked takes what a pattern or a loop takes of a value.
func rustMarked(s Scope, e *Expr, depth int) Value {
	if i, err := strconv.Atoi(e.Name); err == nil {
		return rustPart(s, e.X, i, depth)
	}
	x := rustEval(s, e.X, depth)
	if x.Kind != Instance {
		return Value{}
	}
	seen := rustSee(s.W, x.Type)
	want := map[string]string{"some": "Option", "ok": "Result", "err": "Result"}[e.Name]
	switch {
	case e.Name == "each":
		return rustEach(s.W, x, 3)
	case seen.foreign == want && e.Name == "err" && len(seen.args) > 1:
		return InstanceOf(seen.args[1], Weaker(x.How, TypedElement))
	case seen.foreign == want && e.Name != "err" && len(seen.args) > 0:
		return InstanceOf(seen.args[0], Weaker(x.How, TypedElement))
	}
	return Value{}
}

// rustPart is element i of a tuple, or field i of a struct or variant.
func rustPart(s Scope, e *Expr, i, depth int) Value {
	if e.Op == OpName && rustLocal(s.File, s.At, s.Pos, e.Name) == nil || e.Op == OpMember && e.Sep == "::" {
		segments := SplitPath(e.String())
		var defs []rustDef
		if len(segments) > 1 && segments[0] == "Self" {
			if t, ok := rustSelf(s.W, s.File, s.At); ok {
				if seen := rustSee(s.W, t); seen.decl.Valid() {
					defs = rustVariant(seen.decl, segments[1])
				}
			}
		} else {
			defs = rustPath(s.W, rustPlaceOf(s.File, s.At), segments, rustTypes)
		}
		if len(defs) == 1 && defs[0].Ref.Valid() {
			if t, ok := rustDeclaredField(rustSeenType{decl: defs[0].Ref}, strconv.Itoa(i)); ok {
				return InstanceOf(t, TypedElement)
			}
		}
		return Value{}
	}
	x := rustEval(s, e, depth)
	if seen := rustSee(s.W, x.Type); x.Kind == Instance && seen.foreign == "(" && i < len(seen.args) {
		return InstanceOf(seen.args[i], Weaker(x.How, TypedElement))
	}
	return Value{}
}

// rustEach is what a loop over a value takes of it.
func rustEach(w *World, x Value, depth int) Value {
	seen := rustSee(w, x.Type)
	shapes := rustMethods[seen.foreign]
	switch {
	case depth == 0 || len(seen.args) == 0:
		return Value{}
	case rustDerefs[seen.foreign]:
		x.Type = seen.args[len(seen.args)-1]
		return rustEach(w, x, depth-1)
	case seen.foreign == "Counted":
		return InstanceOf(rustTuple(rustOf("usize"), seen.args[0]), TypedElement)
	case seen.foreign == "Pairs" || shapes["entry"].wrap == "Entry":
		if len(seen.args) > 1 {
			return InstanceOf(rustTuple(seen.args[0], seen.args[1]), TypedElement)
		}
		return Value{}
	case seen.foreign == "Iter" || seen.foreign == "Option" || shapes["iter"].wrap == "Iter":
		return InstanceOf(seen.args[0], Weaker(x.How, TypedElement))
	}
	return Value{}
}

// rustTuple is the type of a pair.
func rustTuple(a, b Type) Type {
	t := rustOf("pair", a, b)
	t.Text = "($0, $1)"
	if t.File == nil {
		t.File = b.File
	}
	return t
}
