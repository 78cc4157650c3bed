package main

import "regexp"

// A habit is a phrase that comments should avoid, with a hint at what to write
// instead.
type habit struct {
	phrase  *regexp.Regexp
	instead string
}

// habits lists the phrases to avoid. They are matched against the text of a whole comment, joined
// into one line.
var habits = []habit{
	{regexp.MustCompile(`\b(?:is|are) (?:what|how|where|when|who|whom|whose|whoever|whichever)\b`),
		"name the thing, or begin with a verb: returns, reports, bounds"},
	{regexp.MustCompile(`\b(?:is|are|was|were) (?:had|told|said|heard|asked|looked for|looked at)\b`),
		"say who does what: Search returns, the caller requests"},
	{regexp.MustCompile(`\bto be had\b`), "is available"},
	{regexp.MustCompile(`\b(?:lies|lie) over\b`), "overrides, covers"},
	{regexp.MustCompile(`\b(?:stands|stand) for\b`), "means, represents"},
	{regexp.MustCompile(`\b(?:[Ww]hoever|[Ss]omebody|[Bb]y whichever)\b`), "the caller, the user, another process"},
	{regexp.MustCompile(`\bwere (?:it|they|there)\b`), "if it is, even if"},
	{regexp.MustCompile(`(?:^|[.:;] |\b(?:is|are) )(?:[Oo]ne that|[Tt]hose that|[Tt]hat which)\b`),
		"name the thing: a server that"},
	{regexp.MustCompile(`(?:^|[.;] )(?:What|Who)\b`), "begin with a noun or a verb"},
}

// describes matches the comment of a function that describes the function as a thing: "Rows is
// the number of rows" instead of "Rows returns the number of rows". "Load is like Open, …" is
// allowed, because it refers to another function.
var describes = habit{regexp.MustCompile(`^(\w+ (?:is|are)) (?:[^l]|l[^i]|li[^k])`),
	"begin with a verb: returns, parses, reports whether"}

// quoted matches text in quotation marks or backquotes, in which phrases do not
// count.
var quoted = regexp.MustCompile("\"[^\"]*\"|“[^”]*”|`[^`]*`")
