package services

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// GetUnlessGiven is the method of fetch(url, options) in a function whose callers pass the options:
// GET, unless a caller passes options with another method.
const GetUnlessGiven = "GET*"

// Verb returns the HTTP method that a callee's name equals or starts with, or "": "getForObject",
// "PostAsJsonAsync".
func Verb(callee string) string {
	for _, m := range folding.Methods {
		if len(callee) >= len(m) && strings.EqualFold(callee[:len(m)], m) {
			return m
		}
	}
	return ""
}

// PlainVerb returns the HTTP method that a callee's name equals, or "".
func PlainVerb(callee string) string {
	if m := Verb(callee); len(m) == len(callee) {
		return m
	}
	return ""
}

// Speaks reports whether the receiver of a call has one of names, or is the result of one of the
// functions in makers.
func (r *Reader) Speaks(c *code.Call, names, makers []string) bool {
	if c.Receiver == "" {
		return false
	}
	name := folding.LastWord(c.Receiver)
	for _, n := range names {
		if name == n || c.Receiver == n {
			return true
		}
	}
	if !slices.ContainsFunc(makers, r.Mentions) {
		return false // this test is cheap and excludes most files
	}
	text := c.Receiver
	if name != "" {
		value, _ := r.Lookup(name, c.NameSpan.StartByte)
		text = value + " " + r.Typed(name)
		if folding.IsPlain(value) { // for example, self._client = client
			text += r.Typed(folding.LastWord(value))
		}
		if i := r.OpenedAs(name, c.NameSpan.StartByte); i >= 0 {
			text += r.Text[max(0, i-100):i]
		}
	}
	for _, m := range makers {
		if strings.Contains(text, m) {
			return true
		}
	}
	return false
}

// Lookup returns the value, as written, of the assignment to a name nearest to a byte offset, and the offset of the
// assignment; "" if there is none. An assignment such as request = request.withHeaders(h) does not count; the one
// before it does.
func (r *Reader) Lookup(name string, at int) (value string, where int) {
	value, where = r.fold.Lookup(name, at)
	for step := 0; step < folding.MaxDefinitions && chainsOn(value, name); step++ {
		before, above := r.fold.Lookup(name, where)
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
func (r *Reader) OpenedAs(name string, at int) int {
	if r.opened == nil {
		r.opened = map[string][]int{}
		for _, m := range asName.FindAllStringSubmatchIndex(r.Text, -1) {
			opened := r.Text[m[2]:m[3]]
			r.opened[opened] = append(r.opened[opened], m[0])
		}
	}
	all := r.opened[name]
	above, _ := slices.BinarySearch(all, at-len(" as :")-len(name)+1)
	if above == 0 {
		return -1
	}
	return all[above-1]
}

// Mentions reports whether the file contains a text.
func (r *Reader) Mentions(text string) bool {
	is, known := r.mentioned[text]
	if !known {
		if r.mentioned == nil {
			r.mentioned = map[string]bool{}
		}
		is = strings.Contains(r.Text, text)
		r.mentioned[text] = is
	}
	return is
}

// Matches returns the matches of a pattern between two byte offsets, with their groups, as offsets
// in the file. The file is searched once for each pattern.
func (r *Reader) Matches(pattern *regexp.Regexp, from, to int) [][]int {
	all, known := r.matches[pattern]
	if !known {
		if r.matches == nil {
			r.matches = map[*regexp.Regexp][][]int{}
		}
		all = pattern.FindAllStringSubmatchIndex(r.Text, -1)
		r.matches[pattern] = all
	}
	all = all[sort.Search(len(all), func(i int) bool { return all[i][0] >= from }):]
	return all[:sort.Search(len(all), func(i int) bool { return all[i][1] > to })]
}

// Typed returns the types of the variables called name in the file, as written, each followed by a blank.
func (r *Reader) Typed(name string) (types string) {
	if r.types == nil {
		r.types = map[string]string{}
		for i := range r.File.Facts {
			f := &r.File.Facts[i]
			if f.Kind != code.FactField && f.Kind != code.FactVar && f.Kind != code.FactParam {
				continue
			}
			if known := r.types[f.Name]; len(known) < folding.MaxEndpointText && !strings.Contains(known, f.Type+" ") {
				r.types[f.Name] = known + f.Type + " "
			}
		}
	}
	return r.types[name]
}

// Imports reports whether the file imports or requires a module.
func (r *Reader) Imports(module string) bool {
	for i := range r.File.Imports {
		if r.File.Imports[i].Module == module {
			return true
		}
	}
	return false
}

// Imported returns the module that the file imports under a name, which is its alias or the end of its path:
// "example.com/go-retryablehttp" for retryablehttp. It returns "" if there is none.
func (r *Reader) Imported(name string) string {
	for i := range r.File.Imports {
		m := &r.File.Imports[i]
		before, ends := strings.CutSuffix(m.Module, name)
		if name != "" && (m.Alias == name ||
			m.Alias == "" && ends && (before == "" || !folding.IsWord(before[len(before)-1]))) {
			return m.Module
		}
	}
	return ""
}

// HasFunction reports whether one of the arguments is an anonymous function. If so, a call such as get("/x", f) adds
// a route.
func (r *Reader) HasFunction(args []string) bool {
	for _, a := range args {
		if folding.IsFunction(a) {
			return true
		}
	}
	return false
}

// ImportsName reports whether a file imports a name from a module.
func ImportsName(f *code.File, name, module string) bool {
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Module == module && (m.Name == name && m.Alias == "" || m.Alias == name) {
			return true
		}
	}
	return false
}

// Declares reports whether the file declares a function called name.
func (r *Reader) Declares(name string) bool { return r.fold.Declares(name) }

// Behind returns the calls after c in its chain: Methods("GET") for the call of HandleFunc in r.HandleFunc("/x",
// h).Methods("GET").
func (r *Reader) Behind(c *code.Call) []folding.Step {
	start, end := min(c.Span.EndByte, len(r.Text)), min(len(r.Text), c.Span.EndByte+folding.MaxEndpointText)
	return folding.StepsOf(r.Text[start:end])
}

// Receiver returns the whole expression before the name of a call, as written.
func (r *Reader) Receiver(c *code.Call) string {
	if c.Span.StartByte >= c.NameSpan.StartByte {
		return c.Receiver
	}
	from := max(c.Span.StartByte, c.NameSpan.StartByte-folding.MaxEndpointText)
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(r.Text[from:c.NameSpan.StartByte]), ".:?!->"))
}

// ChainStart returns the receiver of a call, or the first part of a receiver that is too long to be read whole: a router
// with a hundred routes in one chain begins with its construction, and with the path of its scope.
func (r *Reader) ChainStart(c *code.Call) string {
	if c.NameSpan.StartByte-c.Span.StartByte <= folding.MaxEndpointText {
		return r.Receiver(c)
	}
	return r.Text[c.Span.StartByte : c.Span.StartByte+folding.MaxEndpointText]
}
