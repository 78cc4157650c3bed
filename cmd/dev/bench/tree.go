package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sextant/cmd/dev/internal/accuracy"
)

// tree fills dir with files of the repositories in the list, in order, until there are size files.
// If the repositories have too few files, tree copies them again, to another folder of dir.
func (b *bench) tree(ctx context.Context, dir string, size int) error {
	if b.corpus == "" {
		return fmt.Errorf("trees are made of clones: set SEXTANT_CORPUS, or give --root")
	}
	list, err := accuracy.ReadCorpus(b.list)
	if err != nil {
		return err
	}
	count := 0
	for round := 0; count < size; round++ {
		before := count
		for i := range list {
			from, err := list[i].Dir(ctx, b.corpus)
			if err != nil {
				fmt.Fprintln(os.Stderr, "bench: left out:", err)
				continue
			}
			to := filepath.Join(dir, fmt.Sprint(round), strings.ReplaceAll(list[i].Repo, "/", "+"))
			n, err := copyFiles(from, to, size-count)
			if err != nil {
				return err
			}
			count += n
		}
		if count == before {
			return fmt.Errorf("no repository of %s is in %s", b.list, b.corpus)
		}
	}
	return nil
}

// copyFiles copies the regular files below a folder, at most limit, and returns
// their number.
func copyFiles(from, to string, limit int) (n int, err error) {
	err = filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case n == limit:
			return fs.SkipAll
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular() || d.Name() == ".git":
			return nil
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		n++
		return copyFile(p, filepath.Join(to, rel))
	})
	return n, err
}

func copyFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// size returns the number of regular files below dir and their bytes.
func size(dir string) (files int, bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files++
			bytes += info.Size()
		}
		return err
	})
	return files, bytes, err
}
