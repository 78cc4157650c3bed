package deployable

import (
	"maps"
	"path"
	"slices"

	"sextant/internal/code"
)

// IsSource reports whether a file is written in a language that counts as one of its service.
func IsSource(p string) bool { return sourceLanguages[extension(path.Base(p))] != "" }

// Moved reports whether services that were found may be others now, because sources were added or
// removed since: a folder has its first source or lost its last one, or the languages of a service
// changed. files lists all files as they are now; moved maps each added path to true and each removed
// one to false.
func Moved(services []Service, files []string, moved map[string]bool) bool {
	index := NewIndex(services)
	now, before := newShape(), newShape()
	for p := range moved {
		i, of := index.Of(p)
		for _, s := range []*shape{now, before} {
			if of {
				s.languages[i] = map[string]int{}
			}
			for dir := code.Dir(p); ; dir = code.Dir(dir) {
				s.folders[dir] = 0
				if dir == "" {
					break
				}
			}
		}
	}
	for _, p := range files {
		now.count(index, p)
		if !moved[p] {
			before.count(index, p)
		}
	}
	for p, added := range moved {
		if !added {
			before.count(index, p)
		}
	}
	return !now.equal(before)
}

// shape counts the sources of some services and folders.
type shape struct {
	languages map[int]map[string]int // index of a service → language → files
	folders   map[string]int         // folder → sources in it and below
}

func newShape() *shape { return &shape{languages: map[int]map[string]int{}, folders: map[string]int{}} }

// count adds a file to its service and folders, as far as s counts them.
func (s *shape) count(index Index, p string) {
	l := sourceLanguages[extension(path.Base(p))]
	if l == "" {
		return
	}
	if i, ok := index.Of(p); ok && s.languages[i] != nil {
		s.languages[i][l]++
	}
	for dir := code.Dir(p); ; dir = code.Dir(dir) {
		if _, counts := s.folders[dir]; counts {
			s.folders[dir]++
		}
		if dir == "" {
			break
		}
	}
}

// equal reports whether s and o have the same languages in each service, in the same order, and
// sources in the same folders.
func (s *shape) equal(o *shape) bool {
	return maps.EqualFunc(s.languages, o.languages, func(a, b map[string]int) bool {
		return slices.Equal(ranked(a), ranked(b))
	}) && maps.EqualFunc(s.folders, o.folders, func(a, b int) bool { return a > 0 == (b > 0) })
}
