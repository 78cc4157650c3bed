package jit

import "sync"

// pathSet is a set of paths, safe for concurrent use.
type pathSet struct {
	mu sync.Mutex
	m  map[string]struct{} // guarded by mu
}

// add adds paths to the set.
func (s *pathSet) add(paths ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = map[string]struct{}{}
	}
	for _, p := range paths {
		s.m[p] = struct{}{}
	}
}

// claim adds to the set those of paths that it lacks, and returns them.
func (s *pathSet) claim(paths []string) (added []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = map[string]struct{}{}
	}
	for _, p := range paths {
		if _, ok := s.m[p]; !ok {
			s.m[p] = struct{}{}
			added = append(added, p)
		}
	}
	return added
}

func (s *pathSet) remove(paths ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range paths {
		delete(s.m, p)
	}
}

func (s *pathSet) has(p string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.m[p]
	return ok
}

func (s *pathSet) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.m)
}

// sizeWith returns the number of paths that are in the set or in the list more. more must not
// contain duplicates.
func (s *pathSet) sizeWith(more []string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.m)
	for _, p := range more {
		if _, ok := s.m[p]; !ok {
			n++
		}
	}
	return n
}

// take returns the paths and empties the set.
func (s *pathSet) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]string, 0, len(s.m))
	for p := range s.m {
		out = append(out, p)
	}
	clear(s.m)
	return out
}
