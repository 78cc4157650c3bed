package typescript

import (
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// This file applies tests within an expression: in Array.isArray(x) ? x : [x] the second x is an
// array. Scope.Local maps paths such as x to the narrowed values.

// under returns s with the values that a condition narrows, for code that runs only if the
// condition is true (holds) or only if it is false.
func under(s resolve.Scope, condition *expr.Expr, holds bool) resolve.Scope {
	if !s.W.Enter() {
		return s
	}
	defer s.W.Leave()
	switch condition.Op {
	case expr.OpUnary:
		if condition.Name == "!" {
			return under(s, condition.X, !holds)
		}
	case expr.OpCall:
		if f := condition.X.String(); f != "" && len(condition.Args) > 0 {
			return tests(s, condition.Args[0], "call "+f, holds)
		}
	case expr.OpBinary:
		a, b := condition.Args[0], condition.Args[1]
		switch condition.Name {
		case "&&", "||":
			if holds == (condition.Name == "&&") {
				return under(under(s, a, holds), b, holds)
			}
		case "===", "==":
			return equals(s, a, b, holds)
		case "!==", "!=":
			return equals(s, a, b, !holds)
		case "instanceof":
			if class := b.String(); class != "" {
				return tests(s, a, "instanceof "+class, holds)
			}
		case "in":
			if key := label(a.Text); strings.HasPrefix(key, `"`) {
				return tests(s, b, "in "+key[1:], holds)
			}
		}
	}
	return s
}

// equals returns s with the value that the comparison a === b narrows, for code that runs only if
// the comparison is true (holds) or only if it is false.
func equals(s resolve.Scope, a, b *expr.Expr, holds bool) resolve.Scope {
	if a.Op == expr.OpLiteral {
		a, b = b, a
	}
	text := b.Text
	if b.Op == expr.OpMember || b.Op == expr.OpName {
		text = b.String()
	}
	is := label(text)
	switch {
	case is == "":
	case a.Op == expr.OpUnary && a.Name == "typeof" && strings.HasPrefix(is, `"`):
		return tests(s, a.X, "typeof "+is[1:], holds)
	case a.Op == expr.OpMember:
		return tests(s, a.X, "= "+a.Name+" "+text, holds)
	}
	return s
}

// tests returns s with the value x narrowed by a test, for code that runs only if x has passed the
// test (holds) or only if x has failed it.
func tests(s resolve.Scope, x *expr.Expr, test string, holds bool) resolve.Scope {
	path := chain(x)
	if path == "" || path == "this" {
		return s
	}
	if !holds {
		test = "!" + test
	}
	if v := resolve.Eval(eval{}, s, x); v.Kind != resolve.Module {
		s.Local = &resolve.Local{Name: path, Value: tested(s, v, test), Next: s.Local}
	}
	return s
}
