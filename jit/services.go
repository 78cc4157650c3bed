package jit

import (
	"slices"
	"sync"

	"sextant/internal/workspace"
)

// Service is a deployable or a module of a root, found by its manifests.
type Service = workspace.Service

// serviceView is the services of a root; they are looked for again when a
// manifest changed.
type serviceView struct {
	mu   sync.Mutex
	list []Service // guarded by mu

	staleMu sync.Mutex
	fresh   bool // guarded by staleMu
}

// note records that the row of a file changed.
func (s *serviceView) note(path string) {
	if workspace.IsManifest(path) {
		s.forget()
	}
}

func (s *serviceView) forget() {
	s.staleMu.Lock()
	s.fresh = false
	s.staleMu.Unlock()
}

// claim reports whether the list holds, and says that it will from now on.
func (s *serviceView) claim() (held bool) {
	s.staleMu.Lock()
	defer s.staleMu.Unlock()
	held, s.fresh = s.fresh, true
	return held
}

// Services is the services of the root as of the last Sync, by directory. The
// slice is not to be modified.
func (r *Root) Services() []Service {
	s := &r.services
	s.mu.Lock()
	defer s.mu.Unlock()
	// Claimed before it is made: a change meanwhile makes it stale again.
	if s.claim() {
		return s.list
	}
	var files []string
	for path := range r.table.keys(nil) {
		files = append(files, path)
	}
	s.list = slices.Clip(r.disk.Services(files))
	return s.list
}

// noteRow tells the views of the files table that a row changed.
func (r *Root) noteRow(path string) {
	r.git.note(path)
	r.services.note(path)
}
