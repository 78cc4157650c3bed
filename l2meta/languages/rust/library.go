package rust

import (
	_ "embed"
	"strings"

	"sextant/l2meta/expr"
	tables "sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// The table of the standard library lists the methods of each type, including those of the traits
// that it implements. Functions of a module are listed under the module's name. All iterators are
// Iter<T>, and "_" is a type that depends on the arguments. Type names begin with the crate,
// std::Option<T>, so that they refer to the library in any scope.

//go:embed library.txt
var libraryText string

var table = tables.New(libraryText)

// tabled returns the entry for an external type in the table of the standard library; nil if there
// is none.
func tabled(seen seenType) *tables.Type {
	if !standard[seen.module] {
		return nil
	}
	return table.Type(seen.foreign)
}

// libraryHas reports whether the standard library declares a method called name for a type.
func libraryHas(seen seenType, name string) bool {
	if !standard[seen.module] {
		return false
	}
	_, ok := table.Member(seen.foreign, name)
	return ok || ofTraits[name]
}

// ofTraits lists functions of traits that most library types implement, including numbers and
// tuples.
var ofTraits = resolve.Set("as_mut", "as_ref", "clone", "cmp", "eq", "fmt", "from", "hash", "into")

// libraryMember returns the result type of a method of a library type: Option<T> for first of
// Vec<T>. It returns false if the table of the standard library does not list the method.
func libraryMember(s resolve.Scope, seen seenType, name string) (resolve.Type, bool) {
	typ := tabled(seen)
	if typ == nil {
		return resolve.Type{}, false
	}
	result, ok := table.Member(seen.foreign, name)
	if !ok || result == "" {
		return resolve.Type{}, false
	}
	args := seen.args
	for len(args) < len(typ.Params) { // type arguments may be missing: Vec::new()
		args = append(args[:len(args):len(args)], resolve.Type{Text: "_", File: s.File, Scope: -1})
	}
	return resolve.Type{Text: result, File: s.File, Scope: -1, Bind: resolve.Bind(typ.Params, args, nil)}, true
}

// libraryFunction returns the result type of a library function, which belongs to a module or is
// associated with a type: env::args, PathBuf::from. It returns false if the table does not list
// the function.
func libraryFunction(s resolve.Scope, segments []string, defs []def) (resolve.Type, bool) {
	if n := len(segments); n > 1 && len(defs) == 1 && standard[defs[0].Module] {
		return libraryMember(s, seenType{foreign: segments[n-2], module: "std"}, segments[n-1])
	}
	return resolve.Type{}, false
}

// fromFacade returns the library type whose name is the last one of a path that did not resolve,
// unless the workspace declares something of that name. Such a type may be in scope by a macro or
// by re-exports. It returns false if there is none.
func fromFacade(s *resolve.World, path []string, args []resolve.Type) (seenType, bool) {
	name := path[len(path)-1]
	if name == "" || name[0] < 'A' || name[0] > 'Z' || table.Type(name) == nil || declared(s, name) {
		return seenType{}, false
	}
	return seenType{foreign: name, module: "std", args: args}, true
}

// iterated returns the type of the iterator of a library type, Iter<T> for Vec<T>; false if the type cannot
// be iterated.
func iterated(s *resolve.World, seen seenType, file *resolve.File) (seenType, bool) {
	typ := tabled(seen)
	if typ == nil {
		return seenType{}, false
	}
	for _, base := range typ.Bases {
		if strings.HasPrefix(base, "Iter<") {
			return see(s, resolve.Type{Text: "std::" + base, File: file, Scope: -1,
				Bind: resolve.Bind(typ.Params, seen.args, nil)}), true
		}
	}
	return seenType{}, false
}

// macroResults maps library macros to the types of their results.
var macroResults = map[string]string{
	"format": "std::String", "write": "std::Result<(), std::Error>", "writeln": "std::Result<(), std::Error>",
	"include_str": "std::str",
	"concat":      "std::str", "stringify": "std::str", "env": "std::str", "option_env": "std::Option<std::str>",
	"file":        "std::str",
	"module_path": "std::str", "include_bytes": "[u8]", "matches": "bool", "cfg": "bool", "line": "u32",
	"column":      "u32",
	"format_args": "std::Arguments",
}

// macroValue returns the value of a library macro: a Vec<i32> for vec![1i32], a String for format!("{x}").
func macroValue(s resolve.Scope, text string, depth int) resolve.Value {
	name, rest, _ := strings.Cut(text, "!")
	if !builtinMacros[name] || len(rustPath(s.W, placeAt(s), []string{name}, macros)) > 0 {
		return resolve.Value{}
	}
	if name == "vec" {
		inside := strings.TrimSpace(rest)
		inside, _, _ = strings.Cut(inside[min(1, len(inside)):max(len(inside)-1, min(1, len(inside)))], ";")
		element := resolve.Type{Text: "_", File: s.File, Scope: -1}
		if elements := expr.SplitTypes(inside); len(elements) > 0 {
			if x := eval(s, expr.Parse(elements[0], dialect), depth-1); x.Kind == resolve.Instance {
				element = x.Type
			}
		}
		return resolve.InstanceOf(of("Vec", element), resolve.TypedValue)
	}
	if result, ok := macroResults[name]; ok {
		return resolve.InstanceOf(resolve.Type{Text: result, File: s.File, Scope: -1}, resolve.TypedValue)
	}
	return resolve.Value{}
}

// literal returns the type of a literal: "a", b"a", 'a', 1u8, (0..9).
func literal(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	text := ""
	switch {
	case e.Op == expr.OpLiteral && e.Name == "macro":
		return macroValue(s, e.Text, depth)
	case e.Op == expr.OpLiteral && e.Name == "string":
		switch bytes, char := strings.HasPrefix(e.Type, "b"), strings.HasPrefix(e.Text, "'"); {
		case bytes && char:
			text = "u8"
		case bytes:
			text = "[u8]"
		case char:
			text = "char"
		case e.Type == "c":
			text = "std::CStr"
		default:
			text = "std::str"
		}
	case e.Op == expr.OpLiteral && e.Name == "number":
		text = number(e.Text)
	case e.Op == expr.OpLiteral && e.Name == "list" && len(e.Args) > 0:
		if x := eval(s, e.Args[0], depth-1); x.Kind == resolve.Instance {
			t := of("list", x.Type)
			t.Text = "[$0]"
			return resolve.InstanceOf(t, resolve.TypedValue)
		}
	case e.Op == expr.OpLiteral && e.Name == "tuple" && len(e.Args) > 1:
		return tupleOf(s, e.Args, depth-1)
	case e.Op == expr.OpUnknown && strings.Contains(e.Text, ".."):
		from, to, _ := strings.Cut(e.Text, "..")
		for _, end := range []string{from, strings.TrimPrefix(to, "=")} {
			if x := eval(s, expr.Parse(end, dialect), depth-1); x.Kind == resolve.Instance {
				return resolve.InstanceOf(of("Iter", x.Type), resolve.TypedValue)
			}
		}
		text = "std::Iter<_>"
	case e.Op == expr.OpBinary && comparisons[e.Name]:
		text = "bool"
	}
	if text == "" {
		return resolve.Value{}
	}
	return resolve.InstanceOf(resolve.Type{Text: text, File: s.File, Scope: -1}, resolve.TypedValue)
}

var comparisons = resolve.Set("==", "!=", "<", ">", "<=", ">=", "&&", "||")

// number returns the type of a number literal: u8 for 1u8, f64 for 1.5. It returns "" for 1,
// whose type depends on its use.
func number(text string) string {
	for _, suffix := range []string{"u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
		"isize", "f32", "f64"} {
		if strings.HasSuffix(text, suffix) {
			return suffix
		}
	}
	if strings.Contains(text, ".") {
		return "f64"
	}
	return ""
}

// tupleOf returns the value of a tuple literal, such as (Job::new(), 1).
func tupleOf(s resolve.Scope, elements []*expr.Expr, depth int) resolve.Value {
	list := make([]resolve.Type, len(elements))
	for i, e := range elements {
		if x := eval(s, e, depth); x.Kind == resolve.Instance {
			list[i] = x.Type
		}
	}
	t := tuple(list...)
	if t.File == nil {
		t.File, t.Scope = s.File, s.At
	}
	return resolve.InstanceOf(t, resolve.TypedValue)
}
