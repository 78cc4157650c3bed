package kotlin

import (
	"sextant/l2meta/languages/jvm/facts"
)

import (
	"bytes"
	"regexp"
)

// softNames maps soft keywords, which are keywords in one place and names in all others, to
// patterns. A pattern matches the text after the word where the word is a name but the grammar
// would parse it as the keyword.
var softNames = map[string]*regexp.Regexp{
	// names in insert { … } get Cities.id and get("/hello")
	"get": regexp.MustCompile(`^(?:[ \t]+[\w"]|[ \t]+\([^)]|\([^)\s]|[ \t]*[:=.])`),
	// names in set(key, value) and var set: Int
	"set":   regexp.MustCompile(`^(?:[ \t]+[\w"]|[ \t]+\([^)]|\([^)\w\s]|\(\w+[^)\w:]|[ \t]*[:=.])`),
	"where": regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`), // a name in where?.let { … }
	"open":  regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),
	"enum":  regexp.MustCompile(`^[ \t]*(?:[?.:)=,!\]+]|&&|\|\|)`),
}

// header matches the text after "class" if the primary constructor begins on the next line.
var header = regexp.MustCompile(`^[ \t]+\w+[^\n(){}"=/]*(\n)[ \t]*\(`)

// contextual matches the text after "context" if context parameters follow, and then the
// declaration to which they belong: (log: Log) fun Order.save(). It does not match the call of a
// function called context, which has other arguments.
var contextual = regexp.MustCompile(`^\s*(\(\s*(?:\w+\s*:\s*)?(?:\w+\.)*[A-Z][\w.<>?:,\s]*\))\s*` +
	`(?:@\w|(?:public|private|protected|internal|override|abstract|open|final|inline|suspend|tailrec|operator|` +
	`infix|external|actual|expect|fun|val|var|class|interface)\b)`)

// mask returns the text to parse, which is as long as the original. It changes the first letter
// of names that the grammar would parse as keywords, joins a class name and a primary constructor
// on the next line into one line, and blanks context parameters.
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
		if at-start < len("get") || at-start > len("context") {
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
		} else if word == "context" {
			if m := contextual.FindSubmatchIndex(behind); m != nil {
				for i := start; i < at+m[3]; i++ {
					if text[i] != '\n' {
						change(i, ' ')
					}
				}
			}
		}
	}
	return out
}

// maxKotlinHead bounds the length in bytes of the text that mask examines before and after a
// word.
const maxKotlinHead = 1000
