package l2meta

import (
	"strings"
	"unicode"

	"sextant/internal/code"
)

// pythonRules reads Python 3. Where it departs from the letter of the
// language it follows what readers call things: an attribute that a method
// assigns on its first parameter is a field of the class, a name in capitals
// is a constant, a property is a property and not a method, a lambda with a
// name is a function.
func pythonRules() *rules {
	return &rules{
		comments: []string{"comment", "line_continuation"},
		file:     func(w *walk, _ node) { w.state = &pythonFile{declared: map[pythonName]bool{}} },
		finish:   pythonFinish,
		handlers: map[string]handler{
			"decorated_definition":     pythonDecorated,
			"class_definition":         func(w *walk, n node) { pythonClass(w, n, n, nil) },
			"function_definition":      func(w *walk, n node) { pythonFunction(w, n, n, nil) },
			"assignment":               pythonAssignment,
			"augmented_assignment":     pythonAugmented,
			"type_alias_statement":     pythonTypeAlias,
			"import_statement":         pythonImport,
			"import_from_statement":    pythonFrom,
			"future_import_statement":  pythonFrom,
			"if_statement":             pythonIf,
			"for_statement":            pythonFor,
			"with_item":                pythonWith,
			"named_expression":         pythonNamed,
			"call":                     pythonCall,
			"elif_clause":              pythonBlock("elif"),
			"else_clause":              pythonBlock("else"),
			"while_statement":          pythonBlock("while"),
			"try_statement":            pythonBlock("try"),
			"except_clause":            pythonExcept,
			"except_group_clause":      pythonExcept,
			"case_clause":              pythonCase,
			"global_statement":         pythonOuter("global"),
			"nonlocal_statement":       pythonOuter("nonlocal"),
			"return_statement":         pythonReturn,
			"yield":                    pythonYield,
			"lambda":                   pythonAnonymous,
			"list_comprehension":       pythonComprehension,
			"set_comprehension":        pythonComprehension,
			"dictionary_comprehension": pythonComprehension,
			"generator_expression":     pythonComprehension,
		},
	}
}

// pythonFile is the state of one file.
type pythonFile struct {
	declared map[pythonName]bool // variables and fields: a name is declared once in a scope
	public   map[string]bool     // what __all__ lists; nil without one
	typeOnly bool                // within "if TYPE_CHECKING:"
	refs     []reference
	// chained is the rest of the chain a = b = value at hand, assigned its value.
	chained, assigned node
}

type pythonName struct {
	scope int
	name  string
}

func pythonFileOf(w *walk) *pythonFile { return w.state.(*pythonFile) }

// pythonFinish settles what only the whole file tells: __all__ decides what is
// exported where it stands, and arguments that name a function are references.
func pythonFinish(w *walk) {
	p := pythonFileOf(w)
	for i := range w.out.Symbols {
		s := &w.out.Symbols[i]
		switch {
		case s.Parent >= 0:
			s.Exported = s.Exported && w.out.Symbols[s.Parent].Exported
		case p.public != nil:
			s.Exported = p.public[s.Name]
		}
	}
	w.keepReferences(p.refs)
}

func pythonDecorated(w *walk, n node) {
	def := w.field(n, "definition")
	var decorators []node
	for c := range w.named(n) {
		if w.is(c, "decorator") {
			decorators = append(decorators, c)
		}
	}
	switch w.kind(def) {
	case "class_definition":
		pythonClass(w, def, n, decorators)
	case "function_definition":
		pythonFunction(w, def, n, decorators)
	default:
		w.children(n)
	}
}

// pythonApplied is the expression of a decorator.
func pythonApplied(w *walk, decorator node) node {
	for c := range w.named(decorator) {
		return c
	}
	return none
}

