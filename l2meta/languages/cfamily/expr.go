package cfamily

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

var cDialect = resolve.Dialect{Casts: true, Generics: true, Composites: true}

// cLocal is the fact that binds a local name at an offset of f.
func cLocal(f *resolve.File, at, pos int, name string) *code.Fact {
	owner := f.Callable(at)
	if owner < 0 {
		return nil
	}
	return f.BlockLocal(owner, pos, name)
}

// cEval is the type of the value that e is at s.
func cEval(s resolve.Scope, e *resolve.Expr, depth int) resolve.Value {
	if e == nil || depth == 0 {
		return resolve.Value{}
	}
	switch e.Op {
	case resolve.OpName:
		return cNameValue(s, e.Name, depth-1)
	case resolve.OpMember:
		if e.Sep == "::" {
			return cPathValue(s, e)
		}
		return cFieldValue(s, cEval(s, e.X, depth-1), e)
	case resolve.OpCall:
		return cCallValue(s, e, depth-1)
	case resolve.OpNew:
		return resolve.InstanceOf(resolve.Type{Text: e.Type + "*", File: s.File, Scope: s.At}, resolve.TypedValue)
	case resolve.OpCast:
		return resolve.InstanceOf(resolve.Type{Text: e.Type, File: s.File, Scope: s.At}, resolve.TypedWritten)
	case resolve.OpUnary:
		return cUnary(s, e, depth-1)
	case resolve.OpIndex:
		return cIndex(s, cEval(s, e.X, depth-1), false)
	case resolve.OpSuffixed:
		if e.Name == "each" {
			return cIndex(s, cEval(s, e.X, depth-1), true)
		}
	}
	return resolve.Value{}
}

// maxCExpr bounds how deep values rest on each other.
const maxCExpr = 20

func cNameValue(s resolve.Scope, name string, depth int) resolve.Value {
	if fact := cLocal(s.File, s.At, s.Pos, name); fact != nil {
		owner := s.File.Callable(s.At)
		if fact.Kind == code.FactAssign {
			inner := s
			inner.Pos = fact.Span.StartByte
			return cEval(inner, resolve.ParseExpr(fact.Type, cDialect), depth)
		}
		if name == "this" {
			return cThis(s)
		}
		return resolve.InstanceOf(resolve.Type{Text: fact.Type, File: s.File, Scope: owner}, resolve.TypedWritten)
	}
	for _, class := range cClassesAround(s.W, s.File, s.At) {
		if t, ok := cField(s.W, class, name, 6); ok {
			return resolve.InstanceOf(t, resolve.TypedWritten)
		}
	}
	found := cFind(s.W, s.File, s.At, []string{name}, cIsVariable)
	if len(found) > 0 {
		return cVariableValue(found[0])
	}
	return resolve.Value{}
}

// cThis is the class around s.
func cThis(s resolve.Scope) resolve.Value {
	for _, class := range cClassesAround(s.W, s.File, s.At) {
		return resolve.InstanceOf(resolve.Type{Text: class.Symbol().Name + "*", File: class.File, Scope: class.Symbol().Parent}, resolve.SameType)
	}
	return resolve.Value{}
}

func cIsVariable(r resolve.Ref) bool {
	return r.Symbol().Kind == code.KindVariable || r.Symbol().Kind == code.KindConstant
}

func cVariableValue(r resolve.Ref) resolve.Value {
	for _, fact := range r.File.FactsOf(r.Symbol().Parent) {
		if fact.Kind == code.FactVar && fact.Name == r.Symbol().Name {
			return resolve.InstanceOf(resolve.Type{Text: fact.Type, File: r.File, Scope: r.Symbol().Parent}, resolve.TypedWritten)
		}
	}
	return resolve.Value{}
}

func cPathValue(s resolve.Scope, e *resolve.Expr) resolve.Value {
	found := cFind(s.W, s.File, s.At, resolve.SplitPath(e.String()), cIsVariable)
	if len(found) == 0 {
		return resolve.Value{}
	}
	return cVariableValue(found[0])
}

