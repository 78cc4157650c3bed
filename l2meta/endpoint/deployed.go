package endpoint

import (
	"path"
	"slices"
)

// place records the directories of a service.
func (l *serviceList) place(s Service) {
	for _, dir := range append([]string{s.Root}, s.Also...) {
		if dir != "" {
			l.roots[dir] = s.Root
		}
	}
}

// named reports whether one of the names of a service, its directory's among them, is
// a wanted one.
func (s *Service) named(same func(string) bool) bool {
	return same(s.Name) || s.Root != "" && same(path.Base(s.Root)) || slices.ContainsFunc(s.Names, same)
}

// deployed leaves libraries and tests out of roots, unless there is nothing else.
func (l *serviceList) deployed(roots []string) []string {
	beside := func(root string) bool {
		return slices.ContainsFunc(l.all, func(s Service) bool { return s.Root == root && s.Beside })
	}
	if len(roots) < 2 || !slices.ContainsFunc(roots, func(r string) bool { return !beside(r) }) {
		return roots
	}
	return slices.DeleteFunc(roots, beside)
}

// local returns the root of the one service that listens at a port of the developer's
// machine; ok is false where none does, or several.
func (l *serviceList) local(port string) (root string, ok bool) {
	if port == "" {
		return "", false
	}
	for _, s := range l.all {
		if !slices.Contains(s.Names, "localhost:"+port) {
			continue
		}
		if ok {
			return "", false
		}
		root, ok = s.Root, true
	}
	return root, ok && root != ""
}
