package callgraph

import (
	"context"
	"slices"

	"sextant/internal/code"
	"sextant/jit"
	"sextant/l2meta/resolve"
)

// linker resolves call sites on one snapshot of the index. It must not outlive the snapshot and is not
// safe for concurrent use. After an error of the snapshot or its context, all further calls return that
// error.
type linker struct {
	r *resolve.Resolver
	p *proofs // answers of language servers; nil if these are not used
}

func newLinker(ctx context.Context, v *jit.View, cache *resolve.Cache, generation int64) *linker {
	return &linker{r: resolve.New(ctx, v, cache, generation)}
}

// callees returns all call sites of a symbol in order of position, resolved or not.
func (l *linker) callees(ref resolve.Ref) (out []link, err error) {
	sites, err := l.r.Callees(ref)
	for i := range sites {
		out = append(out, l.p.settle(&sites[i]))
	}
	return out, l.failed(err)
}

// failed returns err or, if that is nil, the first error in looking up the answers of
// language servers.
func (l *linker) failed(err error) error {
	if err == nil && l.p != nil {
		err = l.p.err
	}
	return err
}

// maxCallingFiles is the largest number of files that one search for callers reads,
// nearest first. More files would evict each other from the cache, and each search for a
// very common name would read them again.
const maxCallingFiles = 1000

// callers returns the call sites that resolve to a symbol, and the unresolved calls of
// its name.
func (l *linker) callers(ref resolve.Ref) (inbound, error) {
	found, err := l.r.Callers(ref, maxCallingFiles)
	return l.inbound(ref, found, err)
}

// callersThrough returns the callers of base whose call sites may run ref instead.
func (l *linker) callersThrough(base, ref resolve.Ref) (inbound, error) {
	known, err := l.r.MayRun(base, resolve.Ref{}, ref)
	if err != nil {
		return inbound{}, err
	}
	var found resolve.Inbound
	if known {
		found, err = l.r.CallersThrough(base, ref, maxCallingFiles)
	} else if found, err = l.r.Callers(base, maxCallingFiles); err == nil { // a server says that ref implements base
		found.Callers = slices.DeleteFunc(slices.Clone(found.Callers), func(at resolve.SiteRef) bool {
			return at.Direct
		})
	}
	in, err := l.inbound(base, found, err)
	if err != nil {
		return in, err
	}
	links := in.links[:0:0]
	for _, k := range in.links {
		may, err := l.mayRun(&k, ref, known)
		if err != nil {
			return in, err
		}
		if may {
			links = append(links, k)
		}
	}
	in.links = links
	return in, nil
}

// mayRun reports whether the call site k, which calls a base method, may run ref instead. known is true
// if syntax shows that ref overrides the base; if only a language server says so, every call that can
// dispatch may run ref.
func (l *linker) mayRun(k *link, ref resolve.Ref, known bool) (bool, error) {
	if k.direct || !known {
		return !k.direct, nil
	}
	if !l.r.MayRunAt(k.target, ref, &k.call) {
		return false, nil
	}
	return l.r.MayRun(k.target, k.receiver, ref)
}

// inbound combines found, the callers of ref from syntax, with the answers of language
// servers, which override syntax.
func (l *linker) inbound(ref resolve.Ref, found resolve.Inbound, err error) (inbound, error) {
	if err != nil {
		return inbound{}, err
	}
	in := inbound{open: found.Open, files: found.Files, read: found.Read, late: found.Late}
	var heard []resolve.SiteRef
	for _, at := range found.Callers {
		if l.p.heardOf(at.File.Path) {
			heard = append(heard, at)
		} else {
			in.unread = append(in.unread, at)
		}
	}
	links, err := l.sites(heard)
	for _, k := range links {
		if k.outcome == linkSettled && k.refuted.File == nil {
			in.links = append(in.links, k)
		} else {
			in.refuted = append(in.refuted, k)
		}
	}
	if l.p != nil && err == nil {
		if err = l.opened(ref, &in); err == nil {
			err = l.named(ref, &found, &in)
		}
	}
	return in, l.failed(err)
}

// sites returns call sites with their resolutions. It leaves out those that no longer exist.
func (l *linker) sites(refs []resolve.SiteRef) ([]link, error) {
	out := make([]link, 0, len(refs))
	for _, at := range refs {
		site, ok, err := l.r.At(at)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, l.p.settle(&site))
		}
	}
	return out, nil
}

// siteAt returns the call whose callee's name starts at a byte offset in a file. It
// returns false if there is none.
func (l *linker) siteAt(path string, offset int) (resolve.Site, bool, error) {
	at, ok, err := l.r.CallAt(path, offset)
	if err != nil || !ok {
		return resolve.Site{}, false, err
	}
	return l.r.At(at)
}

