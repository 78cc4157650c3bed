package quality

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A token is an identifier, or several with hyphens between them, as the names
// of headers and packages have: X-Request-Id, spring-boot-starter-web.
var token = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*`)

// The lengths of the tokens that are asked for, in bytes.
const shortestToken, longestToken = 6, 64

// RareTokens finds what stands once in many texts: the tokens that are on a
// single line of all of them, and that nothing declares.
type RareTokens struct {
	at       map[string]Answer // the line that holds a token
	common   map[string]bool   // what stands on several lines
	declared map[string]bool   // in lower case
}

// NewRareTokens has seen no text yet.
func NewRareTokens() *RareTokens {
	return &RareTokens{at: map[string]Answer{}, common: map[string]bool{}, declared: map[string]bool{}}
}

// Add takes a file's text, and the names that it declares.
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

// Draw is at most n questions for a token each, drawn by seed. Two texts that
// are the same give the same questions.
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
