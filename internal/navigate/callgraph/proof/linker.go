package proof

import (
	"context"
	"slices"

	"sextant/internal/code"
	"sextant/jit"
	"sextant/l2meta/resolve"
)

// Linker resolves call sites on one snapshot of the index. It must not outlive the snapshot and is not
// safe for concurrent use. After an error of the snapshot or its context, all further calls return that
// error.
type Linker struct {
	Resolver *resolve.Resolver
	Proofs   *Proofs // answers of language servers; nil if these are not used
}

// NewLinker returns a linker on the snapshot v that uses syntax alone. Service.Linker returns one that also
// uses the answers of language servers.
func NewLinker(ctx context.Context, v *jit.View, cache *resolve.Cache, generation int64) *Linker {
	return &Linker{Resolver: resolve.New(ctx, v, cache, generation)}
}

// Callees returns all call sites of a symbol in order of position, resolved or not.
func (l *Linker) Callees(ref resolve.Ref) (out []Link, err error) {
	sites, err := l.Resolver.Callees(ref)
	for i := range sites {
		out = append(out, l.Proofs.settle(&sites[i]))
	}
	return out, l.failed(err)
}

// failed returns err or, if that is nil, the first error in looking up the answers of
// language servers.
func (l *Linker) failed(err error) error {
	if err == nil && l.Proofs != nil {
		err = l.Proofs.err
	}
	return err
}

// maxCallingFiles is the largest number of files that one search for callers reads,
// nearest first. More files would evict each other from the cache, and each search for a
// very common name would read them again.
const maxCallingFiles = 1000

// Callers returns the call sites that resolve to a symbol, and the unresolved calls of
// its name.
func (l *Linker) Callers(ref resolve.Ref) (Inbound, error) {
	found, err := l.Resolver.Callers(ref, maxCallingFiles)
	return l.inbound(ref, found, err)
}

// CallersThrough returns the callers of base whose call sites may run ref instead.
func (l *Linker) CallersThrough(base, ref resolve.Ref) (Inbound, error) {
	known, err := l.Resolver.MayRun(base, resolve.Ref{}, ref)
	if err != nil {
		return Inbound{}, err
	}
	var found resolve.Inbound
	if known {
		found, err = l.Resolver.CallersThrough(base, ref, maxCallingFiles)
	} else if found, err = l.Resolver.Callers(base, maxCallingFiles); err == nil {
		// Only a server says that ref implements base.
		found.Callers = slices.DeleteFunc(slices.Clone(found.Callers), func(at resolve.SiteRef) bool {
			return at.Direct
		})
	}
	in, err := l.inbound(base, found, err)
	if err != nil {
		return in, err
	}
	links := in.Links[:0:0]
	for _, k := range in.Links {
		may, err := l.mayRun(&k, ref, known)
		if err != nil {
			return in, err
		}
		if may {
			links = append(links, k)
		}
	}
	in.Links = links
	return in, nil
}

// mayRun reports whether the call site k, which calls a base method, may run ref instead. known is true
// if syntax shows that ref overrides the base; if only a language server says so, every call that can
// dispatch may run ref.
func (l *Linker) mayRun(k *Link, ref resolve.Ref, known bool) (bool, error) {
	if k.Direct || !known {
		return !k.Direct, nil
	}
	if !l.Resolver.MayRunAt(k.Target, ref, k.Caller.File, &k.Call) {
		return false, nil
	}
	return l.Resolver.MayRun(k.Target, k.Receiver, ref)
}

// inbound combines found, the callers of ref from syntax, with the answers of language
// servers, which override syntax.
func (l *Linker) inbound(ref resolve.Ref, found resolve.Inbound, err error) (Inbound, error) {
	if err != nil {
		return Inbound{}, err
	}
	in := Inbound{Open: found.Open, Files: found.Files, Read: found.Read, Late: found.Late}
	var heard []resolve.SiteRef
	for _, at := range found.Callers {
		if l.Proofs.heardOf(at.File.Path) {
			heard = append(heard, at)
		} else {
			in.Unread = append(in.Unread, at)
		}
	}
	links, err := l.Sites(heard)
	for _, k := range links {
		if k.Outcome == Settled && k.Refuted.File == nil {
			in.Links = append(in.Links, k)
		} else {
			in.Refuted = append(in.Refuted, k)
		}
	}
	if l.Proofs != nil && err == nil {
		if err = l.opened(ref, &in); err == nil {
			err = l.named(ref, &found, &in)
		}
	}
	return in, l.failed(err)
}

// Sites returns call sites with their resolutions. It leaves out those that no longer exist.
func (l *Linker) Sites(refs []resolve.SiteRef) ([]Link, error) {
	out := make([]Link, 0, len(refs))
	for _, at := range refs {
		site, ok, err := l.Resolver.At(at)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, l.Proofs.settle(&site))
		}
	}
	return out, nil
}

// siteAt returns the call whose callee's name starts at a byte offset in a file. It
// returns false if there is none.
func (l *Linker) siteAt(path string, offset int) (resolve.Site, bool, error) {
	at, ok, err := l.Resolver.CallAt(path, offset)
	if err != nil || !ok {
		return resolve.Site{}, false, err
	}
	return l.Resolver.At(at)
}

