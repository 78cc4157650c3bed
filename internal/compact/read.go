package compact

import (
	"bytes"
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

func (w *writer) read(a *contract.ReadAnswer, req *contract.ReadRequest) {
	if a.Status != contract.StatusOK {
		w.head(a.Outcome, "", "")
		w.warnings(a.Warnings)
		w.candidates(a.Candidates)
		if len(a.Candidates) == 0 {
			w.hints(a.Hints)
		}
		return
	}
	w.warnings(a.Warnings)
	if a.Excerpt != nil {
		w.holding(a)
		return
	}
	if a.Symbol != nil {
		// To edit the symbol, the reader needs its place.
		w.line("%s %s %s", place(a.File, contract.Lines(a.Symbol.Span)), a.Symbol.Kind, a.Symbol.SymbolLabel)
	}
	if a.Plain {
		w.plain(a)
		return
	}
	w.source(a.Content)
	if t := a.Truncated; t != nil && a.Span != nil {
		w.line("+%d %s   start_line: %d", t.Omitted, t.What, a.Span.EndLine+1)
	}
	if a.Outline != nil && len(a.Outline.Symbols) > 0 {
		w.line("symbols:")
		for _, s := range a.Outline.Symbols {
			w.symbol(s, "")
		}
	}
	for _, r := range a.Related {
		w.line("%s %s %s", r.Role, place(r.File, r.Span), r.Label)
		w.source(r.Content)
	}
}

// holding writes the lines that contain the requested identifiers, with their numbers.
func (w *writer) holding(a *contract.ReadAnswer) {
	at, what := *a.Span, ""
	if a.Symbol != nil {
		at, what = contract.Lines(a.Symbol.Span), fmt.Sprintf(" %s %s", a.Symbol.Kind, a.Symbol.SymbolLabel)
	}
	w.put(w.file(a.File), span(at),
		plain(fmt.Sprintf("%s, %d of %s", what, len(a.Excerpt.Lines), count(at.EndLine-at.StartLine+1, "line"))))
	if len(a.Excerpt.Missing) > 0 {
		w.line("none holds %s", strings.Join(a.Excerpt.Missing, ", "))
	}
	w.numbered(a.Excerpt.Lines)
	if t := a.Truncated; t != nil {
		if next, ok := t.Next.Args.(*contract.ReadRequest); ok {
			w.put(plain(fmt.Sprintf("+%d %s that hold them", t.Omitted, t.What)),
				w.option("start_line", next.StartLine))
		}
	}
}

// plain writes text as on disk. If it was cut, the argument that continues it follows.
func (w *writer) plain(a *contract.ReadAnswer) {
	w.Write(a.Text)
	switch {
	case a.Continuation == "":
	case a.Behind != "" || a.Span == nil:
		w.WriteString(a.Continuation)
	default:
		if !bytes.HasSuffix(a.Text, []byte("\n")) {
			w.WriteByte('\n')
		}
		w.line("+more   start_line: %d", a.Span.EndLine+1)
	}
}

// source writes text as on disk, and a newline if its last line lacks it.
func (w *writer) source(text string) {
	w.WriteString(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		w.WriteByte('\n')
	}
}

// candidates writes the symbols that an ambiguous reference may mean. The place before each, such
// as a.go:12, is a reference that is not ambiguous.
func (w *writer) candidates(list []contract.Candidate) {
	for _, c := range list {
		kind, signature := c.Kind, ""
		if kind != "" {
			kind = " " + kind
		}
		if c.Signature != "" {
			signature = "  " + excerpt(c.Signature)
		}
		w.line("  %s%s %s%s", place(c.File, c.Span), kind, c.SymbolLabel, signature)
	}
}
