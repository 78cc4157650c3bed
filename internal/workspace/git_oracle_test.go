package workspace

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repo is a temporary git repository. Tests compare our answers with those of
// git.
type repo struct {
	t    testing.TB
	root string
	home string
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	r := &repo{t: t, root: filepath.Join(t.TempDir(), "root"), home: t.TempDir()}
	mkdir(t, r.root)
	r.git(nil, "init", "-q", ".")
	return r
}

func (r *repo) git(stdin []byte, args ...string) []byte {
	r.t.Helper()
	cmd := r.command(args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); err != nil && !(args[0] == "check-ignore" && code == 1) {
		r.t.Fatalf("git %v: %v\n%s", args, err, stderr.String())
	}
	return out
}

func (r *repo) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "HOME="+r.home, "XDG_CONFIG_HOME="+filepath.Join(r.home, ".config"),
		"GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	return cmd
}

// ignored returns the paths that git ignores.
func (r *repo) ignored(paths []string) map[string]bool {
	r.t.Helper()
	out := r.git([]byte(strings.Join(paths, "\x00")), "check-ignore", "--no-index", "--stdin", "-z")
	set := map[string]bool{}
	for p := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		set[p] = true
	}
	return set
}

func (r *repo) open(dir string) *Tree {
	r.t.Helper()
	tree, err := Open(filepath.Join(r.root, dir), Policy{Home: r.home})
	if err != nil {
		r.t.Fatal(err)
	}
	return tree
}

func (r *repo) write(rel, text string) {
	r.t.Helper()
	writeFile(r.t, filepath.Join(r.root, filepath.FromSlash(rel)), text)
}

func writeFile(t testing.TB, abs, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(abs))
	if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t testing.TB, abs string) {
	t.Helper()
	if err := os.MkdirAll(abs, 0o755); err != nil {
		t.Fatal(err)
	}
}

// byRules is like Ignored, but without the built-in defaults, which git lacks.
func (t *Tree) byRules(p string) bool {
	n, err := t.node("")
	if err != nil {
		return false
	}
	sc := n.scope
	for i := 0; i <= len(p); i++ {
		if i < len(p) && p[i] != '/' {
			continue
		}
		step := p[:i]
		st, err := os.Lstat(filepath.Join(t.root, filepath.FromSlash(step)))
		isDir := i < len(p) || err == nil && st.IsDir()
		if sc.check(step, filepath.Base(step), isDir) == ignore {
			return true
		}
		if n, err := t.node(step); err == nil {
			sc = n.scope
		}
	}
	return false
}

// compare compares the verdicts on paths, relative to the repository, between
// git and a tree whose root is the subdirectory sub. It returns the number of
// disagreements.
func (r *repo) compare(sub string, paths []string) (disagreements int) {
	r.t.Helper()
	slices.Sort(paths)
	paths = slices.Compact(paths)
	want := r.ignored(paths)
	tree := r.open(sub)
	for _, p := range paths {
		rel := p
		if sub != "" {
			rel = strings.TrimPrefix(p, sub+"/")
		}
		if got := tree.byRules(rel); got != want[p] {
			disagreements++
			if disagreements <= 10 {
				r.t.Errorf("%q: ignored %v, git says %v", p, got, want[p])
			}
		}
	}
	return disagreements
}

var fuzzAtoms = []string{"a", "b", "ab", "c", "foo", "bar", "*", "**", "***", "?", "/", "/", "/**/", "**/", "/*",
	"[ab]", "[!a]", "[^b-c]", "[a-c]", "[[:alpha:]]", "[[:digit:]-]", "[]a]", "[a\\]]", "\\*", "\\/", "\\a", ".", "-",
	" ", "\\ ", "#", "!", "[", "]", "[a/b]", "[b-", "é", "[[:nope:]]", "\t"}

var pathAtoms = []string{"a", "b", "ab", "c", "foo", "bar", "abc", "foobar", "a.b", "*", "-", "]", "[", " a", "a ",
	"é", "#a", "!b", "foob", "1", "\\a", "a]"}

func randomPattern(rnd *rand.Rand) string {
	var s strings.Builder
	if rnd.IntN(6) == 0 {
		s.WriteString("!")
	}
	for range 1 + rnd.IntN(5) {
		s.WriteString(fuzzAtoms[rnd.IntN(len(fuzzAtoms))])
	}
	if rnd.IntN(6) == 0 {
		s.WriteString("/")
	}
	if rnd.IntN(12) == 0 {
		s.WriteString("\r")
	}
	return s.String()
}

func randomPath(rnd *rand.Rand) string {
	steps := make([]string, 1+rnd.IntN(4))
	for i := range steps {
		steps[i] = pathAtoms[rnd.IntN(len(pathAtoms))]
	}
	return strings.Join(steps, "/")
}

// fill creates a random case below dir: rule files at three depths and some
// directories. It returns paths to check.
func (r *repo) fill(rnd *rand.Rand, dir string, patterns []string) (paths []string) {
	for range 12 {
		paths = append(paths, dir+"/"+randomPath(rnd))
	}
	for _, p := range paths[:4] {
		mkdir(r.t, filepath.Join(r.root, p))
	}
	text := func() string {
		var lines []string
		for range 1 + rnd.IntN(5) {
			lines = append(lines, patterns[rnd.IntN(len(patterns))])
		}
		return strings.Join(lines, "\n")
	}
	r.write(dir+"/.gitignore", text())
	if rnd.IntN(2) == 0 {
		r.write(paths[0]+"/.gitignore", text()+"\n")
		for range 6 {
			paths = append(paths, paths[0]+"/"+randomPath(rnd))
		}
	}
	return paths
}

func TestRandomRulesAgreeWithGit(t *testing.T) {
	r := newRepo(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	var paths []string
	for i := range 600 {
		var patterns []string
		for range 6 {
			patterns = append(patterns, randomPattern(rnd))
		}
		paths = append(paths, r.fill(rnd, "case"+itoa(i), patterns)...)
	}
	r.compare("", paths)
	t.Logf("%d paths compared", len(paths))
}

func itoa(i int) string {
	const digits = "0123456789"
	s := []byte{digits[i/1000%10], digits[i/100%10], digits[i/10%10], digits[i%10]}
	return string(s)
}

func FuzzRulesAgreeWithGit(f *testing.F) {
	for i, s := range []string{"foo**/bar\n!a", "/a/*\n!/a/b", "**/a\n**\\/b", "a/**\n!a/b/", "[a-c]/?\n \\ ",
		"*\n!*/\n!*.b"} {
		f.Add(s, uint64(i))
	}
	r := newRepo(f)
	n := 0
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 200 || strings.Contains(text, "/.git") {
			return
		}
		r.t = t
		n++
		rnd := rand.New(rand.NewPCG(seed, 1))
		dir := "d" + itoa(n)
		os.RemoveAll(filepath.Join(r.root, dir))
		paths := r.fill(rnd, dir, strings.Split(text, "\n"))
		r.write(dir+"/.gitignore", text)
		r.compare("", paths)
		os.RemoveAll(filepath.Join(r.root, dir))
	})
}
