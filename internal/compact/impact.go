package compact

import (
	"cmp"
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

// impact writes what a change affects: the changed symbols by file, the tests that the
// change may affect, other callers by file, and services.
func (w *writer) impact(a *contract.GraphAnswer, req *contract.GraphRequest) {
	x := a.Impact
	hidden := 0
	if req.Cursor == "" {
		hidden += w.changed(x, req)
	}
	hidden += w.tests(x, req)
	w.reaching(x, req.Cursor != "")
	for i, s := range x.Services {
		if i == 0 {
			w.line("reached from other services")
		}
		w.put(plain("  "), w.file(s.File), placed(fmt.Sprintf(":%d", s.Line)),
			plain(fmt.Sprintf(" %s %s", s.Kind, s.Via)),
			dim(fmt.Sprintf("  [%s -> %s]", cmp.Or(s.Service, "?"), cmp.Or(s.To, "?"))))
	}
	if hidden > 0 {
		w.put(plain(fmt.Sprintf("+%d names in the lists above", hidden)), w.option("detail", contract.DetailFull))
	}
	for _, u := range x.Unwalked {
		w.note(u)
	}
	if t := a.Truncated; t != nil {
		w.put(plain(fmt.Sprintf("+%d more (%s)", t.Omitted, t.Cause)), w.continued(a.Cursor))
	}
}

// namedSymbols is the largest number of changed symbols that the text names for a file, unless
// detail is full.
const namedSymbols = 8

// namedOf returns how many of n names are written: all with detail full, else at
// most limit.
func namedOf(req *contract.GraphRequest, n, limit int) int {
	if req.Detail == contract.DetailFull {
		return n
	}
	return min(n, limit)
}

// changed lists the symbols that differ, by file. It returns the number of those that it omits.
func (w *writer) changed(x *contract.Impact, req *contract.GraphRequest) (hidden int) {
	revision := *req.SymbolRef.Diff
	since := "since " + cmp.Or(revision, "HEAD")
	if x.To != "" {
		since = "in " + revision
	}
	if x.TotalFiles == 0 {
		w.line("nothing changed %s", since)
		return 0
	}
	w.line("changed %s: %s", since, extent(x))
	for _, f := range x.Files {
		var parts []string
		shown := namedOf(req, len(f.Symbols), namedSymbols)
		hidden += len(f.Symbols) - shown
		for _, s := range f.Symbols[:shown] {
			switch s.State {
			case contract.ChangeRemoved:
				parts = append(parts, "removed "+s.SymbolLabel)
			case contract.ChangeAdded:
				parts = append(parts, fmt.Sprintf("new %d %s", s.Span.StartLine, s.SymbolLabel))
			default:
				parts = append(parts, fmt.Sprintf("%d %s", s.Span.StartLine, s.SymbolLabel))
			}
		}
		if more := f.MoreSymbols + len(f.Symbols) - len(parts); more > 0 {
			parts = append(parts, fmt.Sprintf("+%d", more))
		}
		switch {
		case f.Uncompared:
			parts = append(parts, "not compared yet")
		case f.State == contract.ChangeAdded || f.State == contract.ChangeRemoved:
		case f.OtherLines && len(parts) == 0:
			parts = append(parts, "lines outside of symbols")
		case len(parts) == 0 && f.State == contract.ChangeModified:
			parts = append(parts, "comments or blank lines")
		}
		w.put(plain("  "), w.file(f.File), dim(stateOf(&f)),
			plain(strings.TrimSuffix(": "+strings.Join(parts, ", "), ": ")))
	}
	w.beyond(x, req)
	return hidden
}

// extent returns how many symbols and files differ: "3 symbols in 2 files". Of files that are not compared yet
// it says no number of symbols.
func extent(x *contract.Impact) string {
	all := count(x.TotalFiles, "file")
	switch {
	case x.Uncompared == 0:
		return fmt.Sprintf("%s in %s", count(x.TotalSymbols, "symbol"), all)
	case x.Uncompared >= x.TotalFiles:
		return all + ", not compared yet"
	}
	return fmt.Sprintf("%s in %d of %s, the others not compared yet", count(x.TotalSymbols, "symbol"),
		x.TotalFiles-x.Uncompared, all)
}

// beyond writes how many changed symbols and files the token budget left out.
func (w *writer) beyond(x *contract.Impact, req *contract.GraphRequest) {
	var parts []string
	symbols := 0
	for i := range x.Files {
		symbols += x.Files[i].MoreSymbols
	}
	if symbols > 0 {
		parts = append(parts, count(symbols, "symbol"))
	}
	if n := x.TotalFiles - len(x.Files); n > 0 {
		parts = append(parts, count(n, "file"))
	}
	if len(parts) == 0 {
		return
	}
	more := plain("")
	if req.MaxTokens < contract.MaxMaxTokens {
		more = w.option("maxTokens", contract.MaxMaxTokens)
	}
	w.put(plain("  +"+strings.Join(parts, ", +")), more)
}

// stateOf returns how a file changed, such as " (was a.go)" for a renamed one, or "" if only its
// text differs.
func stateOf(f *contract.ChangedFile) string {
	switch f.State {
	case contract.ChangeRenamed:
		return " (was " + f.Was + ")"
	case contract.ChangeModified:
		return ""
	}
	return " (" + string(f.State) + ")"
}

// evidenceOf maps the reason for which a change may affect a test to the phrase for it.
var evidenceOf = map[contract.TestEvidence]string{
	contract.TestChanged:  "changed itself",
	contract.TestCalls:    "calls",
	contract.TestMayCall:  "may call",
	contract.TestImports:  "imports",
	contract.TestNamedFor: "by its name",
	contract.TestMentions: "by its words",
}

// These constants bound the names of tests unless detail is full: names are written for the first
// namedFiles files only, at most namedTests each.
const (
	namedFiles = 8
	namedTests = 2
)

// tests lists the test files that the change affects. It returns the number of tests that it
// does not name.
func (w *writer) tests(x *contract.Impact, req *contract.GraphRequest) (hidden int) {
	later := req.Cursor != ""
	switch {
	case len(x.Tests) == 0 && !later && x.TotalFiles > 0:
		w.line("no test is known to be concerned")
	case len(x.Tests) > 0 && later:
		w.line("tests, going on")
	case len(x.Tests) > 0:
		w.line("tests, likeliest first: %d of %s", len(x.Tests), count(x.TotalTests, "file"))
	}
	for i, t := range x.Tests {
		how := evidenceOf[t.Evidence]
		if t.Distance > 1 {
			how += fmt.Sprintf(", %d steps", t.Distance)
		}
		names, shown := "", namedOf(req, len(t.Tests), namedTests)
		if i >= namedFiles {
			shown = namedOf(req, len(t.Tests), 0)
		}
		hidden += len(t.Tests) - shown
		if shown > 0 {
			var list []string
			for _, n := range t.Tests[:shown] {
				list = append(list, n.Label)
			}
			names = ": " + strings.Join(list, ", ")
			if more := t.Total - len(list); more > 0 {
				names += fmt.Sprintf(", +%d", more)
			}
		}
		w.put(plain("  "), w.file(t.File), dim("  ["+how+"]"), plain(names))
	}
	return hidden
}

// reaching writes the production code that reaches the change by calls, grouped by file. The
// parameter later reports whether the answer is a page after the first.
func (w *writer) reaching(x *contract.Impact, later bool) {
	if len(x.Callers) == 0 {
		if x.TotalCallers == 0 && !later && x.TotalSymbols > 0 {
			w.line("no callers in other files")
		}
		return
	}
	if later {
		w.line("callers in other files, going on")
	} else {
		w.line("callers in other files, surest first: %d of %d", len(x.Callers), x.TotalCallers)
	}
	var files []string
	byFile := map[string][]string{}
	for _, c := range x.Callers {
		if byFile[c.File] == nil {
			files = append(files, c.File)
		}
		text := fmt.Sprintf("%d %s -> %s", c.Line, c.SymbolLabel, c.Target)
		byFile[c.File] = append(byFile[c.File], text)
	}
	for _, f := range files {
		w.put(plain("  "), w.file(f), plain(": "+strings.Join(byFile[f], ", ")))
	}
}
