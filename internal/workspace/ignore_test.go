package workspace

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ruleCase is one section of testdata/ignore/rules.txtar.
type ruleCase struct {
	name  string
	files map[string]string
	want  map[string]bool // by path; directories without their final slash
	dirs  []string
}

func loadCases(t testing.TB) (cases []ruleCase) {
	t.Helper()
	text, err := os.ReadFile("testdata/ignore/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	expand := strings.NewReplacer("<CR>", "\r", "<TAB>", "\t", "<BOM>", "\xef\xbb\xbf")
	for _, section := range strings.Split(string(text), "\n-- ")[1:] {
		name, body, _ := strings.Cut(section, " --\n")
		c := ruleCase{name: name, files: map[string]string{}, want: map[string]bool{}}
		rules, paths, _ := strings.Cut(body, "\n\n")
		for line := range strings.SplitSeq(rules, "\n") {
			file, patterns, _ := strings.Cut(line, ": ")
			c.files[file] = expand.Replace(strings.ReplaceAll(patterns, "|", "\n")) + "\n"
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSuffix(paths, "\n"), "\n"), "\n") {
			p, isDir := strings.CutSuffix(expand.Replace(line[2:]), "/")
			c.want[p] = line[0] == '-'
			if isDir {
				c.dirs = append(c.dirs, p)
			}
		}
		cases = append(cases, c)
	}
	return cases
}

func TestRules(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.name, func(t *testing.T) {
			root, home := t.TempDir(), t.TempDir()
			writeFile(t, filepath.Join(root, ".git/HEAD"), "ref: refs/heads/main\n")
			c.layOut(t, root, home)
			tree, err := Open(root, Policy{Home: home})
			if err != nil {
				t.Fatal(err)
			}
			for p, want := range c.want {
				if got := tree.byRules(p); got != want {
					t.Errorf("%q: ignored %v, want %v", p, got, want)
				}
			}
		})
	}
}

// The expected verdicts in the cases are those of git.
func TestRuleCasesAreGits(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			c.layOut(t, r.root, r.home)
			var paths []string
			for p := range c.want {
				paths = append(paths, p)
			}
			got := r.ignored(paths)
			for p, want := range c.want {
				if got[p] != want {
					t.Errorf("%q: git says %v, the case %v", p, got[p], want)
				}
			}
		})
	}
}

func (c *ruleCase) layOut(t testing.TB, root, home string) {
	for _, d := range c.dirs {
		mkdir(t, filepath.Join(root, d))
	}
	for p, text := range c.files {
		if rest, ok := strings.CutPrefix(p, "~/"); ok {
			writeFile(t, filepath.Join(home, rest), text)
		} else {
			writeFile(t, filepath.Join(root, p), text)
		}
	}
}

// Rule files of real projects, from the module cache and the clones in
// SEXTANT_CORPUS, agree with git on the names that they mention.
func TestRealRulesAgreeWithGit(t *testing.T) {
	r := newRepo(t)
	var paths []string
	for i, file := range realRuleFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := "p" + itoa(i)
		r.write(dir+"/.gitignore", string(text))
		for k, p := range namesIn(text) {
			if k%2 == 0 {
				mkdirIfFree(filepath.Join(r.root, dir, p))
			}
			paths = append(paths, dir+"/"+p, dir+"/sub/"+p, dir+"/"+p+"/inner.go", dir+"/"+p+"x", dir+"/src/"+p+"/a/b")
		}
	}
	if len(paths) < 200 {
		t.Fatalf("only %d paths: no rule files found", len(paths))
	}
	r.compare("", paths)
	t.Logf("%d paths compared", len(paths))
}

func mkdirIfFree(abs string) { _ = os.MkdirAll(abs, 0o755) }

func realRuleFiles(t *testing.T) (files []string) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, top := range []string{strings.TrimSpace(string(out)), os.Getenv("SEXTANT_CORPUS")} {
		if top == "" {
			continue
		}
		filepath.WalkDir(top, func(p string, e fs.DirEntry, err error) error {
			if err == nil && (e.Name() == ".gitignore" || strings.HasSuffix(e.Name(), ".gitignore")) &&
				e.Type().IsRegular() &&
				len(files) < 600 {
				files = append(files, p)
			}
			return nil
		})
	}
	return files
}

