package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// jvm reads names, types and expressions of Java, Kotlin and Scala, which see
// each other's packages. What differs between them is the dialect of the file
// that a name stands in.
type jvm struct {
	w     *resolve.World
	depth int
}

// maxJVMDepth bounds how deep the reading of one expression goes.
const maxJVMDepth = 80

// enter counts a step down; each that gives true is followed by a leave.
func (j *jvm) enter() bool {
	if j.depth >= maxJVMDepth || j.w.Err() != nil {
		return false
	}
	j.depth++
	return true
}

func (j *jvm) leave() { j.depth-- }

// place is where something is written: names mean what they mean there.
type place struct {
	file *resolve.File
	at   int // innermost symbol around it, -1 at file level
	pos  int // byte offset
	bind *resolve.Binding
}

func (p place) typ(text string) resolve.Type {
	return resolve.Type{Text: text, File: p.file, Scope: p.at, Bind: p.bind}
}

func language(name string) bool { return name == "java" || name == "kotlin" || name == "scala" }

// jvmPackage returns the package of a declaration: the file's, or the one whose
// clause encloses it.
func jvmPackage(f *resolve.File, at int) string {
	pkg := ""
	for ; at >= 0; at = f.Symbols[at].Parent {
		if s := &f.Symbols[at]; s.Kind == code.KindNamespace || s.Kind == code.KindClass && slices.Contains(s.Modifiers, "package") {
			if pkg = f.Symbols[at].Name + "." + pkg; f.Symbols[at].Parent < 0 {
				break
			}
		}
	}
	return strings.Trim(clause(f)+"."+pkg, ".")
}

// clause returns the package that the file's clauses name; of several, in Scala,
// the last holds all.
func clause(f *resolve.File) (name string) {
	for _, fact := range f.FactsOf(-1) {
		if fact.Kind == code.FactPackage {
			name = fact.Type
		}
	}
	return name
}

type (
	topKey    [2]string
	memberKey struct {
		ref  resolve.Ref
		name string
	}
	supersKey resolve.Ref
)

// top returns the top-level declarations of that name in a package: types,
// functions, variables. They lie in several files where a name is declared for
// several platforms or editions.
func (j *jvm) top(pkg, name string) []resolve.Ref {
	return resolve.Derive(j.w, topKey{pkg, name}, func() (out []resolve.Ref) {
		rows, all := j.w.Named(name)
		if !all {
			return nil
		}
		for _, row := range rows {
			if !language(row.Language) || strings.Contains(row.Symbol.QualifiedName, ".") && row.Language != "scala" {
				continue
			}
			r := j.w.Ref(row)
			if r.Valid() && isTop(r) && jvmPackage(r.File, r.Symbol().Parent) == pkg {
				out = append(out, r)
			}
		}
		return out
	})
}

// isTop reports whether nothing but package clauses encloses r, or a package
// object.
func isTop(r resolve.Ref) bool {
	p := r.Parent()
	return !p.Valid() || p.Symbol().Kind == code.KindNamespace
}

// nearest returns the one of several declarations of the same name that from sees:
// the one in its file, or that shares the longest path with it; of those
// equally near the one that says what the platforms have in common. None when
// two are left.
func (j *jvm) nearest(from *resolve.File, refs []resolve.Ref) (resolve.Ref, bool) {
	best, steps, twins := resolve.Ref{}, -1, false
	for _, r := range refs {
		switch n := nearness(from, r.File); {
		case n > steps:
			best, steps, twins = r, n, false
		case n == steps && r.File == best.File:
		case n == steps && expected(r) != expected(best):
			if expected(r) {
				best = r
			}
		case n == steps:
			twins = !expected(best) || expected(r)
		}
	}
	return best, steps >= 0 && !twins
}

// nearness is how near two files lie: by the path that they share, then by
// the platform for which their source set is.
func nearness(a, b *resolve.File) int {
	n := 2 * resolve.SharedSteps(a.Path, b.Path)
	if p := platform(a.Path); p != "" && p == platform(b.Path) {
		n++
	}
	return n
}

// platform returns what a source set is for: "jvm" of src/jvmMain and of
// src/jvmTest; "" where a path names none.
func platform(path string) string {
	_, set, ok := strings.Cut(path, "src/")
	set, _, _ = strings.Cut(set, "/")
	for _, kind := range []string{"Main", "Test"} {
		if name, is := strings.CutSuffix(set, kind); ok && is {
			return name
		}
	}
	return ""
}

// expected reports whether r says what several platforms declare.
func expected(r resolve.Ref) bool { return slices.Contains(r.Symbol().Modifiers, "expect") }

// topType returns the type of that name in a package as from sees it.
func (j *jvm) topType(from *resolve.File, pkg, name string) (resolve.Ref, bool) {
	var types []resolve.Ref
	for _, r := range j.top(pkg, name) {
		if resolve.IsType(r.Symbol().Kind) && !slices.Contains(r.Symbol().Modifiers, "package") {
			types = append(types, r)
		}
	}
	types = visible(from, types)
	r, ok := j.nearest(from, types)
	if !ok {
		return j.inPackageObject(from, pkg, name)
	}
	return classFirst(r, types), true
}

// visible leaves out what production code cannot see: tests.
func visible(from *resolve.File, refs []resolve.Ref) []resolve.Ref {
	if from.Class == code.ClassTest || !slices.ContainsFunc(refs, func(r resolve.Ref) bool { return r.File.Class != code.ClassTest }) {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), func(r resolve.Ref) bool { return r.File.Class == code.ClassTest })
}

