package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// editor changes a workspace by random edits. Every line of text that it writes
// contains a token or a name that was never used before.
type editor struct {
	t        testing.TB
	dir      string
	rng      *rand.Rand
	counter  int
	branches []string
	trace    []string
}

var (
	tokenPattern = regexp.MustCompile(`uq\d{7}z`)
	namePattern  = regexp.MustCompile(`Sym\d{7}`)
)

func (e *editor) token() string { e.counter++; return fmt.Sprintf("uq%07dz", e.counter) }
func (e *editor) name() string  { e.counter++; return fmt.Sprintf("Sym%07d", e.counter) }

func (e *editor) abs(p string) string { return filepath.Join(e.dir, p) }

// pick returns a random element, the zero value if there is none.
func pick[T any](rng *rand.Rand, from []T) (one T) {
	if len(from) > 0 {
		one = from[rng.IntN(len(from))]
	}
	return one
}

// block returns a new declaration in the language of ext.
func (e *editor) block(ext string) string {
	switch ext {
	case ".go":
		return fmt.Sprintf("// %s says %s.\nfunc %s() int {\n\treturn %d // %s\n}\n", "It", e.token(), e.name(),
			e.rng.IntN(9), e.token())
	case ".py":
		return fmt.Sprintf("def %s():\n    return %d  # %s\n", e.name(), e.rng.IntN(9), e.token())
	case ".ts":
		return fmt.Sprintf("export function %s(): number {\n  return %d; // %s\n}\n", e.name(),
			e.rng.IntN(9), e.token())
	}
	return fmt.Sprintf("A line with %s in it.\r\n", e.token())
}

func (e *editor) text(p string) string {
	var b strings.Builder
	if path.Ext(p) == ".go" {
		b.WriteString("package p\n\n")
	}
	for range e.rng.IntN(4) {
		b.WriteString(e.block(path.Ext(p)))
	}
	return b.String()
}

func (e *editor) fileName() string {
	return fmt.Sprintf("%c%d%s", 'a'+rune(e.rng.IntN(6)), e.rng.IntN(4),
		pick(e.rng, []string{".go", ".go", ".py", ".ts", ".txt", ".md"}))
}

func (e *editor) dirName() string { return fmt.Sprintf("d%d", e.rng.IntN(6)) }

// list returns every file and directory that edits may change.
func (e *editor) list() (files, dirs []string) {
	e.t.Helper()
	dirs = []string{"."}
	err := filepath.WalkDir(e.dir, func(abs string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) {
			return nil
		}
		if err != nil {
			return err
		}
		p, err := filepath.Rel(e.dir, abs)
		switch {
		case p == "." || err != nil:
		case d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			dirs = append(dirs, p)
		case d.Type().IsRegular() && d.Name() != ".gitignore":
			files = append(files, p)
		}
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return files, dirs
}

// try fails the test on an error, unless the file system only refused a random
// edit.
func (e *editor) try(err error) {
	e.t.Helper()
	var pe *fs.PathError
	var le *os.LinkError
	if err != nil && !errors.As(err, &pe) && !errors.As(err, &le) {
		e.t.Fatal(err)
	}
}

func (e *editor) write(p, text string) {
	e.try(os.MkdirAll(filepath.Dir(e.abs(p)), 0o755))
	e.try(os.WriteFile(e.abs(p), []byte(text), 0o644))
}

// renew replaces every token and name by a new one of the same length.
func (e *editor) renew(text []byte) []byte {
	text = tokenPattern.ReplaceAllFunc(text, func([]byte) []byte { return []byte(e.token()) })
	return namePattern.ReplaceAllFunc(text, func([]byte) []byte { return []byte(e.name()) })
}

func (e *editor) git(args ...string) {
	e.t.Helper()
	cmd := gitCommand(e.dir, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		e.t.Fatalf("git %v: %v\n%s\nafter %q", args, err, out, e.trace[max(0, len(e.trace)-12):])
	}
}

// tryGit runs git and ignores its refusals, for example of a file that is
// locked or not tracked. If git crashed, tryGit removes its lock files.
func (e *editor) tryGit(args ...string) {
	e.t.Helper()
	out, err := gitCommand(e.dir, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		e.t.Fatal(err)
	}
	if exit != nil && exit.ExitCode() < 0 {
		e.t.Logf("git %q: %v: %s", args, exit, out)
		e.breakLocks()
	}
}

// breakLocks removes the index.lock of every repository.
func (e *editor) breakLocks() {
	e.t.Helper()
	e.try(filepath.WalkDir(e.dir, func(abs string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission):
			return nil
		case err == nil && d.Name() == "index.lock":
			return os.Remove(abs)
		}
		return err
	}))
}

