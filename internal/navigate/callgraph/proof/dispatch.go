package proof

import (
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/symbols"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// This file handles the answers of language servers on possible dispatch: which declarations
// implement or override a method. The answers confirm edges that syntax found and add others.
// They refute none, because a server sees only the files of one platform and of the folders that
// it was given.

// Dispatching holds the declarations that calls of a method may run instead of it.
type Dispatching struct {
	To []Overriding
	// Question asks a language server for implementations of the method. It is nil if no server can
	// answer, or if one has answered already.
	Question *Question
}

// Dispatch returns the implementations of ref for a receiver, from syntax and from the
// answers of language servers. A server answers for any receiver, so an implementation
// that syntax excludes for this receiver stays excluded.
func (l *Linker) Dispatch(ref, receiver resolve.Ref) (Dispatching, error) {
	list, err := l.implementations(ref, receiver)
	d := Dispatching{To: list}
	if err != nil || l.Proofs == nil || len(list) == 0 && !Abstract(ref) || constructed(ref) {
		return d, err
	}
	others := list
	if receiver.Valid() {
		if others, err = l.implementations(ref, resolve.Ref{}); err != nil {
			return d, err
		}
	}
	by, said, known := l.Proofs.implementing(ref)
	for _, to := range said {
		at := overridingAt(d.To, to)
		if at < 0 && overridingAt(others, to) >= 0 {
			continue
		}
		if at < 0 {
			at = len(d.To)
			d.To = append(d.To, Overriding{Ref: to, Strategy: StrategyServer,
				Provenance: "implements or overrides " + ref.Symbol().QualifiedName + ", as " + by + " says"})
		}
		d.To[at].By, d.To[at].Confidence = by, max(d.To[at].Confidence, ProvenConfidence)
	}
	if !known {
		d.Question = l.Proofs.askImplementations(ref)
	}
	return d, l.failed(nil)
}

// constructed reports whether running ref constructs an object. Servers are not asked for
// implementations of constructors.
func constructed(ref resolve.Ref) bool {
	k := ref.Symbol().Kind
	return symbols.IsType(k) || k == code.KindConstructor
}

// Confirm marks the declarations in bases which, according to a language server, method ref implements
// or overrides. It returns questions about the other bases.
func (l *Linker) Confirm(bases []Overriding, ref resolve.Ref) (ask []*Question, err error) {
	if l.Proofs == nil {
		return nil, nil
	}
	for i := range bases {
		base := &bases[i]
		if constructed(base.Ref) {
			continue
		}
		by, said, known := l.Proofs.implementing(base.Ref)
		switch {
		case slices.ContainsFunc(said, func(to resolve.Ref) bool { return same(to, ref) }):
			base.By, base.Confidence = by, max(base.Confidence, ProvenConfidence)
		case !known:
			if base.Question = l.Proofs.askImplementations(base.Ref); base.Question != nil {
				ask = append(ask, base.Question)
			}
		}
	}
	return ask, l.failed(nil)
}

// overridingAt returns the index in list of the declaration ref, or -1.
func overridingAt(list []Overriding, ref resolve.Ref) int {
	for i := range list {
		if same(list[i].Ref, ref) {
			return i
		}
	}
	return -1
}

// askImplementations returns the question that asks a server which declarations implement
// a method. It returns nil if no server can answer, or if the request has a cursor, whose
// list of edges must not change.
func (p *Proofs) askImplementations(ref resolve.Ref) *Question {
	if b := p.Basis(ref.File.Language, ref.File.Path); p.frozen > 0 || !b.Known || !b.Server.Implements {
		return nil
	}
	s := ref.Symbol()
	return &Question{about: AskImplementations, Path: ref.File.Path, hash: ref.File.Hash, Language: ref.File.Language,
		offset: s.NameSpan.StartByte, callee: s.Name}
}

// Abstract reports whether a method is declared by an interface or a trait.
func Abstract(ref resolve.Ref) bool {
	s := ref.Symbol()
	if s.Kind != code.KindMethod || s.Parent < 0 {
		return false
	}
	switch ref.File.Symbols[s.Parent].Kind {
	case code.KindInterface, code.KindTrait:
		return true
	}
	return false
}

// implementing returns the name of the server that has listed the implementations of a method, and these
// implementations, without those whose files have changed since. known is true if the server answered for
// the present state of the index.
func (p *Proofs) implementing(ref resolve.Ref) (by string, out []resolve.Ref, known bool) {
	v := p.verdicts(ref.File)
	if v == nil {
		return "", nil, false
	}
	i, ok := v.Implemented[ref.Symbol().NameSpan.StartByte]
	if !ok || p.frozen > 0 && i.At > p.frozen {
		return "", nil, false
	}
	for _, at := range i.By {
		if to, ok := p.target(&l2meta.Verdict{Target: at.Path, Hash: at.Hash, Offset: at.Offset}); ok {
			out = append(out, to)
		}
	}
	return v.Server, out, i.Generation == p.generation
}

// maxImplementing is the largest number of places that are read from an answer on
// implementations.
const maxImplementing = 1000

// implementing stores a server's answer on the implementations of a method. It keeps the
// places that declare a function or method of the same name.
func (j *judging) implementing(q *Question, a *Answer) error {
	if !j.ready || !a.Asked && !j.whole {
		return nil
	}
	found, err := j.places(a.Locations[:min(len(a.Locations), maxImplementing)])
	if err != nil {
		return err
	}
	n := l2meta.Implementing{Generation: j.generation, At: j.now}
	for _, ref := range found.inside {
		s := ref.Symbol()
		if own := ref.File.Path == q.Path && s.NameSpan.StartByte == q.offset; !own && s.Kind.Callable() &&
			s.Name == q.callee {
			n.By = append(n.By, l2meta.DeclaredAt{Path: ref.File.Path, Hash: ref.File.Hash,
				Offset: s.NameSpan.StartByte})
		}
	}
	j.file(q).Implemented[q.offset] = n
	j.settled++
	return nil
}
