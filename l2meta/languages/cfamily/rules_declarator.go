package cfamily

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// cNamed holds the name that a declarator declares and, if it declares a function, the part with
// the function's parameters.
type cNamed struct {
	name     syntax.Node // identifier, qualified_identifier, operator_name …; syntax.None for an abstract declarator
	function syntax.Node // the function_declarator around name, if it declares a function
}

// name returns the name inside a declarator: "f" of "*(*f(int))[3]".
func name(w *syntax.Walk, d syntax.Node) cNamed {
	c := cNamed{name: syntax.None, function: syntax.None}
	for d >= 0 {
		switch w.Kind(d) {
		case "identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name",
			"operator_name", "template_function", "template_method", "primitive_type":
			c.name = d
			if cast := conversion(w, d); cast >= 0 { // Job::operator bool() {…}
				c.function = w.Field(cast, "declarator")
			}
			return c
		case "operator_cast":
			c.name = d
			c.function = w.Field(d, "declarator")
			return c
		case "function_declarator":
			c.function = d
		case "pointer_declarator", "array_declarator", "reference_declarator":
			c.function = syntax.None
		}
		inner := w.Field(d, "declarator")
		if inner < 0 {
			inner = w.Child(d, "identifier", "field_identifier", "type_identifier", "qualified_identifier",
				"destructor_name", "operator_name",
				"template_function", "operator_cast", "function_declarator", "pointer_declarator", "array_declarator",
				"reference_declarator",
				"parenthesized_declarator", "init_declarator", "variadic_declarator")
		}
		d = inner
	}
	c.function = syntax.None
	return c
}

// conversion returns the conversion operator that a name denotes, operator bool of Job::operator bool;
// None for any other name.
func conversion(w *syntax.Walk, name syntax.Node) syntax.Node {
	for w.Is(name, "qualified_identifier") {
		name = w.Field(name, "name")
	}
	if w.Is(name, "operator_cast") {
		return name
	}
	return syntax.None
}

// cOwner splits a declared name, below the enclosing symbol: "a::B<T>::f" is f of owner "a.B".
// text is the name if it differs from the text of the node: "operator+" for "operator +".
func cOwner(w *syntax.Walk, name syntax.Node) (owner string, last syntax.Node, text string) {
	var scopes []string
	for w.Is(name, "qualified_identifier") {
		scope := w.Field(name, "scope")
		if w.Is(scope, "template_type") {
			scope = w.Field(scope, "name")
		}
		if s := w.Str(scope); s != "" {
			scopes = append(scopes, s)
		}
		inner := w.Field(name, "name")
		if inner < 0 {
			break
		}
		name = inner
	}
	for w.Is(name, "template_function", "template_type", "template_method") {
		name = w.Field(name, "name")
	}
	switch w.Kind(name) {
	case "operator_cast":
		text = "operator " + w.Line(w.Field(name, "type"))
	case "operator_name":
		text = w.Line(name)
		if rest := strings.TrimPrefix(text, "operator "); rest != text && (rest == "" || !syntax.IsIdentByte(rest[0])) {
			text = "operator" + rest
		}
	case "destructor_name":
		text = strings.ReplaceAll(w.Line(name), " ", "")
	}
	if len(scopes) == 0 {
		return "", name, text
	}
	outer := ""
	if w.Encloser >= 0 {
		outer = w.Out.Symbols[w.Encloser].QualifiedName
	}
	return syntax.Join(outer, strings.Join(scopes, ".")), name, text
}

// template returns the outermost declaration "template<…> …" or "friend …" that directly encloses
// n, or None.
func template(w *syntax.Walk, n syntax.Node) syntax.Node {
	from := syntax.None
	for p := w.Parent(n); w.Is(p, "template_declaration", "friend_declaration"); p = w.Parent(p) {
		from = p
	}
	return from
}

// modifiers returns the storage classes and function specifiers of a declaration.
func modifiers(w *syntax.Walk, n syntax.Node) (out []string) {
	for c := range w.Tree.Children(n) {
		switch w.Kind(c) {
		case "storage_class_specifier", "virtual", "virtual_function_specifier", "explicit_function_specifier":
			out = append(out, w.Line(c))
		case "type_qualifier":
			if s := w.Str(c); s == "constexpr" || s == "consteval" || s == "constinit" || s == "mutable" {
				out = append(out, s)
			}
		}
	}
	return out
}