// gitCommand returns a git command in dir that ignores the configuration of the
// machine.
func gitCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c",
		"core.excludesFile=", "-c", "gc.auto=0", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	return cmd
}

// edit is one kind of change. do may change nothing. file and dir are random
// existing ones, "" if there are none.
type edit struct {
	name string
	do   func(e *editor, file, dir string)
}

var edits = []edit{
	{"in-place edit", func(e *editor, file, _ string) { e.write(file, e.text(file)) }},
	{"same-size edit", (*editor).sameSize},
	{"same-size edit, restored mtime",
		func(e *editor, file, dir string) { e.restoringTime(file, func() { e.sameSize(file, dir) }) }},
	{"edit, restored mtime",
		func(e *editor, file, _ string) { e.restoringTime(file, func() { e.write(file, e.text(file)) }) }},
	{"atomic write", func(e *editor, file, _ string) {
		e.write(file+".tmp", e.text(file))
		e.try(os.Rename(e.abs(file+".tmp"), e.abs(file)))
	}},
	{"append", (*editor).append},
	{"insert at the top", func(e *editor, file, _ string) {
		if path.Ext(file) != ".go" {
			old, err := os.ReadFile(e.abs(file))
			e.try(err)
			e.write(file, e.block(path.Ext(file))+string(old[:min(len(old), 1000)]))
		}
	}},
	{"truncate", func(e *editor, file, _ string) {
		if info, err := os.Stat(e.abs(file)); err == nil {
			e.try(os.Truncate(e.abs(file), e.rng.Int64N(info.Size()+1)))
		}
	}},
	{"rename", func(e *editor, file, dir string) {
		name := e.fileName()
		e.try(os.Rename(e.abs(file), e.abs(path.Join(dir, strings.TrimSuffix(name, path.Ext(name))+path.Ext(file)))))
	}},
	{"delete", func(e *editor, file, _ string) { e.try(os.Remove(e.abs(file))) }},
	{"new file", func(e *editor, _, dir string) { p := path.Join(dir, e.fileName()); e.write(p, e.text(p)) }},
	{"new file in new directories", func(e *editor, _, dir string) {
		p := path.Join(dir, e.dirName(), e.dirName(), e.fileName())
		if strings.Count(p, "/") < 5 {
			e.write(p, e.text(p))
		}
	}},
	{"directory rename", func(e *editor, _, dir string) {
		_, dirs := e.list()
		e.try(os.Rename(e.abs(dir), e.abs(path.Join(pick(e.rng, dirs), e.dirName()))))
	}},
	{"directory swap", func(e *editor, _, dir string) {
		_, dirs := e.list()
		if other := pick(e.rng, dirs); dir != "." && other != "." {
			e.try(os.Rename(e.abs(dir), e.abs("swap")))
			e.try(os.Rename(e.abs(other), e.abs(dir)))
			e.try(os.Rename(e.abs("swap"), e.abs(other)))
		}
	}},
	{"directory delete", func(e *editor, _, dir string) {
		if dir != "." && e.rng.IntN(3) == 0 {
			e.try(os.RemoveAll(e.abs(dir)))
		}
	}},
	{"branch switch", (*editor).checkout},
	{"ignore rules", (*editor).ignore},
	{"track a file", func(e *editor, file, _ string) { e.tryGit("add", "-f", "--", file) }},
	{"track a directory", func(e *editor, _, dir string) { e.tryGit("add", "-f", "--", dir) }},
	{"track what no rule names", func(e *editor, _, dir string) { e.tryGit("add", "--", dir) }},
	{"untrack a file", func(e *editor, file, _ string) { e.tryGit("rm", "-q", "-f", "--cached", "--", file) }},
	{"untrack a directory", func(e *editor, _, dir string) {
		if e.rng.IntN(2) == 0 {
			e.tryGit("rm", "-q", "-r", "-f", "--cached", "--", dir)
		}
	}},
	{"rename by git", func(e *editor, file, dir string) {
		name := e.fileName()
		e.tryGit("mv", "-f", "--", file, path.Join(dir, strings.TrimSuffix(name, path.Ext(name))+path.Ext(file)))
	}},
	{"commit", func(e *editor, _, _ string) { e.tryGit("commit", "-q", "-a", "-m", "state") }},
	{"reset", func(e *editor, _, _ string) { e.tryGit("reset", "-q", pick(e.rng, []string{"--mixed", "--hard"})) }},
	{"write and track at once", func(e *editor, _, dir string) {
		p := path.Join(dir, e.fileName())
		e.write(p, e.text(p))
		e.tryGit("add", "-f", "--", p)
	}},
	{"link for a file", func(e *editor, file, _ string) {
		files, _ := e.list()
		e.try(os.Remove(e.abs(file)))
		e.try(os.Symlink(e.abs(pick(e.rng, files)), e.abs(file)))
	}},
	{"link for a directory", func(e *editor, _, dir string) {
		if _, dirs := e.list(); dir != "." && e.rng.IntN(3) == 0 {
			e.try(os.RemoveAll(e.abs(dir)))
			e.try(os.Symlink(e.abs(pick(e.rng, dirs)), e.abs(dir)))
		}
	}},
	{"clone in a new directory", func(e *editor, _, dir string) { e.clone(path.Join(dir, e.dirName())) }},
	{"a directory becomes a checkout", func(e *editor, _, dir string) { e.clone(dir) }},
	{"worktree", func(e *editor, _, dir string) {
		if d := path.Join(dir, e.dirName()); strings.Count(d, "/") < 4 {
			e.tryGit("worktree", "add", "-q", "-f", "--detach", d)
		}
	}},
	{"submodule", func(e *editor, _, _ string) { e.tryGit("add", "-f", "--", pick(e.rng, e.checkouts())) }},
	{"no submodule", func(e *editor, _, _ string) {
		e.tryGit("rm", "-q", "-f", "--cached", "--", pick(e.rng, e.checkouts()))
	}},
	{"track within a checkout", func(e *editor, file, _ string) {
		if d := pick(e.rng, e.checkouts()); d != "" {
			e.tryGit("-C", d, "add", "-A")
		}
	}},
	{"a checkout becomes a directory", func(e *editor, _, _ string) {
		if d := pick(e.rng, e.checkouts()); d != "" {
			e.try(os.RemoveAll(e.abs(path.Join(d, ".git"))))
		}
	}},
	{"lock a file", func(e *editor, file, _ string) { e.try(os.Chmod(e.abs(file), 0)) }},
	{"lock a directory", func(e *editor, _, dir string) {
		if dir != "." && e.rng.IntN(2) == 0 {
			e.try(os.Chmod(e.abs(dir), 0))
		}
	}},
	{"unlock", func(e *editor, _, _ string) { e.unlock() }},
	{"unlock", func(e *editor, _, _ string) { e.unlock() }},
	{"chmod", func(e *editor, file, _ string) { e.try(os.Chmod(e.abs(file), 0o644|fs.FileMode(e.rng.IntN(2)*0o111))) }},
}