// namesIn turns the patterns of a rule file into paths that they may match.
func namesIn(text []byte) (names []string) {
	fill := strings.NewReplacer("**", "any/deep", "*", "star", "?", "q", "[", "", "]", "", "\\", "", "!", "")
	for line := range bytes.Lines(text) {
		p := strings.Trim(fill.Replace(strings.TrimSpace(string(line))), "/ ")
		p = filepath.ToSlash(filepath.Clean(p))
		if p != "" && p[0] != '#' && p != "." && !strings.HasPrefix(p, "..") && !strings.Contains(p, ".git/") &&
			len(p) < 100 {
			names = append(names, p)
		}
		if len(names) == 40 {
			break
		}
	}
	return names
}

// The rules above a root inside a repository apply to it.
func TestRootInsideRepository(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "/svc/web/out\n*.tmp\nsvc/*/gen\n")
	r.write("svc/.gitignore", "web/cache\n!keep.tmp\n")
	r.write(".git/info/exclude", "/svc/web/private\n")
	r.write("svc/web/.gitignore", "!cache\n")
	var paths []string
	for _, p := range []string{"out", "out/a", "a.tmp", "keep.tmp", "gen", "gen/x", "cache", "cache/y", "private",
		"b/out", "x"} {
		paths = append(paths, "svc/web/"+p)
	}
	r.compare("svc/web", paths)
}

// A submodule has a scope of its own.
func TestRulesOfSubmodule(t *testing.T) {
	r := newRepo(t)
	for p, text := range map[string]string{
		".gitignore": "*.log\n", ".sextantignore": "*.skip\n", "sub/.gitignore": "mine\n",
		"empty/.git/x": "", // not a repository, because it has no HEAD
	} {
		r.write(p, text)
	}
	r.submodule("sub")
	r.write("sub/.git/info/exclude", "private\n")
	tree := r.open("")
	for p, want := range map[string]bool{
		"a.log": true, "sub/a.log": false, "sub/private": true, "private": false, "sub/mine": true, "mine": false,
		"sub/a.skip": true, "empty/a.log": true, "sub/.git/HEAD": true,
	} {
		if got := tree.Ignored(p, false); got != want {
			t.Errorf("%s: ignored %v, want %v", p, got, want)
		}
	}
}

func TestPrecedenceOfSources(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	for p, text := range map[string]string{
		".git/HEAD": "x\n", ".gitignore": "a\nb\nc\n!d\nnode_modules/x\n!dist\n", "package.json": "{}",
		".sextantignore": "!b\n", ".satoriignore": "b\ne\n",
		"sextant.toml": "[index]\nignore = [\"f\", \"!c\"]\nextensions = [\"png\"]\n",
		"satori.toml":  "[index]\nignore = [\"a1\"]\n",
	} {
		writeFile(t, filepath.Join(root, p), text)
	}
	writeFile(t, filepath.Join(home, "x.ignore"), "d\ng\n")
	writeFile(t, filepath.Join(home, ".gitconfig"),
		"[user]\n\tname = x\n[core]\n\texcludesFile = \"~/x.ignore\" ; mine\n")
	tree := openTree(t, root, Policy{Home: home, IgnorePatterns: []string{"h", "!f"}})
	for p, want := range map[string]bool{
		"a": true, "b": false, "c": false, "d": false, "e": true, "f": false, "g": true, "h": true, "a1": false,
		"node_modules/y": true, "dist/x": false, "sub/node_modules/x": true,
	} {
		if got := tree.Ignored(p, false); got != want {
			t.Errorf("%s: ignored %v, want %v", p, got, want)
		}
	}
	if e := statOf(t, root, tree, "pic.png"); e.Skip != "" {
		t.Errorf("a custom extension is skipped: %s", e.Skip)
	}
}

