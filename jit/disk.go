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
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// listing is the content of one directory, as a scan found it.
type listing struct {
	dir   string // path of the directory relative to the root; "" for the root itself
	files []workspace.Entry
	dirs  []string // paths of its subdirectories that are not ignored by name
	err   error    // why the directory could not be listed
}

// disk reads the files of a root on disk. Paths are relative to the root.
type disk struct {
	*workspace.Tree

	mu    sync.Mutex
	scans int      // guarded by mu; number of recursive scans that are running
	begun int      // guarded by mu; number of recursive scans started so far
	rules [16]byte // guarded by mu; ID of the ignore rules at the last full scan
	valid bool     // guarded by mu; whether rules is set
	// guarded by mu; the files that decide what is ignored or which directories are checkouts, of
	// which the watcher sees no change: rule files outside the root, git indexes, and files such as
	// .git/HEAD
	outside []workspace.RuleFile
	indexes []workspace.RuleFile // guarded by mu; the git indexes alone
	readAt  int64                // guarded by mu; a time before outside was read, in ns since the epoch
}

func openDisk(root string, p Policy) (*disk, error) {
	t, err := workspace.Open(root, p)
	if err != nil {
		return nil, err
	}
	return &disk{Tree: t}, nil
}

// scanAll lists the whole root, and reports whether the ignore rules have
// changed since the last scanAll.
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
		// Another scan ran at the same time and may have changed the tree's
		// state. The next full scan determines the ID of the rules.
		d.valid = false
		return false, nil
	}
	rulesChanged = d.valid && rules.ID != d.rules
	d.rules, d.valid = rules.ID, true
	return rulesChanged, nil
}

// begin counts a recursive scan. alone reports that no other scan is running. The caller decrements
// d.scans at the end of its scan.
func (d *disk) begin() (begun int, alone bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.scans++
	d.begun++
	return d.begun, d.scans == 1
}

// scanTree lists dir and everything below it. There is no listing for a
// directory that is missing or ignored. The error is ctx.Err().
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
		err = workspace.ErrIgnored // its contents, such as CACHEDIR.TAG, show that a tool generated it
	}
	if err != nil {
		l = listing{dir: dir, err: err}
	}
	return l
}

// listingOf converts a listing of package workspace.
func listingOf(w workspace.Listing) listing {
	l := listing{dir: w.Dir, files: w.Files, err: w.Err, dirs: make([]string, len(w.Dirs))}
	for i, name := range w.Dirs {
		l.dirs[i] = code.Join(w.Dir, name)
	}
	return l
}

// stat returns the size, times and skip reason of a file. For a missing or
// ignored file and for a directory it returns an error; see isGone.
func (d *disk) stat(path string) (workspace.Entry, error) {
	e, err := d.Stat(path)
	if errors.Is(err, workspace.ErrNotRegular) {
		err = fmt.Errorf("%w: %w", errIsDir, err)
	}
	return e, err
}

// read returns the text of a file and the stat key that it had while it was
// read.
func (d *disk) read(path string) ([]byte, code.StatKey, error) { return d.Read(path, 0) }

// readAs returns the text of a file. same reports whether the text has the given hash, which the
// index has for this file.
func (d *disk) readAs(path string, hash code.Hash) (text []byte, same bool, err error) {
	text, err = d.ReadAgain(path, nil, func(text []byte) bool {
		same = store.HashText(text) == hash
		return same
	})
	if err == nil && !same {
		same = store.HashText(text) == hash // the index stores the hash of the text with masked secrets
	}
	return text, same, err
}

var errIsDir = errors.New("is a directory")

// isGone reports whether err means that a path must not be in the index: it is missing, too long for any file,
// ignored or no regular file.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENAMETOOLONG) ||
		errors.Is(err, workspace.ErrIgnored) || errors.Is(err, workspace.ErrOutside) || errors.Is(err, errIsDir)
}

// rulesMoved reports whether ignore rules have changed in a place for which the
// watcher gets no events: the user's rules, those above the root, git's own,
// and the set of tracked files in git's index.
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
		// This reads the rule files in the root's top directory again, and so finds new ones.
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

// note stores the rule files that rulesMoved must check. The caller has read them at or after
// readAt, and holds d.mu.
func (d *disk) note(rules workspace.Rules, readAt int64) {
	d.indexes, d.readAt = rules.Indexes, readAt
	d.outside = slices.Concat(outsideOf(rules), rules.Indexes, rules.Marks)
}

// holdsStill reports whether a rule file has not changed since readAt. A rule file without a stat
// key was missing at readAt, and must still be missing.
func holdsStill(f workspace.RuleFile, readAt int64) bool {
	var st unix.Stat_t
	if err := unix.Stat(f.Path, &st); err != nil {
		return err == unix.ENOENT && f.Key == code.StatKey{}
	}
	k := f.Key
	return !k.Racy(readAt) && k.MTime == st.Mtim.Nano() && k.CTime == st.Ctim.Nano() && k.Size == st.Size &&
		k.Inode == st.Ino
}

// outsideOf returns the rule files that are outside the root.
func outsideOf(rules workspace.Rules) []workspace.RuleFile {
	return slices.DeleteFunc(rules.Files, func(f workspace.RuleFile) bool { return !filepath.IsAbs(f.Path) })
}

// present returns an error if the root does not exist or is not a directory.
func (d *disk) present() error {
	info, err := os.Stat(d.Root())
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "stat", Path: d.Root(), Err: unix.ENOTDIR}
	}
	return err
}

// class returns the class of a file, such as test, judged by its path and the start of its text.
func (d *disk) class(path string, head []byte) code.Class {
	return workspace.Classify(path, head)
}
