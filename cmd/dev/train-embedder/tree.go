package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"sextant/cmd/dev/internal/quality"
)

// blobs calls yield with every file of the source s for which wanted returns true, in the order of
// their paths.
func blobs(ctx context.Context, s quality.Source, corpus string, wanted func(path string) bool,
	yield func(path string, text []byte) error) error {
	if strings.HasPrefix(s.Commit, "v") || s.Repository == "GOROOT" {
		dir, err := goDir(ctx, s)
		if err != nil {
			return err
		}
		return dirBlobs(dir, wanted, yield)
	}
	clone, err := quality.Find(corpus, s.Repository)
	if err != nil {
		return err
	}
	return clone.Blobs(ctx, s.Commit, wanted, yield)
}

// goDir returns the folder of the source of a Go module or of the standard library.
func goDir(ctx context.Context, source quality.Source) (string, error) {
	if source.Repository == "GOROOT" {
		if runtime.Version() != source.Commit {
			return "", fmt.Errorf("the list has the standard library of %s, this is %s", source.Commit,
				runtime.Version())
		}
		out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
		return filepath.Join(strings.TrimSpace(string(out)), "src"), err
	}
	out, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", source.Repository+"@"+source.Commit).Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s@%s: %w", source.Repository, source.Commit, err)
	}
	_, rest, _ := strings.Cut(string(out), `"Dir": "`)
	dir, _, ok := strings.Cut(rest, `"`)
	if !ok {
		return "", fmt.Errorf("go mod download %s@%s names no directory", source.Repository, source.Commit)
	}
	return dir, nil
}

// dirBlobs does the same as blobs, for the files of a folder.
func dirBlobs(dir string, wanted func(string) bool, yield func(path string, text []byte) error) error {
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if rel = filepath.ToSlash(rel); err != nil || !wanted(rel) {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > quality.MaxFile {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return yield(rel, text)
	})
}
