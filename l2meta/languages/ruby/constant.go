package ruby

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

type rubyFullKey struct {
	file  int64
	index int
}

// full is the full name of a class, module or constant, "." between its parts:
// what it is called in the file, below the classes around it. The first part of
// a compact name ("class A::B") is looked up, as Ruby does.
func (r rubyReader) full(ref resolve.Ref) string {
	return resolve.Derive(r.w, rubyFullKey{ref.File.ID, ref.Index}, func() string {
		s := ref.Symbol()
		path := s.QualifiedName
		if s.Parent >= 0 {
			path = strings.TrimPrefix(path, ref.File.Symbols[s.Parent].QualifiedName+".")
		}
		around := rubyClassAround(ref.File, s.Parent)
		if around < 0 || slices.Contains(s.Modifiers, "::") {
			return path
		}
		head, rest, compact := strings.Cut(path, ".")
		if compact {
			if x := r.constant(rubyPlace{ref.File, around, s.Span.StartByte}, head); x.kind == rubyKnown {
				return x.class + "." + rest
			}
		}
		return r.full(ref.File.Ref(around)) + "." + path
	})
}

// rubyClassAround is the class or module that symbol at is or stands in; -1 at
// the top.
func rubyClassAround(f *resolve.File, at int) int {
	for ; at >= 0; at = f.Symbols[at].Parent {
		if k := f.Symbols[at].Kind; k == code.KindClass || k == code.KindModule {
			return at
		}
	}
	return -1
}

type rubyDeclaredKey string

// declared is the declarations of the constant of that full name.
func (r rubyReader) declared(full string) []resolve.Ref {
	return resolve.Derive(r.w, rubyDeclaredKey(full), func() (out []resolve.Ref) {
		rows, ok := r.w.Named(full[strings.LastIndexByte(full, '.')+1:])
		if !ok {
			return nil
		}
		for _, row := range rows {
			switch row.Symbol.Kind {
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

type rubyConstantKey struct {
	file int64
	at   int
	path string
}

// constant is what a constant path means at p: first in the classes around it,
// from the inside out, then in the ancestors of the innermost, then at the top.
func (r rubyReader) constant(p rubyPlace, path string) rubyObject {
	around := rubyClassAround(p.file, p.at)
	return resolve.Derive(r.w, rubyConstantKey{p.file.ID, around, path}, func() rubyObject {
		parts := strings.Split(strings.TrimPrefix(path, "::"), "::")
		full := parts[0]
		if !strings.HasPrefix(path, "::") {
			full = r.lexical(p.file, around, parts[0])
		}
		if full == "" || len(r.declared(full)) == 0 {
			return rubyObject{kind: rubyForeign, class: parts[0]}
		}
		x := r.meaning(full)
		for _, part := range parts[1:] {
			if x.kind != rubyKnown || !x.meta {
				return rubyObject{}
			}
			if full = r.inside(x.class, part); full == "" {
				return rubyObject{}
			}
			x = r.meaning(full)
		}
		return x
	})
}

// lexical is the full name of what a bare constant means in class around.
func (r rubyReader) lexical(f *resolve.File, around int, name string) string {
	for at := around; at >= 0; at = rubyClassAround(f, f.Symbols[at].Parent) {
		if full := r.full(f.Ref(at)) + "." + name; len(r.declared(full)) > 0 {
			return full
		}
	}
	if around >= 0 {
		if full := r.inside(r.full(f.Ref(around)), name); full != "" {
			return full
		}
	}
	if len(r.declared(name)) > 0 {
		return name
	}
	return ""
}

type rubyInsideKey struct{ class, name string }

// inside is the full name of a constant of a class or of its ancestors, "" when
// none declares it.
func (r rubyReader) inside(class, name string) string {
	return resolve.Derive(r.w, rubyInsideKey{class, name}, func() string {
		if full := class + "." + name; len(r.declared(full)) > 0 {
			return full
		}
		for _, s := range r.steps(rubyObject{kind: rubyKnown, class: class}) {
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

type rubyMeaningKey string

// meaning is what the constant of that full name holds: a class, or what it is
// assigned.
func (r rubyReader) meaning(full string) rubyObject {
	return resolve.Derive(r.w, rubyMeaningKey(full), func() rubyObject {
		all := r.declared(full)
		for _, d := range all {
			if d.Symbol().Kind != code.KindConstant {
				return rubyObject{kind: rubyKnown, class: full, meta: true, how: resolve.TypedStatic}
			}
		}
		var value rubyObject
		for i, d := range all {
			x := r.assigned(d)
			if x.kind != rubyKnown || i > 0 && x != value {
				return rubyObject{}
			}
			value = x
		}
		return value
	})
}

// assigned is what a constant's declaration assigns to it.
func (r rubyReader) assigned(d resolve.Ref) rubyObject {
	s := d.Symbol()
	for _, f := range d.File.FactsOf(s.Parent) {
		if f.Kind == code.FactAssign && f.Name == s.Name && f.Span.StartByte == s.NameSpan.StartByte {
			return r.value(rubyPlace{d.File, s.Parent, f.Span.StartByte}, f.Type, 0)
		}
	}
	return rubyObject{}
}
