package symbols_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

var misspelt = map[string]string{
	"session/session.go": "package session\n\n// Session is a login.\ntype Session struct{}\n\n" +
		"// Expired reports whether it is over.\nfunc (s *Session) Expired() bool { return check(s) }\n\n" +
		"func check(s *Session) bool { return s == nil }\n",
	"session/sweep.go": "package session\n\n// Sweep counts.\nfunc Sweep(s *Session) bool { return s.Expired() }\n\n" +
		"var Limit = 3\n",
	"store/token.go": "package store\n\n// Expire ends a token.\nfunc Expire() {}\n\ntype Token struct{}\n\n" +
		"func (t *Token) Close() {}\n",
	"store/sweep.go":   "package store\n\nfunc process() { external.Reload() }\n",
	"conf/settings.py": "def parse_config():\n    pass\n",
}

func labels(list []contract.Candidate) (out []string) {
	for _, c := range list {
		out = append(out, c.SymbolLabel)
	}
	return out
}

// TestGraphOfNearName checks that a misspelt name returns candidates, never a symbol, and that each
// candidate has a call that resolves it.
func TestGraphOfNearName(t *testing.T) {
	b := navigatetest.Of(t, misspelt)
	for label, want := range map[string][]string{
		"Expird": {"Expire", "Session.Expired"}, "Session.Exipred": {"Session.Expired", "Expire"},
		"Sesion.Expired": {"Session.Expired"}, "parseConfg": {"parse_config"}, "rpocess": {"process"},
		"nothing_like_it": nil,
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if a.Status != contract.StatusNotFound || a.Reason != contract.ReasonMissingSymbol || len(a.Edges) > 0 {
			t.Errorf("%s: %+v with %d edges", label, a.Outcome, len(a.Edges))
		}
		if got := labels(a.Candidates); !slices.Equal(got, want) {
			t.Errorf("%s: candidates %v, want %v", label, got, want)
		}
		for i := range want {
			next := a.Hints.NextSteps[i].Args.(*contract.GraphRequest)
			if found := b.Graph(*next); found.Status != contract.StatusOK || found.SymbolRef.SymbolLabel != want[i] {
				t.Errorf("%s: the call for %s leads to %s, %+v", label, want[i],
					found.SymbolRef.SymbolLabel, found.Outcome)
			}
		}
	}
}

// TestNearNameInFile checks that a misspelt name in a given file returns candidates of that file
// only.
func TestNearNameInFile(t *testing.T) {
	b := navigatetest.Of(t, misspelt)
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: "session/session.go",
		SymbolLabel: "Session.Exipred"}})
	if got := labels(a.Candidates); a.Reason != contract.ReasonMissingSymbol ||
		!slices.Equal(got, []string{"Session.Expired"}) {
		t.Errorf("graph: %+v, candidates %v", a.Outcome, got)
	}
	read, err := b.Read(contract.ReadRequest{Path: filepath.Join(b.Dir, "session/session.go"),
		OpenSymbol: &contract.OpenSymbol{SymbolLabel: "chekc"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := labels(read.Candidates); read.Reason != contract.ReasonMissingSymbol ||
		!slices.Equal(got, []string{"check"}) {
		t.Fatalf("read: %+v, candidates %v", read.Outcome, got)
	}
	again, err := b.Read(*read.Hints.NextSteps[0].Args.(*contract.ReadRequest))
	if err != nil || !strings.Contains(again.Content+string(again.Text), "func check(") {
		t.Errorf("the call for check reads %q, %v", again.Content+string(again.Text), err)
	}
	exact, err := b.Service.Outline(t.Context(),
		navigatetest.Normal(t, contract.OutlineRequest{Path: b.Dir, File: "session/session.go",
			ResolveMode: contract.ResolveExact, SymbolLabelExact: "chekc"}))
	if err != nil {
		t.Fatal(err)
	}
	found, err := b.Service.Outline(t.Context(),
		navigatetest.Normal(t, *exact.Hints.NextSteps[0].Args.(*contract.OutlineRequest)))
	if err != nil || found.Outline == nil || found.Outline.Symbols[0].Name != "check" {
		t.Errorf("outline: the call leads to %+v, %v", found, err)
	}
}

// TestSymbolAtLine checks that FILE:LINE resolves to the symbol around the line, and returns
// candidates if several files match.
func TestSymbolAtLine(t *testing.T) {
	b := navigatetest.Of(t, misspelt)
	for label, want := range map[string]string{
		"session/session.go:7": "Session.Expired", "session.go:7": "Session.Expired", "session.go:9": "check",
		"./session/session.go:4": "Session", "session.go:2": "session.go",
		filepath.Join(b.Dir, "session/session.go") + ":7": "Session.Expired",
	} {
		if a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}}); a.Status !=
			contract.StatusOK || a.SymbolRef.SymbolLabel != want {
			t.Errorf("%s: %s, %+v; want %s", label, a.SymbolRef.SymbolLabel, a.Outcome, want)
		}
	}
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "sweep.go:3"}})
	if got := labels(a.Candidates); a.Reason != contract.ReasonAmbiguousSymbol || len(got) != 2 ||
		!slices.Contains(got, "process") {
		t.Errorf("sweep.go:3: %+v, candidates %v", a.Outcome, got)
	}
	read, err := b.Read(contract.ReadRequest{Path: b.Dir,
		OpenSymbol: &contract.OpenSymbol{SymbolLabel: "session.go:9"}})
	if err != nil || !strings.HasPrefix(read.Content+string(read.Text), "func check(") {
		t.Errorf("read: %q, %v", read.Content+string(read.Text), err)
	}
	none, err := b.Read(contract.ReadRequest{Path: b.Dir,
		OpenSymbol: &contract.OpenSymbol{SymbolLabel: "session.go:2"}})
	if err != nil || none.Reason != contract.ReasonMissingSymbol {
		t.Errorf("a line of no symbol: %+v, %v", none, err)
	}
}

