package compact

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
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
	case len(a.Results) == 0 && a.From > 0:
		w.line("no more results")
	case len(a.Results) == 0 && (a.Scope == contract.ScopeRuntime || a.Scope == contract.ScopeDocs):
		w.put(plain("nothing found in scope "+string(a.Scope)), w.option("scope", contract.ScopeMixed))
	case len(a.Results) == 0:
		w.line("nothing found")
	case a.Confidence == contract.Low && a.From == 0:
		w.line("weak match: nothing really answers the query; the nearest are")
	}
	for _, n := range a.DidYouMean {
		several := ""
		if n.Symbols > 1 {
			several = count(n.Symbols, "symbol") + ", first "
		}
		parts := []typeset.Part{plain("did you mean "), named(n.SymbolLabel), plain(" (" + several), w.file(n.File),
			placed(fmt.Sprintf(":%d", n.Line)), plain(")?")}
		if w.terminal != nil {
			parts = append(parts, w.option("query", n.SymbolLabel))
		}
		w.put(parts...)
	}
	if a.From > 0 && a.Matches == nil && listed(a.GroupBy, a.ResultMode) {
		w.places(a)
	} else {
		w.results(a)
		for _, b := range a.Beside {
			w.beside(b)
		}
	}
	w.warnings(a.Warnings)
	if t := a.Tiers; t != nil && a.Matches == nil && a.Confidence != contract.High &&
		(t.Semantic.State == contract.TierBuilding || t.Semantic.State == contract.TierFailed) {
		w.note("found by words only: " + t.Semantic.Why)
	}
	if a.Hints != nil && a.Hints.Debug != nil {
		w.debug(a.Hints.Debug)
	}
}

// beside writes the other declarations of the file that has most results:
//
//	also in store/plan.go:
//	  12-40 decide
func (w *writer) beside(b contract.Beside) {
	w.put(plain("also in "), w.file(b.File), plain(":"))
	for _, s := range b.Symbols {
		w.put(placed("  "+lines(s.Span)), named(" "+s.SymbolLabel))
	}
	if b.Omitted > 0 && w.terminal == nil {
		w.line("+%d   file_outline file: %q", b.Omitted, b.File)
	}
}

// matches writes how many lines match a query that returns every match, such as one with regex:.
func (w *writer) matches(a *contract.SearchAnswer) {
	m := a.Matches
	so := ""
	if !m.Complete {
		so = " so far: the index is not complete"
		if m.Unread {
			so = " of what can be read"
		}
	}
	if m.Lines != 1 || so != "" || len(a.Results) == 0 {
		w.line("%s in %s%s", count(m.Lines, "line"), count(m.Files, "file"), so)
	}
	if out := m.OutOfScope; out != nil {
		w.put(plain(fmt.Sprintf("+%s in %s outside of scope %s", count(out.Lines, "line"), count(out.Files, "file"),
			a.Scope)), w.option("scope", contract.ScopeMixed))
	}
}

// brief reports whether result i is shown as one line without source, when several results have the
// queried name. The first result has source. So do results with the same qualified name, such as
// overloads, because only their source distinguishes them.
func brief(named []contract.SearchResult, i int) bool {
	g, ok := named[i].(*contract.Group)
	if !ok || i == 0 {
		return false
	}
	return !slices.ContainsFunc(named, func(r contract.SearchResult) bool {
		other, ok := r.(*contract.Group)
		return ok && other != g && other.SymbolLabel == g.SymbolLabel
	})
}

// twin reports whether a result before result i shows the same source, such as a function that is
// implemented once for each platform.
func twin(named []contract.SearchResult, i int) bool {
	g, ok := named[i].(*contract.Group)
	return ok && slices.ContainsFunc(named[:i], func(r contract.SearchResult) bool {
		other, ok := r.(*contract.Group)
		return ok && other.Preview == g.Preview
	})
}

// overload reports whether two results are declarations of one name in one file.
func overload(a, b contract.SearchResult) bool {
	x, isGroup := a.(*contract.Group)
	y, ok := b.(*contract.Group)
	return ok && isGroup && x.File == y.File && x.SymbolLabel == y.SymbolLabel && x.SymbolKind != "" &&
		x.SymbolKind == y.SymbolKind && len(x.MatchedLines)+len(y.MatchedLines) == 0
}

