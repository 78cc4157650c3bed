package callgraph

import (
	"fmt"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/l2meta/resolve"
)

// tracedAsk is a question that is about no edge. at is the number of edges found before, which
// determines to which page of the answer it belongs.
type tracedAsk struct {
	question
	at int
}

// ask queues the question about a call that a language server could resolve: an
// unresolved call, or a call whose function seems, by its name, to be outside the
// workspace.
func (w *walk) ask(l *link) {
	if l.provable {
		w.asks = append(w.asks, tracedAsk{*questionOf(l), len(w.edges)})
	}
}

// askBases queues the questions whether ref, a method, implements or overrides the declarations in bases.
// Those that language servers have answered mark the bases as confirmed.
func (w *walk) askBases(ref resolve.Ref, bases []overriding) error {
	ask, err := w.links.confirm(bases, ref)
	for _, q := range ask {
		w.asks = append(w.asks, tracedAsk{*q, len(w.edges)})
	}
	return err
}

// askCallers queues the questions about the callers of t's symbol, and adds notes on the
// callers that language servers refuted.
func (w *walk) askCallers(t task, in *inbound) {
	ref := t.node.ref
	if in.unasked && ref.Index >= 0 {
		w.asks = append(w.asks, tracedAsk{*referencesTo(ref), len(w.edges)})
	}
	for i := range in.doubted {
		w.ask(&in.doubted[i])
	}
	for i := range in.refuted {
		w.refuted(&in.refuted[i])
	}
}

// refuted adds a note if a language server resolved a call to another target than syntax did.
func (w *walk) refuted(l *link) {
	if l.refuted.File == nil {
		return
	}
	instead := "nothing of the workspace"
	switch {
	case l.outcome == linkSettled:
		instead = fmt.Sprintf("%s in %s", l.target.Symbol().QualifiedName, l.target.File.Path)
	case l.module != "":
		instead = "something of " + l.module
	case l.outcome == linkValue:
		instead = "what a value holds"
	}
	w.note(contract.Note{Type: contract.NoteRefuted, SymbolID: string(symbols.RowID(symbols.RowOf(l.caller))),
		Target: symbols.RowOf(l.refuted).Symbol.QualifiedName, File: l.file, Line: l.call.NameSpan.StartLine,
		Detail: fmt.Sprintf("%s: calls %s", l.refutedBy, instead)})
}

// confidenceBy returns the confidence of an edge that a language server resolved, or 0 if server is "".
func confidenceBy(server string) float64 {
	if server == "" {
		return 0
	}
	return provenConfidence
}

// questions returns the questions about this page without duplicates: those about its edges, and those
// about the symbols whose edges it shows.
func (p *graphPart) questions() (out []question) {
	seen := map[spot]bool{}
	add := func(q *question) {
		if k := q.spot(); !seen[k] {
			seen[k] = true
			out = append(out, *q)
		}
	}
	for _, e := range p.edges() {
		if e.question != nil {
			add(e.question)
		}
	}
	if !p.walk.links.p.mayGrow() {
		return out // after the first page, new answers must not change the list of edges
	}
	for i := range p.walk.asks {
		if a := &p.walk.asks[i]; a.at >= p.from && p.before(a.at) {
			add(&a.question)
		}
	}
	return out
}
