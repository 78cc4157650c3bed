package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// scopes returns the qualified names of the scopes around the symbol with index at, innermost
// first: the class of a member function and the namespaces, then "" for the global scope.
func scopes(f *resolve.File, at int) []string {
	name := ""
	if at >= 0 {
		name = f.Symbols[at].QualifiedName
		if f.Symbols[at].Kind.Callable() {
			name = name[:max(0, strings.LastIndexByte(name, '.'))]
		}
	}
	var out []string
	for name != "" {
		out = append(out, name)
		name = name[:max(0, strings.LastIndexByte(name, '.'))]
	}
	return append(out, "")
}

// find returns the declarations to which a path such as a::f refers in the symbol with index at of
// f. It considers only those for which want reports true, and returns all of them in the innermost
// scope that has any.
func find(w *resolve.World, f *resolve.File, at int, segments []string, want func(resolve.Ref) bool) []resolve.Ref {
	if len(segments) == 0 {
		return nil
	}
	segments = unaliased(f, segments)
	declared := declared(w, f, segments[len(segments)-1])
	path := strings.Join(segments, ".")
	scopes := scopes(f, at)
	if out := using(f, at, declared, scopes, segments, want, true); len(out) > 0 {
		return out
	}
	for _, scope := range scopes {
		if out := qualified(declared, resolve.Qualified(".", scope, path), want); len(out) > 0 {
			return out
		}
		for _, used := range used(w, f, scope) {
			if out := qualified(declared, resolve.Qualified(".", used, path), want); len(out) > 0 {
				return out
			}
		}
	}
	return using(f, at, declared, scopes, segments, want, false)
}

