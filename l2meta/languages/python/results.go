package python

import (
	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
	"slices"
	"strings"
	"unicode"
)

func (p Language) Result(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	switch f.Kind {
	case resolve.Class:
		return instance(f.Ref, f.How).Via(resolve.TypedValue)
	case resolve.Function:
		if v := result(s.W, f); v.Kind != resolve.Unknown {
			return recordsOf(s.W, f, v)
		}
		return p.resultByArgument(s, f, e)
	case resolve.Foreign:
		return p.foreignResult(s, f, e)
	case resolve.Instance:
		if head, args := container(f); containers[head] == -3 && len(args) == 2 {
			return typed(s.W, f.Type.With(args[1])).Via(f.How).Via(resolve.TypedResult)
		}
	}
	return resolve.Value{}
}

// resultByArgument evaluates a call of a function whose result type is a type variable that an
// argument binds: def make(cls: type[T]) -> T.
func (p Language) resultByArgument(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	if !f.Ref.Valid() || !transparent(f.Ref.Symbol()) || slices.Contains(f.Ref.Symbol().Modifiers, "async") {
		return resolve.Value{}
	}
	for _, r := range append(overloads(f.Ref), f.Ref) {
		if v := p.byArgument(s, r, e); v.Kind != resolve.Unknown {
			return v
		}
	}
	return resolve.Value{}
}

// byArgument evaluates a call of r whose result is a type variable that an argument binds: def
// first(x: T) -> T, def make(kind: Type[T]) -> T.
func (p Language) byArgument(s resolve.Scope, r resolve.Ref, e *expr.Expr) resolve.Value {
	function := r.Symbol()
	returns := unquote(function.Returns)
	if returns == "" || strings.HasSuffix(returns, "Self") || !isTypeVar(s.W, r.File, returns) {
		return resolve.Value{}
	}
	skip := 0
	if methodOf(r.File, r.Index) >= 0 && first(r.File, r.Index) != "" {
		skip = 1
	}
	for i, param := range function.Parameters[min(skip, len(function.Parameters)):] {
		head, argument := pyHead(unquote(param.Type))
		last := head[strings.LastIndexByte(head, '.')+1:]
		made := last == "type" || last == "Type" || last == "Callable"
		if made && !strings.HasSuffix(argument, returns) || !made && head != returns || param.Variadic {
			continue
		}
		v := resolve.Eval(p, s, pyArgument(e.Args, i, param.Name))
		switch {
		case made && v.Kind == resolve.Class:
			return instance(v.Ref, v.How).Via(resolve.TypedResult)
		case !made && v.Kind == resolve.Instance:
			return v.Via(resolve.TypedResult)
		}
		return resolve.Value{}
	}
	return resolve.Value{}
}

// pyArgument returns the argument that a call passes for parameter i, called name; an empty Expr
// if there is none.
func pyArgument(args []*expr.Expr, i int, name string) *expr.Expr {
	for at, a := range args {
		if strings.HasPrefix(a.Text, "*") {
			break
		}
		key, value, named := strings.Cut(a.Text, "=")
		if named && strings.TrimSpace(key) == name {
			return expr.Parse(value, dialect)
		}
		if at == i && a.Op != expr.OpUnknown {
			return a
		}
	}
	return &expr.Expr{}
}

// result evaluates a call of a declared function, by its declared result type or its return
// statements.
func result(w *resolve.World, f resolve.Value) resolve.Value {
	if f.Kind != resolve.Function || !f.Ref.Valid() || !transparent(f.Ref.Symbol()) {
		return resolve.Value{}
	}
	s := f.Ref.Symbol()
	v := resolve.Value{}
	switch overloads := overloads(f.Ref); {
	case len(overloads) > 0:
		v = agreed(w, f, overloads)
	case s.Returns != "":
		v = writtenResult(w, f)
	default:
		v = inferred(w, f)
	}
	if v.Kind == resolve.Unknown {
		return v
	}
	if slices.Contains(s.Modifiers, "async") && !asyncIterator(v) {
		if v.Kind != resolve.Instance && v.Kind != resolve.Foreign {
			return resolve.Value{}
		}
		if v.Kind == resolve.Foreign {
			return resolve.Value{}
		}
		v.Module = awaited
	}
	return v.Via(f.How).Via(resolve.TypedResult)
}

// overloads returns the declarations of a function that are decorated with @overload.
func overloads(r resolve.Ref) (out []resolve.Ref) {
	for _, i := range r.File.Children(r.Symbol().Parent) {
		s := &r.File.Symbols[i]
		if s.Name == r.Symbol().Name && slices.ContainsFunc(s.Annotations, func(a string) bool {
			return strings.HasSuffix(a, "overload")
		}) {
			out = append(out, r.File.Ref(i))
		}
	}
	return out
}

