package resolve

import (
	"slices"

	"sextant/internal/code"
	"sextant/internal/store"
)

// This file resolves accesses: reads of or assignments to a member, without a call. An access
// runs code if the member is a property with a getter or setter:
//
//	@property
//	def total(self): return self.sum() * self.rate
//	...
//	show(order.total)   runs Order.total
//
//
// Most accesses are of plain fields, so they must be cheap. An access whose name belongs to no
// property with code is dropped before its receiver is evaluated. An access that resolves to
// anything but a property with code has the verdict NoCall. The ledger (ledger.go) stores the
// verdicts of calls, but none of accesses.
//
// A name that is used as a value is stored and resolved like an access, in a language with a taker:
//
//	sort.Slice(rows, less)   takes less, if less is a function
//	box{Gone: h.gone}        takes h.gone, if gone is a method and no field

// accessor is implemented by the Settler of a language with properties. A Settler resolves the
// calls of one language.
type accessor interface {
	// Access returns the verdict of access c of f: Settled if it resolves to a property, even one
	// without code, because another one with code may override it; Open if the type of the receiver
	// is not known; otherwise NoCall.
	Access(w *World, f *File, c *code.Call) Verdict
}

// taker is implemented by the Settler of a language in which any name that is used as a value may be
// a function. Such a name has the kind code.CallReference, and is stored in File.Accesses.
type taker interface {
	// MayTake reports whether c may be a function, by the names that are declared. It evaluates no
	// receiver.
	MayTake(w *World, f *File, c *code.Call) bool
	// Sees reports whether code in a directory can name a declaration of the workspace.
	Sees(dir string, declaration Ref) bool
}

// used returns the verdict of an access or of a name that is used as a value.
func (w *World) used(f *File, c *code.Call) Verdict {
	if c.Kind == code.CallAccess {
		return w.access(f, c)
	}
	if v := w.languages.of(f).Settle(w, f, c); v.Outcome == Settled && v.Target.Symbol().Kind.Callable() {
		return v
	}
	return Verdict{Outcome: NoCall} // a variable, a constant or a field, or nothing that is known
}

// mayRun reports whether an access, or a name that is used as a value, may lead to code. It
// considers only the name.
func (w *World) mayRun(f *File, c *code.Call) bool {
	if c.Kind == code.CallAccess {
		return w.computes(f.Language, c.Callee)
	}
	t, ok := w.languages.of(f).(taker)
	return ok && t.MayTake(w, f, c)
}

// access returns the verdict of an access: the property that runs, or NoCall if no code runs.
func (w *World) access(f *File, c *code.Call) Verdict {
	a, ok := w.languages.of(f).(accessor)
	if !ok || !w.computes(f.Language, c.Callee) {
		return Verdict{Outcome: NoCall}
	}
	v := a.Access(w, f, c)
	if v.Outcome != Open && (v.Outcome != Settled || !w.runsCode(v.Target)) {
		return Verdict{Outcome: NoCall}
	}
	return v
}

// runsCode reports whether accessing a member runs code: the member's own, or that of a property
// that implements or overrides it.
func (w *World) runsCode(member Ref) bool {
	s := member.Symbol()
	return s.Computed || holdsValue(s.Kind) &&
		slices.ContainsFunc(implementations(w, member), func(r Ref) bool { return r.Symbol().Computed })
}

// halving is implemented by the Settler of a language in which the getter and the setter of a
// property are separate declarations, as in TypeScript: get total() {…}, set total(v) {…}.
type halving interface {
	// Assigns reports whether a property with code is a setter.
	Assigns(property Ref) bool
}

// mayAccess reports whether access c may run member, which implements or overrides the property
// that c resolves to. Where getters and setters are separate, only an assignment runs a setter.
func (w *World) mayAccess(member Ref, c *code.Call) bool {
	s := member.Symbol()
	if l, ok := w.languages.of(member.File).(halving); ok && s.Computed && l.Assigns(member) != (c.Args > 0) {
		return false
	}
	return s.Computed || s.Kind.Callable() && !holdsValue(s.Kind)
}

