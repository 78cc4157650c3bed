package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// enter records the role of the checkout at rel in the one around it (see
// partOf) and returns the role.
func (p *picture) enter(t testing.TB, dir, rel string) string {
	t.Helper()
	around := innermost(p.submodules, rel)
	role := partOf(t, filepath.Join(dir, around), relativeTo(around, rel))
	p.checkouts[rel] = role
	if role == "submodule" {
		p.submodules = append(p.submodules, rel)
	}
	return role
}

// drop removes the files that the ignore rules of their own checkout exclude.
func (p *picture) drop(t testing.TB, dir string) {
	t.Helper()
	for around, files := range byPlace(slices.Collect(maps.Keys(p.texts)), p.submodules) {
		for i, f := range files {
			files[i] = relativeTo(around, f)
		}
		top := filepath.Join(dir, around)
		for link, files := range byPlace(files, gitlinks(t, top)) {
			var out []string
			if link == "." {
				out = ignored(t, top, files)
			} else {
				out = ignoredBelow(t, top, link, files)
			}
			for _, f := range out {
				delete(p.texts, filepath.Join(around, f))
			}
		}
	}
}

// byPlace groups files by the innermost of dirs that contains them.
func byPlace(files, dirs []string) map[string][]string {
	in := map[string][]string{}
	for _, f := range files {
		d := innermost(dirs, f)
		in[d] = append(in[d], f)
	}
	return in
}

// relativeTo returns rel, a path below dir, relative to dir.
func relativeTo(dir, rel string) string { return strings.TrimPrefix(rel, dir+"/") }

// isRepository reports whether git regards abs as the top of a checkout.
func isRepository(abs string) bool {
	if _, err := os.Lstat(filepath.Join(abs, ".git")); err != nil {
		return false
	}
	out, err := gitCommand(abs, "rev-parse", "--show-cdup").Output()
	return err == nil && strings.TrimSpace(string(out)) == ""
}

// innermost returns the innermost of dirs that contains rel, "." if none does.
// dirs lists outer folders first.
func innermost(dirs []string, rel string) string {
	for _, d := range slices.Backward(dirs) {
		if strings.HasPrefix(rel, d+"/") {
			return d
		}
	}
	return "."
}

// partOf returns the role of the checkout at rel according to the index of the
// checkout in dir: "apart" if nothing there is tracked, "submodule" for a
// gitlink, "folder" if its files are tracked one by one.
func partOf(t testing.TB, dir, rel string) string {
	t.Helper()
	entries := tracked(t, dir, rel)
	switch {
	case len(entries) == 0:
		return "apart"
	case entries[rel] == gitlinkMode:
		return "submodule"
	}
	return "folder"
}

const gitlinkMode = "160000"

// tracked returns the modes of the entries at or below rel in the index of the
// checkout in dir, by path.
func tracked(t testing.TB, dir, rel string) map[string]string {
	t.Helper()
	out, err := gitCommand(dir, "--literal-pathspecs", "ls-files", "-s", "-z", "--", rel).Output()
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if about, p, ok := strings.Cut(entry, "\t"); ok {
			modes[p], _, _ = strings.Cut(about, " ")
		}
	}
	return modes
}

// gitlinks returns the paths of all submodules in the index of the checkout in
// dir, whether or not a repository exists there.
func gitlinks(t testing.TB, dir string) (links []string) {
	t.Helper()
	for p, mode := range tracked(t, dir, ".") {
		if mode == gitlinkMode {
			links = append(links, p)
		}
	}
	return links
}

// ignoredBelow returns those of files that the surrounding rules ignore. All
// files are below link, a gitlink without a repository. The rules cannot ignore
// link itself, as git tracks it, and git does not answer for paths below a
// gitlink. So git reads an index with a file in place of the gitlink.
func ignoredBelow(t testing.TB, dir, link string, files []string) (out []string) {
	t.Helper()
	index := filepath.Join(t.TempDir(), "index")
	git := func(args ...string) string {
		cmd := gitCommand(dir, append([]string{"--literal-pathspecs"}, args...)...)
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %q: %v", args, err)
		}
		return string(text)
	}
	at, err := gitCommand(dir, "rev-parse", "--path-format=absolute", "--git-path", "index").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(strings.TrimSpace(string(at)))
	if err := errors.Join(err, os.WriteFile(index, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	git("update-index", "--add", "--replace", "--cacheinfo", "100644,"+strings.Repeat("1", 40)+","+link+"/none")
	list := []string{"ls-files", "-o", "-z", "--exclude-standard"}
	for at := link; at != "."; at = filepath.Dir(at) {
		list = append(list, "-x", "!/"+at)
	}
	kept := strings.Split(git(append(list, "--", link+"/")...), "\x00")
	return slices.DeleteFunc(files, func(f string) bool { return slices.Contains(kept, f) })
}
