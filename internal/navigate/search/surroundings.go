package search

import (
	"slices"

	"sextant/internal/navigate/contract"
)

// surroundings selects the lines around the matching lines of one file, each once.
type surroundings struct {
	file    *shownFile
	lines   int   // number of lines before and after a match
	matched []int // all matched lines of the file, in order
	shown   int   // last line that was returned
}

// skip records that the lines around some of the matching lines were on an earlier page.
func (s *surroundings) skip(matched []int) {
	if len(matched) > 0 {
		s.shown = max(s.shown, min(matched[len(matched)-1]+s.lines, s.file.lines.Count()))
	}
}

// of returns the lines around some of the matching lines, in order, without matching lines and
// lines that were returned before.
func (s *surroundings) of(matched []int) (near []contract.MatchedLine) {
	for _, m := range matched {
		for n := max(m-s.lines, s.shown+1); n <= min(m+s.lines, s.file.lines.Count()); n++ {
			s.shown = n
			if _, is := slices.BinarySearch(s.matched, n); !is {
				near = append(near, contract.MatchedLine{Line: n,
					Text: cutLine(lineText(s.file.text, s.file.lines, n), 0)})
			}
		}
	}
	return near
}
