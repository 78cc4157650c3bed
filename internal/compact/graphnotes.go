package compact

import (
	"fmt"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// folded writes how many edges the answer omits, such as calls in tests, with the argument that
// shows them.
func (g *graph) folded() {
	f := g.answer.Folded
	if f == nil {
		return
	}
	// Keep the kinds of edges that the request shows already.
	with := func(fold contract.Fold) []string {
		list := []string{string(fold)}
		for _, open := range g.request.Expand {
			list = append(list, string(open))
		}
		return list
	}
	if f.Tests > 0 {
		g.put(plain(fmt.Sprintf("+%s from tests in %s%s", count(f.Tests, "call"), count(f.TestFiles, "file"),
			sites(f.TestSites))), g.option("expand", with(contract.FoldTests)))
	}
	if f.Dynamic > 0 {
		g.put(plain(fmt.Sprintf("+%s in %s", count(f.Dynamic, "possible edge"), count(f.DynamicFiles, "file"))),
			g.option("expand", with(contract.FoldDynamic)))
	}
	if f.Filtered > 0 {
		g.line("%s left out by include and exclude", count(f.Filtered, "edge"))
	}
}

// sites returns the places of calls as ": a_test.go:12,40 b_test.go:7", or "" for an
// empty list.
func sites(list []contract.Site) string {
	var out strings.Builder
	for i, s := range list {
		switch {
		case i > 0 && s.File == list[i-1].File && s.StartLine == list[i-1].StartLine: // two calls in one line
		case i > 0 && s.File == list[i-1].File:
			fmt.Fprintf(&out, ",%d", s.StartLine)
		case i == 0:
			fmt.Fprintf(&out, ": %s:%d", code.QuotePath(s.File), s.StartLine)
		default:
			fmt.Fprintf(&out, " %s:%d", code.QuotePath(s.File), s.StartLine)
		}
	}
	return out.String()
}

// maxNotes is the largest number of notes of one type that are written, unless detail is
// full.
const maxNotes = 5

// notes writes what is known apart from the edges, such as unresolved calls and cycles, one line
// for each type of note.
func (g *graph) notes() {
	var open, byName, values, unanswered, beyond, suppressed, cycles []string
	listed := map[string]bool{} // calls in suppressed
	for _, n := range g.answer.Notes {
		switch n.Type {
		case contract.NoteUnresolved:
			if n.File == "" && n.Target != g.root.SymbolLabel {
				sites, _, _ := strings.Cut(n.Detail, " ")
				byName = append(byName, n.Target+" "+sites)
				continue
			}
			if n.File == "" {
				g.line("%s", n.Detail)
				continue
			}
			open = append(open, fmt.Sprintf("%s %s (%s)", n.Target, g.at(n.File, n.Line), n.Detail))
		case contract.NoteDynamic:
			values = append(values, n.Target+" "+g.at(n.File, n.Line))
		case contract.NoteUnresolvedServiceCall:
			unanswered = append(unanswered, fmt.Sprintf("%s %s (%s)", n.Target, g.at(n.File, n.Line), n.Detail))
		case contract.NoteExternal:
			calls, _, _ := strings.Cut(n.Detail, " ")
			beyond = append(beyond, n.Target+" "+calls)
		case contract.NoteCycle:
			cycles = append(cycles, n.Detail)
		case contract.NoteSuppressed, contract.NoteRefuted:
			// A call that may lead to several targets has a note for each.
			if call := n.Target + " " + g.at(n.File, n.Line); !listed[call] {
				listed[call] = true
				suppressed = append(suppressed, call)
			}
		case contract.NoteMissingMetadata:
			g.note(n.Detail)
		}
	}
	g.list("unresolved", open)
	g.list("unresolved call sites by name", byName)
	g.list("through values", values)
	g.list("no service here answers", unanswered)
	g.list("cycles", cycles)
	g.list("below minConfidence or refuted", suppressed)
	g.list("external", beyond)
	if n := g.answer.TotalNoteCount - g.answer.ReturnedNoteCount; g.answer.NotesTruncated && n > 0 {
		g.line("%s left out", count(n, "note"))
	}
}

// list writes a line with a name, the first items, and the number of the others. It writes nothing
// if there are no items.
func (g *graph) list(name string, items []string) {
	if len(items) == 0 {
		return
	}
	more := ""
	if shown := g.bounded(len(items), maxNotes); shown < len(items) {
		items, more = items[:shown], fmt.Sprintf(", +%d", len(items)-shown)
	}
	g.line("%s: %s%s", name, strings.Join(items, ", "), more)
}

// at returns the place of a note as FILE:LINE, or only the line if it is in the root's
// file.
func (g *graph) at(file string, line int) string {
	if file == g.root.File {
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%s:%d", code.QuotePath(file), line)
}

// servers writes that language servers can still check edges, if some edges or calls are uncertain.
func (g *graph) servers() {
	v := g.answer.Verification
	if v == nil || v.Pending == 0 {
		return
	}
	unsure := 0
	for i := range g.answer.Edges {
		if evidence(&g.answer.Edges[i]) == "" {
			unsure++
		}
	}
	if c := g.answer.Counts; c != nil {
		unsure += c.Outgoing.Unresolved + c.Inbound.Unresolved
	}
	if unsure > 0 {
		g.put(plain(fmt.Sprintf("language servers have %s to look at", count(v.Pending, "edge"))),
			g.option("verify", contract.VerifyWait))
	}
}

// served returns the first few routes or messages as a list with the places that declare them, a file named once,
// and the number of the others: "GET /a (web/urls.py:3), GET /b (:4), GET /c (:5) and 2 more".
func served(list []contract.Served) string {
	const most = 3
	text, file := "", ""
	for i, s := range list[:min(len(list), most)] {
		if i > 0 {
			text += ", "
		}
		if s.File == file {
			text += fmt.Sprintf("%s (:%d)", s.Via, s.StartLine)
		} else {
			text += fmt.Sprintf("%s (%s)", s.Via, place(s.File, contract.LineSpan{StartLine: s.StartLine}))
		}
		file = s.File
	}
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// noCallers writes that there are no callers, and how far that is certain: the number of files read, the parse errors,
// the languages whose calls are not known. It writes nothing on a page, which may lack callers of other pages.
func (g *graph) noCallers() {
	if g.part {
		return
	}
	f := g.answer.Folded
	if f != nil && f.Filtered > 0 {
		g.title("no callers left", nil)
		return
	}
	if f != nil && f.Tests+f.Dynamic > 0 {
		g.title("no certain production callers", nil)
		return
	}
	g.title("no callers", nil)
	c := g.answer.InboundCoverageEvidence
	if c == nil {
		return
	}
	text := fmt.Sprintf("  %s read", count(c.FilesConsidered, "file"))
	switch {
	case c.UsesNotTraced:
		text += ", but for calls alone: it is a value, and reads of it are not traced"
	case c.OperatorsNotTraced:
		text += ", but for calls by name alone: it is an operator, and its uses in expressions are not traced"
	case c.SameNameCallSites == 0:
		text += ", no call of that name unresolved"
	}
	if c.FilesWithParseErrors > 0 {
		text += fmt.Sprintf(", %s with parse errors", count(c.FilesWithParseErrors, "file"))
	}
	if len(c.UncoveredLanguages) > 0 {
		text += ", calls not known in " + strings.Join(c.UncoveredLanguages, ", ")
	}
	if !c.IndexComplete {
		text += ", index not complete"
	}
	if len(c.Serves) > 0 {
		text += "; it answers " + served(c.Serves) +
			", also to requests from outside or to addresses that are not known"
	}
	if h := g.answer.Hints; h != nil && len(h.NextSteps) > 0 && g.terminal == nil {
		switch next := h.NextSteps[0].Args.(type) {
		case *contract.SearchRequest:
			text += fmt.Sprintf("   every mention: query: %q", next.Query)
		case *contract.GraphRequest:
			text += fmt.Sprintf("   imports name the folder: symbolRef: %q", next.SymbolRef.SymbolLabel)
		case *contract.OutlineRequest:
			text += fmt.Sprintf("   what is in it: file_outline file: %q", next.File)
		}
	}
	g.line("%s", text)
}
