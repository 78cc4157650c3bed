package jit

import (
	"context"
	"sync"

	"sextant/internal/code"
	"sextant/internal/workspace"
)

// sweep compares the directories on disk with the table in memory and collects
// the files that differ.
type sweep struct {
	root         *Root
	rulesChanged bool // whether the ignore rules changed; the method everything sets it

	mu          sync.Mutex
	suspects    []string        // guarded by mu; files whose rows may be outdated
	directories map[string]bool // guarded by mu; directories that were listed, or exist but are unreadable
	inside      []string        // guarded by mu; subdirectories that the listings name
	unreadable  []string        // guarded by mu; directories that could not be listed
	files       int             // guarded by mu; number of listed files
}

func (r *Root) newSweep() *sweep {
	return &sweep{root: r, directories: map[string]bool{}}
}

// everything compares the whole root with the table.
func (s *sweep) everything(ctx context.Context) error {
	s.files, s.inside, s.unreadable = 0, nil, nil
	clear(s.directories)
	changed, err := s.root.disk.scanAll(ctx, s.compare)
	if err != nil {
		return err
	}
	s.rulesChanged = s.rulesChanged || changed
	s.vanished("")
	return nil
}

// tree compares dir and everything below it with the table.
func (s *sweep) tree(ctx context.Context, dir string) error {
	return s.root.disk.scanTree(ctx, dir, s.compare)
}

// compare adds the files of a listing that differ from the table to s.suspects. The files of
// directories that no longer exist are in no listing; vanished finds them.
func (s *sweep) compare(l listing) {
	if l.err != nil {
		s.failed(l)
		return
	}
	suspects := s.root.table.diff(l)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.directories[l.dir] = true
	s.files += len(l.files)
	s.suspects = append(s.suspects, suspects...)
	s.inside = append(s.inside, l.dirs...)
}

// met returns the root and every subdirectory that a listing of this sweep names.
func (s *sweep) met() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{""}, s.inside...)
}

// failed records a directory that could not be listed.
func (s *sweep) failed(l listing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isGone(l.err) {
		return // the directory is gone, and the method vanished finds its files
	}
	s.directories[l.dir] = true
	s.unreadable = append(s.unreadable, l.dir)
}

// vanished adds to s.suspects the files in the table whose directory, dir or one below it, was
// not listed. It skips the files below a directory that could not be read.
func (s *sweep) vanished(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	met := func(d string) bool { return s.directories[d] || s.hidden(d) }
	s.suspects = append(s.suspects, s.root.table.unmet(dir, met)...)
}

// hidden reports whether dir is in an unreadable directory. The caller holds
// s.mu.
func (s *sweep) hidden(dir string) bool {
	for _, u := range s.unreadable {
		if code.Within(dir, u) {
			return true
		}
	}
	return false
}

// diff returns the files of a listing that differ from the table, and the files
// that the table has in this directory but the listing lacks.
func (t *table) diff(l listing) (suspects []string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	known := t.dirs[l.dir]
	met := 0
	for i := range l.files {
		e := &l.files[i]
		_, base := split(e.Path)
		k, ok := known[base]
		if ok {
			met++
		}
		if !ok || !k.vouches(e) {
			suspects = append(suspects, e.Path)
		}
	}
	if met == len(known) {
		return suspects
	}
	listed := make(map[string]bool, len(l.files))
	for i := range l.files {
		_, base := split(l.files[i].Path)
		listed[base] = true
	}
	for base := range known {
		if !listed[base] {
			suspects = append(suspects, code.Join(l.dir, base))
		}
	}
	return suspects
}

// vouches reports whether the stat data in e proves that the row is up to date, so that the file
// need not be read.
func (k *known) vouches(e *workspace.Entry) bool {
	if k.key != e.Key {
		return false
	}
	if e.Skip != "" {
		return k.skip == e.Skip // the file is skipped because of its name, type or size, so its bytes do not matter
	}
	return (k.skip == "" || ofText(k.skip)) && !k.key.Racy(k.readAt)
}

// unmet returns the files of the table in dir or below it for whose directory met returns false.
func (t *table) unmet(dir string, met func(dir string) bool) (paths []string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for d, files := range t.dirs {
		if !code.Within(d, dir) || met(d) {
			continue
		}
		for base := range files {
			paths = append(paths, code.Join(d, base))
		}
	}
	return paths
}
