// Package source answers what rules ask of one file: which calls, arguments, values, types and imports it has, and
// which texts its expressions compute (see package folding).
//
// A rule that describes a call of a library names the parts of it by selectors, "0/topic" for the topic in
// consumer.subscribe({topic: "orders"}); a Selection finds them, as expressions, texts or types. A text that names a
// topic or a queue is folded by rules of its own (topic.go).
//
// The package records nothing: package services does.
package source

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// Source is a file, and what rules have asked of it.
type Source struct {
	File   *code.File
	Text   string          // text of the file; of a page, only its scripts
	Folder *folding.Folder // computes the texts of expressions, and bounds the work for the file

	arguments func(behind string) []string
	mentioned map[string]bool            // text → whether the file contains it
	matches   map[*regexp.Regexp][][]int // pattern → its matches in the whole file
	opened    map[string][]int           // name → offsets of " as name:"; nil before the first use
	givens    map[string][]int           // name → result of the method besides
	types     map[string]string          // variable name → its types as written; nil before the first use
}

// New returns the source of f. arguments splits the text after the name of a call into arguments, for a language with
// calls without parentheses; it may be nil.
func New(f *code.File, arguments func(behind string) []string) *Source {
	d := folding.New(f)
	return &Source{File: f, Text: d.Text, Folder: d, arguments: arguments}
}

// Mentions reports whether the file contains a text.
func (src *Source) Mentions(text string) bool {
	is, known := src.mentioned[text]
	if !known {
		if src.mentioned == nil {
			src.mentioned = map[string]bool{}
		}
		is = strings.Contains(src.Text, text)
		src.mentioned[text] = is
	}
	return is
}

// Matches returns the matches of a pattern between two byte offsets, with their groups, as offsets
// in the file. The file is searched once for each pattern.
func (src *Source) Matches(pattern *regexp.Regexp, from, to int) [][]int {
	all, known := src.matches[pattern]
	if !known {
		if src.matches == nil {
			src.matches = map[*regexp.Regexp][][]int{}
		}
		all = pattern.FindAllStringSubmatchIndex(src.Text, -1)
		src.matches[pattern] = all
	}
	all = all[sort.Search(len(all), func(i int) bool { return all[i][0] >= from }):]
	return all[:sort.Search(len(all), func(i int) bool { return all[i][1] > to })]
}

// Imports reports whether the file imports or requires a module.
func (src *Source) Imports(module string) bool {
	for i := range src.File.Imports {
		if src.File.Imports[i].Module == module {
			return true
		}
	}
	return false
}

// Imported returns the module that the file imports under a name, which is its alias or the end of its path:
// "example.com/go-retryablehttp" for retryablehttp. It returns "" if there is none.
func (src *Source) Imported(name string) string {
	for i := range src.File.Imports {
		m := &src.File.Imports[i]
		before, ends := strings.CutSuffix(m.Module, name)
		if name != "" && (m.Alias == name ||
			m.Alias == "" && ends && (before == "" || !folding.IsWord(before[len(before)-1]))) {
			return m.Module
		}
	}
	return ""
}

// ImportsName reports whether the file imports a name from a module.
func (src *Source) ImportsName(name, module string) bool {
	for i := range src.File.Imports {
		if m := &src.File.Imports[i]; m.Module == module && (m.Name == name && m.Alias == "" || m.Alias == name) {
			return true
		}
	}
	return false
}

// Declares reports whether the file declares a function called name.
func (src *Source) Declares(name string) bool { return src.Folder.Declares(name) }

// Look subtracts the cost of scanning the whole file from the file's work budget. It reports whether any budget is
// left.
func (src *Source) Look() bool {
	f := src.File
	src.Folder.Fuel -= len(src.Text)/64 + len(f.Imports) + len(f.Calls) + len(f.Symbols) + len(f.Facts)
	return src.Folder.Fuel > 0
}

// Fold evaluates an expression at a byte offset to a text. Unknown parts become holes in braces:
// "{env:A_URL}/x/{id}".
func (src *Source) Fold(expr string, at int) string { return src.Folder.Fold(expr, at) }

// FoldFor evaluates an expression at a byte offset for a use at another one. A parameter of a constructor that a
// method uses, base in @http = Faraday.new(url: base), is that of the constructor: {@OrderClient#0:base}.
func (src *Source) FoldFor(expr string, at, used int) string {
	return src.Folder.OfMaker(src.Folder.Fold(expr, at), at, used)
}

// Binds reports whether an import of the file binds a name: ORDERS_URL after import { ORDERS_URL } from './urls'.
func (src *Source) Binds(name string) bool {
	return folding.Identifier.MatchString(name) && slices.ContainsFunc(src.File.Imports,
		func(m code.Import) bool { return cmp.Or(m.Alias, m.Name) == name })
}

// Expression returns the text from a byte offset to the end of its statement or of its item in a list.
func (src *Source) Expression(at int) string { return src.Folder.Expression(at) }

// SpanAt returns a byte offset as an empty span with the number of its line.
func (src *Source) SpanAt(at int) code.Span { return SpanOfLine(src.File.Text, at) }

// Around returns the index of the innermost function or method around a byte offset, or -1.
func (src *Source) Around(at int) int { return src.Folder.Function(at) }

// Path evaluates an argument such as PREFIX + "/orders" to the path template of a route; false if it is no path.
func (src *Source) Path(arg string, at int) (string, bool) {
	if arg == "" || !strings.ContainsAny(arg, "\"'`") && !folding.IsPlain(arg) {
		return "", false
	}
	path := src.Fold(arg, at)
	return path, strings.HasPrefix(path, "/") || strings.HasPrefix(path, "{") && strings.Contains(path, "}/")
}

// ClassAround returns the class around a declaration, -1 if there is none.
func (src *Source) ClassAround(symbol int) int {
	for symbol >= 0 && src.File.Symbols[symbol].Kind != code.KindClass {
		symbol = src.File.Symbols[symbol].Parent
	}
	return symbol
}

// IsAround reports whether a function is another one or contains it. Both are indexes of symbols, -1 for the file.
func (src *Source) IsAround(outer, inner int) bool {
	for inner >= 0 && inner != outer {
		inner = src.File.Symbols[inner].Parent
	}
	return inner == outer
}

// SpanOfLine skips line breaks at a byte offset and returns the offset after them as an empty span with the number of
// its line.
func SpanOfLine(text []byte, at int) code.Span {
	for at < len(text) && (text[at] == '\n' || text[at] == '\r') {
		at++
	}
	line := 1 + bytes.Count(text[:at], []byte{'\n'})
	return code.Span{StartByte: at, EndByte: at, StartLine: line, EndLine: line, StartColumn: 1, EndColumn: 1}
}