// using resolves a path of one name by the using-declarations of f, such as using a::f. If local is
// set, it reads those inside of the enclosing function, which hide outer declarations; otherwise
// those of the file.
func using(f *resolve.File, at int, declared []resolve.Ref, scopes, segments []string, want func(resolve.Ref) bool,
	local bool) []resolve.Ref {
	if len(segments) != 1 {
		return nil
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.Name != segments[0] || m.Name == "*" || local != (m.Scope >= 0 && f.Symbols[m.Scope].Kind.Callable()) ||
			local && f.Callable(at) != f.Callable(m.Scope) {
			continue
		}
		using := strings.Join(resolve.SplitPath(m.Module), ".")
		for _, scope := range scopes {
			if out := qualified(declared, resolve.Qualified(".", scope, resolve.Qualified(".", using, m.Name)),
				want); len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

func qualified(declared []resolve.Ref, name string, want func(resolve.Ref) bool) (out []resolve.Ref) {
	for _, r := range declared {
		if r.Symbol().QualifiedName == name && want(r) {
			out = append(out, r)
		}
	}
	return out
}

// unaliased replaces the first name of a path if it is an alias of a namespace: fs::path becomes
// std::filesystem::path after namespace fs = std::filesystem.
func unaliased(f *resolve.File, segments []string) []string {
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Alias == segments[0] && m.Alias != "" {
			return append(resolve.SplitPath(m.Module), segments[1:]...)
		}
	}
	return segments
}

// used returns the namespaces that the directives "using namespace a" of f open, except std. It
// names them as if scope declared them: "b.a" if scope is "b".
func used(w *resolve.World, f *resolve.File, scope string) (out []string) {
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.Name != "*" || strings.ContainsAny(m.Module, "./") {
			continue
		}
		if used := resolve.Qualified(".", scope, strings.Join(resolve.SplitPath(m.Module), ".")); !slices.Contains(out,
			used) && used != "std" {
			out = append(out, used)
		}
	}
	return out
}

// seenType is a type whose name was resolved to a class of the workspace or a type of the
// standard library. The zero value is an unknown type.
type seenType struct {
	class   resolve.Ref
	foreign string // the base name of a type of the standard library
	unread  bool   // an instance of a template that no file of the workspace declares
	pointer bool   // a pointer, not a value or a reference
	args    []resolve.Type
}

var typeWords = map[string]bool{"const": true, "volatile": true, "struct": true, "class": true, "enum": true,
	"union": true, "typename": true,
	"static": true, "mutable": true, "inline": true, "register": true, "extern": true, "constexpr": true,
	"thread_local": true}

// see interprets the text of a type: it finds the class, or the standard library type, that the
// text names.
func see(w *resolve.World, t resolve.Type) seenType { return seeIn(w, t, 10) }

func seeIn(w *resolve.World, t resolve.Type, depth int) seenType {
	if t.File == nil || depth == 0 {
		return seenType{}
	}
	if marks, ok := strings.CutPrefix(t.Text, placeText); ok {
		return seenType{class: t.File.Ref(t.Scope), pointer: strings.ContainsAny(marks, "*[")}
	}
	if element, ok := iterated(w, t, depth); ok {
		return seenType{foreign: "iterator", args: []resolve.Type{element}}
	}
	base, args, pointer := takeType(t.Text)
	segments := resolve.SplitPath(base)
	if len(segments) == 0 {
		return seenType{}
	}
	var arguments []resolve.Type
	for _, a := range expr.SplitTypes(args) {
		arguments = append(arguments, t.With(a))
	}
	if segments[0] == "std" {
		return seenType{foreign: segments[len(segments)-1], pointer: pointer, args: arguments}
	}
	found := find(w, t.File, t.Scope, segments, func(r resolve.Ref) bool { return resolve.IsType(r.Symbol().Kind) })
	if len(found) == 0 {
		found = memberTypes(w, t, segments)
		if len(found) == 0 && standardTypes[segments[0]] {
			return seenType{foreign: segments[0], pointer: pointer, args: arguments}
		}
		if len(found) == 0 {
			found = nested(w, t, segments, depth)
		}
		if len(found) == 0 {
			found = ahead(w, t, segments)
		}
	}
	if len(found) == 0 {
		if len(arguments) > 0 && len(named(w, segments[len(segments)-1])) == 0 {
			return seenType{unread: true, pointer: pointer, args: arguments}
		}
		return seenType{}
	}
	r := oneClass(found)
	if !r.Valid() {
		return seenType{}
	}
	if r.Symbol().Kind == code.KindType {
		for _, fact := range r.Facts() {
			if fact.Kind == code.FactAlias && fact.Name == r.Symbol().Name {
				seen := seeIn(w, resolve.Type{Text: fact.Type, File: r.File, Scope: r.Symbol().Parent}, depth-1)
				seen.pointer = seen.pointer || pointer
				return seen
			}
		}
		return seenType{}
	}
	return seenType{class: r, pointer: pointer, args: arguments}
}

// iterated returns the type of the elements over which an iterator type such as
// "vector<T>::iterator" iterates: T. It returns false for other types.
func iterated(w *resolve.World, t resolve.Type, depth int) (resolve.Type, bool) {
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(t.Text), "typename "))
	for _, suffix := range []string{"::iterator", "::const_iterator", "::reverse_iterator",
		"::const_reverse_iterator"} {
		if container, ok := strings.CutSuffix(text, suffix); ok {
			return element(seeIn(w, t.With(container), depth-1))
		}
	}
	return resolve.Type{}, false
}

// pointee returns the type to which x leads by x->m and *x, if x is no plain pointer: the first
// argument of a smart pointer, optional or iterator. A template of a library outside the workspace,
// such as boost or Qt, counts as a smart pointer. It returns false for other types.
func pointee(seen seenType) (resolve.Type, bool) {
	if seen.pointer || len(seen.args) == 0 || !pointers[seen.foreign] && seen.foreign != "iterator" && !seen.unread {
		return resolve.Type{}, false
	}
	return seen.args[0], true
}

// element returns the type of the elements of a container; for a map, a pair of key and value. It
// returns false if the type is no container. A template with one argument of a library outside the
// workspace counts as a container, since callers only ask for types that code iterates over or
// indexes.
func element(seen seenType) (resolve.Type, bool) {
	if seen.unread && len(seen.args) == 1 && !seen.pointer {
		return seen.args[0], true
	}
	i, ok := elements[seen.foreign]
	switch {
	case !ok || i >= len(seen.args) || seen.pointer:
		return resolve.Type{}, false
	case i == 1:
		return seen.args[0].With("std::pair<" + seen.args[0].Text + ", " + seen.args[1].Text + ">"), true
	}
	return seen.args[0], true
}

