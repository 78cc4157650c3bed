package resolve

import (
	"strings"

	"sextant/internal/code"
)

var cDialect = Dialect{Casts: true, Generics: true, Composites: true}

// cLocal is the fact that binds a local name at an offset of f.
func cLocal(f *File, at, pos int, name string) *code.Fact {
	owner := f.Callable(at)
	if owner < 0 {
		return nil
	}
	return f.BlockLocal(owner, pos, name)
}

// cEval is the type of the value that e is at s.
func cEval(s Scope, e *Expr, depth int) Value {
	if e == nil || depth == 0 {
		return Value{}
	}
	switch e.Op {
	case OpName:
		return cNameValue(s, e.Name, depth-1)
	case OpMember:
		if e.Sep == "::" {
			return cPathValue(s, e)
		}
		return cFieldValue(s, cEval(s, e.X, depth-1), e)
	case OpCall:
		return cCallValue(s, e, depth-1)
	case OpNew:
		return InstanceOf(Type{Text: e.Type + "*", File: s.File, Scope: s.At}, TypedValue)
	case OpCast:
		return InstanceOf(Type{Text: e.Type, File: s.File, Scope: s.At}, TypedWritten)
	case OpUnary:
		return cUnary(s, e, depth-1)
	case OpIndex:
		return cIndex(s, cEval(s, e.X, depth-1), false)
	case OpSuffixed:
		if e.Name == "each" {
			return cIndex(s, cEval(s, e.X, depth-1), true)
		}
	}
	return Value{}
}

// maxCExpr bounds how deep values rest on each other.
const maxCExpr = 20

func cNameValue(s Scope, name string, depth int) Value {
	if fact := cLocal(s.File, s.At, s.Pos, name); fact != nil {
		owner := s.File.Callable(s.At)
		if fact.Kind == code.FactAssign {
			inner := s
			inner.Pos = fact.Span.StartByte
			return cEval(inner, ParseExpr(fact.Type, cDialect), depth)
		}
		if name == "this" {
			return cThis(s)
		}
		return InstanceOf(Type{Text: fact.Type, File: s.File, Scope: owner}, TypedWritten)
	}
	for _, class := range cClassesAround(s.W, s.File, s.At) {
		if t, ok := cField(s.W, class, name, 6); ok {
			return InstanceOf(t, TypedWritten)
		}
	}
	found := cFind(s.W, s.File, s.At, []string{name}, cIsVariable)
	if len(found) > 0 {
		return cVariableValue(found[0])
	}
	return Value{}
}

// cThis is the class around s.
func cThis(s Scope) Value {
	for _, class := range cClassesAround(s.W, s.File, s.At) {
		return InstanceOf(Type{Text: class.Symbol().Name + "*", File: class.File, Scope: class.Symbol().Parent}, SameType)
	}
	return Value{}
}

func cIsVariable(r Ref) bool {
	return r.Symbol().Kind == code.KindVariable || r.Symbol().Kind == code.KindConstant
}

func cVariableValue(r Ref) Value {
	for _, fact := range r.File.FactsOf(r.Symbol().Parent) {
		if fact.Kind == code.FactVar && fact.Name == r.Symbol().Name {
			return InstanceOf(Type{Text: fact.Type, File: r.File, Scope: r.Symbol().Parent}, TypedWritten)
		}
	}
	return Value{}
}

func cPathValue(s Scope, e *Expr) Value {
	found := cFind(s.W, s.File, s.At, SplitPath(e.String()), cIsVariable)
	if len(found) == 0 {
		return Value{}
	}
	return cVariableValue(found[0])
}

func cFieldValue(s Scope, x Value, e *Expr) Value {
	class, ok := cClassOf(s.W, x, e.Sep)
	if !ok {
		return cPairValue(s, x, e)
	}
	if t, ok := cField(s.W, class, e.Name, 6); ok {
		return InstanceOf(t, Weaker(x.How, TypedWritten))
	}
	return Value{}
}

// cPairValue is first or second of a pair, also behind an iterator.
func cPairValue(s Scope, x Value, e *Expr) Value {
	if x.Kind != Instance {
		return Value{}
	}
	seen := cSee(s.W, x.Type)
	if seen.foreign == "iterator" && e.Sep == "->" {
		seen = cSee(s.W, seen.args[0])
	}
	i := map[string]int{"first": 0, "second": 1}[e.Name]
	if seen.foreign != "pair" || len(seen.args) != 2 || e.Name != "first" && e.Name != "second" {
		return Value{}
	}
	return InstanceOf(seen.args[i], Weaker(x.How, TypedElement))
}

// cClassOf is the class whose members x has behind "." or "->": behind "->" it
// is the content of a smart pointer, or what operator-> gives.
func cClassOf(w *World, x Value, sep string) (Ref, bool) {
	if x.Kind != Instance {
		return Ref{}, false
	}
	seen := cSee(w, x.Type)
	if sep == "->" && !seen.pointer {
		if (cPointers[seen.foreign] || seen.foreign == "iterator") && len(seen.args) > 0 {
			seen = cSee(w, seen.args[0])
			return seen.class, seen.class.Valid()
		}
		if !seen.class.Valid() {
			return Ref{}, false
		}
		arrows, _ := cMembers(w, seen.class, "operator->", 4)
		if len(arrows) == 0 {
			return Ref{}, false
		}
		result := cResult(arrows[0])
		if result.Text == "" {
			return Ref{}, false
		}
		seen = cSee(w, result)
	}
	return seen.class, seen.class.Valid()
}

