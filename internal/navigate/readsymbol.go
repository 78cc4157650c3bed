package navigate

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"sextant/internal/code"
	"sextant/jit"
)

// readSymbol reads a symbol: re-parsed from the bytes on disk, so its span is
// never cut from stale line numbers.
func (s *SymbolService) readSymbol(ctx context.Context, p *Place, req *ReadRequest, ref SymbolRef) (*ReadAnswer, error) {
	a := &ReadAnswer{Path: req.Path, CodebaseRoot: p.Root.Path(), Mode: req.Mode}
	if ref.File == "" && s.IsFile(ctx, p) {
		ref.File = p.Rel
	}
	where, err := s.FileOfSymbol(ctx, p, ref, nil)
	if err != nil {
		return nil, err
	}
	if where.File == "" {
		a.Outcome, a.Candidates = where.Outcome, where.Candidates
		a.Hints = suggestReads(p, req, a.Candidates)
		return a, nil
	}
	file, ref := where.File, where.Ref
	a.File, a.Path = file, p.Absolute(file)
	f, err := s.Parse(ctx, p.Root, file)
	if err != nil {
		return s.readFailed(ctx, a, req, f, err)
	}
	fresh := s.Freshness(f.Report)
	a.FreshnessDecision, a.Warnings = &fresh, s.Warn(p, f.Report)
	if !f.Parsed {
		a.Outcome = CondUnsupported.Outcome("No symbols are known for %s. Read lines instead: start_line and end_line.", OrPlain(f.Language))
		return a, nil
	}
	res := ResolveIn(&f.File, ref)
	if !res.Found {
		a.Outcome, a.Candidates = SymbolMissing(file, ref, &f.File, res)
		a.Hints = suggestReads(p, req, a.Candidates)
		return a, nil
	}
	if res.Moved {
		a.Warnings.Add(symbolMoved(res.Symbol))
	}
	s.showSymbol(a, req, f, res)
	return a, nil
}

func symbolMoved(sym *code.Symbol) Warning {
	return Warning{Code: "SYMBOL_MOVED", Severity: SeverityInfo,
		Message: fmt.Sprintf("%s changed or moved since the reference was made; this is the current one, in lines %d to %d.", sym.QualifiedName, sym.Span.StartLine, sym.Span.EndLine)}
}

// IsFile reports whether the place is a file that the root knows.
func (s *SymbolService) IsFile(ctx context.Context, p *Place) bool {
	if p.Rel == "" {
		return false
	}
	known := false
	err := p.Root.View(ctx, func(v *jit.View) (err error) {
		_, known, err = v.File(ctx, p.Rel)
		return err
	})
	if err == nil && known {
		return true
	}
	return filepath.Ext(p.Rel) != ""
}

func SymbolMissing(file string, ref SymbolRef, f *code.File, res resolution) (Outcome, []Candidate) {
	what := ref.SymbolLabel
	if what == "" {
		what = ref.SymbolID + ref.SymbolInstanceID
	}
	candidates := candidatesIn(f, res.candidates)
	if ref.SymbolID == "" && len(candidates) > 1 {
		return CondAmbiguous.Outcome("%d symbols of %s fit %q. Repeat with the symbolId of the one that is meant.", len(candidates), file, what), candidates
	}
	if ref.SymbolID != "" && len(candidates) > 0 {
		return CondStaleSymbol.Outcome("%s is no longer in %s. The candidates bear its name; repeat with the one that is meant.", what, file), candidates
	}
	if NamesFile(f, ref) {
		return CondMissingSymbol.Outcome("%q is a file and no symbol. Read it, or lines of it, by its path alone.", what), nil
	}
	if near := nearIn(f, ref.SymbolLabel); len(candidates) == 0 && len(near) > 0 {
		return CondMissingSymbol.Outcome("%s has no symbol %q. The candidates have the nearest names; repeat with the one that is meant.", file, what), candidatesIn(f, near)
	}
	return CondMissingSymbol.Outcome("%s has no symbol %q. file_outline lists what it has.", file, what), candidates
}

// suggestReads is the calls that read the first candidates; nil without any.
func suggestReads(p *Place, req *ReadRequest, list []Candidate) *Hints {
	if len(list) == 0 {
		return nil
	}
	h := &Hints{}
	for _, c := range list[:min(len(list), MaxSuggested)] {
		h.NextSteps = append(h.NextSteps, *Suggest(req.Next(func(r *ReadRequest) {
			r.Path = p.Absolute(c.File)
			if o := r.OpenSymbol; o != nil {
				open := *o
				open.SymbolID, open.SymbolInstanceID, open.SymbolLabel = c.SymbolID, "", ""
				r.OpenSymbol = &open
			} else {
				r.SymbolRef = &SymbolRef{File: c.File, SymbolID: c.SymbolID}
			}
		})).Because("if " + c.SymbolLabel + " in " + c.File + " is meant"))
	}
	return h
}

// showSymbol fills in the text of a symbol and where it stands.
func (s *SymbolService) showSymbol(a *ReadAnswer, req *ReadRequest, f *Parsed, res resolution) {
	a.Status = StatusOK
	all := nameSymbols(&f.File)
	symbol := outlineSymbol(&f.File, all, res.Named, Stamp(s.Clock()))
	lines := code.NewLineIndex(f.Text)
	first, last := res.Symbol.Span.StartLine, res.Symbol.Span.EndLine
	start, end := lines.Lines(first, last)
	plain := req.OpenSymbol == nil || req.OpenSymbol.ContractVersion != 2
	if plain && req.Mode == "plain" && !res.Moved {
		s.showLines(a, req, f.Text, LineSpan{StartLine: first, EndLine: last})
		return
	}
	budget := NewBudget(req.MaxTokens)
	a.Symbol = &symbol
	if !plain {
		a.Kind, a.Context = "symbol_context", req.OpenSymbol.Context
	}
	budget.Spend(a)
	text := string(bytes.ToValidUTF8(f.Text[start:end], []byte("\ufffd")))
	if o := req.OpenSymbol; o != nil && o.Context != nil && o.Context.MaxLines > 0 && last-first+1 > o.Context.MaxLines {
		cutStart, cutEnd := lines.Lines(first, first+o.Context.MaxLines-1)
		text = string(bytes.ToValidUTF8(f.Text[cutStart:cutEnd], []byte("\ufffd")))
	}
	a.Content = cutText(text, budget.Left())
	shown := first + bytes.Count([]byte(a.Content), []byte("\n")) - 1
	if end-start == len(a.Content) {
		shown = last
	}
	a.Span = &LineSpan{StartLine: first, EndLine: max(shown, first)}
	if shown < last {
		a.HasMore = true
		a.Truncated = &Truncation{What: "lines", Shown: shown - first + 1, Omitted: last - shown, Cause: cutCause(len(a.Content) == len(text)),
			Next: Suggest(req.Next(func(r *ReadRequest) {
				r.Path, r.OpenSymbol, r.SymbolRef, r.StartLine, r.EndLine = a.Path, nil, nil, shown+1, last
			}))}
	}
}

// MaxSuggested bounds the candidates that come with a call of their own.
const MaxSuggested = 3
