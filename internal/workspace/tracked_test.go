package workspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
)

// listed returns all files that a scan finds, including skipped ones.
func listed(t testing.TB, tree *Tree) (paths []string) {
	t.Helper()
	if _, err := tree.Scan(context.Background(), "", Recursive, func(l Listing) {
		for _, e := range l.Files {
			paths = append(paths, e.Path)
		}
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return paths
}

func (r *repo) files(args ...string) []string {
	out := strings.TrimSuffix(string(r.git(nil, append([]string{"ls-files", "-z"}, args...)...)), "\x00")
	if out == "" {
		return nil
	}
	paths := strings.Split(out, "\x00")
	slices.Sort(paths)
	return slices.Compact(paths)
}

// kept returns the files that git tracks or would add, if they are on disk and
// no built-in default ignores them.
func (r *repo) kept() (paths []string) {
	for _, p := range r.files("-co", "--exclude-standard") {
		if _, err := os.Lstat(filepath.Join(r.root, p)); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

func TestTrackedFilesAreNotIgnored(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "package.json\n*.gen.go\n/out/\n/logs/*\n!/logs/keep\n/deep/\n")
	for _, p := range []string{"package.json", "lib/package.json", "a.gen.go", "b.gen.go", "out/a.go", "out/b.go",
		"out/sub/c.go",
		"out/sub/d.go", "out/.gitignore", "logs/x", "logs/keep", "deep/1/2/3/x.go", "deep/1/y.go", "deep/4/z.go",
		"src/m.go"} {
		r.write(p, "package p\n")
	}
	r.git(nil, "add", "-f", "lib/package.json", "a.gen.go", "out/a.go", "out/sub/c.go", "deep/1/2/3/x.go", "src/m.go")
	tree := r.open("")
	check := func() {
		t.Helper()
		want := r.kept()
		if got := listed(t, tree); !slices.Equal(got, want) {
			t.Errorf("listed %v\n  git keeps %v", got, want)
		}
		for _, p := range append(r.files("-ci", "--exclude-standard"), want...) {
			if _, err := tree.Stat(p); err != nil {
				t.Errorf("%s is kept, Stat says %v", p, err)
			}
		}
		for _, p := range r.files("-oi", "--exclude-standard") {
			if _, err := tree.Stat(p); !errors.Is(err, ErrIgnored) {
				t.Errorf("%s is ignored, Stat says %v", p, err)
			}
		}
	}
	check()
	if n := len(r.files("-ci", "--exclude-standard")); n != 5 {
		t.Errorf("%d tracked files are named by rules, want 5: the test shows nothing", n)
	}
	for _, change := range [][]string{{"add", "-f", "out/b.go"},
		{"rm", "-q", "--cached", "lib/package.json", "deep/1/2/3/x.go"},
		{"add", "-fN", "deep/4/z.go"}, {"commit", "-qm", "x"}, {"update-index", "--index-version", "4"},
		{"rm", "-q", "--cached", "-r", "out"}} {
		before := tree.Rules().ID
		r.git(nil, change...)
		matters := change[0] == "add" || change[0] == "rm"
		if got := tree.Reload(); got != matters {
			t.Errorf("git %v: reload reports %v", change, got)
		}
		if (tree.Rules().ID != before) != matters {
			t.Errorf("git %v: changed the identity of the rules: %v", change, !matters)
		}
		check()
	}
}

// Git's rules do not apply to tracked files, but all other rules do.
func TestTrackedFilesMeetTheOtherRules(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "*\n")
	r.write(".sextantignore", "/mine/\n*.no\n!/all/\n!/all/*\n")
	kept := []string{"a.go", "x/y/b.go", "all/c.go", "all/untracked.go", "secret/id_rsa"}
	out := []string{"mine/a.go", "x/b.no", "node_modules/m/a.js", "b.go", "x/y/c.go", "cache/a.go", "x/y.min.js",
		"venv/lib/z.py"}
	for _, p := range append(slices.Clone(kept), out...) {
		r.write(p, "text\n")
	}
	r.write("cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n")
	r.write("venv/pyvenv.cfg", "home = /usr\n")
	r.git(nil, "add", "-f", "a.go", "x", "all/c.go", "secret", "mine", "node_modules", "cache/a.go", "venv/lib/z.py")
	r.git(nil, "rm", "-q", "--cached", "x/y/c.go")
	tree := r.open("")
	got := listed(t, tree)
	slices.Sort(kept)
	if !slices.Equal(got, kept) {
		t.Errorf("listed %v\n     want %v", got, kept)
	}
	if e, err := tree.Stat("secret/id_rsa"); err != nil || e.Skip != SkipSecret {
		t.Errorf("a tracked key is %+v, %v", e, err)
	}
	for _, p := range out {
		if !tree.Ignored(p, false) {
			t.Errorf("%s is not ignored", p)
		}
	}
}

// A repository's index affects only its own files.
func TestTrackedInTheirOwnRepository(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "/sub/\n/plain/\n*.log\n")
	r.write("svc/in.log", "x\n")
	r.write("svc/out.log", "x\n")
	for _, d := range []string{"sub", "plain", "svc/nested"} {
		r.write(d+"/.gitignore", "*.tmp\n")
		r.write(d+"/a.go", "package a\n")
		r.write(d+"/b.tmp", "x\n")
		r.write(d+"/c.tmp", "x\n")
		r.git(nil, "-C", d, "init", "-q")
		r.git(nil, "-C", d, "add", "-f", "a.go", "b.tmp")
		r.git(nil, "-C", d, "commit", "-qm", "x")
	}
	r.git(nil, "add", "-f", "sub", "svc/in.log") // a submodule, although a rule ignores it
	r.git(nil, "add", "svc/nested")
	want := []string{".gitignore", "sub/.gitignore", "sub/a.go", "sub/b.tmp", "svc/in.log", "svc/nested/.gitignore",
		"svc/nested/a.go", "svc/nested/b.tmp"}
	if got := listed(t, r.open("")); !slices.Equal(got, want) {
		t.Errorf("listed %v\n     want %v", got, want)
	}
	want = []string{"in.log", "nested/.gitignore", "nested/a.go", "nested/b.tmp"}
	if got := listed(t, r.open("svc")); !slices.Equal(got, want) {
		t.Errorf("below the top: listed %v\n     want %v", got, want)
	}
}

// Random rules over random files, some of them tracked, agree with git.
func TestRandomTrackedFilesAgreeWithGit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range 12 {
		r := newRepo(t)
		var patterns, files []string
		for range 6 {
			patterns = append(patterns, randomPattern(rnd))
		}
		for range 40 {
			// A name that no directory has, so that files and directories do
			// not collide.
			files = append(files, randomPath(rnd)+".txt")
		}
		for _, p := range files {
			r.write(p, "x\n")
		}
		r.write(".gitignore", strings.Join(append(patterns, "a*/"), "\n"))
		tree := r.open("")
		for step := range 4 {
			p := files[rnd.IntN(len(files))]
			r.git(nil, "--literal-pathspecs", "add", "-f", "--", p, files[rnd.IntN(len(files))])
			if want, got := r.kept(), listed(t, tree); !slices.Equal(got, want) {
				t.Fatalf("case %d, step %d: listed %q\n  git keeps %q\n  rules %q", i, step, got, want, patterns)
			}
		}
	}
}

