package compact

import (
	"fmt"
	"math"
	"strings"

	"sextant/internal/navigate/contract"
)

func (w *writer) search(a *contract.SearchAnswer) {
	w.head(a.Outcome, a.Path, a.CodebaseRoot)
	if a.Status != contract.StatusOK {
		w.warnings(a.Warnings)
		w.hints(a.Hints)
		return
	}
	switch {
	case a.Matches != nil:
		w.matches(a)
	case len(a.Results) == 0:
		w.line("nothing found%s", map[contract.Scope]string{
			contract.ScopeRuntime: " in scope runtime   scope: \"mixed\"", contract.ScopeDocs: " in scope docs   scope: \"mixed\""}[a.Scope])
	case a.Confidence == contract.Low:
		w.line("weak match: nothing really answers the query; the nearest are")
	}
	for _, n := range a.DidYouMean {
		at := fmt.Sprintf("%s:%d", n.File, n.Line)
		if n.Symbols > 1 {
			at = count(n.Symbols, "symbol") + ", first " + at
		}
		w.line("did you mean %s (%s)?", n.SymbolLabel, at)
	}
	w.results(a)
	w.warnings(a.Warnings)
	if t := a.Tiers; t != nil && a.Matches == nil && a.Confidence != contract.High &&
		(t.Semantic.State == contract.TierBuilding || t.Semantic.State == contract.TierFailed) {
		w.line("note: found by words only: %s", t.Semantic.Why)
	}
	if a.Hints != nil && a.Hints.Debug != nil {
		w.debug(a.Hints.Debug)
	}
}

// matches writes how much an exhaustive query found.
func (w *writer) matches(a *contract.SearchAnswer) {
	m := a.Matches
	so := ""
	if !m.Complete {
		so = " so far: the index is not complete"
	}
	if m.Lines != 1 || so != "" {
		w.line("%s in %s%s", count(m.Lines, "line"), count(m.Files, "file"), so)
	}
	if out := m.OutOfScope; out != nil {
		w.line("+%s in %s outside of scope %s   scope: \"mixed\"", count(out.Lines, "line"), count(out.Files, "file"), a.Scope)
	}
}

// results writes the results. If the query is a name that the first results
// bear, they are the answer, and the others are only counted.
func (w *writer) results(a *contract.SearchAnswer) {
	shown := a.Results
	if a.Named > 0 {
		shown = shown[:a.Named]
	}
	file := ""
	for i, r := range shown {
		switch r := r.(type) {
		case *contract.Group:
			if alone(shown, i) {
				w.match(r)
				continue
			}
			w.group(r, file)
		case *contract.Chunk:
			w.chunk(r)
		}
		file, _ = r.Place()
	}
	if rest := len(a.Results) - len(shown); rest > 0 {
		w.line("+%d others   cursor: %q", rest, contract.RankCursor(a.From+len(shown)))
		return
	}
	switch t := a.Truncated; {
	case t != nil:
		w.line("+%d more (%s)%s", t.Omitted, t.Cause, continued(a.Cursor))
	case a.Cursor != "":
		w.line("+more%s", continued(a.Cursor))
	}
}

func continued(cursor string) string {
	if cursor == "" {
		return ""
	}
	return fmt.Sprintf("   cursor: %q", cursor)
}

// alone reports whether result i has one matched line and no neighbour of its
// file, which needs no heading then.
func alone(list []contract.SearchResult, i int) bool {
	g, ok := list[i].(*contract.Group)
	if !ok || len(g.MatchedLines) != 1 || len(g.ContextLines) > 0 {
		return false
	}
	for _, at := range []int{i - 1, i + 1} {
		if at >= 0 && at < len(list) {
			if file, _ := list[at].Place(); file == g.File {
				return false
			}
		}
	}
	return true
}

// match writes the one matched line of a file with its path.
func (w *writer) match(g *contract.Group) {
	owner := ""
	if g.SymbolKind != "" {
		owner = " " + g.SymbolLabel
	}
	l := g.MatchedLines[0]
	w.line("%s:%d%s: %s%s", g.File, l.Line, owner, strings.TrimSpace(l.Text), class(string(g.Class)))
}

// group writes one result. before is the file of the result above it; matched
// lines of one file stand under one heading.
func (w *writer) group(g *contract.Group, before string) {
	if len(g.MatchedLines) > 0 {
		if g.File != before {
			w.line("%s%s", g.File, class(string(g.Class)))
		}
		w.matched(g)
		return
	}
	span := g.Span
	switch {
	case g.SymbolSpan != nil:
		span = *g.SymbolSpan
	case g.SymbolKind == "" && g.PreviewSpan != nil:
		span = *g.PreviewSpan
	}
	symbol := ""
	if g.SymbolKind != "" {
		symbol = " " + g.SymbolKind + " " + g.SymbolLabel
	}
	w.line("%s%s%s", place(g.File, span), symbol, class(string(g.Class)))
	w.block(g.Preview)
}

// class names the class of a file that is no source.
func class(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

// matched writes the matched lines of a result. The first names their owner.
func (w *writer) matched(g *contract.Group) {
	owner := ""
	if g.SymbolKind != "" {
		owner = " " + g.SymbolLabel
	}
	near := g.ContextLines
	for i, l := range g.MatchedLines {
		if i > 0 {
			owner = ""
		}
		near = w.near(near, l.Line)
		text := strings.TrimSpace(l.Text)
		if len(g.ContextLines) > 0 {
			text = strings.TrimRight(l.Text, " \t\r")
		}
		w.line("  %d%s: %s", l.Line, owner, text)
	}
	w.near(near, math.MaxInt)
}

// near writes the lines before line end that stand around matched ones, and
// returns the others.
func (w *writer) near(lines []contract.MatchedLine, end int) []contract.MatchedLine {
	for len(lines) > 0 && lines[0].Line < end {
		w.line("  %d- %s", lines[0].Line, strings.TrimRight(lines[0].Text, " \t\r"))
		lines = lines[1:]
	}
	return lines
}

// chunk writes one raw result with all of its text.
func (w *writer) chunk(c *contract.Chunk) {
	symbol := ""
	if c.SymbolKind != "" {
		symbol = " " + c.SymbolKind + " " + c.SymbolLabel
	}
	w.line("%s%s%s", place(c.File, c.Span), symbol, class(string(c.Class)))
	w.WriteString(c.Content)
	if !strings.HasSuffix(c.Content, "\n") {
		w.WriteByte('\n')
	}
}
