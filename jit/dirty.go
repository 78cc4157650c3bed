package jit

import (
	"context"
	"strings"

	"sextant/internal/code"
)

// dirty compares the directories dirs, in which the watcher saw changes, with the table. Of a new
// subdirectory it compares everything below.
func (s *sweep) dirty(ctx context.Context, dirs []string) {
	for _, dir := range dirs {
		s.one(ctx, dir)
	}
}

// one compares one directory with the table, and all that is below its new subdirectories.
func (s *sweep) one(ctx context.Context, dir string) {
	if s.listed(dir) {
		return
	}
	l := s.root.disk.scanDir(ctx, dir)
	s.compare(l)
	if l.err != nil {
		s.vanished(dir)
		return
	}
	there := make(map[string]bool, len(l.dirs))
	for _, d := range l.dirs {
		there[d] = true
		s.fresh(ctx, d)
	}
	s.orphans(dir, there)
}

// fresh watches a directory that is not watched yet, and compares everything below it with the
// table.
func (s *sweep) fresh(ctx context.Context, dir string) {
	w := s.root.watch
	w.mu.Lock()
	inst := w.inst
	w.mu.Unlock()
	if inst == nil || inst.covers(dir) {
		return
	}
	if err := inst.cover(ctx, s.root.disk, dir); err != nil {
		inst.fail(err)
	}
	if err := s.tree(ctx, dir); err != nil {
		return // ctx is done; the caller checks it
	}
	s.vanished(dir)
}

// listed reports whether dir was listed by this sweep.
func (s *sweep) listed(dir string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.directories[dir]
}

// orphans adds to s.suspects the files of those subdirectories of dir that no longer exist. The map
// there has the paths of the subdirectories that exist.
func (s *sweep) orphans(dir string, there map[string]bool) {
	lost := s.root.table.unmet(dir, func(d string) bool {
		if d == dir {
			return true
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(d[len(dir):], "/"), "/")
		return there[code.Join(dir, first)]
	})
	s.mu.Lock()
	s.suspects = append(s.suspects, lost...)
	s.mu.Unlock()
}
