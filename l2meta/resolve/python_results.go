package resolve

import (
	"sextant/internal/code"
	"slices"
	"strings"
	"unicode"
)

func (p python) Result(s Scope, f Value, e *Expr) Value {
	switch f.Kind {
	case Class:
		return pyInstance(f.Ref, f.How).Via(TypedValue)
	case Function:
		if v := pyResult(s.W, f); v.Kind != Unknown {
			return v
		}
		return p.resultByArgument(s, f, e)
	case Foreign:
		return p.foreignResult(s, f, e)
	case Instance:
		if head, args := pyContainer(f); pyContainers[head] == -3 && len(args) == 2 {
			return pyTyped(s.W, f.Type.With(args[1])).Via(f.How).Via(TypedResult)
		}
	}
	return Value{}
}

// resultByArgument is the result of a function whose type is a type variable
// that an argument tells: def make(cls: type[T]) -> T.
func (p python) resultByArgument(s Scope, f Value, e *Expr) Value {
	if !f.Ref.Valid() || !pyTransparent(f.Ref.Symbol()) || slices.Contains(f.Ref.Symbol().Modifiers, "async") {
		return Value{}
	}
	for _, r := range append(pyOverloads(f.Ref), f.Ref) {
		if v := p.byArgument(s, r, e); v.Kind != Unknown {
			return v
		}
	}
	return Value{}
}

func (p python) byArgument(s Scope, r Ref, e *Expr) Value {
	function := r.Symbol()
	returns := pyUnquote(function.Returns)
	if returns == "" || strings.HasSuffix(returns, "Self") || !pyIsTypeVar(s.W, r.File, function.Parent, returns) {
		return Value{}
	}
	skip := 0
	if pyMethodOf(r.File, r.Index) >= 0 && pyFirst(r.File, r.Index) != "" {
		skip = 1
	}
	for i, param := range function.Parameters[min(skip, len(function.Parameters)):] {
		head, argument := pyHead(pyUnquote(param.Type))
		last := head[strings.LastIndexByte(head, '.')+1:]
		made := last == "type" || last == "Type" || last == "Callable"
		if made && !strings.HasSuffix(argument, returns) || !made && head != returns || param.Variadic {
			continue
		}
		v := Eval(p, s, pyArgument(e.Args, i, param.Name))
		switch {
		case made && v.Kind == Class:
			return pyInstance(v.Ref, v.How).Via(TypedResult)
		case !made && v.Kind == Instance:
			return v.Via(TypedResult)
		}
		return Value{}
	}
	return Value{}
}

// pyArgument is what a call passes for parameter i.
func pyArgument(args []*Expr, i int, name string) *Expr {
	for at, a := range args {
		if strings.HasPrefix(a.Text, "*") {
			break
		}
		key, value, named := strings.Cut(a.Text, "=")
		if named && strings.TrimSpace(key) == name {
			return ParseExpr(value, pyDialect)
		}
		if at == i && a.Op != OpUnknown {
			return a
		}
	}
	return &Expr{}
}

// pyResult is what a call of a declared function gives.
func pyResult(w *World, f Value) Value {
	if f.Kind != Function || !f.Ref.Valid() || !pyTransparent(f.Ref.Symbol()) {
		return Value{}
	}
	s := f.Ref.Symbol()
	v := Value{}
	switch overloads := pyOverloads(f.Ref); {
	case len(overloads) > 0:
		v = pyAgreed(w, f, overloads)
	case s.Returns != "":
		v = pyWrittenResult(w, f)
	default:
		v = pyInferred(w, f)
	}
	if v.Kind == Unknown {
		return v
	}
	if slices.Contains(s.Modifiers, "async") && !pyAsyncIterator(v) {
		if v.Kind != Instance && v.Kind != Foreign {
			return Value{}
		}
		if v.Kind == Foreign {
			return Value{}
		}
		v.Module = pyAwaited
	}
	return v.Via(f.How).Via(TypedResult)
}

// pyOverloads is the overloads that are declared of a function.
func pyOverloads(r Ref) (out []Ref) {
	for _, i := range r.File.Children(r.Symbol().Parent) {
		s := &r.File.Symbols[i]
		if s.Name == r.Symbol().Name && slices.ContainsFunc(s.Annotations, func(a string) bool { return strings.HasSuffix(a, "overload") }) {
			out = append(out, r.File.Ref(i))
		}
	}
	return out
}

