package python

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// pyHead splits a written type into the subscripted name and its arguments: "dict[str, T]" into
// "dict" and "str, T".
func pyHead(text string) (head, arguments string) {
	text = strings.TrimSpace(text)
	if i := strings.IndexByte(text, '['); i > 0 && strings.HasSuffix(text, "]") {
		return strings.TrimSpace(text[:i]), text[i+1 : len(text)-1]
	}
	return text, ""
}

// unquote strips the quotes of a type that is written as a string.
func unquote(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] &&
		strings.Count(text, text[:1]) == 2 {
		return strings.TrimSpace(text[1 : n-1])
	}
	return text
}

// alternatives splits a type at its top-level "|".
func alternatives(text string) (out []string) {
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

// typed returns a value of the written type t.
func typed(w *resolve.World, t resolve.Type) resolve.Value {
	text := unquote(t.Text)
	switch {
	case strings.HasPrefix(text, "**"):
		return resolve.Value{Kind: resolve.Instance, Type: t.With("dict[str, " + text[2:] + "]")}
	case strings.HasPrefix(text, "*"):
		return resolve.Value{Kind: resolve.Instance, Type: t.With("tuple[" + text[1:] + ", ...]")}
	}
	if parts := alternatives(text); len(parts) > 1 && t.Scope == inLibrary {
		text = parts[0] // all alternatives are library types, so any of them represents the union
	} else if len(parts) > 1 {
		return union(w, t, parts)
	}
	head, arguments := pyHead(text)
	if head == "None" || head == "" {
		return resolve.Value{Kind: resolve.Foreign, Module: none}
	}
	v := namedType(w, t, head)
	switch v.Kind {
	case resolve.Class:
		x := instance(v.Ref, "")
		x.Type = t.With(text)
		return x
	case resolve.Foreign:
		return special(w, t, v.Module, text, arguments)
	case resolve.Instance: // Self, a type variable or an alias already evaluates to an object
		return v
	}
	return resolve.Value{}
}

// none is the full name of the type of None, which means that a value may be missing.
const none = "builtins.None"

func isNone(v resolve.Value) bool { return v.Kind == resolve.Foreign && v.Module == none }

// union returns a value of a union type such as User | str | None. The value is known if only one
// of the parts is neither None nor a builtin type; its Module then lists the builtin types. Otherwise it is
// an Unknown, with the parts as its Type if they are of several classes.
func union(w *resolve.World, t resolve.Type, parts []string) (v resolve.Value) {
	v = resolve.Value{Kind: resolve.Foreign, Module: none}
	builtins := ""
	for _, p := range parts {
		x := typed(w, t.With(p))
		switch {
		case isNone(x):
		case x.Kind == resolve.Unknown && x.Type.Text != "":
			return several(t, parts)
		case x.Kind == resolve.Unknown:
			return resolve.Value{}
		case x.Kind == resolve.Foreign && builtinMembers[strings.TrimPrefix(x.Module, "builtins.")] != nil:
			builtins += or + strings.TrimPrefix(x.Module, "builtins.")
		case x.Kind == resolve.Instance && strings.HasPrefix(x.Module, or) && isNone(v):
			builtins += x.Module
			v = x
		case isNone(v):
			v = x
		case !same(v, x):
			return several(t, parts)
		}
	}
	switch {
	case builtins == "":
	case isNone(v):
		v.Module = "builtins" + strings.ReplaceAll(builtins, or, ".")
	case v.Kind == resolve.Instance && v.Ref.Valid():
		v.Module = builtins
	default:
		return resolve.Value{}
	}
	return v
}

// several returns a value that has one of several classes. parts are the parts of t, some of which may be
// unions themselves: the text of its Type is flat, "Job | Other | None".
func several(t resolve.Type, parts []string) resolve.Value {
	flat := make([]string, 0, len(parts))
	for _, p := range parts {
		head, arguments := pyHead(unquote(p))
		switch head[strings.LastIndexByte(head, '.')+1:] {
		case "Union", "Optional":
			flat = append(flat, expr.SplitTypes(arguments)...)
		default:
			flat = append(flat, unquote(p))
		}
	}
	return resolve.Value{Type: t.With(strings.Join(flat, " | "))}
}

// sharedBy returns one of the several types of v, if what they have under a name is one method: save of
// Job | Other, which both have from one base.
func sharedBy(w *resolve.World, v resolve.Value, name string) (one resolve.Value, ok bool) {
	if v.Kind != resolve.Unknown || v.Type.Text == "" {
		return resolve.Value{}, false
	}
	var method resolve.Ref
	for _, part := range alternatives(v.Type.Text) {
		x := typed(w, v.Type.With(part))
		if isNone(x) {
			continue
		}
		m := memberOf(w, x, name)
		if x.Kind != resolve.Instance || m.field || m.value.Kind != resolve.Function || m.value.Module != "" ||
			method.Valid() && m.value.Ref != method {
			return resolve.Value{}, false
		}
		method, one = m.value.Ref, x
	}
	return one.Via(resolve.TypedWritten), method.Valid()
}

// or separates builtin types in the Module of an Instance. Such a value is an object of its class
// or of one of these types: "|str" for User | str.
const or = "|"

// mayBe reports whether name is a member of a builtin type that v may have instead of its class:
// it is true for upper and a v of type User | str.
func mayBe(v resolve.Value, name string) bool {
	for _, t := range strings.Split(v.Module, or) {
		if builtinMembers[t][name] {
			return true
		}
	}
	return false
}

// special returns a value of a type whose name belongs to a library, such as Optional[T] or
// Annotated[T, …]. head is the name before the brackets.
func special(w *resolve.World, t resolve.Type, head, text, arguments string) resolve.Value {
	last := head[strings.LastIndexByte(head, '.')+1:]
	args := expr.SplitTypes(arguments)
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch last {
	case "Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar", "Mapped":
		if last == "Mapped" || first == "" {
			break
		}
		return typed(w, t.With(first))
	case "Union":
		return union(w, t, args)
	case "Type", "type":
		if x := typed(w, t.With(first)); first != "" && x.Kind == resolve.Instance && x.Ref.Valid() {
			return resolve.Value{Kind: resolve.Class, Ref: x.Ref, How: resolve.TypedWritten}
		}
		return resolve.Value{}
	case "Self":
		return selfType(t)
	case "Any":
		return resolve.Value{}
	}
	if arguments != "" && t.Scope != inLibrary || containers[last] != 0 {
		return resolve.Value{Kind: resolve.Instance, Type: t.With(last + "[" + arguments + "]"), Module: head}
	}
	return resolve.Value{Kind: resolve.Foreign, Module: head}
}

// selfType returns a value of the type Self: an object of the class around the place where t is
// written, or of the class to which t binds Self.
func selfType(t resolve.Type) resolve.Value {
	if self, ok := t.Bind.Lookup("Self"); ok {
		return instance(self.File.Ref(self.Scope), "")
	}
	if t.File == nil {
		return resolve.Value{}
	}
	for at := t.Scope; at >= 0; at = t.File.Symbols[at].Parent {
		if isClass(t.File, at) {
			return instance(t.File.Ref(at), "")
		}
	}
	return resolve.Value{}
}

// namedType resolves a dotted name in a type: to a Class, a Foreign or, for an alias or a type
// variable, an Instance.
func namedType(w *resolve.World, t resolve.Type, head string) resolve.Value {
	if t.Scope == inLibrary {
		return resolve.Value{Kind: resolve.Foreign, Module: head}
	}
	if bound, ok := t.Bind.Lookup(head); ok && head != "Self" {
		return typed(w, bound)
	}
	at := resolve.Scope{W: w, File: t.File, At: t.Scope, Pos: 1 << 62}
	e := expr.Parse(head, dialect)
	if e.Op == expr.OpName {
		if alias, ok := aliasOf(w, at, head); ok {
			return alias
		}
	}
	return resolve.Eval(Language{}, at, e)
}

// aliasOf returns a value of the type that a variable denotes: Path = Union[str, PathLike], T =
// TypeVar("T", bound=Base). It returns false if the variable is assigned otherwise.
func aliasOf(w *resolve.World, s resolve.Scope, name string) (resolve.Value, bool) {
	t := names(s.File)
	for at := pyScope(s.File, s.At); ; at = pyScope(s.File, s.File.Symbols[at].Parent) {
		if flow := t.of(at, name); len(flow) > 0 {
			if fact := flow[len(flow)-1].fact; len(flow) <= 2 && fact != nil && fact.Kind == code.FactAssign {
				return aliased(w, resolve.Type{Text: fact.Type, File: s.File, Scope: at}), true
			}
			return resolve.Value{}, false
		}
		if at < 0 {
			return resolve.Value{}, false
		}
	}
}

type aliasKey struct {
	file  int64
	scope int
	text  string
}

// aliased returns a value of the type that is assigned to an alias.
func aliased(w *resolve.World, t resolve.Type) resolve.Value {
	return resolve.Derive(w, aliasKey{t.File.ID, t.Scope, t.Text}, func() resolve.Value {
		e := expr.Parse(t.Text, dialect)
		if e.Op != expr.OpCall {
			return typed(w, t)
		}
		if bound := boundOf(e); bound != "" {
			return typed(w, t.With(bound))
		}
		return resolve.Value{}
	})
}

// boundOf returns the bound of a type variable: TypeVar("T", bound=Base). It returns "" if there is
// none.
func boundOf(e *expr.Expr) string {
	if e.Op != expr.OpCall || path.Ext("."+e.X.String()) != ".TypeVar" && e.X.Name != "TypeVar" {
		return ""
	}
	for _, a := range e.Args {
		if name, value, is := strings.Cut(a.Text, "="); is && strings.TrimSpace(name) == "bound" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// isTypeVar reports whether a type is a type variable: Self, AnyStr, or the name T of T = TypeVar("T"), in
// this file or in one from which it is imported.
func isTypeVar(w *resolve.World, f *resolve.File, text string) bool {
	text = unquote(text)
	return text == "Self" || strings.HasSuffix(text, ".Self") || resolve.Derive(w, typeVarKey{f.ID, text}, func() bool {
		return declaresTypeVar(w, f, text, maxReexports)
	})
}

type typeVarKey struct {
	file int64
	name string
}

// maxReexports bounds the number of modules through which the import of a type variable is followed.
const maxReexports = 8

func declaresTypeVar(w *resolve.World, f *resolve.File, name string, depth int) bool {
	if depth == 0 || f == nil {
		return false
	}
	bindings := names(f).of(-1, name)
	for _, b := range bindings {
		if b.fact != nil && b.fact.Kind == code.FactAssign && strings.Contains(b.fact.Type, "TypeVar(") ||
			b.imp != nil && b.imp.Name != "" && leadsToTypeVar(w, f, b.imp, b.imp.Name, depth) {
			return true
		}
	}
	return len(bindings) == 0 && slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return i.Name == "*" && i.Scope < 0 && leadsToTypeVar(w, f, &i, name, depth)
	})
}

// leadsToTypeVar reports whether an import of f gets the name of a type variable from its module.
func leadsToTypeVar(w *resolve.World, f *resolve.File, i *code.Import, name string, depth int) bool {
	switch m := pyModule(w, f, i.Module); {
	case m.foreign:
		return name == "AnyStr" && i.Name == name
	case m.inside:
		source := file(w, m.key)
		return source != nil && (i.Name != "*" || public(source, name)) && declaresTypeVar(w, source, name, depth-1)
	}
	return false
}

// containers maps the name of a container to the position of its element type among its type
// arguments, where 1 is the first. The value -1 marks mappings: iteration yields the first
// argument, indexing the second. -2 marks ItemsView: iteration yields pairs. -3 marks Callable:
// the second argument is the result type.
var containers = map[string]int{
	"list": 1, "List": 1, "set": 1, "Set": 1, "frozenset": 1, "FrozenSet": 1, "tuple": 1, "Tuple": 1,
	"deque": 1, "Deque": 1,
	"Sequence": 1, "MutableSequence": 1, "Iterable": 1, "Iterator": 1, "Collection": 1, "Generator": 1,
	"Container": 1, "Reversible": 1,
	"AbstractSet": 1, "MutableSet": 1, "KeysView": 1, "ValuesView": 1, "AsyncIterator": 1, "AsyncIterable": 1,
	"AsyncGenerator": 1,
	"dict":           -1, "Dict": -1, "Mapping": -1, "MutableMapping": -1, "defaultdict": -1, "DefaultDict": -1,
	"OrderedDict": -1,
	"ItemsView":   -2, "Callable": -3, "ContextManager": 1, "AbstractContextManager": 1, "AsyncContextManager": 1,
	"AbstractAsyncContextManager": 1,
	"Awaitable":                   1, "Coroutine": 3,
}

// container returns the name and the type arguments of a library type: "dict" and K, V for dict[K,
// V]. It returns "" for a value of a class of the workspace.
func container(v resolve.Value) (name string, args []string) {
	if v.Kind != resolve.Instance || v.Ref.Valid() {
		return "", nil
	}
	head, arguments := pyHead(v.Type.Text)
	return head, expr.SplitTypes(arguments)
}

// handers maps generic classes of the library to the methods that return a value of the first type
// argument: ContextVar[Request].get() returns a Request.
var handers = map[string][]string{
	"contextvars.ContextVar": {"get"},
	"queue.Queue":            {"get", "get_nowait"}, "queue.LifoQueue": {"get", "get_nowait"},
	"queue.PriorityQueue": {"get", "get_nowait"}, "queue.SimpleQueue": {"get", "get_nowait"},
	"asyncio.Queue": {"get", "get_nowait"}, "asyncio.LifoQueue": {"get", "get_nowait"},
	"asyncio.PriorityQueue": {"get", "get_nowait"},
	"asyncio.Future":        {"result"}, "asyncio.Task": {"result"}, "concurrent.futures.Future": {"result"},
	querySet: {"get", "first", "last", "earliest", "latest", "create"},
}

// genericClass returns the full name of the generic library class of object v, such as
// contextvars.ContextVar. The name of a container is always in the module builtins: builtins.list
// for typing.List.
func genericClass(v resolve.Value) string {
	head, _ := container(v)
	if containers[head] == 0 && strings.Contains(v.Module, ".") {
		return v.Module
	}
	return "builtins." + head
}

// handed evaluates a call of the method called name of a generic library class, if handers lists it
// as returning a value of the first type argument. It returns the zero Value for any other method.
func handed(w *resolve.World, f resolve.Value, name string) resolve.Value {
	class := strings.TrimSuffix(f.Module, "."+name)
	_, args := container(resolve.Value{Kind: resolve.Instance, Type: f.Type})
	if v := queried(w, f, name); class == querySet && v.Kind != resolve.Unknown {
		return v
	}
	if len(args) == 0 || !slices.Contains(handers[class], name) {
		return resolve.Value{}
	}
	if strings.HasSuffix(class, "Queue") && strings.HasPrefix(class, "asyncio.") && name == "get" {
		return resolve.Value{Kind: resolve.Instance, Type: f.Type.With("Awaitable[" + args[0] + "]"), How: f.How}
	}
	return typed(w, f.Type.With(args[0])).Via(f.How).Via(resolve.TypedElement)
}

// element evaluates x of "for x in v".
func element(w *resolve.World, v resolve.Value) resolve.Value {
	name, args := container(v)
	switch kind := containers[name]; {
	case v.Module == querySet && len(args) > 0:
		return typed(w, v.Type.With(args[0])).Via(v.How).Via(resolve.TypedElement)
	case kind == -2 && len(args) == 2:
		return resolve.Value{Kind: resolve.Instance,
			Type: v.Type.With("tuple[" + args[0] + ", " + args[1] + "]")}.Via(v.How).Via(resolve.TypedElement)
	case (kind == 1 || kind == -1) && len(args) > 0:
		if (name == "tuple" || name == "Tuple") && len(args) > 1 && args[1] != "..." {
			return union(w, v.Type, args).Via(v.How).Via(resolve.TypedElement)
		}
		return typed(w, v.Type.With(args[0])).Via(v.How).Via(resolve.TypedElement)
	}
	if v.Kind == resolve.Instance && v.Ref.Valid() {
		return iterated(w, v)
	}
	if v.Kind == resolve.Foreign {
		if iterator := libraryMember(w, v.Module, "__iter__()"); iterator.Kind == resolve.Instance {
			return element(w, iterator)
		}
	}
	return resolve.Value{}
}

// iterated evaluates x of "for x in v", where v is an object of a class of the workspace, by its
// __iter__.
func iterated(w *resolve.World, v resolve.Value) resolve.Value {
	m := member(w, pyOrder(w, v.Ref), "__iter__")
	if m.value.Kind != resolve.Function {
		return resolve.Value{}
	}
	iterator := result(w, on(m.value, v.Ref))
	if iterator.Ref.Valid() {
		next := member(w, pyOrder(w, iterator.Ref), "__next__")
		return result(w, on(next.value, iterator.Ref)).Via(v.How).Via(resolve.TypedElement)
	}
	return element(w, iterator).Via(v.How)
}

// at returns the value that the name at position i gets in a, b = v. Positions begin at 0.
func at(w *resolve.World, v resolve.Value, i int) resolve.Value {
	name, args := container(v)
	if name == "tuple" || name == "Tuple" {
		if len(args) == 2 && args[1] == "..." {
			i = 0
		}
		if i < len(args) {
			return typed(w, v.Type.With(args[i])).Via(v.How).Via(resolve.TypedElement)
		}
		return resolve.Value{}
	}
	return element(w, v)
}

// item evaluates v[key].
func item(w *resolve.World, v resolve.Value, e *expr.Expr) resolve.Value {
	name, args := container(v)
	key := ""
	if len(e.Args) == 1 {
		key = e.Args[0].Text
	}
	switch kind := containers[name]; {
	case v.Module == querySet && strings.Contains(key, ":"):
		return v
	case v.Module == querySet:
		return element(w, v)
	case kind == -1 && len(args) == 2:
		return typed(w, v.Type.With(args[1])).Via(v.How).Via(resolve.TypedElement)
	case kind == 1 && strings.Contains(key, ":"):
		return v
	case (name == "tuple" || name == "Tuple") && len(key) == 1 && key[0] >= '0' && key[0] <= '9':
		return at(w, v, int(key[0]-'0'))
	case kind == 1 && name != "tuple" && name != "Tuple":
		return element(w, v)
	}
	if v.Kind == resolve.Foreign {
		return libraryMember(w, v.Module, "__getitem__()")
	}
	if v.Kind == resolve.Instance && v.Ref.Valid() {
		if m := member(w, pyOrder(w, v.Ref), "__getitem__"); m.value.Kind == resolve.Function {
			return result(w, on(m.value, v.Ref)).Via(v.How)
		}
	}
	return resolve.Value{}
}
