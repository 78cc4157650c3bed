package search

import (
	"math"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/search/rank"
)

// asksForWork reports whether a query in prose, of so many terms, asks where
// something is done, as agents do. One in the words of a doc comment ("Calls f for
// each …") describes a single function, and one for what is got or set an accessor:
// these may be as short as they like. One of few terms has to be put as a question.
func asksForWork(text string, terms int) bool {
	words := strings.Fields(strings.ToLower(text))
	if len(words) < proseWords || accessing[words[0]] || thirdPerson(words[0], words[1]) {
		return false
	}
	return terms >= proseTerms || asking[words[0]]
}

var accessing = setOf("get", "is", "return", "set", "whether")

var asking = setOf("do", "does", "how", "what", "when", "where", "which", "who", "why")

// thirdPerson reports whether a sentence begins with a verb, as that of a
// function does, by the form of its first word and what follows it.
func thirdPerson(first, second string) bool {
	if len(first) < 4 || !strings.HasSuffix(first, "s") || notVerbs[first] || afterNouns[second] {
		return false
	}
	return !strings.HasSuffix(first, "ss") && !strings.HasSuffix(first, "us")
}

var (
	notVerbs   = setOf("this", "does", "always", "perhaps", "alias")
	afterNouns = setOf("of", "in", "for", "with", "between", "that", "are", "which", "when", "from", "at", "by", "and", "or", "must", "should", "can", "may", "have")
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

var showingDirs = setOf("bench", "benches", "benchmark", "benchmarks", "demo", "demos", "example", "examples", "sample", "samples")

// showing reports whether a path lies in a directory of examples or benchmarks.
func showing(path string) bool {
	for step := range strings.SplitSeq(strings.ToLower(code.Dir(path)), "/") {
		if showingDirs[step] || strings.HasSuffix(step, "-examples") {
			return true
		}
	}
	return false
}

const (
	// sameName multiplies the score of a result below one of the same name:
	// overloads and implementations of one method crowd others out.
	sameName = 0.95
	// mostSame bounds how often that counts.
	mostSame = 3
)

// spreadNames lowers, in found, best first, what bears the name of something
// better, and orders it anew.
func spreadNames(found []candidate) {
	seen := map[string]int{}
	for i := range found {
		c := &found[i]
		if c.row == nil || c.exact != rank.NotNamed {
			continue
		}
		name := c.row.Symbol.Name
		c.score = round(c.score * math.Pow(sameName, float64(min(seen[name], mostSame))))
		seen[name]++
	}
	slices.SortFunc(found, compareCandidates)
}
