package symbols

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
)

// readSymbol reads the text of a symbol. It parses the current bytes on disk, so that the span
// never comes from stale line numbers.
func (s *Service) readSymbol(ctx context.Context, p *engine.Place, req *contract.ReadRequest,
	ref contract.SymbolRef) (*contract.ReadAnswer, error) {
	a := &contract.ReadAnswer{Path: req.Path, CodebaseRoot: p.Root.Path(), Mode: req.Mode}
	if ref = WithoutLines(p, ref); ref.File == "" && s.IsFile(ctx, p) {
		ref.File = p.Rel
	}
	where, f, err := s.parseSymbol(ctx, p, ref)
	switch {
	case where.File == "" && err != nil:
		a.Outcome, a.Hints, err = engine.Failed(p.Root.Path(), err)
		return a, err
	case where.File == "":
		a.Outcome, a.Candidates = where.Outcome, where.Candidates
		a.Hints = suggestReads(p, req, a.Candidates)
		return a, nil
	}
	file, ref := where.File, where.Ref
	if a.File, a.Path = file, p.Absolute(file); err != nil {
		return s.readFailed(ctx, a, req, f, err)
	}
	fresh := s.Freshness(f.Report)
	a.FreshnessDecision, a.Warnings = &fresh, s.Warn(p, f.Report)
	if !f.Parsed {
		a.Outcome = NotParsed(&f.File, f.BadBytes,
			"No symbols are known for %s. Read lines instead: start_line and end_line.")
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

// parseSymbol finds the file of a symbol, and parses it. If that file is gone, parseSymbol looks the symbol up again,
// unless ref names the file: after folders were renamed, the index may still have many files at their old paths, and
// parsing one of them removes it. where.File is "" if there is no such symbol, or if err is that of the look-up.
func (s *Service) parseSymbol(ctx context.Context, p *engine.Place, ref contract.SymbolRef) (where Located,
	f *engine.Parsed, err error) {
	for range engine.MaxPasses {
		if where, err = s.FileOfSymbol(ctx, p, ref, nil); err != nil || where.File == "" {
			return Located{Outcome: where.Outcome, Candidates: where.Candidates}, nil, err
		}
		f, err = s.Parse(ctx, p.Root, where.File)
		if ref.File != "" || !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return where, f, err
}

func symbolMoved(sym *code.Symbol) contract.Warning {
	return contract.Warning{Code: "SYMBOL_MOVED", Severity: contract.SeverityInfo,
		Message: fmt.Sprintf("%s changed or moved since the reference was made; this is the current one, in lines "+
			"%d to %d.", sym.QualifiedName, sym.Span.StartLine, sym.Span.EndLine)}
}

// IsFile reports whether the place is an indexed file of the root, or has an extension and is
// therefore assumed to be a file.
func (s *Service) IsFile(ctx context.Context, p *engine.Place) bool {
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
	return filepath.Ext(p.Rel) != "" && !engine.IsFolder(p.Absolute(p.Rel)) // conf.d is a folder
}

// SymbolMissing returns the outcome for a reference that ResolveIn could not resolve in a file, and
// the candidates. The outcome is that several symbols fit, that the reference is outdated, or that
// the file has no such symbol.
func SymbolMissing(file string, ref contract.SymbolRef, f *code.File,
	res resolution) (contract.Outcome, []contract.Candidate) {
	what := ref.SymbolLabel
	if what == "" {
		what = ref.SymbolID + ref.SymbolInstanceID
	}
	candidates := candidatesIn(f, res.candidates)
	if ref.SymbolID == "" && len(candidates) > 1 {
		return contract.CondAmbiguous.Outcome("%d symbols of %s fit %q. Repeat with the symbolId of the one that is "+
			"meant.", len(candidates), file, what), candidates
	}
	if ref.SymbolID != "" && len(candidates) > 0 {
		return contract.CondStaleSymbol.Outcome("%s is no longer in %s. The candidates bear its name; repeat with "+
			"the one that is meant.", what, file), candidates
	}
	if NamesFile(f, ref) {
		return contract.CondMissingSymbol.Outcome(
			"%q is a file and no symbol. Read it, or lines of it, by its path alone.", what), nil
	}
	if near := nearIn(f, ref.SymbolLabel); len(candidates) == 0 && len(near) > 0 {
		return contract.CondMissingSymbol.Outcome("%s has no symbol %q. The candidates have the nearest names; "+
			"repeat with the one that is meant.", file, what), candidatesIn(f, near)
	}
	return contract.CondMissingSymbol.Outcome("%s has no symbol %q. file_outline lists what it has.", file, what),
		candidates
}

// suggestReads returns calls that read the first candidates, or nil without candidates.
func suggestReads(p *engine.Place, req *contract.ReadRequest, list []contract.Candidate) *contract.Hints {
	if len(list) == 0 {
		return nil
	}
	h := &contract.Hints{}
	for _, c := range list[:min(len(list), MaxSuggested)] {
		h.NextSteps = append(h.NextSteps, *contract.Suggest(req.Next(func(r *contract.ReadRequest) {
			r.Path = p.Absolute(c.File)
			if o := r.OpenSymbol; o != nil {
				open := *o
				open.SymbolID, open.SymbolInstanceID, open.SymbolLabel = c.SymbolID, "", ""
				r.OpenSymbol = &open
			} else {
				r.SymbolRef = &contract.SymbolRef{File: c.File, SymbolID: c.SymbolID}
			}
		})).Because("if " + c.SymbolLabel + " in " + c.File + " is meant"))
	}
	return h
}

// showSymbol sets the text and the position of a symbol in a.
func (s *Service) showSymbol(a *contract.ReadAnswer, req *contract.ReadRequest, f *engine.Parsed, res resolution) {
	a.Status = contract.StatusOK
	symbol := outlineSymbol(&f.File, nameSymbols(&f.File), res.Named, engine.Stamp(s.Clock()))
	lines := code.NewLineIndex(f.Text)
	first, last := res.Symbol.Span.StartLine, res.Symbol.Span.EndLine
	if req.StartLine > first && req.StartLine <= last {
		first = req.StartLine // the rest of a symbol that an earlier answer cut
	}
	if req.EndLine >= first && req.EndLine < last {
		last = req.EndLine
	}
	if req.Identifiers != nil {
		a.Symbol = &symbol
		showHolding(a, req, f, contract.LineSpan{StartLine: first, EndLine: last}, res.Symbol)
		return
	}
	plain := req.OpenSymbol == nil || req.OpenSymbol.ContractVersion != 2
	if plain && req.Mode == contract.ReadPlain && !res.Moved {
		a.Symbol = &symbol
		s.showLines(a, req, f.Text, contract.LineSpan{StartLine: first, EndLine: last})
		return
	}
	budget := contract.NewBudget(&req.Delivery)
	a.Symbol = &symbol
	if !plain {
		a.Kind, a.Context = "symbol_context", req.OpenSymbol.Context
		if p := a.Context.Preset; p != contract.PresetDefinition {
			a.Warnings.Add(presetIgnored(p))
		}
	}
	budget.Spend(a)
	until := last
	if o := req.OpenSymbol; o != nil && o.Context != nil && o.Context.MaxLines > 0 {
		until = min(last, first+o.Context.MaxLines-1)
	}
	start, end := lines.Lines(first, until)
	text := string(bytes.ToValidUTF8(f.Text[start:end], []byte("\ufffd")))
	shown, all := showContent(a, text, contract.LineSpan{StartLine: first, EndLine: until}, budget.Left())
	a.Span = &contract.LineSpan{StartLine: first, EndLine: max(shown, first)}
	if shown < last {
		a.HasMore = true
		a.Truncated = &contract.Truncation{What: "lines", Shown: shown - first + 1, Omitted: last - shown,
			Cause: cutCause(all),
			Next: contract.Suggest(req.Next(func(r *contract.ReadRequest) {
				r.Path, r.OpenSymbol, r.SymbolRef, r.StartLine, r.EndLine = a.Path, nil, nil, shown+1, last
			}))}
	}
}

// presetIgnored returns the warning for a preset that would show more than the symbol itself.
func presetIgnored(p contract.Preset) contract.Warning {
	return contract.Warning{Code: "PRESET_IGNORED", Severity: contract.SeverityInfo,
		Message: fmt.Sprintf("The preset %s shows no more than %s does. call_graph of the symbol, with detail: "+
			"\"bodies\", has its callers, its callees and what overrides it.", p, contract.PresetDefinition)}
}

// MaxSuggested is the largest number of candidates for which an answer suggests a call.
const MaxSuggested = 3