// maxOpenAsked is the largest number of unresolved calls of a symbol's name that are sent
// to language servers, nearest first. Calls at places that a server lists as references
// to the symbol are sent without a limit: they find the callers among the thousands of
// calls of a common name.
const maxOpenAsked = 100

// opened moves the calls that servers have resolved to ref from in.open to in.links. It
// adds the calls that servers could still resolve to in.doubted.
func (l *linker) opened(ref resolve.Ref, in *inbound) error {
	open := in.open[:0:0]
	for _, at := range in.open {
		if !l.p.heardOf(at.File.Path) {
			open = append(open, at)
			if at.Outcome == resolve.Open && len(in.doubted) < maxOpenAsked &&
				l.p.basis(at.File.Language, at.File.Path).known {
				in.doubted = append(in.doubted, doubtful(at))
			}
			continue
		}
		s, ok, err := l.r.At(at)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		k := l.p.settle(&s)
		switch {
		case k.outcome == linkSettled && same(k.target, ref):
			in.links = append(in.links, k)
		case k.outcome == linkOpen || k.outcome == linkValue:
			open = append(open, at)
			if k.provable && len(in.doubted) < maxOpenAsked {
				in.doubted = append(in.doubted, k)
			}
		}
	}
	in.open = open
	return nil
}

// doubtful returns a link for an unresolved call in a file on which no server has answered. The link has
// only the fields that a question to a server needs, so the index's record of the file is not decoded.
func doubtful(at resolve.SiteRef) link {
	k := link{file: at.File.Path, language: at.File.Language, hash: at.File.Hash, provable: true}
	k.call.Callee, k.call.NameSpan.StartByte = at.Callee, at.Offset
	return k
}

// named adds to in the call sites that servers list as references to ref and that syntax did not
// find: to in.links if a server resolved them to ref, and to in.doubted if no server has resolved
// them yet. It sets in.unasked.
func (l *linker) named(ref resolve.Ref, found *resolve.Inbound, in *inbound) error {
	sites, all := l.p.named(ref)
	in.unasked = !all && l.p.basis(ref.File.Language, ref.File.Path).known
	type place struct {
		path string
		call int
	}
	if len(sites) == 0 {
		return nil
	}
	met := map[place]bool{}
	for _, list := range [][]resolve.SiteRef{found.Callers, found.Open} {
		for _, at := range list {
			met[place{at.File.Path, at.Call}] = true
		}
	}
	for _, n := range sites {
		at, ok, err := l.r.CallAt(n.Path, n.Offset)
		if err != nil {
			return err
		}
		if !ok {
			continue // the file has changed since
		}
		s, _, err := l.r.At(at)
		if err != nil {
			return err
		}
		k := l.p.settle(&s)
		open := met[place{at.File.Path, at.Call}]
		switch {
		case k.outcome == linkSettled && same(k.target, ref):
			if !open {
				in.links = append(in.links, k)
			}
		case !k.answered && l.p.basis(k.language, k.file).known:
			k.provable = true
			in.doubted = append(in.doubted, k)
		}
	}
	return nil
}

// strategyDispatch is the Strategy of an edge that syntax suggests and that holds only at run time: from
// a call of a base method, such as one of an interface, to an override that may run instead.
const strategyDispatch = "dispatch"

func overridings(list []resolve.Dispatch) (out []overriding) {
	for _, d := range list {
		out = append(out, overriding{ref: d.Target, strategy: strategyDispatch, provenance: d.Provenance,
			confidence: d.Confidence})
	}
	return out
}

// implementations returns the methods of the workspace that may run instead of method ref, if the
// declared type of the call's receiver is receiver. With an invalid receiver it returns all.
func (l *linker) implementations(ref, receiver resolve.Ref) ([]overriding, error) {
	list, err := l.r.Implementations(ref, receiver)
	return overridings(list), err
}

// declarations returns the interface methods and base methods through which a method may
// be called, according to syntax and to language servers.
func (l *linker) declarations(ref resolve.Ref) ([]overriding, error) {
	list, err := l.r.Overridden(ref)
	out := overridings(list)
	if err != nil || l.p == nil || ref.Symbol().Kind != code.KindMethod {
		return out, err
	}
	rows, _ := l.r.World().Named(ref.Symbol().Name)
	for _, row := range rows {
		if row.Kind != code.KindMethod || !l.p.heardOf(row.Path) {
			continue
		}
		base := l.r.World().Ref(row)
		if !base.Valid() || overridingAt(out, base) >= 0 {
			continue
		}
		if by, said, _ := l.p.implementing(base); slices.ContainsFunc(said, func(to resolve.Ref) bool {
			return same(to, ref)
		}) {
			out = append(out, overriding{ref: base, strategy: strategyServer,
				provenance: "implemented or overridden by " + ref.Symbol().QualifiedName + ", as " + by + " says",
				confidence: provenConfidence, by: by})
		}
	}
	return out, l.failed(nil)
}