// classFirst prefers the class over its companion object in Scala, where
// both have one name in one file.
func classFirst(r resolve.Ref, refs []resolve.Ref) resolve.Ref {
	for _, other := range refs {
		if other.File == r.File && !isObject(other) {
			return other
		}
	}
	return r
}

// isObject reports whether r is a Kotlin or Scala object.
func isObject(r resolve.Ref) bool {
	return r.Symbol().Kind == code.KindClass && slices.Contains(r.Symbol().Modifiers, "object")
}

// qualified returns the type of a full name: package, type, nested types.
func (j *jvm) qualified(from *resolve.File, path []string) (resolve.Ref, bool) {
	for k := len(path) - 1; k >= 0; k-- {
		r, ok := j.topType(from, strings.Join(path[:k], "."), path[k])
		for _, name := range path[k+1:] {
			if !ok {
				break
			}
			r, ok = j.nested(r, name)
		}
		if ok {
			return r, true
		}
	}
	return resolve.Ref{}, false
}

// nested returns the type of that name that r declares or inherits.
func (j *jvm) nested(r resolve.Ref, name string) (resolve.Ref, bool) {
	found := resolve.Ref{}
	j.lineage(r, func(t resolve.Ref) bool {
		for _, c := range t.File.Children(t.Index) {
			if s := &t.File.Symbols[c]; s.Name == name && resolve.IsType(s.Kind) {
				found = t.File.Ref(c)
				return false
			}
		}
		for _, companion := range companions(t) {
			for _, c := range companion.File.Children(companion.Index) {
				if s := &t.File.Symbols[c]; s.Name == name && resolve.IsType(s.Kind) {
					found = t.File.Ref(c)
					return false
				}
			}
		}
		return true
	})
	return found, found.Valid()
}

// companions returns the companion objects of a type: in Kotlin nested ones, in
// Scala the object of its name beside it.
func companions(t resolve.Ref) (out []resolve.Ref) {
	for _, c := range t.File.Children(t.Index) {
		if s := &t.File.Symbols[c]; s.Kind == code.KindClass && slices.Contains(s.Modifiers, "companion") {
			out = append(out, t.File.Ref(c))
		}
	}
	if t.File.Language == "scala" && !isObject(t) {
		for _, c := range t.File.Children(t.Symbol().Parent) {
			if r := t.File.Ref(c); r.Symbol().Name == t.Symbol().Name && isObject(r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// supers returns the types that a type extends and implements, as written.
func supers(r resolve.Ref) (out []resolve.Type) {
	bind := (*resolve.Binding)(nil)
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactBase || fact.Kind == code.FactImpl {
			out = append(out, resolve.Type{Text: fact.Type, File: r.File, Scope: r.Symbol().Parent, Bind: bind})
		}
	}
	return out
}

// ancestor is a type that another one is or extends, with what the type
// parameters of it are there.
type ancestor struct {
	ref   resolve.Ref
	bind  *resolve.Binding
	depth int
}

// ancestry is all that a type is: itself, its bases, theirs, nearest first.
type ancestry struct {
	types   []ancestor
	outside []string // names of bases that lie outside the workspace
	unknown bool     // a base cannot be read
}

// lineage calls yield with r and its bases, nearest first, until it gives false.
func (j *jvm) lineage(r resolve.Ref, yield func(resolve.Ref) bool) {
	for _, a := range j.ancestry(r).types {
		if !yield(a.ref) {
			return
		}
	}
}

func (j *jvm) ancestry(r resolve.Ref) ancestry {
	return resolve.Derive(j.w, supersKey(r), func() ancestry {
		out := ancestry{types: []ancestor{{ref: r}}}
		for i := 0; i < len(out.types) && i < maxAncestors; i++ {
			a := out.types[i]
			supers := supers(a.ref)
			if a.ref.File.Language == "scala" { // what is mixed in last comes first
				slices.Reverse(supers)
			}
			for _, t := range supers {
				t.Bind = a.bind
				switch base := j.readIn(t, a.ref); {
				case base.kind == declared:
					if !slices.ContainsFunc(out.types, func(o ancestor) bool { return o.ref == base.ref }) {
						out.types = append(out.types, ancestor{base.ref, j.bindOf(base), a.depth + 1})
					}
				case base.kind == jvmForeign:
					out.outside = append(out.outside, strings.Trim(base.module+"."+base.name, "."))
				default:
					out.unknown = true
				}
			}
		}
		return out
	})
}

// maxAncestors bounds the bases of a type that are looked at.
const maxAncestors = 200

// bindOf gives the type parameters of a declared type its arguments.
func (j *jvm) bindOf(t jvmType) *resolve.Binding {
	return resolve.Bind(parameters(t.ref), t.args, nil)
}

type parametersKey int

// parameters returns the names of the type parameters that a type or a function
// declares, in order.
func parameters(r resolve.Ref) []string {
	return resolve.Memo(r.File, parametersKey(r.Index), func() (names []string) {
		for _, fact := range r.Facts() {
			if fact.Kind == code.FactAlias && !slices.Contains(names, fact.Name) && (r.Symbol().Kind != code.KindType || fact.Name != r.Symbol().Name) {
				names = append(names, fact.Name)
			}
		}
		return names
	})
}
