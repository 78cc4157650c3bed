package python

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// tested returns the value of a name at s, where isinstance has found its class: x in the body of
// "if isinstance(x, Job):". v is its value without the test, which remains if its class derives from
// the tested one. tested returns false where no test applies.
func tested(s resolve.Scope, name string, v resolve.Value) (resolve.Value, bool) {
	var test *code.Fact
	for _, t := range names(s.File).tests[name] {
		if t.Scope[0] <= s.Pos && s.Pos < t.Scope[1] && (test == nil || t.Scope[0] >= test.Scope[0]) {
			test = t
		}
	}
	if test == nil || v.Kind == resolve.Class || v.Kind == resolve.Function || v.Kind == resolve.Module ||
		changed(s, name, test) {
		return resolve.Value{}, false
	}
	at := resolve.Scope{W: s.W, File: s.File, At: test.Owner, Pos: test.Span.StartByte}
	class := resolve.Eval(Language{}, at, expr.Parse(test.Type, dialect))
	if class.Kind != resolve.Class || !class.Ref.Valid() {
		return resolve.Value{}, false
	}
	if v.Kind == resolve.Instance && v.Ref.Valid() && v.Module != awaited && slices.ContainsFunc(pyOrder(s.W, v.Ref),
		func(b pyBase) bool { return b.ref == class.Ref }) {
		v.Module = ""
		return v, true
	}
	return instance(class.Ref, resolve.TypedWritten), true
}

// changed reports whether a name may have got another value between a test and s, or whether s is in a
// scope of its own, such as a comprehension, that binds the name.
func changed(s resolve.Scope, name string, test *code.Fact) bool {
	here := around(s.File, s.At, s.Pos)
	if here != pyScope(s.File, test.Owner) {
		return true
	}
	return slices.ContainsFunc(names(s.File).of(here, name), func(b binding) bool {
		if b.fact != nil && b.fact.Scope[1] > 0 {
			return b.fact.Scope[0] >= test.Scope[0] && b.fact.Scope[0] <= s.Pos && s.Pos < b.fact.Scope[1]
		}
		return test.Scope[0] <= b.pos && b.pos < s.Pos
	})
}
