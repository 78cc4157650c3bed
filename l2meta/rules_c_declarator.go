package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// cNamed is what a declarator declares.
type cNamed struct {
	name     node // identifier, qualified_identifier, operator_name …; none for an abstract declarator
	function node // the function_declarator around name, when that makes it a function
}

// cName follows a declarator to the name inside: "f" of "*(*f(int))[3]".
func cName(w *walk, d node) cNamed {
	c := cNamed{name: none, function: none}
	for d >= 0 {
		switch w.kind(d) {
		case "identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name", "operator_name",
			"template_function", "template_method", "primitive_type":
			c.name = d
			return c
		case "operator_cast":
			c.name = d
			c.function = w.field(d, "declarator")
			return c
		case "function_declarator":
			c.function = d
		case "pointer_declarator", "array_declarator", "reference_declarator":
			c.function = none
		}
		inner := w.field(d, "declarator")
		if inner < 0 {
			inner = w.child(d, "identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name", "operator_name",
				"template_function", "operator_cast", "function_declarator", "pointer_declarator", "array_declarator", "reference_declarator",
				"parenthesized_declarator", "init_declarator", "variadic_declarator")
		}
		d = inner
	}
	c.function = none
	return c
}

// cOwner takes a declared name apart: "a::B<T>::f" is f of owner "a.B", below
// the enclosing symbol. text is the name where that is not the node's text.
func cOwner(w *walk, name node) (owner string, last node, text string) {
	var scopes []string
	for w.is(name, "qualified_identifier") {
		scope := w.field(name, "scope")
		if w.is(scope, "template_type") {
			scope = w.field(scope, "name")
		}
		if s := w.str(scope); s != "" {
			scopes = append(scopes, s)
		}
		inner := w.field(name, "name")
		if inner < 0 {
			break
		}
		name = inner
	}
	for w.is(name, "template_function", "template_type", "template_method") {
		name = w.field(name, "name")
	}
	switch w.kind(name) {
	case "operator_cast":
		text = "operator " + w.line(w.field(name, "type"))
	case "operator_name":
		text = w.line(name)
		if rest := strings.TrimPrefix(text, "operator "); rest != text && (rest == "" || !isIdentByte(rest[0])) {
			text = "operator" + rest
		}
	case "destructor_name":
		text = strings.ReplaceAll(w.line(name), " ", "")
	}
	if len(scopes) == 0 {
		return "", name, text
	}
	outer := ""
	if w.encloser >= 0 {
		outer = w.out.Symbols[w.encloser].QualifiedName
	}
	return join(outer, strings.Join(scopes, ".")), name, text
}

// cTemplate is the outermost template or friend declaration around n, none
// without one.
func cTemplate(w *walk, n node) node {
	from := none
	for p := w.parent(n); w.is(p, "template_declaration", "friend_declaration"); p = w.parent(p) {
		from = p
	}
	return from
}

// cModifiers are the storage classes and function specifiers of a declaration.
func cModifiers(w *walk, n node) (out []string) {
	for c := range w.tree.children(n) {
		switch w.kind(c) {
		case "storage_class_specifier", "virtual", "virtual_function_specifier", "explicit_function_specifier":
			out = append(out, w.line(c))
		case "type_qualifier":
			if s := w.str(c); s == "constexpr" || s == "consteval" || s == "constinit" || s == "mutable" {
				out = append(out, s)
			}
		}
	}
	return out
}

// cAttributes are the attributes of a declaration, as written.
func cAttributes(w *walk, n node) (out []string) {
	for c := range w.named(n) {
		if w.is(c, "attribute_specifier", "attribute_declaration", "ms_declspec_modifier") {
			out = append(out, w.line(c))
		}
	}
	return out
}

// cType is the type that declaration n gives to the name in declarator d, as
// it would be written without the name: "const char *[]", "int (*)(void)". Of
// a function it is the result.
func cType(w *walk, n, d node) string {
	var parts []string
	for c := range w.named(n) {
		if c == d {
			break
		}
		switch {
		case w.is(c, "type_qualifier") && !w.says(c, "constexpr") && !w.says(c, "mutable"):
			parts = append(parts, w.str(c))
		case c == w.field(n, "type"):
			parts = append(parts, cTypeName(w, c))
		}
	}
	base := strings.Join(parts, " ")
	c := cName(w, d)
	core := d
	if w.is(d, "init_declarator") {
		core = w.field(d, "declarator")
	}
	if core < 0 || c.name < 0 {
		if d >= 0 {
			base += " " + w.line(d)
		}
		return strings.TrimSpace(base)
	}
	before, behind := "", ""
	if c.function >= 0 {
		if !w.is(c.name, "operator_cast") {
			before, behind = oneLine(w.text[w.start(core):w.start(c.function)]), oneLine(w.text[w.end(c.function):w.end(core)])
		}
		if t := w.child(c.function, "trailing_return_type"); t >= 0 {
			return strings.TrimSpace(strings.TrimPrefix(w.line(t), "->"))
		}
		if w.is(c.name, "operator_cast") {
			return cTypeName(w, w.field(c.name, "type"))
		}
	} else {
		before, behind = oneLine(w.text[w.start(core):w.start(c.name)]), oneLine(w.text[w.end(c.name):w.end(core)])
	}
	return strings.TrimSpace(base + " " + before + behind)
}

// cTypeName is a type without the body of a record.
func cTypeName(w *walk, typ node) string {
	if body := w.field(typ, "body"); body >= 0 {
		return oneLine(w.text[w.start(typ):w.start(body)])
	}
	return w.line(typ)
}

// cParameters reads a parameter list. "(void)" is none.
func cParameters(w *walk, list node) (out []code.Parameter, at []node) {
	for p := range w.tree.children(list) {
		switch w.kind(p) {
		case "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration":
			d := w.field(p, "declarator")
			param := code.Parameter{Type: cType(w, p, d), Default: w.line(w.field(p, "default_value"))}
			if c := cName(w, d); c.name >= 0 {
				param.Name = w.str(c.name)
				if c.function >= 0 { // a function as parameter is a pointer to it
					param.Type = strings.TrimSpace(w.line(w.field(p, "type")) + " (" + w.line(w.field(c.function, "parameters")) + ")")
				}
			}
			if w.is(p, "variadic_parameter_declaration") {
				param.Variadic = true
			}
			if param.Type == "void" && param.Name == "" {
				continue
			}
			out, at = append(out, param), append(at, p)
		case "variadic_parameter", "...":
			out, at = append(out, code.Parameter{Name: "...", Variadic: true}), append(at, p)
		case "identifier": // K&R: the types follow the list
			out, at = append(out, code.Parameter{Name: w.str(p)}), append(at, p)
		}
	}
	return out, at
}

// cOldTypes fills in the types of K&R parameters from the declarations before
// the body.
func cOldTypes(w *walk, n node, params []code.Parameter) {
	for c := range w.named(n) {
		if !w.is(c, "declaration") {
			continue
		}
		for d := range w.all(c, "declarator") {
			name := w.str(cName(w, d).name)
			for i := range params {
				if params[i].Name == name && params[i].Type == "" {
					params[i].Type = cType(w, c, d)
				}
			}
		}
	}
}
