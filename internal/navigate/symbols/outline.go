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
// disk, or with a map of a folder.
func (s *Service) Outline(ctx context.Context, req contract.OutlineRequest) (*contract.OutlineAnswer, error) {
	limit := contract.Within(&req)
	ask := func(ctx context.Context) (*contract.OutlineAnswer, error) { return s.outlineOnce(ctx, req) }
	return engine.Bounded(ctx, s.Engine, limit, engine.Steady(s.Engine, req.Path, ask), func() *contract.OutlineAnswer {
		return &contract.OutlineAnswer{Path: req.Path, CodebaseRoot: req.Path, File: req.File,
			Outcome: contract.TooLate(contract.ToolOutline, limit)}
	})
}

// outlineOnce answers on the index as it is now. Outline repeats it if the index is replaced.
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
	if p.Has(req.Written) {
		req.File, req.StartLine, req.EndLine = req.Written, 0, 0
	}
	file := p.Rel
	if req.File != "" {
		file = p.Find(req.File)
	}
	if a.File = file; engine.IsFolder(p.Absolute(file)) && req.ResolveMode != contract.ResolveExact {
		if file == "." {
			file = p.Rel
		}
		a.File = cmp.Or(file, ".")
		return s.outlineFolder(ctx, a, &req, p, file)
	}
	f, err := s.Parse(ctx, p.Root, file)
	fresh := s.Freshness(f.ReportOrZero())
	a.FreshnessDecision = &fresh
	if errors.Is(err, jit.ErrApart) {
		return nil, s.elsewhere(&req, p.Absolute(file))
	}
	if err != nil {
		if a.Outcome, err = engine.Unreadable(p.Absolute(file), f, err); err == nil &&
			a.Reason == contract.ReasonMissingFile {
			a.Hints, err = s.SuggestFiles(ctx, a.CodebaseRoot, file, func(like string) contract.Request {
				return req.Next(func(r *contract.OutlineRequest) { r.Path, r.File = a.CodebaseRoot, like })
			})
		}
		return a, err
	}
	a.Warnings = engine.Codes(s.Warn(p, f.Report))
	if !f.Parsed {
		a.Outcome = NotParsed(&f.File, f.BadBytes,
			"No symbols are known for %s. read_file shows its text, search_codebase searches it.")
		a.Hints = &contract.Hints{NextSteps: []contract.Action{*contract.Suggest(
			&contract.ReadRequest{Path: p.Absolute(file)})}}
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

// elsewhere returns the refusal for a file in another checkout. It suggests a call with that checkout
// as the path.
func (s *Service) elsewhere(req *contract.OutlineRequest, abs string) error {
	top := s.Roots.Top(abs)
	rel, err := filepath.Rel(top, abs)
	if err != nil || top == "" {
		return engine.Apart(abs, &contract.ReadRequest{Path: abs})
	}
	return engine.Apart(abs, req.Next(func(r *contract.OutlineRequest) { r.Path, r.File = top, filepath.ToSlash(rel) }))
}

// OrPlain returns the name of a language, or "plain text" if it is "".
func OrPlain(language string) string { return cmp.Or(language, "plain text") }

// parseErrorWarning returns the warning that names the share of a file with parse errors.
func parseErrorWarning(f *code.File) string {
	return "PARSE_ERRORS:" + badShare(f.BadBytes, len(f.Text)) + " of the bytes could not be parsed"
}

// outlineExact answers with the one symbol that the request names, with all candidates if several
// fit, or with an error outcome and suggested calls.
func (s *Service) outlineExact(a *contract.OutlineAnswer, req *contract.OutlineRequest, f *code.File) {
	res := ResolveIn(f, contract.SymbolRef{SymbolID: req.SymbolIDExact, SymbolLabel: req.SymbolLabelExact})
	all, at := nameSymbols(f), engine.Stamp(s.Clock())
	a.Outline = &contract.Outline{}
	switch {
	case res.Found:
		a.Status = contract.StatusOK
		a.Outline.Symbols = contract.List[contract.OutlineSymbol]{outlineSymbol(f, all, res.Named, at)}
	case len(res.candidates) > 1:
		a.Outcome = contract.CondAmbiguous.Outcome(
			"%d symbols fit. Repeat with symbolIdExact of the one that is meant.", len(res.candidates))
		for _, c := range res.candidates {
			a.Outline.Symbols = append(a.Outline.Symbols, outlineSymbol(f, all, c, at))
		}
	default:
		a.Outline = nil
		a.Outcome = contract.CondMissingSymbol.Outcome(
			"%s has no such symbol. Repeat without resolveMode to see its outline.", a.File)
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
	all := nameSymbols(f)
	picked := pick(a, req, all)
	from := cursorAt(req.Cursor, len(picked))
	rest := picked[from:]
	shown := s.fitting(budget, f, all, rest[:min(len(rest), req.LimitSymbols)])
	if len(shown) == 0 && len(rest) > 0 { // or the cursor would never advance
		shown = []contract.OutlineSymbol{outlineSymbol(f, all, rest[0], engine.Stamp(s.Clock()))}
	}
	a.Outline.Symbols = shown
	if len(shown) == len(rest) {
		return
	}
	a.HasMore, a.Cursor = true, strconv.Itoa(from+len(shown))
	next := req.Next(func(r *contract.OutlineRequest) { r.Cursor = a.Cursor })
	a.Truncated = &contract.Truncation{What: "symbols", Shown: len(shown), Omitted: len(rest) - len(shown),
		Cause: cutCause(len(shown) == req.LimitSymbols), Next: contract.Suggest(next)}
}

// pick returns the symbols that an outline lists, in order. It sets a.Unexported and a.Fields to the
// numbers of symbols that it leaves out.
func pick(a *contract.OutlineAnswer, req *contract.OutlineRequest, all []Named) []Named {
	var picked []Named
	for _, n := range all {
		if inLines(n.Symbol.Span, req.StartLine, req.EndLine) {
			picked = append(picked, n)
		}
	}
	if onlyExported(req, len(picked)) {
		whole := len(picked)
		picked = exportedOf(picked)
		a.Unexported = whole - len(picked)
	}
	if foldsFields(req, len(picked)) {
		whole := len(picked)
		picked = slices.DeleteFunc(picked, func(n Named) bool { return isPlainField(n.Symbol) })
		a.Fields = whole - len(picked)
	}
	slices.SortStableFunc(picked, func(x, y Named) int {
		s, t := x.Symbol, y.Symbol
		return cmp.Or(cmp.Compare(s.Span.StartByte, t.Span.StartByte), cmp.Compare(s.Span.EndByte, t.Span.EndByte),
			cmp.Compare(s.QualifiedName, t.QualifiedName), cmp.Compare(x.ID, y.ID))
	})
	return picked
}

// fitting returns the first symbols of list, as many as fit into the token budget, in the form that
// answers have. It converts no others, since converting a symbol hashes its text and collects its
// parents.
func (s *Service) fitting(budget *contract.Budget, f *code.File, all, list []Named) (shown []contract.OutlineSymbol) {
	at := engine.Stamp(s.Clock())
	for _, n := range list {
		symbol := outlineSymbol(f, all, n, at)
		if !budget.Fits(symbol) {
			break
		}
		shown = append(shown, symbol)
	}
	return shown
}

// manySymbols is the number of symbols above which a text outline omits unexported symbols.
const manySymbols = 200

// exportedOf drops unexported symbols and the members of unexported types.
func exportedOf(list []Named) []Named {
	hidden := map[string]bool{} // qualified name of a type → whether it is hidden; see within
	for _, n := range list {
		if !n.Symbol.Exported && IsType(n.Symbol.Kind) {
			hidden[n.Symbol.QualifiedName] = true
		}
	}
	return slices.DeleteFunc(list, func(n Named) bool {
		return !n.Symbol.Exported || within(hidden, n.Symbol.QualifiedName)
	})
}

// within reports whether name, such as "A.B.f", or one of its prefixes "A.B" and "A" is hidden. It
// stores the result for each prefix in hidden, as many names share their prefixes.
func within(hidden map[string]bool, name string) bool {
	is, known := hidden[name]
	if dot := strings.LastIndexByte(name, '.'); !known && dot >= 0 {
		is = within(hidden, name[:dot])
		hidden[name] = is
	}
	return is
}

// someSymbols is the number of symbols above which a text outline counts fields instead of listing
// them.
const someSymbols = 40

// isPlainField reports whether a symbol is a field that holds a value and runs no code. A property with
// a getter, such as Python's @property, counts as a method.
func isPlainField(s *code.Symbol) bool {
	return (s.Kind == code.KindField || s.Kind == code.KindProperty) && !s.Computed
}

// foldsFields reports whether an outline counts the fields of types instead of listing them.
// Readers of a long outline look for code.
func foldsFields(req *contract.OutlineRequest, symbols int) bool {
	return req.Format == contract.FormatText && req.Detail == contract.DetailSummary && symbols > someSymbols
}

// onlyExported reports whether an outline of a file with the given number of symbols omits the
// unexported ones.
func onlyExported(req *contract.OutlineRequest, symbols int) bool {
	if req.Exported != nil {
		return *req.Exported
	}
	return req.Format == contract.FormatText && symbols > manySymbols
}

// outlineSkeleton writes the lines of a file's skeleton that fit into the budget. The cursor is the
// number of bytes of the skeleton before these lines.
func (s *Service) outlineSkeleton(a *contract.OutlineAnswer, req *contract.OutlineRequest, f *code.File,
	budget *contract.Budget) {
	text := skeleton(f, req.StartLine, req.EndLine)
	from := cursorAt(req.Cursor, len(text))
	rest := text[from:]
	if from > 0 && text[from-1] != '\n' {
		_, rest, _ = strings.Cut(rest, "\n") // a cursor made for an older text may be in the middle of a line
		from = len(text) - len(rest)
	}
	if rest == "" || budget.Fits(rest) {
		a.Skeleton = rest
		return
	}
	cut, read := firstLines(rest, budget.Left())
	if a.Skeleton = cut; read > len(cut) {
		a.Warnings = append(a.Warnings, warnLineCut+":"+lineCut("A line", len(cut), read))
		slices.Sort(a.Warnings)
	}
	if rest = rest[read:]; rest == "" {
		return
	}
	left := strings.Count(strings.TrimSuffix(rest, "\n"), "\n") + 1
	a.HasMore, a.Cursor = true, strconv.Itoa(from+read)
	next := req.Next(func(r *contract.OutlineRequest) { r.Cursor = a.Cursor })
	a.Truncated = &contract.Truncation{What: "lines", Shown: max(strings.Count(cut, "\n"), 1), Omitted: left,
		Cause: contract.CauseMaxTokens, Next: contract.Suggest(next)}
}

// inLines reports whether a span overlaps the lines first to last; a last of 0 means no bound.
func inLines(s code.Span, first, last int) bool {
	return s.EndLine >= first && (last == 0 || s.StartLine <= last)
}

// cursorAt returns the number in a cursor that Normalize accepted, but at most n; 0 for no cursor.
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
