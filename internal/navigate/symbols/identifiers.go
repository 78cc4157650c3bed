package symbols

import (
	"bytes"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
)

// showHolding fills a with the lines of span that contain an identifier of the request, and with
// the lines that open the branches around those, within the token budget. s is the symbol whose
// lines span selects; nil means the whole file.
func showHolding(a *contract.ReadAnswer, req *contract.ReadRequest, f *engine.Parsed,
	span contract.LineSpan, s *code.Symbol) {
	lines := code.NewLineIndex(f.Text)
	whole, head := contract.LineSpan{StartLine: 1, EndLine: max(lines.Count(), 1)}, 0
	span.StartLine = min(max(span.StartLine, 1), whole.EndLine)
	if span.EndLine == 0 || span.EndLine > whole.EndLine {
		span.EndLine = whole.EndLine
	}
	if s != nil {
		whole = contract.Lines(s.Span)
		head = HeadLine(f.Text, lines, whole, s.Name)
	}
	a.Span, a.Excerpt = &span, &contract.Excerpt{}
	hits, missing := holding(f.Text, lines, span, req.Identifiers)
	a.Excerpt.Missing = missing
	budget := contract.NewBudget(&req.Delivery)
	budget.Spend(a)
	x := NewExcerpt(f.Text, lines, whole, head)
	for i, hit := range hits {
		with, cost := x.With(hit), 0
		for _, l := range with {
			cost += budget.Price(x.Line(l)) + 1 // one token for its indentation
		}
		if cost > budget.Left() && i > 0 {
			a.HasMore = true
			a.Truncated = &contract.Truncation{What: "lines", Shown: i, Omitted: len(hits) - i,
				Cause: contract.CauseMaxTokens,
				Next:  contract.Suggest(req.Next(func(r *contract.ReadRequest) { goOn(r, hit) }))}
			break
		}
		budget.Take(cost)
		x.Show(with)
	}
	a.Excerpt.Lines = x.Lines()
}

// goOn makes r, a copy of a request, ask for the lines from the given one on.
func goOn(r *contract.ReadRequest, line int) {
	if ref := r.Reference(); r.OpenSymbol != nil && *ref == (contract.SymbolRef{}) {
		r.OpenSymbol, r.EndLine = nil, r.OpenSymbol.EndLine // it names lines, not a symbol
	}
	r.StartLine = line
	if r.EndLine < line {
		r.EndLine = 0 // it is before the symbol, and has no effect
	}
}

// holding returns the lines of span that contain one of the identifiers as a whole word. An
// identifier that occurs nowhere as a whole word is searched within words, ignoring case. missing
// lists the identifiers that occur in no way.
func holding(text []byte, lines *code.LineIndex, span contract.LineSpan,
	identifiers []string) (hits []int, missing []string) {
	start, end := lines.Lines(span.StartLine, span.EndLine)
	for _, name := range identifiers {
		var found []int
		for at := range occurrences(text[start:end], []byte(name)) {
			line, _ := lines.Position(start + at)
			found = append(found, line)
		}
		if found == nil {
			missing = append(missing, name)
		}
		hits = append(hits, found...)
	}
	slices.Sort(hits)
	return slices.Compact(hits), missing
}

// occurrences yields the offsets at which name occurs in text as a whole word or, if there are
// none, within words and in any case.
func occurrences(text, name []byte) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		whole := false
		for at := range each(text, name) {
			end := at + len(name)
			if at > 0 && WordByte(text[at-1]) && WordByte(name[0]) ||
				end < len(text) && WordByte(text[end]) && WordByte(name[len(name)-1]) {
				continue
			}
			if whole = true; !yield(at) {
				return
			}
		}
		if whole {
			return
		}
		for at := range each(code.Folded(text), code.Folded(name)) {
			if !yield(at) {
				return
			}
		}
	}
}

// each yields the offsets of part in text, one after the other.
func each(text, part []byte) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for from := 0; ; {
			at := bytes.Index(text[from:], part)
			if at < 0 || !yield(from+at) {
				return
			}
			from += at + len(part)
		}
	}
}
