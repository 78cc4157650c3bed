package quality

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// token matches an identifier, or several joined by hyphens as in names of
// headers and packages: X-Request-Id, spring-boot-starter-web.
var token = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*`)

// These constants bound the length, in bytes, of the tokens that Draw may choose.
const shortestToken, longestToken = 6, 64

// RareTokens finds tokens that occur on only one line of all texts added to it,
// and that are not declared names.
type RareTokens struct {
	at       map[string]Answer // token → the line that it occurs on
	common   map[string]bool   // tokens that occur on several lines
	declared map[string]bool   // declared names, in lower case
}

// NewRareTokens returns a RareTokens without texts.
func NewRareTokens() *RareTokens {
	return &RareTokens{at: map[string]Answer{}, common: map[string]bool{}, declared: map[string]bool{}}
}

// Add adds a file's text, and the names it declares.
func (r *RareTokens) Add(path, text string, declared []string) {
	for _, name := range declared {
		r.declared[strings.ToLower(name)] = true
	}
	line := 0
	for l := range strings.Lines(text) {
		line++
		for _, t := range token.FindAllString(l, -1) {
			here := Answer{File: path, Line: line}
			if at, seen := r.at[t]; seen && at != here {
				r.common[t] = true
			}
			r.at[t] = here
		}
	}
}

// Draw returns at most n questions that consist of one token each. With equal
// texts and seeds it returns equal questions.
func (r *RareTokens) Draw(seed uint64, n int) (list []Question) {
	var names []string
	for t := range r.at {
		if len(t) >= shortestToken && len(t) <= longestToken && !r.common[t] && !r.declared[strings.ToLower(t)] {
			names = append(names, t)
		}
	}
	slices.Sort(names)
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, t := range names[:min(n, len(names))] {
		list = append(list, Question{Query: t, Answers: []Answer{r.at[t]}})
	}
	return list
}
