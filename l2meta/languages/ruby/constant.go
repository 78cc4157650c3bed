package ruby

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

type fullKey struct {
	file  int64
	index int
}

// maxNesting bounds the number of enclosing classes in a full name. Programs nest a few.
// Generated text may nest thousands, whose full names would take memory that grows with the
// square of their number.
const maxNesting = 64

// full returns the full name of a class, module or constant: the names of the enclosing classes
// and its own, joined by ".". The first part of a compact name, A of class A::B, is looked up as
// Ruby does. Within more than maxNesting classes, full returns a name to which no text can refer.
func (r reader) full(ref resolve.Ref) string {
	return resolve.Derive(r.w, fullKey{ref.File.ID, ref.Index}, func() string {
		if nesting(ref.File, ref.Index) > maxNesting {
			return fmt.Sprintf("%d:%d", ref.File.ID, ref.Index)
		}
		s := ref.Symbol()
		path := s.QualifiedName
		if s.Parent >= 0 {
			path = strings.TrimPrefix(path, ref.File.Symbols[s.Parent].QualifiedName+".")
		}
		around := classAround(ref.File, s.Parent)
		if around < 0 || slices.Contains(s.Modifiers, "::") {
			return path
		}
		head, rest, compact := strings.Cut(path, ".")
		if compact {
			if x := r.constant(place{ref.File, around, s.Span.StartByte}, head); x.kind == known {
				return x.class + "." + rest
			}
		}
		return r.full(ref.File.Ref(around)) + "." + path
	})
}

// nesting returns the number of symbols around a symbol, at most maxNesting+1.
func nesting(f *resolve.File, at int) (n int) {
	for at = f.Symbols[at].Parent; at >= 0 && n <= maxNesting; at = f.Symbols[at].Parent {
		n++
	}
	return n
}

// classAround returns symbol i if it is a class or module, or else the innermost one around it; -1
// at the top level.
func classAround(f *resolve.File, i int) int {
	for ; i >= 0; i = f.Symbols[i].Parent {
		if k := f.Symbols[i].Kind; k == code.KindClass || k == code.KindModule {
			return i
		}
	}
	return -1
}

type declaredKey string

// declared returns the declarations of the constant whose full name is full.
func (r reader) declared(full string) []resolve.Ref {
	return resolve.Derive(r.w, declaredKey(full), func() (out []resolve.Ref) {
		rows, ok := r.w.Named(full[strings.LastIndexByte(full, '.')+1:])
		if !ok {
			return nil
		}
		for _, row := range rows {
			switch row.Kind {
			case code.KindClass, code.KindModule, code.KindConstant:
			default:
				continue
			}
			if row.Language != "ruby" {
				continue
			}
			if ref := r.w.Ref(row); ref.Valid() && r.full(ref) == full {
				out = append(out, ref)
			}
		}
		return out
	})
}

type constantKey struct {
	file int64
	at   int
	path string
}

// constant resolves a constant path at p: first in the enclosing classes, innermost first, then in
// the ancestors of the innermost, then at the top level.
func (r reader) constant(p place, path string) object {
	around := classAround(p.file, p.at)
	return resolve.Derive(r.w, constantKey{p.file.ID, around, path}, func() object {
		parts := strings.Split(strings.TrimPrefix(path, "::"), "::")
		full := parts[0]
		if !strings.HasPrefix(path, "::") {
			full = r.lexical(p.file, around, parts[0])
		}
		if full == "" || len(r.declared(full)) == 0 {
			return object{kind: foreign, class: strings.Join(parts, "::"), meta: true}
		}
		x := r.meaning(full)
		for _, part := range parts[1:] {
			if x.kind != known || !x.meta {
				return object{}
			}
			if full = r.inside(x.class, part); full == "" {
				return object{}
			}
			x = r.meaning(full)
		}
		return x
	})
}

// lexical returns the full name of the constant to which a name without "::" refers in the class
// with symbol index class; "" if none is declared.
func (r reader) lexical(f *resolve.File, class int, name string) string {
	for at, n := class, 0; at >= 0 && n < maxNesting; at, n = classAround(f, f.Symbols[at].Parent), n+1 {
		if full := r.full(f.Ref(at)) + "." + name; len(r.declared(full)) > 0 {
			return full
		}
	}
	if class >= 0 {
		if full := r.inside(r.full(f.Ref(class)), name); full != "" {
			return full
		}
	}
	if len(r.declared(name)) > 0 {
		return name
	}
	return r.ofObject(f, name)
}

// ofObject returns the full name of a constant of the modules that f includes at its top level, which makes them
// ancestors of Object: after "include Shop" Order is Shop::Order. It returns "" if none declares the constant.
func (r reader) ofObject(f *resolve.File, name string) string {
	for _, fact := range f.FactsOf(-1) {
		if fact.Kind != code.FactBase || fact.Name != "include" {
			continue
		}
		module := strings.ReplaceAll(strings.TrimPrefix(fact.Type, "::"), "::", ".")
		if len(r.declared(module)) == 0 {
			continue
		}
		if full := r.inside(module, name); full != "" {
			return full
		}
	}
	return ""
}

type insideKey struct{ class, name string }

// inside returns the full name of a constant of a class or of its ancestors, "" if none declares
// it.
func (r reader) inside(class, name string) string {
	return resolve.Derive(r.w, insideKey{class, name}, func() string {
		if full := class + "." + name; len(r.declared(full)) > 0 {
			return full
		}
		for _, s := range r.steps(object{kind: known, class: class}) {
			if s.unknown != "" {
				return ""
			}
			if full := s.class + "." + name; s.class != class && len(r.declared(full)) > 0 {
				return full
			}
		}
		return ""
	})
}

type meaningKey string

// meaning evaluates the constant whose full name is full: to a class, or to the value that is
// assigned to the constant.
func (r reader) meaning(full string) object {
	return resolve.Derive(r.w, meaningKey(full), func() object {
		all := r.declared(full)
		for _, d := range all {
			if d.Symbol().Kind != code.KindConstant {
				return object{kind: known, class: full, meta: true, how: resolve.TypedStatic}
			}
		}
		var value object
		for i, d := range all {
			x := r.assigned(d)
			if x.kind != known && x.kind != standardType || i > 0 && x != value {
				return object{}
			}
			value = x
		}
		return value
	})
}

// assigned returns the value that a constant's declaration assigns.
func (r reader) assigned(d resolve.Ref) object {
	s := d.Symbol()
	for _, f := range d.File.FactsOf(s.Parent) {
		if f.Kind == code.FactAssign && f.Name == s.Name && f.Span.StartByte == s.NameSpan.StartByte {
			return r.value(place{d.File, s.Parent, f.Span.StartByte}, f.Type, 0)
		}
	}
	return object{}
}