// cPointers is the types of the standard library that "->" goes through.
var cPointers = Set("unique_ptr", "shared_ptr", "optional", "auto_ptr")

// cElements is those that an index, front or back takes an element of.
var cElements = map[string]int{"vector": 0, "deque": 0, "list": 0, "array": 0, "span": 0, "set": 0, "unordered_set": 0, "map": 1, "unordered_map": 1}

// cIndex is an element of x: by its index, or with each as a loop takes it.
func cIndex(s Scope, x Value, each bool) Value {
	if x.Kind != Instance {
		return Value{}
	}
	seen := cSee(s.W, x.Type)
	if element, ok := cElement(seen); ok {
		if !each && cElements[seen.foreign] == 1 {
			element = seen.args[1]
		}
		return InstanceOf(element, Weaker(x.How, TypedElement))
	}
	text := strings.TrimSpace(x.Type.Text)
	switch {
	case seen.class.Valid() && strings.Contains(text, "["):
		return InstanceOf(x.Type.With(text[:strings.IndexByte(text, '[')]), x.How)
	case seen.class.Valid() && seen.pointer && strings.HasSuffix(text, "*"):
		return InstanceOf(x.Type.With(strings.TrimSuffix(text, "*")), x.How)
	}
	return Value{}
}

func cUnary(s Scope, e *Expr, depth int) Value {
	x := cEval(s, e.X, depth)
	if x.Kind != Instance {
		return Value{}
	}
	text := strings.TrimSpace(x.Type.Text)
	switch e.Name {
	case "&":
		x.Type.Text = strings.TrimSuffix(text, "&") + "*"
		return x
	case "*":
		if seen := cSee(s.W, x.Type); (cPointers[seen.foreign] || seen.foreign == "iterator") && len(seen.args) > 0 && !seen.pointer {
			return InstanceOf(seen.args[0], Weaker(x.How, TypedElement))
		}
		if strings.HasSuffix(text, "*") {
			x.Type.Text = strings.TrimSuffix(text, "*")
			return x
		}
	}
	return Value{}
}

// cResult is the type that a function is declared to return.
func cResult(r Ref) Type {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactResult {
			return Type{Text: fact.Type, File: r.File, Scope: r.Index}
		}
	}
	return Type{}
}

// cCallValue is the type of what a call gives: that of a construction, or the
// one result type of the functions that it may mean.
func cCallValue(s Scope, e *Expr, depth int) Value {
	f, args := e.X, len(e.Args)
	if f.Op == OpMember && f.Sep != "::" {
		x := cEval(s, f.X, depth)
		class, ok := cClassOf(s.W, x, f.Sep)
		if !ok {
			return cForeignResult(s, x, f)
		}
		refs, _ := cMembers(s.W, class, f.Name, 6)
		return cResultOf(s.W, cByConst(refs, cConstOf(s, x, f.X)), args, Weaker(x.How, TypedResult))
	}
	path := f.String()
	segments := SplitPath(path)
	if len(segments) == 0 {
		return Value{}
	}
	last := segments[len(segments)-1]
	switch {
	case strings.HasSuffix(last, "_cast") && len(e.TypeArgs) == 1:
		return InstanceOf(Type{Text: e.TypeArgs[0], File: s.File, Scope: s.At}, TypedWritten)
	case (last == "make_unique" || last == "make_shared") && len(e.TypeArgs) > 0:
		return InstanceOf(Type{Text: "std::unique_ptr<" + e.TypeArgs[0] + ">", File: s.File, Scope: s.At}, TypedValue)
	case last == "move" && len(e.Args) == 1 && segments[0] == "std":
		return cEval(s, e.Args[0], depth)
	}
	if len(segments) == 1 && cLocal(s.File, s.At, s.Pos, last) != nil {
		return Value{}
	}
	refs, _, _ := cCallees(s, segments)
	if len(refs) > 0 {
		if IsType(refs[0].Symbol().Kind) {
			return InstanceOf(Type{Text: path, File: s.File, Scope: s.At}, TypedValue)
		}
		return cResultOf(s.W, refs, args, TypedResult)
	}
	return Value{}
}

// cForeignResult is what methods of smart pointers and containers give.
func cForeignResult(s Scope, x Value, f *Expr) Value {
	if x.Kind != Instance || f.Sep != "." {
		return Value{}
	}
	seen := cSee(s.W, x.Type)
	switch f.Name {
	case "get":
		if cPointers[seen.foreign] && len(seen.args) > 0 {
			return InstanceOf(seen.args[0].With(seen.args[0].Text+"*"), Weaker(x.How, TypedElement))
		}
	case "value":
		if seen.foreign == "optional" && len(seen.args) > 0 {
			return InstanceOf(seen.args[0], Weaker(x.How, TypedElement))
		}
	case "front", "back", "at", "top":
		return cIndex(s, x, false)
	case "begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "lower_bound", "upper_bound":
		if element, ok := cElement(seen); ok {
			return InstanceOf(element.With("std::iterator<"+element.Text+">"), Weaker(x.How, TypedElement))
		}
	}
	return Value{}
}

func cResultOf(w *World, refs []Ref, args int, how Strategy) Value {
	var result Type
	for _, r := range refs {
		if !cFits(r.Symbol(), args) {
			continue
		}
		t := cResult(r)
		if t.Text == "" || result.Text != "" && cPlainType(t.Text) != cPlainType(result.Text) {
			return Value{}
		}
		result = t
	}
	if result.Text == "" {
		return Value{}
	}
	return InstanceOf(result, how)
}
