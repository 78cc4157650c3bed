package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// jvm resolves calls in Java, Kotlin and Scala code. A jvm is created for one query. Its parts,
// such as typeReader and evaluator, call each other through its fields, because they depend on
// each other: reading a type may require the value of a term (x.type in Scala), and evaluating a
// name requires reading its declared type.
type jvm struct {
	w     *resolve.World
	depth int

	// The parts for all three languages. A name is resolved by the rules of the language of its file.
	types     typeReader
	members   memberFinder
	values    evaluator
	library   libraryReader
	overloads overloadChooser
	calls     settler

	// The parts for Kotlin.
	kotlin     kotlinEvaluator
	extensions extensionFinder

	// The parts for Scala.
	scalaTypes     scalaTypeReader
	names          scalaScope
	views          viewFinder
	terms          scalaEvaluator
	scalaLibrary   scalaLibraryReader
	scalaOverloads scalaChooser
	scalaCalls     scalaSettler
}

func newJVM(w *resolve.World) *jvm {
	j := &jvm{w: w}
	j.types, j.members, j.values = typeReader{j}, memberFinder{j}, evaluator{j}
	j.library, j.overloads, j.calls = libraryReader{j}, overloadChooser{j}, settler{j}
	j.kotlin, j.extensions = kotlinEvaluator{j}, extensionFinder{j}
	j.scalaTypes, j.names, j.views, j.terms = scalaTypeReader{j}, scalaScope{j}, viewFinder{j}, scalaEvaluator{j}
	j.scalaLibrary, j.scalaOverloads, j.scalaCalls = scalaLibraryReader{j}, scalaChooser{j}, scalaSettler{j}
	return j
}

// maxJVMDepth bounds the nesting of evaluations and type readings that one call site causes.
// Without it, declarations that refer to each other in a circle would recurse without end.
const maxJVMDepth = 80

// enter adds a level of recursion. It reports false if there would be too many (maxJVMDepth) or the
// query was cancelled; evaluation must then stop. After true, the caller must call leave.
func (j *jvm) enter() bool {
	if j.depth >= maxJVMDepth || j.w.Err() != nil {
		return false
	}
	j.depth++
	return true
}

func (j *jvm) leave() { j.depth-- }

// place is a position in the source. Names and types are resolved in its scope.
type place struct {
	file *resolve.File
	at   int // index of the innermost symbol that encloses pos, -1 at file level
	pos  int // byte offset
	bind *resolve.Binding
}

func (p place) typ(text string) resolve.Type {
	return resolve.Type{Text: text, File: p.file, Scope: p.at, Bind: p.bind}
}

func language(name string) bool { return name == "java" || name == "kotlin" || name == "scala" }

// jvmPackage returns the package of a declaration: that of the file, or that of the enclosing
// package clause.
func jvmPackage(f *resolve.File, at int) string {
	pkg := ""
	for ; at >= 0; at = f.Symbols[at].Parent {
		if s := &f.Symbols[at]; s.Kind == code.KindNamespace ||
			s.Kind == code.KindClass && slices.Contains(s.Modifiers, "package") {
			if pkg = f.Symbols[at].Name + "." + pkg; f.Symbols[at].Parent < 0 {
				break
			}
		}
	}
	return strings.Trim(clause(f)+"."+pkg, ".")
}

// clause returns the package that the package clauses of f name, "" without any. A Scala file may
// have several, each relative to the one before: for "package a" and "package b" it returns a.b.
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

