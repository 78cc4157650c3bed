package jit

import (
	"context"
	"slices"
	"sync"

	"sextant/internal/code"
	"sextant/internal/declared"
	"sextant/internal/deployable"
)

// Service is a part of a root that is deployed or built by itself, found by its manifests.
type Service = deployable.Service

// Services holds the services of a root. It must not be modified.
type Services struct {
	List     []Service       // ordered by directory
	Declared []declared.Call // calls between services, declared in sextant.toml

	index deployable.Index
	text  func(path string, hash code.Hash) ([]byte, error)
}

// Text returns the text of an indexed file of the root, or nil if its hash has changed.
func (s *Services) Text(path string, hash code.Hash) []byte {
	if s.text == nil {
		return nil
	}
	text, err := s.text(path, hash)
	if err != nil {
		return nil // the file has changed, which the caller of Services notices as well
	}
	return text
}

// newServices indexes the services by directory.
func newServices(list []Service) *Services {
	return &Services{List: slices.Clip(list), index: deployable.NewIndex(list)}
}

// with returns a copy of s in which Declared holds the calls that sextant.toml declares at
// present.
func (s *Services) with(r *Root) *Services {
	now := *s
	now.Declared, now.text = r.disk.Declared(), r.ReadAs
	return &now
}

// Of returns the service in the nearest directory above a file that has one, or the zero Service if there is none.
func (s *Services) Of(file string) Service {
	if i, ok := s.index.Of(file); ok {
		return s.List[i]
	}
	return Service{}
}

// serviceView caches the services of a root until a manifest changes, or sources that were added or
// removed may have changed the languages of a service.
type serviceView struct {
	root *Root

	mu    sync.Mutex
	found *Services // guarded by mu; nil before the first search

	staleMu sync.Mutex
	fresh   bool            // guarded by staleMu
	moved   map[string]bool // guarded by staleMu; sources added (true) or removed (false) since the search
	stored  string          // guarded by staleMu; the services in the database when the table was loaded, as JSON
	latest  *storedServices // guarded by staleMu; services to be stored, nil if there are none

	storing sync.Mutex // held while services are stored
}

// note marks the services as outdated if the file at path, whose row in the files table has changed, is a manifest.
// It notes a source that is added or removed: before and after say whether the file was and is indexed.
func (s *serviceView) note(path string, before, after bool) {
	switch {
	case deployable.IsManifest(path):
		s.forget()
	case before != after && deployable.IsSource(path):
		s.staleMu.Lock()
		defer s.staleMu.Unlock()
		if _, again := s.moved[path]; again { // added and removed
			delete(s.moved, path)
		} else if s.fresh {
			if s.moved == nil {
				s.moved = map[string]bool{}
			}
			s.moved[path] = after
		}
	}
}

// forget marks the services as outdated.
func (s *serviceView) forget() {
	s.staleMu.Lock()
	s.fresh = false
	s.staleMu.Unlock()
}

// offer gives s the stored services, as JSON; "" if there are none.
func (s *serviceView) offer(stored string) {
	s.staleMu.Lock()
	s.stored = stored
	s.staleMu.Unlock()
}

// claim reports whether the services are up to date but for the sources in moved. It also marks them
// as up to date, because the caller is about to find them again if they are not.
func (s *serviceView) claim() (held bool, moved map[string]bool) {
	s.staleMu.Lock()
	defer s.staleMu.Unlock()
	held, moved = s.fresh, s.moved
	s.fresh, s.moved = true, nil
	return held, moved
}

// Services returns the services of the root as of the last Sync.
func (r *Root) Services() *Services { return r.services.current() }

// current implements [Root.Services].
func (s *serviceView) current() *Services {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Call claim before the search: a change during the search then marks the result as outdated.
	held, moved := s.claim()
	if !held || len(moved) > 0 && deployable.Moved(s.found.List, s.root.table.indexed(), moved) {
		s.found = newServices(s.find())
	}
	return s.found.with(s.root)
}

// ViewServices runs fn like View, and gives it the generation of the snapshot and the services of the root as of that
// generation, or of a later one. Services called in View may be older: another process may have written the snapshot,
// or a commit of this process may not be in the table yet. Values derived from a snapshot are kept for its generation,
// so they must not be derived from older services.
func (r *Root) ViewServices(ctx context.Context, fn func(v *View, generation int64, services *Services) error) error {
	for {
		behind := false
		err := r.View(ctx, func(v *View) error {
			generation, err := Generation(ctx, v)
			if err != nil {
				return err
			}
			if behind = r.table.generation() < generation; behind {
				return nil
			}
			return fn(v, generation, r.Services())
		})
		if err != nil || !behind {
			return err
		}
		if err := r.refresh(ctx); err != nil { // not in View, which would then hold two of the few connections
			return err
		}
	}
}

// ServiceSize is a service with the number of its indexed files. Files of services in directories
// below it do not count.
type ServiceSize struct {
	Service
	Files int
}

// sizes finds the services among all paths, and counts for each its files among the indexed ones.
func (s *serviceView) sizes(all, indexed []string) []ServiceSize {
	services := s.among(all)
	out := make([]ServiceSize, len(services.List))
	for i, service := range services.List {
		out[i].Service = service
	}
	for _, path := range indexed {
		if i, ok := services.index.Of(path); ok {
			out[i].Files++
		}
	}
	return out
}

// among returns the root's services. If the files table is not loaded yet, it finds those
// of the given files instead.
func (s *serviceView) among(files []string) *Services {
	if s.root.table.generation() >= 0 {
		return s.current()
	}
	return newServices(s.root.disk.Services(files, nil))
}

// noteRow marks the results that are derived from the row of path, the comparison with git's index and the
// services, as outdated.
// after says whether the row is one of an indexed file now. The caller holds the table's lock, and changes the table
// afterwards.
func (r *Root) noteRow(path string, after bool) {
	dir, base := split(path)
	old, ok := r.table.dirs[dir][base]
	r.git.note(path)
	r.services.note(path, ok && old.skip == "", after)
}
