package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// tested returns the value of a name at s, where isinstance has found its class, or has ruled some out: x in
// the branches of "if isinstance(x, Job):". v is its value without the tests, which remains if its class
// derives from the tested one. tested returns false where no test applies.
func tested(s resolve.Scope, name string, v resolve.Value) (resolve.Value, bool) {
	if v.Kind == resolve.Class || v.Kind == resolve.Function || v.Kind == resolve.Module {
		return resolve.Value{}, false
	}
	var passed *code.Fact
	var out []resolve.Ref // the classes that x has not
	for _, t := range names(s.File).tests[name] {
		if s.Pos < t.Scope[0] || t.Scope[1] <= s.Pos || changed(s, name, t) {
			continue
		}
		if strings.HasPrefix(t.Type, failing) {
			out = append(out, testedClasses(s, t)...)
		} else if passed == nil || t.Scope[0] >= passed.Scope[0] {
			passed = t
		}
	}
	x, ok := passes(s, passed, v)
	if !ok {
		x = v
	}
	if left := without(s.W, x, out); left.Kind != resolve.Unknown {
		return left, true
	}
	return x, ok
}

// passes returns the value of a name that has passed a test; v is its value without the test. It returns
// false if there is no test, or one for a class from outside.
func passes(s resolve.Scope, test *code.Fact, v resolve.Value) (resolve.Value, bool) {
	if test == nil {
		return resolve.Value{}, false
	}
	classes := testedClasses(s, test)
	if len(classes) != 1 {
		return resolve.Value{}, false
	}
	if v.Kind == resolve.Instance && v.Ref.Valid() && v.Module != awaited && derives(s.W, v.Ref, classes) {
		v.Module = ""
		return v, true
	}
	return instance(classes[0], resolve.TypedWritten), true
}

// testedClasses returns the classes of the workspace that a test names. Of a passed test it returns none
// if one of them is from outside.
func testedClasses(s resolve.Scope, test *code.Fact) (out []resolve.Ref) {
	at := resolve.Scope{W: s.W, File: s.File, At: test.Owner, Pos: test.Span.StartByte}
	text, failed := strings.CutPrefix(test.Type, failing)
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("(),| ", r) }) {
		class := resolve.Eval(Language{}, at, expr.Parse(name, dialect))
		if class.Kind == resolve.Class && class.Ref.Valid() {
			out = append(out, class.Ref)
		} else if !failed {
			return nil
		}
	}
	return out
}

// derives reports whether a class is one of classes, or derives from one.
func derives(w *resolve.World, class resolve.Ref, classes []resolve.Ref) bool {
	return slices.ContainsFunc(pyOrder(w, class), func(b pyBase) bool { return slices.Contains(classes, b.ref) })
}

// without returns a value of the union type of v less the classes that tests have ruled out: Other for
// Job | Other without Job. It returns an Unknown if v has no union type, or several classes are left.
func without(w *resolve.World, v resolve.Value, classes []resolve.Ref) resolve.Value {
	if v.Kind != resolve.Unknown || v.Type.Text == "" || len(classes) == 0 {
		return resolve.Value{}
	}
	var left []string
	for _, part := range alternatives(v.Type.Text) {
		x := typed(w, v.Type.With(part))
		if x.Kind != resolve.Instance || !x.Ref.Valid() || x.Module != "" || !derives(w, x.Ref, classes) {
			left = append(left, part)
		}
	}
	return union(w, v.Type, left).Via(resolve.TypedWritten)
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
