package main

import (
	"os"
	"path"
	"strings"
	"testing"
)

// TestALockedFolderOfAnotherCheckout checks that a folder without read permission
// is no gap of a workspace where it lies in a checkout of its own, whichever came
// first, and is one where the checkout is part of the workspace.
func TestALockedFolderOfAnotherCheckout(t *testing.T) {
	requireTool(t, "git", "apt-get install git")
	for _, steps := range []string{
		"clone whole lock whole unlock whole",
		"lock gap clone whole unlock whole",
		"lock clone whole unlock whole",
		"clone commit whole add whole lock gap apart whole unlock whole",
		"clone commit lock add gap apart whole",
		"clone lock whole leave gap clone whole",
		"worktree whole lock-worktree whole",
		"worktree lock-worktree whole clone lock whole",
		"clone whole leave lock gap clone commit add gap unlock whole",
	} {
		for _, mode := range []string{"", "--no-watch"} {
			t.Run(steps+" "+mode, func(t *testing.T) {
				t.Parallel()
				lockedSteps(t, strings.Fields(steps), strings.Fields(mode)...)
			})
		}
	}
}

// lockedSteps edits a workspace with the folder d/other/sub: "clone" makes d/other a
// checkout, "add" a submodule, "apart" one of its own again, "leave" a plain folder;
// "worktree" adds one at d/tree;
// "lock" takes the permissions of sub away. "whole" and "gap" ask for every line
// with a word, and whether the answer is complete.
func lockedSteps(t *testing.T, steps []string, args ...string) {
	const checkout, folder = "d/other", "d/other/sub"
	s := newSite(t, args...)
	e := &editor{t: t, dir: s.ws}
	e.git("init", "-q")
	for _, file := range []string{"a.txt", "d/b.txt", path.Join(checkout, "c.txt"), path.Join(folder, "e.txt")} {
		e.write(file, "walnut\n")
	}
	c := s.serve()
	defer c.close()
	c.track(s)
	for i, step := range steps {
		switch step {
		case "clone":
			e.git("init", "-q", checkout)
		case "commit":
			e.git("-C", checkout, "commit", "-q", "--allow-empty", "-m", "state")
		case "add":
			e.git("add", "-f", "--", checkout)
		case "apart":
			e.git("rm", "-q", "-f", "--cached", "--", checkout)
		case "leave":
			e.try(os.RemoveAll(e.abs(path.Join(checkout, ".git"))))
		case "worktree":
			e.git("add", "a.txt", "d/b.txt")
			e.git("commit", "-q", "-m", "state")
			e.git("worktree", "add", "-q", "-f", "--detach", "d/tree")
		case "lock-worktree":
			e.try(os.Chmod(e.abs("d/tree/d"), 0))
		case "lock":
			e.try(os.Chmod(e.abs(folder), 0))
		case "unlock":
			e.try(os.Chmod(e.abs(folder), 0o755))
		default:
			var a found
			c.ask("search_codebase", map[string]any{"path": s.ws, "query": "must:walnut", "scope": "mixed"}, &a)
			if a.Matches == nil || a.Matches.Complete != (step == "whole") {
				t.Errorf("after %q: matches %+v, warnings %v", steps[:i+1], a.Matches, a.Warnings)
			}
		}
	}
}
