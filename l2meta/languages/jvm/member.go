package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/languages/jvm/scala"
	"sextant/l2meta/resolve"
)

// memberFinder finds the members of types, and the methods that override them.
type memberFinder struct{ *jvm }

// candidate is a callable that a name may refer to, with the type arguments of the type that
// declares it.
type candidate struct {
	ref   resolve.Ref
	bind  *resolve.Binding
	depth int // number of inheritance steps from the receiver's type up to the declaring type
}

// members holds the members of a type under one name.
type members struct {
	methods []candidate
	fields  []candidate // fields, properties, constants, nested objects
	// extensions holds the functions and properties of Kotlin that the type declares for another type, as
	// class Host { fun Order.show() } does. They are called on an Order.
	extensions []candidate
	outside    []string // external bases, which may have further members of that name
	unknown    bool     // whether a base could not be read
}

func (m members) found() bool { return len(m.methods)+len(m.fields) > 0 }

// named returns the members called name that a type declares or inherits.
func (j memberFinder) named(t resolve.Ref, name string) members {
	return resolve.Derive(j.w, memberKey{t, name}, func() (out members) {
		tree := j.types.ancestry(t)
		out.outside, out.unknown = tree.outside, tree.unknown
		for _, a := range tree.types {
			for _, c := range membersOf(a.ref, name) {
				out.add(candidate{a.ref.File.Ref(c), a.bind, a.depth})
			}
		}
		return out
	})
}

// add adds a member to the list of its kind.
func (m *members) add(c candidate) {
	switch {
	case c.ref.File.Language == "kotlin" && kotlinReceiver(c.ref) != nil:
		m.extensions = append(m.extensions, c)
	case callable(c.ref.Symbol()):
		m.methods = append(m.methods, c)
	default:
		m.fields = append(m.fields, c)
	}
}

// all returns the methods and the functions among the extensions.
func (m members) all() []candidate {
	return append(slices.Clone(m.methods), extensionsOf(m, true)...)
}

// extensionsOf returns the extensions in m that are functions, or those that are properties.
func extensionsOf(m members, functions bool) (out []candidate) {
	for _, c := range m.extensions {
		if callable(c.ref.Symbol()) == functions {
			out = append(out, c)
		}
	}
	return out
}

func callable(s *code.Symbol) bool {
	return s.Kind == code.KindMethod || s.Kind == code.KindFunction || s.Kind == code.KindTest
}

type ownKey int

// membersOf returns the methods, fields and objects called name that r itself declares, without
// those of anonymous classes in its members.
func membersOf(r resolve.Ref, name string) []int {
	return resolve.Memo(r.File, ownKey(r.Index), func() map[string][]int {
		by := map[string][]int{}
		for _, c := range r.File.Children(r.Index) {
			s := &r.File.Symbols[c]
			if s.Kind == code.KindConstructor || resolve.IsType(s.Kind) && !isObject(r.File.Ref(c)) ||
				anonymousAt(r.File, s.Parent, s.NameSpan.StartByte) != nil {
				continue
			}
			by[s.Name] = append(by[s.Name], c)
		}
		return by
	})[name]
}

// anonymousAt returns the fact that records the type of "this" in the innermost anonymous class
// around byte offset pos in symbol at. It returns nil if there is none.
func anonymousAt(f *resolve.File, at, pos int) (best *code.Fact) {
	for _, fact := range f.FactsOf(at) {
		if fact.Kind == code.FactVar && fact.Name == "this" && fact.Scope[0] <= pos && pos < fact.Scope[1] &&
			(best == nil || fact.Scope[0] >= best.Scope[0]) {
			best = fact
		}
	}
	return best
}

// arity returns the least and the greatest number of arguments that a callable accepts; high is -1
// if there is no limit.
func arity(s *code.Symbol) (low, high int) {
	for _, p := range s.Parameters {
		switch {
		case p.Variadic:
			high = -1
		case p.Default == "":
			low++
		}
		if high >= 0 {
			high++
		}
	}
	return low, high
}