// computedKey is the key under which computes stores its result for a property name, in the files
// of one language family.
type computedKey struct{ family, name string }

// computes reports whether a file of the language's family declares a property of that name with
// code. It reports true after an error.
func (w *World) computes(language, name string) bool {
	family := w.Family(language)
	return Derive(w, computedKey{family, name}, func() bool {
		found, err := w.index.Computing(w.ctx, w.view, name, func(l string) bool { return w.Family(l) == family })
		return !w.ok(err) || found
	})
}

// accessing returns the ids of the files that may read or assign a member of a name without a call.
func (w *World) accessing(name string) []int64 {
	return w.ids(accessingKey(name), func() ([]int64, error) { return w.index.Accessing(w.ctx, w.view, name) })
}

// accessed returns sites, the calls that the code of ref makes, together with the accesses in that
// code that run a property or take a function, in document order. An access whose receiver has an
// unknown type is left out: it is probably an access of a plain field that has the same name as some
// property.
func (r *Resolver) accessed(ref Ref, sites []Site) []Site {
	f, calls := ref.File, len(sites)
	for i := range f.Accesses() {
		c := &f.Accesses()[i]
		if !madeBy(f, f.Maker(c.Caller, c.NameSpan.StartByte), ref.Index) || !r.w.mayRun(f, c) {
			continue
		}
		if s := r.site(f, f.Sites()+i); s.Outcome == Settled {
			sites = append(sites, s)
		}
	}
	if len(sites) > calls {
		slices.SortStableFunc(sites, func(a, b Site) int { return a.Call.Span.StartByte - b.Call.Span.StartByte })
	}
	return sites
}

// accessKey is the key under which the accesses that run the property ref, or take the function ref,
// are stored, as found in at most maxFiles files.
type accessKey struct {
	ref      Ref
	maxFiles int
}

// withAccesses adds to the callers of ref the accesses that run it, if it is a property with code,
// or those that take it as a value, if it is a function of a language with a taker.
func (r *Resolver) withAccesses(ref Ref, maxFiles int, in Inbound) Inbound {
	if ref.Index < 0 {
		return in
	}
	t, takes := r.w.languages.of(ref.File).(taker)
	if takes = takes && ref.Symbol().Kind.Callable(); !takes && !r.w.runsCode(ref) {
		return in
	}
	more := Derive(r.w, accessKey{ref, maxFiles}, func() (more Inbound) {
		files := r.nearest(ref, []string{ref.Symbol().Name}, r.w.accessing)
		if takes {
			files = slices.DeleteFunc(files, func(f store.FileRef) bool { return !t.Sees(code.Dir(f.Path), ref) })
		}
		more.Files, more.Read = len(files), min(len(files), maxFiles)
		for i, place := range files[:more.Read] {
			if r.w.hurried() {
				more.Read, more.Late = i, true
				break
			}
			if f := r.w.Load(place); f != nil && r.w.Err() == nil {
				r.accessesIn(f, &place, ref, &more)
			}
		}
		return more
	})
	in.Callers, in.Open = slices.Concat(in.Callers, more.Callers), slices.Concat(in.Open, more.Open)
	in.Files, in.Read, in.Late = in.Files+more.Files, in.Read+more.Read, in.Late || more.Late
	return in
}

func (r *Resolver) accessesIn(f *File, place *store.FileRef, target Ref, in *Inbound) {
	for _, i := range f.reads.get().of(target.Symbol().Name) {
		i += f.Sites()
		switch s := r.site(f, i); {
		case s.Outcome == Settled && s.Target == target:
			in.Callers = append(in.Callers, siteRef(place, i, &s))
		case s.Outcome == Open:
			in.Open = append(in.Open, siteRef(place, i, &s))
		}
	}
}
