package compact

import (
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

// bodies writes the source of symbols, each below a line with its role (such as callee), its file
// and lines, and its name. Lines of an excerpt have their numbers; a whole body is as on disk.
func (w *writer) bodies(list []contract.Body) {
	for _, b := range list {
		cut := ""
		if b.Lines != nil {
			cut = fmt.Sprintf(", %d of %s", len(b.Lines), count(b.Span.EndLine-b.Span.StartLine+1, "line"))
		}
		w.put(dim(string(b.Role)+" "), w.file(b.File), span(b.Span), dim(" "+string(b.Kind)),
			named(" "+b.SymbolLabel), dim(cut))
		if b.Lines != nil {
			w.numbered(b.Lines)
			continue
		}
		for line := range strings.Lines(b.Content) {
			w.put(quoted(strings.TrimRight(line, "\r\n")))
		}
	}
}

// numbered writes lines of source with their numbers, without the indentation that all of them
// share. Where lines are omitted, the numbers jump.
func (w *writer) numbered(list []contract.MatchedLine) {
	shared := -1
	for _, l := range list {
		if n := len(l.Text) - len(strings.TrimLeft(l.Text, " \t")); l.Text != "" && (shared < 0 || n < shared) {
			shared = n
		}
	}
	for _, l := range list {
		w.put(dim(fmt.Sprintf("%d: ", l.Line)), quoted(l.Text[min(max(shared, 0), len(l.Text)):]))
	}
}
