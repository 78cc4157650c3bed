package callgraph

import (
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// This file is what servers say of possible dispatch: which declarations
// implement or override a method. They confirm what syntax found, and add to
// it. They refute none: a server looks at the files of one platform and of the
// folders that it was shown.

// dispatching is where calls of a method may land.
type dispatching struct {
	to []overriding
	// question is what a server could say of the method, nil where it has or
	// none could.
	question *question
}

// dispatch returns implementations on a receiver with what servers said of those on
// any: they add what syntax knows of no receiver.
func (l *linker) dispatch(ref, receiver resolve.Ref) (dispatching, error) {
	list, err := l.implementations(ref, receiver)
	d := dispatching{to: list}
	if err != nil || l.p == nil || len(list) == 0 && !abstract(ref) || constructed(ref) {
		return d, err
	}
	others := list
	if receiver.Valid() {
		if others, err = l.implementations(ref, resolve.Ref{}); err != nil {
			return d, err
		}
	}
	by, said, known := l.p.implementing(ref)
	for _, to := range said {
		at := overridingAt(d.to, to)
		if at < 0 && overridingAt(others, to) >= 0 {
			continue
		}
		if at < 0 {
			at = len(d.to)
			d.to = append(d.to, overriding{ref: to, strategy: strategyServer, provenance: "implements or overrides " + ref.Symbol().QualifiedName + ", as " + by + " says"})
		}
		d.to[at].by, d.to[at].confidence = by, max(d.to[at].confidence, provenConfidence)
	}
	if !known {
		d.question = l.p.askImplementations(ref)
	}
	return d, l.failed(nil)
}

// constructed reports whether what runs in the place of ref constructs an object:
// no server is asked what implements that.
func constructed(ref resolve.Ref) bool {
	k := ref.Symbol().Kind
	return symbols.IsType(k) || k == code.KindConstructor
}

// askBases marks those of the declarations through which a method may be
// called that servers know to lead to it, and notes what they could say of the
// others.
func (w *walk) askBases(ref resolve.Ref, bases []overriding) error {
	p := w.links.p
	if p == nil {
		return nil
	}
	for i := range bases {
		base := &bases[i]
		if constructed(base.ref) {
			continue
		}
		by, said, known := p.implementing(base.ref)
		switch {
		case slices.ContainsFunc(said, func(to resolve.Ref) bool { return same(to, ref) }):
			base.by, base.confidence = by, max(base.confidence, provenConfidence)
		case !known:
			if base.question = p.askImplementations(base.ref); base.question != nil {
				w.asks = append(w.asks, tracedAsk{*base.question, len(w.edges)})
			}
		}
	}
	return w.links.failed(nil)
}

// throughBase makes the edge of a call of an interface's or base class's method
// one of possible dispatch: proven where a server knows of both the call and
// what the method leads to.
func (e *tracedEdge) throughBase(base *overriding) {
	e.Kind, e.Via = code.EdgeDynamic, base.ref.Symbol().QualifiedName
	e.key.kind = e.Kind
	if base.by != "" {
		return
	}
	e.Evidence, e.State, e.ConfirmedBy = code.Syntactic, contract.StateCandidate, ""
	if e.question == nil {
		e.question = base.question
	}
}

func overridingAt(list []overriding, ref resolve.Ref) int {
	for i := range list {
		if same(list[i].ref, ref) {
			return i
		}
	}
	return -1
}

// askImplementations returns the question what implements a method, nil where no
// server could say, or where the answer may not change the list any more.
func (p *proofs) askImplementations(ref resolve.Ref) *question {
	if b := p.basis(ref.File.Language, ref.File.Path); p.frozen > 0 || !b.known || !b.server.Implements {
		return nil
	}
	s := ref.Symbol()
	return &question{about: AskImplementations, path: ref.File.Path, hash: ref.File.Hash, language: ref.File.Language, offset: s.NameSpan.StartByte, callee: s.Name}
}

// abstract reports whether a method is declared by a type that has others
// implement it.
func abstract(ref resolve.Ref) bool {
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

// implementing returns the implementations of a method that servers know, as far as
// they still stand as they were; known when those are all of this snapshot.
func (p *proofs) implementing(ref resolve.Ref) (by string, out []resolve.Ref, known bool) {
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

// maxImplementing bounds the places that are looked at where a method may be
// implemented.
const maxImplementing = 1000

// implementing judges where a server sees a method implemented: which of these
// places declare methods of its name.
func (j *judging) implementing(q *question, a *ProofAnswer) error {
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
		if own := ref.File.Path == q.path && s.NameSpan.StartByte == q.offset; !own && s.Kind.Callable() && s.Name == q.callee {
			n.By = append(n.By, l2meta.DeclaredAt{Path: ref.File.Path, Hash: ref.File.Hash, Offset: s.NameSpan.StartByte})
		}
	}
	j.file(q).Implemented[q.offset] = n
	j.settled++
	return nil
}
