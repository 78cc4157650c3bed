package gitobject

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repo is a repository that git itself makes.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T, init ...string) *repo {
	t.Helper()
	r := &repo{t, t.TempDir()}
	r.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	return r
}

// git runs git without the configuration of the user, and returns its output.
func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c",
		"commit.gpgsign=false"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		errors.As(err, &failed)
		r.t.Fatalf("git %v: %v\n%s", args, err, failed.Stderr)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) write(path, text string) {
	r.t.Helper()
	abs := filepath.Join(r.dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(abs), 0o755), os.WriteFile(abs, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

// history makes commits whose trees and files differ little from each other.
func (r *repo) history(from, to int) {
	for i := from; i < to; i++ {
		for f := range 12 {
			if (i+f)%3 == 0 {
				r.write(fmt.Sprintf("d%d/e/file%d.txt", f%4, f),
					strings.Repeat(fmt.Sprintf("line of %d\n", f), 200)+fmt.Sprint("turn ", i, "\n"))
			}
		}
		r.git("add", "-A")
		r.git("commit", "-q", "-m", fmt.Sprint("turn ", i), "--date", fmt.Sprint(1700000000+i))
	}
}

func (r *repo) open() *Store {
	s := Open(filepath.Join(r.dir, ".git"), filepath.Join(r.dir, ".git"))
	r.t.Cleanup(func() { s.Close() })
	return s
}

// agree compares what a Store reads with what git says.
func (r *repo) agree(s *Store, revisions ...string) {
	r.t.Helper()
	for i, revision := range revisions {
		id, err := s.Resolve(revision)
		if want := r.git("rev-parse", revision+"^{commit}"); err != nil || s.text(id) != want {
			r.t.Fatalf("%s is %s, %v; git says %s", revision, s.text(id), err, want)
		}
		tree, err := s.Tree(id)
		if err != nil {
			r.t.Fatal(err)
		}
		var got []string
		err = s.Files(context.Background(), tree, func(f File) {
			if i == 0 { // other revisions have much the same files
				text, err := s.Blob(f.ID, 1<<20)
				if want := r.git("cat-file", "blob", s.text(f.ID)); err != nil ||
					strings.TrimSpace(string(text)) != want {
					r.t.Errorf("%s in %s: %.20q, %v; git says %.20q", f.Path, revision, text, err, want)
				}
			}
			got = append(got, s.text(f.ID)+" "+f.Path)
		})
		if err != nil {
			r.t.Fatal(err)
		}
		slices.Sort(got)
		want := strings.Split(r.git("ls-tree", "-r", "--format=%(objectname) %(path)", revision), "\n")
		slices.Sort(want)
		if !slices.Equal(got, want) {
			r.t.Errorf("%s has %v, git says %v", revision, got, want)
		}
	}
}

// Loose objects, packs with differences, and both together are read as git
// reads them, with either kind of id.
func TestAgreesWithGit(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := newRepo(t, "--object-format="+format)
			r.history(0, 10)
			r.git("tag", "light")
			r.git("tag", "-m", "annotated", "v1.0")
			r.git("branch", "topic/one")
			revisions := []string{"HEAD", "@", "main", "light", "v1.0", "topic/one", "HEAD~3", "HEAD^^", "v1.0~2^1",
				"heads/main", "refs/tags/v1.0"}
			r.agree(r.open(), revisions...)
			r.git("gc", "-q", "--aggressive")
			r.agree(r.open(), revisions...)
			r.history(10, 14)
			r.git("checkout", "-q", "--detach", "HEAD~2")
			id := r.git("rev-parse", "HEAD~4")
			r.agree(r.open(), append(revisions, id, id[:7], "HEAD^1")...)
		})
	}
}

// A clone that borrows the objects of another, and a second work tree, are read
// like any other.
func TestBorrowedObjectsAndWorkTrees(t *testing.T) {
	r := newRepo(t)
	r.history(0, 3)
	other := &repo{t, filepath.Join(t.TempDir(), "clone")}
	r.git("clone", "-q", "--shared", r.dir, other.dir)
	other.agree(other.open(), "HEAD", "origin/main", "origin")

	tree := filepath.Join(t.TempDir(), "tree")
	r.git("worktree", "add", "-q", "--detach", tree, "HEAD~1")
	s := Open(filepath.Join(r.dir, ".git", "worktrees", "tree"), filepath.Join(r.dir, ".git"))
	t.Cleanup(func() { s.Close() })
	(&repo{t, tree}).agree(s, "HEAD", "main")
}

