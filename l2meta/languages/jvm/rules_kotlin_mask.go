package jvm

import (
	"bytes"
	"regexp"
)

// kotlinSoftNames are words of Kotlin that are keywords in one place and names
// in all others, with what stands behind the name: the grammar takes them for
// the keyword wherever one may stand.
var kotlinSoftNames = map[string]*regexp.Regexp{
	"get":   regexp.MustCompile(`^(?:[ \t]+[\w"]|[ \t]+\([^)]|\([^)\s]|[ \t]*[:=.])`),                // insert { … } get Cities.id, get("/hello")
	"set":   regexp.MustCompile(`^(?:[ \t]+[\w"]|[ \t]+\([^)]|\([^)\w\s]|\(\w+[^)\w:]|[ \t]*[:=.])`), // set(key, value), var set: Int
	"where": regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),                                   // where?.let { … }
	"open":  regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),
	"enum":  regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),
}

// kotlinHeader is what follows "class" where the primary constructor begins on
// the next line.
var kotlinHeader = regexp.MustCompile(`^[ \t]+\w+[^\n(){}"=/]*(\n)[ \t]*\(`)

// kotlinMask returns the text that the grammar is shown, as long as the original:
// names that it would take for keywords have another first letter, and the head
// of a class is on one line.
func kotlinMask(text []byte) []byte {
	out := text
	change := func(at int, to byte) {
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		out[at] = to
	}
	for at := 0; at < len(text); at++ {
		start := at
		for at < len(text) && nameByte(text[at]) {
			at++
		}
		if at-start < len("get") || at-start > len("where") {
			continue
		}
		word, before, behind := string(text[start:at]), text[max(start-maxKotlinHead, 0):start], text[at:min(at+maxKotlinHead, len(text))]
		if soft := kotlinSoftNames[word]; soft != nil && soft.Match(behind) && !bytes.HasSuffix(before, []byte("@")) {
			change(start, '_')
		} else if word == "class" && !bytes.ContainsAny(before[bytes.LastIndexByte(before, '\n')+1:], `/*"(`) {
			if m := kotlinHeader.FindSubmatchIndex(behind); m != nil {
				change(at+m[2], ' ')
			}
		}
	}
	return out
}

// maxKotlinHead bounds the text before and behind a word that kotlinMask reads.
const maxKotlinHead = 1000
