package cfamily

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

var dialect = expr.Dialect{Casts: true, Generics: true, Composites: true}

// local returns the fact that declares or assigns the local variable or parameter called name, as
// visible at byte offset pos in the symbol with index at; nil if there is none.
func local(f *resolve.File, at, pos int, name string) *code.Fact {
	owner := f.Callable(at)
	if owner < 0 {
		return nil
	}
	return f.BlockLocal(owner, pos, name)
}

// eval evaluates e in the scope of s; it returns the zero Value if the type of e is unknown.
func eval(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	if e == nil || depth == 0 {
		return resolve.Value{}
	}
	switch e.Op {
	case expr.OpName:
		return nameValue(s, e.Name, depth-1)
	case expr.OpMember:
		if e.Sep == "::" {
			return pathValue(s, e)
		}
		return fieldValue(s, eval(s, e.X, depth-1), e)
	case expr.OpCall:
		return callValue(s, e, depth-1)
	case expr.OpNew:
		return resolve.InstanceOf(resolve.Type{Text: e.Type + "*", File: s.File, Scope: s.At}, resolve.TypedValue)
	case expr.OpCast:
		return resolve.InstanceOf(resolve.Type{Text: e.Type, File: s.File, Scope: s.At}, resolve.TypedWritten)
	case expr.OpUnary:
		return unary(s, e, depth-1)
	case expr.OpIndex:
		return index(s, eval(s, e.X, depth-1), false)
	case expr.OpSuffixed:
		if e.Marker() == code.MarkEach {
			return index(s, eval(s, e.X, depth-1), true)
		}
	}
	return resolve.Value{}
}

// maxExpr bounds the nesting of evaluations: evaluating a variable may require evaluating its
// initializer, and the variables in that.
const maxExpr = 20

// nameValue evaluates a name: a local variable, else a field of an enclosing class, else a global
// variable.
func nameValue(s resolve.Scope, name string, depth int) resolve.Value {
	if fact := local(s.File, s.At, s.Pos, name); fact != nil {
		owner := s.File.Callable(s.At)
		if fact.Kind == code.FactAssign {
			inner := s
			inner.Pos = fact.Span.StartByte
			return eval(inner, expr.Parse(fact.Type, dialect), depth)
		}
		if name == "this" {
			return this(s)
		}
		return resolve.InstanceOf(resolve.Type{Text: fact.Type, File: s.File, Scope: owner}, resolve.TypedWritten)
	}
	for _, class := range classesAround(s.W, s.File, s.At) {
		if t, ok := field(s.W, class, name, 6); ok {
			return resolve.InstanceOf(t, resolve.TypedWritten)
		}
	}
	found := find(s.W, s.File, s.At, []string{name}, isVariable)
	if len(found) > 0 {
		return variableValue(found[0])
	}
	return resolve.Value{}
}

// this returns the value of this: a pointer to the enclosing class.
func this(s resolve.Scope) resolve.Value {
	for _, class := range classesAround(s.W, s.File, s.At) {
		return resolve.InstanceOf(resolve.Type{Text: class.Symbol().Name + "*", File: class.File,
			Scope: class.Symbol().Parent}, resolve.SameType)
	}
	return resolve.Value{}
}

func isVariable(r resolve.Ref) bool {
	return r.Symbol().Kind == code.KindVariable || r.Symbol().Kind == code.KindConstant
}

func variableValue(r resolve.Ref) resolve.Value {
	for _, fact := range r.File.FactsOf(r.Symbol().Parent) {
		if fact.Kind == code.FactVar && fact.Name == r.Symbol().Name {
			return resolve.InstanceOf(resolve.Type{Text: fact.Type, File: r.File, Scope: r.Symbol().Parent},
				resolve.TypedWritten)
		}
	}
	return resolve.Value{}
}

func pathValue(s resolve.Scope, e *expr.Expr) resolve.Value {
	found := find(s.W, s.File, s.At, resolve.SplitPath(e.String()), isVariable)
	if len(found) == 0 {
		return resolve.Value{}
	}
	return variableValue(found[0])
}

func fieldValue(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	class, ok := classOf(s.W, x, e.Sep)
	if !ok {
		return pairValue(s, x, e)
	}
	if t, ok := field(s.W, class, e.Name, 6); ok {
		return resolve.InstanceOf(t, resolve.Weaker(x.How, resolve.TypedWritten))
	}
	return resolve.Value{}
}

// pairValue evaluates p.first and p.second, where p is a std::pair, and it->first, where it is an
// iterator over pairs.
func pairValue(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	seen := see(s.W, x.Type)
	if seen.foreign == "iterator" && e.Sep == "->" {
		seen = see(s.W, seen.args[0])
	}
	i := map[string]int{"first": 0, "second": 1}[e.Name]
	if seen.foreign != "pair" || len(seen.args) != 2 || e.Name != "first" && e.Name != "second" {
		return resolve.Value{}
	}
	return resolve.InstanceOf(seen.args[i], resolve.Weaker(x.How, resolve.TypedElement))
}

