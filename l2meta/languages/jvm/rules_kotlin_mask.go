package jvm

import (
	"bytes"
	"regexp"
)

// kotlinSoftNames are Kotlin's soft keywords: keywords in one place and names in all others. The
// pattern matches the text after a use as a name, which the grammar would parse as the keyword.
var kotlinSoftNames = map[string]*regexp.Regexp{
	"get":   regexp.MustCompile(`^(?:[ \t]+[\w"]|[ \t]+\([^)]|\([^)\s]|[ \t]*[:=.])`),                // insert { … } get Cities.id, get("/hello")
	"set":   regexp.MustCompile(`^(?:[ \t]+[\w"]|[ \t]+\([^)]|\([^)\w\s]|\(\w+[^)\w:]|[ \t]*[:=.])`), // set(key, value), var set: Int
	"where": regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),                                   // where?.let { … }
	"open":  regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),
	"enum":  regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),
}

// kotlinHeader matches the text after "class" if the primary constructor begins on the next line.
var kotlinHeader = regexp.MustCompile(`^[ \t]+\w+[^\n(){}"=/]*(\n)[ \t]*\(`)

// kotlinMask returns the text to parse, as long as the original. It changes the first letter of
// names that the grammar would parse as keywords, and joins the head of a class into one line.
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

// maxKotlinHead bounds the text before and after a word that kotlinMask reads, in bytes.
const maxKotlinHead = 1000
