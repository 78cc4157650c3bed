package callgraph

import (
	"fmt"

	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/l2meta/resolve"
)

// tracedAsk is a question that is about no edge. at is the number of edges found before, which
// determines to which page of the answer it belongs.
type tracedAsk struct {
	proof.Question
	at int
}

// ask queues the question about a call that a language server could resolve: an
// unresolved call, or a call whose function seems, by its name, to be outside the
// workspace.
func (w *walk) ask(l *proof.Link) {
	if l.Provable {
		w.asks = append(w.asks, tracedAsk{*proof.QuestionOf(l), len(w.edges)})
	}
}

// askBases queues the questions whether ref, a method, implements or overrides the declarations in bases.
// A question that a language server has already answered marks its base as confirmed instead.
func (w *walk) askBases(ref resolve.Ref, bases []proof.Overriding) error {
	ask, err := w.links.Confirm(bases, ref)
	for _, q := range ask {
		w.asks = append(w.asks, tracedAsk{*q, len(w.edges)})
	}
	return err
}

// askCallers queues the questions about the callers of t's symbol, and adds notes on the
// callers that language servers refuted.
func (w *walk) askCallers(t task, in *proof.Inbound) {
	ref := t.node.ref
	if in.Unasked && ref.Index >= 0 {
		w.asks = append(w.asks, tracedAsk{*proof.ReferencesTo(ref), len(w.edges)})
	}
	for i := range in.Doubted {
		w.ask(&in.Doubted[i])
	}
	for i := range in.Refuted {
		w.refuted(&in.Refuted[i])
	}
}

// refuted adds a note if a language server resolved a call to another target than syntax did.
func (w *walk) refuted(l *proof.Link) {
	if l.Refuted.File == nil {
		return
	}
	instead := "nothing of the workspace"
	switch {
	case l.Outcome == proof.Settled:
		instead = fmt.Sprintf("%s in %s", l.Target.Symbol().QualifiedName, l.Target.File.Path)
	case l.Module != "":
		instead = "something of " + l.Module
	case l.Outcome == proof.Value:
		instead = "what a value holds"
	}
	w.note(contract.Note{Type: contract.NoteRefuted, SymbolID: string(symbols.RowID(symbols.RowOf(l.Caller))),
		Target: symbols.RowOf(l.Refuted).Symbol.QualifiedName, File: l.File, Line: l.Call.NameSpan.StartLine,
		Detail: fmt.Sprintf("%s: calls %s", l.RefutedBy, instead)})
}

// confidenceBy returns the confidence of an edge that a language server resolved, or 0 if server is "".
func confidenceBy(server string) float64 {
	if server == "" {
		return 0
	}
	return proof.ProvenConfidence
}

// questions returns the questions about this page without duplicates: those about its edges, and those
// about the symbols whose edges it shows.
func (p *graphPart) questions() (out []proof.Question) {
	seen := map[proof.Spot]bool{}
	add := func(q *proof.Question) {
		if k := q.Spot(); !seen[k] {
			seen[k] = true
			out = append(out, *q)
		}
	}
	for _, e := range p.edges() {
		if e.question != nil {
			add(e.question)
		}
	}
	if !p.walk.links.Proofs.MayGrow() {
		return out // after the first page, new answers must not change the list of edges
	}
	for i := range p.walk.asks {
		if a := &p.walk.asks[i]; a.at >= p.from && p.before(a.at) {
			add(&a.Question)
		}
	}
	return out
}