// pythonDecorators records decorators as calls of the symbol they stand on.
func pythonDecorators(w *walk, s int, decorators []node) {
	for _, d := range decorators {
		applied, args := pythonApplied(w, d), 0
		if applied < 0 {
			continue
		}
		fn := applied
		if w.is(applied, "call") {
			fn = w.field(applied, "function")
			args = pythonArgs(w, w.field(applied, "arguments"))
		}
		outer := w.encloser
		w.encloser = s
		name, receiver := pythonCallee(w, fn)
		w.call(code.CallDecorator, applied, name, receiver, args)
		if fn != applied {
			w.visit(receiver)
			w.children(w.field(applied, "arguments"))
		}
		w.encloser = outer
	}
}

func pythonClass(w *walk, n, from node, decorators []node) {
	name, bases := w.field(n, "name"), w.field(n, "superclasses")
	d := decl{kind: code.KindClass, node: n, name: name, annotations: pythonAnnotations(w, decorators)}
	for b := range w.named(bases) {
		if pythonIsEnum(w.str(b)) {
			d.kind = code.KindEnum
		}
	}
	s := pythonDeclare(w, d, n, from)
	for b := range w.named(bases) {
		if !w.is(b, "keyword_argument", "dictionary_splat", "list_splat") {
			w.fact(code.FactBase, s, "", w.line(b), b)
		}
	}
	pythonDecorators(w, s, decorators)
	w.inside(s, bases, w.field(n, "body"))
}

// pythonIsEnum reports whether a class with that base is an enumeration of
// the standard library.
func pythonIsEnum(base string) bool {
	switch strings.TrimPrefix(base, "enum.") {
	case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum":
		return true
	}
	return false
}

// pythonAnnotations are the decorators as written.
func pythonAnnotations(w *walk, decorators []node) (out []string) {
	for _, d := range decorators {
		out = append(out, "@"+w.line(pythonApplied(w, d))) // the node itself runs on over a comment on its line
	}
	return out
}

// pythonDeclare declares a class or function: with its decorators (from), up
// to its last token, its docstring as its doc.
func pythonDeclare(w *walk, d decl, n, from node) int {
	colon, body := w.child(n, ":"), w.field(n, "body")
	if from != n {
		d.from, d.sig = from, n
	}
	d.to, d.body = w.lastToken(n), max(colon, 0)
	d.exported = pythonExported(w, w.str(d.name))
	d.doc = pythonDocstring(w, body)
	s := w.declare(d)
	if colon > 0 {
		// A comment may stand between the colon and the block.
		start, end := w.end(colon), w.out.Symbols[s].Span.EndByte
		for start < end && strings.IndexByte(" \t\r\n\\", w.text[start]) >= 0 {
			start++
		}
		w.out.Symbols[s].Body = [2]int{start, end}
	}
	return s
}

// pythonExported reports whether name is public by its spelling and not local
// to a function.
func pythonExported(w *walk, name string) bool {
	if strings.HasPrefix(name, "_") && !(strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")) {
		return false
	}
	return w.encloser < 0 || pythonInClass(w)
}

// pythonInClass reports whether the node at hand is in the block of a class.
func pythonInClass(w *walk) bool {
	if w.encloser < 0 {
		return false
	}
	k := w.out.Symbols[w.encloser].Kind
	return k == code.KindClass || k == code.KindEnum
}

func pythonFunction(w *walk, n, from node, decorators []node) {
	params, returns := w.field(n, "parameters"), w.field(n, "return_type")
	d := decl{
		kind: pythonFunctionKind(w, w.str(w.field(n, "name"))), node: n, name: w.field(n, "name"),
		parameters: pythonParameters(w, params), returns: w.line(returns), annotations: pythonAnnotations(w, decorators),
	}
	if w.has(n, "async") {
		d.modifiers = append(d.modifiers, "async")
	}
	for _, a := range d.annotations {
		switch a = pythonDecoratorName(a); a {
		case "property", "cached_property", "setter", "deleter", "getter", "abstractproperty":
			if d.kind == code.KindMethod {
				d.kind = code.KindProperty
			}
		case "staticmethod":
			d.modifiers = append(d.modifiers, "static")
		case "classmethod":
			d.modifiers = append(d.modifiers, "classmethod")
		case "abstractmethod":
			d.modifiers = append(d.modifiers, "abstract")
		}
	}
	s := pythonDeclare(w, d, n, from)
	pythonDecorators(w, s, decorators)
	for _, p := range d.parameters {
		w.fact(code.FactParam, s, p.Name, p.Type, params)
	}
	w.fact(code.FactResult, s, "", d.returns, returns)
	w.inside(s, params, returns, w.field(n, "body"))
}