// nested resolves a path such as Alias::Inner, where Alias is an alias of a class, to the type
// Inner that the class declares.
func nested(w *resolve.World, t resolve.Type, segments []string, depth int) (out []resolve.Ref) {
	last := len(segments) - 1
	if last == 0 {
		return nil
	}
	outer := seeIn(w, t.With(strings.Join(segments[:last], "::")), depth-1).class
	if !outer.Valid() {
		return nil
	}
	for _, i := range outer.File.Children(outer.Index) {
		if s := &outer.File.Symbols[i]; s.Name == segments[last] && resolve.IsType(s.Kind) {
			out = append(out, outer.File.Ref(i))
		}
	}
	return out
}

// ahead returns the definition of a class that the file of t only declares, as in "struct node;".
// That file need not include the definition.
func ahead(w *resolve.World, t resolve.Type, segments []string) []resolve.Ref {
	named := named(w, segments[len(segments)-1])
	for _, scope := range scopes(t.File, t.Scope) {
		found := qualified(named, resolve.Qualified(".", scope, strings.Join(segments, ".")), func(r resolve.Ref) bool {
			return resolve.IsType(r.Symbol().Kind) && hasBody(r)
		})
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// memberTypes returns the types to which a path leads from a base of a class around t. The
// namespaces of a base are not searched: a derived class in another namespace does not see them.
func memberTypes(w *resolve.World, t resolve.Type, segments []string) []resolve.Ref {
	path := strings.Join(segments, ".")
	for _, class := range classesAround(w, t.File, t.Scope) {
		if found := typesOfBases(w, class, path, maxBases); len(found) > 0 {
			return found
		}
	}
	return nil
}

// maxBases bounds the steps from a class to the base that declares a type.
const maxBases = 4

// typesOfBases returns the types called path that the nearest bases of class declare. depth bounds
// the steps to bases.
func typesOfBases(w *resolve.World, class resolve.Ref, path string, depth int) []resolve.Ref {
	if depth == 0 {
		return nil
	}
	for _, base := range bases(w, class) {
		name := resolve.Qualified(".", base.Symbol().QualifiedName, path)
		found := qualified(declared(w, base.File, path[strings.LastIndexByte(path, '.')+1:]), name,
			func(r resolve.Ref) bool { return resolve.IsType(r.Symbol().Kind) })
		if len(found) == 0 {
			found = typesOfBases(w, base, path, depth-1)
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// oneClass returns the class among declarations of one name. It returns the zero Ref if they are in
// several files.
func oneClass(found []resolve.Ref) resolve.Ref {
	for _, r := range found[1:] {
		if r.File != found[0].File {
			return resolve.Ref{}
		}
	}
	for _, r := range found {
		if r.Symbol().Kind != code.KindType {
			return r
		}
	}
	return found[0]
}

// takeType splits the text of a type into its path, the arguments of its last name, and whether it
// is a pointer: "const a::B<C> *" into a::B, C and true. The path is "" if text is no path.
func takeType(text string) (base, args string, pointer bool) {
	text = strings.TrimSpace(text)
	if i := strings.IndexByte(text, '<'); i > 0 {
		if end := strings.LastIndexByte(text, '>'); end > i {
			args = text[i+1 : end]
			rest := text[end+1:]
			if strings.HasPrefix(strings.TrimSpace(rest), "::") {
				return "", "", false // a member of a template
			}
			text = text[:i] + " " + rest
		}
	}
	pointer = strings.ContainsAny(text, "*[")
	if i := strings.IndexByte(text, '['); i > 0 { // K [3]
		text = text[:i]
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '*' || r == '&' || r == '\t'
	}) {
		if !typeWords[word] {
			if base != "" {
				return "", "", false // two words: "unsigned int", or text that is no type
			}
			base = word
		}
	}
	if strings.ContainsAny(base, "()") {
		return "", "", false
	}
	return base, args, pointer
}

// standardTypes lists names of the standard library that code may use without "std::".
var standardTypes = resolve.Set("string", "vector", "map", "set", "unique_ptr", "shared_ptr", "optional",
	"unordered_map", "unordered_set", "pair",
	"string_view", "list", "deque", "function", "ostream", "istream", "ostringstream", "stringstream", "thread",
	"mutex", "atomic")

// classesAround returns the classes around the symbol with index at, innermost first. For a member
// function that is defined outside of its class, void A::f() { … }, they include the class.
func classesAround(w *resolve.World, f *resolve.File, at int) (out []resolve.Ref) {
	for _, scope := range scopes(f, at) {
		if scope == "" {
			continue
		}
		name := scope[strings.LastIndexByte(scope, '.')+1:]
		found := qualified(declared(w, f, name), scope, func(r resolve.Ref) bool {
			return resolve.IsType(r.Symbol().Kind) && hasBody(r)
		})
		if len(found) > 0 {
			if r := oneClass(found); r.Valid() {
				out = append(out, r)
			}
		}
	}
	return out
}

// bases returns the base classes of a class that are in the workspace.
func bases(w *resolve.World, class resolve.Ref) []resolve.Ref {
	type key struct {
		file int64
		at   int
	}
	return resolve.Derive(w, key{class.File.ID, class.Index}, func() (out []resolve.Ref) {
		for _, fact := range class.Facts() {
			if fact.Kind == code.FactBase {
				if b := see(w, resolve.Type{Text: fact.Type, File: class.File,
					Scope: class.Symbol().Parent}); b.class.Valid() && b.class != class {
					out = append(out, b.class)
				}
			}
		}
		return out
	})
}

// openBases reports whether a class, or one of its bases up to depth steps away, has a base that is
// not in the workspace.
func openBases(w *resolve.World, class resolve.Ref, depth int) bool {
	n := 0
	for _, fact := range class.Facts() {
		if fact.Kind == code.FactBase {
			n++
		}
	}
	bases := bases(w, class)
	if len(bases) < n {
		return true
	}
	for _, b := range bases {
		if depth > 0 && openBases(w, b, depth-1) {
			return true
		}
	}
	return false
}

// members returns the member functions called name of a class. If it declares none, they are those
// of its bases, and inherited is true. depth bounds the steps to bases.
func members(w *resolve.World, class resolve.Ref, name string, depth int) (out []resolve.Ref, inherited bool) {
	for _, i := range class.File.Children(class.Index) {
		if r := class.File.Ref(i); r.Symbol().Name == name && isFunction(r) {
			out = append(out, r)
		}
	}
	if len(out) > 0 || depth == 0 {
		return out, false
	}
	for _, b := range bases(w, class) {
		found, _ := members(w, b, name, depth-1)
		out = append(out, found...)
	}
	return out, true
}

// field returns the type of the field called name of a class or its bases. depth bounds the steps
// to bases. It returns false if there is none.
func field(w *resolve.World, class resolve.Ref, name string, depth int) (resolve.Type, bool) {
	for _, fact := range class.Facts() {
		if fact.Kind == code.FactField && fact.Name == name {
			t := resolve.Type{Text: fact.Type, File: class.File, Scope: class.Index}
			return inPlace(t, class, name), true
		}
	}
	if depth > 0 {
		for _, b := range bases(w, class) {
			if t, ok := field(w, b, name, depth-1); ok {
				return t, true
			}
		}
	}
	return resolve.Type{}, false
}

// placeText is the text of a field's type if that type is an anonymous record, as in struct { int
// x; } at. The Scope of such a Type is the field.
const placeText = "#here"

// inPlace returns the type t of a field, converted to placeText if it is an anonymous record.
func inPlace(t resolve.Type, class resolve.Ref, name string) resolve.Type {
	if base, _, _ := takeType(t.Text); base != "" {
		return t
	}
	for _, i := range class.File.Children(class.Index) {
		if class.File.Symbols[i].Name == name && len(class.File.Children(i)) > 0 {
			marks := strings.TrimLeft(t.Text, "abcdefghijklmnopqrstuvwxyz ")
			return resolve.Type{Text: placeText + marks, File: class.File, Scope: i}
		}
	}
	return t
}
