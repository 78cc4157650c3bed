package main

import (
	"path"
	"strings"
	"testing"
)

// TestASubmoduleThatARuleNames checks that a submodule is searched although a
// rule of git names its directory, from the moment when git tracks it, and only
// as long as it does.
func TestASubmoduleThatARuleNames(t *testing.T) {
	requireTool(t, "git", "apt-get install git")
	for _, steps := range []string{
		"clone commit rule out add in",
		"rule out clone out commit add in",
		"clone commit out rule out add in apart out",
		"clone commit out rule out worktree out add in",
		"clone commit add in rule in apart out add in",
		"clone commit add rule in save apart out add in",
		"clone commit add rule in save apart out reset in",
		"clone commit add rule in save reset in apart save out add in",
		"track rule in clone commit replace in",
	} {
		for _, mode := range []string{"", "--no-watch"} {
			t.Run(steps+" "+mode, func(t *testing.T) {
				t.Parallel()
				submoduleSteps(t, strings.Fields(steps), strings.Fields(mode)...)
			})
		}
	}
}

// submoduleSteps edits a workspace with the folder d/other: "clone" makes it a
// checkout, "commit" commits in it, "add" makes it a submodule, "apart" one of its
// own again; "track" adds one of its files to the workspace's own repository,
// "replace" adds the submodule in its place; "rule" ignores it, "save" commits,
// "reset" goes back to the commit, "worktree" adds one at d/tree. "in" and "out"
// search for a word that a file in it has.
func submoduleSteps(t *testing.T, steps []string, args ...string) {
	const checkout = "d/other"
	s := newSite(t, args...)
	e := &editor{t: t, dir: s.ws}
	e.git("init", "-q")
	for _, file := range []string{"a.txt", path.Join(checkout, "c.txt")} {
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
			e.git("-C", checkout, "add", "-A")
			e.git("-C", checkout, "commit", "-q", "-m", "state")
		case "add":
			e.git("add", "-f", "--", checkout)
		case "apart":
			e.git("rm", "-q", "-f", "--cached", "--", checkout)
		case "track":
			e.git("add", "-f", path.Join(checkout, "c.txt"))
		case "replace":
			e.git("rm", "-q", "-r", "--cached", checkout)
			e.git("add", "-f", "--", checkout)
		case "rule":
			e.write(".gitignore", "other/\n")
		case "save":
			e.git("add", "a.txt")
			e.git("commit", "-q", "-a", "-m", "state")
		case "reset":
			e.git("reset", "-q", "--hard")
		case "worktree":
			e.git("add", "a.txt")
			e.git("commit", "-q", "-m", "state")
			e.git("worktree", "add", "-q", "-f", "--detach", "d/tree")
		default:
			var a found
			c.ask("search_codebase", map[string]any{"path": s.ws, "query": "must:walnut", "scope": "mixed"}, &a)
			in := false
			for _, r := range a.Results {
				in = in || strings.HasPrefix(r.File, checkout+"/")
			}
			if in != (step == "in") {
				t.Errorf("after %q: found in %s: %t, with %+v", steps[:i+1], checkout, in, a.Results)
			}
		}
	}
}
