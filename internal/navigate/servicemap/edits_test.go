package servicemap_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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
	edits, seed := number("SEXTANT_EDITS", randomEdits), number("SEXTANT_SEED", 1)
	t.Logf("seed %d", seed)
	for n := range workspaces {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			first := workspaceOf(t, n)
			e := &editor{t: t, rnd: rand.New(rand.NewPCG(uint64(seed), uint64(n))), first: first,
				live: navigatetest.Of(t, first)}
			start, states := e.answers(e.live), 0
			for i := range edits {
				what := []string{e.edit()}
				for e.rnd.IntN(3) == 0 {
					what = append(what, e.edit())
				}
				got := e.answers(e.live)
				want := e.answers(navigatetest.Tracked(t, e.live.Dir))
				if len(got) != len(want) {
					t.Fatalf("after edit %d %q: %d answers, %d of a new index", i, what, len(got), len(want))
				}
				for j := range want {
					if got[j] != want[j] {
						t.Fatalf("after edit %d %q:\n%s", i, what, difference(got[j], want[j]))
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

func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
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

// editor changes the files of a workspace at random.
type editor struct {
	t     *testing.T
	rnd   *rand.Rand
	first map[string]string // all files as they were at first
	live  *navigatetest.Bench
	count int
}

// answers returns the map of services, and the call graphs of some functions of one file, as JSON.
// Equal states of the workspace give the same questions.
func (e *editor) answers(b *navigatetest.Bench) (out []string) {
	m, err := b.Service.Services(e.t.Context(), b.Dir)
	if err != nil {
		e.t.Fatal(err)
	}
	out = append(out, asJSON(e.t, m))
	files := e.files()
	if len(files) == 0 {
		return out
	}
	outline, err := b.Service.Outline(e.t.Context(), navigatetest.Normal(e.t,
		contract.OutlineRequest{Path: b.Dir, File: files[e.count%len(files)]}))
	switch {
	case err != nil: // the rules of a random edit may keep the file out
		return append(out, strings.ReplaceAll(err.Error(), b.Dir, ""))
	case outline.Outline == nil:
		return append(out, asJSON(e.t, outline.Outcome))
	}
	for _, s := range outline.Outline.Symbols {
		if !s.Kind.Callable() || len(out) > graphsAsked {
			continue
		}
		g := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: outline.File, SymbolID: s.SymbolID},
			Depth: 3, Verify: contract.VerifyOff})
		out = append(out, asJSON(e.t, []any{g.Outcome, g.Nodes, g.Edges}))
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

// difference returns the first lines that differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	cut := func(s []string) string { return strings.Join(s[max(0, min(i-8, len(s))):min(i+12, len(s))], "\n") }
	return fmt.Sprintf("the updated index says\n%s\na new index says\n%s", cut(a), cut(b))
}

// files returns the paths of all files, sorted.
func (e *editor) files() (out []string) {
	err := filepath.WalkDir(e.live.Dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(e.live.Dir, name)
			out = append(out, rel)
		}
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return out
}

func (e *editor) read(file string) string {
	text, err := os.ReadFile(filepath.Join(e.live.Dir, file))
	if err != nil {
		e.t.Fatal(err)
	}
	return string(text)
}

var (
	literals = regexp.MustCompile(`"[^"\n]{1,60}"|'[^'\n]{1,60}'`)
	numbers  = regexp.MustCompile(`\b\d{2,5}\b`)
	names    = regexp.MustCompile(`[A-Za-z_]\w{3,}`)
)

// edit makes one random edit and returns its description. A change that a file does not allow returns "";
// another file then gets its first text back.
func (e *editor) edit() string {
	e.count++
	files := e.files()
	file, other := files[e.rnd.IntN(len(files))], files[e.rnd.IntN(len(files))]
	changes := []func(file, other string) string{e.exchange, e.exchange, e.line, e.line, e.move, e.restore, e.restore,
		e.folder, e.rules}
	if what := changes[e.rnd.IntN(len(changes))](file, other); what != "" {
		return what
	}
	return e.restore(file, other)
}

// exchange replaces a literal, a number or a name of a file by one of another file.
func (e *editor) exchange(file, other string) string {
	kind := []*regexp.Regexp{literals, literals, numbers, names}[e.rnd.IntN(4)]
	text := e.read(file)
	at, by := kind.FindAllStringIndex(text, -1), kind.FindAllString(e.read(other), -1)
	if len(at) == 0 || len(by) == 0 {
		return ""
	}
	span, with := at[e.rnd.IntN(len(at))], by[e.rnd.IntN(len(by))]
	e.live.Write(file, text[:span[0]]+with+text[span[1]:])
	return fmt.Sprintf("%s: %s for %s", file, with, text[span[0]:span[1]])
}

// line deletes or repeats a line, or adds one of another file.
func (e *editor) line(file, other string) string {
	lines := strings.SplitAfter(e.read(file), "\n")
	from := lines
	if path.Ext(other) == path.Ext(file) {
		from = strings.SplitAfter(e.read(other), "\n")
	}
	at, gone := e.rnd.IntN(len(lines)), e.rnd.IntN(2)
	var added []string
	if gone == 0 {
		added = []string{from[e.rnd.IntN(len(from))]}
	}
	e.live.Write(file, strings.Join(slices.Concat(lines[:at], added, lines[at+gone:]), ""))
	return fmt.Sprintf("%s:%d: %d lines gone, added %q", file, at+1, gone, added)
}

// move moves a file into another's folder, or deletes it.
func (e *editor) move(file, other string) string {
	from := filepath.Join(e.live.Dir, file)
	to := path.Join(path.Dir(other), path.Base(file))
	if e.rnd.IntN(3) == 0 {
		e.try(os.Remove(from))
		return "removed " + file
	}
	e.try(os.Rename(from, filepath.Join(e.live.Dir, to)))
	return "moved " + file + " to " + to
}

// restore gives a file its first text, even if it was deleted.
func (e *editor) restore(_, _ string) string {
	var all []string
	for file := range e.first {
		all = append(all, file)
	}
	slices.Sort(all)
	file := all[e.rnd.IntN(len(all))]
	if info, err := os.Stat(filepath.Join(e.live.Dir, path.Dir(file))); err == nil && !info.IsDir() {
		return ""
	}
	e.live.Write(file, e.first[file])
	return "restored " + file
}

// folder renames the folder of a file.
func (e *editor) folder(file, _ string) string {
	dir := path.Dir(file)
	if dir == "." {
		return ""
	}
	to := path.Join(path.Dir(dir), fmt.Sprintf("renamed%d", e.count))
	e.try(os.Rename(filepath.Join(e.live.Dir, dir), filepath.Join(e.live.Dir, to)))
	return "renamed " + dir + " to " + to
}

// rules writes an ignore file, or another declaration into the sextant.toml.
func (e *editor) rules(file, other string) string {
	if e.rnd.IntN(2) == 0 {
		ignored := []string{file, path.Dir(other) + "/", "*" + path.Ext(file), "sextant.toml", ""}[e.rnd.IntN(5)]
		e.live.Write(".gitignore", ignored+"\n")
		return "ignored " + ignored
	}
	called := names.FindAllString(e.read(file), -1)
	if len(called) == 0 {
		return ""
	}
	function := called[e.rnd.IntN(len(called))]
	transport := []string{"transport = \"http\"\nmethod = \"GET\"\npath = 0\n", "transport = \"publish\"\ntopic = 0\n",
		"transport = \"consume\"\ntopic = 0\nhandler = 1\n"}[e.rnd.IntN(3)]
	e.live.Write("sextant.toml", fmt.Sprintf("[[declare]]\nfunction = %q\n%s", function, transport))
	return fmt.Sprintf("declared %s, %q", function, transport)
}

func (e *editor) try(err error) {
	if err != nil {
		e.t.Helper()
		e.t.Fatal(err)
	}
}
