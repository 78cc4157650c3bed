package callgraph

import (
	"fmt"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
)

// tracedNote is a note. at is the number of edges found before, which determines to which page of
// the answer it belongs.
type tracedNote struct {
	contract.Note
	at int
}

func (w *walk) note(n contract.Note) { w.notes = append(w.notes, tracedNote{n, len(w.edges)}) }

// suppressed reports whether a confidence is below the request's minConfidence, and notes
// the call if so.
func (w *walk) suppressed(confidence float64, t task, l *proof.Link) bool {
	if confidence >= *w.req.MinConfidence {
		return false
	}
	w.note(contract.Note{Type: contract.NoteSuppressed, SymbolID: t.node.SymbolID, Target: calleeText(l.Call),
		File: l.File, Line: l.Call.NameSpan.StartLine,
		Detail: fmt.Sprintf("confidence %s is below minConfidence %v", code.ShownConfidence(confidence),
			*w.req.MinConfidence)})
	return true
}
