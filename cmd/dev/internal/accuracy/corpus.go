package accuracy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Split distinguishes the repositories that the rules were developed on (dev)
// from those that were only measured (held).
type Split string

const (
	SplitDev  Split = "dev"
	SplitHeld Split = "held"
)

// Entry is a line of corpus.lock: a repository to measure a language on.
type Entry struct {
	Language string
	Repo     string // owner/name
	Commit   string
	Licence  string
	Split    Split
}

// GoDistribution is the Repo of an entry for the source of the installed Go
// toolchain, which is always available; its Version is that of the toolchain.
const GoDistribution = "GOROOT/src"

// ReadCorpus reads corpus.lock. It has a line per repository with tab-separated
// language, owner/name, commit, licence and split. Empty lines and lines that
// start with # are ignored.
func ReadCorpus(name string) (out []Entry, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 5 || strings.Count(f[1], "/") != 1 || f[4] != string(SplitDev) && f[4] != string(SplitHeld) {
			return nil, fmt.Errorf(
				"%s:%d: expected language, owner/name, commit, licence and dev or held, separated by tabs",
				name, n+1)
		}
		out = append(out, Entry{Language: f[0], Repo: f[1], Commit: f[2], Licence: f[3], Split: Split(f[4])})
	}
	return out, nil
}

func (e *Entry) folder() string { return strings.ReplaceAll(e.Repo, "/", "+") }

// TruthFile returns the path of the stored truth about the entry, the call sites with their
// targets, below the folder corpus.
func (e *Entry) TruthFile(corpus string) string {
	return filepath.Join(corpus, ".truth", e.Language, e.folder()+".jsonl")
}

// Dir returns the folder of the entry's work tree. It clones a missing
// repository. If that fails, the error says what is missing.
func (e *Entry) Dir(ctx context.Context, corpus string) (string, error) {
	if e.Repo == GoDistribution {
		out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w", e.Repo, err)
		}
		return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
	}
	dir := filepath.Join(corpus, e.folder())
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := e.clone(ctx, dir); err != nil {
			return "", fmt.Errorf("%s is absent: %w", e.Repo, err)
		}
	}
	head, err := git(ctx, dir, "rev-parse", "HEAD")
	if err != nil {
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	if head != e.Commit {
		return "", fmt.Errorf("%s is at %s, and corpus.lock says %s", dir, head, e.Commit)
	}
	return dir, nil
}

// clone fetches one commit. If it fails, it removes dir.
func (e *Entry) clone(ctx context.Context, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	for _, args := range [][]string{
		{"init", "-q"},
		{"fetch", "-q", "--depth=1", "https://github.com/" + e.Repo, e.Commit},
		{"checkout", "-q", "--detach", "FETCH_HEAD"},
	} {
		if _, err := git(ctx, dir, args...); err != nil {
			return err
		}
	}
	return nil
}

// git runs a git command without prompts and hooks.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// Version returns the measured commit, or the version of the Go distribution.
func (e *Entry) Version() string {
	if e.Repo == GoDistribution {
		return runtime.Version()
	}
	return e.Commit
}
