package csharp

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// bases returns the base types that the declarations of t name; a partial type has several
// declarations. foreignClass reports that a base class is declared outside the workspace.
func bases(w *resolve.World, t csharpType) (bases []csharpType, foreignClass bool) {
	for _, part := range t.parts {
		for _, fact := range part.Facts() {
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl {
				continue
			}
			b := csharpResolve(w, resolve.Type{Text: fact.Type, File: part.File,
				Scope: part.Symbol().Parent, Bind: t.bind()})
			bases = append(bases, b)
			if !b.known() && fact.Kind == code.FactBase && part.Symbol().Kind == code.KindClass {
				foreignClass = true
			}
		}
	}
	return bases, foreignClass
}

func (t csharpType) isInterface() bool {
	return t.known() && t.parts[0].Symbol().Kind == code.KindInterface
}

// supertypes returns t and all its supertypes, nearest first, including foreign ones.
func supertypes(w *resolve.World, t csharpType) []csharpType {
	// cached, because resolving each call on a string needs the supertypes of string
	if t.lib != nil && len(t.args) == 0 {
		return resolve.Derive(w, tabledKey{t.lib, t.name}, func() []csharpType { return closure(w, t) })
	}
	return closure(w, t)
}

type tabledKey struct {
	lib  *library.Type
	name string
}

// closure returns t and all its bases, nearest first, those of the library included.
func closure(w *resolve.World, t csharpType) []csharpType {
	all := []csharpType{t}
	seen := map[resolve.Ref]bool{}
	for i := 0; i < len(all) && len(all) < resolve.MaxLineage; i++ {
		if !all[i].known() {
			for _, b := range tabledBases(w, all[i]) {
				if !slices.ContainsFunc(all, func(a csharpType) bool { return a.name == b.name && a.lib == b.lib }) {
					all = append(all, b)
				}
			}
			continue
		}
		if seen[all[i].parts[0]] {
			continue
		}
		seen[all[i].parts[0]] = true
		bases, _ := bases(w, all[i])
		all = append(all, bases...)
	}
	return all
}

// lineage returns the types of the workspace that declare members of a value of type t: t and its base
// classes or, if t is an interface, t and the interfaces that it extends. foreign reports that a base class
// is declared outside the workspace.
func lineage(w *resolve.World, t csharpType) (levels []csharpType, foreign bool) {
	levels = []csharpType{t}
	seen := map[resolve.Ref]bool{t.parts[0]: true}
	for i := 0; i < len(levels) && len(levels) < resolve.MaxLineage; i++ {
		bases, outside := bases(w, levels[i])
		foreign = foreign || outside
		for _, b := range bases {
			if b.known() && !seen[b.parts[0]] && b.isInterface() == t.isInterface() {
				seen[b.parts[0]] = true
				levels = append(levels, b)
			}
		}
	}
	return levels, foreign
}

// own returns the members called name that the declarations of t contain, without those that code at s
// cannot access. Constructors and explicit interface implementations are left out: x.name cannot mean them.
func own(s resolve.Scope, t csharpType, name string) (out []resolve.Ref) {
	for _, part := range t.parts {
		for _, i := range part.File.Children(part.Index) {
			m := &part.File.Symbols[i]
			if m.Name == name && m.Kind != code.KindConstructor &&
				(resolve.IsType(m.Kind) || !explicit(part.File.Ref(i))) && visible(s, part, m) {
				out = append(out, part.File.Ref(i))
			}
		}
	}
	return out
}

// explicit reports whether a member is an explicit interface implementation: IFoo.Name.
func explicit(r resolve.Ref) bool {
	return slices.ContainsFunc(r.Facts(), func(f *code.Fact) bool { return f.Kind == code.FactImpl })
}

// visible reports whether code at s may access member m of the type with the declaration part. A member
// without an access modifier is private, and accessible only within its type.
func visible(s resolve.Scope, part resolve.Ref, m *code.Symbol) bool {
	k := part.Symbol().Kind
	switch {
	case k == code.KindInterface || k == code.KindEnum:
		return true
	case slices.Contains(m.Modifiers, "protected") && !slices.Contains(m.Modifiers, "internal"):
		return inDerived(s, part)
	case m.Exported:
		return true
	}
	for _, word := range m.Modifiers {
		if word == "internal" || word == "protected" || word == "public" {
			return true
		}
	}
	if len(part.Symbol().Parameters) > 0 && m.Kind == code.KindProperty &&
		slices.Contains(part.Symbol().Modifiers, "record") {
		return true // a parameter of a record is a public property
	}
	full := fullName(part)
	for at := s.At; at >= 0; at = s.File.Symbols[at].Parent {
		if resolve.IsType(s.File.Symbols[at].Kind) && fullName(s.File.Ref(at)) == full {
			return true
		}
	}
	return false
}

// inDerived reports whether code at s is in a type that derives from the one with the declaration part, or in that type
// itself. It is true for a partial type, because another part may name the base.
func inDerived(s resolve.Scope, part resolve.Ref) bool {
	full := fullName(part)
	for at := s.At; at >= 0; at = s.File.Symbols[at].Parent {
		r := s.File.Ref(at)
		if !resolve.IsType(r.Symbol().Kind) {
			continue
		}
		if slices.Contains(r.Symbol().Modifiers, "partial") || fullName(r) == full ||
			slices.ContainsFunc(supertypes(s.W, csharpType{parts: []resolve.Ref{r}}), func(t csharpType) bool {
				return t.known() && fullName(t.parts[0]) == full
			}) {
			return true
		}
	}
	return false
}

