package main

import (
	"path"
	"strings"
	"testing"
)

// TestASubmoduleThatARuleNames checks that a submodule is searched although a
// rule of git names its directory, from the moment when git tracks it, and only
// as long as it does. "rule" ignores d/other, "track" adds one of its files to the
// workspace's own repository, "replace" adds the submodule in its place; "save"
// commits, "reset" goes back to the commit. "in" and "out" say whether an answer has
// a file of it.
func TestASubmoduleThatARuleNames(t *testing.T) {
	checkoutSteps(t, []string{
		"clone commit rule out add in",
		"rule out clone out commit add in",
		"clone commit out rule out add in apart out",
		"clone commit out rule out worktree out add in",
		"clone commit add in rule in apart out add in",
		"clone commit add rule in save apart out add in",
		"clone commit add rule in save apart out reset in",
		"clone commit add rule in save reset in apart save out add in",
		"track rule in clone commit replace in",
	}, submoduleStep, func(step string, a *found) bool {
		in := false
		for _, r := range a.Results {
			in = in || strings.HasPrefix(r.File, otherCheckout+"/")
		}
		return in == (step == "in")
	})
}

func submoduleStep(e *editor, step string) bool {
	switch step {
	case "commit":
		e.git("-C", otherCheckout, "add", "-A")
		e.git("-C", otherCheckout, "commit", "-q", "-m", "state")
	case "track":
		e.git("add", "-f", path.Join(otherCheckout, "c.txt"))
	case "replace":
		e.git("rm", "-q", "-r", "--cached", otherCheckout)
		e.git("add", "-f", "--", otherCheckout)
	case "rule":
		e.write(".gitignore", "other/\n")
	case "save":
		e.git("add", "a.txt")
		e.git("commit", "-q", "-a", "-m", "state")
	case "reset":
		e.git("reset", "-q", "--hard")
	default:
		return false
	}
	return true
}
