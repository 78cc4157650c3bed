package php

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// class is the result of resolving the name of a class: its declaration, or the fact that the class
// is declared outside the workspace. If several files declare it, neither is set.
type class struct {
	ref     resolve.Ref
	name    string // full name, without the leading separator
	foreign bool
}

func (c class) known() bool { return c.ref.Valid() }

// namespace returns the name of the namespace around symbol i of f, where i is -1 at the top
// level of the file. It returns "" for the global namespace.
func namespace(f *resolve.File, i int) string {
	if i = namespaceAt(f, i); i >= 0 {
		return f.Symbols[i].Name
	}
	for _, fact := range f.FactsOf(-1) {
		if fact.Kind == code.FactPackage {
			return fact.Type
		}
	}
	return ""
}

// namespaceAt returns the symbol of the namespace around symbol i of f, or -1 if there is none.
// If a file has only one namespace, without braces, that is no symbol.
func namespaceAt(f *resolve.File, i int) int {
	for ; i >= 0 && f.Symbols[i].Kind != code.KindNamespace; i = f.Symbols[i].Parent {
	}
	return i
}

// alias returns the name that an import binds in its file: "B" for use A\B, "C" for use A\B as C.
func alias(i code.Import) string {
	switch {
	case i.Alias != "":
		return i.Alias
	case i.Name != "":
		return i.Name
	}
	return i.Module
}