// top returns the top-level types, functions and variables called name in a package. A
// multiplatform project may declare a name several times, once for each platform.
func (j typeReader) top(pkg, name string) []resolve.Ref {
	return resolve.Derive(j.w, topKey{pkg, name}, func() (out []resolve.Ref) {
		rows, all := j.w.Named(name)
		if !all {
			return nil
		}
		for _, row := range rows {
			if !language(row.Language) || strings.Contains(row.QualifiedName, ".") && row.Language != "scala" {
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

// isTop reports whether r is declared at the top level: only package clauses may enclose it.
func isTop(r resolve.Ref) bool {
	p := r.Parent()
	return !p.Valid() || p.Symbol().Kind == code.KindNamespace
}

// nearest returns the declaration among refs, all of one name, that code in file from refers to:
// the one in the same file, or else in the file whose path shares most with from's. Among equally
// near ones it prefers the common declaration ("expect") of all platforms. It returns false if
// several remain.
func (j typeReader) nearest(from *resolve.File, refs []resolve.Ref) (resolve.Ref, bool) {
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

// nearness returns how near two files are; a greater number is nearer. It counts the leading
// folders that they share, and prefers files of the same platform, such as src/jvmMain and
// src/jvmTest.
func nearness(a, b *resolve.File) int {
	n := 2 * resolve.SharedSteps(a.Path, b.Path)
	if p := platform(a.Path); p != "" && p == platform(b.Path) {
		n++
	}
	return n
}

// platform returns the platform of the source set that holds a file: "jvm" for src/jvmMain and
// src/jvmTest; "" if the path names no source set.
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

// expected reports whether r is a Kotlin "expect" declaration, which every platform implements by
// an "actual" declaration.
func expected(r resolve.Ref) bool { return slices.Contains(r.Symbol().Modifiers, "expect") }

// topType returns the top-level type called name in a package, as visible in file from. It returns
// false if there is none, or if several are equally near.
func (j typeReader) topType(from *resolve.File, pkg, name string) (resolve.Ref, bool) {
	var types []resolve.Ref
	for _, r := range j.top(pkg, name) {
		if resolve.IsType(r.Symbol().Kind) && !slices.Contains(r.Symbol().Modifiers, "package") {
			types = append(types, r)
		}
	}
	types = visible(from, types)
	r, ok := j.nearest(from, types)
	if !ok {
		return j.scalaTypes.inPackageObject(from, pkg, name)
	}
	return classFirst(r, types), true
}

// visible drops declarations in tests, unless from is a test or no others remain.
func visible(from *resolve.File, refs []resolve.Ref) []resolve.Ref {
	if from.Class == code.ClassTest || !slices.ContainsFunc(refs, func(r resolve.Ref) bool {
		return r.File.Class != code.ClassTest
	}) {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), func(r resolve.Ref) bool { return r.File.Class == code.ClassTest })
}

// classFirst returns the class among refs that is in r's file, rather than its companion object,
// which in Scala has the same name; r if there is none.
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

// qualified returns the type with a full name: the steps of its package, a type, and types nested
// in it. For java.util.Map.Entry, path is [java util Map Entry]. It returns false if there is none.
func (j typeReader) qualified(from *resolve.File, path []string) (resolve.Ref, bool) {
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

// nested returns the nested type called name that r declares or inherits. It returns false if there
// is none.
func (j typeReader) nested(r resolve.Ref, name string) (resolve.Ref, bool) {
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
				if s := &companion.File.Symbols[c]; s.Name == name && resolve.IsType(s.Kind) {
					found = companion.File.Ref(c)
					return false
				}
			}
		}
		return true
	})
	return found, found.Valid()
}

// companions returns the companion objects of a type: nested ones in Kotlin, the object of the same
// name in Scala.
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

// supers returns the types that r extends and implements, as written.
func supers(r resolve.Ref) (out []resolve.Type) {
	bind := (*resolve.Binding)(nil)
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactBase || fact.Kind == code.FactImpl {
			out = append(out, resolve.Type{Text: fact.Type, File: r.File, Scope: r.Symbol().Parent, Bind: bind})
		}
	}
	return out
}

// ancestor is one of the bases of a type, or the type itself. bind holds the type arguments that the type
// passes to the base, and depth counts the steps of inheritance between them.
type ancestor struct {
	ref   resolve.Ref
	bind  *resolve.Binding
	depth int
}

// ancestry holds a type and all its bases, nearest first.
type ancestry struct {
	types   []ancestor
	outside []string // names of external bases
	unknown bool     // whether a base could not be read
}

// lineage calls yield with r and its bases, nearest first, until yield returns false.
func (j typeReader) lineage(r resolve.Ref, yield func(resolve.Ref) bool) {
	for _, a := range j.ancestry(r).types {
		if !yield(a.ref) {
			return
		}
	}
}

func (j typeReader) ancestry(r resolve.Ref) ancestry {
	return resolve.Derive(j.w, supersKey(r), func() ancestry {
		out := ancestry{types: []ancestor{{ref: r}}}
		for i := 0; i < len(out.types) && i < maxAncestors; i++ {
			a := out.types[i]
			supers := supers(a.ref)
			if a.ref.File.Language == "scala" { // in Scala, the trait that is mixed in last is searched first
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

// maxAncestors bounds the number of bases, direct and indirect, that are read for one type.
const maxAncestors = 200

// bindOf returns a binding of the type parameters of t's declaration to the type arguments of t:
// of T to Order for a Box<Order>, if the declaration is class Box<T>.
func (j typeReader) bindOf(t jvmType) *resolve.Binding {
	return resolve.Bind(parameters(t.ref), t.args, nil)
}

type parametersKey int

// parameters returns the names of the type parameters that a type or function declares, in order.
func parameters(r resolve.Ref) []string {
	return resolve.Memo(r.File, parametersKey(r.Index), func() (names []string) {
		for _, fact := range r.Facts() {
			if fact.Kind == code.FactAlias && !slices.Contains(names, fact.Name) &&
				(r.Symbol().Kind != code.KindType || fact.Name != r.Symbol().Name) {
				names = append(names, fact.Name)
			}
		}
		return names
	})
}