// attributes returns the attributes of a declaration, as written.
func attributes(w *syntax.Walk, n syntax.Node) (out []string) {
	for c := range w.Named(n) {
		if w.Is(c, "attribute_specifier", "attribute_declaration", "ms_declspec_modifier") {
			out = append(out, w.Line(c))
		}
	}
	return out
}

// cType returns the type that declaration n gives to the name in declarator d, as written without
// the name: "const char *[]", "int (*)(void)". For a function it returns the result type.
func cType(w *syntax.Walk, n, d syntax.Node) string {
	var parts []string
	for c := range w.Named(n) {
		if c == d {
			break
		}
		switch {
		case w.Is(c, "type_qualifier") && !w.Says(c, "constexpr") && !w.Says(c, "mutable"):
			parts = append(parts, w.Str(c))
		case c == w.Field(n, "type"):
			parts = append(parts, typeName(w, c))
		}
	}
	base := strings.Join(parts, " ")
	c := name(w, d)
	core := d
	if w.Is(d, "init_declarator") {
		core = w.Field(d, "declarator")
	}
	if core < 0 || c.name < 0 {
		if d >= 0 {
			base += " " + w.Line(d)
		}
		return strings.TrimSpace(base)
	}
	before, behind := "", ""
	if c.function >= 0 {
		cast := conversion(w, c.name)
		if cast < 0 {
			before, behind = syntax.OneLine(w.Text[w.Start(core):w.Start(c.function)]),
				syntax.OneLine(w.Text[w.End(c.function):w.End(core)])
		}
		if t := w.Child(c.function, "trailing_return_type"); t >= 0 {
			return strings.TrimSpace(strings.TrimPrefix(w.Line(t), "->"))
		}
		if cast >= 0 {
			return typeName(w, w.Field(cast, "type"))
		}
	} else {
		before, behind = syntax.OneLine(w.Text[w.Start(core):w.Start(c.name)]),
			syntax.OneLine(w.Text[w.End(c.name):w.End(core)])
	}
	return strings.TrimSpace(base + " " + before + behind)
}

// typeName returns the text of a type, without the body if it is a record.
func typeName(w *syntax.Walk, typ syntax.Node) string {
	if body := w.Field(typ, "body"); body >= 0 {
		return syntax.OneLine(w.Text[w.Start(typ):w.Start(body)])
	}
	return w.Line(typ)
}

// parameters returns the parameters of a list, and their nodes. It returns none for "(void)".
func parameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter, at []syntax.Node) {
	for p := range w.Tree.Children(list) {
		switch w.Kind(p) {
		case "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration":
			d := w.Field(p, "declarator")
			param := code.Parameter{Type: cType(w, p, d), Default: w.Line(w.Field(p, "default_value"))}
			if c := name(w, d); c.name >= 0 {
				param.Name = w.Str(c.name)
				if c.function >= 0 { // a parameter int f(int) is a pointer to a function
					param.Type = strings.TrimSpace(w.Line(w.Field(p, "type")) + " (" +
						w.Line(w.Field(c.function, "parameters")) + ")")
				}
			}
			if w.Is(p, "variadic_parameter_declaration") {
				param.Variadic = true
			}
			if param.Type == "void" && param.Name == "" {
				continue
			}
			out, at = append(out, param), append(at, p)
		case "variadic_parameter", "...":
			out, at = append(out, code.Parameter{Name: "...", Variadic: true}), append(at, p)
		case "identifier": // K&R style: the types follow the list
			out, at = append(out, code.Parameter{Name: w.Str(p)}), append(at, p)
		}
	}
	return out, at
}

// oldTypes sets the types of parameters in the old (K&R) style, which are declared between the
// parameter list and the body: int f(a) int a; { … }.
func oldTypes(w *syntax.Walk, n syntax.Node, params []code.Parameter) {
	for c := range w.Named(n) {
		if !w.Is(c, "declaration") {
			continue
		}
		for d := range w.All(c, "declarator") {
			name := w.Str(name(w, d).name)
			for i := range params {
				if params[i].Name == name && params[i].Type == "" {
					params[i].Type = cType(w, c, d)
				}
			}
		}
	}
}
