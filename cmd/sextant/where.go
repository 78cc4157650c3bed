package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/jit"
)

// where returns the absolute path that a command works on: --path, or else the
// tracked codebase or the repository around the current folder.
func (a *app) where(ctx context.Context) (string, error) {
	if _, err := a.open(ctx); err != nil {
		return "", err
	}
	if a.path != "" {
		abs, err := filepath.Abs(a.path)
		if err != nil {
			return "", err
		}
		return abs, a.exists(ctx, abs)
	}
	here, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the current folder is gone (%w); change to another or name one with --path", err)
	}
	root, _, err := a.roots.Owner(ctx, here)
	if err == nil {
		return root, nil
	}
	if !errors.Is(err, jit.ErrNotTracked) {
		return "", err
	}
	return a.repositoryTop(here), nil
}

// exists returns an error if path does not exist or is not accessible. If path
// belongs to a codebase whose folder was removed, the error names the command
// that removes the index.
func (a *app) exists(ctx context.Context, path string) error {
	_, err := os.Stat(path)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("cannot access %s: %w", path, err)
	}
	if root, ok := a.tracked(ctx, path); ok {
		if _, err := os.Stat(root); err != nil {
			return fmt.Errorf("%s is indexed, and gone from the disk; sextant clear %s removes its index", root,
				quote(root))
		}
	}
	return fmt.Errorf("%s does not exist", path)
}

// tracked returns the innermost tracked root that contains path. It compares
// only the names of paths, so it works for folders that were removed.
func (a *app) tracked(ctx context.Context, path string) (root string, ok bool) {
	list, err := a.roots.List(ctx)
	if err != nil {
		return "", false
	}
	for _, t := range list {
		if within(path, t.Path) && len(t.Path) > len(root) {
			root = t.Path
		}
	}
	return root, root != ""
}

// within reports whether path is dir or below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// repositoryTop returns the top folder of the checkout that contains dir, or
// dir if no checkout does. A submodule belongs to the checkout around it.
func (a *app) repositoryTop(dir string) string { return cmp.Or(a.roots.Top(dir), dir) }

// toIndex returns the folder to index for a question about path. It returns an
// error if that folder is too large to index without an explicit command, such
// as the user's home.
func (a *app) toIndex(path string) (dir string, err error) {
	dir, wide := a.roots.ToIndex(path)
	if !wide {
		return dir, nil
	}
	return "", fmt.Errorf("%s is not indexed and is too large to index on demand; change to a project, name one with "+
		"--path, or run sextant index %s", dir, quote(dir))
}

// locate returns the root and the relative path of a file named on the command
// line. It indexes the codebase if necessary. For a file in another codebase,
// it sets a.path to the file's folder.
func (a *app) locate(ctx context.Context, file string) (root, rel string, err error) {
	abs, err := a.named(ctx, file)
	if err != nil {
		return "", "", err
	}
	if _, err := a.ready(ctx); err != nil {
		return "", "", err
	}
	return a.placed(ctx, abs)
}

// locateBytes locates a file for a command that needs only its bytes. If the index cannot be made, as on a full disk,
// it prints why to standard error and returns no error, unless file is a folder.
func (a *app) locateBytes(ctx context.Context, file string) (root, rel string, err error) {
	abs, err := a.named(ctx, file)
	if err != nil {
		return "", "", err
	}
	var unmade *unmadeError
	if _, err := a.ready(ctx); errors.As(err, &unmade) && folderOf(abs) != abs {
		a.tell("%v", unmade)
	} else if err != nil {
		return "", "", err
	}
	return a.placed(ctx, abs)
}

// named returns the absolute path of a file named on the command line. For a file in another codebase, it sets a.path
// to the file's folder.
func (a *app) named(ctx context.Context, file string) (abs string, err error) {
	top, err := a.where(ctx)
	if err != nil {
		return "", err
	}
	if abs, err = a.find(ctx, file, top); err != nil {
		return "", err
	}
	if !within(abs, top) || a.roots.Apart(top, abs) {
		a.path = filepath.Dir(abs) // the file is outside top, or in another checkout: use the codebase around it
	}
	return abs, nil
}

