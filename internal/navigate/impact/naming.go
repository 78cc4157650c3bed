package impact

import (
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
)

// naming compares the paths of tests with the names in a change.
type naming struct {
	count int
	held  map[string]int     // number of test paths that contain a word
	words map[string]float64 // word of the change → weight of its place
	stems map[string]bool    // stems of the changed files, see the function stem
	dirs  [][]string         // for each changed file, the parts of its folder's path
}

// The weights of a word, by its place in the change and in the path of a test.
const (
	nameWord   = 1.0 // the name of a changed file or symbol
	lineWord   = 0.4 // a changed line
	folderWord = 0.3 // the folder of a changed file

	testFolderWord = 0.5 // the folder of a test; its file name has weight 1
)

func newNaming(changes []change, tests []*evidence) *naming {
	n := &naming{count: len(tests), held: map[string]int{}, words: map[string]float64{}, stems: map[string]bool{}}
	for _, t := range tests {
		for _, w := range onceEach(wordsOf(t.path)) {
			n.held[w]++
		}
	}
	add := func(text string, weight float64) {
		for _, w := range wordsOf(text) {
			if !slices.Contains(testWords, w) {
				n.words[w] = max(n.words[w], weight)
			}
		}
	}
	for i := range changes {
		c := &changes[i]
		if !c.isCode() {
			continue
		}
		if s := stem(c.Path); s != "" {
			n.stems[s] = true
		}
		n.dirs = append(n.dirs, telling(code.Dir(c.Path)))
		add(code.Dir(c.Path), folderWord)
		add(withoutEnding(path.Base(c.Path)), nameWord)
		for _, s := range c.symbols {
			add(s.Name, nameWord)
		}
		for w := range c.words {
			add(w, lineWord)
		}
	}
	return n
}

func withoutEnding(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

func onceEach(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

// rarity returns the weight of a word: the fewer test paths contain the word, the greater the weight.
func (n *naming) rarity(w string) float64 {
	return math.Log(1 + float64(n.count)/float64(1+n.held[w]))
}

// judge sets the evidence that the path of a test gives. e.words is the weighted sum of the words
// that path and change have in common, divided by a measure of the path's length.
func (n *naming) judge(e *evidence) {
	named := wordsOf(withoutEnding(path.Base(e.path)))
	sum, size := 0.0, 0.0
	for _, w := range onceEach(wordsOf(withoutEnding(e.path))) {
		weight := n.rarity(w)
		if !slices.Contains(named, w) {
			weight *= testFolderWord
		}
		sum, size = sum+n.words[w]*weight, size+weight
	}
	if size > 0 {
		e.words = sum / math.Sqrt(size)
	}
	e.mate = n.stems[stem(e.path)]
	own := telling(code.Dir(e.path))
	for _, d := range n.dirs {
		e.near = max(e.near, nearness(d, own))
	}
}

// wordsOf splits a path or a name into its words, in lower case and without the "s" of a plural:
// src, row, count and go of "src/rowCounts_x.go".
func wordsOf(text string) (out []string) {
	runes := []rune(text)
	start := -1
	end := func(at int) {
		if start >= 0 && at-start > 1 {
			w := strings.ToLower(string(runes[start:at]))
			if len(w) > 3 {
				w = strings.TrimSuffix(w, "s")
			}
			out = append(out, w)
		}
		start = -1
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
		case start < 0:
			start = i
		case unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end(i)
			start = i
		}
	}
	end(len(runes))
	return out
}

// testWords are the words in the names of files that mark tests.
var testWords = []string{"test", "spec", "it"}

// stem returns the name of a file without its extension and without test words: "foo" for foo.go,
// foo_test.go, test_foo.py, FooTest.java and foo.spec.ts.
func stem(file string) string {
	name, _, _ := strings.Cut(path.Base(file), ".")
	words := slices.DeleteFunc(wordsOf(name), func(w string) bool { return slices.Contains(testWords, w) })
	return strings.Join(words, " ")
}

// plainSteps are folder names that describe the kind of their files rather than the topic.
var plainSteps = []string{"", "test", "tests", "__tests__", "spec", "src", "main", "lib"}

// telling returns the parts of a folder's path that describe its topic.
func telling(dir string) []string {
	return slices.DeleteFunc(strings.Split(dir, "/"), func(s string) bool { return slices.Contains(plainSteps, s) })
}

// nearness returns the share of common parts in two folders' paths. It is 1, the greatest value,
// for equal paths.
func nearness(a, b []string) float64 {
	shared := 0
	for _, s := range a {
		if slices.Contains(b, s) {
			shared++
		}
	}
	return float64(2*shared+1) / float64(len(a)+len(b)+1)
}
