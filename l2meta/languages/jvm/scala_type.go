package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// scalaTypeReader reads types as Scala writes them, such as a.type and Int => String.
type scalaTypeReader struct{ *jvm }

// read interprets the text of a type in Scala's notation.
func (j scalaTypeReader) read(t resolve.Type, text string) jvmType {
	text = strings.TrimSpace(text)
	for strings.HasPrefix(text, "(") && closing(text) == len(text)-1 &&
		len(expr.SplitTypes(text[1:len(text)-1])) == 1 && facts.Arrow(text) < 0 {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, "=>"))
	if rest, ok := strings.CutSuffix(text, "*"); ok && rest != "" &&
		(facts.NameByte(rest[len(rest)-1]) || strings.HasSuffix(rest, "]") || strings.HasSuffix(rest, ")")) {
		return library("scala", "Seq", t.With(rest))
	}
	if f, ok := scalaFunction(t, text); ok {
		return f
	}
	if strings.HasPrefix(text, "(") && closing(text) == len(text)-1 {
		parts := expr.SplitTypes(text[1 : len(text)-1])
		out := library("scala", "Tuple")
		for _, part := range parts {
			out.args = append(out.args, t.With(part))
		}
		return out
	}
	if path, ok := strings.CutSuffix(text, ".type"); ok {
		v := j.terms.eval(place{file: t.File, at: t.Scope, pos: scalaPlaceOf(t), bind: t.Bind}, scalaPathTerm(path))
		if v.asValue().kind == resolve.Instance {
			return v.typ
		}
		return jvmType{}
	}
	path, args, rest := scalaSplit(text)
	if path == nil {
		return jvmType{}
	}
	if rest != "" && !strings.HasPrefix(rest, "with ") && !strings.HasPrefix(rest, "{") &&
		!strings.HasPrefix(rest, "@") && !strings.HasPrefix(rest, "forSome") && !strings.HasPrefix(rest, "=>") {
		op, right, _ := strings.Cut(rest, " ") // an infix type: A Or B
		if out := j.types.typeNamed(t, []string{op}); out.kind == declared {
			out.args = []resolve.Type{t.With(text[:len(text)-len(rest)]), t.With(right)}
			return out
		}
		return jvmType{}
	}
	out := j.types.typeNamed(t, path)
	if out.args == nil {
		for _, a := range args {
			out.args = append(out.args, t.With(a))
		}
	}
	if out.kind == jvmForeign && len(out.args) > 1 &&
		(out.name == "PartialFunction" || strings.HasPrefix(out.name, "Function")) {
		out.kind = jvmFunc
	}
	return out
}

// scalaPlaceOf returns a byte offset inside the symbol in which a type is written.
func scalaPlaceOf(t resolve.Type) int {
	if t.Scope < 0 {
		return 0
	}
	return t.File.Symbols[t.Scope].Span.EndByte - 1
}

func scalaPathTerm(path string) *scalaTerm {
	var out *scalaTerm
	for _, step := range strings.Split(path, ".") {
		name := &scalaTerm{word: step}
		if out == nil {
			out = &scalaTerm{list: []*scalaTerm{{word: "n"}, name}}
		} else {
			out = &scalaTerm{list: []*scalaTerm{{word: "."}, out, name}}
		}
	}
	return out
}

// scalaFunction interprets A => B and (A, B) => C; false for other types.
func scalaFunction(t resolve.Type, text string) (jvmType, bool) {
	at := facts.Arrow(text)
	if at <= 0 || text[at] != '=' {
		return jvmType{}, false
	}
	left, right := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+2:])
	if strings.HasPrefix(left, "(") && closing(left) == len(left)-1 {
		left = left[1 : len(left)-1]
	}
	out := jvmType{kind: jvmFunc}
	for _, a := range expr.SplitTypes(left) {
		out.args = append(out.args, t.With(a))
	}
	out.args = append(out.args, t.With(right))
	return out, true
}