func TestMergeBase(t *testing.T) {
	r := newRepo(t)
	r.history(0, 3)
	r.git("checkout", "-q", "-b", "topic")
	r.history(3, 6)
	r.git("checkout", "-q", "main")
	r.history(6, 8)
	r.git("merge", "-q", "-s", "ours", "-m", "merged", "topic~1")
	r.history(8, 9)
	s := r.open()
	for _, pair := range [][2]string{{"main", "topic"}, {"topic", "main"}, {"main", "main"}, {"main~3", "topic"},
		{"main", "main~2"}} {
		a, errA := s.Resolve(pair[0])
		b, errB := s.Resolve(pair[1])
		base, err := s.MergeBase(context.Background(), a, b)
		if want := r.git("merge-base", pair[0], pair[1]); errors.Join(errA, errB, err) != nil || s.text(base) != want {
			t.Errorf("base of %v is %s, %v; git says %s", pair, s.text(base), err, want)
		}
	}
}

// Two trees differ by the files that git says differ.
func TestDiffer(t *testing.T) {
	r := newRepo(t)
	r.history(0, 6)
	r.git("rm", "-q", "-r", "d1")
	r.write("new/one.txt", "new\n")
	if err := os.Symlink("new", filepath.Join(r.dir, "link")); err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(filepath.Join(r.dir, "d3"))
	r.write("d3", "was a folder\n")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "much")
	s := r.open()
	a, _ := s.Resolve("HEAD~2")
	b, _ := s.Resolve("HEAD")
	before, _ := s.Tree(a)
	after, _ := s.Tree(b)
	var got []string
	if err := s.Differ(context.Background(), before, after,
		func(path string, _, _ ID) { got = append(got, path) }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	want := strings.Split(r.git("diff-tree", "-r", "--no-renames", "--name-only", "HEAD~2", "HEAD", "--", ":!link"),
		"\n")
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%v differ, git says %v", got, want)
	}
	below, ok, err := s.Below(after, "new")
	if want := r.git("rev-parse", "HEAD:new"); err != nil || !ok || s.text(below) != want {
		t.Errorf("new is %s, %v; git says %s", s.text(below), err, want)
	}
}

// TestTreesThatUnfold checks that a repository of seven objects whose trees hold each other many times, and so name
// 10^18 files, is refused.
func TestTreesThatUnfold(t *testing.T) {
	r := newRepo(t)
	s := r.open()
	r.write("a", "a\n")
	mode, text := "100644", r.git("hash-object", "-w", "a")
	for range 6 {
		id, ok := s.parseID(text)
		if !ok {
			t.Fatal(text)
		}
		var tree strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&tree, "%s %03d\x00%s", mode, i, id[:s.size])
		}
		r.write("tree", tree.String())
		mode, text = "40000", r.git("hash-object", "-w", "-t", "tree", "tree")
	}
	tree, ok := s.parseID(text)
	if !ok {
		t.Fatal(text)
	}
	n := 0
	if err := s.Files(t.Context(), tree, func(File) { n++ }); !errors.Is(err, ErrTooLarge) || n > maxTreeEntries {
		t.Errorf("%d files, %v", n, err)
	}
}

// A text that names no commit is refused, and leads to no file outside.
func TestNoSuchRevision(t *testing.T) {
	r := newRepo(t)
	r.history(0, 2)
	s := r.open()
	blob := r.git("rev-parse", "HEAD:d0/e/file0.txt")
	for _, revision := range []string{"nothing", "HEAD~9", "HEAD^2", "../HEAD", "/etc/passwd", "refs/../HEAD", "abcd",
		"HEAD@{1}", "main:d0", blob, "config", strings.Repeat("0", 40), strings.Repeat("x", 5000), "a\x00b"} {
		if id, err := s.Resolve(revision); err == nil {
			t.Errorf("%.40q is %v", revision, id)
		} else if !errors.Is(err, ErrRevision) && !errors.Is(err, ErrMissing) {
			t.Errorf("%.40q: %v", revision, err)
		}
	}
	if _, err := s.Blob(ID{}, 10); !errors.Is(err, ErrMissing) {
		t.Errorf("a missing blob: %v", err)
	}
	id, _ := s.parseID(blob)
	if _, err := s.Blob(id, 10); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a large blob: %v", err)
	}
}

// Damaged packs and loose objects are errors, never a crash or endless work.
func FuzzDamaged(f *testing.F) {
	f.Add(uint(20), byte(0xff), true)
	f.Add(uint(200), byte(0), false)
	f.Add(uint(1100), byte(0x80), true)
	f.Fuzz(func(t *testing.T, at uint, with byte, packed bool) {
		r := newRepo(t)
		r.history(0, 3)
		if packed {
			r.git("gc", "-q", "--aggressive")
		}
		_ = filepath.WalkDir(filepath.Join(r.dir, ".git", "objects"),
			func(name string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				text, err := os.ReadFile(name)
				if err == nil && len(text) > 0 {
					text[at%uint(len(text))] = with
					err = errors.Join(os.Chmod(name, 0o644), os.WriteFile(name, text, 0o644))
				}
				return err
			})
		s := r.open()
		if id, err := s.Resolve("HEAD"); err == nil {
			if tree, err := s.Tree(id); err == nil {
				_ = s.Files(context.Background(), tree, func(file File) { _, _ = s.Blob(file.ID, 1<<20) })
			}
		}
	})
}