// pyAgreed is the result that all overloads of f give.
func pyAgreed(w *World, f Value, overloads []Ref) (v Value) {
	for i, o := range overloads {
		f.Ref = o
		x := pyWrittenResult(w, f)
		if x.Kind == Unknown || i > 0 && !pySame(v, x) {
			return Value{}
		}
		v = x
	}
	return v
}

func pyAsyncIterator(v Value) bool {
	head, _ := pyContainer(v)
	return head == "AsyncIterator" || head == "AsyncGenerator" || head == "AsyncIterable"
}

// pyWrittenResult is a value of the written result type; Self, and a type
// variable that the receiver has too, mean the receiver's class.
func pyWrittenResult(w *World, f Value) Value {
	s := f.Ref.Symbol()
	t := Type{Text: s.Returns, File: f.Ref.File, Scope: s.Parent}
	class := pyReceiver(f)
	if class.Valid() {
		t.Bind = &Binding{Name: "Self", Type: Type{File: class.File, Scope: class.Index}}
	}
	returns := pyUnquote(s.Returns)
	if pyIsTypeVar(w, t.File, s.Parent, returns) && returns != "Self" && !strings.HasSuffix(returns, ".Self") {
		if class.Valid() && len(s.Parameters) > 0 && strings.Contains(s.Parameters[0].Type, returns) {
			return pyInstance(class, "")
		}
		return Value{}
	}
	return pyTyped(w, t)
}

type pyResultKey struct {
	file  int64
	index int
	class int64
	of    int
}

// pyInferred is what the return statements of a function agree on.
func pyInferred(w *World, f Value) Value {
	class := pyReceiver(f)
	key := pyResultKey{file: f.Ref.File.ID, index: f.Ref.Index, of: -1}
	if class.Valid() {
		key.class, key.of = class.File.ID, class.Index
	}
	return Derive(w, key, func() (v Value) {
		given := pyNames(f.Ref.File).returns[f.Ref.Index]
		for _, fact := range given {
			if fact.Name == "yield" {
				return Value{}
			}
			x := pyReturned(w, f, class, fact)
			switch {
			case pyIsNone(x):
			case x.Kind == Unknown || v.Kind != Unknown && !pySame(v, x):
				return Value{}
			default:
				v = x
			}
		}
		return v
	})
}

// pyReturned is what one return statement gives: self is the receiver, of
// whatever subclass it is.
func pyReturned(w *World, f Value, class Ref, fact *code.Fact) Value {
	if class.Valid() && fact.Type == pyFirst(f.Ref.File, f.Ref.Index) && !slices.Contains(f.Ref.Symbol().Modifiers, "classmethod") {
		return pyInstance(class, "")
	}
	return Eval(python{}, Scope{W: w, File: f.Ref.File, At: f.Ref.Index, Pos: fact.Span.StartByte}, ParseExpr(fact.Type, pyDialect))
}

// pyTransparentDecorators leave what a function returns as it is; with
// contextmanager the result type still says what is entered with.
var pyTransparentDecorators = map[string]bool{
	"staticmethod": true, "classmethod": true, "abstractmethod": true, "override": true, "overload": true, "final": true, "lru_cache": true, "cache": true,
	"wraps": true, "contextmanager": true, "asynccontextmanager": true, "property": true, "cached_property": true, "abstractproperty": true, "deprecated": true,
	"setter": true, "no_type_check": true, "singledispatchmethod": true, "singledispatch": true,
}

func pyTransparent(s *code.Symbol) bool {
	for _, a := range s.Annotations {
		name, _, _ := strings.Cut(strings.TrimPrefix(a, "@"), "(")
		if !pyTransparentDecorators[name[strings.LastIndexByte(name, '.')+1:]] {
			return false
		}
	}
	return true
}

