package jit

import (
	"context"

	"sextant/internal/code"
	"sextant/internal/workspace"
)

// listing is one directory as it was found.
type listing struct {
	dir   string // relative to the root, "" for the root itself
	files []workspace.Entry
	dirs  []string // paths of its directories that are not ignored
	err   error    // the directory could not be listed
}

// disk is what the gate sees of a root's files; paths are relative to it.
type disk interface {
	// scanTree lists dir and all below it, calling emit from several
	// goroutines. Its error is that of the context.
	scanTree(ctx context.Context, dir string, emit func(listing)) error
	// scanDir lists one directory.
	scanDir(dir string) listing
	// stat is an error for what is gone, ignored or a directory.
	stat(path string) (workspace.Entry, error)
	// read is the bytes of a file and the key they were read under.
	read(path string) ([]byte, code.StatKey, error)
	// class is the part a file plays, judged by its path and its start.
	class(path string, head []byte) code.Class
	// rulesMoved reports whether an ignore rule outside of the directories
	// that a scan reads has changed since it was last asked.
	rulesMoved() bool
	// present is an error when the root is not there.
	present() error
}
