package cfamily

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta/resolve"
)

// maxIncluded bounds the files that one file includes, directly or not.
const maxIncluded = 3000

// cIsSource reports whether a file is C or C++.
func cIsSource(language string) bool { return language == "c" || language == "cpp" }

// cVisible is the files whose declarations f sees: itself, and what it
// includes, directly or not.
func cVisible(w *resolve.World, f *resolve.File) map[int64]bool {
	type key struct{ file int64 }
	return resolve.Derive(w, key{f.ID}, func() map[int64]bool {
		seen := map[int64]bool{f.ID: true}
		queue := append([]*resolve.File{f}, cIncluders(w, f)...)
		for _, g := range queue {
			seen[g.ID] = true
		}
		for ; len(queue) > 0 && len(seen) < maxIncluded; queue = queue[1:] {
			for _, ref := range cIncludes(w, queue[0]) {
				if seen[ref.ID] {
					continue
				}
				seen[ref.ID] = true
				if g := w.Load(ref); g != nil {
					queue = append(queue, g)
				}
			}
		}
		return seen
	})
}

// cIncluders is the sources beside f, a source itself, that include it: what
// they see before it, it sees, too.
func cIncluders(w *resolve.World, f *resolve.File) (out []*resolve.File) {
	if !cIsUnit(f.Path) {
		return nil
	}
	for _, ref := range w.Dir(f.Dir) {
		if ref.ID == f.ID || !cIsUnit(ref.Path) {
			continue
		}
		if g := w.Load(ref); g != nil {
			for i := range g.Imports {
				if m := &g.Imports[i]; m.Name == "*" && path.Base(m.Module) == path.Base(f.Path) {
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// cIsUnit reports whether a file is compiled by itself, by its name.
func cIsUnit(p string) bool {
	switch path.Ext(p) {
	case ".c", ".cc", ".cpp", ".cxx":
		return true
	}
	return false
}

// cIncludes is the files of the workspace that f's #include lines mean.
func cIncludes(w *resolve.World, f *resolve.File) []store.FileRef {
	type key struct{ file int64 }
	type includes struct{ key }
	return resolve.Derive(w, includes{key{f.ID}}, func() (out []store.FileRef) {
		for i := range f.Imports {
			if m := &f.Imports[i]; m.Name == "*" && !strings.Contains(m.Module, "::") {
				out = append(out, cIncluded(w, f, m.Module)...)
			}
		}
		return out
	})
}

// cIncluded is the files that an include may mean: the one beside f, else those
// whose path ends in it and that are nearest to f, as include paths are not
// known.
func cIncluded(w *resolve.World, f *resolve.File, module string) []store.FileRef {
	if refs := w.At(path.Join(f.Dir, module)); len(refs) > 0 {
		return refs
	}
	for strings.HasPrefix(module, "../") || strings.HasPrefix(module, "./") {
		_, module, _ = strings.Cut(module, "/")
	}
	var out []store.FileRef
	best := -1
	for _, ref := range w.Base(path.Base(module)) {
		if ref.Path != module && !strings.HasSuffix(ref.Path, "/"+module) {
			continue
		}
		switch n := resolve.SharedSteps(ref.Path, f.Path); {
		case n > best:
			best, out = n, append(out[:0], ref)
		case n == best:
			out = append(out, ref)
		}
	}
	return out
}

// cDeclared is the declarations of one name that f sees, macros apart.
func cDeclared(w *resolve.World, f *resolve.File, name string) []resolve.Ref {
	type key struct {
		file int64
		name string
	}
	return resolve.Derive(w, key{f.ID, name}, func() (out []resolve.Ref) {
		visible := cVisible(w, f)
		for _, r := range cNamed(w, name) {
			if visible[r.File.ID] {
				out = append(out, r)
			}
		}
		return out
	})
}

// cNamed is the declarations of that name in C and C++ files of the workspace.
func cNamed(w *resolve.World, name string) []resolve.Ref {
	type key struct{ name string }
	return resolve.Derive(w, key{name}, func() (out []resolve.Ref) {
		rows, _ := w.Named(name)
		for _, row := range rows {
			if cIsSource(row.Language) && row.Symbol.Name == name {
				if r := w.Ref(row); r.Valid() {
					out = append(out, r)
				}
			}
		}
		return out
	})
}

func cHasBody(r resolve.Ref) bool { s := r.Symbol(); return s.Body[1] > s.Body[0] }

func cIsFunction(r resolve.Ref) bool {
	switch r.Symbol().Kind {
	case code.KindFunction, code.KindMethod, code.KindConstructor:
		return true
	}
	return false
}

func cIsStatic(r resolve.Ref) bool {
	for _, m := range r.Symbol().Modifiers {
		if m == "static" {
			return true
		}
	}
	return false
}

// cFits reports whether a function takes so many arguments; -1 is any number.
func cFits(s *code.Symbol, args int) bool {
	if args < 0 {
		return true
	}
	least, most := 0, 0
	for _, p := range s.Parameters {
		if p.Variadic || p.Name == "..." || p.Type == "..." {
			most = 1 << 20
			continue
		}
		most++
		if p.Default == "" {
			least = most
		}
	}
	return least <= args && args <= most
}

// cOverload is the functions among refs that take so many arguments, one of
// each signature: a definition stands for its declarations.
func cOverload(w *resolve.World, refs []resolve.Ref, args int) (out []resolve.Ref) {
	for _, r := range refs {
		if !cFits(r.Symbol(), args) {
			continue
		}
		r = cDefinition(w, r)
		twin := false
		for i, o := range out {
			if o == r || cSameSignature(o.Symbol(), r.Symbol()) && o.Symbol().QualifiedName == r.Symbol().QualifiedName && !(cHasBody(o) && cHasBody(r)) {
				twin = true
				if cHasBody(r) {
					out[i] = r
				}
			}
		}
		if !twin {
			out = append(out, r)
		}
	}
	return out
}

// cSameSignature reports whether two functions have parameters of equal types,
// as written, and are both const or neither; a scope that one spells out makes
// no difference.
func cSameSignature(a, b *code.Symbol) bool {
	return cIsConst(a) == cIsConst(b) && cSameParameters(a, b)
}

// cIsConst reports whether a member function is const.
func cIsConst(s *code.Symbol) bool { return slices.Contains(s.Modifiers, "const") }

func cSameParameters(a, b *code.Symbol) bool {
	if len(a.Parameters) != len(b.Parameters) {
		return false
	}
	for i := range a.Parameters {
		if cPlainType(a.Parameters[i].Type) != cPlainType(b.Parameters[i].Type) {
			return false
		}
	}
	return true
}

// cConstness is whether the object of a member call is const.
type cConstness int

const (
	cUnknownConst cConstness = iota
	cConst
	cMutable
)

// cByConst leaves of members that differ in const alone the one that an object
// of that constness gets.
func cByConst(refs []resolve.Ref, object cConstness) []resolve.Ref {
	if object == cUnknownConst {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), func(r resolve.Ref) bool {
		if cIsConst(r.Symbol()) == (object == cConst) {
			return false
		}
		return slices.ContainsFunc(refs, func(o resolve.Ref) bool {
			return cIsConst(o.Symbol()) != cIsConst(r.Symbol()) && cSameParameters(o.Symbol(), r.Symbol())
		})
	})
}

// cConstOf is the constness of the object that x is: of what a pointer or a
// reference points to, or of a local. A field is as const as what it is a part
// of, a copy in an auto is not: those are not known.
func cConstOf(s resolve.Scope, x resolve.Value, e *resolve.Expr) cConstness {
	text := x.Type.Text
	if e.Op == resolve.OpName && e.Name == "this" {
		return cOwnConst(s)
	}
	at := strings.IndexAny(text, "*&")
	head := text
	if at >= 0 {
		head = text[:at]
	}
	var fact *code.Fact
	if e.Op == resolve.OpName {
		fact = cLocal(s.File, s.At, s.Pos, e.Name)
	}
	copied := fact != nil && fact.Kind == code.FactAssign && !strings.Contains(text, "*")
	switch {
	case copied || strings.ContainsAny(head, "<") || at < 0 && fact == nil && e.Op != resolve.OpCall:
		return cUnknownConst
	case strings.Contains(head, "const"):
		return cConst
	case at < 0 && cSee(s.W, x.Type).pointer:
		return cUnknownConst
	}
	return cMutable
}

// cOwnConst is the constness of the object whose member function is around s.
func cOwnConst(s resolve.Scope) cConstness {
	i := s.File.Callable(s.At)
	switch {
	case i < 0:
		return cUnknownConst
	case cIsConst(&s.File.Symbols[i]):
		return cConst
	}
	return cMutable
}

// cPlainType is a type without white space and the scopes before its names.
func cPlainType(t string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(t, func(r rune) bool { return r == ' ' || r == '\t' }) {
		if part == "struct" || part == "class" || part == "const" {
			continue
		}
		for {
			i := strings.Index(part, "::")
			if i < 0 {
				break
			}
			start := strings.LastIndexAny(part[:i], "<,(&*") + 1
			part = part[:start] + part[i+2:]
		}
		b.WriteString(part)
	}
	return b.String()
}

// cDefinition is the definition of a function that r declares: the only one of
// its qualified name and signature, among several that whose file sees r. It
// is r itself where there is none, or no one.
func cDefinition(w *resolve.World, r resolve.Ref) resolve.Ref {
	if cHasBody(r) || !cIsFunction(r) {
		return r
	}
	var found, seeing []resolve.Ref
	for _, d := range cNamed(w, r.Symbol().Name) {
		if !cHasBody(d) || !cIsFunction(d) || !cSameFunction(r, d) || cIsStatic(d) && d.File != r.File && !cInClass(r) {
			continue
		}
		found = append(found, d)
		if cVisible(w, d.File)[r.File.ID] {
			seeing = append(seeing, d)
		}
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(seeing) == 1:
		return seeing[0]
	}
	return r
}

// cSameFunction reports whether d may define what r declares.
func cSameFunction(r, d resolve.Ref) bool {
	if r.Symbol().QualifiedName != d.Symbol().QualifiedName {
		return false
	}
	return r.File.Language == "c" && d.File.Language == "c" || cSameSignature(r.Symbol(), d.Symbol())
}

// cInClass reports whether r is declared in the body of a class.
func cInClass(r resolve.Ref) bool {
	p := r.Parent()
	return p.Valid() && resolve.IsType(p.Symbol().Kind)
}

// cAmbiguous reports whether the workspace defines what r declares more than
// once where a caller may reach it.
func cAmbiguous(w *resolve.World, r resolve.Ref) bool {
	if cHasBody(r) {
		return false
	}
	n := 0
	for _, d := range cNamed(w, r.Symbol().Name) {
		if cHasBody(d) && cIsFunction(d) && cSameFunction(r, d) && !cIsStatic(d) {
			n++
		}
	}
	return n > 1
}

func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) (out []*resolve.File) {
	for _, ref := range cIncluded(w, f, i.Module) {
		out = append(out, w.Load(ref))
	}
	return out
}
