package python

import (
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rules returns the rules for Python 3 files. An attribute that a method assigns on its first
// parameter is a field of the class, a name in capitals is a constant, a property is not a method,
// and a lambda that is assigned to a name is a function.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment", "line_continuation"},
		Hidden:   hiddenNames,
		File:     func(w *syntax.Walk, _ syntax.Node) { w.State = &pythonFile{declared: map[pythonName]bool{}} },
		Finish:   finish,
		Handlers: map[string]syntax.Handler{
			"decorated_definition":     decorated,
			"class_definition":         func(w *syntax.Walk, n syntax.Node) { class(w, n, n, nil) },
			"function_definition":      func(w *syntax.Walk, n syntax.Node) { function(w, n, n, nil) },
			"assignment":               assignment,
			"augmented_assignment":     augmented,
			"type_alias_statement":     typeAlias,
			"import_statement":         pythonImport,
			"import_from_statement":    pythonFrom,
			"future_import_statement":  pythonFrom,
			"if_statement":             pythonIf,
			"for_statement":            pythonFor,
			"with_item":                with,
			"named_expression":         named,
			"call":                     call,
			"elif_clause":              pythonElif,
			"else_clause":              block("else"),
			"while_statement":          pythonWhile,
			"assert_statement":         pythonAssert,
			"boolean_operator":         pythonBoolean,
			"conditional_expression":   pythonConditional,
			"try_statement":            block("try"),
			"except_clause":            except,
			"except_group_clause":      except,
			"case_clause":              pythonCase,
			"global_statement":         outer("global"),
			"nonlocal_statement":       outer("nonlocal"),
			"attribute":                attributeAccess,
			"return_statement":         pythonReturn,
			"yield":                    yield,
			"lambda":                   anonymous,
			"list_comprehension":       comprehension,
			"set_comprehension":        comprehension,
			"dictionary_comprehension": comprehension,
			"generator_expression":     comprehension,
		},
	}
}

// pythonFile is the state of the rules for one file.
type pythonFile struct {
	declared map[pythonName]bool // variables and fields so far: a name is declared once per scope
	public   map[string]bool     // the names in __all__; nil if there is none
	typeOnly bool                // whether the walk is within "if TYPE_CHECKING:"
	refs     []syntax.Reference  // names passed as arguments; finish keeps those of functions
	// While a = b = value is visited, chained is the node of b = value, and assigned is the node of
	// value.
	chained, assigned syntax.Node
	// pattern is the outermost target of the assignment that is being read, (a, b) of (a, b) = c; 0 if that
	// target is a name.
	pattern syntax.Node
}

type pythonName struct {
	scope int
	name  string
}

func fileOf(w *syntax.Walk) *pythonFile { return w.State.(*pythonFile) }

// finish applies rules that need the whole file: __all__ decides which names are exported, and
// arguments that name a function are references.
func finish(w *syntax.Walk) {
	p := fileOf(w)
	for i := range w.Out.Symbols {
		s := &w.Out.Symbols[i]
		switch {
		case s.Parent >= 0:
			s.Exported = s.Exported && w.Out.Symbols[s.Parent].Exported
		case p.public != nil:
			s.Exported = p.public[s.Name]
		}
	}
	w.KeepReferences(p.refs)
	keepGiven(w)
}

func decorated(w *syntax.Walk, n syntax.Node) {
	def := w.Field(n, "definition")
	var decorators []syntax.Node
	for c := range w.Named(n) {
		if w.Is(c, "decorator") {
			decorators = append(decorators, c)
		}
	}
	switch w.Kind(def) {
	case "class_definition":
		class(w, def, n, decorators)
	case "function_definition":
		function(w, def, n, decorators)
	default:
		w.Children(n)
	}
}

// applied returns the expression of a decorator. It returns syntax.None if there is none.
func applied(w *syntax.Walk, decorator syntax.Node) syntax.Node {
	for c := range w.Named(decorator) {
		return c
	}
	return syntax.None
}

