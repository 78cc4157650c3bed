package rust

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// fieldRef returns the field called name of type t. It returns the zero Ref if there is none, and
// for the fields of tuples, which are no symbols.
func fieldRef(w *resolve.World, t resolve.Type, name string) resolve.Ref {
	for range 4 {
		seen := see(w, t)
		if !seen.decl.Valid() {
			if !derefs[seen.foreign] || len(seen.args) == 0 {
				break
			}
			t = seen.args[len(seen.args)-1]
			continue
		}
		return seen.decl.Member(name, code.KindField)
	}
	return resolve.Ref{}
}

// isFunction reports whether values of type t are or hold a function: fn(i32), Box<dyn Fn(i32)>, F where
// F: Fn(i32), and an Option or a lock of such a type.
func isFunction(w *resolve.World, t resolve.Type) bool {
	for range 6 {
		seen := see(w, t)
		switch {
		case seen.foreign == "fn":
			return true
		case (derefs[seen.foreign] || seen.foreign == "Option" || locks[seen.foreign]) && len(seen.args) > 0:
			t = seen.args[len(seen.args)-1]
		default:
			_, open := parameter(t, peel(t.Text)) // an implementation may choose the bound of a type parameter F
			return open && !seen.known()
		}
	}
	return false
}

// locks lists types that hold a value which code reaches through a guard or a reference: m.lock() of a
// Mutex.
var locks = resolve.Set("Mutex", "RwLock", "RefCell", "OnceLock", "OnceCell")

// settleField resolves (self.done)(1), the call of a function in a field, to the field. Such a
// call is recorded with the receiver self.done, which ends in the name of its callee, done. A
// method call self.done.done(1) is recorded in the same way, so settleField returns a result only
// if the field holds a function. It returns false for any other call.
func settleField(s resolve.Scope, c *code.Call) (resolve.Verdict, bool) {
	of, ok := strings.CutSuffix(c.Receiver, "."+c.Callee)
	if !ok {
		return resolve.Verdict{}, false
	}
	x := eval(s, expr.Parse(of, dialect), maxExpr)
	if x.Kind != resolve.Instance {
		return resolve.Verdict{}, false
	}
	field := fieldRef(s.W, x.Type, c.Callee)
	within := c.NameSpan.StartByte-c.Span.StartByte <= len(c.Receiver)
	if !field.Valid() || !within && !(Language{}).HoldsFunction(s.W, field) {
		return resolve.Verdict{}, false
	}
	return resolve.Resolved(field, x.How, "the field "+field.Symbol().QualifiedName+", which holds a function"), true
}

// HoldsFunction reports whether a field has a function type.
func (Language) HoldsFunction(w *resolve.World, field resolve.Ref) bool {
	return field.Valid() && field.Symbol().Kind == code.KindField &&
		isFunction(w, resolve.Type{Text: field.Symbol().Returns, File: field.File, Scope: field.Index})
}

// Given resolves a fact which records that a function is assigned to a field: by self.done = save or
// Job { done: save }, or as an argument, Job::new(save). It returns the field and the function, zero Refs if
// either is unknown.
func (Language) Given(w *resolve.World, f *resolve.File, fact *code.Fact) (field, function resolve.Ref) {
	s := resolve.Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}
	if _, at, ok := code.CutPlace(fact.Name); ok {
		field = passed(s, fact, at)
	} else {
		field = spelled(s, fact.Name)
	}
	if !(Language{}).HoldsFunction(w, field) || local(f, s.At, s.Pos, fact.Type) != nil {
		return resolve.Ref{}, resolve.Ref{}
	}
	defs, _ := callee(s, fact.Type)
	if len(defs) != 1 || !defs[0].Ref.Valid() || !defs[0].Ref.Symbol().Kind.Callable() {
		return resolve.Ref{}, resolve.Ref{}
	}
	return field, defs[0].Ref
}

// spelled returns the field that the Name of a FactGiven denotes: self.done, or Job().done for
// the field done in Job { done: save }. It returns the zero Ref if there is none.
func spelled(s resolve.Scope, text string) resolve.Ref {
	if typ, name, ok := strings.Cut(text, "()."); ok {
		typ = strings.Replace(typ, "::<", "<", 1)
		if typ == "Self" {
			if self, ok := rustSelf(s.W, s.File, s.At); ok {
				return fieldRef(s.W, self, name)
			}
			return resolve.Ref{}
		}
		return fieldRef(s.W, resolve.Type{Text: typ, File: s.File, Scope: s.At}, name)
	}
	e := expr.Parse(text, dialect)
	if e.Op != expr.OpMember {
		return resolve.Ref{}
	}
	if x := eval(s, e.X, maxExpr); x.Kind == resolve.Instance {
		return fieldRef(s.W, x.Type, e.Name)
	}
	return resolve.Ref{}
}

// passed returns the field to which a called function assigns the argument at the position place:
// Job.done for the first argument of Job::new(save), if new assigns its first parameter to done.
// fact records the argument. It returns the zero Ref if there is none.
func passed(s resolve.Scope, fact *code.Fact, place code.Place) resolve.Ref {
	call := s.File.Taker(fact.Span.StartByte)
	at, ok := place.Index()
	if !ok || call == nil {
		return resolve.Ref{}
	}
	v := (Language{}).Settle(s.W, s.File, call)
	if v.Outcome != resolve.Settled {
		return resolve.Ref{}
	}
	parameters := v.Target.Symbol().Parameters
	if len(parameters) > 0 && parameters[0].Name == "self" && !isPath(call) {
		at++
	}
	if at >= len(parameters) {
		return resolve.Ref{}
	}
	for _, keep := range keeps(v.Target) {
		if keep.Type != strings.TrimPrefix(parameters[at].Name, "mut ") {
			continue
		}
		field := spelled(resolve.Scope{W: s.W, File: v.Target.File, At: v.Target.Index, Pos: keep.Span.StartByte},
			keep.Name)
		if field.Valid() && field.File == v.Target.File { // GivenBy only searches that file
			return field
		}
	}
	return resolve.Ref{}
}

// keeps returns the facts that record assignments of a function's parameters to fields, such as
// self.done = done.
func keeps(function resolve.Ref) (out []*code.Fact) {
	for _, fact := range function.Facts() {
		if fact.Kind == code.FactAssign && strings.Contains(fact.Name, ".") {
			out = append(out, fact)
		}
	}
	return out
}

// GivenBy returns the names of functions that assign a parameter to the field, because calls of
// them may pass its value. It only searches the file of the field.
func (Language) GivenBy(_ *resolve.World, field resolve.Ref) (out []string) {
	for i := range field.File.Symbols {
		function := field.File.Ref(i)
		if function.Symbol().Kind.Callable() && slices.ContainsFunc(keeps(function), func(fact *code.Fact) bool {
			return strings.HasSuffix(fact.Name, "."+field.Symbol().Name)
		}) {
			out = append(out, function.Symbol().Name)
		}
	}
	return out
}