func takes(s *code.Symbol, args int) bool {
	low, high := arity(s)
	return args < 0 || args >= low && (high < 0 || args <= high)
}

// accessible reports whether code in a file may call r. Private members are accessible in their own
// file, package-private ones of Java in their package.
func accessible(from *resolve.File, r resolve.Ref) bool {
	s := r.Symbol()
	if from == r.File {
		return true
	}
	if slices.Contains(s.Modifiers, "private") {
		return false
	}
	return r.File.Language != "java" || s.Exported || slices.Contains(s.Modifiers, "protected") ||
		from.Language == "java" && clause(from) == clause(r.File)
}

// choose returns the candidates that code in file from may call with args arguments. It drops
// methods that another candidate overrides.
func (j memberFinder) choose(from *resolve.File, candidates []candidate, args int) (out []candidate) {
	var short []candidate // candidates that do not accept args arguments themselves, but may inherit default values
	for _, c := range candidates {
		is := func(o candidate) bool { return o.ref == c.ref }
		if !accessible(from, c.ref) || slices.ContainsFunc(out, is) {
			continue
		}
		if !takes(c.ref.Symbol(), args) {
			short = append(short, c)
			continue
		}
		hides := func(o candidate) bool { return j.overrides(o, c) }
		if slices.ContainsFunc(out, hides) {
			continue
		}
		if i := slices.IndexFunc(short, hides); i >= 0 {
			c = short[i]
		}
		out = append(out, c)
	}
	if from.Language == "kotlin" {
		return kotlinPreferred(out)
	}
	return out
}

// kotlinPreferred drops candidates that annotations mark as hidden or low in priority, unless all
// candidates are.
func kotlinPreferred(found []candidate) []candidate {
	withdrawn := func(c candidate) bool {
		return slices.ContainsFunc(c.ref.Symbol().Annotations, func(a string) bool {
			return strings.Contains(a, "LowPriorityInOverloadResolution") ||
				strings.HasPrefix(a, "@Deprecated") && strings.Contains(a, "HIDDEN")
		})
	}
	if len(found) < 2 || !slices.ContainsFunc(found, func(c candidate) bool { return !withdrawn(c) }) {
		return found
	}
	return slices.DeleteFunc(found, withdrawn)
}

// overrides reports whether near overrides far. It compares the names of the parameter types. A
// type parameter matches any type but the primitive ones of Java: fit(long) does not override fit(T).
func (j memberFinder) overrides(near, far candidate) bool {
	if near.depth == far.depth && near.ref.Symbol().Parent == far.ref.Symbol().Parent && near.ref.File == far.ref.File {
		return false
	}
	if near.ref.Symbol().Parent < 0 && far.ref.Symbol().Parent < 0 {
		return false // functions of packages do not override
	}
	a, b := near.ref.Symbol().Parameters, far.ref.Symbol().Parameters
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := erased(a[i].Type), erased(b[i].Type)
		if x == y || near.ref.File.Language != far.ref.File.Language && primitive(x) == primitive(y) ||
			ofOwner(far.ref, y) && !(near.ref.File.Language == "java" && isPrimitive(x)) ||
			slices.Contains(parameters(near.ref), x) && slices.Contains(parameters(far.ref), y) {
			continue
		}
		return false
	}
	return true
}

// primitive returns the Java name of a primitive type for the name of the class of its boxed
// values, or for its name in Kotlin or Scala: int for Integer and Int. It returns any other name
// unchanged.
func primitive(name string) string {
	base := strings.TrimRight(name, "[]")
	if p := canonical(strings.ToLower(base)); numbers[p] > 0 || p == "boolean" {
		return p + name[len(base):]
	} else if box := facts.Boxes[base]; box != "" {
		return box + name[len(base):]
	}
	return name
}

// ofOwner reports whether name is a type parameter of a type around r.
func ofOwner(r resolve.Ref, name string) bool {
	for r = r.Parent(); r.Valid(); r = r.Parent() {
		if slices.Contains(parameters(r), name) {
			return true
		}
	}
	return false
}