// pythonDecorators records decorators as calls of the symbol that they decorate.
func pythonDecorators(w *syntax.Walk, s int, decorators []syntax.Node) {
	for _, d := range decorators {
		applied, args := applied(w, d), 0
		if applied < 0 {
			continue
		}
		fn := applied
		if w.Is(applied, "call") {
			fn = w.Field(applied, "function")
			args = pythonArgs(w, w.Field(applied, "arguments"))
		}
		outer := w.Encloser
		w.Encloser = s
		name, receiver := callee(w, fn)
		w.Call(code.CallDecorator, applied, name, receiver, args)
		if fn != applied {
			w.Visit(receiver)
			w.Children(w.Field(applied, "arguments"))
		}
		w.Encloser = outer
	}
}

func class(w *syntax.Walk, n, from syntax.Node, decorators []syntax.Node) {
	name, bases := w.Field(n, "name"), w.Field(n, "superclasses")
	d := syntax.Decl{Kind: code.KindClass, Node: n, Name: name, Annotations: annotations(w, decorators)}
	for b := range w.Named(bases) {
		if isEnum(w.Str(b)) {
			d.Kind = code.KindEnum
		}
	}
	s := declare(w, d, n, from)
	for b := range w.Named(bases) {
		if !w.Is(b, "keyword_argument", "dictionary_splat", "list_splat") {
			w.Fact(code.FactBase, s, "", w.Line(b), b)
		}
	}
	pythonDecorators(w, s, decorators)
	w.Inside(s, bases, w.Field(n, "body"))
}

// isEnum reports whether a base makes a class an enumeration of the standard library.
func isEnum(base string) bool {
	switch strings.TrimPrefix(base, "enum.") {
	case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum":
		return true
	}
	return false
}

// annotations returns the decorators as written.
func annotations(w *syntax.Walk, decorators []syntax.Node) (out []string) {
	for _, d := range decorators {
		out = append(out, "@"+w.Line(applied(w, d))) // excludes a comment, which the decorator's node may include
	}
	return out
}

// declare declares a class or function: from its decorators (from) to its last token, with its
// docstring as its doc.
func declare(w *syntax.Walk, d syntax.Decl, n, from syntax.Node) int {
	colon, body := w.Child(n, ":"), w.Field(n, "body")
	if from != n {
		d.From, d.Sig = from, n
	}
	d.To, d.Body = w.LastToken(n), max(colon, 0)
	d.Exported = exported(w, w.Str(d.Name))
	d.Doc = docstring(w, body)
	s := w.Declare(d)
	if colon > 0 {
		// A comment may be between the colon and the block.
		start, end := w.End(colon), w.Out.Symbols[s].Span.EndByte
		for start < end && strings.IndexByte(" \t\r\n\\", w.Text[start]) >= 0 {
			start++
		}
		w.Out.Symbols[s].Body = [2]int{start, end}
	}
	return s
}

// exported reports whether name is public by its spelling and not local to a function.
func exported(w *syntax.Walk, name string) bool {
	if strings.HasPrefix(name, "_") && !(strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")) {
		return false
	}
	return w.Encloser < 0 || inClass(w)
}

// inClass reports whether the current node is in the block of a class.
func inClass(w *syntax.Walk) bool {
	if w.Encloser < 0 {
		return false
	}
	k := w.Out.Symbols[w.Encloser].Kind
	return k == code.KindClass || k == code.KindEnum
}

