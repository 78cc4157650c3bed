package impact

import (
	"fmt"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// These constants bound an answer. A request may set the number of test files in addition.
const (
	// fairScore is the least ratio of a test's score to the best score at which a test that does
	// not call the changed code is shown by default.
	fairScore   = 0.3
	shownNames  = 5    // test names shown per file
	leastShown  = 3    // test files that the budget never cuts
	callerShare = 2    // an answer shows at most its limit, divided by callerShare, of callers
	manySymbols = 40   // largest number of changed symbols in an answer that is too large with more
	maxSymbols  = 1000 // largest number of changed symbols in an answer
)

// cursor counts the tests and callers that earlier answers have shown.
type cursor struct{ tests, callers int }

func (c cursor) String() string { return fmt.Sprintf("i%d.%d", c.tests, c.callers) }

func parseCursor(text string) (c cursor, ok bool) {
	if text == "" {
		return c, true
	}
	n, err := fmt.Sscanf(text, "i%d.%d", &c.tests, &c.callers)
	return c, err == nil && n == 2 && c.String() == text && c.tests >= 0 && c.callers >= 0
}

// part holds, for each kind of finding, how many of them an answer shows at most.
type part struct{ tests, callers, names, files, symbols int }

// fit writes the likeliest findings into the answer, as far as the limit and the budget allow. It
// returns the files that the answer depends on.
func (q *question) fit(found *findings) []string {
	tests := found.tests[min(q.from.tests, len(found.tests)):]
	callers := found.callers[min(q.from.callers, len(found.callers)):]
	p := part{tests: min(len(tests), q.req.Limit), callers: min(len(callers), max(q.req.Limit/callerShare, 1)),
		names: shownNames, files: len(found.changes), symbols: maxSymbols}
	if q.req.Cursor == "" && !slices.Contains(q.req.Expand, contract.FoldTests) {
		for p.tests > 0 && !tests[p.tests-1].fair {
			p.tests--
		}
	}
	for cause := contract.CauseLimit; ; cause = contract.CauseMaxTokens {
		q.write(found, tests[:p.tests], callers[:p.callers], p)
		q.more(len(tests)-p.tests, len(callers)-p.callers, p, cause)
		if q.req.Size(q.answer) <= q.req.MaxTokens || !p.shrink() {
			break
		}
	}
	return q.rests(found, tests[:p.tests], callers[:p.callers])
}

// shrink removes some of the least important findings, and reports whether there were any.
func (p *part) shrink() bool {
	switch {
	case p.names > 1:
		p.names--
	case p.callers > leastShown:
		p.callers = p.callers * 3 / 4
	case p.symbols == maxSymbols:
		p.symbols, p.files = manySymbols, min(p.files, manySymbols)
	case p.tests > 2*leastShown:
		p.tests = p.tests * 7 / 8
	case p.symbols > leastShown:
		p.symbols, p.files = p.symbols*3/4, min(p.files, p.symbols*3/4)
	case p.tests > leastShown || p.tests > 0 && p.callers > 0:
		p.tests, p.callers = min(p.tests, leastShown), 0
	case p.callers > 1: // a page without tests needs a caller, so that its cursor advances
		p.callers = 1
	default:
		return false
	}
	return true
}

// write fills the answer with the given tests and callers, and with as many changed files and symbols as
// p allows.
func (q *question) write(found *findings, tests []*evidence, callers []*step, p part) {
	x := &contract.Impact{From: found.diff.From, To: found.diff.To, TotalTests: len(found.tests),
		TotalCallers: len(found.callers), Unwalked: found.unwalked(),
		TotalFiles: len(found.changes) + found.diff.Omitted, Uncompared: found.late()}
	services := q.place.Root.Services()
	if q.req.Cursor == "" {
		left := p.symbols
		for i := range found.changes {
			c := &found.changes[i]
			if x.TotalSymbols += len(c.symbols); i >= p.files {
				continue
			}
			f := c.file(min(left, len(c.symbols)))
			f.Service = services.Of(c.Path).Name
			left -= len(f.Symbols)
			x.Files = append(x.Files, f)
		}
		x.Services = found.services(services.Of)
	}
	for _, t := range tests {
		c := t.concerned(p.names)
		c.Service = services.Of(t.path).Name
		x.Tests = append(x.Tests, c)
	}
	for _, s := range callers {
		x.Callers = append(x.Callers, contract.ConcernedCaller{SymbolID: idOf(s), SymbolLabel: s.name(),
			File: s.ref.File.Path, Line: s.line, Kind: s.kind,
			Distance: s.depth, Target: s.next.name(), Service: services.Of(s.ref.File.Path).Name})
	}
	q.answer.Impact = x
}

// idOf returns the id of the symbol of a step, or "" if the step is code of a file outside of symbols.
func idOf(s *step) string {
	if s.ref.Index < 0 {
		return ""
	}
	return string(code.ID(s.ref.File.Path, s.ref.File.Language, s.ref.Symbol()))
}

// file describes a changed file with at most the given number of symbols.
func (c *change) file(symbols int) contract.ChangedFile {
	f := contract.ChangedFile{File: c.Path, Was: c.Was, State: contract.ChangeModified,
		OtherLines: !c.late && (c.top || !c.parsed), Uncompared: c.late}
	switch {
	case c.Added:
		f.State = contract.ChangeAdded
	case c.Removed:
		f.State = contract.ChangeRemoved
	case c.Was != "":
		f.State = contract.ChangeRenamed
	}
	for i := range c.symbols[:symbols] {
		s := &c.symbols[i]
		f.Symbols = append(f.Symbols, contract.ChangedSymbol{SymbolID: string(code.ID(c.Path, c.language, &s.Symbol)),
			SymbolLabel: s.QualifiedName,
			Kind:        s.Kind, State: s.state, Span: contract.Lines(s.Span)})
	}
	f.MoreSymbols = len(c.symbols) - symbols
	return f
}

// concerned describes a test file with at most the given number of its tests.
func (e *evidence) concerned(names int) contract.ConcernedTest {
	out := contract.ConcernedTest{File: e.path, Evidence: e.evidence, Total: len(e.tests)}
	if s := e.way(); s != nil {
		out.Distance, out.Target = s.depth, s.target().name()
	}
	for _, s := range e.tests[:min(names, len(e.tests))] {
		out.Tests = append(out.Tests, contract.TestReference{File: e.path, Line: s.line, Label: s.name()})
	}
	return out
}

// more records in the answer how many tests and callers it omits, for which cause, and the call
// that returns them. If both numbers are 0, it clears the record.
func (q *question) more(tests, callers int, p part, cause contract.Cause) {
	a := q.answer
	a.Truncated, a.Cursor = nil, ""
	if tests+callers == 0 {
		return
	}
	a.Cursor = cursor{q.from.tests + p.tests, q.from.callers + p.callers}.String()
	next := q.req.Next(func(r *contract.GraphRequest) { r.Cursor = a.Cursor })
	a.Truncated = &contract.Truncation{What: "tests and callers", Shown: p.tests + p.callers, Omitted: tests + callers,
		Cause: cause, Next: contract.Suggest(next)}
}

// rests returns the files on whose text the answer depends: the files that it shows, and those on
// the chains of calls from them to the change. It skips removed files, whose text cannot change.
func (q *question) rests(found *findings, tests []*evidence, callers []*step) []string {
	files := map[string]bool{}
	for i := range found.changes {
		if !found.changes[i].Removed && found.diff.To == "" {
			files[found.changes[i].Path] = true
		}
	}
	way := func(s *step) {
		for ; s != nil; s = s.next {
			if s.ref.File != nil {
				files[s.ref.File.Path] = true
			}
		}
	}
	for _, t := range tests {
		files[t.path] = true
		way(t.way())
		for _, s := range t.tests[:min(shownNames, len(t.tests))] {
			way(s)
		}
	}
	for _, s := range callers {
		way(s)
	}
	for _, s := range found.crossings(q.place.Root.Services().Of) {
		way(s)
	}
	out := make([]string, 0, len(files))
	for f := range files {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}
