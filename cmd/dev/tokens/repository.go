package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/cmd/dev/internal/quality"
	"sextant/cmd/dev/internal/tokens"
	"sextant/cmd/dev/internal/tokens/rename"
)

// repository is a line of the file repositories.lock.
type repository struct {
	name     string // name of the repository in tasks
	source   string // owner/name, or accuracy.GoDistribution
	commit   string // commit, or the version of Go
	licence  string
	language string
	size     string // small, medium or large
	renamed  bool   // whether it is the copy with renamed identifiers
}

// readLock reads the lock file: lines of name, source, commit, licence,
// language, size, and whether identifiers are "original" or "renamed".
func readLock(file string) (out []repository, err error) {
	lines, err := quality.ReadColumns(file, 7)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		out = append(out, repository{l[0], l[1], l[2], l[3], l[4], l[5], l[6] == "renamed"})
	}
	return out, nil
}

var errAbsent = errors.New("its clone is not there")

// bring fills dir with the files of the repository at its commit. It removes the comments from
// which the descriptions in tasks were taken.
func (r *repository) bring(ctx context.Context, corpus, dir string, tasks []tokens.Task) error {
	change := func(path string, text []byte) []byte { return tokens.Blanked(path, text, tasks) }
	if r.source == accuracy.GoDistribution {
		from, err := goSource(ctx, r.commit)
		if err != nil {
			return absent(err)
		}
		return copyTree(from, dir, change)
	}
	clone, err := quality.Find(corpus, r.source)
	if err != nil {
		return errors.Join(errAbsent, err)
	}
	if !r.renamed {
		return absent(clone.Checkout(ctx, r.commit, dir, quality.IsAny, change))
	}
	if err := r.rename(ctx, clone, dir+".renamed"); err != nil {
		return absent(err)
	}
	return copyTree(dir+".renamed", dir, change)
}

// absent marks an error as the lack of a prerequisite, such as a clone. It returns nil for nil.
func absent(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(errAbsent, err)
}

// rename fills dir with a copy of the repository whose identifiers are replaced
// by others.
func (r *repository) rename(ctx context.Context, clone quality.Clone, dir string) error {
	plain := dir + ".plain"
	if err := clone.Checkout(ctx, r.commit, plain, quality.IsAny, nil); err != nil {
		return err
	}
	return errors.Join(rename.Tree(ctx, plain, dir), os.RemoveAll(plain))
}

// goSource returns the folder of the Go distribution's source. It returns an error unless the
// installed version is the given one: the lines in tasks are right for that version only.
func goSource(ctx context.Context, version string) (string, error) {
	if runtime.Version() != version {
		return "", fmt.Errorf("the tasks are about the source of %s, and this is %s", version, runtime.Version())
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	return filepath.Join(strings.TrimSpace(string(out)), "src"), err
}

// copyTree replaces the contents of to with the regular files below from; change returns the text
// to write for each. It skips files larger than quality.MaxFile, as a checkout does.
func copyTree(from, to string, change func(path string, text []byte) []byte) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || len(text) > quality.MaxFile {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, change(filepath.ToSlash(rel), text), 0o644)
	})
}

// selected returns the repositories of the lock file that the flags select.
func (r *runner) selected() ([]repository, error) {
	list, err := readLock(filepath.Join(r.data, "repositories.lock"))
	if err != nil {
		return nil, err
	}
	for _, name := range r.repositories {
		if !slices.ContainsFunc(list, func(l repository) bool { return l.name == name }) {
			return nil, fmt.Errorf("no repository of the lock file is called %q", name)
		}
	}
	return slices.DeleteFunc(list, func(l repository) bool {
		return len(r.repositories) > 0 && !slices.Contains(r.repositories, l.name)
	}), nil
}