func function(w *syntax.Walk, n, from syntax.Node, decorators []syntax.Node) {
	params, returns := w.Field(n, "parameters"), w.Field(n, "return_type")
	d := syntax.Decl{
		Kind: functionKind(w, w.Str(w.Field(n, "name"))), Node: n, Name: w.Field(n, "name"),
		Parameters: parameters(w, params), Returns: w.Line(returns), Annotations: annotations(w, decorators),
	}
	if w.Has(n, "async") {
		d.Modifiers = append(d.Modifiers, "async")
	}
	for _, a := range d.Annotations {
		switch a = decoratorName(a); a {
		case "property", "cached_property", "setter", "deleter", "getter", "abstractproperty":
			if d.Kind == code.KindMethod {
				d.Kind, d.Computed = code.KindProperty, true
			}
		case "staticmethod":
			d.Modifiers = append(d.Modifiers, "static")
		case "classmethod":
			d.Modifiers = append(d.Modifiers, "classmethod")
		case "abstractmethod":
			d.Modifiers = append(d.Modifiers, "abstract")
		}
	}
	if d.Kind == code.KindConstructor {
		giveDefaults(w, params)
	}
	s := declare(w, d, n, from)
	pythonDecorators(w, s, decorators)
	for _, p := range d.Parameters {
		w.Fact(code.FactParam, s, p.Name, p.Type, params)
	}
	w.Fact(code.FactResult, s, "", d.Returns, returns)
	w.Inside(s, params, returns, w.Field(n, "body"))
}

// decoratorName returns the last name of a decorator: "setter" of "@x.setter".
func decoratorName(decorator string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(decorator, "@")), "(")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// functionKind distinguishes functions, methods, constructors and tests. A test is a function
// test* in a test file, as pytest and unittest collect them.
func functionKind(w *syntax.Walk, name string) code.Kind {
	if w.Encloser < 0 || inClass(w) {
		if strings.HasPrefix(name, "test") && testFile(w.Out.Path) {
			return code.KindTest
		}
	}
	switch {
	case !inClass(w):
		return code.KindFunction
	case name == "__init__":
		return code.KindConstructor
	}
	return code.KindMethod
}

func testFile(path string) bool {
	base := code.Base(path)
	return strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py")
}

func parameters(w *syntax.Walk, list syntax.Node) (out []code.Parameter) {
	for p := range w.Named(list) {
		out = pythonParameter(w, out, p)
	}
	return out
}

// pythonParameter appends one parameter. The stars of *args and **kwargs become the start of its
// type: "*int" for *args: int, and "**" for **kwargs.
func pythonParameter(w *syntax.Walk, out []code.Parameter, p syntax.Node) []code.Parameter {
	param := code.Parameter{Type: w.Line(w.Field(p, "type")), Default: w.Line(w.Field(p, "value"))}
	name := p
	switch w.Kind(p) {
	case "default_parameter", "typed_default_parameter":
		name = w.Field(p, "name")
	case "typed_parameter":
		name = p + 1
	case "keyword_separator", "positional_separator", "ERROR":
		return out
	}
	stars := ""
	switch w.Kind(name) {
	case "list_splat_pattern":
		stars = "*"
	case "dictionary_splat_pattern":
		stars = "**"
	}
	param.Name = strings.TrimSpace(strings.TrimPrefix(w.Line(name), stars))
	param.Type, param.Variadic = stars+param.Type, stars != ""
	return append(out, param)
}

// docstring returns the text of the string at the start of a block; "" if there is none.
func docstring(w *syntax.Walk, body syntax.Node) string {
	for first := range w.Named(body) {
		if s := w.Child(first, "string", "concatenated_string"); w.Is(first, "expression_statement") && s == first+1 {
			return dedent(stringText(w, s))
		}
		break
	}
	return ""
}

// stringText returns the text between the quotes of a Python string, as written.
func stringText(w *syntax.Walk, s syntax.Node) string {
	open, end := w.Child(s, "string_start"), w.Child(s, "string_end")
	if open < 0 || end < 0 {
		return ""
	}
	return string(w.Text[w.End(open):w.Start(end)])
}

// dedent strips the indentation that all lines after the first share.
func dedent(doc string) string {
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

// allCaps reports whether name is spelled as a constant: without lower-case letters.
func allCaps(name string) bool {
	return strings.IndexFunc(name, unicode.IsUpper) >= 0 && strings.IndexFunc(name, unicode.IsLower) < 0
}
