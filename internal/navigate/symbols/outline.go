package symbols

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
)

// Outline answers file_outline with the declarations of one file, parsed from its current bytes on
// disk.
func (s *Service) Outline(ctx context.Context, req contract.OutlineRequest) (*contract.OutlineAnswer, error) {
	limit := contract.Within(&req)
	return engine.Bounded(ctx, s.Engine, limit, func(ctx context.Context) (*contract.OutlineAnswer, error) {
		return engine.Steady(ctx, s.Engine, req.Path, func() (*contract.OutlineAnswer, error) { return s.outlineOnce(ctx, req) })
	}, func() *contract.OutlineAnswer {
		return &contract.OutlineAnswer{Path: req.Path, CodebaseRoot: req.Path, File: req.File, Outcome: contract.TooLate(contract.ToolOutline, limit)}
	})
}

// outlineOnce answers as Outline does, without retrying when files change meanwhile.
func (s *Service) outlineOnce(ctx context.Context, req contract.OutlineRequest) (*contract.OutlineAnswer, error) {
	a := &contract.OutlineAnswer{Path: req.Path, File: req.File}
	p, outcome, hints, err := s.Enter(ctx, req.Path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		a.Outcome, a.Hints, a.CodebaseRoot = outcome, hints, req.Path
		return a, nil
	}
	a.CodebaseRoot = p.Root.Path()
	file := p.Find(req.File)
	a.File = file
	f, err := s.Parse(ctx, p.Root, file)
	fresh := s.Freshness(f.ReportOrZero())
	a.FreshnessDecision = &fresh
	if errors.Is(err, jit.ErrApart) {
		return nil, s.elsewhere(&req, p.Absolute(file))
	}
	if err != nil {
		if a.Outcome, err = engine.Unreadable(p.Absolute(file), f, err); err == nil && a.Reason == contract.ReasonMissingFile {
			a.Hints, err = s.SuggestFiles(ctx, a.CodebaseRoot, file, func(like string) contract.Request {
				return req.Next(func(r *contract.OutlineRequest) { r.Path, r.File = a.CodebaseRoot, like })
			})
		}
		return a, err
	}
	a.Warnings = engine.Codes(s.Warn(p, f.Report))
	if !f.Parsed {
		a.Outcome = contract.CondUnsupported.Outcome("No symbols are known for %s. read_file shows its text, search_codebase searches it.", OrPlain(f.Language))
		a.Hints = &contract.Hints{NextSteps: []contract.Action{*contract.Suggest(&contract.ReadRequest{Path: p.Absolute(file)})}}
		return a, nil
	}
	if f.BadBytes > 0 {
		a.Warnings = append(a.Warnings, parseErrorWarning(&f.File))
		slices.Sort(a.Warnings)
	}
	if req.ResolveMode == contract.ResolveExact {
		s.outlineExact(a, &req, &f.File)
		return a, nil
	}
	s.outlineAll(a, &req, &f.File)
	return a, nil
}

// elsewhere returns the refusal for a file in another checkout, with a call that outlines it there.
func (s *Service) elsewhere(req *contract.OutlineRequest, abs string) error {
	top := s.Roots.Top(abs)
	rel, err := filepath.Rel(top, abs)
	if err != nil || top == "" {
		return engine.Apart(abs, &contract.ReadRequest{Path: abs})
	}
	return engine.Apart(abs, req.Next(func(r *contract.OutlineRequest) { r.Path, r.File = top, filepath.ToSlash(rel) }))
}

func OrPlain(language string) string { return cmp.Or(language, "plain text") }

// parseErrorWarning returns the warning that names the share of a file with parse errors.
func parseErrorWarning(f *code.File) string {
	return "PARSE_ERRORS:" + badShare(f.BadBytes, len(f.Text)) + " of the bytes could not be parsed"
}

func (s *Service) outlineExact(a *contract.OutlineAnswer, req *contract.OutlineRequest, f *code.File) {
	res := ResolveIn(f, contract.SymbolRef{SymbolID: req.SymbolIDExact, SymbolLabel: req.SymbolLabelExact})
	all, at := nameSymbols(f), engine.Stamp(s.Clock())
	a.Outline = &contract.Outline{}
	switch {
	case res.Found:
		a.Status = contract.StatusOK
		a.Outline.Symbols = contract.List[contract.OutlineSymbol]{outlineSymbol(f, all, res.Named, at)}
	case len(res.candidates) > 1:
		a.Outcome = contract.CondAmbiguous.Outcome("%d symbols fit. Repeat with symbolIdExact of the one that is meant.", len(res.candidates))
		for _, c := range res.candidates {
			a.Outline.Symbols = append(a.Outline.Symbols, outlineSymbol(f, all, c, at))
		}
	default:
		a.Outline = nil
		a.Outcome = contract.CondMissingSymbol.Outcome("%s has no such symbol. Repeat without resolveMode to see its outline.", a.File)
		a.Hints = &contract.Hints{}
		for _, n := range nearIn(f, req.SymbolLabelExact) {
			a.Hints.NextSteps = append(a.Hints.NextSteps, *contract.Suggest(req.Next(func(r *contract.OutlineRequest) {
				r.SymbolIDExact, r.SymbolLabelExact = string(n.ID), ""
			})).Because("if " + n.Symbol.QualifiedName + " is meant"))
		}
		a.Hints.NextSteps = append(a.Hints.NextSteps, *contract.Suggest(req.Next(func(r *contract.OutlineRequest) {
			r.ResolveMode, r.SymbolIDExact, r.SymbolLabelExact, r.Cursor = "", "", "", ""
		})))
	}
}

