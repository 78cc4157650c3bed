package resolve

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Resolver resolves call sites in one view (a consistent state) of a root's index. It must be used
// by one goroutine, and only while the view is open.
type Resolver struct{ w *World }

// New returns a resolver that reads the index through v, which shows the given generation. cache is
// the cache of the same root; it makes results faster, never different.
func New(ctx context.Context, v *store.View, cache *Cache, generation int64) *Resolver {
	return &Resolver{newWorld(ctx, v, cache, generation)}
}

// Symbol returns the symbol of a file at an index; index -1 means the file's code outside of every
// function. It returns the zero Ref if the file or the symbol does not exist.
func (r *Resolver) Symbol(fileID int64, index int) (Ref, error) {
	f := r.w.ByID(fileID)
	if f == nil || index < -1 || index >= len(f.Symbols) {
		return Ref{}, r.w.Err()
	}
	return f.Ref(index), r.w.Err()
}

// Sites resolves every call site of a file, in document order, and after them every access of a
// property (access.go). It returns nil if the file does not exist.
func (r *Resolver) Sites(fileID int64) ([]Site, error) {
	f := r.w.ByID(fileID)
	if f == nil {
		return nil, r.w.Err()
	}
	sites := make([]Site, f.Sites()+len(f.Accesses()))
	for i := range sites {
		sites[i] = r.site(f, i)
	}
	return sites, r.w.Err()
}

// CallAt returns the call site whose callee's name starts at a byte offset of the file at path: a
// call, or else an access of a property (access.go). It returns false if there is none.
func (r *Resolver) CallAt(path string, offset int) (SiteRef, bool, error) {
	refs := r.w.At(path)
	if len(refs) == 0 {
		return SiteRef{}, false, r.w.Err()
	}
	f := r.w.Load(refs[0])
	for i := 0; f != nil && i < f.Sites()+len(f.Accesses()); i++ {
		if f.Site(i).NameSpan.StartByte == offset {
			s := r.site(f, i)
			return siteRef(&refs[0], i, &s), true, r.w.Err()
		}
	}
	return SiteRef{}, false, r.w.Err()
}

// Beside returns the paths of the files in the directory of path, in order.
func (r *Resolver) Beside(path string) (out []string, err error) {
	for _, f := range r.w.Dir(code.Dir(path)) {
		out = append(out, f.Path)
	}
	return out, r.w.Err()
}

// File returns the file at path; nil if there is none.
func (r *Resolver) File(path string) (*File, error) { return r.w.File(path), r.w.Err() }

// Callees resolves the calls in the body of ref, in document order. They include the calls in
// symbols nested in ref that are not functions, such as local variables, and the accesses of
// properties with a getter or setter. Index -1 of ref means the calls outside of every function of
// the file. An annotation is listed only if the workspace declares its type.
func (r *Resolver) Callees(ref Ref) (sites []Site, err error) {
	for i := range ref.File.Calls() {
		c := &ref.File.Calls()[i]
		if !madeBy(ref.File, ref.File.Maker(c.Caller, c.NameSpan.StartByte), ref.Index) {
			continue
		}
		if s := r.site(ref.File, i); s.Outcome == Settled || !r.w.annotates(ref.File, s.Call) {
			sites = append(sites, s)
		}
	}
	return r.accessed(ref, sites), r.w.Err()
}

// madeBy reports whether a call counts as made by symbol, if caller is the innermost symbol around
// the call: caller is symbol, or is nested in symbol without a function in between. Symbol -1 is
// the file's code outside of every function.
func madeBy(f *File, caller, symbol int) bool {
	if symbol < 0 {
		return f.Callable(caller) < 0
	}
	for ; caller >= 0; caller = f.Symbols[caller].Parent {
		if caller == symbol {
			return true
		}
		if f.Symbols[caller].Runs() {
			return false
		}
	}
	return false
}

// siteKey identifies call number index of a file.
type siteKey struct {
	file  int64
	index int
}

func (r *Resolver) site(f *File, i int) Site {
	c := f.Site(i)
	v, ok := r.w.known.verdict(r.w, f, i)
	if !ok {
		v = r.verdict(f, i)
	}
	s := Site{Verdict: v, File: f, Call: c, Caller: f.Ref(f.Callable(f.Maker(c.Caller, c.NameSpan.StartByte)))}
	if v.Outcome == Settled {
		s.Confidence = Confidence(f.Language, v.Strategy)
	}
	return s
}