// erased returns the last name of a type, without type arguments but with array brackets: List[]
// for java.util.List<A>[].
func erased(text string) string {
	text = clean(text)
	suffix := ""
	for strings.HasSuffix(text, "[]") || strings.HasSuffix(text, "...") {
		text, suffix = strings.TrimSuffix(strings.TrimSuffix(text, "..."), "[]"), suffix+"[]"
	}
	path, _ := split(text)
	if len(path) == 0 {
		return text + suffix
	}
	return path[len(path)-1] + suffix
}

// constructors returns the constructors that the body of a type declares: all of them, and in fit
// those that accept args arguments.
func (j memberFinder) constructors(t resolve.Ref, args int) (fit, all []candidate) {
	for _, c := range t.File.Children(t.Index) {
		if t.File.Symbols[c].Kind != code.KindConstructor {
			continue
		}
		one := candidate{ref: t.File.Ref(c)}
		all = append(all, one)
		if takes(one.ref.Symbol(), args) {
			fit = append(fit, one)
		}
	}
	return fit, all
}

// made returns the declaration to which a construction of t with args arguments resolves: the only
// fitting constructor that t declares, or t itself.
func (j memberFinder) made(t resolve.Ref, args int) resolve.Ref {
	if len(t.Symbol().Parameters) > 0 && takes(t.Symbol(), args) {
		return t // a primary constructor
	}
	if fit, _ := j.constructors(t, args); len(fit) == 1 {
		return fit[0].ref
	}
	return t
}

// implementations returns the methods of subtypes that override r.
func (j memberFinder) implementations(r resolve.Ref) (out []resolve.Ref) {
	owner := r.Parent()
	if !owner.Valid() || !resolve.IsType(owner.Symbol().Kind) ||
		resolve.HasModifier(r.Symbol(), "private", "static", "final") {
		return nil
	}
	for _, sub := range j.below(owner) {
		for _, c := range membersOf(sub, r.Symbol().Name) {
			m := sub.File.Ref(c)
			runs := callable(m.Symbol()) || m.Symbol().Computed && r.Symbol().Kind == code.KindProperty
			if runs && j.mayOverride(m, r) {
				out = append(out, m)
			}
		}
	}
	return out
}

// mayOverride reports whether a method of a subtype overrides r. As the languages write the same
// types differently, methods of different languages are compared by the number of parameters only.
func (j memberFinder) mayOverride(m, r resolve.Ref) bool {
	if resolve.HasModifier(m.Symbol(), "static", "private") || resolve.HasModifier(r.Symbol(), "static", "private") ||
		m.File.Language == "kotlin" && !resolve.HasModifier(m.Symbol(), "override") ||
		len(m.Symbol().Parameters) != len(r.Symbol().Parameters) {
		return false
	}
	return m.File.Language != r.File.Language || j.overrides(candidate{ref: m}, candidate{ref: r, depth: 1})
}

// below returns the types that derive from t.
func (j memberFinder) below(t resolve.Ref) []resolve.Ref { return resolve.Below(j.w, t, j.subtypes) }

// subtypes returns the types that name t as a base.
func (j memberFinder) subtypes(t resolve.Ref) []resolve.Ref {
	return j.w.SubtypesWhere(t, func(sub resolve.Ref) bool {
		return slices.ContainsFunc(supers(sub), func(base resolve.Type) bool {
			head, _ := head(base.Text)
			return strings.Contains(base.Text, t.Symbol().Name) && head != "" && j.types.readIn(base, sub).ref == t
		})
	})
}

// overridden returns the methods of bases that r overrides.
func (j memberFinder) overridden(r resolve.Ref) (out []resolve.Ref) {
	owner, s := r.Parent(), r.Symbol()
	if !owner.Valid() || !resolve.IsType(owner.Symbol().Kind) {
		return nil
	}
	for _, m := range j.named(owner, s.Name).all() {
		if m.depth > 0 && j.mayOverride(r, m.ref) {
			out = append(out, m.ref)
		}
	}
	if s.Kind == code.KindProperty {
		for _, a := range j.types.ancestry(owner).types[1:] {
			for _, c := range membersOf(a.ref, s.Name) {
				if base := a.ref.File.Ref(c); base.Symbol().Kind == code.KindProperty && j.mayOverride(r, base) {
					out = append(out, base)
				}
			}
		}
	}
	return out
}