// outlineAll lists the symbols in the requested lines, within the limit and the token budget.
func (s *Service) outlineAll(a *contract.OutlineAnswer, req *contract.OutlineRequest, f *code.File) {
	a.Status, a.Outline = contract.StatusOK, &contract.Outline{}
	budget := contract.NewBudget(&req.Delivery)
	budget.Spend(a)
	if req.Detail == contract.DetailSkeleton {
		s.outlineSkeleton(a, req, f, budget)
		return
	}
	all, at := nameSymbols(f), engine.Stamp(s.Clock())
	var picked []contract.OutlineSymbol
	for _, n := range all {
		if inLines(n.Symbol.Span, req.StartLine, req.EndLine) {
			picked = append(picked, outlineSymbol(f, all, n, at))
		}
	}
	if onlyExported(req, len(picked)) {
		whole := len(picked)
		picked = exportedOf(picked)
		a.Unexported = whole - len(picked)
	}
	if foldsFields(req, len(picked)) {
		whole := len(picked)
		picked = slices.DeleteFunc(picked, func(s contract.OutlineSymbol) bool { return s.Kind == code.KindField || s.Kind == code.KindProperty })
		a.Fields = whole - len(picked)
	}
	slices.SortStableFunc(picked, func(x, y contract.OutlineSymbol) int {
		return cmp.Or(cmp.Compare(x.Span.StartByte, y.Span.StartByte), cmp.Compare(x.Span.EndByte, y.Span.EndByte),
			cmp.Compare(x.SymbolLabel, y.SymbolLabel), cmp.Compare(x.SymbolID, y.SymbolID))
	})
	from := cursorAt(req.Cursor, len(picked))
	rest := picked[from:]
	shown := contract.Fit(budget, rest[:min(len(rest), req.LimitSymbols)])
	a.Outline.Symbols = shown
	if len(shown) == len(rest) {
		return
	}
	a.HasMore, a.Cursor = true, strconv.Itoa(from+len(shown))
	next := req.Next(func(r *contract.OutlineRequest) { r.Cursor = a.Cursor })
	a.Truncated = &contract.Truncation{What: "symbols", Shown: len(shown), Omitted: len(rest) - len(shown), Cause: cutCause(len(shown) == req.LimitSymbols), Next: contract.Suggest(next)}
}

// manySymbols is the number of symbols above which a text outline omits unexported symbols.
const manySymbols = 200

// exportedOf drops unexported symbols and the members of unexported types.
func exportedOf(list []contract.OutlineSymbol) []contract.OutlineSymbol {
	hidden := map[string]bool{}
	for _, s := range list {
		if s.Exported != nil && !*s.Exported && IsType(s.Kind) {
			hidden[s.QualifiedName] = true
		}
	}
	return slices.DeleteFunc(list, func(s contract.OutlineSymbol) bool {
		if s.Exported != nil && !*s.Exported {
			return true
		}
		name := s.QualifiedName
		for !hidden[name] {
			dot := strings.LastIndexByte(name, '.')
			if dot < 0 {
				return false
			}
			name = name[:dot]
		}
		return true
	})
}

// someSymbols is the number of symbols above which a text outline counts fields instead of listing
// them.
const someSymbols = 40

// foldsFields reports whether an outline counts the fields of types instead of listing them.
// Readers of a long outline look for callables.
func foldsFields(req *contract.OutlineRequest, symbols int) bool {
	return req.Format == contract.FormatText && req.Detail == contract.DetailSummary && symbols > someSymbols
}

func onlyExported(req *contract.OutlineRequest, symbols int) bool {
	if req.Exported != nil {
		return *req.Exported
	}
	return req.Format == contract.FormatText && symbols > manySymbols
}

func (s *Service) outlineSkeleton(a *contract.OutlineAnswer, req *contract.OutlineRequest, f *code.File, budget *contract.Budget) {
	text := skeleton(f)
	if budget.Fits(text) {
		a.Skeleton = text
		return
	}
	cut := cutText(text, budget.Left())
	a.Skeleton, a.HasMore = cut, true
	next := req.Next(func(r *contract.OutlineRequest) {
		if r.MaxTokens == contract.MaxMaxTokens {
			r.Detail = "" // detail skeleton has no pages
		}
		r.MaxTokens = contract.MaxMaxTokens
	})
	a.Truncated = &contract.Truncation{What: "bytes", Shown: len(cut), Omitted: len(text) - len(cut), Cause: contract.CauseMaxTokens, Next: contract.Suggest(next)}
}

// inLines reports whether a span overlaps the lines first to last; a last of 0 means no bound.
func inLines(s code.Span, first, last int) bool {
	return s.EndLine >= first && (last == 0 || s.StartLine <= last)
}

// cursorAt returns the offset in a cursor that Normalize accepted, at most n.
func cursorAt(cursor string, n int) int {
	at, _ := strconv.Atoi(cursor)
	return min(max(at, 0), n)
}

func cutCause(byLimit bool) contract.Cause {
	if byLimit {
		return contract.CauseLimit
	}
	return contract.CauseMaxTokens
}

// cutText returns the longest prefix of whole lines of text that costs at most the given tokens.
func cutText(text string, tokens int) string {
	used, end := 0, 0
	for end < len(text) {
		next := len(text)
		for i := end; i < len(text); i++ {
			if text[i] == '\n' {
				next = i + 1
				break
			}
		}
		used += contract.Tokens(text[end:next])
		if used > tokens {
			break
		}
		end = next
	}
	return text[:end]
}
