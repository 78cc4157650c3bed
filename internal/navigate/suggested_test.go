package navigate_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// differing names the arguments in which two requests differ once defaults are set.
func differing(t *testing.T, a, b contract.Request) (names []string) {
	t.Helper()
	var args [2]map[string]any
	for i, r := range []contract.Request{a, b} {
		text, err := json.Marshal(r)
		whole := reflect.New(reflect.TypeOf(r).Elem()).Interface().(contract.Request)
		if err == nil {
			err = errors.Join(json.Unmarshal(text, whole), whole.Normalize())
		}
		if err == nil {
			text, err = json.Marshal(whole)
		}
		if err == nil {
			err = json.Unmarshal(text, &args[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range maps.Keys(args[0]) {
		if _, ok := args[1][name]; !ok {
			args[1][name] = nil
		}
	}
	for name, value := range args[1] {
		if !reflect.DeepEqual(value, args[0][name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// suggested checks that the call next, which an answer to req suggests, differs from req in the
// arguments named in may only. what names the case in messages.
func suggested(t *testing.T, what string, req contract.Request, next *contract.Action, may ...string) {
	t.Helper()
	if next == nil {
		t.Errorf("%s: nothing is suggested", what)
		return
	}
	if next.Tool != req.Tool() {
		t.Errorf("%s: suggests %s", what, next.Tool)
		return
	}
	for _, name := range differing(t, req, next.Args) {
		if !slices.Contains(may, name) {
			t.Errorf("%s: the suggested call differs in %s", what, name)
		}
	}
}

// TestSuggestedCallIsTheSameRequest checks that a suggested call repeats the request, apart from
// the arguments that it changes on purpose.
func TestSuggestedCallIsTheSameRequest(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	if err := os.WriteFile(filepath.Join(b.Dir, "go.mod"), []byte("module example.com/buffers\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ask := contract.SearchRequest{Path: b.Dir, Query: "must:func reader", Scope: contract.ScopeRuntime,
		ResultMode: contract.ResultsRaw, GroupBy: contract.GroupByFile, RankingMode: contract.RankDefault, Limit: 1,
		Service: "buffers", Context: 2,
		Detail: contract.DetailFull, DebugMode: contract.DebugRanking, IncludeResultIndex: true,
		Delivery: contract.Delivery{Debug: true, MaxTokens: 900, Format: contract.FormatText}}
	suggested(t, "the next page of must:", &ask, b.Search(ask).Truncated.Next, "cursor")

	ranked := ask
	ranked.Scope, ranked.Query, ranked.Limit, ranked.MaxTokens = contract.ScopeMixed, "reader", 20, 400
	suggested(t, "results cut at the budget", &ranked, b.Search(ranked).Truncated.Next, "cursor")
	none := ask
	none.Scope, none.Query = contract.ScopeDocs, "reader"
	suggested(t, "nothing in the scope", &none, &b.Search(none).Hints.NextSteps[0], "scope")

	outline := contract.OutlineRequest{Path: b.Dir, File: "bufio.go", StartLine: 10, EndLine: 700, LimitSymbols: 3,
		Delivery: contract.Delivery{MaxTokens: 2000, Format: contract.FormatText}}
	answer, err := b.Service.Outline(t.Context(), navigatetest.Normal(t, outline))
	if err != nil {
		t.Fatal(err)
	}
	suggested(t, "the next symbols", &outline, answer.Truncated.Next, "cursor")
	outline.Detail, outline.MaxTokens = contract.DetailSkeleton, 300
	if answer, err = b.Service.Outline(t.Context(), navigatetest.Normal(t, outline)); err != nil {
		t.Fatal(err)
	}
	suggested(t, "a skeleton cut", &outline, answer.Truncated.Next, "cursor")

	across, least := false, 0.25
	trace := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: "Reader.fill"},
		Direction: contract.DirectionCallers, Depth: 3, Limit: 2, View: contract.ViewTree, Detail: contract.DetailFull,
		Verify: contract.VerifyOff, DeadlineMs: 60_000, CrossService: &across, MinConfidence: &least,
		Delivery: contract.Delivery{MaxTokens: 5000, Format: contract.FormatText}}
	suggested(t, "the next edges", &trace, b.Graph(trace).Truncated.Next, "cursor", "symbolRef")
	trace.SymbolRef.SymbolLabel = "Reset"
	suggested(t, "a candidate", &trace, &b.Graph(trace).Hints.NextSteps[0], "symbolRef")

	file := filepath.Join(b.Dir, "bufio.go")
	read := contract.ReadRequest{Path: file, Mode: contract.ReadAnnotated,
		OpenSymbol: &contract.OpenSymbol{StartLine: 5, EndLine: 400},
		Delivery:   contract.Delivery{MaxTokens: 600, Format: contract.FormatText}}
	text, err := b.Read(read)
	if err != nil {
		t.Fatal(err)
	}
	suggested(t, "the next lines", &read, text.Truncated.Next, "open_symbol", "start_line", "end_line")
	if next := text.Truncated.Next.Args.(*contract.ReadRequest); next.EndLine != 400 ||
		next.StartLine != text.Span.EndLine+1 {
		t.Errorf("the next lines are %d to %d", next.StartLine, next.EndLine)
	}
	manage := contract.ManageRequest{Action: contract.ManageCreate, Path: file, CustomExtensions: []string{".x"},
		Wait: true, DeadlineMs: 5000, Delivery: contract.Delivery{MaxTokens: 900}}
	suggested(t, "the folder of a file", &manage, b.Manage(manage).Hints.Create, "path")
}

// TestPlainRangeGoesOnToItsEnd checks that the continuation of a truncated range ends at the end of
// that range.
func TestPlainRangeGoesOnToItsEnd(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	text, err := b.Read(contract.ReadRequest{Path: filepath.Join(b.Dir, "bufio.go"), StartLine: 5, EndLine: 400,
		Delivery: contract.Delivery{MaxTokens: 600}})
	if err != nil {
		t.Fatal(err)
	}
	want := "end_line=400, maxTokens=600 and start_line="
	if !strings.Contains(text.Continuation, want) {
		t.Errorf("%q does not say %s", text.Continuation, want)
	}
}
