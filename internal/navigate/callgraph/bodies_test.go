package callgraph_test

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// bodied returns a workspace in which Run has a short and a long caller, a callee and a test.
func bodied(t *testing.T) *navigatetest.Bench {
	long := "func Long(n int) {\n" + strings.Repeat("\tstep()\n", 150) + "\tif n > 0 {\n\t\tcore.Run(n)\n\t}\n" +
		strings.Repeat("\tstep()\n", 150) + "}\n"
	return navigatetest.Of(t, map[string]string{
		"go.mod": "module m\n",
		"core/core.go": "package core\n\n// Run runs.\nfunc Run(n int) int {\n\treturn help(n)\n}\n\n" +
			"func help(n int) int { return n }\n",
		"core/core_test.go": "package core\n\nimport \"testing\"\n\nfunc TestRun(t *testing.T) { Run(1) }\n",
		"api/api.go": "package api\n\nimport \"m/core\"\n\nfunc Short() int {\n\treturn core.Run(2)\n}\n\n" +
			long + "\nfunc step() {}\n",
	})
}

// bodiesOf returns the bodies of an answer, "role label lines".
func bodiesOf(a *contract.GraphAnswer) string {
	var out []string
	for _, b := range a.Bodies {
		n := strings.Count(b.Content, "\n")
		if b.Lines != nil {
			n = -len(b.Lines)
		}
		out = append(out, fmt.Sprintf("%s %s %d", b.Role, b.SymbolLabel, n))
	}
	return strings.Join(out, ", ")
}

func TestBodies(t *testing.T) {
	b := bodied(t)
	ask := func(r contract.GraphRequest) *contract.GraphAnswer {
		r.Path, r.SymbolRef.SymbolLabel, r.Detail, r.Verify = b.Dir, "core.Run", contract.DetailBodies,
			contract.VerifyOff
		return b.Graph(r)
	}
	a := ask(contract.GraphRequest{})
	if got, want := bodiesOf(a),
		"symbol Run 3, caller Short 3, callee help 1, caller Long -120, caller TestRun 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := bodiesOf(ask(contract.GraphRequest{Direction: contract.DirectionCallees})),
		"symbol Run 3, callee help 1"; got != want {
		t.Errorf("callees: %s, want %s", got, want)
	}
	// A long caller keeps its signature, the call and the branch around it.
	small := ask(contract.GraphRequest{Delivery: contract.Delivery{MaxTokens: 900, Format: contract.FormatText,
		Price: compact.Cost(&contract.GraphRequest{Detail: contract.DetailBodies})}})
	text, err := compact.Text(&contract.GraphRequest{Path: b.Dir, Detail: contract.DetailBodies}, small)
	if err != nil || contract.Tokens(text) > 900 {
		t.Errorf("%v, %d tokens\n%s", err, contract.Tokens(text), text)
	}
	for _, want := range []string{"\nsymbol core/core.go:4-6 function Run\nfunc Run(n int) int {\n\treturn help(n)\n}\n", " of 305 lines\n9: func Long(n int) {\n", "\n160: \tif n > 0 {\n161: \t\tcore.Run(n)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	// Pages repeat no body.
	var pages []string
	for cursor := ""; ; {
		a := ask(contract.GraphRequest{Limit: 2, Cursor: cursor})
		pages = append(pages, bodiesOf(a))
		if cursor = a.Cursor; cursor == "" {
			break
		}
	}
	if got, want := strings.Join(pages, "; "),
		"symbol Run 3, caller Short 3, callee help 1; caller Long -120, caller TestRun 1"; got != want {
		t.Errorf("pages: %s, want %s", got, want)
	}
}

func TestBodiesOfNothingElse(t *testing.T) {
	diff := "HEAD"
	for _, r := range []contract.GraphRequest{
		{Path: "/r", SymbolRef: contract.SymbolRef{Diff: &diff}, Detail: contract.DetailBodies},
		{Path: "/r", SymbolRef: contract.SymbolRef{SymbolLabel: "F"}, Detail: contract.DetailBodies,
			View: contract.ViewTree},
	} {
		if err := r.Normalize(); err == nil {
			t.Errorf("%+v is taken", r)
		}
	}
}
