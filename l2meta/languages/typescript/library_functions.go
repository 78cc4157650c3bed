package typescript

import (
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// This file evaluates function literals that are passed to library functions, from their text:
// xs.map((x) => x.name) is an array of the type of x.name.

// functionResult returns the result type of a function argument when it is called with values of
// the types params. It returns false if the result is unknown.
func functionResult(s resolve.Scope, arg *expr.Expr, params []resolve.Type) (resolve.Type, bool) {
	if arg.Op == expr.OpLiteral && arg.Name == "function" {
		return literalResult(s, strings.TrimSpace(arg.Text), params)
	}
	v := whole(s.W, resolve.Eval(eval{}, s, arg))
	call := &expr.Expr{Op: expr.OpCall, X: &expr.Expr{}}
	switch v.Kind {
	case resolve.Function:
		return typeOf(callResult(s, v, call))
	case resolve.Foreign: // a function of the library: xs.map(String)
		if v.Type.Scope == inLibrary {
			return typeOf(callOf(s, v.Type, call))
		}
	case resolve.Instance:
		if shape := readType(s.W, v.Type); shape.form == function && shape.held.Kind == resolve.Unknown {
			return shape.typ, shape.typ.Text != ""
		}
	}
	return resolve.Type{}, false
}

// literalResult returns the result type of a function literal, given as text, if it has a single
// result. It returns false if the type is unknown.
func literalResult(s resolve.Scope, text string, params []resolve.Type) (resolve.Type, bool) {
	text, async := strings.CutPrefix(text, "async ")
	text = strings.TrimSpace(text)
	head, written, body, ok := cutFunction(text)
	if !ok {
		return resolve.Type{}, false
	}
	if written != "" {
		return here(s).With(written), true
	}
	s.Local = bindLocals(s, head, params)
	if strings.HasPrefix(body, "{") {
		if body, ok = onlyResult(body); !ok {
			return resolve.Type{}, false
		}
		s.Local = hideDeclared(s.Local, text)
	}
	t, ok := typeOf(resolve.Eval(eval{}, s, expr.Parse(body, dialect)))
	if ok && async {
		if v, isValue := typeOf(awaited(s.W, instance(t, ""))); isValue {
			return builtinType(s.File, "Promise", v), true
		}
	}
	return t, ok
}

// cutFunction splits a function literal into its parameters, its declared result type, and its
// body. It returns false for a text that is no function literal.
func cutFunction(text string) (params []string, written, body string, ok bool) {
	rest := text
	if after, isFunction := strings.CutPrefix(text, "function"); isFunction {
		open := strings.IndexByte(after, '(')
		if open < 0 {
			return nil, "", "", false
		}
		rest = after[open:]
	}
	if !strings.HasPrefix(rest, "(") {
		name, body, ok := strings.Cut(rest, "=>")
		return []string{strings.TrimSpace(name)}, "", strings.TrimSpace(body), ok
	}
	end := closing(rest, 0)
	if end < 0 {
		return nil, "", "", false
	}
	params, rest = expr.SplitTypes(rest[1:end]), strings.TrimSpace(rest[end+1:])
	if strings.HasPrefix(rest, ":") {
		at := strings.Index(rest, "=>")
		if at < 0 {
			return nil, "", "", false
		}
		written, rest = strings.TrimSpace(rest[1:at]), rest[at:]
	}
	if after, isArrow := strings.CutPrefix(rest, "=>"); isArrow {
		rest = strings.TrimSpace(after)
	}
	return params, written, rest, true
}

// bindLocals binds the parameters of a function literal to their declared or expected types. Every
// name in a pattern is bound, if only to an unknown value.
func bindLocals(s resolve.Scope, params []string, expected []resolve.Type) *resolve.Local {
	out := s.Local
	for i, p := range params {
		v := resolve.Value{}
		if i < len(expected) {
			v = instance(boundTo(expected[i]), resolve.TypedElement)
		}
		name, typ, written := strings.Cut(p, ":")
		if p != "" && (p[0] == '{' || p[0] == '[') {
			out = bindPattern(s, out, p, v)
			continue
		}
		if written {
			v = instance(here(s).With(strings.TrimSpace(typ)), resolve.TypedWritten)
		}
		name, _, _ = strings.Cut(strings.TrimPrefix(name, "..."), "=")
		out = &resolve.Local{Name: strings.TrimSuffix(strings.TrimSpace(name), "?"), Value: v, Next: out}
	}
	return out
}

// bindPattern binds the names in { a, b: c } or [a, b] to the parts of v.
func bindPattern(s resolve.Scope, out *resolve.Local, pattern string, v resolve.Value) *resolve.Local {
	end := closing(pattern, 0)
	if end < 0 {
		return out
	}
	for i, part := range expr.SplitTypes(pattern[1:end]) {
		part, _, _ = strings.Cut(part, "=")
		key, name, renamed := strings.Cut(part, ":")
		if key = strings.TrimSpace(key); !renamed {
			name = key
		}
		value := resolve.Value{}
		switch name = strings.TrimSpace(name); {
		case !isName(name):
		case pattern[0] == '{':
			value = member(s, v, key)
		default:
			value = place(s, v, i)
		}
		out = &resolve.Local{Name: strings.TrimPrefix(name, "..."), Value: value, Next: out}
	}
	return out
}

// place evaluates v[i], the value of the name at position i of an array pattern: b in const [a, b]
// = v for i = 1.
func place(s resolve.Scope, v resolve.Value, i int) resolve.Value {
	t, ok := typeOf(v)
	if !ok {
		return resolve.Value{}
	}
	if shape := readType(s.W, t); shape.form == union || shape.form == builtin && shape.name == "#tuple" {
		if at := tuplePlace(s.W, t, i); at.Kind != resolve.Unknown || shape.form != union {
			return at
		}
	}
	return instance(tsElement(s.W, t), resolve.TypedElement)
}

// tuplePlace returns element i of a tuple, or of each tuple in a union; no value for other types.
func tuplePlace(w *resolve.World, t resolve.Type, i int) resolve.Value {
	if !w.Enter() {
		return resolve.Value{}
	}
	defer w.Leave()
	switch shape := readType(w, t); {
	case shape.form == builtin && shape.name == "#tuple" && i < len(shape.args):
		return instance(shape.args[i], resolve.TypedElement)
	case shape.form == union:
		var places []resolve.Value
		for _, part := range shape.args {
			places = append(places, tuplePlace(w, part, i))
		}
		return anyOf(w, t.File, places)
	}
	return resolve.Value{}
}

// onlyResult returns the expression of a block's only return statement, if it is the last
// statement. It returns false otherwise.
func onlyResult(block string) (string, bool) {
	end := closing(block, 0)
	if end < 0 || strings.Count(block, "return") != 1 {
		return "", false
	}
	_, value, _ := strings.Cut(block[1:end], "return")
	value = strings.TrimSuffix(strings.TrimSpace(value), ";")
	return strings.TrimSpace(value), value != "" && !strings.Contains(block, "function")
}

// hideDeclared binds the names that a block declares to unknown values, as their initializers are
// not evaluated here.
func hideDeclared(out *resolve.Local, block string) *resolve.Local {
	for _, keyword := range []string{"const ", "let ", "var "} {
		for rest := block; ; {
			_, after, ok := strings.Cut(rest, keyword)
			if !ok {
				break
			}
			rest = after
			names, _, _ := strings.Cut(after, "=")
			for _, name := range strings.FieldsFunc(names, func(r rune) bool { return !expr.IsNameRune(r) }) {
				out = &resolve.Local{Name: name, Next: out}
			}
		}
	}
	return out
}
