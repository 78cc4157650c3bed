package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/internal/navigate/search"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// faulty is the built-in embedder under another name, which can fail for questions or documents.
type faulty struct {
	embed.Embedder
	name                 string
	noQueries, noVectors bool
}

func (f faulty) Fingerprint() string { return f.name }

func (f faulty) Query(ctx context.Context, text string) ([]float32, error) {
	if f.noQueries {
		return nil, errors.New("the server is gone")
	}
	return f.Embedder.Query(ctx, text)
}

func (f faulty) Documents(ctx context.Context, docs []embed.Document) ([][]float32, error) {
	if f.noVectors {
		return nil, errors.New("the server is gone")
	}
	return f.Embedder.Documents(ctx, docs)
}

// bytesOf returns an answer without its times and the state of the tiers.
func bytesOf(t *testing.T, a *contract.SearchAnswer) string {
	t.Helper()
	b := *a
	b.Tiers, b.FreshnessDecision, b.FreshnessSummary = nil, contract.Freshness{}, nil
	for i, r := range b.Results {
		g := *r.(*contract.Group)
		g.IndexedAt, g.CallGraphHint.ValidatedAt = "", ""
		b.Results[i] = &g
	}
	text, err := json.Marshal(&b)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMeaningHasNoSayInNames searches identifiers with the semantic tier in every possible state.
// The answers must have the same bytes, and report the state.
func TestMeaningHasNoSayInNames(t *testing.T) {
	off := navigatetest.Indexed(t, "net/http/cookiejar")
	half := faulty{Embedder: embed.Builtin(), name: "half", noVectors: true}
	states := []struct {
		state, why string
		bench      *navigatetest.Bench
	}{
		{"off", "switched off", off},
		{"ok", "", off.With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})},
		{"ok", "", off.With(navigate.Options{Words: l1fts.Options{Embedder: faulty{Embedder: embed.Builtin(),
			name: "ranks"}}, Fusion: search.FuseRanks})},
		{"building", "not every file",
			off.With(navigate.Options{Words: l1fts.Options{Embedder: half, Trailing: true}, Fusion: search.FuseRanks})},
		{"failed", "the server is gone",
			off.With(navigate.Options{Words: l1fts.Options{Embedder: faulty{Embedder: embed.Builtin(), name: "mute",
				noQueries: true}}})},
		{"failed", "needs a key", off.With(navigate.Options{NoEmbedder: "voyage needs a key"})},
	}
	for _, query := range []string{"SetCookies", "Jar.SetCookies", "entry", "jarKey", "newEntry", "PublicSuffixList"} {
		want := bytesOf(t, off.Search(contract.SearchRequest{Query: query}))
		if !strings.Contains(want, `"exact"`) {
			t.Errorf("%s names nothing", query)
		}
		for _, s := range states {
			a := s.bench.Search(contract.SearchRequest{Query: query})
			if tier := a.Tiers.Semantic; string(tier.State) != s.state || !strings.Contains(tier.Why, s.why) {
				t.Errorf("%s: the semantic tier is %+v, expected %s: %s", query, tier, s.state, s.why)
			}
			if got := bytesOf(t, a); got != want {
				t.Errorf("%s, %s: the answer differs:\n%s\n%s", query, s.state, got, want)
			}
		}
	}
	// Prose is answered in every state, too.
	for _, s := range states {
		if a := s.bench.Search(contract.SearchRequest{Query: "which cookies are sent to a host"}); len(a.Results) ==
			0 || string(a.Tiers.Semantic.State) != s.state {
			t.Errorf("%s: %d results, %+v", s.state, len(a.Results), a.Tiers)
		}
	}
}

// TestVectorsFollowTheGate edits a file and searches for the meaning of the new text.
func TestVectorsFollowTheGate(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http/cookiejar").With(
		navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}, Resident: true})
	b.Search(contract.SearchRequest{Query: "which cookies are sent to a host"})
	b.Edit("jar.go", func(s string) string {
		return s +
			"\n// launchZeppelin fills the airship with helium and casts off.\n" +
			"func launchZeppelin() { println(\"airship helium\") }\n"
	})
	a := b.Search(contract.SearchRequest{Query: "airship helium"})
	if len(a.Results) == 0 || a.Results[0].(*contract.Group).SymbolLabel != "launchZeppelin" {
		t.Fatalf("results %+v", a.Results)
	}
	b.Edit("jar.go", func(s string) string { return s[:strings.Index(s, "\n// launchZeppelin")] })
	for _, r := range b.Search(contract.SearchRequest{Query: "airship helium"}).Results {
		if r.(*contract.Group).SymbolLabel == "launchZeppelin" {
			t.Error("a function that is gone is found by its vector")
		}
	}
	if m := b.Manage(contract.ManageRequest{Action: contract.ManageStatus, Path: b.Dir}); m.Tiers.L1.Vectors == 0 ||
		m.Tiers.L1.Embedder != embed.Builtin().Fingerprint() {
		t.Errorf("status says %+v", m.Tiers.L1)
	}
}

// TestFirstQuestionWaitsForVectors checks that the first answer of a resident process equals all
// later ones.
func TestFirstQuestionWaitsForVectors(t *testing.T) {
	off := navigatetest.Indexed(t, "net/http/cookiejar")
	// The wait is long enough for a slow machine.
	b := off.With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin(), ScanLimit: 1}, Resident: true,
		VectorWait: time.Minute})
	ask := contract.SearchRequest{Query: "decide whether a host is within the domain of a cookie"}
	first := b.Search(ask)
	if first.Tiers.Semantic.State != contract.TierOK {
		t.Errorf("the first answer rests on %+v", first.Tiers.Semantic)
	}
	if a, again := bytesOf(t, first), bytesOf(t, b.Search(ask)); a != again {
		t.Errorf("the first answer is another than the second:\n%s\n%s", a, again)
	}
}

// TestNamesDoNotWaitForVectors checks that the first answer of a resident process does without the
// vectors where the query is the name of a symbol: they have no say in it.
func TestNamesDoNotWaitForVectors(t *testing.T) {
	off := navigatetest.Indexed(t, "net/http/cookiejar")
	b := off.With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin(), ScanLimit: 1}, Resident: true,
		VectorWait: time.Nanosecond})
	if a := b.Search(contract.SearchRequest{Query: "SetCookies"}); a.Tiers.Semantic.State != contract.TierOK {
		t.Errorf("the first answer rests on %+v", a.Tiers.Semantic)
	}
}
