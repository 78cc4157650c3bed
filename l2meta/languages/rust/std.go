package rust

import "sextant/l2meta/resolve"

// prelude lists the types that need no import.
var prelude = resolve.Set("Option", "Result", "Vec", "String", "Box", "str", "bool", "char", "u8", "u16",
	"u32", "u64", "u128", "usize",
	"i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "Iterator", "IntoIterator", "Into", "From",
	"Default", "Clone", "Copy",
	"Send", "Sync", "Drop", "Fn", "FnMut", "FnOnce", "ToString", "ToOwned", "AsRef", "AsMut", "Eq",
	"PartialEq", "Ord", "PartialOrd",
	"TryFrom", "TryInto", "Extend", "DoubleEndedIterator", "ExactSizeIterator", "Sized", "Unpin", "FromIterator",
	"Future", "IntoFuture")

// preludeValues lists the functions and variants that need no import.
var preludeValues = resolve.Set("Some", "None", "Ok", "Err", "drop")

// builtinMacros lists the macros that need no import.
var builtinMacros = resolve.Set("assert", "assert_eq", "assert_ne", "cfg", "column", "compile_error",
	"concat", "dbg", "debug_assert",
	"debug_assert_eq", "debug_assert_ne", "env", "eprint", "eprintln", "file", "format", "format_args",
	"include", "include_bytes",
	"include_str", "line", "matches", "module_path", "option_env", "panic", "print", "println", "stringify",
	"thread_local", "todo",
	"try", "unimplemented", "unreachable", "vec", "write", "writeln", "is_x86_feature_detected",
	"global_asm", "asm", "concat_idents")

// derefs lists external types that have the methods of their last type argument besides their
// own: a Box<Job> has those of Job.
var derefs = resolve.Set("Box", "Rc", "Arc", "Ref", "RefMut", "MutexGuard", "RwLockReadGuard", "RwLockWriteGuard",
	"OwnedMutexGuard", "Cow", "Pin",
	"ManuallyDrop", "LazyLock", "LazyCell", "Lazy", "CachePadded", "AssertUnwindSafe", "Wrapping")

// wrapperOwn lists methods that the types in derefs have themselves. A call of such a method on a
// Box<Job> does not mean a method of Job.
var wrapperOwn = resolve.Set("clone", "borrow", "borrow_mut", "deref", "deref_mut", "eq", "ne", "cmp", "partial_cmp",
	"hash", "fmt", "into", "try_into", "to_string", "as_ptr", "as_mut_ptr", "into_owned", "to_mut", "as_mut")

// boxed lists the traits of the library that a Box<T> implements if T does.
var boxed = resolve.Set("Error", "Iterator", "DoubleEndedIterator", "ExactSizeIterator", "Read", "Write",
	"BufRead", "Seek")

// shape describes the result of a method of an external type: the type itself, one of its type arguments,
// or that argument in an Option, a Result or an iterator. For first of Vec<T> it is {"Option", 0}.
type shape struct {
	wrap string // the type around the argument; "" if the result is the argument itself
	arg  int    // index of the type argument; -1 for the type itself
}

var (
	same    = shape{arg: -1}
	inside  = shape{}
	option  = shape{wrap: "Option"}
	result  = shape{wrap: "Result"}
	iterate = shape{wrap: "Iter"}
)

func shapes(s shape, names ...string) map[string]shape {
	out := map[string]shape{}
	for _, n := range names {
		out[n] = s
	}
	return out
}

