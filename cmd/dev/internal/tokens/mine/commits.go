package mine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/tokens"
)

// These constants bound the commits that are selected. They keep a commit small enough for one
// person to review.
const (
	scanned   = 3000 // commits looked at, newest first
	mostFiles = 20
	mostCode  = 8 // changed files that are not tests
)

// Commits returns the newest count commits in the history of head that change code in files with
// this ending, and tests that existed before.
func Commits(ctx context.Context, dir, head, ending string, count int) (out []tokens.Commit, err error) {
	log, err := Git(ctx, dir, "log", "--first-parent", "--no-renames", "--no-merges",
		fmt.Sprintf("--max-count=%d", scanned), "--name-status", "--format=%x00%H %P", head)
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(log, "\x00") {
		first, rest, _ := strings.Cut(entry, "\n")
		ids := strings.Fields(first)
		if len(ids) != 2 {
			continue
		}
		c := tokens.Commit{Commit: ids[0], Parent: ids[1]}
		files, changed := 0, false
		for row := range strings.Lines(rest) {
			status, path, ok := strings.Cut(strings.TrimSpace(row), "\t")
			if !ok {
				continue
			}
			files++
			switch inTests := tokens.IsTest(path); {
			case filepath.Ext(path) != ending || status == "D":
			case inTests && status == "M":
				c.Tests = append(c.Tests, path)
			case !inTests && !notCode.MatchString(path):
				c.Code = append(c.Code, path)
				changed = changed || status == "M" // an older test cannot call a new file
			}
		}
		if len(c.Tests) == 0 || !changed || files > mostFiles || len(c.Code) > mostCode {
			continue
		}
		slices.Sort(c.Tests)
		if out = append(out, c); len(out) == count {
			break
		}
	}
	return out, nil
}

// Git runs git without hooks and prompts, and returns its output.
func Git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "core.hooksPath=" + os.DevNull,
		"-c", "advice.detachedHead=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w", args[0], dir, err)
	}
	return string(out), nil
}
