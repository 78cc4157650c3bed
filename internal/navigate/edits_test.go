package navigate_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

const (
	// answerEdits is the number of edits of the workspace; SEXTANT_EDITS sets another.
	answerEdits = 6
	// questionsAsked is the number of questions after each edit, besides the outlines.
	questionsAsked = 30
	// graphsOfFile is the largest number of call graphs requested for one file.
	graphsOfFile = 7
)

// TestAnswersFollowEdits edits a workspace at random. After each edit, ranked searches with their scores,
// outlines and call graphs must be those of a new index. SEXTANT_SEED sets other edits, and SEXTANT_REPOSITORY
// a folder, a copy of which is edited.
func TestAnswersFollowEdits(t *testing.T) {
	edits, seed := navigatetest.Number("SEXTANT_EDITS", answerEdits), navigatetest.Number("SEXTANT_SEED", 1)
	t.Logf("seed %d", seed)
	from := cmp.Or(os.Getenv("SEXTANT_REPOSITORY"), filepath.Join(build.Default.GOROOT, "src", "text"))
	first, words := navigatetest.Texts(t, from), navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}}
	live, rnd := navigatetest.Of(t, first).With(words), rand.New(rand.NewPCG(uint64(seed), 7))
	e := navigatetest.NewEditor(live, first, rnd)
	for i := range edits {
		what := e.Edits()
		list := questions(e, rnd, live.Dir)
		got := answers(live, list)
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			b := *live
			b.T = t // so that the new index is closed
			want := answers(b.With(words), list)
			for j := range want {
				if got[j] != want[j] {
					t.Errorf("after edit %q: %+v:\n%s", what, list[j], navigatetest.Difference(got[j], want[j]))
				}
			}
		})
	}
}

// question is a search, or the outline of a file, with call graphs of some of its functions if graphs is set.
type question struct {
	search, file string
	graphs       bool
}

var names = regexp.MustCompile(`[A-Za-z_]\w{2,}`)

// questions returns questions about words of the files, and the outline of each file.
func questions(e *navigatetest.Editor, rnd *rand.Rand, dir string) (list []question) {
	files := e.Files()
	for range questionsAsked {
		file := files[rnd.IntN(len(files))]
		text, err := os.ReadFile(filepath.Join(dir, file))
		all := names.FindAllString(string(text), -1)
		if err != nil || len(all) == 0 {
			continue
		}
		at := rnd.IntN(len(all))
		switch rnd.IntN(4) {
		case 0:
			list = append(list, question{search: all[at]})
		case 1:
			list = append(list, question{search: strings.Join(all[at:min(at+1+rnd.IntN(6), len(all))], " ")})
		case 2:
			list = append(list, question{search: fmt.Sprintf("where is %s handled with %s", all[at],
				all[rnd.IntN(len(all))])})
		case 3:
			list = append(list, question{file: file, graphs: true})
		}
	}
	for _, f := range files {
		list = append(list, question{file: f})
	}
	return list
}

// indexed matches the times in results, which differ from index to index.
var indexed = regexp.MustCompile(`"(validatedAt|indexedAt)": "[^"]*"`)

// answers returns the answers to questions as JSON, without what depends on the time of the call.
func answers(b *navigatetest.Bench, list []question) (out []string) {
	whole := contract.Delivery{MaxTokens: contract.MaxMaxTokens} // a cut would depend on what is left out here
	for _, q := range list {
		if q.search != "" {
			a := b.Search(contract.SearchRequest{Query: q.search, Limit: 20, DebugMode: contract.DebugRanking,
				Scope: contract.ScopeMixed, Delivery: whole})
			if a.Hints != nil {
				if d, ok := a.Hints.Debug.(*contract.SearchDebug); ok {
					d.Phases = nil
				}
			}
			a.FreshnessDecision, a.FreshnessSummary = contract.Freshness{}, nil
			out = append(out, timeless(b, a))
			continue
		}
		a, err := b.Service.Outline(b.T.Context(), navigatetest.Normal(b.T,
			contract.OutlineRequest{Path: b.Dir, File: q.file, Delivery: whole}))
		if err != nil || a.Outline == nil { // the rules of a random edit may keep the file out
			out = append(out, fmt.Sprint(err))
			continue
		}
		all := timeless(b, a.Outline)
		if q.graphs {
			all += graphsOf(b, a)
		}
		out = append(out, all)
	}
	return out
}

// graphsOf returns the call graphs of some functions of an outline, as JSON.
func graphsOf(b *navigatetest.Bench, a *contract.OutlineAnswer) (all string) {
	asked := 0
	for i, s := range a.Outline.Symbols {
		if !s.Kind.Callable() || i%3 != 0 || asked == graphsOfFile {
			continue
		}
		asked++
		g := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: a.File, SymbolID: s.SymbolID},
			Depth: 2, Direction: contract.DirectionBoth, Verify: contract.VerifyOff})
		all += timeless(b, []any{g.Outcome, g.Nodes, g.Edges})
	}
	return all
}

// timeless returns v as JSON without times.
func timeless(b *navigatetest.Bench, v any) string {
	b.T.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		b.T.Fatal(err)
	}
	return indexed.ReplaceAllString(string(text), "")
}
