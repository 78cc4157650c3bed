package main

import (
	"path"
	"strings"
	"testing"
)

// A workspace of checkoutSteps has these folders.
const (
	otherCheckout = "d/other"
	otherFolder   = "d/other/sub"
)

// checkoutSteps edits a workspace and searches it, for each list of steps, watched and not. "clone"
// makes d/other a checkout, "commit" commits in it, "add" makes it a submodule, "apart" makes it a
// separate checkout again, and "worktree" adds a worktree at d/tree. own does further edits and
// reports whether it knows the step. Any other step searches for a word that all files contain, and
// check compares the answer with the step.
func checkoutSteps(t *testing.T, lists []string, own func(e *editor, step string) bool,
	check func(step string, a *found) bool) {
	requireTool(t, "git", "apt-get install git")
	for _, list := range lists {
		for _, mode := range []string{"", "--no-watch"} {
			t.Run(list+" "+mode, func(t *testing.T) {
				t.Parallel()
				s := newSite(t, strings.Fields(mode)...)
				e := &editor{t: t, dir: s.ws}
				e.git("init", "-q")
				for _, file := range []string{"a.txt", "d/b.txt", path.Join(otherCheckout, "c.txt"),
					path.Join(otherFolder, "e.txt")} {
					e.write(file, "walnut\n")
				}
				c := s.serve()
				defer c.close()
				c.track(s)
				steps := strings.Fields(list)
				for i, step := range steps {
					if own(e, step) || e.checkoutStep(step) {
						continue
					}
					var a found
					c.ask("search_codebase", map[string]any{"path": s.ws, "query": "must:walnut", "scope": "mixed"}, &a)
					if !check(step, &a) {
						t.Errorf("after %q: matches %+v, results %+v, warnings %v", steps[:i+1],
							a.Matches, a.Results, a.Warnings)
					}
				}
			})
		}
	}
}

// checkoutStep does an edit that all tests with checkoutSteps share. It reports false if the step
// is none of these.
func (e *editor) checkoutStep(step string) bool {
	switch step {
	case "clone":
		e.git("init", "-q", otherCheckout)
	case "commit":
		e.git("-C", otherCheckout, "commit", "-q", "--allow-empty", "-m", "state")
	case "add":
		e.git("add", "-f", "--", otherCheckout)
	case "apart":
		e.git("rm", "-q", "-f", "--cached", "--", otherCheckout)
	case "worktree":
		e.git("add", "a.txt", "d/b.txt")
		e.git("commit", "-q", "-m", "state")
		e.git("worktree", "add", "-q", "-f", "--detach", "d/tree")
	default:
		return false
	}
	return true
}
