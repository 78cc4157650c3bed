package kotlin

import (
	"sextant/l2meta/languages/jvm/facts"
)

import (
	"bytes"
	"regexp"
)

// softNames are Kotlin's soft keywords: keywords in one place and names in all others. The
// pattern matches the text after a use as a name, which the grammar would parse as the keyword.
var softNames = map[string]*regexp.Regexp{
	// insert { … } get Cities.id, get("/hello")
	"get": regexp.MustCompile(`^(?:[ \t]+[\w"]|[ \t]+\([^)]|\([^)\s]|[ \t]*[:=.])`),
	// set(key, value), var set: Int
	"set":   regexp.MustCompile(`^(?:[ \t]+[\w"]|[ \t]+\([^)]|\([^)\w\s]|\(\w+[^)\w:]|[ \t]*[:=.])`),
	"where": regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`), // where?.let { … }
	"open":  regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),
	"enum":  regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),
}

// header matches the text after "class" if the primary constructor begins on the next line.
var header = regexp.MustCompile(`^[ \t]+\w+[^\n(){}"=/]*(\n)[ \t]*\(`)

// mask returns the text to parse, as long as the original. It changes the first letter of
// names that the grammar would parse as keywords, and joins the head of a class into one line.
func mask(text []byte) []byte {
	out := text
	change := func(at int, to byte) {
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		out[at] = to
	}
	for at := 0; at < len(text); at++ {
		start := at
		for at < len(text) && facts.NameByte(text[at]) {
			at++
		}
		if at-start < len("get") || at-start > len("where") {
			continue
		}
		word, before, behind := string(text[start:at]), text[max(start-maxKotlinHead, 0):start],
			text[at:min(at+maxKotlinHead, len(text))]
		if soft := softNames[word]; soft != nil && soft.Match(behind) && !bytes.HasSuffix(before, []byte("@")) {
			change(start, '_')
		} else if word == "class" && !bytes.ContainsAny(before[bytes.LastIndexByte(before, '\n')+1:], `/*"(`) {
			if m := header.FindSubmatchIndex(behind); m != nil {
				change(at+m[2], ' ')
			}
		}
	}
	return out
}

// maxKotlinHead bounds the text before and after a word that mask reads, in bytes.
const maxKotlinHead = 1000