// verdict resolves call or access number i of f, and keeps the result.
func (r *Resolver) verdict(f *File, i int) Verdict {
	if i >= f.Sites() && !r.w.mayRun(f, f.Site(i)) {
		return Verdict{Outcome: NoCall} // most accesses end here, and a cache entry for each would waste memory
	}
	return Derive(r.w, siteKey{f.ID, i}, func() (v Verdict) {
		r.w.apart(func() {
			if i >= f.Sites() {
				v = r.w.used(f, f.Site(i))
			} else {
				v = r.settle(f, f.Site(i))
			}
		})
		return v
	})
}

// settle resolves a call of f by the rules of its language.
func (r *Resolver) settle(f *File, c *code.Call) Verdict {
	v := r.w.languages.of(f).Settle(r.w, f, c)
	if v.Outcome == Open && r.w.annotates(f, c) {
		v.Outcome = NoCall
	}
	if v.Outcome == Open && r.w.leadsOutside(f, c) {
		return undeclared(f.Language, c.Callee)
	}
	if v.Outcome == Settled && r.w.runsBases(v.Target) {
		return v
	}
	return v.DirectlyIf(c.Kind == code.CallSuper || c.Kind == code.CallNew || c.Kind == code.CallDecorator)
}

// annotates reports whether a call site is an annotation that names a type, such as @GetMapping, in
// a language with Language.Annotates.
func (w *World) annotates(f *File, c *code.Call) bool {
	return c.Kind == code.CallDecorator && w.languages[f.Language].Annotates
}

// Inbound holds the known callers of a symbol.
type Inbound struct {
	Callers []SiteRef // sites that resolve to the symbol, nearest files first, each file in document order
	// Open holds the call sites that use one of the symbol's names but could not be resolved, or
	// that call the value of a variable with such a name.
	Open []SiteRef
	// Files counts the files that contain a call of one of the symbol's names. Read counts those of
	// them that were searched; a limit on files may exclude the rest.
	Files, Read int
	// Late is true if the search ended before it had read all files up to the limit, because the time
	// that Until set was over.
	Late bool
}

// SiteRef identifies a call site: call number Call of a file. It also holds the properties of the
// site that are known without loading the file.
type SiteRef struct {
	File       *store.FileRef
	Call       int
	Callee     string // the callee's name
	Offset     int    // byte offset of the callee's name
	Line       int    // line of the callee's name, from 1
	Outcome    Outcome
	Confidence float64 // 0 unless Outcome is Settled
	// Direct and receiver are Verdict.Direct and Verdict.Receiver, if Outcome is Settled.
	Direct   bool
	receiver symbolAt
}

// Reference returns a reference to call i of f, to ask Resolver.At for its verdict.
func (f *File) Reference(i int) SiteRef {
	return SiteRef{File: &store.FileRef{ID: f.ID, Path: f.Path, Language: f.Language, Class: f.Class, Hash: f.Hash}, Call: i}
}

// symbolAt identifies a symbol by its file's id and its index in the file; file 0 means none.
type symbolAt struct {
	file  int64
	index int32
}

func siteRef(file *store.FileRef, i int, s *Site) SiteRef {
	at := SiteRef{File: file, Call: i, Callee: s.Call.Callee, Offset: s.Call.NameSpan.StartByte,
		Line: s.Call.NameSpan.StartLine, Outcome: s.Outcome, Confidence: s.Confidence, Direct: s.Direct}
	if s.Receiver.Valid() {
		at.receiver = symbolAt{s.Receiver.File.ID, int32(s.Receiver.Index)}
	}
	return at
}

// At resolves the call site that s identifies; false if the site does not exist any more.
func (r *Resolver) At(s SiteRef) (Site, bool, error) {
	f := r.w.Load(*s.File)
	if f == nil || s.Call >= f.Sites()+len(f.Accesses()) {
		return Site{}, false, r.w.Err()
	}
	return r.site(f, s.Call), true, r.w.Err()
}

// inboundKey is the key under which the callers of a symbol are stored, as found in at most
// maxFiles files.
type inboundKey struct {
	ref      Ref
	maxFiles int
}

// Until sets the time after which a search for callers reads no more files. Without this bound, a
// search for the callers of a common name would use up the time of its request and return
// nothing.
func (r *Resolver) Until(t time.Time) { r.w.until = t }

