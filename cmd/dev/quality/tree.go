package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/quality"
	"sextant/l2meta/languages"
)

// tree is a directory with the files that are searched for questions of one kind.
type tree struct {
	clone     quality.Clone
	dir, kind string
}

// note returns the path of a file that contains the commit that the directory has. The file exists
// only while the directory is complete.
func (t *tree) note() string { return t.dir + ".commit" }

// bring fills the directory with the files of a commit. For the kinds sentences and commits these
// are source files, with doc comments removed for sentences; for questions and tokens, all files.
func (t *tree) bring(ctx context.Context, commit string) error {
	held, err := os.ReadFile(t.note())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	at := strings.TrimSpace(string(held))
	if at == commit {
		return nil
	}
	if err := os.RemoveAll(t.note()); err != nil { // until the directory is complete again
		return err
	}
	switch {
	case t.kind == "sentences":
		err = t.clone.Checkout(ctx, commit, t.dir, quality.IsSource, stripped)
	case t.kind == "questions" || t.kind == tokens:
		err = t.clone.Checkout(ctx, commit, t.dir, quality.IsAny, nil)
	case at == "":
		err = t.clone.Checkout(ctx, commit, t.dir, quality.IsSource, nil)
	default:
		err = t.clone.Update(ctx, at, commit, t.dir)
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(t.dir), 0o755); err != nil {
		return err
	}
	return os.WriteFile(t.note(), []byte(commit+"\n"), 0o644)
}

// answers reports whether the directory has a file with an answer to q.
func (t *tree) answers(q *quality.Question) bool {
	return slices.ContainsFunc(q.Answers, func(a quality.Answer) bool {
		_, err := os.Stat(filepath.Join(t.dir, filepath.FromSlash(a.File)))
		return err == nil
	})
}

func (t *tree) remove() error { return errors.Join(os.RemoveAll(t.dir), os.RemoveAll(t.note())) }

// stripped returns the text of a file without its doc comments. A file that cannot be parsed is returned as it
// is.
func stripped(path string, text []byte) []byte {
	f, err := languages.Extract(path, text)
	if err != nil {
		return text
	}
	return quality.Strip(&f)
}
