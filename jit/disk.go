package jit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"sextant/internal/code"
	"sextant/internal/workspace"
)

// listing is one directory as it was found.
type listing struct {
	dir   string // relative to the root, "" for the root itself
	files []workspace.Entry
	dirs  []string // paths of its directories that no name rules out
	err   error    // the directory could not be listed
}

// disk is what the gate sees of a root's files; paths are relative to it.
type disk struct {
	*workspace.Tree

	mu      sync.Mutex
	scans   int                  // guarded by mu; recursive scans under way
	begun   int                  // guarded by mu; recursive scans ever begun
	rules   [16]byte             // guarded by mu; identity of the rules of the last full scan
	valid   bool                 // guarded by mu; rules is known
	outside []workspace.RuleFile // guarded by mu; those of them that no watched directory holds, and git's indexes and marks
	indexes []workspace.RuleFile // guarded by mu; the git indexes alone
	readAt  int64                // guarded by mu; ns since the epoch, before the last full scan
}

func openDisk(root string, p Policy) (*disk, error) {
	t, err := workspace.Open(root, p)
	if err != nil {
		return nil, err
	}
	return &disk{Tree: t}, nil
}

// scanAll lists the whole root, and reports whether the ignore rules are
// others than they were for the last scanAll.
func (d *disk) scanAll(ctx context.Context, emit func(listing)) (rulesChanged bool, err error) {
	readAt := time.Now().UnixNano()
	begun, alone := d.begin()
	_, err = d.Scan(ctx, "", workspace.Recursive, func(l workspace.Listing) { emit(listingOf(l)) })
	rules := d.Rules()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.scans--
	if err != nil {
		return false, err
	}
	d.note(rules, readAt)
	if !alone || d.begun != begun {
		// What the tree has learnt of directories is in flux while two scans
		// run: the identity is found by the next one.
		d.valid = false
		return false, nil
	}
	rulesChanged = d.valid && rules.ID != d.rules
	d.rules, d.valid = rules.ID, true
	return rulesChanged, nil
}

// begin counts a recursive scan, which ends with d.scans--.
func (d *disk) begin() (begun int, alone bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.scans++
	d.begun++
	return d.begun, d.scans == 1
}

// scanTree lists dir and all below it. A directory that is gone or ignored
// has no listing. The error is that of the context.
func (d *disk) scanTree(ctx context.Context, dir string, emit func(listing)) error {
	d.begin()
	_, err := d.Scan(ctx, dir, workspace.Recursive, func(l workspace.Listing) { emit(listingOf(l)) })
	d.mu.Lock()
	d.scans--
	d.mu.Unlock()
	if isGone(err) {
		return nil
	}
	if err != nil && ctx.Err() == nil {
		emit(listing{dir: dir, err: err})
		return nil
	}
	return err
}

// scanDir lists one directory.
func (d *disk) scanDir(ctx context.Context, dir string) (l listing) {
	_, err := d.Scan(ctx, dir, workspace.Shallow, func(w workspace.Listing) { l = listingOf(w) })
	if err == nil && dir != "" && l.err == nil && d.Ignored(dir, true) {
		err = workspace.ErrIgnored // by what was just found in it
	}
	if err != nil {
		l = listing{dir: dir, err: err}
	}
	return l
}

func listingOf(w workspace.Listing) listing {
	l := listing{dir: w.Dir, files: w.Files, err: w.Err, dirs: make([]string, len(w.Dirs))}
	for i, name := range w.Dirs {
		l.dirs[i] = join(w.Dir, name)
	}
	return l
}

// stat is an error for what is gone, ignored or a directory, see isGone.
func (d *disk) stat(path string) (workspace.Entry, error) {
	e, err := d.Stat(path)
	if errors.Is(err, workspace.ErrNotRegular) {
		err = fmt.Errorf("%w: %w", errIsDir, err)
	}
	return e, err
}

// read is the bytes of a file and the key they were read under.
func (d *disk) read(path string) ([]byte, code.StatKey, error) { return d.Read(path, 0) }

var errIsDir = errors.New("is a directory")

// isGone reports whether err says that the index has no business with a path.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, workspace.ErrIgnored) || errors.Is(err, errIsDir) || errors.Is(err, workspace.ErrOutside)
}

// rulesMoved reports whether ignore rules have changed that lie where no
// watched directory holds them: the user's, those above the root, and git's;
// or the set of the files that git tracks in spite of them.
func (d *disk) rulesMoved(ctx context.Context) bool {
	d.mu.Lock()
	id, valid, outside, readAt := d.rules, d.valid, d.outside, d.readAt
	d.mu.Unlock()
	if !valid {
		return true
	}
	now := time.Now().UnixNano()
	if slices.ContainsFunc(outside, func(f workspace.RuleFile) bool { return !holdsStill(f, readAt) }) {
		d.Reload()
	} else if l := d.scanDir(ctx, ""); l.err != nil {
		// Listing the root looks at those that hold for all of it anew, and
		// finds the ones that were not there before.
		return true
	}
	rules := d.Rules()
	if rules.ID != id {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.note(rules, now)
	return false
}

// note keeps what rulesMoved has to look at, as it was read at or after
// readAt. d.mu is held.
func (d *disk) note(rules workspace.Rules, readAt int64) {
	d.indexes, d.readAt = rules.Indexes, readAt
	d.outside = slices.Concat(outsideOf(rules), rules.Indexes, rules.Marks)
}

// holdsStill reports whether a rule file that was read at readAt is the same;
// one without a key was not there.
func holdsStill(f workspace.RuleFile, readAt int64) bool {
	var st unix.Stat_t
	if err := unix.Stat(f.Path, &st); err != nil {
		return err == unix.ENOENT && f.Key == code.StatKey{}
	}
	k := f.Key
	return !k.Racy(readAt) && k.MTime == st.Mtim.Nano() && k.CTime == st.Ctim.Nano() && k.Size == st.Size && k.Inode == st.Ino
}

func outsideOf(rules workspace.Rules) []workspace.RuleFile {
	return slices.DeleteFunc(rules.Files, func(f workspace.RuleFile) bool { return !filepath.IsAbs(f.Path) })
}

// present is an error when the root is not there.
func (d *disk) present() error {
	info, err := os.Stat(d.Root())
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "stat", Path: d.Root(), Err: unix.ENOTDIR}
	}
	return err
}

// class is the part a file plays, judged by its path and its start.
func (d *disk) class(path string, head []byte) code.Class {
	return workspace.Classify(path, head)
}
