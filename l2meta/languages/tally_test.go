package languages_test

import (
	"sort"
	"testing"
)

// tally counts the agreement of extracted facts with the truth, over files.
type tally struct {
	right, wrong, missed int
	files                int
	examples             []string
}

func (s *tally) compare(path string, truth, found []string) {
	s.files++
	left := map[string]int{}
	for _, x := range truth {
		left[x]++
	}
	for _, x := range found {
		if left[x] > 0 {
			left[x]--
			s.right++
			continue
		}
		s.wrong++
		s.example("not in the truth: " + path + ": " + x)
	}
	var keys []string
	for x := range left {
		keys = append(keys, x)
	}
	sort.Strings(keys)
	for _, x := range keys {
		if left[x] > 0 {
			s.missed += left[x]
			s.example("missed: " + path + ": " + x)
		}
	}
}

func (s *tally) example(line string) {
	if len(s.examples) < 40 {
		s.examples = append(s.examples, line)
	}
}

func (s *tally) precision() float64 { return float64(s.right) / float64(max(s.right+s.wrong, 1)) }
func (s *tally) recall() float64    { return float64(s.right) / float64(max(s.right+s.missed, 1)) }

// require fails the test if precision or recall is below least, or if nothing was compared.
func (s *tally) require(t *testing.T, least float64) {
	t.Helper()
	t.Logf("%d files, %d symbols: precision %.4f, recall %.4f", s.files, s.right+s.missed, s.precision(), s.recall())
	if s.right == 0 || s.precision() < least || s.recall() < least {
		t.Errorf("want both at least %.3f", least)
		for _, e := range s.examples {
			t.Log(e)
		}
	}
}