func cFieldValue(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	class, ok := cClassOf(s.W, x, e.Sep)
	if !ok {
		return cPairValue(s, x, e)
	}
	if t, ok := cField(s.W, class, e.Name, 6); ok {
		return resolve.InstanceOf(t, resolve.Weaker(x.How, resolve.TypedWritten))
	}
	return resolve.Value{}
}

// cPairValue is first or second of a pair, also behind an iterator.
func cPairValue(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	seen := cSee(s.W, x.Type)
	if seen.foreign == "iterator" && e.Sep == "->" {
		seen = cSee(s.W, seen.args[0])
	}
	i := map[string]int{"first": 0, "second": 1}[e.Name]
	if seen.foreign != "pair" || len(seen.args) != 2 || e.Name != "first" && e.Name != "second" {
		return resolve.Value{}
	}
	return resolve.InstanceOf(seen.args[i], resolve.Weaker(x.How, resolve.TypedElement))
}

// cClassOf is the class whose members x has behind "." or "->": behind "->" it
// is the content of a smart pointer, or what operator-> gives.
func cClassOf(w *resolve.World, x resolve.Value, sep string) (resolve.Ref, bool) {
	if x.Kind != resolve.Instance {
		return resolve.Ref{}, false
	}
	seen := cSee(w, x.Type)
	if sep == "->" && !seen.pointer {
		if (cPointers[seen.foreign] || seen.foreign == "iterator") && len(seen.args) > 0 {
			seen = cSee(w, seen.args[0])
			return seen.class, seen.class.Valid()
		}
		if !seen.class.Valid() {
			return resolve.Ref{}, false
		}
		arrows, _ := cMembers(w, seen.class, "operator->", 4)
		if len(arrows) == 0 {
			return resolve.Ref{}, false
		}
		result := cResult(arrows[0])
		if result.Text == "" {
			return resolve.Ref{}, false
		}
		seen = cSee(w, result)
	}
	return seen.class, seen.class.Valid()
}

// cPointers is the types of the standard library that "->" goes through.
var cPointers = resolve.Set("unique_ptr", "shared_ptr", "optional", "auto_ptr")

// cElements is those that an index, front or back takes an element of.
var cElements = map[string]int{"vector": 0, "deque": 0, "list": 0, "array": 0, "span": 0, "set": 0, "unordered_set": 0, "map": 1, "unordered_map": 1}

// cIndex is an element of x: by its index, or with each as a loop takes it.
func cIndex(s resolve.Scope, x resolve.Value, each bool) resolve.Value {
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	seen := cSee(s.W, x.Type)
	if element, ok := cElement(seen); ok {
		if !each && cElements[seen.foreign] == 1 {
			element = seen.args[1]
		}
		return resolve.InstanceOf(element, resolve.Weaker(x.How, resolve.TypedElement))
	}
	text := strings.TrimSpace(x.Type.Text)
	switch {
	case seen.class.Valid() && strings.Contains(text, "["):
		return resolve.InstanceOf(x.Type.With(text[:strings.IndexByte(text, '[')]), x.How)
	case seen.class.Valid() && seen.pointer && strings.HasSuffix(text, "*"):
		return resolve.InstanceOf(x.Type.With(strings.TrimSuffix(text, "*")), x.How)
	}
	return resolve.Value{}
}

func cUnary(s resolve.Scope, e *resolve.Expr, depth int) resolve.Value {
	x := cEval(s, e.X, depth)
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	text := strings.TrimSpace(x.Type.Text)
	switch e.Name {
	case "&":
		x.Type.Text = strings.TrimSuffix(text, "&") + "*"
		return x
	case "*":
		if seen := cSee(s.W, x.Type); (cPointers[seen.foreign] || seen.foreign == "iterator") && len(seen.args) > 0 && !seen.pointer {
			return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
		}
		if strings.HasSuffix(text, "*") {
			x.Type.Text = strings.TrimSuffix(text, "*")
			return x
		}
	}
	return resolve.Value{}
}

