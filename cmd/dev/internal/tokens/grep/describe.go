package grep

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/tokens"
)

const (
	keywords = 4  // words of a description that an agent searches for at once
	tried    = 20 // number of files that the agent opens
)

var wordMark = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]{2,}`)

// describe searches for a description by its words. It counts the files with each word, ranks the
// files by the rare words in them, and passes the best files to the function into, which looks at
// them.
func (t *turn) describe(into func(files []int, words search, pattern string)) {
	var words []string
	for _, w := range wordMark.FindAllString(strings.ToLower(t.task.Text), -1) {
		if !tokens.Common(w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	in := map[string]map[int]bool{}
	for _, w := range words {
		in[w] = map[int]bool{}
		for _, h := range t.repo.find(search{words: []string{w}, fold: true, files: t.lang.has}) {
			in[w][h.file] = true
		}
	}
	if !t.run(fmt.Sprintf("for w in %s; do echo $w $(rg -il %s $w | wc -l); done",
		strings.Join(words, " "), t.lang.flag),
		func(p *printed) {
			for _, w := range words {
				fmt.Fprintln(&p.text, w, len(in[w]))
			}
		}) {
		return
	}
	words = slices.DeleteFunc(words, func(w string) bool { return len(in[w]) == 0 })
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(in[a]), len(in[b])) })
	words = words[:min(keywords, len(words))]
	if len(words) == 0 {
		return
	}
	files := t.best(words, in)
	pattern := strings.Join(words, "|")
	var each []string
	for _, w := range words {
		each = append(each, "rg -il "+t.lang.flag+" "+w)
	}
	if !t.run(fmt.Sprintf("(%s) | sort | uniq -c | sort -nr | head -%d", strings.Join(each, "; "), tried),
		func(p *printed) {
			for _, f := range files {
				n := 0
				for _, w := range words {
					if in[w][f] {
						n++
					}
				}
				fmt.Fprintf(&p.text, "%7d %s\n", n, t.repo.files[f].path)
			}
		}) {
		return
	}
	for part := range slices.Chunk(files, 3) {
		if into(part, search{words: words, fold: true}, pattern); t.over {
			return
		}
	}
}

// best returns the files that contain the most of the words. A rare word counts more. The weight of
// a test is halved at each word, so tests come late.
func (t *turn) best(words []string, in map[string]map[int]bool) []int {
	weight := map[int]float64{}
	for _, w := range words {
		for f := range in[w] {
			if weight[f] += math.Log(1 + float64(len(t.repo.files))/float64(len(in[w]))); tokens.IsTest(
				t.repo.files[f].path) {
				weight[f] *= 0.5
			}
		}
	}
	var files []int
	for f := range weight {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b int) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b))
	})
	return files[:min(tried, len(files))]
}
