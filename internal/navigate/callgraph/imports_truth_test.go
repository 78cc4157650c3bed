package callgraph_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/jit"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// importTruth lists the repositories on which the imports of each language are measured. truth
// returns the edges of a repository as "from<TAB>to", and "from<TAB>" for each file that it read.
// None of the repositories is in testdata/corpus.lock.
var importTruth = []struct {
	language string
	repos    []string
	truth    func(t *testing.T, repo string) map[string]bool
}{
	{"go", []string{"nsqio+nsq", "hashicorp+raft", "hashicorp+memberlist", "pressly+goose"}, goImports},
	{"typescript", []string{"ghostfolio+ghostfolio", "mikro-orm+mikro-orm", "alan2207+bulletproof-react",
		"facebook+lexical"}, oracleImports("node", "imports.mjs", "../../testdata/node")},
	{"python", []string{"paramiko+paramiko", "pallets+werkzeug", "encode+starlette", "coleifer+huey"},
		oracleImports("python3", "imports.py")},
}

// TestImportTruth measures file→file imports against the languages' own tools, on the
// clones in the folder SEXTANT_CORPUS. The last results are in docs/architecture.md.
func TestImportTruth(t *testing.T) {
	corpus := os.Getenv("SEXTANT_CORPUS")
	if corpus == "" {
		t.Skip("SEXTANT_CORPUS names no folder of clones")
	}
	for _, l := range importTruth {
		for _, repo := range l.repos {
			t.Run(repo, func(t *testing.T) {
				dir := filepath.Join(corpus, repo)
				if _, err := os.Stat(dir); err != nil {
					t.Skip(err)
				}
				judgeImports(t, dir, l.language, l.truth(t, dir))
			})
		}
	}
}

// folderTruth lists the repositories on which the imports between folders are measured.
// None of them is in testdata/corpus.lock or importTruth.
var folderTruth = []struct {
	language string
	repos    []string
	truth    func(t *testing.T, repo string) map[string]bool
}{
	{"go", []string{"temporal"}, goPackages},
	{"typescript", []string{"solidjs+solid-site", "openlayers+openlayers"},
		byFolder(oracleImports("node", "imports.mjs", "../../testdata/node"))},
	{"python", []string{"python+mypy"}, byFolder(oracleImports("python3", "imports.py"))},
}

// TestFolderImportTruth measures the importers and imports of folders, like
// TestImportTruth.
func TestFolderImportTruth(t *testing.T) {
	corpus := os.Getenv("SEXTANT_CORPUS")
	if corpus == "" {
		t.Skip("SEXTANT_CORPUS names no folder of clones")
	}
	for _, l := range folderTruth {
		for _, repo := range l.repos {
			t.Run(repo, func(t *testing.T) {
				dir := filepath.Join(corpus, repo)
				if _, err := os.Stat(dir); err != nil {
					t.Skip(err)
				}
				truth := l.truth(t, dir)
				b := copied(t, dir)
				for _, direction := range []string{"callees", "callers"} {
					judgeFolders(t, b, truth, direction)
				}
			})
		}
	}
}

// judgeFolders compares the import edges of folders with truth, which has "from<TAB>to" for each
// edge and "from<TAB>" for each folder to compare.
func judgeFolders(t *testing.T, b *navigatetest.Bench, truth map[string]bool, direction string) {
	found, right := map[string]bool{}, 0
	for known := range truth {
		dir, ok := strings.CutSuffix(known, "\t")
		if !ok {
			continue
		}
		id := callgraph.FolderID(dir)
		for next := &(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: dir, SymbolID: id},
			Direction: contract.Direction(direction), Limit: contract.MaxEdgeLimit,
			DeadlineMs: contract.MaxDeadline}); next != nil; {
			a := b.Graph(*next)
			if next = nil; a.Truncated != nil {
				next = a.Truncated.Next.Args.(*contract.GraphRequest)
			}
			if a.Status != contract.StatusOK {
				t.Errorf("%s of %s: %+v", direction, dir, a.Outcome)
			}
			for _, edge := range placedEdges(a) {
				from, to, _ := strings.Cut(edge, "\t")
				if !truth[from+"\t"] || !truth[to+"\t"] || found[edge] {
					continue // bundlers import pictures and texts, too
				}
				if found[edge] = true; truth[edge] {
					right++
				} else if len(found)-right <= 8 {
					t.Logf("wrong: %s", edge)
				}
			}
		}
	}
	missed := 0
	for edge := range truth {
		if !found[edge] && !strings.HasSuffix(edge, "\t") {
			if missed++; missed <= 8 {
				t.Logf("missed: %s", edge)
			}
		}
	}
	t.Logf("%s of %s: precision %d of %d, recall %d of %d", direction, filepath.Base(b.Dir), right,
		len(found), right, right+missed)
}

// placedEdges returns the edges of an answer as "file<TAB>file".
func placedEdges(a *contract.GraphAnswer) (out []string) {
	place := map[string]string{}
	for _, n := range a.Nodes {
		place[n.SymbolID] = n.File
	}
	for _, e := range a.Edges {
		out = append(out, place[e.Src]+"\t"+place[e.Dst])
	}
	return out
}

// byFolder turns a function for edges between files into one for edges between folders.
func byFolder(truth func(*testing.T, string) map[string]bool) func(*testing.T, string) map[string]bool {
	return func(t *testing.T, repo string) map[string]bool {
		out := map[string]bool{}
		for edge := range truth(t, repo) {
			from, to, _ := strings.Cut(edge, "\t")
			out[path.Dir(from)+"\t"] = true
			if to != "" && path.Dir(from) != path.Dir(to) {
				out[path.Dir(from)+"\t"+path.Dir(to)] = true
			}
		}
		return out
	}
}