// cResult is the type that a function is declared to return.
func cResult(r resolve.Ref) resolve.Type {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactResult {
			return resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index}
		}
	}
	return resolve.Type{}
}

// cCallValue is the type of what a call gives: that of a construction, or the
// one result type of the functions that it may mean.
func cCallValue(s resolve.Scope, e *resolve.Expr, depth int) resolve.Value {
	f, args := e.X, len(e.Args)
	if f.Op == resolve.OpMember && f.Sep != "::" {
		x := cEval(s, f.X, depth)
		class, ok := cClassOf(s.W, x, f.Sep)
		if !ok {
			return cForeignResult(s, x, f)
		}
		refs, _ := cMembers(s.W, class, f.Name, 6)
		return cResultOf(s.W, cByConst(refs, cConstOf(s, x, f.X)), args, resolve.Weaker(x.How, resolve.TypedResult))
	}
	path := f.String()
	segments := resolve.SplitPath(path)
	if len(segments) == 0 {
		return resolve.Value{}
	}
	last := segments[len(segments)-1]
	switch {
	case strings.HasSuffix(last, "_cast") && len(e.TypeArgs) == 1:
		return resolve.InstanceOf(resolve.Type{Text: e.TypeArgs[0], File: s.File, Scope: s.At}, resolve.TypedWritten)
	case (last == "make_unique" || last == "make_shared") && len(e.TypeArgs) > 0:
		return resolve.InstanceOf(resolve.Type{Text: "std::unique_ptr<" + e.TypeArgs[0] + ">", File: s.File, Scope: s.At}, resolve.TypedValue)
	case last == "move" && len(e.Args) == 1 && segments[0] == "std":
		return cEval(s, e.Args[0], depth)
	}
	if len(segments) == 1 && cLocal(s.File, s.At, s.Pos, last) != nil {
		return resolve.Value{}
	}
	refs, _, _ := cCallees(s, segments)
	if len(refs) > 0 {
		if resolve.IsType(refs[0].Symbol().Kind) {
			return resolve.InstanceOf(resolve.Type{Text: path, File: s.File, Scope: s.At}, resolve.TypedValue)
		}
		return cResultOf(s.W, refs, args, resolve.TypedResult)
	}
	return resolve.Value{}
}

// cForeignResult is what methods of smart pointers and containers give.
func cForeignResult(s resolve.Scope, x resolve.Value, f *resolve.Expr) resolve.Value {
	if x.Kind != resolve.Instance || f.Sep != "." {
		return resolve.Value{}
	}
	seen := cSee(s.W, x.Type)
	switch f.Name {
	case "get":
		if cPointers[seen.foreign] && len(seen.args) > 0 {
			return resolve.InstanceOf(seen.args[0].With(seen.args[0].Text+"*"), resolve.Weaker(x.How, resolve.TypedElement))
		}
	case "value":
		if seen.foreign == "optional" && len(seen.args) > 0 {
			return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
		}
	case "front", "back", "at", "top":
		return cIndex(s, x, false)
	case "begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "lower_bound", "upper_bound":
		if element, ok := cElement(seen); ok {
			return resolve.InstanceOf(element.With("std::iterator<"+element.Text+">"), resolve.Weaker(x.How, resolve.TypedElement))
		}
	}
	return resolve.Value{}
}

func cResultOf(w *resolve.World, refs []resolve.Ref, args int, how resolve.Strategy) resolve.Value {
	var result resolve.Type
	for _, r := range refs {
		if !cFits(r.Symbol(), args) {
			continue
		}
		t := cResult(r)
		if t.Text == "" || result.Text != "" && cPlainType(t.Text) != cPlainType(result.Text) {
			return resolve.Value{}
		}
		result = t
	}
	if result.Text == "" {
		return resolve.Value{}
	}
	return resolve.InstanceOf(result, how)
}