// maxOpenAsked is the largest number of unresolved calls of a symbol's name that are sent
// to language servers, nearest first. Calls at places that a server lists as references
// to the symbol are sent without a limit: they find the callers among the thousands of
// calls of a common name.
const maxOpenAsked = 100

// opened moves the calls that servers have resolved to ref from in.Open to in.Links. It
// adds the calls that servers could still resolve to in.Doubted.
func (l *Linker) opened(ref resolve.Ref, in *Inbound) error {
	open := in.Open[:0:0]
	for _, at := range in.Open {
		if !l.Proofs.heardOf(at.File.Path) {
			open = append(open, at)
			if at.Outcome == resolve.Open && len(in.Doubted) < maxOpenAsked &&
				l.Proofs.Basis(at.File.Language, at.File.Path).Known {
				in.Doubted = append(in.Doubted, doubtful(at))
			}
			continue
		}
		s, ok, err := l.Resolver.At(at)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		k := l.Proofs.settle(&s)
		switch {
		case k.Outcome == Settled && same(k.Target, ref):
			in.Links = append(in.Links, k)
		case k.Outcome == Open || k.Outcome == Value:
			open = append(open, at)
			if k.Provable && len(in.Doubted) < maxOpenAsked {
				in.Doubted = append(in.Doubted, k)
			}
		}
	}
	in.Open = open
	return nil
}

// doubtful returns a link for an unresolved call in a file on which no server has answered. The link has
// only the fields that a question to a server needs, so the index's record of the file is not decoded.
func doubtful(at resolve.SiteRef) Link {
	k := Link{File: at.File.Path, Language: at.File.Language, hash: at.File.Hash, Provable: true}
	k.Call.Callee, k.Call.NameSpan.StartByte = at.Callee, at.Offset
	return k
}

// named adds to in the call sites that servers list as references to ref and that syntax did not
// find: to in.Links if a server resolved them to ref, and to in.Doubted if no server has resolved
// them yet. It sets in.Unasked.
func (l *Linker) named(ref resolve.Ref, found *resolve.Inbound, in *Inbound) error {
	sites, all := l.Proofs.named(ref)
	in.Unasked = !all && l.Proofs.Basis(ref.File.Language, ref.File.Path).Known
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
		at, ok, err := l.Resolver.CallAt(n.Path, n.Offset)
		if err != nil {
			return err
		}
		if !ok {
			continue // the file has changed since the server answered
		}
		s, _, err := l.Resolver.At(at)
		if err != nil {
			return err
		}
		k := l.Proofs.settle(&s)
		open := met[place{at.File.Path, at.Call}]
		switch {
		case k.Outcome == Settled && same(k.Target, ref):
			if !open {
				in.Links = append(in.Links, k)
			}
		case !k.answered && l.Proofs.Basis(k.Language, k.File).Known:
			k.Provable = true
			in.Doubted = append(in.Doubted, k)
		}
	}
	return nil
}

// strategyDispatch is the Strategy of an edge that holds only if a call dispatches to it at run
// time: from a call of a base method, such as one of an interface, to an override that may run
// instead.
const strategyDispatch = "dispatch"

func overridings(list []resolve.Dispatch) (out []Overriding) {
	for _, d := range list {
		out = append(out, Overriding{Ref: d.Target, Strategy: strategyDispatch, Provenance: d.Provenance,
			Confidence: d.Confidence})
	}
	return out
}

// implementations returns the methods of the workspace that may run instead of method ref, if the
// declared type of the call's receiver is receiver. With an invalid receiver it returns all.
func (l *Linker) implementations(ref, receiver resolve.Ref) ([]Overriding, error) {
	list, err := l.Resolver.Implementations(ref, receiver)
	return overridings(list), err
}

// Declarations returns the interface methods and base methods through which a method may
// be called, according to syntax and to language servers.
func (l *Linker) Declarations(ref resolve.Ref) ([]Overriding, error) {
	list, err := l.Resolver.Overridden(ref)
	out := overridings(list)
	if err != nil || l.Proofs == nil || ref.Symbol().Kind != code.KindMethod {
		return out, err
	}
	rows, _ := l.Resolver.World().Named(ref.Symbol().Name)
	for _, row := range rows {
		if row.Kind != code.KindMethod || !l.Proofs.heardOf(row.Path) {
			continue
		}
		base := l.Resolver.World().Ref(row)
		if !base.Valid() || overridingAt(out, base) >= 0 {
			continue
		}
		if by, said, _ := l.Proofs.implementing(base); slices.ContainsFunc(said, func(to resolve.Ref) bool {
			return same(to, ref)
		}) {
			out = append(out, Overriding{Ref: base, Strategy: StrategyServer,
				Provenance: "implemented or overridden by " + ref.Symbol().QualifiedName + ", as " + by + " says",
				Confidence: ProvenConfidence, By: by})
		}
	}
	return out, l.failed(nil)
}