// callNames returns the names that calls of r use. For a constructor of Order they are [Order
// this super], because this(…) and super(…) may call it. For most other declarations it is their
// own name.
func (j memberFinder) callNames(r resolve.Ref) []string {
	s := r.Symbol()
	if resolve.IsType(s.Kind) {
		return []string{s.Name, "this", "super"}
	}
	if s.Kind != code.KindConstructor {
		if s.Name == "invoke" || s.Name == "apply" {
			return j.objectNames(r)
		}
		if name := s.Name + "="; r.File.Language == "scala" && scala.Assigns(name) {
			return []string{s.Name, name} // a = a + b may be written as a += b
		}
		return []string{s.Name}
	}
	if owner := r.Parent(); owner.Valid() {
		return []string{owner.Symbol().Name, "this", "super"}
	}
	return []string{s.Name}
}

// objectNames returns the names that calls of r use, where r is the method apply or invoke of an
// object. They include the name of the object, as in Order(1), and the name of the type around
// it, because the object may be its companion. They also include those names of subtypes, because
// subtypes inherit the method.
func (j memberFinder) objectNames(r resolve.Ref) []string {
	names := []string{r.Symbol().Name, "this"}
	owner := r.Parent()
	if !owner.Valid() {
		return names
	}
	for _, t := range append([]resolve.Ref{owner}, j.below(owner)...) {
		for level := 0; level < 2 && t.Valid(); level++ {
			if name := t.Symbol().Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
			t = t.Parent()
		}
	}
	return names
}

// family implements the parts of a resolver that the JVM languages share.
type family struct{}

func (family) Implementations(w *resolve.World, r resolve.Ref) []resolve.Ref {
	return newJVM(w).members.implementations(r)
}
func (family) Overridden(w *resolve.World, r resolve.Ref) []resolve.Ref {
	return newJVM(w).members.overridden(r)
}
func (family) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	return resolve.Related(receiver, impl.Parent(), newJVM(w).members.below)
}
func (family) CallNames(w *resolve.World, r resolve.Ref) []string {
	return newJVM(w).members.callNames(r)
}

// Imports returns the files that an import refers to. An import names a type or a member of one, in
// Kotlin and Scala also a function. A wildcard import of a package refers to no file.
func (family) Imports(w *resolve.World, f *resolve.File, i *code.Import) (out []*resolve.File) {
	if i.Alias == "_" { // the import hides a name
		return nil
	}
	j := newJVM(w)
	path := importPath(f, *i)
	whole := path
	if i.Name != "" && i.Name != "*" {
		whole = append(slices.Clone(path), i.Name)
	}
	for _, p := range [][]string{whole, path} {
		r, ok := j.types.qualified(f, p)
		if !ok {
			r, ok = j.types.relative(f, -1, p)
		}
		if ok {
			return []*resolve.File{r.File}
		}
	}
	for _, r := range visible(f, j.types.top(i.Module, i.Name)) {
		out = append(out, r.File)
	}
	return out
}

// nestedAround returns the type called name that r sees as a member of an anonymous Java class: in
// new Walker() { void at(Step s) { … } }, the Step of at is Walker's, if Walker has one.
func (j typeReader) nestedAround(r resolve.Ref, name string) (resolve.Ref, bool) {
	s := r.Symbol()
	if r.File.Language != "java" || s.Parent < 0 {
		return resolve.Ref{}, false
	}
	fact := anonymousAt(r.File, s.Parent, s.NameSpan.StartByte)
	if fact == nil {
		return resolve.Ref{}, false
	}
	base := j.read(resolve.Type{Text: fact.Type, File: r.File, Scope: s.Parent})
	if base.kind != declared {
		return resolve.Ref{}, false
	}
	return j.nested(base.ref, name)
}
