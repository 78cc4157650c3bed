package main

import (
	"os"
	"path"
	"testing"
)

// TestALockedFolderOfAnotherCheckout checks that a folder without read permission makes an answer
// incomplete if its checkout is part of the workspace, and not if it is in a checkout of its own,
// whichever came first. "lock" takes the permissions of d/other/sub away, "leave" makes d/other a
// plain folder. "whole" and "gap" say whether an answer is complete.
func TestALockedFolderOfAnotherCheckout(t *testing.T) {
	checkoutSteps(t, []string{
		"clone whole lock whole unlock whole",
		"lock gap clone whole unlock whole",
		"lock clone whole unlock whole",
		"clone commit whole add whole lock gap apart whole unlock whole",
		"clone commit lock add gap apart whole",
		"clone lock whole leave gap clone whole",
		"worktree whole lock-worktree whole",
		"worktree lock-worktree whole clone lock whole",
		"clone whole leave lock gap clone commit add gap unlock whole",
	}, lockedStep, func(step string, a *found) bool {
		return a.Matches != nil && a.Matches.Complete == (step == "whole")
	})
}

func lockedStep(e *editor, step string) bool {
	switch step {
	case "leave":
		e.try(os.RemoveAll(e.abs(path.Join(otherCheckout, ".git"))))
	case "lock-worktree":
		e.try(os.Chmod(e.abs("d/tree/d"), 0))
	case "lock":
		e.try(os.Chmod(e.abs(otherFolder), 0))
	case "unlock":
		e.try(os.Chmod(e.abs(otherFolder), 0o755))
	default:
		return false
	}
	return true
}
