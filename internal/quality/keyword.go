package quality

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Keywords ranks files as somebody does who runs ripgrep once for each word of
// the question, in any case, and looks first at the files that hold the most of
// the words, the rare ones counting for more; among equals, at those with more
// lines that match.
type Keywords struct {
	paths []string
	texts [][]byte // lower case
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

// Search is the ten best files for a question.
func (k *Keywords) Search(question string) []Answer {
	scores, lines := make([]float64, len(k.paths)), make([]float64, len(k.paths))
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
				lines[i] += math.Log1p(float64(n))
			}
		}
		for _, i := range in {
			scores[i] += math.Log(1 + float64(len(k.paths))/float64(len(in)))
		}
	}
	order := make([]int, 0, len(scores))
	for i, s := range scores {
		if s > 0 {
			order = append(order, i)
		}
	}
	sort.Slice(order, func(a, b int) bool {
		x, y := order[a], order[b]
		if scores[x] != scores[y] {
			return scores[x] > scores[y]
		}
		if lines[x] != lines[y] {
			return lines[x] > lines[y]
		}
		return k.paths[x] < k.paths[y]
	})
	var out []Answer
	for _, i := range order[:min(10, len(order))] {
		out = append(out, Answer{File: k.paths[i]})
	}
	return out
}

var commonWords = map[string]bool{"the": true, "and": true, "for": true, "with": true, "that": true, "this": true, "from": true, "are": true, "not": true, "when": true, "into": true, "its": true, "has": true, "was": true, "how": true, "what": true, "where": true, "which": true, "does": true, "will": true, "can": true, "all": true, "any": true}
