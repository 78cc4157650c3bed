package symbols

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
)

// DefaultReadLines is the largest number of lines that read_file shows if the request names no
// range.
const DefaultReadLines = 1000

// Read answers read_file with the text of a file or of a symbol in it, from its current bytes on
// disk.
func (s *Service) Read(ctx context.Context, req contract.ReadRequest) (*contract.ReadAnswer, error) {
	limit := contract.Within(&req)
	ask := func(ctx context.Context) (*contract.ReadAnswer, error) { return s.readOnce(ctx, req) }
	return engine.Bounded(ctx, s.Engine, limit, engine.Steady(s.Engine, req.Path, ask), func() *contract.ReadAnswer {
		return &contract.ReadAnswer{Path: req.Path, Mode: req.Mode, Outcome: contract.TooLate(contract.ToolRead, limit)}
	})
}

// readOnce answers on the index as it is now. Read repeats it if the index is replaced.
func (s *Service) readOnce(ctx context.Context, req contract.ReadRequest) (*contract.ReadAnswer, error) {
	p, err := s.EnterCheckout(ctx, req.Path)
	if err == nil && p.Has(req.Written) {
		if req.File = req.Written; req.Reference() == nil {
			req.StartLine, req.EndLine = 0, 0
		}
	}
	if err == nil && req.File != "" {
		req.Path, req.File = p.Absolute(p.Find(req.File)), ""
		p, err = s.EnterCheckout(ctx, req.Path)
	}
	var lost *engine.LostRoot
	switch {
	case errors.Is(err, jit.ErrNotTracked) && linkOut(req.Path):
		return nil, contract.CondSymlink.Refuse(req.Path, nil,
			"%s is a symbolic link. Ask for the file that it points to.", req.Path)
	case errors.Is(err, jit.ErrNotTracked):
		return nil, contract.CondOutside.Refuse(req.Path,
			&contract.Hints{NextSteps: []contract.Action{*contract.Suggest(&contract.ListRequest{})}},
			"%s is in no tracked codebase. list_codebases names those that are; manage_index create tracks another.",
			req.Path)
	case errors.As(err, &lost):
		a := &contract.ReadAnswer{Path: req.Path, CodebaseRoot: lost.Path, Mode: req.Mode}
		a.Outcome, a.Hints = lost.Answer()
		return a, nil
	case err != nil:
		return nil, err
	}
	root, rel := p.Root, p.Rel
	ref := req.Reference()
	if ref != nil && (ref.SymbolID != "" || ref.SymbolLabel != "" || ref.SymbolInstanceID != "") {
		return s.readSymbol(ctx, p, &req, *ref)
	}
	a := &contract.ReadAnswer{Path: req.Path, CodebaseRoot: root.Path(), File: rel, Mode: req.Mode}
	f, err := s.Parse(ctx, root, rel)
	if err != nil {
		return s.readFailed(ctx, a, &req, f, err)
	}
	first, last := req.StartLine, req.EndLine
	if o := req.OpenSymbol; o != nil {
		first, last = o.StartLine, o.EndLine
	}
	a.Status = contract.StatusOK
	if req.Identifiers != nil {
		fresh := s.Freshness(f.Report)
		a.FreshnessDecision, a.Warnings = &fresh, s.Warn(p, f.Report)
		showHolding(a, &req, f, contract.LineSpan{StartLine: first, EndLine: last}, nil)
		return a, nil
	}
	if req.Mode == contract.ReadAnnotated {
		return s.readAnnotated(a, p, &req, f, first, last), nil
	}
	s.showLines(a, &req, f.Text, contract.LineSpan{StartLine: first, EndLine: last})
	return a, nil
}

