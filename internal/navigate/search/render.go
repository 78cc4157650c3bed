package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
)

// navigated is the number of first results that have suggested calls in a compact answer.
const navigated = 3

// closingTokens is the number of tokens reserved for the end of an answer, after the results: the
// recommended call, and the hint that most results are in unwanted files.
const closingTokens = 300

// shownFile is a file in the answer. Its bytes are verified to be those that were indexed.
type shownFile struct {
	text  []byte
	row   jit.FileRow
	lines *code.LineIndex
}

// reader reads the files of one answer, each once.
type reader struct {
	root  *jit.Root
	files map[string]*shownFile
	// known maps paths to the rows of the files in the snapshot of the search. A file that was
	// reindexed since is not read, as its symbols may be on other lines. If known is nil, every file is
	// read as it is now.
	known map[string]jit.FileRow
}

// knowFiles returns the rows of the candidates' files by path, from the snapshot in which the
// candidates were found.
func knowFiles(ctx context.Context, v *jit.View, found []candidate) (map[string]jit.FileRow, error) {
	var ids []int64
	for i := range found {
		ids = append(ids, found[i].fileID)
	}
	slices.Sort(ids)
	rows, err := v.FilesByID(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	known := make(map[string]jit.FileRow, len(rows))
	for _, row := range rows {
		known[row.Path] = row
	}
	return known, nil
}

// file returns a file as of the search. If its bytes have changed since, the error wraps
// jit.ErrMoved or another error of package jit.
func (r *reader) file(ctx context.Context, path string) (*shownFile, error) {
	if f, ok := r.files[path]; ok {
		return f, nil
	}
	var text []byte
	row, err := r.known[path], error(nil)
	if r.known == nil {
		text, row, err = r.root.Read(ctx, path)
	} else {
		text, err = r.root.ReadAs(path, row.Hash)
	}
	if err != nil {
		return nil, err
	}
	f := &shownFile{text: text, row: row, lines: code.NewLineIndex(text)}
	r.files[path] = f
	return f, nil
}

// render renders the picked candidates as results, as far as the budget allows. more reports that there are
// others, beyond the limit or without a match, moved that a file changed since it was verified.
func (r *search) render(ctx context.Context, files *reader, picked []candidate) (more, moved bool, err error) {
	a := r.answer
	r.budget.Spend(a)
	r.budget.Take(min(closingTokens, r.req.MaxTokens/4))
	d := &drawing{search: r, several: r.isName() && len(picked) > 1 && picked[1].exact >= rank.NamedSame}
	for d.holding < len(picked) && picked[d.holding].focus > 0 {
		d.holding++
	}
	var shown []contract.SearchResult // results on this page and on earlier pages
	windowed := map[string]bool{}     // files with a result that is no symbol
	for i := range picked {
		windowed[picked[i].path] = windowed[picked[i].path] || picked[i].row == nil
	}
	for i := range picked {
		if len(a.Results) == r.limit() {
			return true, false, nil
		}
		c := &picked[i]
		f, err := files.file(ctx, c.path)
		switch {
		case errors.Is(err, jit.ErrMoved), errors.Is(err, jit.ErrNotIndexed):
			r.moved = jit.Report{Modified: []string{c.path}}
			return false, true, nil
		case errors.Is(err, jit.ErrUnverified):
			r.withhold(c.path)
			continue
		case err != nil:
			return false, false, err
		}
		r.classes[c.path] = f.row.Class
		c.covered = r.terms.covered(c, f)
		if r.endsAt(picked, i) {
			return true, false, nil
		}
		res := d.result(c, f, len(shown))
		judged := res
		if windowed[c.path] {
			judged = d.asJSON(res, c, f, len(shown))
		}
		if repeats(judged, shown) {
			continue
		}
		if shown = append(shown, judged); len(shown) <= a.From {
			continue
		}
		switch {
		case r.budget.Fits(res):
		case len(a.Results) == 0:
			// The first result is always shown, without suggested calls if necessary.
			if g, ok := res.(*contract.Group); ok {
				g.Navigation = nil
			}
			r.budget.Spend(res)
		default:
			a.Cursor = contract.RankCursor(a.From+len(a.Results), a.List)
			a.Truncated = &contract.Truncation{What: "results", Shown: len(a.Results),
				Omitted: min(len(picked)-i, r.limit()-len(a.Results)), Cause: contract.CauseMaxTokens,
				Next: contract.Suggest(r.req.Next(func(next *contract.SearchRequest) { next.Cursor = a.Cursor }))}
			return false, false, nil
		}
		if a.Results = append(a.Results, res); r.isName() && c.exact >= rank.NamedSame && a.Named == len(a.Results)-1 {
			a.Named++
		}
	}
	return false, false, nil
}

// isName reports whether the query is one word and the request is for the first page. A symbol of
// that name is then the answer.
func (r *search) isName() bool {
	return r.answer.From == 0 && len(strings.Fields(r.query.Text)) == 1 && r.req.GroupBy == contract.GroupBySymbol
}

// repeats reports whether res is no symbol, and a better result covers all of its lines. The text
// between symbols is indexed in windows, which also contain lines of symbols.
func repeats(res contract.SearchResult, better []contract.SearchResult) bool {
	g, ok := res.(*contract.Group)
	if !ok || g.SymbolID != "" || g.PreviewSpan == nil {
		return false
	}
	for _, b := range better {
		file, span := b.Place()
		if file != g.File {
			continue
		}
		shown := []contract.LineSpan{span}
		if b, ok := b.(*contract.Group); ok {
			if b.SymbolID == "" {
				shown = nil // if a preview shows only some lines of a window, the others do not count
			}
			if b.SymbolSpan != nil {
				shown = append(shown, *b.SymbolSpan)
			}
			if b.PreviewSpan != nil {
				shown = append(shown, *b.PreviewSpan)
			}
		}
		for _, s := range shown {
			if s.StartLine <= g.PreviewSpan.StartLine && g.PreviewSpan.EndLine <= s.EndLine {
				return true
			}
		}
	}
	return false
}

// withhold adds a warning that a file's text is withheld because it cannot be verified.
func (r *search) withhold(file string) {
	r.answer.Warnings.Add(engine.UnreadWarning([]string{file}))
}

// drawing converts candidates to results, in the form and with the detail that the request asks for.
type drawing struct {
	*search
	several bool // whether several symbols have the queried name
	holding int  // number of first results that have a rare literal of the query
}

// result returns c as a group, or as a chunk in raw mode.
func (d *drawing) result(c *candidate, f *shownFile, index int) contract.SearchResult {
	if d.req.ResultMode == contract.ResultsRaw {
		return d.chunk(c, f)
	}
	g := d.group(c, f, index)
	if d.req.Detail == contract.DetailFull || index < navigated {
		g.Navigation = d.navigation(g)
	}
	return g
}

// staleness returns a level for the age of the index entry; the text itself is verified.
func (s *Service) staleness(at time.Time) string {
	switch age := s.Clock().Sub(at); {
	case age < 24*time.Hour:
		return "fresh"
	case age < 7*24*time.Hour:
		return "aging"
	}
	return "stale"
}

// group renders c as a group. A compact answer does not repeat the instance id and the label,
// which are in the symbol reference or next to it.
func (d *drawing) group(c *candidate, f *shownFile, index int) *contract.Group {
	s, full := d.service, d.req.Detail == contract.DetailFull
	text, window := d.lines(c, f, index, d.asText())
	g := &contract.Group{Kind: "group", File: c.path, Span: contract.LineSpan{StartLine: c.start, EndLine: c.end},
		Service: d.services.Of(c.path).Name, Language: f.row.Language, Class: saidClass(f.row.Class),
		SymbolLabel: c.path, Preview: text, MatchedBy: c.matchedBy, Score: round(c.score),
		IndexedAt: engine.Stamp(f.row.IndexedAt), StalenessBucket: s.staleness(f.row.IndexedAt),
		CollapsedChunkCount: c.chunks,
		CallGraphHint:       contract.CallGraphHint{Reason: contract.ReasonMissingSymbol},
		Capabilities: contract.Capabilities{OpenSymbol: contract.Unavailable,
			CallGraphCallers: contract.Unavailable, CallGraphCallees: contract.Unavailable,
			SemanticMatch: semanticMatch(c)}}
	if window.StartLine > 0 {
		g.PreviewSpan = &window
	}
	g.GroupID = fmt.Sprintf("%s:%d-%d", c.path, c.start, c.end)
	g.Confidence = lessSure(d.answer.Confidence, d.sure(c))
	if c.row == nil {
		return g
	}
	n := nameRow(c.row.Symbol, c, f)
	span := contract.Lines(n.Symbol.Span)
	g.SymbolID, g.SymbolInstanceID, g.GroupID = string(n.ID), n.Instance(), string(n.ID)
	g.Overloads = c.overloads
	g.SymbolLabel, g.SymbolKind = n.Symbol.QualifiedName, string(n.Symbol.Kind)
	g.CallGraphHint = symbols.GraphHint(c.path, n, engine.Stamp(s.Clock()))
	if full {
		g.SymbolKey = n.Key()
	} else if ref := g.CallGraphHint.SymbolRef; ref != nil {
		g.SymbolInstanceID, ref.SymbolLabel = "", ""
	}
	if full || span != g.Span {
		g.SymbolSpan = &span
	}
	g.Capabilities.OpenSymbol = contract.High
	if g.CallGraphHint.Supported {
		g.Capabilities.CallGraphCallers, g.Capabilities.CallGraphCallees = contract.Medium, contract.Medium
	}
	return g
}

// lines returns the text that a result shows, and its span. In a text answer it is an excerpt, else a
// preview, which is shorter for compact results after the first few. Both are empty if the heading says as
// much as an excerpt would.
func (d *drawing) lines(c *candidate, f *shownFile, index int, asText bool) (text string, at contract.LineSpan) {
	most := previewLines
	switch {
	case asText:
		most = d.excerptLines(index)
	case d.req.Detail != contract.DetailFull && index >= navigated:
		most = shortPreview
	}
	switch {
	case c.focus > 0 && !(asText && d.isName() && c.exact >= rank.NamedSame):
		text, at = previewAround(f, c, most)
	case asText:
		text, at = d.excerpt(f, c, index)
	default:
		text, at = preview(f.text, f.lines, c.start, c.end, most, d.terms.list)
	}
	if c.row != nil && strings.TrimSpace(text) == "" && at.StartLine > 0 {
		// For the lines between the members of a type, its first lines are more informative.
		span := c.row.Symbol.Span
		return preview(f.text, f.lines, span.StartLine, min(span.EndLine, span.StartLine+most-1), most, d.terms.list)
	}
	return text, at
}

// asJSON returns res with the span that its preview has in JSON. The function repeats decides by this
// span in both formats, so that a request has the same results in both.
func (d *drawing) asJSON(res contract.SearchResult, c *candidate, f *shownFile, index int) contract.SearchResult {
	g, ok := res.(*contract.Group)
	if !ok || !d.asText() {
		return res
	}
	same := *g
	_, at := d.lines(c, f, index, false)
	same.PreviewSpan = &at
	return &same
}

// saidClass returns the class of a file for a result; "" for source, which is the usual class.
func saidClass(c code.Class) code.Class {
	if c == code.ClassSource {
		return ""
	}
	return c
}

// nameRow returns symbol, as read from the index, with its id. The text of f is needed for the instance
// id, which contains a hash of the symbol's text.
func nameRow(symbol code.Symbol, c *candidate, f *shownFile) symbols.Named {
	return symbols.NameSymbol(&code.File{Path: c.path, Language: f.row.Language, Text: f.text}, c.symbol, &symbol)
}

func round(f float64) float64 { return math.Round(f*1e4) / 1e4 }

// maxChunkLines is the largest number of lines in a raw result.
const maxChunkLines = 80

// chunk renders c as a chunk, with the text of at most maxChunkLines lines.
func (d *drawing) chunk(c *candidate, f *shownFile) *contract.Chunk {
	start, end := f.lines.Lines(c.start, min(c.end, c.start+maxChunkLines-1))
	k := &contract.Chunk{Kind: "chunk", File: c.path,
		Span:    contract.LineSpan{StartLine: c.start, EndLine: min(c.end, c.start+maxChunkLines-1)},
		Service: d.services.Of(c.path).Name, Language: f.row.Language, Class: saidClass(f.row.Class),
		Content: strings.ToValidUTF8(string(f.text[start:end]), "\ufffd"), MatchedBy: c.matchedBy,
		Score:     round(c.score),
		IndexedAt: engine.Stamp(f.row.IndexedAt), StalenessBucket: d.service.staleness(f.row.IndexedAt)}
	if c.row != nil {
		n := nameRow(c.row.Symbol, c, f)
		k.SymbolKind, k.SymbolLabel = string(n.Symbol.Kind), n.Symbol.QualifiedName
		k.SymbolID, k.SymbolKey, k.SymbolInstanceID = string(n.ID), n.Key(), n.Instance()
	}
	return k
}

// navigation returns the suggested calls for a group.
func (d *drawing) navigation(g *contract.Group) *contract.Navigation {
	root, abs := d.place.Root.Path(), d.place.Absolute(g.File)
	window := &contract.OutlineRequest{Path: root, File: g.File, StartLine: g.Span.StartLine, EndLine: g.Span.EndLine}
	read := &contract.ReadRequest{Path: abs, StartLine: g.Span.StartLine, EndLine: g.Span.EndLine}
	if g.SymbolID == "" {
		return &contract.Navigation{
			NavigationFallback: &contract.NavigationFallback{Message: "No symbol owns these lines; read them, or " +
				"outline the file.",
				Context: contract.FallbackContext{CodebaseRoot: root, RelativeFile: g.File, AbsolutePath: abs,
					StartLine: g.Span.StartLine, EndLine: g.Span.EndLine},
				ReadSpan: contract.Suggest(read), FileOutlineWindow: contract.Suggest(window)},
			RecommendedNextAction: contract.Suggest(read).Because("Shows the matching lines."),
		}
	}
	instance := g.SymbolInstanceID
	if ref := g.CallGraphHint.SymbolRef; instance == "" && ref != nil {
		instance = ref.SymbolInstanceID
	}
	open := &contract.ReadRequest{Path: abs,
		OpenSymbol: &contract.OpenSymbol{SymbolID: g.SymbolID, SymbolInstanceID: instance}}
	n := &contract.Navigation{
		NextActions: &contract.NextActions{OpenSymbol: contract.Suggest(open),
			OutlineWindow: contract.Suggest(window)},
		RecommendedNextAction: contract.Suggest(open).Because("Shows " + g.SymbolLabel + " as it is on disk now."),
	}
	if g.CallGraphHint.Supported {
		ref := contract.SymbolRef{File: g.File, SymbolID: g.SymbolID, SymbolInstanceID: instance}
		n.NextActions.CallGraph = contract.Suggest(&contract.GraphRequest{Path: root, SymbolRef: ref})
		if d.req.Detail == contract.DetailFull {
			n.NextActions.TraceCallers = contract.Suggest(&contract.GraphRequest{Path: root, SymbolRef: ref,
				Direction: contract.DirectionCallers, Depth: 3})
			n.NextActions.TraceCallees = contract.Suggest(&contract.GraphRequest{Path: root, SymbolRef: ref,
				Direction: contract.DirectionCallees, Depth: 3})
			name := symbols.LastName(g.SymbolLabel)
			n.InboundRecovery = contract.Suggest(&contract.SearchRequest{Path: root,
				Query: "must:" + contract.QuoteOperator(name) + " " + name, Scope: contract.ScopeMixed})
			n.Fallbacks = []contract.Action{*contract.Suggest(read)}
		}
	}
	return n
}

// classOf returns the class of a file of the answer.
func (r *search) classOf(file string) code.Class { return r.classes[file] }

// serviceNames returns services' names, for an error message.
func serviceNames(services []jit.Service) string {
	var out []string
	for _, s := range services {
		out = append(out, s.Name)
	}
	if len(out) == 0 {
		return "none, as no manifest marks a service here"
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}
