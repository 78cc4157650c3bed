package compact

import (
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

// folded counts what was left out, with the argument that shows it.
func (g *graph) folded() {
	f := g.answer.Folded
	if f == nil {
		return
	}
	if f.Tests > 0 {
		g.line("+%s from tests in %s   expand: [\"tests\"]", count(f.Tests, "call"), count(f.TestFiles, "file"))
	}
	if f.Dynamic > 0 {
		g.line("+%s in %s   expand: [\"dynamic\"]", count(f.Dynamic, "possible edge"), count(f.DynamicFiles, "file"))
	}
}

// maxNotes bounds the notes of one type.
const maxNotes = 5

// notes writes what the graph knows and does not claim as an edge, a line for
// each type of note.
func (g *graph) notes() {
	var open, byName, values, unanswered, beyond, suppressed, cycles []string
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
			suppressed = append(suppressed, n.Target+" "+g.at(n.File, n.Line))
		case contract.NoteMissingMetadata:
			g.line("note: %s", n.Detail)
		}
	}
	g.list("unresolved", open)
	g.list("unresolved call sites by name", byName)
	g.list("through values", values)
	g.list("no service here answers", unanswered)
	g.list("cycles", cycles)
	g.list("below minConfidence or refuted", suppressed)
	g.list("external", beyond)
	if g.answer.NotesTruncated {
		g.line("+%d notes", g.answer.TotalNoteCount-g.answer.ReturnedNoteCount)
	}
}

// list writes one line of items, the first of them and the count of the others.
func (g *graph) list(name string, items []string) {
	if len(items) == 0 {
		return
	}
	more := ""
	if n := len(items) - maxNotes; n > 0 {
		items, more = items[:maxNotes], fmt.Sprintf(", +%d", n)
	}
	g.line("%s: %s%s", name, strings.Join(items, ", "), more)
}

// at returns the place of a note, in the file of the root its line alone.
func (g *graph) at(file string, line int) string {
	if file == g.root.File {
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// servers says that language servers may still settle what is open.
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
		g.line("language servers have %s to look at   verify: \"wait\"", count(v.Pending, "edge"))
	}
}