// classOf returns the class whose members an access of x by sep reads: "." for x.f, "->" for
// x->f, or "?" if it is unknown which of the two it is. For "->" it is the class to which a smart
// pointer points, or the result of operator->. It reads "?" as ".". It returns false if the
// workspace declares no class of x.
func classOf(w *resolve.World, x resolve.Value, sep string) (resolve.Ref, bool) {
	if x.Kind != resolve.Instance {
		return resolve.Ref{}, false
	}
	seen := see(w, x.Type)
	if sep == "->" && !seen.pointer {
		if to, ok := pointee(seen); ok {
			seen = see(w, to)
			return seen.class, seen.class.Valid()
		}
		if !seen.class.Valid() {
			return resolve.Ref{}, false
		}
		arrows, _ := members(w, seen.class, "operator->", 4)
		if len(arrows) == 0 {
			return resolve.Ref{}, false
		}
		result := cResult(arrows[0])
		if result.Text == "" {
			return resolve.Ref{}, false
		}
		seen = see(w, result)
	}
	return seen.class, seen.class.Valid()
}

// pointers lists standard library types that "->" dereferences.
var pointers = resolve.Set("unique_ptr", "shared_ptr", "optional", "auto_ptr")

// elements maps standard containers to the index of the type argument that x[i], front and back
// return.
var elements = map[string]int{"vector": 0, "deque": 0, "list": 0, "array": 0, "span": 0, "set": 0, "unordered_set": 0,
	"map": 1, "unordered_map": 1}

// index evaluates x[i]. If each is set, it evaluates the variable v of a loop over x instead: for
// (auto v : x).
func index(s resolve.Scope, x resolve.Value, each bool) resolve.Value {
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	seen := see(s.W, x.Type)
	if element, ok := element(seen); ok {
		if !each && elements[seen.foreign] == 1 {
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

// unary evaluates &x and *x. If p is a std::unique_ptr<T> or a T*, *p is a T.
func unary(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	x := eval(s, e.X, depth)
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	text := strings.TrimSpace(x.Type.Text)
	switch e.Name {
	case "&":
		x.Type.Text = strings.TrimSuffix(text, "&") + "*"
		return x
	case "*":
		if to, ok := pointee(see(s.W, x.Type)); ok {
			return resolve.InstanceOf(to, resolve.Weaker(x.How, resolve.TypedElement))
		}
		if strings.HasSuffix(text, "*") {
			x.Type.Text = strings.TrimSuffix(text, "*")
			return x
		}
	}
	return resolve.Value{}
}

// cResult returns the declared return type of a function.
func cResult(r resolve.Ref) resolve.Type {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactResult {
			return resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index}
		}
	}
	return resolve.Type{}
}

// callValue evaluates a call: a construction A(…), a cast, or a call of functions that have a
// common result type.
func callValue(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	f, args := e.X, len(e.Args)
	if f.Op == expr.OpMember && f.Sep != "::" {
		x := eval(s, f.X, depth)
		class, ok := classOf(s.W, x, f.Sep)
		if !ok {
			return foreignResult(s, x, f)
		}
		refs, _ := members(s.W, class, f.Name, 6)
		return resultOf(s.W, byConst(refs, constOf(s, x, f.X)), args, resolve.Weaker(x.How, resolve.TypedResult))
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
		return resolve.InstanceOf(resolve.Type{Text: "std::unique_ptr<" + e.TypeArgs[0] + ">", File: s.File,
			Scope: s.At}, resolve.TypedValue)
	case last == "move" && len(e.Args) == 1 && segments[0] == "std":
		return eval(s, e.Args[0], depth)
	}
	if len(segments) == 1 && local(s.File, s.At, s.Pos, last) != nil {
		return resolve.Value{}
	}
	refs, _, _ := callees(s, segments)
	if len(refs) > 0 {
		if resolve.IsType(refs[0].Symbol().Kind) {
			return resolve.InstanceOf(resolve.Type{Text: path, File: s.File, Scope: s.At}, resolve.TypedValue)
		}
		return resultOf(s.W, refs, args, resolve.TypedResult)
	}
	return resolve.Value{}
}

// foreignResult evaluates x.f(), where x is a smart pointer or container of the standard library.
func foreignResult(s resolve.Scope, x resolve.Value, f *expr.Expr) resolve.Value {
	if to, ok := pointee(see(s.W, x.Type)); ok && f.Sep == "->" { // lists->front()
		x = resolve.InstanceOf(to, resolve.Weaker(x.How, resolve.TypedElement))
	} else if f.Sep != "." {
		return resolve.Value{}
	}
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	seen := see(s.W, x.Type)
	switch f.Name {
	case "get":
		if (pointers[seen.foreign] || seen.unread) && len(seen.args) > 0 {
			return resolve.InstanceOf(seen.args[0].With(seen.args[0].Text+"*"),
				resolve.Weaker(x.How, resolve.TypedElement))
		}
	case "value":
		if seen.foreign == "optional" && len(seen.args) > 0 {
			return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
		}
	case "front", "back", "at", "top":
		return index(s, x, false)
	case "begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "lower_bound", "upper_bound":
		if element, ok := element(seen); ok {
			return resolve.InstanceOf(element.With("std::iterator<"+element.Text+">"),
				resolve.Weaker(x.How, resolve.TypedElement))
		}
	}
	return resolve.Value{}
}

// resultOf evaluates a call by the declared results of those functions in refs that accept args
// arguments. It returns the zero Value if the results differ.
func resultOf(w *resolve.World, refs []resolve.Ref, args int, how resolve.Strategy) resolve.Value {
	var result resolve.Type
	for _, r := range refs {
		if !fits(r.Symbol(), args) {
			continue
		}
		t := cResult(r)
		if t.Text == "" || result.Text != "" && plainType(t.Text) != plainType(result.Text) {
			return resolve.Value{}
		}
		result = t
	}
	if result.Text == "" {
		return resolve.Value{}
	}
	return resolve.InstanceOf(result, how)
}