// agreed returns the common result of all overloads of f; the zero Value if their results differ
// or one is unknown.
func agreed(w *resolve.World, f resolve.Value, overloads []resolve.Ref) (v resolve.Value) {
	for i, o := range overloads {
		f.Ref = o
		x := writtenResult(w, f)
		if x.Kind == resolve.Unknown || i > 0 && !same(v, x) {
			return resolve.Value{}
		}
		v = x
	}
	return v
}

func asyncIterator(v resolve.Value) bool {
	head, _ := container(v)
	return head == "AsyncIterator" || head == "AsyncGenerator" || head == "AsyncIterable"
}

// writtenResult returns a value of the result type that a function declares. Self means the class
// of the receiver. So does a type variable that is also the type of the first parameter: def
// copy(self: T) -> T.
func writtenResult(w *resolve.World, f resolve.Value) resolve.Value {
	s := f.Ref.Symbol()
	t := resolve.Type{Text: s.Returns, File: f.Ref.File, Scope: s.Parent}
	class := receiver(f)
	if class.Valid() {
		t.Bind = &resolve.Binding{Name: "Self", Type: resolve.Type{File: class.File, Scope: class.Index}}
	}
	returns := unquote(s.Returns)
	if isTypeVar(w, t.File, returns) && returns != "Self" && !strings.HasSuffix(returns, ".Self") {
		if class.Valid() && len(s.Parameters) > 0 && strings.Contains(s.Parameters[0].Type, returns) {
			return instance(class, "")
		}
		return resolve.Value{}
	}
	return typed(w, t)
}

type resultKey struct {
	file  int64
	index int
	class int64
	of    int
}

// inferred returns the common value of all return statements of a function. It returns the zero
// Value if they differ, if one is unknown, or if the function is a generator.
func inferred(w *resolve.World, f resolve.Value) resolve.Value {
	class := receiver(f)
	key := resultKey{file: f.Ref.File.ID, index: f.Ref.Index, of: -1}
	if class.Valid() {
		key.class, key.of = class.File.ID, class.Index
	}
	return resolve.Derive(w, key, func() (v resolve.Value) {
		given := names(f.Ref.File).returns[f.Ref.Index]
		for _, fact := range given {
			if fact.Name == "yield" {
				return resolve.Value{}
			}
			x := returned(w, f, class, fact)
			switch {
			case isNone(x):
			case x.Kind == resolve.Unknown || v.Kind != resolve.Unknown && !same(v, x):
				return resolve.Value{}
			default:
				v = x
			}
		}
		return v
	})
}

// returned evaluates the expression of one return statement of f. "return self" gives an object of
// class, the receiver's class, and so does "return cls()" in a class method.
func returned(w *resolve.World, f resolve.Value, class resolve.Ref, fact *code.Fact) resolve.Value {
	e := expr.Parse(fact.Type, dialect)
	own := e
	if slices.Contains(f.Ref.Symbol().Modifiers, "classmethod") {
		own = nil
		if e.Op == expr.OpCall {
			own = e.X
		}
	}
	if class.Valid() && own != nil && own.Op == expr.OpName && own.Name == first(f.Ref.File, f.Ref.Index) {
		return instance(class, "")
	}
	return resolve.Eval(Language{}, resolve.Scope{W: w, File: f.Ref.File, At: f.Ref.Index, Pos: fact.Span.StartByte}, e)
}

// transparentDecorators lists decorators that do not change the result type of a function.
// contextmanager is in the list, because the result type of the function still determines the
// value of a with statement.
var transparentDecorators = map[string]bool{
	"staticmethod": true, "classmethod": true, "abstractmethod": true, "override": true, "overload": true,
	"final": true, "lru_cache": true, "cache": true,
	"wraps": true, "contextmanager": true, "asynccontextmanager": true, "property": true, "cached_property": true,
	"abstractproperty": true, "deprecated": true,
	"setter": true, "no_type_check": true, "singledispatchmethod": true, "singledispatch": true,
}

func transparent(s *code.Symbol) bool {
	for _, a := range s.Annotations {
		name, _, _ := strings.Cut(strings.TrimPrefix(a, "@"), "(")
		if !transparentDecorators[name[strings.LastIndexByte(name, '.')+1:]] {
			return false
		}
	}
	return true
}

