package elixir

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// Implementations returns the functions that may run for r. For a protocol's function these are the functions of its
// defimpl modules; for a callback, those of the modules with the behaviour.
func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	reader := reader{w}
	if !abstract(r) {
		return nil
	}
	for _, m := range reader.implementing(r.Parent()) {
		out = append(out, implementationOf(m, r)...)
	}
	return out
}

// abstract reports whether r is a function of a protocol, or a callback of a behaviour.
func abstract(r resolve.Ref) bool {
	p := r.Parent()
	if !p.Valid() {
		return false
	}
	kind := r.Symbol().Kind
	return kind == code.KindMethod || kind == code.KindFunction && p.Symbol().Kind == code.KindInterface
}

// implementationOf returns the functions of module m with the name and the number of arguments of r.
func implementationOf(m, r resolve.Ref) (out []resolve.Ref) {
	for _, i := range m.File.Named(r.Symbol().Name) {
		s := &m.File.Symbols[i]
		if s.Parent == m.Index && s.Kind == code.KindFunction && s.Exported &&
			len(s.Parameters) == len(r.Symbol().Parameters) {
			out = append(out, m.File.Ref(i))
		}
	}
	return out
}

type implementingKey struct {
	file  int64
	index int
}

// implementing returns the modules that implement base, a protocol or a behaviour. Such a module
// has its own `@behaviour` or `defimpl`, or it has `use Web` and the code that Web inserts into
// it contains one.
func (r reader) implementing(base resolve.Ref) []resolve.Ref {
	return resolve.Derive(r.w, implementingKey{base.File.ID, base.Index}, func() (out []resolve.Ref) {
		names := []string{l2meta.TypeName(base.Symbol().Name)}
		for n := 0; n < len(names) && len(out) < resolve.MaxSubtypes; n++ {
			for _, id := range r.w.Extending(names[n]) {
				f := r.w.Peer(id, base.File.Language)
				if f == nil {
					continue
				}
				for i := range f.Symbols {
					if m := f.Ref(i); isModule(m.Symbol().Kind) && slices.Contains(r.bases(m), base) &&
						!slices.Contains(out, m) {
						out = append(out, m)
					}
				}
				for _, name := range passing(f) {
					if !slices.Contains(names, name) && len(names) < maxUses {
						names = append(names, name)
					}
				}
			}
		}
		return out
	})
}

// passing returns the last names of the modules of f that give a behaviour to their users. `use
// Web` inserts the code of a quote in Web into the module that uses it. So a @behaviour or a use
// within that quote holds for this module, too.
func passing(f *resolve.File) (names []string) {
	for _, fact := range f.AllFacts() {
		if (fact.Kind == code.FactImpl || fact.Kind == code.FactBase) && quoted(f, fact.Span.StartByte) {
			if m := moduleAround(f, fact.Owner); m.Valid() {
				names = append(names, l2meta.TypeName(m.Symbol().Name))
			}
		}
	}
	return names
}

type basesKey struct {
	file  int64
	index int
}

// bases returns the protocol that module m implements, or its behaviours. It leaves out those that
// the workspace does not declare.
func (r reader) bases(m resolve.Ref) []resolve.Ref {
	return resolve.Derive(r.w, basesKey{m.File.ID, m.Index}, func() (out []resolve.Ref) {
		add := func(p place, module string) {
			if full, known := r.moduleOf(p, module); known {
				if base, _ := r.chosen(p.file, full); base.Valid() && !slices.Contains(out, base) {
					out = append(out, base)
				}
			}
		}
		for _, fact := range m.Facts() {
			if fact.Kind == code.FactImpl && !quoted(m.File, fact.Span.StartByte) {
				add(place{m.File, m.Index, fact.Span.StartByte}, fact.Type)
			}
		}
		for _, part := range r.uses(m) {
			for _, fact := range part.Facts() {
				if fact.Kind == code.FactImpl && quoted(part.File, fact.Span.StartByte) {
					add(place{part.File, part.Index, fact.Span.StartByte}, fact.Type)
				}
			}
		}
		return out
	})
}

// Overridden returns the functions of protocols and the callbacks of behaviours that r implements;
// none if r is no function of a module.
func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	m := r.Parent()
	if !m.Valid() || !isModule(m.Symbol().Kind) {
		return nil
	}
	for _, base := range (reader{w}).bases(m) {
		for _, i := range base.File.Children(base.Index) {
			if d := base.File.Ref(i); abstract(d) && slices.Contains(implementationOf(m, d), r) {
				out = append(out, d)
			}
		}
	}
	return out
}

// Admits reports false, because resolving a call never yields the type of its receiver.
func (Language) Admits(*resolve.World, resolve.Ref, resolve.Ref) bool { return false }
