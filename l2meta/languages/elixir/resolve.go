package elixir

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Language resolves calls by modules, imports and the tables of the standard library.
type Language struct{}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	p := place{f, c.Caller, c.NameSpan.StartByte}
	if c.Receiver == "" {
		return reader{w}.bare(p, c)
	}
	return reader{w}.member(p, c)
}

// reader resolves the names of modules and functions in the files of a World.
type reader struct{ w *resolve.World }

// place is a place in a file: byte pos, in symbol at, which is -1 at file level.
type place struct {
	file    *resolve.File
	at, pos int
}

// bare resolves f(x) in the order of the compiler: functions of the module itself, functions that
// macros declare in the module, imports, Kernel.
func (r reader) bare(p place, c *code.Call) resolve.Verdict {
	if quoted(p.file, p.pos) {
		return resolve.Unresolved("in a quote: it means what it means where that is expanded")
	}
	own := moduleAround(p.file, p.at)
	// The functions of a module do not exist yet while its body runs, so a call there, such as
	// match "/x", calls a macro. But the block of get "/" do f(x) end may become the body of a
	// function, so calls in it are resolved as well.
	if own.Valid() && (p.file.Callable(p.at) > own.Index || p.file.Taker(p.pos) != nil) {
		if d, ok := functionOf(own, c, true); ok {
			return resolve.Resolved(d, resolve.SameType, "a function of the module").Directly()
		}
		if d, ok := r.injected(own, c); ok {
			return resolve.Resolved(d, resolve.Inherited, "a macro that the module uses declares it").Directly()
		}
	}
	found, outside, unknown := r.imported(p, c)
	switch {
	case len(found) == 1 && outside == "":
		return resolve.Resolved(found[0], resolve.Imported, "imported from "+r.fullName(found[0].Parent())).Directly()
	case len(found) > 0:
		return resolve.Unresolved("several imports declare it")
	case outside != "":
		return resolve.ExternalTo(outside)
	case standard().declares("Kernel", c) || standard().declares("Kernel.SpecialForms", c):
		return resolve.ExternalTo(resolve.Builtin)
	case unknown != "":
		return resolve.Unresolved("perhaps of " + unknown + ", which is not readable")
	}
	return resolve.Unresolved("neither the module nor an import declares it")
}

// member resolves M.f(x), where M is c.Receiver.
func (r reader) member(p place, c *code.Call) resolve.Verdict {
	module, known := r.moduleOf(p, c.Receiver)
	if !known {
		if d, ok := r.callback(p, c); ok {
			return resolve.Resolved(d, resolve.UniqueName, "the only callback of that name in the module")
		}
		return resolve.Unresolved("the module is a value")
	}
	declared, several := r.chosen(p.file, module)
	switch {
	case several:
		return resolve.Unresolved("several modules are named " + module)
	case declared.Valid():
		return r.memberOf(declared, module, c, declared == moduleAround(p.file, p.at))
	case standard().has(module) || r.isLibrary(p.file, module):
		return resolve.ExternalTo(module)
	}
	return resolve.Unresolved("the workspace declares no module " + module)
}

// memberOf resolves M.f(x). m is the declaration of module M in the workspace, and name is M as
// shown in the verdict. own is set if the call is within m, where private functions are visible.
// A protocol's function runs one of its implementations.
func (r reader) memberOf(m resolve.Ref, name string, c *code.Call, own bool) resolve.Verdict {
	how := resolve.TypedStatic
	if own {
		how = resolve.SameType
	}
	if d, ok := functionOf(m, c, own); ok {
		return resolve.Resolved(d, how, "a function of "+name).DirectlyIf(m.Symbol().Kind != code.KindInterface)
	}
	if d, ok := r.injected(m, c); ok {
		return resolve.Resolved(d, resolve.Inherited, "a macro that "+name+" uses declares it").Directly()
	}
	return resolve.Unresolved("no such function of " + name + " is declared")
}

// functionOf returns the function of a module that a call may call. Private functions count only if
// own is set. It returns false if none has its name and takes its number of arguments.
func functionOf(m resolve.Ref, c *code.Call, own bool) (resolve.Ref, bool) {
	for _, i := range m.File.Named(c.Callee) {
		s := &m.File.Symbols[i]
		if (own || s.Exported) && takes(s, c) && declaredIn(m.File, i) == m.Index &&
			!quoted(m.File, s.NameSpan.StartByte) {
			return m.File.Ref(i), true
		}
	}
	return resolve.Ref{}, false
}

// declaredIn returns the module or macro of which symbol i is a function, skipping a describe
// block between them. It returns -1 at the top level of the file.
func declaredIn(f *resolve.File, i int) int {
	for i = f.Symbols[i].Parent; i >= 0 && f.Symbols[i].Kind == code.KindTest; {
		i = f.Symbols[i].Parent
	}
	return i
}

// takes reports whether a function or macro takes the number of arguments of a call.
func takes(s *code.Symbol, c *code.Call) bool {
	if s.Kind != code.KindFunction && s.Kind != code.KindMacro {
		return false
	}
	least := 0
	for _, p := range s.Parameters {
		if p.Default == "" {
			least++
		}
	}
	return c.Args < 0 || least <= c.Args && c.Args <= len(s.Parameters)
}

// callback returns the callback that a call on a value runs, if the module around the call
// declares a callback of that name:
//
//	@callback init(term) :: term
//	def start(mod), do: mod.init(1)
//
// It returns false if the module declares none.
func (r reader) callback(p place, c *code.Call) (resolve.Ref, bool) {
	m := moduleAround(p.file, p.at)
	if !m.Valid() || strings.HasPrefix(c.Receiver, "unquote") {
		return resolve.Ref{}, false
	}
	for _, i := range p.file.Named(c.Callee) {
		s := &p.file.Symbols[i]
		if s.Kind == code.KindMethod && s.Parent == m.Index && len(s.Parameters) == c.Args {
			return p.file.Ref(i), true
		}
	}
	return resolve.Ref{}, false
}

func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string { return []string{r.Symbol().Name} }

func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) []*resolve.File {
	r := reader{w}
	module, known := r.moduleOf(place{f, i.Scope, i.Span.StartByte}, i.Module)
	if !known {
		return nil
	}
	if m, _ := r.chosen(f, module); m.Valid() {
		return []*resolve.File{m.File}
	}
	return nil
}
