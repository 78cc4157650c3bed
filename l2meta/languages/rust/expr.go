package rust

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// rustDialect is Rust's expressions.
var rustDialect = resolve.Dialect{Composites: true, Generics: true, Arrows: true, Macros: true}

// rustEval is the type of the value that e is at s; the zero Value when it is
// not known.
func rustEval(s resolve.Scope, e *resolve.Expr, depth int) resolve.Value {
	if e == nil || depth == 0 {
		return resolve.Value{}
	}
	switch e.Op {
	case resolve.OpName:
		return rustNameValue(s, e, depth)
	case resolve.OpGeneric:
		return rustEval(s, e.X, depth-1)
	case resolve.OpMember:
		if e.Sep == "::" {
			return rustPathValue(s, e)
		}
		x := rustEval(s, e.X, depth-1)
		if t, ok := rustFieldOf(s.W, x.Type, e.Name); ok && x.Kind == resolve.Instance {
			return resolve.Value{Kind: resolve.Instance, Type: t, How: resolve.Weaker(x.How, resolve.TypedWritten)}
		}
	case resolve.OpCall:
		return rustCallValue(s, e, depth-1)
	case resolve.OpNew:
		return resolve.InstanceOf(resolve.Type{Text: e.Type, File: s.File, Scope: s.At}, resolve.TypedValue)
	case resolve.OpCast:
		return resolve.InstanceOf(resolve.Type{Text: e.Type, File: s.File, Scope: s.At}, resolve.TypedWritten)
	case resolve.OpUnary:
		return rustUnary(s, e, depth-1)
	case resolve.OpIndex:
		return rustIndex(s, e, depth-1)
	case resolve.OpLiteral:
		if e.Name == "string" {
			return resolve.InstanceOf(resolve.Type{Text: "std::str", File: s.File, Scope: -1}, resolve.TypedValue)
		}
	case resolve.OpSuffixed:
		return rustMarked(s, e, depth-1)
	}
	return resolve.Value{}
}

// maxRustExpr bounds how deep values rest on each other.
const maxRustExpr = 24

// rustLocal is the fact that binds a local name at an offset of f: the
// innermost, of those the last.
func rustLocal(f *resolve.File, at, pos int, name string) *code.Fact {
	owner := f.Callable(at)
	if owner < 0 {
		owner = at
	}
	return f.BlockLocal(owner, pos, name)
}

func rustNameValue(s resolve.Scope, e *resolve.Expr, depth int) resolve.Value {
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
		return resolve.InstanceOf(resolve.Type{Text: fact.Type, File: s.File, Scope: owner}, resolve.TypedWritten)
	}
	inner := s
	inner.At, inner.Pos = owner, fact.Scope[0]-1
	return rustEval(inner, resolve.ParseExpr(fact.Type, rustDialect), depth-1)
}

// rustSelfValue is self in a method: Self for the code of a trait.
func rustSelfValue(s resolve.Scope, owner int) resolve.Value {
	if t, ok := rustSelf(s.W, s.File, owner); ok {
		return resolve.InstanceOf(t, resolve.SameType)
	}
	return resolve.Value{}
}

// rustPathValue is the value that a path names: a constant, a static, a unit
// struct, a variant.
func rustPathValue(s resolve.Scope, e *resolve.Expr) resolve.Value {
	segments := resolve.SplitPath(e.String())
	if len(segments) == 0 {
		return resolve.Value{}
	}
	if segments[0] == "Self" {
		if t, ok := rustSelf(s.W, s.File, s.At); ok && len(segments) <= 2 {
			return rustOwnPath(s, t, segments)
		}
		return resolve.Value{}
	}
	defs := rustPath(s.W, rustPlaceOf(s.File, s.At), segments, rustValues)
	if len(defs) != 1 || !defs[0].Ref.Valid() {
		return resolve.Value{}
	}
	return rustDeclaredValue(defs[0].Ref)
}

// rustOwnPath is Self, Self::VARIANT or Self::CONST.
func rustOwnPath(s resolve.Scope, self resolve.Type, segments []string) resolve.Value {
	seen := rustSee(s.W, self)
	if len(segments) == 1 || !seen.decl.Valid() {
		return resolve.InstanceOf(self, resolve.TypedValue)
	}
	for _, d := range rustVariant(seen.decl, segments[1]) {
		if d.Ref.Valid() {
			return resolve.InstanceOf(self, resolve.TypedValue)
		}
	}
	return resolve.Value{}
}