// together moves each overload directly after the first result that declares the same name in the
// same file. The order is otherwise unchanged.
func together(list []contract.SearchResult) (out []contract.SearchResult) {
	placed := make([]bool, len(list))
	for i, r := range list {
		if placed[i] {
			continue
		}
		out = append(out, r)
		for j := i + 1; j < len(list); j++ {
			if !placed[j] && overload(r, list[j]) {
				out, placed[j] = append(out, list[j]), true
			}
		}
	}
	return out
}

// again writes a further overload below the first one, by its lines and its source:
// "  12-14: int size(long of) {".
func (w *writer) again(g *contract.Group) {
	w.sources.add(g)
	at := dim("  " + lines(symbolLines(g)) + ":")
	if source := strings.TrimSpace(g.Preview); !strings.Contains(source, "\n") {
		w.put(at, plain(" "), quoted(excerpt(source)))
		return
	}
	w.put(at)
	w.block(g.Preview, g.PreviewSpan.StartLine)
}

// results writes the results. If the query is a name and some results have that name, it writes
// these and only counts the others.
func (w *writer) results(a *contract.SearchAnswer) {
	shown := a.Results
	if a.Named > 0 {
		shown = shown[:a.Named]
	}
	shown = together(shown)
	file := ""
	for i, r := range shown {
		switch r := r.(type) {
		case *contract.Group:
			if alone(shown, i) {
				w.match(r)
				continue
			}
			switch {
			case i > 0 && overload(shown[i-1], r):
				w.again(r)
			case a.Named > 0 && (brief(shown, i) || twin(shown, i)):
				w.place(r)
			case a.Named > 0 && w.said(r, a.Query):
				w.unnamed(r)
			default:
				w.group(r, file)
			}
		case *contract.Chunk:
			w.chunk(r)
		}
		file, _ = r.Place()
	}
	if rest := len(a.Results) - len(shown); rest > 0 {
		w.put(plain(fmt.Sprintf("+%d others", rest)), w.continued(contract.RankCursor(a.From+len(shown), a.List)))
		return
	}
	w.rest(a)
}

// rest writes that there are more results, and how to see them.
func (w *writer) rest(a *contract.SearchAnswer) {
	switch t := a.Truncated; {
	case t != nil:
		what := t.What
		if t.Omitted == 1 {
			what = strings.TrimSuffix(what, "s")
		}
		w.put(plain(fmt.Sprintf("+%d more %s (%s)", t.Omitted, what, t.Cause)), w.continued(a.Cursor))
	case a.Cursor != "":
		w.put(plain("+more"), w.continued(a.Cursor))
	}
}

// continued returns the argument cursor that continues the answer, or an empty part if cursor is
// "".
func (w *writer) continued(cursor string) typeset.Part {
	if cursor == "" {
		return plain("")
	}
	return w.option("cursor", cursor)
}

// alone reports whether result i is the only one of its file and has a single matching line. It
// then needs no heading.
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

// match writes the only matching line of a file with its path.
func (w *writer) match(g *contract.Group) {
	l := g.MatchedLines[0]
	w.put(w.file(g.File), placed(fmt.Sprintf(":%d", l.Line)), owner(g), plain(": "), quoted(strings.TrimSpace(l.Text)),
		class(g.Class))
}

// owner returns the name of the symbol that contains the matched lines. It omits a type that has
// the name of the file: in Store.java, the method Store.close is "close".
func owner(g *contract.Group) typeset.Part {
	if g.SymbolKind == "" {
		return plain("")
	}
	base, _, _ := strings.Cut(path.Base(g.File), ".")
	return named(" " + strings.TrimPrefix(g.SymbolLabel, base+"."))
}

// said reports whether the heading of a result can omit the symbol's name, because the name is
// the query and the source below contains it.
func (w *writer) said(g *contract.Group, query string) bool {
	name := g.SymbolLabel[strings.LastIndexByte(g.SymbolLabel, '.')+1:]
	return w.terminal == nil && g.SymbolLabel == query && strings.Contains(g.Preview, name)
}

// unnamed writes the place and the source of a result, without the kind and name of its symbol.
func (w *writer) unnamed(g *contract.Group) {
	nameless := *g
	nameless.SymbolKind, nameless.SymbolLabel = "", ""
	if g.SymbolSpan == nil {
		nameless.SymbolSpan = &g.Span
	}
	w.group(&nameless, "")
}