func openTree(t testing.TB, root string, p Policy) *Tree {
	t.Helper()
	if p.Home == "" {
		p.Home = t.TempDir()
	}
	tree, err := Open(root, p)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func statOf(t *testing.T, root string, tree *Tree, p string) Entry {
	t.Helper()
	writeFile(t, filepath.Join(root, p), "x\n")
	e, err := tree.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func scanAll(t testing.TB, tree *Tree) map[string]Entry {
	t.Helper()
	seen := map[string]Entry{}
	if _, err := tree.Scan(context.Background(), "", Recursive, func(l Listing) {
		for _, e := range l.Files {
			seen[e.Path] = e
		}
	}); err != nil {
		t.Fatal(err)
	}
	return seen
}

func TestDefaultsNeedEvidence(t *testing.T) {
	root := t.TempDir()
	for _, p := range []string{
		"rs/Cargo.toml", "rs/target/x", "rs/src/target/mod.rs", "go/build/build.go", "go/internal/dist/d.go",
		"js/package.json", "js/dist/x.js", "js/build/x.js",
		"net/App.csproj", "net/obj/x.cs", "venv/pyvenv.cfg", "venv/lib/x.py", "c/cmake/x.cmake",
		"own/pyvenv.cfg", "own/main.py", "own/src/x.py", "own/lib/python3.12/site-packages/y.py",
		"c/build/CMakeCache.txt",
		"c/build/x.c", "src/CMakeCache.txt", "src/main.c",
		"k/CACHEDIR.TAG", "k/x", "a/min.js", "a/lib.min.js",
	} {
		writeFile(t, filepath.Join(root, p), "x\n")
	}
	tree := openTree(t, root, Policy{})
	seen := scanAll(t, tree)
	for p, want := range map[string]bool{
		"rs/target/x": false, "rs/src/target/mod.rs": true, "go/build/build.go": true, "go/internal/dist/d.go": true,
		"js/dist/x.js": false, "js/build/x.js": true,
		"net/obj/x.cs": false, "venv/lib/x.py": false, "own/src/x.py": true,
		"own/lib/python3.12/site-packages/y.py": false, "c/build/x.c": false, "src/main.c": true, "k/x": false,
		"a/min.js": true, "a/lib.min.js": false,
	} {
		if _, got := seen[p]; got != want {
			t.Errorf("%s: listed %v, want %v", p, got, want)
		}
		if got := !openTree(t, root, Policy{}).Ignored(p, false); got != want {
			t.Errorf("%s: Ignored says %v, the scan %v", p, !got, want)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("a/**/[b-d]*\\?", "a/x/cz?")
	f.Add("[[:alpha:]-", "-")
	f.Add("*a*a*a*a*a*a*a*a*a*b", strings.Repeat("a", 200))
	f.Fuzz(func(t *testing.T, line, p string) {
		pat, ok := parsePattern(line)
		if ok {
			pat.match(p)
		}
		l := newRuleList([]string{line}, "")
		if l == nil && ok {
			t.Fatal("a pattern was lost")
		}
		if l != nil && p != "" {
			name := p[strings.LastIndexByte(p, '/')+1:]
			negated := newRuleList([]string{line, "!" + strings.TrimPrefix(line, "!")}, "")
			if l.match(p, name, true) != silent && negated.match(p, name, true) != include {
				t.Fatalf("%q then its negation does not include %q", line, p)
			}
		}
	})
}

// Nested stars must not take exponential time. Git's own matcher would not
// finish the deeper ones within the time limit of the test.
func TestHostilePatternsEnd(t *testing.T) {
	text := strings.Repeat("a", 3000)
	deep := strings.Repeat("a/", 1000) + "a"
	for _, line := range []string{strings.Repeat("*a", 300) + "b", strings.Repeat("a*", 500) + "b",
		"/" + strings.Repeat("**/a*", 300) + "/b", strings.Repeat("**/", 600) + "b",
		strings.Repeat("[a-z]*", 300) + "1"} {
		p, ok := parsePattern(line)
		if !ok {
			t.Fatalf("%.20q… was refused", line)
		}
		if p.match(text) || p.match(deep) {
			t.Errorf("%.20q… matches", line)
		}
	}
}