// placed returns the root around the file at abs, and the file's path relative to it.
func (a *app) placed(ctx context.Context, abs string) (root, rel string, err error) {
	r, rel, err := a.roots.Resolve(ctx, abs)
	if errors.Is(err, jit.ErrNotTracked) {
		return "", "", fmt.Errorf("%s is in no indexed codebase; sextant index %s makes an index", abs,
			quote(filepath.Dir(abs)))
	}
	if err != nil {
		return "", "", err
	}
	return r.Path(), rel, nil
}

// loose returns the absolute path of a file named on the command line, and
// reports whether it is in no tracked codebase and in no checkout.
func (a *app) loose(ctx context.Context, file string) (abs string, loose bool) {
	top, err := a.where(ctx)
	if err != nil {
		return "", false
	}
	if abs, err = a.find(ctx, file, top); err != nil || folderOf(abs) == abs {
		return "", false
	}
	_, _, err = a.roots.Owner(ctx, abs)
	return abs, errors.Is(err, jit.ErrNotTracked) && a.roots.Top(abs) == ""
}

// find returns the absolute path of a file. It tries file relative to --path, to
// the current folder, and to the root, because answers print paths relative to the
// root. If no such file exists, the error suggests similar ones.
func (a *app) find(ctx context.Context, file, top string) (string, error) {
	file = code.UnquotePath(file)
	if filepath.IsAbs(file) {
		return filepath.Clean(file), a.exists(ctx, filepath.Clean(file))
	}
	var bases []string
	if a.path != "" {
		bases = append(bases, folderOf(top))
	}
	if here, err := os.Getwd(); err == nil {
		bases = append(bases, here)
	}
	if root, _, err := a.roots.Resolve(ctx, top); err == nil {
		bases = append(bases, root.Path())
	}
	for _, base := range bases {
		abs := filepath.Join(base, file)
		switch _, err := os.Lstat(abs); {
		case err == nil:
			return abs, nil
		case errors.Is(err, fs.ErrPermission):
			return "", fmt.Errorf("cannot access %s: permission denied; make its folder readable", abs)
		}
	}
	return "", a.noFile(ctx, file, slices.Compact(bases))
}

// noFileError is the error for a file that exists in none of the folders bases.
type noFileError struct {
	file  string
	bases []string
	near  []string // indexed files with similar names, quoted for a shell
}

func (e *noFileError) Error() string {
	text := fmt.Sprintf("%s does not exist in %s", e.file, strings.Join(e.bases, " or "))
	if len(e.near) > 0 {
		return text + "; did you mean " + strings.Join(e.near, " or ") + "?"
	}
	return text + "; sextant search path:" + quote("**/"+filepath.Base(e.file)) + " finds a file by its name"
}

// noFile returns a *noFileError that suggests indexed files with similar names.
func (a *app) noFile(ctx context.Context, file string, bases []string) error {
	e := &noFileError{file: file, bases: bases}
	root, _, err := a.roots.Resolve(ctx, bases[len(bases)-1])
	if err != nil {
		return e // the codebase is not indexed, so there are no names to suggest
	}
	near, err := a.service.FilesLike(ctx, root.Path(), file)
	if err != nil {
		return err
	}
	for _, f := range near {
		e.near = append(e.near, quote(shown(root.Path(), f)))
	}
	return e
}

// folderOf returns path if it is a folder, or else the folder that contains it.
func folderOf(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}

// shown returns the path of a file of root relative to the current folder. If
// the current folder is outside root, it returns file unchanged, relative to
// the root.
func shown(root, file string) string {
	here, err := os.Getwd()
	if err != nil || !within(here, root) {
		return file
	}
	rel, err := filepath.Rel(here, filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return file
	}
	return rel
}