// pythonDecoratorName is the last name of a decorator: "setter" of "@x.setter".
func pythonDecoratorName(decorator string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(decorator, "@")), "(")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// pythonFunctionKind tells a function from a method, a constructor and a test
// as pytest and unittest collect them: test* in a test file.
func pythonFunctionKind(w *walk, name string) code.Kind {
	if w.encloser < 0 || pythonInClass(w) {
		if strings.HasPrefix(name, "test") && pythonTestFile(w.out.Path) {
			return code.KindTest
		}
	}
	switch {
	case !pythonInClass(w):
		return code.KindFunction
	case name == "__init__":
		return code.KindConstructor
	}
	return code.KindMethod
}

func pythonTestFile(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py")
}

func pythonParameters(w *walk, list node) (out []code.Parameter) {
	for p := range w.named(list) {
		out = pythonParameter(w, out, p)
	}
	return out
}

// pythonParameter adds one parameter. The stars of *args and **kwargs stand
// before the type, which may be nothing else.
func pythonParameter(w *walk, out []code.Parameter, p node) []code.Parameter {
	param := code.Parameter{Type: w.line(w.field(p, "type")), Default: w.line(w.field(p, "value"))}
	name := p
	switch w.kind(p) {
	case "default_parameter", "typed_default_parameter":
		name = w.field(p, "name")
	case "typed_parameter":
		name = p + 1
	case "keyword_separator", "positional_separator", "ERROR":
		return out
	}
	stars := ""
	switch w.kind(name) {
	case "list_splat_pattern":
		stars = "*"
	case "dictionary_splat_pattern":
		stars = "**"
	}
	param.Name = strings.TrimSpace(strings.TrimPrefix(w.line(name), stars))
	param.Type, param.Variadic = stars+param.Type, stars != ""
	return append(out, param)
}

// pythonDocstring is the text of the string that opens a block.
func pythonDocstring(w *walk, body node) string {
	for first := range w.named(body) {
		if s := w.child(first, "string", "concatenated_string"); w.is(first, "expression_statement") && s == first+1 {
			return pythonDedent(pythonStringText(w, s))
		}
		break
	}
	return ""
}

// pythonStringText is what stands between the quotes of a Python string, as written.
func pythonStringText(w *walk, s node) string {
	open, end := w.child(s, "string_start"), w.child(s, "string_end")
	if open < 0 || end < 0 {
		return ""
	}
	return string(w.text[w.end(open):w.start(end)])
}

// pythonDedent strips the indentation that all lines after the first share.
func pythonDedent(doc string) string {
	lines := strings.Split(strings.ReplaceAll(doc, "\r\n", "\n"), "\n")
	indent := -1
	for _, l := range lines[1:] {
		if rest := strings.TrimLeft(l, " \t"); rest != "" && (indent < 0 || len(l)-len(rest) < indent) {
			indent = len(l) - len(rest)
		}
	}
	for i, l := range lines {
		if i > 0 && indent > 0 {
			l = l[min(indent, len(l)):]
		}
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// allCaps reports whether name is spelled as a constant: letters, none of
// them in lower case.
func allCaps(name string) bool {
	return strings.IndexFunc(name, unicode.IsUpper) >= 0 && strings.IndexFunc(name, unicode.IsLower) < 0
}