// goPackages returns the imports of packages and their tests by go list, in files for
// this system.
func goPackages(t *testing.T, repo string) map[string]bool {
	dirs, imports := map[string]string{}, map[string][]string{}
	for _, p := range goList(t, repo) {
		dir, _ := filepath.Rel(repo, p.Dir)
		dirs[p.ImportPath] = dir
		imports[dir] = slices.Concat(p.Imports, p.TestImports, p.XTestImports)
	}
	truth := map[string]bool{}
	for from, list := range imports {
		truth[from+"\t"] = true
		for _, i := range list {
			if to, ok := dirs[i]; ok && to != from {
				truth[from+"\t"+to] = true
			}
		}
	}
	return truth
}

func judgeImports(t *testing.T, dir, language string, truth map[string]bool) {
	b := copied(t, dir)
	right, wrong, byName := 0, 0, 0
	found := map[string]bool{}
	for _, x := range allImports(b) {
		edge := x.File.Path + "\t" + x.Target.Path
		switch {
		case found[edge] || !truth[x.File.Path+"\t"] ||
			languages.All.ImportConfidence(x.File.Language) == resolve.Uncalibrated || x.File.Language == "svelte" ||
			language == "go" != (x.File.Language == "go"):
			continue
		case truth[edge]:
			right++
		case x.Target.Language == "css" || x.Target.Language == "html":
			continue // the compiler ignores files that only bundlers import
		case language == "typescript" && !strings.HasPrefix(x.Import().Module, "."):
			byName++ // of a package of the workspace, which is not linked here
			continue
		default:
			wrong++
			if wrong <= 5 {
				t.Logf("wrong: %s by %+v", edge, x.Import().Module)
			}
		}
		found[edge] = true
	}
	missed := 0
	for edge := range truth {
		if !found[edge] && !strings.HasSuffix(edge, "\t") {
			if missed++; missed <= 5 {
				t.Logf("missed: %s", edge)
			}
		}
	}
	t.Logf("%s: precision %d of %d, recall %d of %d, %d by names of packages", filepath.Base(dir), right, right+wrong,
		right, right+missed, byName)
}

// allImports returns every import edge of the root.
func allImports(b *navigatetest.Bench) (out []resolve.ImportEdge) {
	root, _, err := b.Roots.Resolve(b.T.Context(), b.Dir)
	if err != nil {
		b.T.Fatal(err)
	}
	err = root.View(b.T.Context(), func(v *jit.View) error {
		generation, err := jit.Generation(b.T.Context(), v)
		if err != nil {
			return err
		}
		r := resolve.New(b.T.Context(), v, resolve.NewCache(languages.All, nil), generation)
		return v.Files(b.T.Context(), func(row jit.FileRow) error {
			f, err := r.File(row.Path)
			if err != nil || f == nil || row.Class == code.ClassVendor {
				return err
			}
			list, err := r.Imports(f)
			out = append(out, list...)
			return err
		})
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return out
}

// copied returns a bench with a copy of the clone's files indexed.
func copied(t *testing.T, dir string) *navigatetest.Bench {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return navigatetest.Of(t, files)
}

// goPackage is the output of go list for one package.
type goPackage struct {
	Dir, ImportPath string
	GoFiles, CgoFiles, TestGoFiles,
	XTestGoFiles, IgnoredGoFiles []string
	Imports, TestImports, XTestImports []string
}

// goList returns the packages of all modules of a repository, by their import paths.
func goList(t *testing.T, repo string) map[string]goPackage {
	packages := map[string]goPackage{}
	filepath.WalkDir(repo, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" {
			return nil
		}
		cmd := exec.Command("go", "list", "-e", "-mod=mod",
			"-json=Dir,ImportPath,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles,Imports,TestImports,XTestImports", "./...")
		cmd.Dir, cmd.Env = filepath.Dir(path),
			append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
		out, _ := cmd.Output() // dependencies are not installed, so it may fail
		for dec := json.NewDecoder(bytes.NewReader(out)); ; {
			var p goPackage
			if err := dec.Decode(&p); err == io.EOF {
				return nil
			} else if err != nil {
				t.Fatal(err)
			}
			packages[p.ImportPath] = p
		}
	})
	return packages
}

// goImports returns the import edges that go/parser reads, among the packages that go
// list knows.
func goImports(t *testing.T, repo string) map[string]bool {
	packages := goList(t, repo)
	truth := map[string]bool{}
	rel := func(p goPackage, file string) string {
		r, _ := filepath.Rel(repo, filepath.Join(p.Dir, file))
		return r
	}
	for _, p := range packages {
		for _, lists := range [][]string{p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles, p.IgnoredGoFiles} {
			for _, file := range lists {
				f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.ImportsOnly)
				if err != nil {
					continue
				}
				truth[rel(p, file)+"\t"] = true // the file was read
				for _, i := range f.Imports {
					path, _ := strconv.Unquote(i.Path.Value)
					to := packages[path]
					for _, target := range append(append(to.GoFiles, to.CgoFiles...), to.IgnoredGoFiles...) {
						truth[rel(p, file)+"\t"+rel(to, target)] = true
					}
				}
			}
		}
	}
	return truth
}

// oracleImports returns a function that runs a program of testdata/oracles and reads its
// output.
func oracleImports(program, script string, args ...string) func(*testing.T, string) map[string]bool {
	return func(t *testing.T, repo string) map[string]bool {
		cmd := exec.Command(program, append([]string{filepath.Join("..", "..", "..", "testdata", "oracles", script),
			repo}, args...)...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", script, err))
		}
		truth := map[string]bool{}
		for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
			truth[s.Text()] = true
		}
		return truth
	}
}
