package navigate

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
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/jit"
	"sextant/l2meta/resolve"
)

// importTruth is the repositories on which the imports of each language are
// judged, and what says the truth of one: its edges as "from<TAB>to", and
// "from<TAB>" for each file that was read. None of them is in testdata/corpus.lock.
var importTruth = []struct {
	language string
	repos    []string
	truth    func(t *testing.T, repo string) map[string]bool
}{
	{"go", []string{"nsqio+nsq", "hashicorp+raft", "hashicorp+memberlist", "pressly+goose"}, goImports},
	{"typescript", []string{"ghostfolio+ghostfolio", "mikro-orm+mikro-orm", "alan2207+bulletproof-react", "facebook+lexical"}, oracleImports("node", "imports.mjs", "../../testdata/node")},
	{"python", []string{"paramiko+paramiko", "pallets+werkzeug", "encode+starlette", "coleifer+huey"}, oracleImports("python3", "imports.py")},
}

// TestImportTruth measures file→file imports against the languages' own tools,
// on the clones in the folder SEXTANT_CORPUS. What it found last is in
// docs/architecture.md.
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

func judgeImports(t *testing.T, dir, language string, truth map[string]bool) {
	b := copied(t, dir)
	right, wrong, byName := 0, 0, 0
	found := map[string]bool{}
	for _, x := range b.allImports() {
		edge := x.File.Path + "\t" + x.Target.Path
		switch {
		case found[edge] || !truth[x.File.Path+"\t"] || resolve.ImportConfidence(x.File.Language) == resolve.Uncalibrated || x.File.Language == "svelte" || language == "go" != (x.File.Language == "go"):
			continue
		case truth[edge]:
			right++
		case x.Target.Language == "css" || x.Target.Language == "html":
			continue // the compiler knows nothing of what bundlers import
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
	t.Logf("%s: precision %d of %d, recall %d of %d, %d by names of packages", filepath.Base(dir), right, right+wrong, right, right+missed, byName)
}

// allImports is every import edge of the root.
func (b *bench) allImports() (out []resolve.ImportEdge) {
	root, _, err := b.roots.Resolve(b.t.Context(), b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	err = root.View(b.t.Context(), func(v *jit.View) error {
		generation, err := jit.Generation(b.t.Context(), v)
		if err != nil {
			return err
		}
		r := resolve.New(b.t.Context(), v, b.derived(root), generation)
		return v.Files(b.t.Context(), func(row jit.FileRow) error {
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
		b.t.Fatal(err)
	}
	return out
}

// copied indexes the texts of a clone.
func copied(t *testing.T, dir string) *bench {
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
	return of(t, files)
}

// goImports is what go/parser reads, and go list knows of the packages.
func goImports(t *testing.T, repo string) map[string]bool {
	type pkg struct {
		Dir, ImportPath string
		GoFiles, CgoFiles, TestGoFiles,
		XTestGoFiles, IgnoredGoFiles []string
	}
	packages := map[string]pkg{}
	filepath.WalkDir(repo, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" {
			return nil
		}
		cmd := exec.Command("go", "list", "-e", "-mod=mod", "-json=Dir,ImportPath,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles", "./...")
		cmd.Dir, cmd.Env = filepath.Dir(path), append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
		out, _ := cmd.Output() // dependencies are not there
		for dec := json.NewDecoder(bytes.NewReader(out)); ; {
			var p pkg
			if err := dec.Decode(&p); err == io.EOF {
				return nil
			} else if err != nil {
				t.Fatal(err)
			}
			packages[p.ImportPath] = p
		}
	})
	truth := map[string]bool{}
	rel := func(p pkg, file string) string { r, _ := filepath.Rel(repo, filepath.Join(p.Dir, file)); return r }
	for _, p := range packages {
		for _, lists := range [][]string{p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles, p.IgnoredGoFiles} {
			for _, file := range lists {
				f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.ImportsOnly)
				if err != nil {
					continue
				}
				truth[rel(p, file)+"\t"] = true // it was read
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

// oracleImports is what a program of testdata/oracles prints.
func oracleImports(program, script string, args ...string) func(*testing.T, string) map[string]bool {
	return func(t *testing.T, repo string) map[string]bool {
		cmd := exec.Command(program, append([]string{filepath.Join("..", "..", "testdata", "oracles", script), repo}, args...)...)
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