// scalaSplit splits the text of a type into its path, the type arguments of the path's last step,
// and the rest: "a.B[C] with D" into [a B], [C] and "with D". It returns a nil path if text does
// not begin with a name.
func scalaSplit(text string) (path, args []string, rest string) {
	for {
		i := 0
		for i < len(text) && (facts.NameByte(text[i]) || text[i] == '`') {
			i++
		}
		if i == 0 {
			for i < len(text) && strings.IndexByte("!#%&*+-/:<=>?@\\^|~", text[i]) >= 0 {
				i++
			}
			if i == 0 || path == nil && len(text) == i {
				return nil, nil, ""
			}
		}
		path, args = append(path, strings.Trim(text[:i], "`")), nil
		text = strings.TrimLeft(text[i:], " ")
		if strings.HasPrefix(text, "[") {
			end := closing(text)
			if end < 0 {
				return nil, nil, ""
			}
			args, text = expr.SplitTypes(text[1:end]), strings.TrimLeft(text[end+1:], " ")
		}
		if text == "" || text[0] != '.' && text[0] != '#' {
			return path, args, text
		}
		text = strings.TrimLeft(text[1:], " ")
	}
}

// scalaTypeOf converts t back to a resolve.Type, the text of a type with its scope, such that read
// interprets it as t again.
func scalaTypeOf(t jvmType) resolve.Type {
	if t.kind == jvmFunc {
		return resolve.Type{Text: scalaFunctionMark, Bind: resolve.Bind(make([]string, len(t.args)), t.args, nil)}
	}
	if t.kind == array {
		return resolve.Type{}
	}
	return typeOf(t)
}

// scalaFunctionMark is the text of the Type that scalaTypeOf returns for a function type.
const scalaFunctionMark = "\x00=>"

// rebound returns t with the bindings in bind, if t has no bindings of its own. If typeOf or
// scalaTypeOf created t, it adds the bindings to each type argument of t instead. depth counts
// the levels of nested type arguments.
func rebound(t resolve.Type, bind *resolve.Binding, depth int) resolve.Type {
	if depth > 6 {
		return t
	}
	if !strings.HasPrefix(t.Text, "\x00") {
		if t.Bind == nil {
			t.Bind = bind
		}
		return t
	}
	var names []string
	var types []resolve.Type
	for b := t.Bind; b != nil; b = b.Next {
		names, types = append(names, b.Name), append(types, rebound(b.Type, bind, depth+1))
	}
	slices.Reverse(names)
	slices.Reverse(types)
	t.Bind = resolve.Bind(names, types, nil)
	return t
}

func (t jvmType) rebound(bind *resolve.Binding) jvmType {
	if bind == nil || len(t.args) == 0 {
		return t
	}
	args := make([]resolve.Type, len(t.args))
	for i, a := range t.args {
		args[i] = rebound(a, bind, 0)
	}
	t.args = args
	return t
}

type scalaPackagesKey string

// packageObjects returns the package objects of a package, whose members belong to the package.
func (j scalaTypeReader) packageObjects(pkg string) []resolve.Ref {
	return resolve.Derive(j.w, scalaPackagesKey(pkg), func() (out []resolve.Ref) {
		outer, name, _ := cutLast(pkg)
		if outer == "" && name == "" {
			name = pkg
		}
		rows, all := j.w.Named(name)
		if !all {
			return nil
		}
		for _, row := range rows {
			if row.Language != "scala" || row.Kind != code.KindClass {
				continue
			}
			if r := j.w.Ref(row); r.Valid() && slices.Contains(r.Symbol().Modifiers, "package") &&
				jvmPackage(r.File, r.Symbol().Parent) == outer {
				out = append(out, r)
			}
		}
		return out
	})
}

// inPackageObject returns the type called name in a package object. It returns false if there is
// none.
func (j scalaTypeReader) inPackageObject(from *resolve.File, pkg, name string) (resolve.Ref, bool) {
	if from.Language != "scala" || pkg == "" {
		return resolve.Ref{}, false
	}
	for _, o := range j.packageObjects(pkg) {
		if r, ok := j.types.nested(o, name); ok {
			return r, true
		}
	}
	return resolve.Ref{}, false
}