func rustDeclaredValue(r resolve.Ref) resolve.Value {
	sym := r.Symbol()
	switch sym.Kind {
	case code.KindStruct:
		return resolve.InstanceOf(resolve.Type{Text: sym.Name, File: r.File, Scope: sym.Parent}, resolve.TypedValue)
	case code.KindConstant, code.KindVariable:
		if p := sym.Parent; p >= 0 && r.File.Symbols[p].Kind == code.KindEnum {
			return resolve.InstanceOf(resolve.Type{Text: r.File.Symbols[p].Name, File: r.File, Scope: r.File.Symbols[p].Parent}, resolve.TypedValue)
		}
		for _, fact := range append(r.Facts(), r.File.FactsOf(sym.Parent)...) {
			if fact.Kind == code.FactVar && fact.Name == sym.Name {
				return resolve.InstanceOf(resolve.Type{Text: fact.Type, File: r.File, Scope: sym.Parent}, resolve.TypedWritten)
			}
		}
	case code.KindFunction, code.KindMethod, code.KindTest:
		return resolve.Value{Kind: resolve.Function, Ref: r}
	}
	return resolve.Value{}
}

func rustUnary(s resolve.Scope, e *resolve.Expr, depth int) resolve.Value {
	x := rustEval(s, e.X, depth)
	if x.Kind != resolve.Instance {
		return resolve.Value{}
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
			return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
		}
	}
	return resolve.Value{}
}

func rustIndex(s resolve.Scope, e *resolve.Expr, depth int) resolve.Value {
	x := rustEval(s, e.X, depth)
	if x.Kind != resolve.Instance || len(e.Args) != 1 {
		return resolve.Value{}
	}
	if strings.Contains(e.Args[0].Text, "..") {
		return x
	}
	for range 3 {
		seen := rustSee(s.W, x.Type)
		switch {
		case len(seen.args) == 0:
			return resolve.Value{}
		case rustDerefs[seen.foreign]:
			x.Type = seen.args[len(seen.args)-1]
			continue
		case rustMethods[seen.foreign]["pop"] != rustShape{} || rustMethods[seen.foreign]["first"].wrap == "Option":
			return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
		case rustMethods[seen.foreign]["entry"].wrap == "Entry" && len(seen.args) > 1:
			return resolve.InstanceOf(seen.args[1], resolve.Weaker(x.How, resolve.TypedElement))
		}
		return resolve.Value{}
	}
	return resolve.Value{}
}

// rustMarked takes what a pattern or a loop takes of a value.
func rustMarked(s resolve.Scope, e *resolve.Expr, depth int) resolve.Value {
	if i, err := strconv.Atoi(e.Name); err == nil {
		return rustPart(s, e.X, i, depth)
	}
	x := rustEval(s, e.X, depth)
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	seen := rustSee(s.W, x.Type)
	want := map[string]string{"some": "Option", "ok": "Result", "err": "Result"}[e.Name]
	switch {
	case e.Name == "each":
		return rustEach(s.W, x, 3)
	case seen.foreign == want && e.Name == "err" && len(seen.args) > 1:
		return resolve.InstanceOf(seen.args[1], resolve.Weaker(x.How, resolve.TypedElement))
	case seen.foreign == want && e.Name != "err" && len(seen.args) > 0:
		return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
	}
	return resolve.Value{}
}

// rustPart is element i of a tuple, or field i of a struct or variant.
func rustPart(s resolve.Scope, e *resolve.Expr, i, depth int) resolve.Value {
	if e.Op == resolve.OpName && rustLocal(s.File, s.At, s.Pos, e.Name) == nil || e.Op == resolve.OpMember && e.Sep == "::" {
		segments := resolve.SplitPath(e.String())
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
				return resolve.InstanceOf(t, resolve.TypedElement)
			}
		}
		return resolve.Value{}
	}
	x := rustEval(s, e, depth)
	if seen := rustSee(s.W, x.Type); x.Kind == resolve.Instance && seen.foreign == "(" && i < len(seen.args) {
		return resolve.InstanceOf(seen.args[i], resolve.Weaker(x.How, resolve.TypedElement))
	}
	return resolve.Value{}
}

// rustEach is what a loop over a value takes of it.
func rustEach(w *resolve.World, x resolve.Value, depth int) resolve.Value {
	seen := rustSee(w, x.Type)
	shapes := rustMethods[seen.foreign]
	switch {
	case depth == 0 || len(seen.args) == 0:
		return resolve.Value{}
	case rustDerefs[seen.foreign]:
		x.Type = seen.args[len(seen.args)-1]
		return rustEach(w, x, depth-1)
	case seen.foreign == "Counted":
		return resolve.InstanceOf(rustTuple(rustOf("usize"), seen.args[0]), resolve.TypedElement)
	case seen.foreign == "Pairs" || shapes["entry"].wrap == "Entry":
		if len(seen.args) > 1 {
			return resolve.InstanceOf(rustTuple(seen.args[0], seen.args[1]), resolve.TypedElement)
		}
		return resolve.Value{}
	case seen.foreign == "Iter" || seen.foreign == "Option" || shapes["iter"].wrap == "Iter":
		return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
	}
	return resolve.Value{}
}

// rustTuple is the type of a pair.
func rustTuple(a, b resolve.Type) resolve.Type {
	t := rustOf("pair", a, b)
	t.Text = "($0, $1)"
	if t.File == nil {
		t.File = b.File
	}
	return t
}