// clone makes dir a repository with a commit.
func (e *editor) clone(dir string) {
	if dir == "." || strings.Count(dir, "/") > 3 {
		return
	}
	for range 2 {
		p := path.Join(dir, e.fileName())
		e.write(p, e.text(p))
	}
	e.tryGit("init", "-q", dir)
	if isRepository(e.abs(dir)) {
		e.tryGit("-C", dir, "add", "-A")
		e.tryGit("-C", dir, "commit", "-q", "--allow-empty", "-m", "state")
	}
}

// checkouts returns every checkout below the workspace.
func (e *editor) checkouts() (list []string) {
	_, dirs := e.list()
	for _, d := range dirs {
		if _, err := os.Lstat(e.abs(path.Join(d, ".git"))); err == nil && d != "." {
			list = append(list, d)
		}
	}
	return list
}

func (e *editor) sameSize(file, _ string) {
	text, err := os.ReadFile(e.abs(file))
	e.try(err)
	e.try(os.WriteFile(e.abs(file), e.renew(text), 0o644))
}

func (e *editor) append(file, _ string) {
	if info, err := os.Stat(e.abs(file)); err != nil || info.Size() > 2000 {
		return
	}
	f, err := os.OpenFile(e.abs(file), os.O_APPEND|os.O_WRONLY, 0)
	e.try(err)
	if err == nil {
		_, err = f.WriteString(e.block(path.Ext(file)))
		e.try(errors.Join(err, f.Close()))
	}
}

