package source

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// Lookup returns the value, as written, of the assignment to a name nearest to a byte offset, and the offset of the
// assignment; "" if there is none. An assignment such as request = request.withHeaders(h) does not count; the one
// before it does.
func (src *Source) Lookup(name string, at int) (value string, where int) {
	value, where = src.Folder.Lookup(name, at)
	for step := 0; step < folding.MaxDefinitions && chainsOn(value, name); step++ {
		before, above := src.Folder.Lookup(name, where)
		if before == "" || above >= where {
			break
		}
		value, where = before, above
	}
	return value, where
}

// chainsOn reports whether a value is the result of a method of the variable name: request.withHeaders(h).
func chainsOn(value, name string) bool {
	rest, ok := strings.CutPrefix(value, name)
	if !ok {
		rest, ok = strings.CutPrefix(value, "$"+name)
	}
	return ok && (strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "?."))
}

var asName = regexp.MustCompile(` as ([\w$]+):`)

// OpenedAs returns the offset of the nearest " as name:" above a byte offset, as in Python's with
// Client() as name:; -1 if there is none.
func (src *Source) OpenedAs(name string, at int) int {
	if src.opened == nil {
		src.opened = map[string][]int{}
		for _, m := range asName.FindAllStringSubmatchIndex(src.Text, -1) {
			opened := src.Text[m[2]:m[3]]
			src.opened[opened] = append(src.opened[opened], m[0])
		}
	}
	all := src.opened[name]
	above, _ := slices.BinarySearch(all, at-len(" as :")-len(name)+1)
	if above == 0 {
		return -1
	}
	return all[above-1]
}

// Typed returns the types of the variables called name in the file, as written, each followed by a blank.
func (src *Source) Typed(name string) (types string) {
	if src.types == nil {
		src.types = map[string]string{}
		for i := range src.File.Facts {
			f := &src.File.Facts[i]
			if f.Kind != code.FactField && f.Kind != code.FactVar && f.Kind != code.FactParam {
				continue
			}
			if known := src.types[f.Name]; len(known) < folding.MaxEndpointText && !strings.Contains(known, f.Type+" ") {
				src.types[f.Name] = known + f.Type + " "
			}
		}
	}
	return src.types[name]
}

// Given returns the value of a variable or field, and its byte offset. The value is that of the assignment nearest to
// an offset, or else of an object literal or multiple assignment anywhere, or else of the Ruby method of that name.
// It is "" if there is none.
func (src *Source) Given(name string, at int) (string, int) {
	if value, where := src.Lookup(name, at); value != "" {
		return value, where
	}
	if m := src.besides(name); m != nil {
		return src.Folder.Expression(m[1]), m[0]
	}
	return src.lastOf(name)
}

// lastOf returns the last expression of the Ruby method called name, which is its result, and the expression's
// offset. It returns "" if the file declares no such method without parameters.
func (src *Source) lastOf(name string) (string, int) {
	if src.File.Language != "ruby" {
		return "", 0
	}
	for i := range src.File.Symbols {
		s := &src.File.Symbols[i]
		if s.Name != name || !s.Kind.Callable() || len(s.Parameters) > 0 {
			continue
		}
		whole := src.Text[s.NameSpan.EndByte:s.Span.EndByte]
		body := folding.TrimBlank(strings.TrimSuffix(folding.TrimBlank(whole), "end"))
		last := strings.TrimSpace(body[strings.LastIndexByte(body, '\n')+1:])
		return last, s.NameSpan.EndByte + strings.LastIndex(whole, last)
	}
	return "", 0
}

// besides returns the byte range from a name to its value at the first place where an object literal sets it,
// T{writer: kafka.NewWriter(…)}, or where it is the first of several results, q, err := declare(…). It returns nil if
// there is none.
func (src *Source) besides(name string) []int {
	found, known := src.givens[name]
	if known || name == "" {
		return found
	}
	src.Folder.Fuel -= len(src.Text) / 16 // a search by the library is faster than one byte by byte
	for at := 0; src.Folder.Fuel > 0; {
		next := strings.Index(src.Text[at:], name)
		if next < 0 {
			break
		}
		start := at + next
		at = start + len(name)
		if within := start > 0 && folding.IsWord(src.Text[start-1]); within == folding.IsWord(name[0]) {
			continue
		}
		if sign := besideName.FindString(src.Text[at:min(len(src.Text), at+folding.MaxLook)]); sign != "" {
			found = []int{start, at + len(sign)}
			break
		}
	}
	if src.givens == nil {
		src.givens = map[string][]int{}
	}
	src.givens[name] = found
	return found
}

// besideName matches the text between a name and its value in name: value and in name, err := value.
var besideName = regexp.MustCompile(`^\s*(?:,\s*\w+\s*:?=|:)\s*`)
