package servicemap_test

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// archives holds the workspaces of the rules that join services.
const archives = "../../../l2meta/endpoint/testdata"

const (
	// randomEdits is the number of edits of each workspace; SEXTANT_EDITS sets another.
	randomEdits = 3
	// workspaces is the number of workspaces among which the archives are divided.
	workspaces = 4
	// graphsAsked is the largest number of call graphs that are compared after each edit.
	graphsAsked = 3
)

// TestMapFollowsEdits edits workspaces of many frameworks at random. After each edit the map of
// services and the call graphs must be those of a new index. SEXTANT_SEED sets other edits.
func TestMapFollowsEdits(t *testing.T) {
	edits, seed := navigatetest.Number("SEXTANT_EDITS", randomEdits), navigatetest.Number("SEXTANT_SEED", 1)
	t.Logf("seed %d", seed)
	for n := range workspaces {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			first := workspaceOf(t, n)
			live := navigatetest.Of(t, first)
			e := navigatetest.NewEditor(live, first, rand.New(rand.NewPCG(uint64(seed), uint64(n))))
			start, states := answers(e, live), 0
			for i := range edits {
				what := e.Edits()
				got := answers(e, live)
				want := answers(e, navigatetest.Tracked(t, live.Dir))
				if len(got) != len(want) {
					t.Fatalf("after edit %d %q: %d answers, %d of a new index", i, what, len(got), len(want))
				}
				for j := range want {
					if got[j] != want[j] {
						t.Fatalf("after edit %d %q:\n%s", i, what, navigatetest.Difference(got[j], want[j]))
					}
				}
				if want[0] != start[0] {
					states++
				}
			}
			if states < edits/2 {
				t.Errorf("only %d of %d edits left another map", states, edits)
			}
		})
	}
}

// workspaceOf returns the files of every archive whose turn it is, each below a folder of its own.
// The archive with a sextant.toml is in each workspace, at its root.
func workspaceOf(t *testing.T, n int) map[string]string {
	t.Helper()
	files, turn := map[string]string{}, 0
	err := filepath.WalkDir(archives, func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".txtar" {
			return err
		}
		a, err := txtar.ParseFile(name)
		if err != nil {
			return err
		}
		folder := strings.TrimSuffix(filepath.Base(name), ".txtar")
		if turn++; folder == "declared" {
			folder = ""
		} else if turn%workspaces != n {
			return nil
		}
		for _, f := range a.Files {
			files[path.Join(folder, f.Name)] = string(f.Data)
		}
		return nil
	})
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return files
}

// answers returns the map of services, and the call graphs of some functions of one file, as JSON.
// Equal states of the workspace give the same questions.
func answers(e *navigatetest.Editor, b *navigatetest.Bench) (out []string) {
	m, err := b.Service.Services(b.T.Context(), b.Dir)
	if err != nil {
		b.T.Fatal(err)
	}
	out = append(out, asJSON(b.T, m))
	files := e.Files()
	if len(files) == 0 {
		return out
	}
	outline, err := b.Service.Outline(b.T.Context(), navigatetest.Normal(b.T,
		contract.OutlineRequest{Path: b.Dir, File: files[e.Count%len(files)]}))
	switch {
	case err != nil: // the rules of a random edit may keep the file out
		return append(out, strings.ReplaceAll(err.Error(), b.Dir, ""))
	case outline.Outline == nil:
		return append(out, asJSON(b.T, outline.Outcome))
	}
	for _, s := range outline.Outline.Symbols {
		if !s.Kind.Callable() || len(out) > graphsAsked {
			continue
		}
		g := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: outline.File, SymbolID: s.SymbolID},
			Depth: 3, Verify: contract.VerifyOff})
		out = append(out, asJSON(b.T, []any{g.Outcome, g.Nodes, g.Edges}))
	}
	return out
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