// Callers finds the call sites that call ref or may call it. It searches at most maxFiles files,
// those nearest to ref's file first.
func (r *Resolver) Callers(ref Ref, maxFiles int) (Inbound, error) {
	names := r.names(ref)
	if in, ok := r.w.known.callers(r.w.snap.generation, ref, names, maxFiles); ok {
		return r.withAccesses(ref, maxFiles, in), r.w.Err()
	}
	in := Derive(r.w, inboundKey{ref, maxFiles}, func() (in Inbound) {
		files := r.nearest(ref, names, r.w.Calling)
		in.Files, in.Read = len(files), min(len(files), maxFiles)
		for i, place := range files[:in.Read] {
			if r.w.Err() != nil {
				break
			}
			if r.w.hurried() {
				in.Read, in.Late = i, true
				break
			}
			r.callersIn(place, names, ref, &in)
		}
		return in
	})
	return r.withAccesses(ref, maxFiles, in), r.w.Err()
}

func (r *Resolver) callersIn(place store.FileRef, names []string, target Ref, in *Inbound) {
	f := r.w.Load(place)
	if f == nil {
		return
	}
	var calls []int
	for _, n := range names {
		calls = append(calls, f.CallsOf(n)...)
	}
	slices.Sort(calls)
	for _, i := range slices.Compact(calls) { // a type and its constructor have one name, so a call may occur twice
		switch s := r.site(f, i); {
		case s.Outcome == Settled && s.Target == target:
			in.Callers = append(in.Callers, siteRef(&place, i, &s))
		case s.Outcome == Open || s.Outcome == FuncValue:
			in.Open = append(in.Open, siteRef(&place, i, &s))
		}
	}
}

// nearest returns the files whose ids having returns for any of names, without files of other
// language families than ref's. Ref's own file comes first, then the files that share the longest
// path with it; ties are in order of path.
func (r *Resolver) nearest(ref Ref, names []string, having func(name string) []int64) []store.FileRef {
	seen := map[int64]bool{}
	var files []store.FileRef
	for _, n := range names {
		for _, id := range having(n) {
			if seen[id] {
				continue
			}
			seen[id] = true
			if f, ok := r.w.Place(id); ok && r.w.languages.Together(f.Language, ref.File.Language) {
				files = append(files, f)
			}
		}
	}
	shared := make(map[int64]int, len(files))
	for _, f := range files {
		shared[f.ID] = SharedSteps(f.Path, ref.File.Path)
	}
	slices.SortFunc(files, func(a, b store.FileRef) int {
		return cmp.Or(cmp.Compare(shared[b.ID], shared[a.ID]), cmp.Compare(a.Path, b.Path))
	})
	return files
}

// SharedSteps returns the number of leading segments that two paths share: 1 for a/b and a/c, 2 for
// a/b and a/b.
func SharedSteps(a, b string) (n int) {
	for {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if x != y {
			return n
		}
		n++
		if !moreA || !moreB {
			return n
		}
		a, b = restA, restB
	}
}

// PackageDir returns the directory of the package of an import path; false if no module of the
// workspace declares it.
func (r *Resolver) PackageDir(importPath string) (dir string, ok bool, err error) {
	for _, l := range r.w.languages {
		if p, is := l.Settler.(packaging); is {
			if dir, ok = p.PackageDir(r.w, importPath); ok {
				break
			}
		}
	}
	return dir, ok, r.w.Err()
}

// Members returns the callables that a type declares in its own file. For a Scattered language,
// such as Go, it includes those in the other files of its directory.
func (r *Resolver) Members(ref Ref) (out []Ref, err error) {
	prefix := ref.Symbol().QualifiedName + "."
	files := []*File{ref.File}
	if l := ref.File.Language; r.w.languages[l].Scattered {
		files = files[:0]
		for _, p := range r.w.Dir(ref.File.Dir) {
			if f := r.w.Load(p); f != nil && f.Language == l {
				files = append(files, f)
			}
		}
	}
	for _, f := range files {
		for i := range f.Symbols {
			if s := &f.Symbols[i]; s.Kind.Callable() && strings.HasPrefix(s.QualifiedName, prefix) &&
				!strings.Contains(s.QualifiedName[len(prefix):], ".") {
				out = append(out, f.Ref(i))
			}
		}
	}
	return out, r.w.Err()
}