// foreignResult evaluates a call of a library function; the zero Value if its result is not known.
func (p Language) foreignResult(s resolve.Scope, f resolve.Value, e *expr.Expr) resolve.Value {
	name := f.Module[strings.LastIndexByte(f.Module, '.')+1:]
	switch {
	case f.Module == "builtins.super":
		return p.super(s, e)
	case strings.HasPrefix(f.Module, "django.") && (f.Type.Text == "Self" || name == "from_queryset"):
		return p.setResult(s, f, e)
	case f.Type.Text != "":
		hand := handed
		if strings.HasPrefix(f.Module, "builtins.") {
			hand = containerCall
		}
		if v := hand(s.W, f, name); v.Kind != resolve.Unknown {
			return v
		}
		return libraryResult(s.W, f.Module)
	case f.Module == "builtins.open":
		return resolve.Value{Kind: resolve.Foreign, Module: "typing.IO"}
	case len(e.Args) == 0:
	case f.Module == "django.shortcuts.get_object_or_404":
		return recordOf(s.W, resolve.Eval(p, s, e.Args[0]))
	case name == "cast" && len(e.Args) == 2 && e.Args[0].Text != "":
		return typed(s.W, resolve.Type{Text: e.Args[0].Text, File: s.File,
			Scope: around(s.File, s.At, s.Pos)}).Via(resolve.TypedWritten)
	case f.Module == "builtins.type" && len(e.Args) == 1:
		if v := resolve.Eval(p, s, e.Args[0]); v.Kind == resolve.Instance && v.Ref.Valid() {
			return resolve.Value{Kind: resolve.Class, Ref: v.Ref, How: v.How}
		}
		return resolve.Value{}
	case f.Module == "copy.copy" || f.Module == "copy.deepcopy" || f.Module == "builtins.reversed" ||
		f.Module == "builtins.sorted" || f.Module == "builtins.iter" ||
		f.Module == "builtins.list" || f.Module == "builtins.tuple" || f.Module == "builtins.set":
		return p.copied(s, f, e)
	case f.Module == "builtins.next":
		return element(s.W, resolve.Eval(p, s, e.Args[0]))
	case f.Module == "builtins.enumerate":
		return p.enumerated(s, e)
	case f.Module == "builtins.zip":
		return p.zipped(s, e)
	case f.Module == "builtins.max" || f.Module == "builtins.min":
		return p.extreme(s, e)
	case f.Module == "builtins.filter" && len(e.Args) == 2:
		return p.copied(s, f, &expr.Expr{Args: e.Args[1:]})
	}
	if v := libraryResult(s.W, f.Module); v.Kind != resolve.Unknown {
		return v
	}
	top, _, _ := strings.Cut(f.Module, ".")
	if r := rune(name[0]); unicode.IsUpper(r) || closed[top] || strings.HasPrefix(f.Module, "builtins.str.") ||
		constructors[name] && strings.HasPrefix(f.Module, "builtins.") {
		return resolve.Value{Kind: resolve.Foreign, Module: f.Module}
	}
	return resolve.Value{}
}

// closed lists modules of the standard library whose functions never return objects of types that
// the workspace declares.
var closed = resolve.Words("argparse base64 binascii bz2 calendar codecs csv datetime decimal difflib fnmatch " +
	"gettext glob gzip hashlib hmac html http io ipaddress " +
	"locale logging lzma math mimetypes optparse os pathlib platform posixpath random re secrets select shlex " +
	"shutil signal socket sqlite3 ssl stat string struct " +
	"subprocess sys sysconfig tarfile tempfile textwrap time unicodedata urllib uuid xml zipfile zlib")

// constructors lists builtins whose call returns an object of a builtin type.
var constructors = map[string]bool{
	"str": true, "bytes": true, "int": true, "float": true, "dict": true, "list": true, "set": true, "tuple": true,
	"bool": true, "frozenset": true, "bytearray": true,
	"open": true, "repr": true, "range": true, "len": true, "sorted": true, "object": true, "input": true, "zip": true,
	"map": true, "filter": true, "enumerate": true,
}

// containerCall evaluates a call of a container's method, such as xs.pop() or d.get(k).
func containerCall(w *resolve.World, f resolve.Value, name string) resolve.Value {
	c := resolve.Value{Kind: resolve.Instance, Type: f.Type, How: f.How}
	head, args := container(c)
	mapping := containers[head] == -1 && len(args) == 2
	switch {
	case name == "copy":
		return c
	case mapping && (name == "get" || name == "pop" || name == "setdefault"):
		return typed(w, f.Type.With(args[1])).Via(f.How).Via(resolve.TypedElement)
	case mapping && name == "values":
		return resolve.Value{Kind: resolve.Instance, Type: f.Type.With("Iterable[" + args[1] + "]"), How: f.How}
	case mapping && name == "keys":
		return resolve.Value{Kind: resolve.Instance, Type: f.Type.With("Iterable[" + args[0] + "]"), How: f.How}
	case mapping && name == "items":
		return resolve.Value{Kind: resolve.Instance,
			Type: f.Type.With("Iterable[tuple[" + args[0] + ", " + args[1] + "]]"), How: f.How}
	case name == "pop" || name == "popleft" || name == "__next__":
		return element(w, c)
	}
	return resolve.Value{}
}