func merged(maps ...map[string]shape) map[string]shape {
	out := map[string]shape{}
	for _, m := range maps {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

var sequence = merged(
	shapes(same, "as_slice", "as_mut_slice", "as_ref", "as_mut", "to_vec", "into_boxed_slice", "split_off", "into_vec"),
	shapes(iterate, "iter", "iter_mut", "into_iter", "drain", "difference", "union", "intersection"),
	shapes(option, "first", "last", "get", "get_mut", "pop", "first_mut", "last_mut", "pop_front", "pop_back", "front",
		"back", "front_mut", "back_mut", "peek", "iter_max", "take", "replace"),
	shapes(inside, "swap_remove"))

var mapping = merged(
	shapes(shape{"Option", 1}, "get", "get_mut", "remove", "insert"),
	shapes(shape{"Iter", 1}, "values", "values_mut", "into_values"),
	shapes(iterate, "keys", "into_keys"),
	map[string]shape{"entry": {"Entry", 1}, "iter": {"Pairs", 0}, "iter_mut": {"Pairs", 0}, "into_iter": {"Pairs", 0},
		"drain": {"Pairs", 0}})

// methods maps the name of an external type, such as Vec, to the shapes of the results of its
// methods.
var methods = map[string]map[string]shape{
	"Option": merged(
		shapes(inside, "unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default", "unwrap_unchecked",
			"get_or_insert", "get_or_insert_with", "insert"),
		shapes(same, "or", "or_else", "filter", "take", "replace", "as_ref", "as_mut", "as_deref", "as_deref_mut",
			"cloned", "copied", "inspect", "xor"),
		shapes(result, "ok_or", "ok_or_else"),
		shapes(iterate, "iter", "iter_mut", "into_iter")),
	"Result": merged(
		shapes(inside, "unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default",
			"context", "with_context"),
		shapes(same, "as_ref", "as_mut", "or_else", "inspect_err", "map_err", "context", "with_context", "inspect"),
		shapes(option, "ok"),
		map[string]shape{"err": {"Option", 1}, "unwrap_err": {"", 1}, "expect_err": {"", 1}}),
	"Iter": merged(
		shapes(option, "next", "last", "nth", "min", "max", "find", "min_by_key", "max_by_key", "min_by", "max_by",
			"peek", "next_back", "reduce"),
		shapes(same, "filter", "rev", "skip", "take", "chain", "peekable", "skip_while", "take_while", "by_ref",
			"cloned", "copied", "inspect", "fuse", "step_by", "into_iter", "iter", "cycle", "rfind"),
		map[string]shape{"enumerate": {"Counted", 0}}),
	"Vec": sequence, "slice": sequence, "VecDeque": sequence, "HashSet": sequence, "BTreeSet": sequence,
	"BinaryHeap": sequence,
	"IndexSet":   sequence, "SmallVec": sequence, "FxHashSet": sequence,
	"HashMap": mapping, "BTreeMap": mapping, "IndexMap": mapping, "FxHashMap": mapping,
	"Entry":    shapes(inside, "or_insert", "or_insert_with", "or_default", "or_insert_with_key"),
	"RefCell":  shapes(inside, "borrow", "borrow_mut", "into_inner", "get_mut", "take", "replace"),
	"Cell":     shapes(inside, "get", "take", "replace", "into_inner"),
	"Mutex":    shapes(result, "lock", "try_lock", "into_inner", "get_mut"),
	"RwLock":   shapes(result, "read", "write", "try_read", "try_write", "into_inner", "get_mut"),
	"OnceCell": merged(shapes(option, "get", "get_mut", "take", "into_inner"), shapes(inside, "get_or_init")),
	"OnceLock": merged(shapes(option, "get", "get_mut", "take", "into_inner"), shapes(inside, "get_or_init")),
	"Weak":     shapes(option, "upgrade"),
	"Arc":      shapes(inside, "as_ref", "deref"),
	"Rc":       shapes(inside, "as_ref", "deref"),
	"Box":      shapes(inside, "as_ref", "as_mut", "deref", "deref_mut"),
	"Cow":      shapes(inside, "into_owned", "to_mut", "as_ref"),
	"Into":     shapes(inside, "into"),
	"AsRef":    shapes(inside, "as_ref"),
}

// wrapping lists the types whose constructor "new" wraps its argument.
var wrapping = resolve.Set("Box", "Rc", "Arc", "Mutex", "RwLock", "RefCell", "Cell", "Pin", "ManuallyDrop",
	"AssertUnwindSafe")