// TestLineOfADeclaration checks that any line of a declaration, such as the one below a decorator,
// distinguishes it from other declarations of its name.
func TestLineOfADeclaration(t *testing.T) {
	b := navigatetest.Of(t,
		map[string]string{"a.py": "class Order:\n    @property\n    def total(self):\n        return 1\n\n" +
			"    @total.setter\n    def total(self, n):\n        pass\n"})
	for line, want := range map[int]int{2: 2, 3: 2, 4: 2, 6: 6, 7: 6, 8: 6} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: "a.py", SymbolLabel: "Order.total",
			Span: &contract.LineSpan{StartLine: line, EndLine: line}}})
		if a.Status != contract.StatusOK || a.SymbolRef.Span.StartLine != want {
			t.Errorf("line %d: %+v, %+v, want the symbol from line %d", line, a.Outcome, a.SymbolRef, want)
		}
	}
}

// TestNearFiles checks that a bare or misspelt file name returns the files that it may refer to.
func TestNearFiles(t *testing.T) {
	b := navigatetest.Of(t, misspelt)
	for file, want := range map[string][]string{
		"session.go": {"session/session.go"}, "sesion.go": {"session/session.go"},
		"store/sesion.go": {"session/session.go"}, "store/sweeep.go": {"store/sweep.go", "session/sweep.go"},
		"settings.go": {"conf/settings.py"}, "settigs": {"conf/settings.py"}, "other.go": nil, "x.py": nil,
	} {
		a := b.Outline(file)
		if a.Reason != contract.ReasonMissingFile {
			t.Errorf("outline %s: %+v", file, a.Outcome)
		}
		var got []string
		if a.Hints != nil {
			for _, next := range a.Hints.NextSteps {
				got = append(got, next.Args.(*contract.OutlineRequest).File)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("outline %s: %v, want %v", file, got, want)
		}
		read, err := b.Read(contract.ReadRequest{Path: filepath.Join(b.Dir, file)})
		if err != nil || read.Reason != contract.ReasonMissingFile || (read.Hints == nil) != (want == nil) {
			t.Fatalf("read %s: %+v, %v", file, read, err)
		}
		if want != nil {
			if next := read.Hints.NextSteps[0].Args.(*contract.ReadRequest).Path; next !=
				filepath.Join(b.Dir, want[0]) {
				t.Errorf("read %s: the call is for %s", file, next)
			}
		}
	}
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "sesion.go:7"}})
	next := a.Hints.NextSteps[0].Args.(*contract.GraphRequest)
	if found := b.Graph(*next); a.Status == contract.StatusOK || found.SymbolRef.SymbolLabel != "Session.Expired" {
		t.Errorf("graph sesion.go:7: %+v, then %+v", a.Outcome, found.SymbolRef)
	}
}

// TestSearchDidYouMean checks that a search for an unknown name suggests similar names, and that a
// search for a known name does not.
func TestSearchDidYouMean(t *testing.T) {
	b := navigatetest.Of(t, misspelt)
	for query, want := range map[string]string{
		"Expird": "Expire", "Session.Exipred": "Session.Expired", "parseConfg": "parse_config",
		"where is the Session.Exipred called": "Session.Expired", "sesion.go": "session/session.go",
		"kind:method Exipred": "Session.Expired", "swep path:session/**": "Sweep", "chekc": "check",
		"lang:python chekc": "",
		"Expired":           "", "expire": "", "session.go": "", "settings.py": "", "login counts": "", "Reload": "",
		"nothing_like_it": "",
	} {
		a := b.Search(contract.SearchRequest{Query: query})
		got := ""
		if len(a.DidYouMean) > 0 {
			got = a.DidYouMean[0].SymbolLabel
		}
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
		if want == "" || got == "" {
			continue
		}
		found := b.Search(*a.DidYouMean[0].Next.Args.(*contract.SearchRequest))
		if len(found.Results) == 0 || found.Results[0].(*contract.Group).SymbolLabel != want ||
			len(found.DidYouMean) > 0 {
			t.Errorf("%s: the call finds %+v", query, found.Results)
		}
	}
}