// csharpFound is the result of looking up a method. The fields are alternatives: the first one
// that is set says what was found. The zero csharpFound means that no such method is known.
type csharpFound struct {
	method  method
	ok      bool          // method is the target
	value   resolve.Ref   // set if a member that holds a function is the target
	several bool          // several methods fit
	misfit  bool          // methods of that name exist, none of which fits
	foreign bool          // a base class outside of the workspace may have the method
	library bool          // the library declares the method
	on      resolve.Type  // the library type that declares the method, if library is set
	unsure  bool          // an extension method of the workspace may apply to the receiver
	all     []resolve.Ref // the methods that fit, if several is set
	bind    *resolve.Binding
}

// methodOf looks up the method of t or its bases that x.name(…) at s calls, where x is of type t
// and h holds the arguments.
func methodOf(w *resolve.World, s resolve.Scope, t csharpType, name string, h hands) csharpFound {
	levels, foreign := lineage(w, t)
	var fit []method
	named := false
	for i, level := range levels {
		for _, r := range own(s, level, name) {
			if !r.Symbol().Kind.Callable() {
				// A field that holds a function can be called. Other members cannot, so the call may mean an
				// extension method.
				if len(fit) == 0 && (Language{}).HoldsFunction(w, r) {
					return csharpFound{value: r, bind: level.bind()}
				}
				continue
			}
			named = true
			if m := (method{Ref: r, bind: level.bind(), level: i}); m.takes(h) && !overridden(fit, m) {
				fit = append(fit, m)
			}
		}
		if len(fit) == 0 && level.torn() {
			return csharpFound{misfit: true}
		}
	}
	found := choose(w, s, fit, h)
	if !found.ok && !found.several {
		on, library, unknown := outside(w, levels, name, h)
		return csharpFound{foreign: foreign && unknown, misfit: named && !library, library: library, on: on}
	}
	return found
}

// outside looks for a method called name in those base classes of levels that are outside the
// workspace; every class has the base object. If a base class has the method, library is true and
// on is that class. unknown reports that a base class is not in library.txt, so that it may have
// the method.
func outside(w *resolve.World, levels []csharpType, name string, h hands) (on resolve.Type, library, unknown bool) {
	for _, level := range levels {
		bases, _ := bases(w, level)
		for _, b := range bases {
			switch {
			case b.known():
			case b.lib == nil:
				unknown = true
			default:
				if _, ok := tabledOwn(w, b, name, h.count); ok {
					return b.written(), true, false
				}
			}
		}
	}
	// the compiler generates some members of a record
	record := slices.Contains(levels[0].parts[0].Symbol().Modifiers, "record")
	if _, ok, _ := declares(tabled("object", 0), name, h.count); ok && !unknown && !record {
		return resolve.Type{Text: "object", Scope: inLibrary}, true, false
	}
	return resolve.Type{}, false, unknown
}

// torn reports whether a file that declares t was parsed wrongly, so that members of t may be
// missing. Methods outside of any type show this.
func (t csharpType) torn() bool {
	return slices.ContainsFunc(t.parts, func(part resolve.Ref) bool {
		return resolve.Memo(part.File, tornKey{}, func() bool {
			return slices.ContainsFunc(part.File.Symbols, func(m code.Symbol) bool {
				return (m.Kind == code.KindMethod || m.Kind == code.KindConstructor) &&
					(m.Parent < 0 || part.File.Symbols[m.Parent].Kind == code.KindNamespace)
			})
		})
	})
}

type tornKey struct{}

const (
	never fit = iota
	maybe
	toObject // the parameter is an object, to which every type converts
	base     // the parameter is a base type or an interface
	exact
)

// delegates lists .NET types that accept a lambda or a method group, and noDelegate lists types
// that do not. Neither kind accepts a string or a number.
var (
	delegates = map[string]bool{"Func": true, "Action": true, "Predicate": true, "Comparison": true,
		"Expression": true}
	noDelegate = map[string]bool{
		"[]": true, "List": true, "IEnumerable": true, "Dictionary": true, "Type": true, "Exception": true,
		"CancellationToken": true, "TimeSpan": true, "DateTime": true,
		"Guid": true, "Uri": true, "Task": true, "Stream": true, "Assembly": true, "MethodInfo": true,
		"PropertyInfo": true, "MemberInfo": true, "IEqualityComparer": true,
		"IComparer": true, "IServiceProvider": true, "IFormatProvider": true, "CultureInfo": true, "Encoding": true,
		"StringComparison": true,
	}
)

// usedValue returns the value of a field or property that a "using static" directive brings into scope, or a
// Module value if none does. It returns the zero Value if several do.
func (c evaluator) usedValue(s resolve.Scope, name string) resolve.Value {
	out := resolve.Value{Kind: resolve.Module, Module: name}
	for _, u := range usings(c.w, s.File) {
		if u.alias != "" {
			continue
		}
		for _, part := range qualified(c.w, s.File, s.At, u.module, 0) {
			v, found, _ := c.ofType(s, csharpResolve(c.w, self(part)), name)
			if !found || v.Kind != resolve.Instance {
				continue
			}
			if out.Kind == resolve.Instance && out.Property != v.Property {
				return resolve.Value{}
			}
			out = v
		}
	}
	return out
}