// group writes one result. before is the file of the previous result: the matching lines of one
// file share a heading.
func (w *writer) group(g *contract.Group, before string) {
	if len(g.MatchedLines) > 0 {
		if g.File != before {
			w.put(w.file(g.File), class(g.Class))
		}
		w.matched(g)
		return
	}
	w.place(g)
	first := 0
	if g.PreviewSpan != nil {
		first = g.PreviewSpan.StartLine
	}
	if g.Preview != "" && !w.sources.holdMost(g) {
		w.block(g.Preview, first)
		w.sources.add(g)
	}
	w.overloads(g.Overloads)
}

// sources holds which lines of which files an answer shows.
type sources map[string]map[int]bool

// add adds the lines of the excerpt of g.
func (s *sources) add(g *contract.Group) {
	if g.PreviewSpan == nil {
		return
	}
	if *s == nil {
		*s = sources{}
	}
	lines := (*s)[g.File]
	if lines == nil {
		lines = map[int]bool{}
		(*s)[g.File] = lines
	}
	for l := g.PreviewSpan.StartLine; l <= g.PreviewSpan.EndLine; l++ {
		lines[l] = true
	}
}

// holdMost reports whether the answer already shows more than half of the lines of the excerpt of g. A function
// and the one declared in it, or a class and its method, often match by the same lines.
func (s *sources) holdMost(g *contract.Group) bool {
	if g.PreviewSpan == nil {
		return false
	}
	held, all := 0, g.PreviewSpan.EndLine-g.PreviewSpan.StartLine+1
	for l := g.PreviewSpan.StartLine; l <= g.PreviewSpan.EndLine; l++ {
		if (*s)[g.File][l] {
			held++
		}
	}
	return 2*held > all
}

// overloads writes the lines of further overloads of a result: " 12-14,16-18: 2 overloads".
func (w *writer) overloads(list []contract.LineSpan) {
	var at []string
	for _, span := range list {
		at = append(at, lines(span))
	}
	if len(at) > 0 {
		w.put(dim("  "+strings.Join(at, ",")+": "), plain(count(len(at), "overload")))
	}
}

// place writes the place of a result, without its source.
func (w *writer) place(g *contract.Group) {
	at := symbolLines(g)
	if g.SymbolKind == "" && g.SymbolSpan == nil && g.PreviewSpan != nil {
		at = *g.PreviewSpan
	}
	w.heading(g.File, at, g.SymbolKind, g.SymbolLabel, g.Class)
}

// symbolLines returns the lines of a result's symbol, or those of the result itself if it has no symbol.
func symbolLines(g *contract.Group) contract.LineSpan {
	if g.SymbolSpan != nil {
		return *g.SymbolSpan
	}
	return g.Span
}

// heading writes the place and the symbol of a result, "a.go:1-9 function F".
func (w *writer) heading(file string, at contract.LineSpan, kind, label string, of code.Class) {
	parts := []typeset.Part{w.file(file), span(at)}
	if kind != "" {
		parts = append(parts, dim(" "+kind), named(" "+label))
	}
	w.put(append(parts, class(of))...)
}

// class returns the class of a file, such as test, if it is not source code.
func class(name code.Class) typeset.Part {
	if name == "" {
		return dim("")
	}
	return dim(" (" + string(name) + ")")
}

// matched writes the matching lines of a result. The first line names the symbol around it.
func (w *writer) matched(g *contract.Group) {
	of := owner(g)
	near := g.ContextLines
	for i, l := range g.MatchedLines {
		if i > 0 {
			of = plain("")
		}
		near = w.near(near, l.Line)
		text := strings.TrimSpace(l.Text)
		if len(g.ContextLines) > 0 {
			text = strings.TrimRight(l.Text, " \t\r")
		}
		w.put(dim(fmt.Sprintf("  %d", l.Line)), of, plain(": "), quoted(text))
	}
	w.near(near, math.MaxInt)
}

// near writes the context lines that precede the line with number end. It returns the other context
// lines.
func (w *writer) near(lines []contract.MatchedLine, end int) []contract.MatchedLine {
	for len(lines) > 0 && lines[0].Line < end {
		w.put(dim(fmt.Sprintf("  %d- ", lines[0].Line)), quoted(strings.TrimRight(lines[0].Text, " \t\r")))
		lines = lines[1:]
	}
	return lines
}

// chunk writes a result that is a piece of a file, with all of its text.
func (w *writer) chunk(c *contract.Chunk) {
	w.heading(c.File, c.Span, c.SymbolKind, c.SymbolLabel, c.Class)
	w.WriteString(c.Content)
	if !strings.HasSuffix(c.Content, "\n") {
		w.WriteByte('\n')
	}
}
