package folding

import (
	"regexp"
	"strings"

	"sextant/internal/code"
)

// Definitions finds the values that a file gives its names, as written: by assignments, parameters, settings, entries
// of objects and loops. It also finds the declarations around an offset. Each kind is searched on its first use.
type Definitions struct {
	Text string // text of the file; of a page, only its scripts
	Fuel int    // remaining work for the file; see maxWork

	f         *code.File
	lines     *code.LineIndex
	defs      map[string][]Definition // assigned name → its assignments, in order of their offsets
	entries   map[string][]Definition // key named after an address → its entries in object literals
	fields    map[string]bool         // names of the fields that types declare
	callables map[string]bool         // names of the functions of the file
	envs      map[string][]binding    // see bindings
	called    map[string][]int        // name before a parenthesis → its offsets
	bodies    map[string][2]int       // result of oneLiners
	builders  map[string][]int        // result of declaredBuilders
}

// maxWork is the largest amount of work for one file, in bytes and facts read; that is a few tenths of a second.
// A hand-written file needs a fraction of it. Folding stops when a larger, generated file has used it up.
const maxWork = 1 << 26

// newDefinitions returns the definitions of f.
func newDefinitions(f *code.File) *Definitions {
	d := &Definitions{f: f, Text: string(f.Text), Fuel: maxWork}
	if f.Language == "html" {
		d.Text = scripts(d.Text)
	}
	return d
}

var scriptElements = regexp.MustCompile(`(?is)<script\b[^>]*>(.*?)</script`)

// scripts replaces the text of a page outside of its scripts by blanks, so that attributes are not read as variables.
func scripts(page string) string {
	var b strings.Builder
	at := 0
	blank := func(to int) {
		for ; at < to; at++ {
			if c := page[at]; c == '\n' {
				b.WriteByte(c)
			} else {
				b.WriteByte(' ')
			}
		}
	}
	for _, m := range scriptElements.FindAllStringSubmatchIndex(page, -1) {
		blank(m[2])
		b.WriteString(page[m[2]:m[3]])
		at = m[3]
	}
	blank(len(page))
	return b.String()
}