func (e *editor) restoringTime(file string, change func()) {
	info, err := os.Stat(e.abs(file))
	change()
	if err == nil {
		e.try(os.Chtimes(e.abs(file), info.ModTime(), info.ModTime()))
	}
}

// unlock makes every file and directory readable.
func (e *editor) unlock() {
	if os.Getuid() != 0 {
		e.try(unlockAll(e.dir))
	}
	files, dirs := e.list()
	for _, d := range dirs {
		e.try(os.Chmod(e.abs(d), 0o755))
	}
	for _, f := range files {
		if info, err := os.Stat(e.abs(f)); err == nil && info.Mode()&0o444 == 0 {
			e.try(os.Chmod(e.abs(f), 0o644))
		}
	}
}

// checkout commits everything and switches to another branch: a new one, or an
// earlier one with other contents.
func (e *editor) checkout(_, _ string) {
	e.unlock()
	e.tryGit("add", "-A") // fails for a broken checkout
	e.git("commit", "-q", "--allow-empty", "-m", "state")
	if len(e.branches) < 2 || e.rng.IntN(5) == 0 {
		name := fmt.Sprintf("b%d", len(e.branches))
		e.git("checkout", "-q", "-b", name)
		e.branches = append(e.branches, name)
		return
	}
	e.tryGit("checkout", "-q", "-f", pick(e.rng, e.branches[max(0, len(e.branches)-4):]))
}

// ignore writes random rules to a .gitignore, or removes it.
func (e *editor) ignore(_, dir string) {
	rules := []string{"*.txt", "*.py", "d1/", "d2", "/d3/**", "a?.*", "!a0.*", "d4/*.go", "**/b1.*", "!*.md"}
	var b bytes.Buffer
	for _, r := range rules {
		if e.rng.IntN(5) == 0 {
			b.WriteString(r + "\n")
		}
	}
	if e.rng.IntN(2) == 0 {
		dir = "."
	}
	if e.rng.IntN(3) == 0 {
		e.try(os.Remove(e.abs(path.Join(dir, ".gitignore"))))
		return
	}
	e.write(path.Join(dir, ".gitignore"), b.String())
}

// step does one random edit.
func (e *editor) step() {
	files, dirs := e.list()
	op := pick(e.rng, edits)
	if len(files) < 12 && e.rng.IntN(2) == 0 {
		op = edit{"many new files", func(e *editor, _, dir string) {
			for range 8 {
				p := path.Join(dir, e.fileName())
				e.write(p, e.text(p))
			}
		}}
	}
	file, dir := pick(e.rng, files), pick(e.rng, dirs)
	if file == "" {
		file = e.fileName()
	}
	op.do(e, file, dir)
	e.trace = append(e.trace, fmt.Sprintf("%s (%s, %s)", op.name, file, dir))
}