// foreignResult is what a call of something outside the workspace gives, where
// that is well known.
func (p python) foreignResult(s Scope, f Value, e *Expr) Value {
	name := f.Module[strings.LastIndexByte(f.Module, '.')+1:]
	switch {
	case f.Module == "builtins.super":
		return p.super(s, e)
	case f.Type.Text != "" && strings.HasPrefix(f.Module, "builtins."):
		return pyContainerCall(s.W, f, name)
	case len(e.Args) == 0:
	case name == "cast" && len(e.Args) == 2 && e.Args[0].Text != "":
		return pyTyped(s.W, Type{Text: e.Args[0].Text, File: s.File, Scope: pyAround(s.File, s.At, s.Pos)}).Via(TypedWritten)
	case f.Module == "builtins.type" && len(e.Args) == 1:
		if v := Eval(p, s, e.Args[0]); v.Kind == Instance && v.Ref.Valid() {
			return Value{Kind: Class, Ref: v.Ref, How: v.How}
		}
		return Value{}
	case f.Module == "copy.copy" || f.Module == "copy.deepcopy" || f.Module == "builtins.reversed" || f.Module == "builtins.sorted" || f.Module == "builtins.iter" ||
		f.Module == "builtins.list" || f.Module == "builtins.tuple" || f.Module == "builtins.set":
		return p.copied(s, f, e)
	case f.Module == "builtins.next":
		return pyElement(s.W, Eval(p, s, e.Args[0]))
	case f.Module == "builtins.enumerate":
		return p.enumerated(s, e)
	}
	top, _, _ := strings.Cut(f.Module, ".")
	if r := rune(name[0]); unicode.IsUpper(r) || pyClosed[top] || strings.HasPrefix(f.Module, "builtins.str.") || pyConstructors[name] && strings.HasPrefix(f.Module, "builtins.") {
		return Value{Kind: Foreign, Module: f.Module}
	}
	return Value{}
}

// pyClosed are modules of the standard library whose functions give nothing
// that a workspace declares.
var pyClosed = pySet("argparse base64 binascii bz2 calendar codecs csv datetime decimal difflib fnmatch gettext glob gzip hashlib hmac html http io ipaddress " +
	"locale logging lzma math mimetypes optparse os pathlib platform posixpath random re secrets select shlex shutil signal socket sqlite3 ssl stat string struct " +
	"subprocess sys sysconfig tarfile tempfile textwrap time unicodedata urllib uuid xml zipfile zlib")

// pyConstructors are builtins whose call gives one of their own kind.
var pyConstructors = map[string]bool{
	"str": true, "bytes": true, "int": true, "float": true, "dict": true, "list": true, "set": true, "tuple": true, "bool": true, "frozenset": true, "bytearray": true,
	"open": true, "repr": true, "range": true, "len": true, "sorted": true, "object": true, "input": true, "zip": true, "map": true, "filter": true, "enumerate": true,
}

// copied is a call that gives something of its argument's type, or a list of
// its elements.
func (p python) copied(s Scope, f Value, e *Expr) Value {
	v := Eval(p, s, e.Args[0])
	if strings.HasPrefix(f.Module, "copy.") {
		return v
	}
	if x := pyElementText(v); x != "" {
		return Value{Kind: Instance, Type: v.Type.With("list[" + x + "]"), How: v.How}
	}
	return Value{Kind: Foreign, Module: "builtins.list"}
}

func (p python) enumerated(s Scope, e *Expr) Value {
	v := Eval(p, s, e.Args[0])
	if x := pyElementText(v); x != "" {
		return Value{Kind: Instance, Type: v.Type.With("list[tuple[int, " + x + "]]"), How: v.How}
	}
	return Value{Kind: Foreign, Module: "builtins.enumerate"}
}

// pyElementText is the element type of a container, as written.
func pyElementText(v Value) string {
	name, args := pyContainer(v)
	if kind := pyContainers[name]; len(args) == 0 || kind != 1 && kind != -1 || (name == "tuple" || name == "Tuple") && !(len(args) == 2 && args[1] == "...") {
		return ""
	}
	return args[0]
}

// pyContainerCall is what a method of a container gives.
func pyContainerCall(w *World, f Value, name string) Value {
	c := Value{Kind: Instance, Type: f.Type, How: f.How}
	head, args := pyContainer(c)
	mapping := pyContainers[head] == -1 && len(args) == 2
	switch {
	case name == "copy":
		return c
	case mapping && (name == "get" || name == "pop" || name == "setdefault"):
		return pyTyped(w, f.Type.With(args[1])).Via(f.How).Via(TypedElement)
	case mapping && name == "values":
		return Value{Kind: Instance, Type: f.Type.With("Iterable[" + args[1] + "]"), How: f.How}
	case mapping && name == "keys":
		return Value{Kind: Instance, Type: f.Type.With("Iterable[" + args[0] + "]"), How: f.How}
	case mapping && name == "items":
		return Value{Kind: Instance, Type: f.Type.With("Iterable[tuple[" + args[0] + ", " + args[1] + "]]"), How: f.How}
	case name == "pop" || name == "popleft" || name == "__next__":
		return pyElement(w, c)
	}
	return Value{}
}