// The environment variable SEXTANT_CORPUS names a folder of clones.
func TestTrackedFilesOfRealRepositories(t *testing.T) {
	dir := os.Getenv("SEXTANT_CORPUS")
	clones, _ := filepath.Glob(filepath.Join(dir, "*", ".git"))
	if dir == "" || len(clones) == 0 {
		t.Skip("SEXTANT_CORPUS names no clones")
	}
	kept := 0
	for _, c := range clones {
		r := &repo{t: t, root: filepath.Dir(c), home: t.TempDir()}
		tree := r.open("")
		for _, p := range r.files("-ci", "--exclude-standard") {
			if _, err := os.Lstat(filepath.Join(r.root, p)); err != nil {
				continue
			}
			ignored, byDefault := tree.Ignored(p, false), tree.byDefault(p)
			if ignored != byDefault {
				t.Errorf("%s: %s is tracked; ignored %v, by the defaults %v",
					filepath.Base(r.root), p, ignored, byDefault)
			}
			if !ignored {
				kept++
			}
		}
	}
	t.Logf("%d clones, %d tracked files that rules name are kept", len(clones), kept)
}

// byDefault reports whether the built-in defaults ignore p or a directory above
// it.
func (t *Tree) byDefault(p string) bool {
	n, _ := t.node("")
	for i := 0; i <= len(p) && n != nil; i++ {
		if i < len(p) && p[i] != '/' {
			continue
		}
		name := filepath.Base(p[:i])
		if i == len(p) {
			return defaultFile(name)
		}
		if metadataDirs[name] || defaultDir(name, n.traits) {
			return true
		}
		n, _ = t.node(p[:i])
	}
	return false
}

func BenchmarkParseIndex500k(b *testing.B) {
	r := newRepo(b)
	var in strings.Builder
	for i := range 500000 {
		fmt.Fprintf(&in, "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\tsome/directory%d/of/package%d/file%d.go\n",
			i/1000, i/10%100, i)
	}
	r.git([]byte(in.String()), "update-index", "--index-info")
	data, err := os.ReadFile(filepath.Join(r.root, ".git/index"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if x, err := parseIndex(data, 20); err != nil || len(x) != 500000 {
			b.Fatal(len(x), err)
		}
	}
}

// Comparing files with the newest index changes neither the verdicts of a
// running scan nor the result of the next Reload.
func TestComparingDoesNotMoveTheRules(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "out/\n")
	r.write("a.go", "package p\n")
	r.write("out/b.go", "package p\n")
	r.git(nil, "add", ".")
	tree := r.open("")
	listed(t, tree)
	id := tree.Rules().ID
	r.git(nil, "add", "-f", "out/b.go")
	if _, err := NewGit(tree).Changed(t.Context(),
		func(yield func(string, code.StatKey) bool) { yield("a.go", code.StatKey{}) }); err != nil {
		t.Fatal(err)
	}
	if !tree.Ignored("out/b.go", false) || tree.Rules().ID != id {
		t.Error("a comparison has changed what is ignored")
	}
	if !tree.Reload() || tree.Ignored("out/b.go", false) {
		t.Error("Reload does not see what became tracked before a comparison")
	}
}