// linkOut reports whether path is a symbolic link. It is called if no codebase contains its target.
func linkOut(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// readFailed answers for an unreadable file. If the file does not exist, it suggests similar names.
func (s *Service) readFailed(ctx context.Context, a *contract.ReadAnswer, req *contract.ReadRequest, f *engine.Parsed,
	err error) (*contract.ReadAnswer, error) {
	abs := filepath.Join(a.CodebaseRoot, filepath.FromSlash(a.File))
	if a.Outcome, err = engine.Unreadable(abs, f, err); err != nil {
		return nil, err
	}
	if a.Reason == contract.ReasonMissingFile {
		a.Hints, err = s.SuggestFiles(ctx, a.CodebaseRoot, a.File, func(file string) contract.Request {
			return req.Next(func(r *contract.ReadRequest) {
				r.Path = filepath.Join(a.CodebaseRoot, filepath.FromSlash(file))
			})
		})
	}
	return a, err
}

// showLines sets a to the plain text of a range of lines; a bound of 0 means the beginning or the
// end of the file. It always cuts the text at the token budget, and at the line limit if the
// request has no range. To a cut text it adds a line that says how to continue.
func (s *Service) showLines(a *contract.ReadAnswer, req *contract.ReadRequest, text []byte, span contract.LineSpan) {
	lines := code.NewLineIndex(text)
	n, first, last := lines.Count(), span.StartLine, span.EndLine
	ranged := first > 0 || last > 0
	if first > max(n, 1) {
		a.Behind = fmt.Sprintf("%s has %s: this is the last, and not line %d", a.File,
			contract.Plural(n, "line"), first)
	}
	first = min(max(first, 1), max(n, 1))
	if last == 0 || last > n {
		last = n
	}
	shown := last
	if !ranged {
		shown = min(shown, first+s.readLines-1)
	}
	budget := contract.NewBudget(&req.Delivery)
	for l := first; l <= shown; l++ {
		start, end := lines.Lines(l, l)
		if cost := contract.Tokens(text[start:end]); cost > budget.Left() && l > first {
			shown = l - 1
		} else {
			budget.Take(cost)
		}
	}
	start, end := lines.Lines(first, shown)
	a.Plain, a.Text = true, slices.Clone(text[start:end])
	a.Span = &contract.LineSpan{StartLine: first, EndLine: max(shown, first)}
	if first == shown {
		if cut := fitLine(a.Text, contract.NewBudget(&req.Delivery).Left()); cut < len(a.Text) {
			a.Behind = fmt.Sprintf("Line %d is cut at byte %d of %d", first, cut, len(a.Text))
			if shown < n {
				a.Behind += fmt.Sprintf("; start_line=%d is behind it", shown+1)
			}
			a.Text = a.Text[:cut]
		}
	}
	if shown >= last && a.Behind == "" {
		return
	}
	if !bytes.HasSuffix(a.Text, []byte("\n")) {
		a.Continuation = "\n"
	}
	if a.Behind != "" {
		a.Continuation += "(" + a.Behind + ".)"
		return
	}
	a.Continuation += fmt.Sprintf(
		"(File truncated at line %d. To read more, call read_file with path=%q%s and start_line=%d.)",
		shown, a.Path, alsoGiven(req, span.EndLine), shown+1)
}

// fitLine returns the length in bytes of the longest prefix of line that costs at most the given
// tokens. Only lines of data are so long; the beginning of one suffices to recognize its format.
func fitLine(line []byte, tokens int) int {
	const widest = 4 // average number of bytes in a token of data
	end := len(line)
	if end <= tokens || contract.Tokens(line) <= tokens {
		return end
	}
	end = min(end, widest*tokens)
	for end > 0 && contract.Tokens(line[:end]) > tokens {
		end /= 2
	}
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return end
}

// alsoGiven returns the arguments of a plain request as text, such as ", end_line=40", without the
// file and the first line.
func alsoGiven(req *contract.ReadRequest, end int) (text string) {
	rest := req.Next(func(r *contract.ReadRequest) { r.EndLine = end })
	if rest.EndLine > 0 {
		text += fmt.Sprintf(", end_line=%d", rest.EndLine)
	}
	if rest.MaxTokens > 0 {
		text += fmt.Sprintf(", maxTokens=%d", rest.MaxTokens)
	}
	if rest.Format != "" {
		text += fmt.Sprintf(", format=%q", rest.Format)
	}
	return text
}

// readAnnotated returns a with the text of the lines and the outline of the symbols in them.
func (s *Service) readAnnotated(a *contract.ReadAnswer, p *engine.Place, req *contract.ReadRequest, f *engine.Parsed,
	first, last int) *contract.ReadAnswer {
	fresh := s.Freshness(f.Report)
	a.FreshnessDecision, a.Warnings = &fresh, s.Warn(p, f.Report)
	lines := code.NewLineIndex(f.Text)
	first, end := max(first, 1), last
	if last == 0 || last > lines.Count() {
		last = lines.Count()
	}
	budget := contract.NewBudget(&req.Delivery)
	budget.Spend(a)
	// The text has priority; the outline gets at most a third of the tokens.
	from, to := lines.Lines(first, min(last, first+s.readLines-1))
	text := string(bytes.ToValidUTF8(f.Text[from:to], []byte("\ufffd")))
	shown, all := showContent(a, text, contract.LineSpan{StartLine: first, EndLine: min(last, first+s.readLines-1)},
		budget.Left()*2/3)
	budget.SpendText(a.Content)
	a.Span = &contract.LineSpan{StartLine: first, EndLine: max(shown, first)}
	if shown < last {
		a.HasMore = true
		a.Truncated = &contract.Truncation{What: "lines", Shown: shown - first + 1, Omitted: last - shown,
			Cause: cutCause(all),
			Next: contract.Suggest(req.Next(func(r *contract.ReadRequest) {
				r.OpenSymbol, r.StartLine, r.EndLine = nil, shown+1, end
			}))}
	}
	a.OutlineStatus = "unsupported"
	if f.Parsed {
		a.OutlineStatus, a.Outline = "ok", &contract.Outline{}
		named := nameSymbols(&f.File)
		around := slices.DeleteFunc(slices.Clone(named), func(n Named) bool {
			return !inLines(n.Symbol.Span, first, shown)
		})
		a.Outline.Symbols = s.fitting(budget, &f.File, named, around)
		a.HasMore = a.HasMore || len(a.Outline.Symbols) < len(around)
	}
	return a
}
