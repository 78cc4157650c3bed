package elixir

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// maxUses bounds the symbols whose quotes (the code that a macro inserts) are considered for one
// module.
const maxUses = 64

type usesKey struct {
	file  int64
	index int
}

// uses returns the macros and functions whose quotes (quote do … end) are inserted into module m by
// use:
//
//	use Web                 the macro Web.__using__
//	use Web, :controller    and the function Web.controller
//	                        and the functions that those unquote: unquote(helpers())
//	                        and those that the use statements inside these quotes insert
func (r reader) uses(m resolve.Ref) []resolve.Ref {
	return resolve.Derive(r.w, usesKey{m.File.ID, m.Index}, func() (out []resolve.Ref) {
		add := func(d resolve.Ref) {
			if d.Valid() && len(out) < maxUses && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
		for _, fact := range contentsOf(m.File).uses[m.Index] {
			if !quoted(m.File, fact.Span.StartByte) {
				r.used(place{m.File, m.Index, fact.Span.StartByte}, fact, add)
			}
		}
		for i := 0; i < len(out); i++ {
			part := out[i]
			for _, fact := range contentsOf(part.File).uses[part.Index] {
				if quoted(part.File, fact.Span.StartByte) {
					r.used(place{part.File, part.Index, fact.Span.StartByte}, fact, add)
				}
			}
			for _, c := range unquoted(part) {
				if d, ok := functionOf(moduleAround(part.File, part.Index), c, true); ok {
					add(d)
				}
			}
		}
		return out
	})
}

// used calls add for the symbols whose quotes a statement such as "use Web, :controller" inserts:
// the macro Web.__using__ and the function Web.controller. The statement is at p; use is the fact
// that records it.
func (r reader) used(p place, use *code.Fact, add func(resolve.Ref)) {
	module, known := r.moduleOf(p, use.Type)
	if !known {
		return
	}
	m, _ := r.chosen(p.file, module)
	if !m.Valid() {
		return
	}
	for _, i := range m.File.Children(m.Index) {
		s := &m.File.Symbols[i]
		chosen := s.Kind == code.KindFunction && s.Name == use.Name && len(s.Parameters) == 0
		if chosen || s.Kind == code.KindMacro && s.Name == using {
			add(m.File.Ref(i))
		}
	}
	if slices.ContainsFunc(callsIn(m), func(c *code.Call) bool { return c.Callee == "using" && c.Receiver == "" }) {
		add(m) // ExUnit.CaseTemplate writes the quote within a block: using do quote do … end end
	}
}

// unquoted returns the calls without arguments whose result the quote of a symbol includes: helpers() in
// unquote(helpers()).
func unquoted(d resolve.Ref) (out []*code.Call) {
	for _, c := range callsIn(d) {
		if c.Args == 0 && c.Receiver == "" && !quoted(d.File, c.NameSpan.StartByte) {
			out = append(out, c)
		}
	}
	return out
}

type callsKey struct{}

// callsIn returns the calls that symbol d makes itself.
func callsIn(d resolve.Ref) []*code.Call {
	by := resolve.Memo(d.File, callsKey{}, func() map[int][]*code.Call {
		out := map[int][]*code.Call{}
		for i := range d.File.Calls() {
			c := &d.File.Calls()[i]
			out[c.Caller] = append(out[c.Caller], c)
		}
		return out
	})
	return by[d.Index]
}

// injected returns the function that call c calls if code that module m inserts into itself by use
// declares it: def hello in the quote of Web.__using__, if m has "use Web". It returns false
// otherwise.
func (r reader) injected(m resolve.Ref, c *code.Call) (resolve.Ref, bool) {
	for _, part := range r.uses(m) {
		for _, i := range part.File.Named(c.Callee) {
			if s := &part.File.Symbols[i]; s.Parent == part.Index && takes(s, c) &&
				quoted(part.File, s.NameSpan.StartByte) {
				return part.File.Ref(i), true
			}
		}
	}
	return resolve.Ref{}, false
}

// imported looks up the function of call c in the modules that are imported at p. found holds the
// functions of the workspace. outside is a module of a library that has such a function, and
// unknown an imported module whose functions are not known; both are "" if there is no such
// module.
func (r reader) imported(p place, c *code.Call) (found []resolve.Ref, outside, unknown string) {
	take := func(from place, module string) {
		full, known := r.moduleOf(from, module)
		m, several := r.chosen(from.file, full)
		switch {
		case full == "Kernel": // import Kernel, except: […] removes functions; it adds none
		case !known || several:
			unknown = module
		case m.Valid():
			d, ok := functionOf(m, c, false)
			if !ok {
				d, ok = r.injected(m, c)
			}
			if ok && !slices.Contains(found, d) {
				found = append(found, d)
			}
		case standard().declares(full, c):
			outside = full
		case !standard().has(full):
			unknown = full
		}
	}
	of := func(f *resolve.File, at, pos int, inQuote bool) {
		for _, m := range contentsOf(f).imports {
			visible := m.Scope == at && m.Span.StartByte < pos && quoted(f, m.Span.StartByte) == inQuote
			if visible && brings(m, c) {
				take(place{f, at, m.Span.StartByte}, m.Module)
			}
		}
		for _, fact := range contentsOf(f).uses[at] {
			if fact.Span.StartByte < pos && quoted(f, fact.Span.StartByte) == inQuote {
				r.takeUse(place{f, at, fact.Span.StartByte}, fact.Type, take)
			}
		}
	}
	for _, part := range r.around(p.file, p.pos) {
		of(part.File, part.Index, part.Symbol().Span.EndByte, true)
	}
	for at := p.at; ; at = p.file.Symbols[at].Parent {
		of(p.file, at, p.pos, false)
		if at < 0 {
			return found, outside, unknown
		}
		if isModule(p.file.Symbols[at].Kind) {
			for _, part := range r.uses(p.file.Ref(at)) {
				of(part.File, part.Index, part.Symbol().Span.EndByte, true)
			}
		}
	}
}

// brings reports whether import m makes the function of call c available. The Name of the import is
// the name of one function, "*" for all functions, or "* f/1 g/2" for all but these.
func brings(m *code.Import, c *code.Call) bool {
	all, others, _ := strings.Cut(m.Name, " ")
	if all != "*" {
		return m.Name == c.Callee
	}
	return !slices.ContainsFunc(strings.Fields(others), func(other string) bool {
		name, arity, _ := strings.Cut(other, "/")
		return name == c.Callee && (c.Args < 0 || arity == strconv.Itoa(c.Args))
	})
}

type blockKey struct {
	file int64
	pos  int
}

// maxBlocks bounds how many of the blocks around a call are considered, the innermost first.
const maxBlocks = 8

// around returns the symbols whose quotes may contain byte pos after macros are expanded, because
// pos is in the block that is passed to a macro. They are the macros that get the blocks around
// pos, and the functions that these macros call.
//
//	schema "orders" do
//	  field :total        Ecto.Schema.field, which the macro schema imports
//	end
func (r reader) around(f *resolve.File, pos int) (out []resolve.Ref) {
	for range maxBlocks {
		taker := f.Taker(pos)
		if taker == nil {
			break
		}
		out = append(out, r.takes(f, taker)...)
		pos = taker.Span.StartByte - 1
	}
	return out
}

// takes returns the macro that c calls with a block, and the functions that this macro calls. It
// returns nil if c calls no macro of the workspace.
func (r reader) takes(f *resolve.File, c *code.Call) []resolve.Ref {
	return resolve.Derive(r.w, blockKey{f.ID, c.NameSpan.StartByte}, func() (out []resolve.Ref) {
		v := Language{}.Settle(r.w, f, c)
		if v.Outcome != resolve.Settled || v.Target.Symbol().Kind != code.KindMacro {
			return nil
		}
		out = []resolve.Ref{v.Target}
		for i := 0; i < len(out) && len(out) < maxUses; i++ {
			for _, c := range callsIn(out[i]) {
				if c.Receiver != "" || quoted(out[i].File, c.NameSpan.StartByte) {
					continue
				}
				if d, ok := functionOf(moduleAround(out[i].File, out[i].Index), c, true); ok &&
					!slices.Contains(out, d) {
					out = append(out, d)
				}
			}
		}
		return out
	})
}

// takeUse calls take for each module that `use module` imports at p. The imports of the standard
// library's modules are listed in standardUses. For a module of another library, takeUse calls take for
// module itself, because its macro may import anything. It does nothing for a module of the workspace.
func (r reader) takeUse(p place, module string, take func(place, string)) {
	full, known := r.moduleOf(p, module)
	if m, several := r.chosen(p.file, full); known && (m.Valid() || several) {
		return
	}
	imports, listed := standardUses[full]
	if !known || !listed && !standard().has(full) {
		take(p, module)
	}
	for _, i := range imports {
		take(p, i)
	}
}

// standardUses maps modules of the standard library to the modules that a `use` of them imports.
var standardUses = map[string][]string{
	"ExUnit.Case":         {"ExUnit.Callbacks", "ExUnit.Assertions", "ExUnit.Case", "ExUnit.DocTest"},
	"ExUnit.CaseTemplate": {"ExUnit.Callbacks", "ExUnit.Assertions", "ExUnit.CaseTemplate"},
	"Bitwise":             {"Bitwise"},
	"Mix.Config":          {"Mix.Config"},
}
