package cfamily

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// maxIncluded bounds the number of files that one file includes, directly or indirectly; further
// ones are ignored.
const maxIncluded = 3000

// isSource reports whether a file is C or C++.
func isSource(language string) bool { return language == "c" || language == "cpp" }

// visible returns the files whose declarations are visible in f: itself, and the files it includes,
// directly or indirectly.
func visible(w *resolve.World, f *resolve.File) map[int64]bool {
	type key struct{ file int64 }
	return resolve.Derive(w, key{f.ID}, func() map[int64]bool {
		seen := map[int64]bool{f.ID: true}
		queue := append([]*resolve.File{f}, includers(w, f)...)
		for _, g := range queue {
			seen[g.ID] = true
		}
		for ; len(queue) > 0 && len(seen) < maxIncluded; queue = queue[1:] {
			for _, ref := range includes(w, queue[0]) {
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

// includers returns the other source files of the directory that include the source file f, as in a
// unity build. Their declarations before the include are visible in f.
func includers(w *resolve.World, f *resolve.File) (out []*resolve.File) {
	if !isUnit(f.Path) {
		return nil
	}
	for _, ref := range w.Dir(f.Dir) {
		if ref.ID == f.ID || !isUnit(ref.Path) {
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

// isUnit reports whether a file is compiled by itself, judging by its name.
func isUnit(p string) bool {
	switch path.Ext(p) {
	case ".c", ".cc", ".cpp", ".cxx":
		return true
	}
	return false
}

// includes returns the files of the workspace that f includes.
func includes(w *resolve.World, f *resolve.File) []store.FileRef {
	type key struct{ file int64 }
	type includes struct{ key }
	return resolve.Derive(w, includes{key{f.ID}}, func() (out []store.FileRef) {
		for i := range f.Imports {
			if m := &f.Imports[i]; m.Name == "*" && !strings.Contains(m.Module, "::") {
				out = append(out, included(w, f, m.Module)...)
			}
		}
		return out
	})
}

// included returns the files to which #include "module" in f may refer: the file at that path
// relative to f, or else the files whose path ends in it, those nearest to f. The include paths of
// the build are unknown.
func included(w *resolve.World, f *resolve.File, module string) []store.FileRef {
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

// declared returns the declarations called name that are visible in f, macros included.
func declared(w *resolve.World, f *resolve.File, name string) []resolve.Ref {
	type key struct {
		file int64
		name string
	}
	return resolve.Derive(w, key{f.ID, name}, func() (out []resolve.Ref) {
		visible := visible(w, f)
		for _, r := range named(w, name) {
			if visible[r.File.ID] {
				out = append(out, r)
			}
		}
		return out
	})
}

// named returns the declarations called name in C and C++ files of the workspace.
func named(w *resolve.World, name string) []resolve.Ref {
	type key struct{ name string }
	return resolve.Derive(w, key{name}, func() (out []resolve.Ref) {
		rows, _ := w.Named(name)
		for _, row := range rows {
			if isSource(row.Language) && row.Name == name {
				if r := w.Ref(row); r.Valid() {
					out = append(out, r)
				}
			}
		}
		return out
	})
}

func hasBody(r resolve.Ref) bool { s := r.Symbol(); return s.Body[1] > s.Body[0] }

func isFunction(r resolve.Ref) bool {
	switch r.Symbol().Kind {
	case code.KindFunction, code.KindMethod, code.KindConstructor:
		return true
	}
	return false
}

// isCallable reports whether r is a function or a macro with parameters.
func isCallable(r resolve.Ref) bool { return isFunction(r) || r.Symbol().Kind == code.KindMacro }

func isStatic(r resolve.Ref) bool {
	for _, m := range r.Symbol().Modifiers {
		if m == "static" {
			return true
		}
	}
	return false
}

// fits reports whether a function accepts args arguments. It returns true if args is -1, an
// unknown number.
func fits(s *code.Symbol, args int) bool {
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

// overload returns the functions among refs that accept args arguments, one for each signature. It
// returns the definition instead of a declaration, if it finds one.
func overload(w *resolve.World, refs []resolve.Ref, args int) (out []resolve.Ref) {
	for _, r := range refs {
		if !fits(r.Symbol(), args) {
			continue
		}
		r = definition(w, r)
		twin := false
		for i, o := range out {
			if o == r || sameSignature(o.Symbol(), r.Symbol()) &&
				o.Symbol().QualifiedName == r.Symbol().QualifiedName && !(hasBody(o) && hasBody(r)) {
				twin = true
				if hasBody(r) {
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

// sameSignature reports whether two functions have equal parameter types, as written but without
// scopes, and are both const or both not.
func sameSignature(a, b *code.Symbol) bool {
	return isConst(a) == isConst(b) && sameParameters(a, b)
}

// isConst reports whether a member function is const.
func isConst(s *code.Symbol) bool { return slices.Contains(s.Modifiers, "const") }

func sameParameters(a, b *code.Symbol) bool {
	if len(a.Parameters) != len(b.Parameters) {
		return false
	}
	for i := range a.Parameters {
		if plainType(a.Parameters[i].Type) != plainType(b.Parameters[i].Type) {
			return false
		}
	}
	return true
}

// constness says whether the object of a member call is const.
type constness int

const (
	unknownConst constness = iota
	cConst
	mutable
)

// byConst drops, of two member functions that differ only in const, the one that a call on an
// object of the given constness does not run: T &at(int) for a const object, T at(int) const for a
// mutable one.
func byConst(refs []resolve.Ref, object constness) []resolve.Ref {
	if object == unknownConst {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), func(r resolve.Ref) bool {
		if isConst(r.Symbol()) == (object == cConst) {
			return false
		}
		return slices.ContainsFunc(refs, func(o resolve.Ref) bool {
			return isConst(o.Symbol()) != isConst(r.Symbol()) && sameParameters(o.Symbol(), r.Symbol())
		})
	})
}

// constOf returns the constness of the object on which a member is called: x, the value of e, or
// the target of x if x is a pointer or reference. It is unknown for a field, which is as const as
// the object around it, and for a copy in an auto variable.
func constOf(s resolve.Scope, x resolve.Value, e *expr.Expr) constness {
	text := x.Type.Text
	if e.Op == expr.OpName && e.Name == "this" {
		return ownConst(s)
	}
	at := strings.IndexAny(text, "*&")
	head := text
	if at >= 0 {
		head = text[:at]
	}
	var fact *code.Fact
	if e.Op == expr.OpName {
		fact = local(s.File, s.At, s.Pos, e.Name)
	}
	copied := fact != nil && fact.Kind == code.FactAssign && !strings.Contains(text, "*")
	switch {
	case copied || strings.ContainsAny(head, "<") || at < 0 && fact == nil && e.Op != expr.OpCall:
		return unknownConst
	case strings.Contains(head, "const"):
		return cConst
	case at < 0 && see(s.W, x.Type).pointer:
		return unknownConst
	}
	return mutable
}

// ownConst returns the constness of *this in the scope of s.
func ownConst(s resolve.Scope) constness {
	i := s.File.Callable(s.At)
	switch {
	case i < 0:
		return unknownConst
	case isConst(&s.File.Symbols[i]):
		return cConst
	}
	return mutable
}

// plainType returns the text of a type without white space, const and scopes, so that types can be
// compared: vector<B>& for "const std::vector<a::B> &".
func plainType(t string) string {
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

// definition returns the definition of a function that r declares: the only one with its qualified
// name and signature, or of several the only one whose file sees the declaration r. It returns r
// itself if there is none or several remain.
func definition(w *resolve.World, r resolve.Ref) resolve.Ref {
	if hasBody(r) || !isFunction(r) {
		return r
	}
	var found, seeing []resolve.Ref
	for _, d := range named(w, r.Symbol().Name) {
		if !hasBody(d) || !isFunction(d) || !sameFunction(r, d) || isStatic(d) && d.File != r.File && !inClass(r) {
			continue
		}
		found = append(found, d)
		if visible(w, d.File)[r.File.ID] {
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

// sameFunction reports whether d may be the definition of the function that r declares.
func sameFunction(r, d resolve.Ref) bool {
	if r.Symbol().QualifiedName != d.Symbol().QualifiedName {
		return false
	}
	return r.File.Language == "c" && d.File.Language == "c" || sameSignature(r.Symbol(), d.Symbol())
}

// isFree reports whether r is declared outside of classes, so that an unqualified name may refer to
// it.
func isFree(r resolve.Ref) bool { return !inClass(r) }

// inClass reports whether r is declared in the body of a class.
func inClass(r resolve.Ref) bool {
	p := r.Parent()
	return p.Valid() && resolve.IsType(p.Symbol().Kind)
}

// ambiguous reports whether r is a declaration of which the workspace has several definitions, so
// that the build determines which one runs.
func ambiguous(w *resolve.World, r resolve.Ref) bool {
	if hasBody(r) {
		return false
	}
	n := 0
	for _, d := range named(w, r.Symbol().Name) {
		if hasBody(d) && isFunction(d) && sameFunction(r, d) && !isStatic(d) {
			n++
		}
	}
	return n > 1
}

func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) (out []*resolve.File) {
	for _, ref := range included(w, f, i.Module) {
		out = append(out, w.Load(ref))
	}
	return out
}
