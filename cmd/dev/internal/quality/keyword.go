package quality

import (
	"bytes"
	"cmp"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Keywords answers questions as ripgrep could: from the lines that contain the words of the
// question, ignoring case. It ignores words that every text contains and words of fewer than
// three letters.
type Keywords struct {
	paths []string
	texts [][]byte // text of each file, in lower case
}

// NewKeywords reads the files below dir.
func NewKeywords(dir string) (*Keywords, error) {
	k := &Keywords{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		k.paths, k.texts = append(k.paths, filepath.ToSlash(rel)), append(k.texts, bytes.ToLower(text))
		return err
	})
	return k, err
}

// held is the rating of one file for a question.
type held struct {
	lines int     // number of lines with one of the words, which "rg --count" prints
	words float64 // sum over the words in the file, weighted by rarity
	times float64 // sum over the words of the logarithm of their count
}

// ByLines returns the ten best files by the number of matching lines: one run
// of ripgrep with all the words, sorted by its counts.
func (k *Keywords) ByLines(question string) []Answer {
	return k.best(k.look(question), func(a, b held) int { return cmp.Compare(b.lines, a.lines) })
}

// ByWords returns the ten best files that a patient user finds who runs ripgrep
// once per word. Files with the most words, weighted by rarity, come first;
// ties are ordered by the number of occurrences.
func (k *Keywords) ByWords(question string) []Answer {
	return k.best(k.look(question), func(a, b held) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.times, a.times))
	})
}

// look rates every file for a question, by the words of the question in it.
func (k *Keywords) look(question string) []held {
	found := make([]held, len(k.paths))
	ends := make([][]int, len(k.paths)) // end offsets of the matching lines
	seen := map[string]bool{}
	for _, word := range strings.Fields(strings.ToLower(question)) {
		if word = strings.Trim(word, ".,'\"()"); len(word) < 3 || seen[word] || commonWords[word] {
			continue
		}
		seen[word] = true
		var in []int
		for i, text := range k.texts {
			if n := bytes.Count(text, []byte(word)); n > 0 {
				in = append(in, i)
				found[i].times += math.Log1p(float64(n))
				ends[i] = append(ends[i], lineEnds(text, []byte(word))...)
			}
		}
		for _, i := range in {
			found[i].words += math.Log(1 + float64(len(k.paths))/float64(len(in)))
		}
	}
	for i := range ends {
		slices.Sort(ends[i])
		found[i].lines = len(slices.Compact(ends[i]))
	}
	return found
}

// lineEnds returns the end offsets of the lines that contain word.
func lineEnds(text, word []byte) (ends []int) {
	for at := 0; ; {
		i := bytes.Index(text[at:], word)
		if i < 0 {
			return ends
		}
		at += i
		if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
			at += end
		} else {
			at = len(text)
		}
		ends = append(ends, at)
	}
}

// best returns the first ten files in order; ties are ordered by path.
func (k *Keywords) best(found []held, compare func(a, b held) int) (out []Answer) {
	var order []int
	for i := range found {
		if found[i].lines > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(compare(found[a], found[b]), cmp.Compare(k.paths[a], k.paths[b]))
	})
	for _, i := range order[:min(10, len(order))] {
		out = append(out, Answer{File: k.paths[i]})
	}
	return out
}

var commonWords = map[string]bool{"the": true, "and": true, "for": true, "with": true, "that": true, "this": true,
	"from": true, "are": true, "not": true, "when": true, "into": true, "its": true, "has": true, "was": true,
	"how": true, "what": true, "where": true, "which": true, "does": true, "will": true, "can": true, "all": true,
	"any": true}