// phpFull returns the full name of a name written at s. exact reports whether the name was fully
// qualified or imported. function reports that the name is a function's: "use A\Order" binds no
// function order().
func phpFull(s resolve.Scope, name string, function bool) (full string, exact bool) {
	if strings.HasPrefix(name, `\`) {
		return name[1:], true
	}
	namespace := namespace(s.File, s.At)
	first, rest, qualified := strings.Cut(name, `\`)
	if qualified && strings.EqualFold(first, "namespace") {
		return resolve.Qualified(`\`, namespace, rest), true
	}
	for _, i := range s.File.Imports {
		if i.Name == "*" || i.TypeOnly == (function && !qualified) || !strings.EqualFold(alias(i), first) ||
			namespaceAt(s.File, i.Scope) != namespaceAt(s.File, s.At) {
			continue
		}
		full = i.Module
		if i.Name != "" {
			full += `\` + i.Name
		}
		return strings.TrimPrefix(strings.TrimSuffix(full+`\`+rest, `\`), `\`), true
	}
	return resolve.Qualified(`\`, namespace, name), qualified
}

type declaredKey struct {
	full string
	kind bool // whether the name is a type's
}

// declared returns the declarations of a full name, in any letter case: types if types is set, functions
// otherwise.
func declared(w *resolve.World, full string, types bool) []resolve.Ref {
	return resolve.Derive(w, declaredKey{full, types}, func() (out []resolve.Ref) {
		rows, _ := w.NamedInAnyCase(full[strings.LastIndexByte(full, '\\')+1:])
		for _, row := range rows {
			if row.Language != "php" || resolve.IsType(row.Kind) != types ||
				!types && row.Kind != code.KindFunction {
				continue
			}
			if r := w.Ref(row); r.Valid() &&
				strings.EqualFold(resolve.Qualified(`\`, namespace(r.File, r.Index), r.Symbol().Name), full) {
				out = append(out, r)
			}
		}
		return out
	})
}

// only returns the declaration to which code of f refers: the declaration in f, else the only one, else the only one of
// the Composer project of f. several reports that there are others.
func only(w *resolve.World, f *resolve.File, declared []resolve.Ref) (r resolve.Ref, several bool) {
	for _, d := range declared {
		if d.File == f {
			return d, false
		}
	}
	var own, others []resolve.Ref
	project := projectOf(w, f.Dir)
	for _, d := range declared {
		switch of := projectOf(w, d.File.Dir); {
		case of == project && of != noProject:
			own = append(own, d)
		case of == noProject || project == noProject || !strings.HasPrefix(namespace(d.File, d.Index)+`\`, application):
			others = append(others, d)
		}
	}
	if all := append(own, others...); len(own) == 1 || len(all) == 1 {
		return all[0], false
	}
	return resolve.Ref{}, len(own)+len(others) > 1
}

// application is the namespace of the application that a project is, by the convention of Laravel and Symfony. No
// other project loads it.
const application = `App\`

type projectKey struct{ dir string }

// noProject is the project of a folder that is in none.
const noProject = "?"

// projectOf returns the folder of the Composer project that a folder belongs to: the nearest one at or above it with a
// composer.json. Several projects of a workspace may declare a class of one name, such as App\User, and each loads its
// own.
func projectOf(w *resolve.World, dir string) string {
	return resolve.Derive(w, projectKey{dir}, func() string {
		if w.Has(code.Join(dir, "composer.json")) {
			return dir
		}
		if dir == "" || dir == "." {
			return noProject
		}
		return projectOf(w, code.Dir(dir))
	})
}

// classNamed resolves the name of a class as written at s.
func classNamed(w *resolve.World, s resolve.Scope, name string) class {
	switch strings.ToLower(name) {
	case "self", "static", "$this":
		if r := around(s); r.Valid() {
			return class{ref: r, name: r.Symbol().Name}
		}
		return class{}
	case "parent":
		if r := around(s); r.Valid() {
			return parent(w, r)
		}
		return class{}
	}
	full, _ := phpFull(s, name, false)
	r, several := only(w, s.File, declared(w, full, true))
	return class{ref: r, name: full, foreign: !r.Valid() && !several}
}

// parent returns the class that r extends; the zero class if there is none.
func parent(w *resolve.World, r resolve.Ref) class {
	for _, b := range bases(w, r) {
		if !b.known() {
			return b
		}
		if b.ref.Symbol().Kind == code.KindClass {
			return b
		}
	}
	return class{}
}

// around returns the class around s; the zero Ref within an anonymous class, whose members belong
// to the function that contains it.
func around(s resolve.Scope) resolve.Ref {
	for at := s.At; at >= 0; at = s.File.Symbols[at].Parent {
		if resolve.IsType(s.File.Symbols[at].Kind) {
			return s.File.Ref(at)
		}
		if anonymous(s.File, at) {
			return resolve.Ref{}
		}
	}
	return resolve.Ref{}
}

// anonymous reports whether a symbol is a member of an anonymous class.
func anonymous(f *resolve.File, at int) bool {
	switch f.Symbols[at].Kind {
	case code.KindMethod, code.KindConstructor, code.KindTest, code.KindProperty:
		p := f.Symbols[at].Parent
		return p < 0 || !resolve.IsType(f.Symbols[p].Kind)
	}
	return false
}

// functionNamed resolves the name of a function as written at s. full is the full name of the
// function: in the namespace of s or, if that namespace has no such function, in the global one.
// several reports that more than one declaration matches.
func functionNamed(w *resolve.World, s resolve.Scope, name string) (r resolve.Ref, full string, several bool) {
	full, exact := phpFull(s, name, true)
	if r, several = only(w, s.File, declared(w, full, false)); r.Valid() || several || exact {
		return r, full, several
	}
	full = name
	r, several = only(w, s.File, declared(w, full, false))
	return r, full, several
}

type basesKey struct {
	file  int64
	index int
}

// bases returns the traits and the parent of a class, in the order of method look-up, then its
// interfaces.
func bases(w *resolve.World, r resolve.Ref) []class {
	return resolve.Derive(w, basesKey{r.File.ID, r.Index}, func() (out []class) {
		var parents, interfaces []class
		s := outside(w, r)
		for _, fact := range r.Facts() {
			switch fact.Kind {
			case code.FactBase:
				c := classNamed(w, s, fact.Type)
				if c.known() && c.ref.Symbol().Kind == code.KindTrait {
					out = append(out, c)
				} else {
					parents = append(parents, c)
				}
			case code.FactImpl:
				interfaces = append(interfaces, classNamed(w, s, fact.Type))
			}
		}
		return append(append(out, parents...), interfaces...)
	})
}

// outside returns the scope around the declaration of class r, in which the names in its head,
// such as its parent, are resolved.
func outside(w *resolve.World, r resolve.Ref) resolve.Scope {
	return resolve.Scope{W: w, File: r.File, At: r.Symbol().Parent, Pos: r.Symbol().Span.StartByte}
}

// own returns the index of the method called name, in any letter case, that a class itself
// declares. It returns false if there is none.
func own(r resolve.Ref, name string) (int, bool) {
	for _, i := range r.File.Children(r.Index) {
		if m := &r.File.Symbols[i]; m.Kind.Callable() && strings.EqualFold(m.Name, name) {
			return i, true
		}
	}
	return 0, false
}

// phpFound is the result of a look-up of a method.
type phpFound struct {
	resolve.Ref
	ok      bool
	depth   int    // number of steps from the class where the look-up began, up to the declaring class
	foreign bool   // a base outside of the workspace may provide it
	magic   bool   // a __call or __callStatic of the workspace may answer the call
	several bool   // more than one method may be meant; Ref is zero
	holder  string // the name of the class that declares the method
}

// methodOf looks up a method of a class: in the class, its traits, its parent, its interfaces.
func methodOf(w *resolve.World, r resolve.Ref, name string, depth int) phpFound {
	if depth > 32 {
		return phpFound{}
	}
	if i, ok := own(r, name); ok {
		return phpFound{Ref: r.File.Ref(i), ok: true, depth: depth, holder: r.Symbol().Name}
	}
	from, original, renamed := traitAlias(r, name)
	if renamed {
		name = original
	}
	best := phpFound{magic: isMagic(r)}
	fromTrait := false
	for _, b := range bases(w, r) {
		if !b.known() {
			best.foreign = true
			continue
		}
		trait := b.ref.Symbol().Kind == code.KindTrait
		if best.ok && !(trait && fromTrait) {
			break
		}
		if trait && from != "" && classNamed(w, outside(w, r), from).ref != b.ref {
			continue
		}
		switch found := methodOf(w, b.ref, name, depth+1); {
		case found.ok && best.ok && found.Ref != best.Ref: // two traits provide different methods
			return phpFound{several: true}
		case found.ok:
			best, fromTrait = found, trait
		default:
			best.foreign = best.foreign || found.foreign
			best.magic = best.magic || found.magic
			best.several = best.several || found.several
		}
	}
	return best
}

// isMagic reports whether a class itself answers calls of undeclared methods, by __call or
// __callStatic.
func isMagic(r resolve.Ref) bool {
	_, call := own(r, "__call")
	_, static := own(r, "__callStatic")
	return call || static
}

// traitAlias returns the trait and the method to which name refers in a class that renames or
// chooses methods of traits: T and f for g in use T { T::f as g; }, and for f in use T, U { T::f
// insteadof U; }. The trait is "" if the class does not name it: use T { f as g; }. It returns
// false if there is no such rule for name.
func traitAlias(r resolve.Ref, name string) (trait, original string, ok bool) {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactAlias && strings.EqualFold(fact.Name, name) && !inHead(r, fact) {
			if trait, original, ok = strings.Cut(fact.Type, "::"); ok {
				return trait, original, true
			}
			return "", fact.Type, true
		}
	}
	return "", "", false
}

func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) []*resolve.File {
	full := strings.TrimPrefix(resolve.Qualified(`\`, i.Module, i.Name), `\`)
	for _, types := range []bool{true, false} {
		if r, _ := only(w, f, declared(w, full, types)); r.Valid() {
			return []*resolve.File{r.File}
		}
	}
	if at, inside := resolve.JoinPath(f.Dir, strings.TrimPrefix(i.Module, "/")); inside &&
		strings.Contains(i.Module, ".") {
		return []*resolve.File{w.File(at)} // a literal path: include __DIR__ . '/x.php'
	}
	return nil
}
