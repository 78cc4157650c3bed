package gitobject

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// File is a file in a tree.
type File struct {
	Path string // '/'-separated
	ID   ID
}

// These are the modes of the entries of a tree.
const (
	modeType    = 0o170000
	modeDir     = 0o040000
	modeRegular = 0o100000
)

// maxTreeDepth bounds the number of folders in a path.
const maxTreeDepth = 1000

// treeEntry is one file or folder in a tree.
type treeEntry struct {
	name string
	mode uint32
	id   ID
}

// entries returns the entries of a tree. The object holds for each entry its
// mode in octal, a space, the name, a NUL and the id.
func (s *Store) entries(tree ID) (out []treeEntry, err error) {
	k, text, err := s.read(tree, maxPlainBytes)
	if err == nil && k != kindTree {
		err = errCorrupt
	}
	if err != nil {
		return nil, fmt.Errorf("read tree %v: %w", tree, err)
	}
	for len(text) > 0 {
		end := bytes.IndexByte(text, 0)
		if end < 0 || len(text) < end+1+s.size {
			return nil, errCorrupt
		}
		mode, name, _ := strings.Cut(string(text[:end]), " ")
		m, err := strconv.ParseUint(mode, 8, 32)
		if err != nil || name == "" || strings.Contains(name, "/") {
			return nil, errCorrupt
		}
		e := treeEntry{name: name, mode: uint32(m)}
		copy(e.id[:], text[end+1:end+1+s.size])
		out, text = append(out, e), text[end+1+s.size:]
	}
	return out, nil
}

// Below returns the tree at the path folder below tree; "" is tree itself. It
// reports false if there is no such folder.
func (s *Store) Below(tree ID, folder string) (ID, bool, error) {
	if folder == "" {
		return tree, true, nil
	}
	for step := range strings.SplitSeq(folder, "/") {
		list, err := s.entries(tree)
		if err != nil {
			return ID{}, false, err
		}
		found := false
		for _, e := range list {
			if found = e.name == step && e.mode&modeType == modeDir; found {
				tree = e.id
				break
			}
		}
		if !found {
			return ID{}, false, nil
		}
	}
	return tree, true, nil
}

// Files calls visit for every regular file below tree, with its path relative
// to tree. The zero ID is the empty tree.
func (s *Store) Files(ctx context.Context, tree ID, visit func(File)) error {
	return s.Differ(ctx, ID{}, tree, func(path string, _, after ID) { visit(File{path, after}) })
}

// Differ calls visit for each regular file that differs between two trees.
// before or after is the zero ID if that tree lacks the file. Differ does not
// open folders that are equal on both sides. It returns ErrTooLarge once the trees have more than
// maxTreeEntries entries.
func (s *Store) Differ(ctx context.Context, before, after ID, visit func(path string, before, after ID)) error {
	s.entriesLeft = maxTreeEntries
	return s.differ(ctx, "", before, after, visit, 0)
}

// maxTreeEntries bounds the number of files and folders that Differ reads. A git index may have
// as many. Without a bound, a few trees that contain each other many times would expand to any
// number of files.
const maxTreeEntries = 2 << 20

// differ is like Differ for two trees at the path dir, which is depth folders deep.
func (s *Store) differ(ctx context.Context, dir string, before, after ID,
	visit func(string, ID, ID), depth int) error {
	if before == after {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > maxTreeDepth {
		return errCorrupt
	}
	was, err := s.named(before)
	if err != nil {
		return err
	}
	now, err := s.named(after)
	if err != nil {
		return err
	}
	if s.entriesLeft -= len(was) + len(now); s.entriesLeft < 0 {
		return fmt.Errorf("compare trees of more than %d files: %w", maxTreeEntries, ErrTooLarge)
	}
	one := func(name string, b, a treeEntry) error {
		path := name
		if dir != "" {
			path = dir + "/" + name
		}
		if x, y := b.blob(), a.blob(); x != y {
			visit(path, x, y)
		}
		return s.differ(ctx, path, b.tree(), a.tree(), visit, depth+1)
	}
	for name, b := range was {
		if err := one(name, b, now[name]); err != nil {
			return err
		}
	}
	for name, a := range now {
		if _, ok := was[name]; ok {
			continue
		}
		if err := one(name, treeEntry{}, a); err != nil {
			return err
		}
	}
	return nil
}

// named returns the entries of a tree by name; none for the zero ID.
func (s *Store) named(tree ID) (map[string]treeEntry, error) {
	if tree == (ID{}) {
		return nil, nil
	}
	list, err := s.entries(tree)
	if err != nil {
		return nil, err
	}
	out := make(map[string]treeEntry, len(list))
	for _, e := range list {
		out[e.name] = e
	}
	return out, nil
}

// blob returns the id of a regular file; the zero ID for anything else.
func (e treeEntry) blob() ID {
	if e.mode&modeType == modeRegular {
		return e.id
	}
	return ID{}
}

// tree returns the id of a folder; the zero ID for anything else.
func (e treeEntry) tree() ID {
	if e.mode&modeType == modeDir {
		return e.id
	}
	return ID{}
}
